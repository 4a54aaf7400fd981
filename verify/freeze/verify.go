package freeze

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

// Names of the checks of one freeze, in the order in which they are made, and of the season as a whole.
const (
	CheckProof    = "freeze_proof"    // the proof is the one named and is valid, season window and identity apart
	CheckRequest  = "freeze_request"  // the request is the one that was proxied
	CheckBinding  = "freeze_binding"  // one for each binding
	CheckOpening  = "freeze_opening"  // the token of a current freeze is not later than the opening
	CheckAccepted = "freeze_accepted" // the freezes are those insisted on
	CheckCovered  = "freeze_covered"  // one for each file that a current freeze must bind
	CheckFile     = "freeze_file"     // freeze.json is there
)

// KindFile is the kind of what is missing where the bundle lacks a file; the ID is its name.
const KindFile proof.MissingKind = "file"

// KindAnchor is the kind of a proof whose batch is still open; the ID is the proof's.
const KindAnchor proof.MissingKind = "anchor"

// Judge verifies the proof of that id with these disclosures: every check of a proof, without the season window. It gives the best of the
// views that the bundle holds, an invalid result where the service says that there is no such proof, and an incomplete one where nothing
// of it is there.
type Judge func(proofID string, d proof.Disclosures) proof.Result

// Options of Verify. The zero value accepts whatever proofs freeze.json names.
type Options struct {
	Proofs []string // the only proof ids that are accepted, each of which must be there; empty for any
}

// Report is what was found. It is fit for showing whatever the outcome.
type Report struct {
	Freezes  []Freeze
	Checks   verify.Checks   // of the season as a whole; those of each freeze are with it
	Missing  []proof.Missing // what to fetch before the question can be answered
	Anchored []string        // files that a current freeze binds, sorted
	Declared []string        // season.json and the enrolments where no current freeze binds them
}

// Freeze is one freeze and what its checks gave.
type Freeze struct {
	ProofID   string
	Status    Status
	Reason    string // why it was superseded
	TokenTime time.Time
	Checks    verify.Checks
	Bound     []Bound
	Incidents []verify.Incident
}

// Bound is one binding and whether it holds.
type Bound struct {
	Pointer string // into the request
	File    string
	Salted  bool
	Status  verify.Status
	SHA256  canon.Digest // as computed from the file; zero where there is no file
}

// All gives every check: those of the freezes in their order, then those of the whole.
func (r *Report) All() verify.Checks {
	var all verify.Checks
	for _, f := range r.Freezes {
		all = append(all, f.Checks...)
	}
	return append(all, r.Checks...)
}

// Outcome is Differs where any check failed or was never made: then nothing is scored. Else Incomplete where one is open, else Holds.
func (r *Report) Outcome() verify.Outcome {
	outcome := verify.Holds
	checks := r.All()
	for _, c := range checks {
		switch c.Status {
		case verify.OK:
		case verify.Skipped, verify.Pending:
			outcome = verify.Worse(outcome, verify.Incomplete)
		default:
			outcome = verify.Worse(outcome, verify.Differs)
		}
	}
	if len(checks) == 0 {
		return verify.Differs
	}
	return outcome
}

