package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// The exam takes good proofs of every version, batched and alone, and changes one thing at a time. Each change has a place; judged says which
// checks must catch it there, informational which changes may pass, and why. Anything else that passes is counted as accepted and fails.

// long asks for the exam at length, as "make exam" does.
var long = os.Getenv("PROVEIT_EXAM") == "long"

// judged says which checks may see a change of a member; the first place that fits counts. No check: nobody judges the member, and a change
// must leave the result as it is. Such members are what a view repeats for its readers (flat fields, statuses, urls, counts): what they
// repeat is judged where it is anchored, and a difference is at most an incident.
var judged = []struct {
	place  *regexp.Regexp
	checks []string // versions 3.x
	legacy []string // versions 1.x and 2.x, which have no commitments
}{
	{regexp.MustCompile(`^/spec_version$`), []string{CheckChainHash, CheckDisclosure}, []string{CheckChainHash}},
	{regexp.MustCompile(`^/hashes(/chain)?$`), []string{CheckChainHash}, []string{CheckChainHash, CheckSignature}},
	{regexp.MustCompile(`^/commitments`), []string{CheckChainHash}, nil},
	{regexp.MustCompile(`^/batch_anchor/batch_id$`), nil, nil},
	{regexp.MustCompile(`^/batch_anchor$`), []string{CheckBatchPath, CheckTimestamp}, []string{CheckBatchPath, CheckTimestamp}},
	{regexp.MustCompile(`^/batch_anchor`), []string{CheckBatchPath}, []string{CheckBatchPath}},
	{regexp.MustCompile(`^/timestamp_authority(/provider|/tsr_base64)?$`), []string{CheckTimestamp}, []string{CheckTimestamp}},
	{regexp.MustCompile(`^/transparency_log(/uuid)?$`), []string{CheckLog}, []string{CheckLog}},
	{regexp.MustCompile(`^/arkforge_`), []string{CheckSignature}, []string{CheckSignature}},
	{regexp.MustCompile(`^/disclosed`), []string{CheckIdentity}, nil},
}

var anything = regexp.MustCompile(``)

// informational are the changes that leave a good view good. A survivor that is not here fails the exam, judged member or not.
var informational = []struct {
	place, changed *regexp.Regexp // changed is the new value as JSON, empty where the member is removed
	of             string         // versions of the proof that is changed, by prefix; empty: all
	why            string
}{
	{regexp.MustCompile(`^/spec_version$`), regexp.MustCompile(`^"3(\.\d+)*"$`), "3.",
		"3.0 has no identity, which condition 2 refuses; a later 3.x has the rules of 3.1"},
	{regexp.MustCompile(`^/spec_version$`), regexp.MustCompile(`^("[12](\.\d+)*"|null|)$`), "12",
		"views of versions before commitments have one rule; no claim can rest on any of them"},
	{regexp.MustCompile(`^/arkforge_kid$`), regexp.MustCompile(`^(null|)$`), "",
		"the key id is optional: without it the key is the published one that arkforge_pubkey is"},
	{regexp.MustCompile(`^/batch_anchor/tree_size$`), regexp.MustCompile(`^[678]$`), "",
		"an RFC 6962 root does not bind the size: from 5 to 8 leaves, the way from leaf 2 has the same three siblings on the same sides"},
	{regexp.MustCompile(`^/batch_anchor$`), regexp.MustCompile(`^(null|)$`), "alone",
		"a proof anchored alone says so by null or by nothing"},
	{regexp.MustCompile(`^/(agent_identity|agent_identity_verified|did_resolution_status|identity_consistent|seller|timestamp|upstream_timestamp|hashes/(request|response))$`),
		anything, "", "the flat copy of a committed field: what opens its commitment counts, and a difference is an incident"},
	{regexp.MustCompile(`^/(timestamp_authority|transparency_log)/(status|anchored|provider|log_index|integrated_time|tsr_url|log_url|verify_url)$`),
		anything, "", "what the issuer says of a witness: the witness itself is judged, and a difference is an incident"},
	{regexp.MustCompile(`^/batch_anchor/batch_id$`), anything, "", "a label: the root says which batch it is"},
	{regexp.MustCompile(`^/(is_demo|integrity_verified|transaction_success|upstream_status_code|views_count|verification_algorithm)$`),
		anything, "", "remarks of the service beside the proof, under no commitment"},
	{regexp.MustCompile(`^/provider_payment/`), anything, "2.0", "the payment is no matter of a season, and no version before 3.0 commits to it"},
	{regexp.MustCompile(`^/commitments$`), anything, "12", "no member of versions before commitments"},
	{regexp.MustCompile(`^/disclosed`), anything, "3.0", "no member of the version that commits to no identity"},
	{regexp.MustCompile(`^integratedTime$`), anything, "", "far from the token's time it is an incident (TestExamIntegratedTime)"},
	{regexp.MustCompile(`^/commitments/upstream_timestamp$`), regexp.MustCompile(`^renamed$`), "",
		"the root covers the order of names, not the names; of an optional field nothing is read"},
}

