package replay

import (
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
	"github.com/ark-forge/proveit/verify/proof"
)

// proofExplainer shows what was compared for one cited proof.
type proofExplainer struct {
	x      *explainer
	id     string
	result proof.Result
	view   source
	err    error

	anchored      string // what the witnesses cover, 64 hex digits; empty where the view has none
	anchoredShown ShownValue
}

// locate finds the view that was judged in its file.
func (e *proofExplainer) locate(out *ExplainedProof) error {
	ev := e.x.run.evidence
	for _, ref := range ev.views.of(e.id) {
		loaded, failure := ev.files.load(int(ref.file))
		if failure != nil || int(ref.at) >= len(loaded) {
			continue
		}
		v := loaded[ref.at]
		if v.Null != e.result.Null || !v.Null && (e.result.Unverified == nil || v.Proof == nil || v.Proof.Text() != e.result.Unverified.Text()) {
			continue
		}
		tokens, err := tokensOf(v.Pointer)
		if err != nil {
			return err
		}
		out.File, out.Pointer = v.File, v.Pointer
		e.view = e.x.document(v.File)
		if len(tokens) > 0 {
			e.view = e.view.within(tokens...)
		}
		out.Setup = append(out.Setup, "view() { "+e.view.command+"; }")
		e.view.command = "view"
		e.anchor()
		out.Setup = append(out.Setup, e.entrySetup()...)
		return nil
	}
	return nil
}

func tokensOf(pointer string) ([]string, error) {
	p, err := canon.ParsePointer(pointer)
	if err != nil {
		return nil, err
	}
	return p.Tokens(), nil
}

// anchor finds the hash that the witnesses cover: the root of the batch, or the chain hash of a proof anchored alone.
func (e *proofExplainer) anchor() {
	e.anchoredShown = e.view.digest("anchored", "hashes", "chain")
	if batch := e.view.root.Get("batch_anchor"); batch.Kind() == canon.Object {
		e.anchoredShown = e.view.digest("anchored", "batch_anchor", "root")
	}
	if _, err := canon.ParseHex(e.anchoredShown.Value); err == nil {
		e.anchored = e.anchoredShown.Value
	}
}

// validity is condition 1, in the order in which a proof is checked.
func (e *proofExplainer) validity() []Comparison {
	if !e.view.root.Exists() {
		return nil
	}
	if e.result.Null {
		return []Comparison{wanted("existence", "a view", e.view.canonical("stated"))}
	}
	out := []Comparison{shown("spec_version", e.view.text("stated", "spec_version"))}
	out = append(out, e.openings()...)
	walks := e.result.Unverified.Walks(nil)
	out = append(out, e.walk(walks, proof.CheckChainHash, "chain_hash", e.view.digest("stated", "hashes", "chain"))...)
	out = append(out, e.signature()...)
	if batch := e.view.root.Get("batch_anchor"); batch.Kind() == canon.Object {
		if e.result.Unverified.Pending() {
			return append(out, wanted("batch_status", "anchored", e.view.text("stated", "batch_anchor", "status")))
		}
		out = append(out, e.walk(walks, proof.CheckBatchPath, "batch_path", e.view.digest("stated", "batch_anchor", "root"))...)
	}
	out = append(out, e.token()...)
	return append(out, e.logEntry()...)
}

// openings are the two pairs that the submission discloses, against the commitments of the view.
func (e *proofExplainer) openings() []Comparison {
	var out []Comparison
	d := e.x.stated.Disclosures[e.id]
	for _, one := range []struct {
		name string
		pair proof.Pair
	}{{"request_hash", d.Request}, {"response_hash", d.Response}} {
		base := []string{"disclosures", e.id, one.name}
		sub := e.x.submission()
		command := fmt.Sprintf(`{ printf '%s\0'; %s | unhex; printf '"%%s"' "$(%s)"; } | sha`, one.name,
			sub.text("", append(slices.Clone(base), "nonce")...).Command, sub.text("", append(slices.Clone(base), "value")...).Command)
		computed := ShownValue{What: "recomputed", Value: proof.CommitHash(one.name, one.pair.Nonce, one.pair.Value).String(),
			File: sub.file, Pointer: pointerOf(base), Command: command}
		out = append(out, compare(one.name+"_opening", computed, e.view.digest("committed", "commitments", one.name)))
	}
	return out
}

// walk shows every hash of one way through a Merkle tree and compares what it reaches.
func (e *proofExplainer) walk(walks []merkle.Walk, check, name string, stated ShownValue) []Comparison {
	i := slices.IndexFunc(walks, func(w merkle.Walk) bool { return w.Check == check })
	if i < 0 {
		return []Comparison{shown(name, stated)}
	}
	c := Comparison{Name: name, Status: verifyOK, Values: walkValues(walks[i])}
	if walks[i].Root.String() != stated.Value {
		c.Status = verifyFailed
	}
	c.Values = append(c.Values, stated)
	return []Comparison{c}
}

// walkValues are the leaves and nodes of a walk, each with the hash that gives it.
func walkValues(w merkle.Walk) []ShownValue {
	var out []ShownValue
	for _, l := range w.Leaves {
		out = append(out, ShownValue{What: "leaf", Of: l.Name, Value: l.Hash.String(), Command: fmt.Sprintf("printf 00%s | unhex | sha", l.Data)})
	}
	for _, s := range w.Steps {
		out = append(out, ShownValue{What: "node", Value: s.Node.String(), Command: fmt.Sprintf("printf 01%s%s | unhex | sha", s.Left, s.Right)})
	}
	return out
}

