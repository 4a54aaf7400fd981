package proof

import (
	"bytes"
	"encoding/hex"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/trust"
	"github.com/ark-forge/proveit/verify/tsa"
)

// maxGap is how far the log's integrated time and the token's time may lie apart before it is an incident.
const maxGap = time.Hour

// A UUID is the hex digits of a tree id, which may be absent, and those of a leaf hash.
const (
	treeDigits = 16
	leafDigits = 2 * canon.DigestSize
)

// timestamp judges the token over the anchored hash, and its time against the season's window.
func (j *judgement) timestamp(w *Window) {
	c := verify.Check{Name: CheckTimestamp, Independent: true}
	defer func() { j.set(checkTimestamp, c) }()
	if j.pending {
		c.Status, c.Reason = verify.Pending, ReasonBatchPending
		return
	}
	f := j.checkToken(&c)
	if f == nil && !j.r.TokenTime.IsZero() && w != nil && !w.contains(j.r.TokenTime) {
		f = j.p.fail(ReasonOutsideSeason, "/timestamp_authority/tsr_base64", stamp(j.r.TokenTime), "a time from "+stamp(w.Opens)+" to "+stamp(w.Closes))
	}
	if f != nil {
		c = verify.Failing(c.Name, true, f)
		j.issuerFailed(j.p.m.tsa, "/timestamp_authority/status")
	}
}

func (j *judgement) checkToken(c *verify.Check) *verify.Failure {
	const place = "/timestamp_authority"
	text, f := j.tokenText()
	if f != nil {
		return f
	}
	if !j.hasAnchored {
		c.Status, c.Reason = verify.Skipped, ReasonAnchorUnknown
		return nil
	}
	provider, _ := j.p.m.tsa.Get("provider").Text()
	authority, presence := j.v.store.Authority(provider)
	switch presence {
	case trust.Unknown:
		known := append(append([]string{}, trust.KnownProviders...), j.v.store.Providers()...)
		return j.p.fail(ReasonProviderUnknown, place+"/provider", shown(j.p.m.tsa.Get("provider")), "one of "+strings.Join(dedup(known), ", "))
	case trust.Absent:
		return j.unjudgedToken(text, provider, c)
	}
	t := j.v.anchors.token(j.anchored, text, authority)
	if t.failure != nil {
		return j.p.fail(t.failure.Reason, place+"/tsr_base64", t.failure.Found, t.failure.Wanted)
	}
	c.Status, c.Note = verify.OK, t.note
	j.r.TokenTime = t.token.Time
	return nil
}

// tokenText is the token that the proof carries. A proof without one is not valid.
func (j *judgement) tokenText() (string, *verify.Failure) {
	v := j.p.m.tsa.Get("tsr_base64")
	text, ok := v.Text()
	switch {
	case ok && text != "":
		return text, nil
	case j.p.m.tsa.Kind() == canon.Object && v.Exists() && v.Kind() != canon.Null && !ok:
		return "", j.p.fail(ReasonTokenMalformed, "/timestamp_authority/tsr_base64", shown(v), "a string")
	}
	return "", j.p.fail(ReasonNoToken, "/timestamp_authority/tsr_base64", shown(v), "a timestamp token")
}

// unjudgedToken is for a known authority of which the trust folder has nothing. A token that cannot be read, or that is over something else,
// fails all the same: no trust material could mend that.
func (j *judgement) unjudgedToken(text, provider string, c *verify.Check) *verify.Failure {
	const place = "/timestamp_authority/tsr_base64"
	response, err := canon.DecodeBase64(text)
	if err != nil {
		return j.p.fail(ReasonTokenMalformed, place, err.Error(), "padded base64 in its only spelling")
	}
	info, err := tsa.Parse(response)
	if err != nil {
		f := asFailure(err)
		return j.p.fail(f.Reason, place, f.Found, f.Wanted)
	}
	if want := canon.Sum(j.anchored[:]); len(info.Imprint) == hex.EncodedLen(len(want)) && info.HashAlgorithm == "SHA-256" && info.Imprint != want.String() {
		return j.p.fail(tsa.ReasonImprint, place, info.Imprint, want.String())
	}
	c.Status, c.Reason = verify.Skipped, ReasonProviderMissing
	j.missing(MissingAuthority, provider)
	return nil
}

// transparencyLog judges the entry that the proof names: the best of those that were handed in.
func (j *judgement) transparencyLog(ev *Evidence) {
	c := verify.Check{Name: CheckLog, Independent: true}
	defer func() { j.set(checkLog, c) }()
	if j.pending {
		c.Status, c.Reason = verify.Pending, ReasonBatchPending
		return
	}
	if f := j.checkEntries(ev, &c); f != nil {
		c = verify.Failing(c.Name, true, f)
		j.issuerFailed(j.p.m.log, "/transparency_log/status")
	}
}

