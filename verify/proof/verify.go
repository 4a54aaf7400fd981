package proof

import (
	"sync"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/trust"
)

// The names of the checks, in the order in which a result has them.
const (
	CheckChainHash  = "chain_hash"
	CheckIdentity   = "identity"
	CheckDisclosure = "disclosure"
	CheckSignature  = "signature"
	CheckBatchPath  = "batch_path"
	CheckTimestamp  = "timestamp"
	CheckLog        = "transparency_log"
)

const (
	checkChainHash = iota
	checkIdentity
	checkDisclosure
	checkSignature
	checkBatchPath
	checkTimestamp
	checkLog
	checkCount
)

var checkNames = [checkCount]string{CheckChainHash, CheckIdentity, CheckDisclosure, CheckSignature, CheckBatchPath, CheckTimestamp, CheckLog}

// Outcome is what one proof is. The zero value is the strict one.
type Outcome uint8

// The outcomes, in the order in which they are decided: whatever fails makes a proof invalid, else an open batch pending, else a file or trust
// material that is missing incomplete, else it is valid.
const (
	Invalid    Outcome = iota // something does not hold
	Pending                   // its batch is still open
	Incomplete                // a file or trust material is missing, or the version is unknown to this program
	Valid                     // everything of condition 1 (seed 000 §4.1) holds
)

// String is the word used in every output.
func (o Outcome) String() string {
	return [...]string{"invalid", "pending", "incomplete", "valid"}[o]
}

// MissingKind says what is missing.
type MissingKind string

// The kinds of what can be missing.
const (
	MissingEntry      MissingKind = "rekor_entry"  // ID is the UUID
	MissingAuthority  MissingKind = "tsa"          // ID is the provider: tsa/<provider>/ of the trust folder
	MissingLogKeys    MissingKind = "log_keys"     // rekor/<log name>.pem of the trust folder
	MissingIssuerKeys MissingKind = "issuer_keys"  // issuer/published_keys.json of the trust folder
	MissingRekorKeys  MissingKind = "rekor_keys"   // rekor_keys in that file
	MissingVersion    MissingKind = "spec_version" // a program that knows this version; ID is the version
)

// Missing is something without which a proof cannot be judged to the end.
type Missing struct {
	Kind MissingKind
	ID   string
}

// Window is the time in which a token must lie, both bounds included, to the nanosecond.
type Window struct{ Opens, Closes time.Time }

func (w *Window) contains(t time.Time) bool { return !t.Before(w.Opens) && !t.After(w.Closes) }

// Evidence is what is handed in beside a proof.
type Evidence struct {
	Entries     []rekor.Entry // every distinct log entry that may be the one the proof names; others are passed over
	EntryNull   bool          // the log is said to have no such entry
	Disclosures *Disclosures  // nil where there are none; the disclosure check is then skipped
	Window      *Window       // nil for no season
}

// Result is what became of one proof. It shares memory with the file of proofs.
type Result struct {
	ProofID     string
	SpecVersion string // as written
	Outcome     Outcome
	Checks      verify.Checks // all seven, in order
	TokenTime   time.Time     // UTC; zero unless the token held
	Opened      *Opened       // nil unless the disclosures opened
	Identity    Identity
	Missing     []Missing
	Incidents   []verify.Incident
	Unverified  *Proof // what was judged, to be shown; nil for a null view

	Null     bool // the service says that there is no such proof
	Anchored bool // the view does not say that its batch is open
}

// Verifier judges proofs against one trust folder. It is safe for concurrent use, and verifies each token and each log entry once.
type Verifier struct {
	store   *trust.Store
	anchors *anchors
	rooms   sync.Pool // of *room
}

// room is memory that judging one proof needs and that its result does not keep.
type room struct {
	commitments [usual]commitment
	scratch     [256]byte // what a commitment is computed over
}