// subject is a good proof that is changed, with others of the same version.
type subject struct {
	name    string
	legacy  bool
	alone   bool
	spec    string
	w       *world
	v       *Verifier
	call    mint.Call
	good    made
	twin    made // another good proof: other call, other keys, other batch
	sibling made // another good proof of the same batch; where alone, of the same keys
	ev      Evidence
	before  Result
}

// versions are those that exist, and one that may come.
var versions = []string{"3.1", "3.0", "3.2", "2.1", "2.0", "1.2", "1.0"}

// subjects are proofs of every version, batched and alone.
func subjects(t *testing.T) []*subject {
	t.Helper()
	w := newWorld(t)
	v := NewVerifier(w.store())
	var all []*subject
	for _, spec := range versions {
		for _, alone := range []bool{false, true} {
			all = append(all, w.subject(v, spec, alone))
		}
	}
	return all
}

func (w *world) subject(v *Verifier, spec string, alone bool) *subject {
	w.t.Helper()
	s := &subject{name: spec + " batched", spec: spec, alone: alone, w: w, v: v, legacy: !strings.HasPrefix(spec, "3.")}
	s.call = w.call()
	s.call.Spec = spec
	near := s.call
	near.ID, near.Transaction, near.Request = "prf_20260923_072145_0a1b2e", "int_3", canon.Sum([]byte("near request"))
	far := w.farCall(spec)
	ws := w.witnesses(far)
	ws.Submitter = w.submitters[1].Private
	if alone {
		s.name = spec + " alone"
		s.good, s.sibling = w.alone(w.proof(s.call), w.witnesses(s.call)), w.alone(w.proof(near), w.witnesses(near))
		s.twin = w.alone(w.proof(far), ws)
	} else {
		s.good, s.sibling = w.pair(w.proof(s.call), w.proof(near), w.witnesses(s.call))
		s.twin = w.batched(w.proof(far), ws)
	}
	s.ev = s.evidence(s.good)
	for _, m := range []made{s.twin, s.sibling, s.good} {
		ev := s.evidence(m)
		if s.before = v.Verify(parse(w.t, m.text()), ev); s.before.Outcome != Valid || s.before.Opened == nil != s.legacy {
			w.t.Fatalf("%s: the proof that is to be changed is %s: %s", s.name, s.before.Outcome, failures(s.before))
		}
		s.ev.Entries = append(s.ev.Entries, ev.Entries...)
	}
	return s
}

// evidence goes beside a proof. A proof without commitments opens nothing.
func (s *subject) evidence(m made) Evidence {
	ev := m.evidence(s.w.t)
	if s.legacy {
		ev.Disclosures = nil
	}
	return ev
}

// farCall differs from call in everything, and is of the time of the next keys.
func (w *world) farCall(spec string) mint.Call {
	c := w.call()
	c.Spec = spec
	c.ID, c.Transaction, c.Seller, c.Buyer = idB, "int_2", "other.example", "other"
	c.At, c.Key = at("2026-10-05T08:00:00Z"), w.keys[1]
	c.Request, c.Response = canon.Sum([]byte("other request")), canon.Sum([]byte("other response"))
	c.Identity = mint.Identity{DID: "did:web:other.example", Verified: false, Status: "unbound", Consistent: false}
	return c
}

// pair anchors p as the third and q as the fourth of five leaves.
func (w *world) pair(p, q *mint.Proof, ws mint.Witnesses) (made, made) {
	w.t.Helper()
	b := &mint.Batch{ID: "batch_1"}
	for i := range 5 {
		leaf := canon.Sum([]byte{byte(i)})
		switch i {
		case 2:
			leaf = p.Chain
		case 3:
			leaf = q.Chain
		}
		b.Add(leaf)
	}
	a, err := ws.Anchor(b.Root(), b)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.made(p, a, 2), w.made(q, a, 3)
}

// exam counts what became of the changes.
type exam struct {
	t                        *testing.T
	what                     string
	ran, accepted, survivors int
	places                   map[string]bool // of survivors
}

