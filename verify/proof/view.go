package proof

import (
	"fmt"
	"path"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// View is one view of a proof as a file gives it.
type View struct {
	ID       string          // the key in a batch answer, else the view's proof_id
	File     string          // as given to Views
	Pointer  string          // of the view inside the file
	Null     bool            // the batch answer gives null: the service says that there is no such proof
	Misfiled *verify.Failure // the view is not one of the proof it lies under; it counts as missing
	Proof    *Proof          // nil where Null or Misfiled is set
}

// Proof is one public or full view as read: a JSON object with a proof_id. Nothing in it is verified. It keeps its whole document in memory.
type Proof struct {
	ID   string
	File string

	at  string // pointer of doc in the file, kept because finding it again costs as much as the way to it
	doc canon.Value
	m   members
}

// members are the members of a view that are judged or compared, found in one pass.
type members struct {
	id, specVersion, hashes, commitments, batch, tsa, log canon.Value
	signature, publicKey, kid, disclosed                  canon.Value
	flat                                                  [len(flatFields)]canon.Value
	nonces, chainData                                     canon.Value
}

// flatFields are the fields that a view shows openly beside their commitments, besides those in hashes.
var flatFields = [...]string{"agent_identity", "agent_identity_verified", "did_resolution_status", "identity_consistent",
	"seller", "timestamp", "upstream_timestamp"}

// MaxViews is the most views in one batch answer. A genuine view takes more than a kilobyte, so that the largest file that is read by default cannot hold more.
const MaxViews = 1 << 15

// Views reads a file of proof views: one public view, one full view, or a batch answer {"proofs": {"prf_…": view or null}}. file is used in
// messages, and where its base name is that of a proof (prf_….json) a single view must be of that proof. The error is a *canon.SyntaxError
// where the file is not strict JSON, a *verify.Failure with ReasonNotAProof where it is something else.
func Views(file string, b []byte) ([]View, error) {
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return nil, err
	}
	batch := doc.Get("proofs")
	if !batch.Exists() || doc.Get("proof_id").Exists() {
		p, err := Parse(file, doc)
		if err != nil {
			return nil, err
		}
		return []View{single(file, p)}, nil
	}
	if batch.Kind() != canon.Object {
		return nil, &verify.Failure{Reason: ReasonNotAProof, Found: batch.Kind().String(), Wanted: "an object of views", File: file, Pointer: "/proofs"}
	}
	if n := batch.Len(); n > MaxViews {
		return nil, &verify.Failure{Reason: ReasonNotAProof, Found: fmt.Sprintf("%d views", n), Wanted: fmt.Sprintf("at most %d in one file", MaxViews), File: file, Pointer: "/proofs"}
	}
	views := make([]View, 0, batch.Len())
	for id, v := range batch.Members() {
		views = append(views, batched(file, strings.Clone(id), v))
	}
	return views, nil
}

// single is the view of a file that holds only one.
func single(file string, p *Proof) View {
	view := View{ID: p.ID, File: file, Proof: p}
	named := strings.TrimSuffix(path.Base(file), ".json")
	if IsID(named) && named != p.ID {
		view.Proof = nil
		view.Misfiled = &verify.Failure{Reason: ReasonIDDiffers, Found: p.ID, Wanted: named + ", the name of the file", File: file, Pointer: "/proof_id"}
	}
	return view
}

// batched is one member of a batch answer. A bad one does not spoil the others.
func batched(file, id string, v canon.Value) View {
	view := View{ID: id, File: file, Pointer: "/proofs/" + canon.EscapeToken(id)}
	if v.Kind() == canon.Null {
		view.Null = true
		return view
	}
	p, err := parseAt(file, view.Pointer, v)
	switch {
	case err != nil:
		view.Misfiled = asFailure(err)
	case p.ID != id:
		view.Misfiled = &verify.Failure{Reason: ReasonIDDiffers, Found: p.ID, Wanted: fmt.Sprintf("%.100s, the key of the batch answer", id),
			File: file, Pointer: view.Pointer + "/proof_id"}
	default:
		view.Proof = p
	}
	return view
}

