package submission

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/canon/nearest"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
)

// Parse reads one submission. It gives the submission and no refusal, or nil and every refusal at once. file names it in messages.
func Parse(file string, b []byte, rules Rules) (*Submission, Refusals) {
	doc, err := canon.ParseStrict(file, b)
	if err != nil {
		return nil, Refusals{syntaxRefusal(file, b, err)}
	}
	r := &reader{file: file, rules: rules, cited: make(map[string]string)}
	r.document(doc)
	if r.total > 0 {
		return nil, r.refusals()
	}
	return &r.sub, nil
}

// reader gathers the submission and the refusals of one file.
type reader struct {
	file  string
	rules Rules
	sub   Submission
	out   Refusals
	total int // refusals, those past MaxRefusals included

	cited       map[string]string // well-formed proof id → label of the first assertion that cites it
	citedHidden bool              // some citation could not be read, so that nobody can say what is not cited
}

func (r *reader) refuse(reason verify.Reason, at, found, wanted string) {
	r.hint(reason, at, found, wanted, "")
}

func (r *reader) hint(reason verify.Reason, at, found, wanted, hint string) {
	r.total++
	if r.total > MaxRefusals {
		return
	}
	r.out = append(r.out, Refusal{
		Failure: verify.Failure{Reason: reason, Found: found, Wanted: wanted, File: r.file, Pointer: at},
		Hint:    hint,
	})
}

func (r *reader) refusals() Refusals {
	if r.total > MaxRefusals {
		r.out = append(r.out, Refusal{Failure: verify.Failure{
			Reason: ReasonMoreRefusals, Found: strconv.Itoa(r.total) + " refusals", Wanted: "none; the first " + strconv.Itoa(MaxRefusals) + " are listed", File: r.file,
		}})
	}
	return r.out
}

// schema is the list of the members of one object, in the order of the specification.
type schema struct {
	required []string
	optional []string
}

var (
	topMembers = schema{
		required: []string{"season", "track", "task_id", "agent_did", "verdict", "assertions", "disclosures"},
		optional: []string{"narrative"},
	}
	assertionMembers  = schema{required: []string{"id", "claim", "proof_ids"}}
	claimMembers      = schema{required: []string{"resource", "field", "value"}}
	disclosureMembers = schema{required: []string{"request_hash", "response_hash"}}
	pairMembers       = schema{required: []string{"nonce", "value"}}
)

func (s schema) names() []string { return slices.Concat(s.required, s.optional) }

func (s schema) has(name string) bool {
	return slices.Contains(s.required, name) || slices.Contains(s.optional, name)
}

// object checks that v is an object with the members of the schema and no others. It reports false where v is no object; the members
// that are there are then still to be read one by one.
func (r *reader) object(v canon.Value, at string, s schema) bool {
	if v.Kind() != canon.Object {
		r.refuse(ReasonMemberType, at, shown(v), "an object")
		return false
	}
	for name := range v.Members() {
		if !s.has(name) {
			r.unknown(name, at, s)
		}
	}
	for _, name := range s.required {
		if !v.Get(name).Exists() {
			r.refuse(ReasonMemberMissing, at+"/"+name, "", "a member "+quoted(name))
		}
	}
	return true
}

// unknown refuses a member that the schema does not have. Finding a hint costs more than refusing, so none is sought for what is no
// longer listed.
func (r *reader) unknown(name, at string, s schema) {
	if r.total >= MaxRefusals {
		r.total++
		return
	}
	r.hint(ReasonMemberUnknown, at+"/"+canon.EscapeToken(clip(name)), "member "+quoted(name), OneOf(s.names()), nearest.Name(name, slices.Values(s.names())))
}

// text reads a string. A member that is missing has been refused already.
func (r *reader) text(v canon.Value, at string) (string, bool) {
	if !v.Exists() {
		return "", false
	}
	s, ok := v.Text()
	if !ok {
		r.refuse(ReasonMemberType, at, shown(v), "a string")
	}
	return strings.Clone(s), ok
}

