package proof

import (
	"strconv"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// Incidents are told apart from judgements: they are what the operators of the Trust Layer must look at, and change no outcome.

func (j *judgement) incident(r verify.Reason, below, found, wanted string) {
	j.r.Incidents = append(j.r.Incidents, verify.Incident{Code: r, ProofID: j.p.ID, Found: found, Wanted: wanted, File: j.p.File, Pointer: j.p.at + below})
}

// issuerFailed is for a witness that does not hold and of which the issuer's own status says so.
func (j *judgement) issuerFailed(witness canon.Value, below string) {
	if s, _ := witness.Get("status").Text(); s == statusFailed {
		j.incident(ReasonIssuer, below, strconv.Quote(s), "a witness that holds")
	}
}

// flatHashes compares hashes.request and hashes.response with the opened values.
func (j *judgement) flatHashes() {
	j.flatHash("request", j.r.Opened.Request)
	j.flatHash("response", j.r.Opened.Response)
}

func (j *judgement) flatHash(name string, opened canon.Digest) {
	v := j.p.m.hashes.Get(name)
	if !v.Exists() || v.Kind() == canon.Null {
		return
	}
	s, _ := v.Text()
	if d, err := canon.ParsePrefixed(s); err != nil || d != opened {
		j.incident(ReasonFlatField, "/hashes/"+name, shown(v), opened.Prefixed()+", the opened value")
	}
}

// flatOpened compares the flat fields with what disclosed opens, the identity block and whatever else opens.
func (j *judgement) flatOpened() {
	for i, name := range flatFields {
		flat := j.p.m.flat[i]
		if !flat.Exists() || (i >= len(identityFields) && j.p.m.disclosed.Len() == len(identityFields)) {
			continue
		}
		opened := j.p.m.disclosed.Get(name).Get("value")
		if !opened.Exists() || flat.Raw() == opened.Raw() || canon.Equal(flat, opened) {
			continue
		}
		if i >= len(identityFields) && !j.opens(name) {
			continue
		}
		j.incident(ReasonFlatField, "/"+name, shown(flat), shown(opened)+", the opened value")
	}
}

func (j *judgement) opens(name string) bool {
	if _, committed := j.commitments.get(name); !committed {
		return false
	}
	_, f := j.openField(name)
	return f == nil
}

// flatLogged compares the flat log_index and integrated_time with the entry's, and the entry's time with the token's.
func (j *judgement) flatLogged(a *entryAnchor) {
	j.flatNumber("log_index", a.index)
	j.flatNumber("integrated_time", a.time)
	if j.r.TokenTime.IsZero() {
		return
	}
	at := a.logged.IntegratedTime
	if gap := at.Sub(j.r.TokenTime); gap > maxGap || gap < -maxGap {
		j.incident(ReasonTimeGap, "/transparency_log/uuid", "integrated at "+stamp(at), "at most "+maxGap.Round(time.Minute).String()+" from the token's "+stamp(j.r.TokenTime))
	}
}

func (j *judgement) flatNumber(name, logged string) {
	v := j.p.m.log.Get(name)
	if !v.Exists() || v.Kind() == canon.Null {
		return
	}
	if v.Kind() != canon.Int || v.Number() != logged {
		j.incident(ReasonFlatField, "/transparency_log/"+name, shown(v), logged+", the log entry's")
	}
}

// Difference compares two views of one proof in the fields that are judged and cannot change once the proof is made. It gives nil where they
// agree. What anchoring changes is compared only inside one batch: the batch's place and root, not the witnesses, because a batch can be
// stamped twice. views_count and the flat fields are not judged.
func Difference(a, b *Proof) *verify.Incident {
	for _, f := range []struct {
		place string
		a, b  canon.Value
	}{
		{"/spec_version", a.m.specVersion, b.m.specVersion},
		{"/hashes/chain", a.m.hashes.Get("chain"), b.m.hashes.Get("chain")},
		{"/commitments", a.m.commitments, b.m.commitments},
		{"/arkforge_signature", a.m.signature, b.m.signature},
		{"/arkforge_pubkey", a.m.publicKey, b.m.publicKey},
		{"/arkforge_kid", a.m.kid, b.m.kid},
		{"/disclosed", a.m.disclosed, b.m.disclosed},
	} {
		if !same(f.a, f.b) {
			return differing(a, b, f.place, f.a, f.b)
		}
	}
	if batch, ok := a.closedBatch(); !ok || !b.inBatch(batch) {
		return nil
	}
	x, y := a.m.batch, b.m.batch
	for _, name := range []string{"status", "leaf_index", "tree_size", "audit_path", "root"} {
		if !same(x.Get(name), y.Get(name)) {
			return differing(a, b, "/batch_anchor/"+name, x.Get(name), y.Get(name))
		}
	}
	return nil
}

// Differences gives the first difference among several views of one proof, nil where they agree. Each is compared with the first and with the
// first of its own batch: an open view, or one of a batch that was stamped twice, has no place to compare.
func Differences(views []*Proof) *verify.Incident {
	if len(views) < 2 { // as nearly always
		return nil
	}
	batches := map[string]*Proof{}
	for i, p := range views {
		if i > 0 {
			if d := Difference(views[0], p); d != nil {
				return d
			}
		}
		key, closed := p.closedBatch()
		if !closed {
			continue
		}
		first, ok := batches[key]
		if !ok {
			batches[key] = p
			continue
		}
		if d := Difference(first, p); d != nil {
			return d
		}
	}
	return nil
}

// closedBatch tells the closed batches of views apart: by batch_id, and by the root where there is none.
func (p *Proof) closedBatch() (string, bool) {
	for _, name := range []string{"batch_id", "root"} {
		if v := p.m.batch.Get(name); v.Exists() && v.Kind() != canon.Null {
			return string(canon.AppendCanonical([]byte(name), v)), !p.Pending()
		}
	}
	return "", false
}

func (p *Proof) inBatch(batch string) bool {
	own, ok := p.closedBatch()
	return ok && own == batch
}

// same takes an absent member for null, and texts that are equal for equal values.
func same(a, b canon.Value) bool {
	empty := func(v canon.Value) bool { return !v.Exists() || v.Kind() == canon.Null }
	if empty(a) || empty(b) {
		return empty(a) && empty(b)
	}
	return a.Raw() == b.Raw() || canon.Equal(a, b)
}

func differing(a, b *Proof, place string, x, y canon.Value) *verify.Incident {
	return &verify.Incident{Code: ReasonViewsDiffer, ProofID: a.ID, Pointer: place, Found: shown(y) + " in " + b.File, Wanted: shown(x) + " as in " + a.File}
}