// Parse reads one view, public or full. The error is a *verify.Failure with ReasonNotAProof where v is no object with a proof_id. Whatever
// else is malformed is found by Verify, which names the check that fails for it.
func Parse(file string, v canon.Value) (*Proof, error) { return parseAt(file, v.Pointer(), v) }

// parseAt is Parse of a value whose pointer is known.
func parseAt(file, at string, v canon.Value) (*Proof, error) {
	if v.Kind() != canon.Object {
		return nil, &verify.Failure{Reason: ReasonNotAProof, Found: shown(v), Wanted: "an object with a proof_id, or with proofs", File: file, Pointer: at}
	}
	p := &Proof{File: file, at: at, doc: v, m: readMembers(v)}
	id, _ := p.m.id.Text()
	if !IsID(id) {
		return nil, &verify.Failure{Reason: ReasonNotAProof, Found: shown(p.m.id), Wanted: "prf_, 8 digits, _, 6 digits, _, 6 lowercase hex digits",
			File: file, Pointer: at + "/proof_id"}
	}
	p.ID = strings.Clone(id)
	return p, nil
}

func readMembers(doc canon.Value) members {
	var m members
	for name, v := range doc.Members() {
		switch name {
		case "proof_id":
			m.id = v
		case "spec_version":
			m.specVersion = v
		case "hashes":
			m.hashes = v
		case "commitments":
			m.commitments = v
		case "batch_anchor":
			m.batch = v
		case "timestamp_authority":
			m.tsa = v
		case "transparency_log":
			m.log = v
		case "arkforge_signature":
			m.signature = v
		case "arkforge_pubkey":
			m.publicKey = v
		case "arkforge_kid":
			m.kid = v
		case "disclosed":
			m.disclosed = v
		case "commitment_nonces":
			m.nonces = v
		case "chain_data":
			m.chainData = v
		default:
			for i := range flatFields {
				if name == flatFields[i] {
					m.flat[i] = v
				}
			}
		}
	}
	return m
}

// IsID reports whether s is a proof id: prf_ + 8 digits + _ + 6 digits + _ + 6 lowercase hex digits.
func IsID(s string) bool {
	const form = "prf_dddddddd_dddddd_xxxxxx"
	if len(s) != len(form) {
		return false
	}
	for i := range len(form) {
		c := s[i]
		switch digit := c >= '0' && c <= '9'; form[i] {
		case 'd':
			if !digit {
				return false
			}
		case 'x':
			if !digit && (c < 'a' || c > 'f') {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}

// Text is the view as it stands in its file: two views with one text are one.
func (p *Proof) Text() string { return p.doc.Raw() }

// Value is the whole view as read.
func (p *Proof) Value() canon.Value { return p.doc }

// SpecVersion is the view's spec_version as written, empty where it has none or one that is no string.
func (p *Proof) SpecVersion() string {
	s, _ := p.m.specVersion.Text()
	return s
}

// EntryUUID is the log entry that the view names, as written; empty where it names none.
func (p *Proof) EntryUUID() string {
	s, _ := p.m.log.Get("uuid").Text()
	return s
}

// Pending reports whether the view says that its batch is still open.
func (p *Proof) Pending() bool {
	s, _ := p.m.batch.Get("status").Text()
	return s == statusPending
}

// fail is a failure at a pointer below the view.
func (p *Proof) fail(r verify.Reason, below, found, wanted string) *verify.Failure {
	return &verify.Failure{Reason: r, Found: found, Wanted: wanted, File: p.File, Pointer: p.at + below}
}

// shown is how a value appears in a failure: strings and numbers themselves, shortened, anything else by its kind.
func shown(v canon.Value) string {
	if s, ok := v.Text(); ok {
		return fmt.Sprintf("%.100q", s)
	}
	if n := v.Number(); n != "" {
		return fmt.Sprintf("%.100s", n)
	}
	if b, ok := v.Bool(); ok {
		return fmt.Sprint(b)
	}
	return v.Kind().String()
}

// asFailure is the failure in an error of this package or of merkle, tsa and rekor; any other error says that the trust material is no use.
func asFailure(err error) *verify.Failure {
	if err == nil {
		return nil
	}
	if f, ok := err.(*verify.Failure); ok {
		return f
	}
	return &verify.Failure{Reason: ReasonTrustUnusable, Found: err.Error(), Wanted: "usable trust material"}
}