func (r *reader) document(doc canon.Value) {
	if !r.object(doc, "", topMembers) {
		return
	}
	r.season(doc.Get("season"))
	r.place(doc)
	r.did(doc.Get("agent_did"))
	if v := doc.Get("narrative"); v.Exists() {
		r.sub.Narrative, _ = r.text(v, "/narrative")
	}
	r.assertions(doc.Get("assertions"))
	r.disclosures(doc.Get("disclosures"))
}

func (r *reader) season(v canon.Value) {
	switch {
	case !v.Exists():
		return
	case v.Kind() != canon.Int:
		r.refuse(ReasonMemberType, "/season", shown(v), "an integer")
		return
	}
	n, fits := v.Int64()
	if want := r.rules.Season; want != nil && (!fits || n != *want) {
		r.refuse(ReasonSeasonUnknown, "/season", clip(v.Number()), strconv.FormatInt(*want, 10))
	} else if !fits {
		r.refuse(ReasonSeasonUnknown, "/season", clip(v.Number()), "a season's number")
	}
	r.sub.Season = n
}

// place reads the track, the task and the verdict: each is looked up in the one before it.
func (r *reader) place(doc canon.Value) {
	trackID, okTrack := r.text(doc.Get("track"), "/track")
	taskID, okTask := r.text(doc.Get("task_id"), "/task_id")
	verdict, okVerdict := r.text(doc.Get("verdict"), "/verdict")
	r.sub.Track, r.sub.TaskID, r.sub.Verdict = trackID, taskID, verdict
	t, known := r.rules.track(trackID)
	if okTrack && !known && r.rules.Tracks != nil {
		ids := r.rules.trackIDs()
		r.hint(ReasonTrackUnknown, "/track", quoted(trackID), OneOf(ids), nearest.Name(trackID, slices.Values(ids)))
	} else if okTrack {
		r.samePath("/track", trackID, func(p *Path) string { return p.Track })
	}
	if okTask {
		r.task(t, known, taskID)
	}
	if okVerdict && known {
		r.verdict(t, verdict)
	}
}

func (r *reader) task(t Track, known bool, id string) {
	if known && r.rules.Tracks != nil {
		if _, ok := t.task(id); !ok {
			r.hint(ReasonTaskUnknown, "/task_id", quoted(id), OneOf(t.taskIDs()), nearest.Name(id, slices.Values(t.taskIDs())))
			return
		}
	}
	r.samePath("/task_id", id, func(p *Path) string { return p.TaskID })
}

func (r *reader) verdict(t Track, verdict string) {
	if t.Verdicts == nil {
		if verdict == "" || strings.Contains(verdict, "/") {
			r.refuse(ReasonVerdictUnknown, "/verdict", quoted(verdict), `a text that is not empty and has no "/"`)
		}
		return
	}
	for _, v := range t.Verdicts {
		if v == verdict {
			return
		}
	}
	r.hint(ReasonVerdictUnknown, "/verdict", quoted(verdict), OneOf(t.Verdicts), nearest.Name(verdict, slices.Values(t.Verdicts)))
}

func (r *reader) samePath(at, found string, want func(*Path) string) {
	if p := r.rules.Path; p != nil && want(p) != found {
		r.refuse(ReasonPathDiffers, at, quoted(found), quoted(want(p))+", as the file's place says")
	}
}

func (r *reader) did(v canon.Value) {
	did, ok := r.text(v, "/agent_did")
	if !ok {
		return
	}
	r.sub.DID = did
	if err := season.ParseDID(did); err != nil {
		found, wanted := quoted(did), "a did:key of an Ed25519 key, or a did:web"
		var fault *season.DIDError
		if errors.As(err, &fault) {
			found, wanted = clip(fault.Found), fault.Wanted
		}
		r.refuse(ReasonDIDMalformed, "/agent_did", found, wanted)
		return
	}
	if r.rules.Enrolled != nil && !r.rules.Enrolled[did] {
		r.refuse(ReasonDIDNotEnrolled, "/agent_did", quoted(did), "a DID that is enrolled")
		return
	}
	if p := r.rules.Path; p != nil && p.DID != "" {
		r.samePath("/agent_did", did, func(p *Path) string { return p.DID })
	}
}