// NewVerifier makes a Verifier. A nil store, or one without a kind of key, leaves proofs incomplete.
func NewVerifier(s *trust.Store) *Verifier { return &Verifier{store: s, anchors: newAnchors()} }

// Anchors is how many tokens and log entries have been verified so far, each over one anchored hash.
func (v *Verifier) Anchors() (tokens, entries int) {
	return int(v.anchors.tokenCount.Load()), int(v.anchors.entryCount.Load())
}

// judgement is one proof being judged.
type judgement struct {
	v *Verifier
	p *Proof
	r Result

	version     version
	chain       canon.Digest
	chainHex    string // its 64 hex digits, the message that is signed
	hasChain    bool
	commitments commitments
	proved      bool   // chain is the root over commitments, so these open
	scratch     []byte // what a commitment is computed over

	anchored    canon.Digest // what the witnesses cover
	anchoredHex string
	hasAnchored bool
	pending     bool
}

// Verify judges one proof. Malformed evidence is an answer, not an error: the check that needed it fails and names the member.
func (v *Verifier) Verify(p *Proof, ev Evidence) Result {
	r, _ := v.rooms.Get().(*room)
	if r == nil {
		r = new(room)
	}
	defer func() {
		clear(r.commitments[:]) // the names would keep the whole file of proofs in memory
		v.rooms.Put(r)
	}()
	j := judgement{v: v, p: p, scratch: r.scratch[:0]}
	j.r = Result{ProofID: p.ID, SpecVersion: p.SpecVersion(), Unverified: p, Anchored: !p.Pending(), Checks: make(verify.Checks, checkCount)}
	ver, f := parseVersion(p.m.specVersion)
	if f != nil {
		return j.wrongVersion(f)
	}
	j.version = ver
	if ver.scheme == schemeUnknown {
		return j.unknownVersion()
	}
	j.chainHash(r.commitments[:0])
	j.openings(ev.Disclosures)
	j.identity()
	j.batchPath()
	j.timestamp(ev.Window)
	j.signature(j.r.TokenTime)
	j.transparencyLog(&ev)
	j.r.Outcome = j.outcome()
	return j.r
}

func (j *judgement) set(i int, c verify.Check) { j.r.Checks[i] = c }

func (j *judgement) missing(k MissingKind, id string) {
	for _, m := range j.r.Missing {
		if m.Kind == k && m.ID == id {
			return
		}
	}
	j.r.Missing = append(j.r.Missing, Missing{k, id})
}

// outcome folds the checks, identity apart: that is condition 2.
func (j *judgement) outcome() Outcome {
	for i := range j.r.Checks {
		if s := j.r.Checks[i].Status; i != checkIdentity && (s == verify.Failed || s == verify.Unset) {
			return Invalid
		}
	}
	switch {
	case j.pending:
		return Pending
	case len(j.r.Missing) != 0:
		return Incomplete
	}
	return Valid
}

// unknownVersion answers before any check: another major version may mean something else by every member.
func (j *judgement) unknownVersion() Result {
	f := j.p.fail(ReasonVersionUnknown, "/spec_version", "version "+j.version.text, "1.x, 2.x or 3.x")
	j.skipAll(f)
	j.r.Identity.Failure = f
	j.missing(MissingVersion, j.version.text)
	j.r.Outcome = Incomplete
	return j.r
}

// wrongVersion is for a spec_version that says nothing.
func (j *judgement) wrongVersion(f *verify.Failure) Result {
	f.File, f.Pointer = j.p.File, j.p.at+"/spec_version"
	j.skipAll(f)
	j.set(checkChainHash, verify.Failing(CheckChainHash, false, f))
	j.r.Identity.Failure = f
	j.r.Outcome = Invalid
	return j.r
}

func (j *judgement) skipAll(f *verify.Failure) {
	for i, name := range checkNames {
		j.set(i, verify.Check{Name: name, Status: verify.Skipped, Independent: i >= checkTimestamp, Reason: f.Reason, Detail: f})
	}
}
