// Package report holds the documents that the program writes about a season, and their writers: JSON, Markdown, HTML and plain text, in
// English and French. The documents are built once; a writer only writes. The outcome and the exit code are part of the document, so
// they cannot depend on the format.
//
// JSON is the source and has no language: codes, values, places. Sentences come from the catalogue of this package. No document
// carries a time of the run, a host or a path of the machine, so the same bundle gives the same bytes everywhere.
package report

import (
	"github.com/ark-forge/proveit/verify"
)

// Names of the formats written here. A reader refuses any other name.
const (
	FormatReplay = "proveit.replay/v1" // the whole run
	FormatIndex  = "proveit.index/v1"  // one track
	FormatReport = "proveit.report/v1" // one participant and track
)

// Replay is the result of a whole season: what was judged, from which bytes, and how it compares with what was published.
type Replay struct {
	ReplayHead
	Tracks []Track `json:"tracks"`
	ReplayTail
}

// ReplayHead is what is known before anybody is judged.
type ReplayHead struct {
	Format string   `json:"format"` // FormatReplay
	Season int64    `json:"season"`
	Unfit  []string `json:"unfit"` // options that weaken a check; not empty means unfit for publication
	Freeze Freeze   `json:"freeze"`
}

// ReplayTail is what is known when everybody was judged.
type ReplayTail struct {
	Incidents []Incident `json:"incidents"`
	Published Published  `json:"published"`
	Missing   []Missing  `json:"missing"`   // what to fetch, sorted
	Silent    []string   `json:"silent"`    // enrolled, nothing submitted
	Strangers []string   `json:"strangers"` // folders of submissions of nobody enrolled; not scored
	Unread    []Notice   `json:"unread"`    // files that could not be read; their contents count as missing
	Ignored   []string   `json:"ignored"`   // names outside the layout
	Warnings  []Notice   `json:"warnings"`
	Checked   Checked    `json:"checked"`
	Inputs    []Input    `json:"inputs"` // every file that was read, sorted by name
	Trust     []TrustKey `json:"trust"`
	Result    string     `json:"result"`    // holds, differs or incomplete
	ExitCode  int        `json:"exit_code"` // 0, 1 or 3
}