// signature is the issuer's signature over the chain hash, and the key that it must be by.
func (e *proofExplainer) signature() []Comparison {
	chain, key, sig := e.view.digest("signed", "hashes", "chain"), e.view.text("stated", "arkforge_pubkey"), e.view.text("stated", "arkforge_signature")
	out := []Comparison{}
	published, window, found := e.issuerKey(key.Value)
	if found {
		out = append(out, compare("published_key", key, published))
		out = append(out, shown("key_window", window...))
	} else {
		out = append(out, Comparison{Name: "published_key", Status: verifyFailed, Values: []ShownValue{key}})
	}
	public, err1 := ed25519Text(key.Value, ed25519.PublicKeySize)
	signature, err2 := ed25519Text(sig.Value, ed25519.SignatureSize)
	if err1 != nil || err2 != nil || chain.Value == "" {
		return append(out, shown("signature", chain, sig))
	}
	answer, status := "Signature Verified Successfully", verifyOK
	if !ed25519.Verify(public, []byte(chain.Value), signature) {
		answer, status = "Signature Verification Failure", verifyFailed
	}
	command := `{ printf 302a300506032b6570032100 | unhex; ` + key.Command + ` | cut -d: -f2 | b64url; } > $d/key; ` +
		sig.Command + ` | cut -d: -f2 | b64url > $d/sig; printf %s "$(` + chain.Command + `)" > $d/msg; ` +
		`openssl pkeyutl -verify -pubin -keyform DER -inkey $d/key -rawin -in $d/msg -sigfile $d/sig 2>/dev/null`
	return append(out, Comparison{Name: "signature", Status: status, Values: []ShownValue{chain,
		{What: "openssl", Value: answer, File: e.view.file, Pointer: e.view.pointer + "/arkforge_signature", Command: command}}})
}

func ed25519Text(s string, size int) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "ed25519:")
	b, err := canon.DecodeBase64URL(digits)
	if err == nil && (!ok || len(b) != size) {
		err = fmt.Errorf("found %d bytes, want ed25519: and %d", len(b), size)
	}
	return b, err
}

// issuerKey shows a published key of the issuer and its window, as the trust folder has them.
func (e *proofExplainer) issuerKey(text string) (key ShownValue, window []ShownValue, found bool) {
	for _, k := range e.x.run.store.IssuerKeys() {
		if k.Text != text {
			continue
		}
		file := e.x.trusted(k.Source)
		for i, listed := range file.root.Get("keys").Elements() {
			if public, _ := listed.Get("public").Text(); public == text {
				line := []string{"keys", fmt.Sprint(i)}
				return file.text("published", append(line, "public")...), []ShownValue{
					file.text("valid_from", append(slices.Clone(line), "valid_from")...),
					file.text("retired_at", append(slices.Clone(line), "retired_at")...)}, true
			}
		}
		if public, _ := file.root.Get("pubkey").Text(); public == text {
			return file.text("published", "pubkey"), nil, true
		}
		if shown, ok := didKey(file, text); ok {
			return shown, nil, true
		}
		return ShownValue{What: "published", Value: k.Text, File: e.x.trustName(k.Source)}, nil, true
	}
	return ShownValue{}, nil, false
}

// identity is condition 2: the four fields opened against their commitments, and the DID.
func (e *proofExplainer) identity() []Comparison {
	if e.result.Null || !e.view.root.Exists() {
		return nil
	}
	version := shown("spec_version", e.view.text("stated", "spec_version"))
	version.Wanted, version.Status = ">= 3.1", verifyOK
	if !proof.AtLeast31(e.result.SpecVersion) {
		version.Status = verifyFailed
	}
	out := []Comparison{version}
	for _, name := range []string{"agent_identity", "agent_identity_verified", "did_resolution_status", "identity_consistent"} {
		out = append(out, e.identityOpening(name))
	}
	participants := e.x.document(e.x.run.season.EnrolmentFile)
	for i, p := range participants.root.Get("participants").Elements() {
		if id, _ := p.Get("id").Text(); id == e.x.person.ID {
			out = append(out, compare("did", e.view.text("opened", "disclosed", "agent_identity", "value"),
				participants.text("enrolled", "participants", fmt.Sprint(i), "did"), e.x.submission().text("submitted", "agent_did")))
		}
	}
	return append(out, wanted("identity_verified", "true", e.view.canonical("opened", "disclosed", "agent_identity_verified", "value")),
		wanted("identity_bound", "bound", e.view.text("opened", "disclosed", "did_resolution_status", "value")))
}

// identityOpening opens one field of the identity block.
func (e *proofExplainer) identityOpening(name string) Comparison {
	committed := e.view.digest("committed", "commitments", name)
	nonce := e.view.text("", "disclosed", name, "nonce")
	value := e.view.canonical("", "disclosed", name, "value")
	raw, err := canon.ParseHex(nonce.Value)
	if err != nil || value.Value == "" {
		return shown("identity_opening", committed)
	}
	computed := ShownValue{What: "recomputed", Of: name, File: e.view.file, Pointer: e.view.pointer + pointerOf([]string{"disclosed", name}),
		Value:   proof.Commit(name, raw, inside(e.view.root, "disclosed", name, "value")).String(),
		Command: fmt.Sprintf(`{ printf '%s\0'; %s | unhex; %s; } | sha`, name, nonce.Command, value.Command)}
	committed.Of = name
	return compare("identity_opening", computed, committed)
}

// checked is the check of that name.
func (e *proofExplainer) checked(name string) (verify.Check, bool) {
	return e.result.Checks.Named(name)
}