func (j *judgement) checkEntries(ev *Evidence, c *verify.Check) *verify.Failure {
	uuid, f := j.entryUUID()
	if f != nil {
		return f
	}
	if !j.hasAnchored {
		c.Status, c.Reason = verify.Skipped, ReasonAnchorUnknown
		return nil
	}
	var first *verify.Failure
	null := ev.EntryNull
	skipped := false
	for i := range ev.Entries {
		e := &ev.Entries[i]
		if !names(uuid, e.UUID) {
			continue
		}
		if e.Null {
			null = true
			continue
		}
		a, f := j.checkEntry(e, uuid, c)
		switch {
		case f != nil && first == nil:
			first = f
		case f == nil && c.Status == verify.OK:
			j.flatLogged(a)
			return nil
		case f == nil:
			skipped = true
		}
	}
	switch {
	case skipped:
		return nil
	case first != nil:
		return first
	case null:
		return j.p.fail(ReasonEntryNull, "/transparency_log/uuid", "null for "+uuid, "the log entry")
	}
	c.Status, c.Reason = verify.Skipped, ReasonEntryMissing
	j.missing(MissingEntry, uuid)
	if len(j.v.store.Logs()) == 0 {
		j.missing(MissingLogKeys, "")
	}
	if len(j.v.store.RekorKeys()) == 0 {
		j.missing(MissingRekorKeys, "")
	}
	return nil
}

// names reports whether uuid, as a proof writes it, may name the entry that a file has under the other: the leaf hashes are equal, and the
// tree ids where both have one. An entry under what is no UUID is nobody's.
func names(uuid, entry string) bool {
	if uuid == entry {
		return true
	}
	if len(uuid) > len(entry) {
		uuid, entry = entry, uuid
	}
	return len(uuid) == leafDigits && len(entry) == treeDigits+leafDigits && entry[treeDigits:] == uuid && isHex(entry[:treeDigits])
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// entryUUID is the entry that the proof names. A proof that names none is not valid.
func (j *judgement) entryUUID() (string, *verify.Failure) {
	v := j.p.m.log.Get("uuid")
	uuid, ok := v.Text()
	if !ok && (!v.Exists() || v.Kind() == canon.Null) {
		return "", j.p.fail(ReasonNoEntry, "/transparency_log/uuid", shown(v), "the UUID of a log entry")
	}
	if (len(uuid) == leafDigits || len(uuid) == treeDigits+leafDigits) && isHex(uuid) {
		return uuid, nil
	}
	return "", j.p.fail(ReasonUUIDMalformed, "/transparency_log/uuid", shown(v), "80 or 64 lowercase hex digits")
}

// checkEntry judges one entry. It sets the status where there is nothing to fail for.
func (j *judgement) checkEntry(e *rekor.Entry, uuid string, c *verify.Check) (*entryAnchor, *verify.Failure) {
	logs := j.v.store.LogKeys()
	if len(logs) == 0 {
		if e.Failure == nil {
			c.Status, c.Reason = verify.Skipped, ReasonLogKeysMissing
			j.missing(MissingLogKeys, "")
			if len(j.v.store.RekorKeys()) == 0 {
				j.missing(MissingRekorKeys, "")
			}
		}
		return nil, copied(e.Failure)
	}
	a := j.v.anchors.entry(j.anchored, j.anchoredHex, uuid, e, j.v.store.Logs())
	if a.failure != nil {
		return nil, copied(a.failure)
	}
	if f := logKeyWindow(logs, e, &a.logged); f != nil {
		return nil, f
	}
	return a, j.checkSubmitter(e, &a.logged, c)
}

// logKeyWindow judges that the integrated time lies in a window of the log's key. The trust folder may give one key several.
func logKeyWindow(logs []trust.LogKey, e *rekor.Entry, l *rekor.Logged) *verify.Failure {
	var windows []string
	for i := range logs {
		if k := &logs[i]; k.Name == l.LogName && k.ID == l.LogID {
			if k.Within(l.IntegratedTime) {
				return nil
			}
			windows = append(windows, k.Window.String())
		}
	}
	return &verify.Failure{Reason: ReasonLogKeyWindow, Found: stamp(l.IntegratedTime), Wanted: strings.Join(windows, ", or "),
		File: e.File, Pointer: e.Pointer + "/integratedTime"}
}

// copied lets each result have its own failure: the one given is shared by every proof of the batch.
func copied(f *verify.Failure) *verify.Failure {
	if f == nil {
		return nil
	}
	own := *f
	return &own
}

// checkSubmitter judges that the entry was signed with a submission key that the issuer published, in its window at the token time.
func (j *judgement) checkSubmitter(e *rekor.Entry, l *rekor.Logged, c *verify.Check) *verify.Failure {
	keys := j.v.store.RekorKeys()
	if len(keys) == 0 {
		c.Status, c.Reason = verify.Skipped, ReasonRekorKeysMissing
		j.missing(MissingRekorKeys, "")
		return nil
	}
	for i := range keys {
		if !bytes.Equal(keys[i].SPKI, l.Submitter.SPKI) {
			continue
		}
		if t := j.r.TokenTime; !t.IsZero() && !keys[i].Contains(t) {
			return &verify.Failure{Reason: ReasonSubmitterWindow, Found: "a token of " + stamp(t) + " and a submission by " + keys[i].KID,
				Wanted: "a token time in the window of the key: " + keys[i].Window.String() + ", and 15 minutes after",
				File:   e.File, Pointer: e.Pointer + "/body"}
		}
		c.Status, c.Reason, c.Note = verify.OK, "", l.UUID
		return nil
	}
	return &verify.Failure{Reason: ReasonSubmitterUnpublished, Found: "a key with SHA-256 " + l.Submitter.SHA256.String(),
		Wanted: "one of the issuer's rekor_keys", File: e.File, Pointer: e.Pointer + "/body"}
}

func dedup(names []string) []string {
	var out []string
	for _, n := range names {
		seen := false
		for _, o := range out {
			seen = seen || o == n
		}
		if !seen {
			out = append(out, n)
		}
	}
	return out
}