// Detail is a failure as data: what was found, what was expected, where.
type Detail struct {
	Found    string `json:"found"`
	Expected string `json:"expected"`
	File     string `json:"file,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
}

// DetailOf is the data of a failure, or nil where there is none.
func DetailOf(f *verify.Failure) *Detail {
	if f == nil {
		return nil
	}
	return &Detail{Found: f.Found, Expected: f.Wanted, File: f.File, Pointer: f.Pointer}
}

// Notice is a code with its data: a warning, or a file that could not be read.
type Notice struct {
	Code   verify.Reason `json:"code"`
	Detail *Detail       `json:"detail"`
}

// NoticeOf is the notice of a failure.
func NoticeOf(f *verify.Failure) Notice { return Notice{Code: f.Reason, Detail: DetailOf(f)} }

// Check is one step of a verification.
type Check struct {
	Name        string        `json:"name"`
	Status      string        `json:"status"` // ok, failed, skipped, pending or unset
	Independent bool          `json:"independent"`
	Reason      verify.Reason `json:"reason"` // empty where there is nothing to say
	Detail      *Detail       `json:"detail"` // null where there is nothing to say
	Note        string        `json:"note,omitempty"`
}

// ChecksOf turns checks into their written form.
func ChecksOf(cs verify.Checks) []Check {
	out := make([]Check, 0, len(cs))
	for _, c := range cs {
		out = append(out, Check{Name: c.Name, Status: c.Status.String(), Independent: c.Independent, Reason: c.Reason,
			Detail: DetailOf(c.Detail), Note: c.Note})
	}
	return out
}

// Freeze says whether the season's scale, key and corpus are those anchored before it opened (seed 000 §8).
type Freeze struct {
	Holds   bool           `json:"holds"`
	Skipped bool           `json:"skipped"` // true only under --insecure-without-freeze
	Freezes []FreezeAnchor `json:"freezes"`
	Checks  []Check        `json:"checks"`
	Bound   []string       `json:"bound"`    // files whose bytes a current freeze anchors
	Unbound []string       `json:"declared"` // declared, not anchored
}

// FreezeAnchor is one anchored freeze.
type FreezeAnchor struct {
	ProofID   string `json:"proof_id"`
	Status    string `json:"status"` // current or superseded
	Reason    string `json:"reason"` // why it was superseded, in the organizer's words
	TokenTime string `json:"token_time"`
}

// Track is one track with its participants, in the order of their ids.
type Track struct {
	Track        string        `json:"track"`
	Bareme       string        `json:"bareme"`
	BestConstant BestConstant  `json:"best_constant"`
	Participants []Participant `json:"participants"`
}

// BestConstant is the success of giving the most frequent published verdict everywhere (seed 000 §7.2).
type BestConstant struct {
	Verdict string  `json:"verdict"`
	Success Success `json:"success"`
}

// Success is the second column: exact and grounded verdicts among the track's tasks.
type Success struct {
	Exact   int    `json:"exact"`
	Tasks   int    `json:"tasks"`
	Percent string `json:"percent"` // two decimals, half to even
}

// Overclaim is the first column: unsupported among asserted, over rendered tasks, instrument defects taken out.
type Overclaim struct {
	Unsupported int    `json:"unsupported"`
	Asserted    int    `json:"asserted"`
	Percent     string `json:"percent"` // two decimals, half to even
}

// Participant is one participant in one track.
type Participant struct {
	Participant string     `json:"participant"`
	Name        string     `json:"name"`
	DID         string     `json:"did"`
	Table       string     `json:"table"` // reference or community
	Stack       string     `json:"stack"` // declared
	Tasks       []Task     `json:"tasks"`
	Overclaim   *Overclaim `json:"overclaim"` // null: nothing asserted, or withheld
	Success     *Success   `json:"success"`   // null: withheld
	Rendered    int        `json:"rendered"`
	Withheld    []string   `json:"withheld"` // tasks pending or incomplete
	Proofs      []string   `json:"proofs"`   // cited by submissions that passed entry, sorted

	Incidents []Incident `json:"-"` // gathered into Replay.Incidents
	Missing   []Missing  `json:"-"` // gathered into Replay.Missing
	Unread    []Notice   `json:"-"` // gathered into Replay.Unread
	Rejected  bool       `json:"-"` // a submission was refused at entry or rejected at the close
}

// Task is one task of one participant.
type Task struct {
	TaskID       string            `json:"task_id"`
	Status       verify.TaskStatus `json:"status"`
	Verdict      string            `json:"verdict,omitempty"` // as submitted
	VerdictExact *bool             `json:"verdict_exact"`     // null unless rendered
	Grounded     *bool             `json:"grounded"`          // null unless rendered
	MissingFacts []string          `json:"missing_facts"`
	Assertions   []Assertion       `json:"assertions"`
	Refusals     []Notice          `json:"refusals,omitempty"`  // refused at entry, or rejected at close
	Narrative    string            `json:"narrative,omitempty"` // as submitted: published, never scored (seed 000 §4)
}

// Assertion is one judged claim.
type Assertion struct {
	ID        string        `json:"id"`
	Supported bool          `json:"supported"`
	Cause     *verify.Cause `json:"cause"`  // null where supported
	Reason    verify.Reason `json:"reason"` // empty where supported
	Detail    *Detail       `json:"detail"`
	ProofID   string        `json:"proof_id,omitempty"` // the proof that names the cause
	Resource  string        `json:"resource,omitempty"` // the claim, where it is not supported
	Field     string        `json:"field,omitempty"`
	Value     string        `json:"value,omitempty"` // canonical JSON
}

// Incident is something for the operators of the instrument; it changes no judgement.
type Incident struct {
	Code        verify.Reason `json:"code"`
	Participant string        `json:"participant"`
	Track       string        `json:"track"`
	TaskID      string        `json:"task_id"`
	Assertion   string        `json:"assertion"`
	ProofID     string        `json:"proof_id"`
	Detail      *Detail       `json:"detail"`
}

// Missing is one thing that the bundle lacks and an answer needs.
type Missing struct {
	Kind string `json:"kind"` // proof, log_entry, anchor, file or trust
	ID   string `json:"id"`   // proof id, log UUID, file name or provider
}

// Published is the comparison with the organizer's own index.
type Published struct {
	Compared    []string     `json:"compared"` // files compared, sorted
	Differences []Difference `json:"differences"`
}

// Difference is one published value that is not the recomputed one.
type Difference struct {
	File      string `json:"file"`
	Pointer   string `json:"pointer"`
	Published string `json:"published"` // canonical JSON, or empty where absent
	Computed  string `json:"computed"`
}

// Checked counts what was looked at.
type Checked struct {
	Submissions int `json:"submissions"`
	Proofs      int `json:"proofs"`      // proofs judged
	Tokens      int `json:"tokens"`      // distinct timestamp tokens verified, each once
	LogEntries  int `json:"log_entries"` // distinct log entries verified, each once
	Assertions  int `json:"assertions"`  // assertions judged
}

// Input is one file of the bundle that was read.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // bare hex
}

// TrustKey is one key or certificate that was trusted.
type TrustKey struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Source string `json:"source"` // file it came from
	SHA256 string `json:"sha256"`
	Window string `json:"window"`
	Pinned bool   `json:"pinned"` // matches a fingerprint built into the program
}

// Has reports whether the run found any of: "unsupported" (an assertion that counts in an overclaim rate), "rejected" (a submission
// refused at entry or rejected at the close), "incident".
func (r *Replay) Has(word string) bool {
	if word == "incident" {
		return len(r.Incidents) > 0
	}
	for _, t := range r.Tracks {
		for _, p := range t.Participants {
			if word == "unsupported" && p.Overclaim != nil && p.Overclaim.Unsupported > 0 || word == "rejected" && p.Rejected {
				return true
			}
		}
	}
	return false
}