// Verify checks every freeze of a season against the bytes of the bundle. s is season.json as ParseSeason gives it. The error says that
// freeze.json is malformed (a *canon.SyntaxError) or that a file is there and cannot be read.
func Verify(files season.Files, s *season.Season, judge Judge, o Options) (*Report, error) {
	r := &Report{}
	raw, err := files.Read(s.FreezeFile)
	if errors.Is(err, fs.ErrNotExist) {
		r.missFile(s.FreezeFile, CheckFile, ReasonFreezeFileMissing, s.File, "/freeze")
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	records, err := Parse(s.FreezeFile, raw)
	if err != nil {
		return nil, err
	}
	for i := range records {
		if err := r.freeze(files, s, &records[i], judge); err != nil {
			return nil, err
		}
	}
	r.accepted(s.FreezeFile, records, o.Proofs)
	r.covered(s, records)
	return r, nil
}

func (r *Report) missFile(name, check string, reason verify.Reason, file, pointer string) {
	r.Missing = append(r.Missing, proof.Missing{Kind: KindFile, ID: name})
	r.Checks = append(r.Checks, skipped(check, reason, name, file, pointer))
}

func skipped(check string, reason verify.Reason, name, file, pointer string) verify.Check {
	f := &verify.Failure{Reason: reason, Found: "nothing of " + name, Wanted: name, File: file, Pointer: pointer}
	return verify.Check{Name: check, Status: verify.Skipped, Reason: reason, Detail: f}
}

// freeze judges one record.
func (r *Report) freeze(files season.Files, s *season.Season, rec *Record, judge Judge) error {
	result := judge(rec.ProofID, rec.Disclosures)
	f := Freeze{ProofID: rec.ProofID, Status: rec.Status, Reason: rec.Reason, TokenTime: result.TokenTime, Incidents: result.Incidents}
	f.add(proofCheck(rec, &result, s.FreezeFile))
	switch result.Outcome {
	case proof.Incomplete:
		r.Missing = append(r.Missing, result.Missing...)
	case proof.Pending:
		r.Missing = append(r.Missing, proof.Missing{Kind: KindAnchor, ID: rec.ProofID})
	}
	f.add(requestCheck(rec, &result, s.FreezeFile))
	for i := range rec.Bindings {
		b := &rec.Bindings[i]
		bound, check, err := bindingCheck(files, rec, b, s.FreezeFile)
		if err != nil {
			return err
		}
		if check.Reason == ReasonBoundFileMissing {
			r.Missing = append(r.Missing, proof.Missing{Kind: KindFile, ID: b.File})
		}
		f.Bound = append(f.Bound, bound)
		f.add(check)
	}
	if rec.Status == Current {
		f.add(openingCheck(rec, &result, s))
	}
	r.Freezes = append(r.Freezes, f)
	return nil
}

func (f *Freeze) add(c verify.Check) { f.Checks = append(f.Checks, c) }

// proofCheck is condition 1 without the season window, and that the proof is the one named. A proof that opens no commitments (1.x, 2.x)
// fails by its own check.
func proofCheck(rec *Record, p *proof.Result, file string) verify.Check {
	at := func(reason verify.Reason, found, wanted string) *verify.Failure {
		return &verify.Failure{Reason: reason, Found: found, Wanted: wanted, File: file, Pointer: rec.Pointer + "/proof_id"}
	}
	switch p.Outcome {
	case proof.Valid:
		if p.ProofID != rec.ProofID {
			return verify.Failing(CheckProof, true, at(ReasonProofDiffers, p.ProofID, rec.ProofID))
		}
		return verify.Check{Name: CheckProof, Status: verify.OK, Independent: true, Note: rec.ProofID}
	case proof.Pending:
		return verify.Check{Name: CheckProof, Status: verify.Pending, Independent: true, Reason: ReasonProofPending, Detail: at(ReasonProofPending, rec.ProofID+" in an open batch", "an anchored proof")}
	case proof.Incomplete:
		c := skipped(CheckProof, ReasonProofMissing, rec.ProofID, file, rec.Pointer+"/proof_id")
		c.Independent = true
		return c
	}
	for _, c := range p.Checks {
		if c.Status == verify.Failed && c.Name != proof.CheckIdentity && c.Detail != nil {
			return verify.Failing(CheckProof, true, c.Detail)
		}
	}
	return verify.Failing(CheckProof, true, at(ReasonProofInvalid, rec.ProofID, "a valid proof"))
}

// requestCheck: the canonical JSON of the request hashes to what the proof's request_hash opened to.
func requestCheck(rec *Record, p *proof.Result, file string) verify.Check {
	pointer := rec.Pointer + "/request"
	if p.Opened == nil {
		c := verify.Check{Name: CheckRequest, Status: verify.Skipped, Reason: ReasonRequestNotOpened}
		switch p.Outcome {
		case proof.Valid: // nothing was opened, and nothing says that it could not be
			c.Status = verify.Failed
		case proof.Incomplete: // there is no view to open anything in
			return skipped(CheckRequest, ReasonProofMissing, rec.ProofID, file, pointer)
		}
		c.Detail = &verify.Failure{Reason: c.Reason, Wanted: "a request_hash that opened", File: file, Pointer: pointer}
		return c
	}
	if got := canon.Hash(rec.Request); got != p.Opened.Request {
		return verify.Failing(CheckRequest, false, &verify.Failure{Reason: ReasonRequestNotFrozen, Found: got.String(), Wanted: p.Opened.Request.String(), File: file, Pointer: pointer})
	}
	return verify.Check{Name: CheckRequest, Status: verify.OK, Note: p.Opened.Request.String()}
}

// bindingCheck: the value at the pointer of the request is the hash of the file as it lies there.
func bindingCheck(files season.Files, rec *Record, b *Binding, file string) (Bound, verify.Check, error) {
	out := Bound{Pointer: b.Pointer.String(), File: b.File, Salted: b.Salt != nil, Status: verify.Failed}
	fails := func(reason verify.Reason, found, wanted string) verify.Check {
		return verify.Failing(CheckBinding, false, &verify.Failure{Reason: reason, Found: found, Wanted: wanted, File: file, Pointer: b.place})
	}
	raw, err := files.Read(b.File)
	if errors.Is(err, fs.ErrNotExist) {
		out.Status = verify.Skipped
		return out, skipped(CheckBinding, ReasonBoundFileMissing, b.File, file, b.place+"/file"), nil
	}
	if err != nil {
		return out, verify.Check{}, err
	}
	out.SHA256 = b.hash(raw)
	anchored, f := anchoredHash(rec.Request, b.Pointer)
	if f != nil {
		return out, fails(ReasonBindingNoValue, f.Found, f.Wanted), nil
	}
	if out.SHA256 != anchored {
		return out, fails(ReasonBindingDiffers, out.SHA256.String()+" for "+b.File, anchored.String()), nil
	}
	out.Status = verify.OK
	return out, verify.Check{Name: CheckBinding, Status: verify.OK, Note: b.File}, nil
}

// anchoredHash is the hash at a pointer of the request: 64 lowercase hex digits.
func anchoredHash(request canon.Value, p canon.Pointer) (canon.Digest, *verify.Failure) {
	const wanted = "64 lowercase hex digits at the pointer"
	v, err := p.Lookup(request)
	if err != nil {
		return canon.Digest{}, &verify.Failure{Found: err.Error(), Wanted: wanted}
	}
	s, _ := v.Text()
	d, err := canon.ParseHex(s)
	if v.Kind() != canon.String || err != nil {
		return canon.Digest{}, &verify.Failure{Found: "another " + v.Kind().String(), Wanted: wanted}
	}
	return d, nil
}

// openingCheck: fractions count, so a token one millisecond after the opening is late.
func openingCheck(rec *Record, p *proof.Result, s *season.Season) verify.Check {
	c := verify.Check{Name: CheckOpening, Independent: true}
	opens := s.Opens.UTC().Format(time.RFC3339Nano)
	if p.TokenTime.IsZero() {
		c.Status, c.Reason = verify.Skipped, ReasonProofMissing
		if p.Outcome == proof.Invalid || p.Outcome == proof.Valid {
			c.Status, c.Reason = verify.Failed, ReasonProofInvalid
		}
		c.Detail = &verify.Failure{Reason: c.Reason, Found: "no token time", Wanted: "one not later than " + opens, File: s.FreezeFile, Pointer: rec.Pointer + "/proof_id"}
		return c
	}
	at := p.TokenTime.UTC().Format(time.RFC3339Nano)
	if p.TokenTime.After(s.Opens) {
		return verify.Failing(c.Name, true, &verify.Failure{Reason: ReasonAfterOpening, Found: at, Wanted: "not later than " + opens, File: s.FreezeFile, Pointer: rec.Pointer + "/proof_id"})
	}
	c.Status, c.Note = verify.OK, at
	return c
}

// accepted: where an auditor insists on proofs, the freezes are exactly those.
func (r *Report) accepted(file string, records []Record, proofs []string) {
	if len(proofs) == 0 {
		return
	}
	ok := true
	refuse := func(reason verify.Reason, found, wanted, pointer string) {
		ok = false
		r.Checks = append(r.Checks, verify.Failing(CheckAccepted, false, &verify.Failure{Reason: reason, Found: found, Wanted: wanted, File: file, Pointer: pointer}))
	}
	for _, rec := range records {
		if !slices.Contains(proofs, rec.ProofID) {
			refuse(ReasonNotAccepted, rec.ProofID, "only the proofs insisted on", rec.Pointer+"/proof_id")
		}
	}
	for _, id := range proofs {
		if !slices.ContainsFunc(records, func(rec Record) bool { return rec.ProofID == id }) {
			refuse(ReasonNotListed, "no freeze of "+id, id, "/freezes")
		}
	}
	if ok {
		r.Checks = append(r.Checks, verify.Check{Name: CheckAccepted, Status: verify.OK})
	}
}

// covered: each track's text, scale and salted key, and the manifest, are each bound by a current freeze.
func (r *Report) covered(s *season.Season, records []Record) {
	bound := make(map[string]bool) // file → whether one of its bindings is salted
	for _, rec := range records {
		if rec.Status != Current {
			continue
		}
		for _, b := range rec.Bindings {
			bound[b.File] = bound[b.File] || b.Salt != nil
		}
	}
	need := func(name string, salted bool) {
		isSalted, isBound := bound[name]
		switch {
		case !isBound:
			r.uncovered(s, ReasonBindingMissing, "no binding of "+name, "one by a current freeze")
		case salted && !isSalted:
			r.uncovered(s, ReasonKeyUnsalted, "a binding of "+name+" without salt", "a salt of 32 bytes")
		default:
			r.Checks = append(r.Checks, verify.Check{Name: CheckCovered, Status: verify.OK, Note: name})
		}
	}
	need(s.ManifestFile, false)
	for _, t := range s.Tracks {
		need(t.TextFile, false)
		need(t.ScaleFile, false)
		need(t.KeyFile, true)
	}
	for name := range bound {
		r.Anchored = append(r.Anchored, name)
	}
	slices.Sort(r.Anchored)
	for _, name := range []string{s.File, s.EnrolmentFile} {
		if _, isBound := bound[name]; !isBound {
			r.Declared = append(r.Declared, name)
		}
	}
}

func (r *Report) uncovered(s *season.Season, reason verify.Reason, found, wanted string) {
	r.Checks = append(r.Checks, verify.Failing(CheckCovered, false, &verify.Failure{Reason: reason, Found: found, Wanted: wanted, File: s.FreezeFile, Pointer: "/freezes"}))
}