func (e *exam) end(least int) {
	e.t.Helper()
	e.t.Logf("exam of %s: %d mutations, %d accepted, %d on the list of informational places", e.what, e.ran, e.accepted, e.survivors)
	if e.ran < least {
		e.t.Errorf("%d mutations ran, want at least %d", e.ran, least)
	}
	if long && len(e.places) != 0 {
		e.t.Logf("informational: %s", strings.Join(slices.Sorted(maps.Keys(e.places)), " "))
	}
}

func (e *exam) survived(place string) {
	e.survivors++
	if e.places == nil {
		e.places = map[string]bool{}
	}
	e.places[place] = true
}

// try judges a changed view by the table: place is what was changed, changed its new value as JSON.
func (e *exam) try(s *subject, place, changed string, view []byte, ev Evidence) {
	e.t.Helper()
	e.judge(s, place, changed, view, ev, s.checks(place))
}

// judge wants one of checks to catch the change; without any, it wants the result as it was.
func (e *exam) judge(s *subject, place, changed string, view []byte, ev Evidence, checks []string) {
	e.t.Helper()
	e.ran++
	r := s.v.Verify(parse(e.t, view), ev)
	unchanged := r.Outcome == Valid && failures(r) == ""
	switch {
	case checks == nil && unchanged && s.informational(place, changed):
		e.survived(place)
	case checks == nil:
		e.t.Errorf("%s: %s = %.80s: got %s %s, want no change, at a place that is on the list", s.name, place, changed, r.Outcome, failures(r))
	case caught(r, checks):
	case s.informational(place, changed) && r.Outcome == Valid:
		e.survived(place)
	default:
		if r.Outcome == Valid {
			e.accepted++
		}
		e.t.Errorf("%s: %s = %.80s: got %s, %s; want a failed check among %v", s.name, place, changed, r.Outcome, failures(r), checks)
	}
}

// caught reports whether one of the checks fails, or is left open for what the proof names and nobody has.
func caught(r Result, checks []string) bool {
	for _, name := range checks {
		c, _ := r.Checks.Named(name)
		missing := c.Status == verify.Skipped && (c.Reason == ReasonEntryMissing || c.Reason == ReasonVersionUnknown || c.Reason == ReasonProviderMissing)
		open := c.Status == verify.Pending && r.Outcome == Pending
		if c.Status == verify.Failed || missing || open {
			return r.Outcome != Valid || name == CheckIdentity
		}
	}
	return false
}

func (s *subject) checks(place string) []string {
	for _, j := range judged {
		if j.place.MatchString(place) {
			if s.legacy {
				return j.legacy
			}
			if s.spec == "3.0" && strings.HasPrefix(place, "/disclosed") {
				return nil // 3.0 commits to no identity
			}
			return j.checks
		}
	}
	return nil
}

func (s *subject) informational(place, changed string) bool {
	for _, i := range informational {
		fits := i.of == "" || strings.HasPrefix(s.spec, i.of) || i.of == "12" && s.legacy || i.of == "alone" && s.alone
		if fits && i.place.MatchString(place) && i.changed.MatchString(changed) {
			return true
		}
	}
	return false
}

// member is one member of an object, or element of an array, of a view, with the way to it.
type member struct {
	pointer string
	value   any
	set     func(any)
	remove  func()
	object  map[string]any // the object that it is a member of; nil in an array
	name    string
}

// members walks a document that encoding/json read, in the order of pointers.
func membersOf(d doc) []member {
	all := walk(map[string]any(d), "")
	sort.Slice(all, func(i, j int) bool { return all[i].pointer < all[j].pointer })
	return all
}

func walk(v any, pointer string) []member {
	var all []member
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			all = append(all, walk(m, pointer+"/"+name)...)
			all = append(all, member{pointer + "/" + name, m, func(x any) { v[name] = x }, func() { delete(v, name) }, v, name})
		}
	case []any:
		for i, m := range v {
			at := fmt.Sprintf("%s/%d", pointer, i)
			all = append(all, walk(m, at)...)
			all = append(all, member{at, m, func(x any) { v[i] = x }, nil, nil, ""})
		}
	}
	return all
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// twinOf finds the value at a pointer of another view.
func twinOf(d doc, pointer string) (any, bool) {
	all := membersOf(d)
	i := slices.IndexFunc(all, func(m member) bool { return m.pointer == pointer })
	if i < 0 {
		return nil, false
	}
	return all[i].value, true
}

type rawNumber string

func (n rawNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }
