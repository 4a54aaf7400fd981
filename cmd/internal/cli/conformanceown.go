package cli

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/conformance"
)

// ownAnswer asks this very program, as a user would, and reads what it printed.
func (a *app) ownAnswer(ctx context.Context, dir string) func(conformance.Case) (conformance.Answer, error) {
	return func(c conformance.Case) (conformance.Answer, error) {
		args, err := ownArguments(dir, c)
		if err != nil {
			return conformance.Answer{}, err
		}
		var out, complaints bytes.Buffer
		code := Main(ctx, args, Streams{In: strings.NewReader(""), Out: &out, Err: &complaints})
		return readAnswer(c.Question, code, out.Bytes(), complaints.String())
	}
}

// complained is where a complaint says that something stands: file, line, column.
var complained = regexp.MustCompile(`(?m)^proveit: (?:[^ ]*/)?([^/ :]+):([0-9]+):([0-9]+)`)

// readAnswer turns a printed document into an answer. A question that could not be put has no document, only a complaint.
func readAnswer(question string, code int, out []byte, complaints string) (conformance.Answer, error) {
	answer := conformance.Answer{ExitCode: code, Facts: map[string]string{}}
	if m := complained.FindStringSubmatch(complaints); m != nil && code == 2 {
		answer.Facts["place"] = m[1] + ":" + m[2] + ":" + m[3]
	}
	if len(out) == 0 {
		if code != 2 {
			return answer, fmt.Errorf("exit code %d and no document: %s", code, strings.TrimSpace(complaints))
		}
		answer.Result = "unusable"
		return answer, nil
	}
	doc, err := canon.ParseStrict("answer", out)
	if err != nil {
		return answer, err
	}
	if said, ok := doc.Get("exit_code").Int64(); !ok || said != int64(code) {
		return answer, fmt.Errorf("exit code %d, and %d in the document", code, said)
	}
	answer.Result = member(doc, "result")
	read := answers[question]
	if read != nil {
		read(doc, &answer)
	}
	if answer.Result == "" {
		answer.Result = map[int]string{0: "holds", 1: "differs", 2: "unusable", 3: "incomplete"}[code]
	}
	return answer, nil
}

func member(v canon.Value, name string) string {
	s, _ := v.Get(name).Text()
	return strings.Clone(s)
}

// answers read the document of each question.
var answers = map[string]func(doc canon.Value, a *conformance.Answer){
	"canon":            func(doc canon.Value, a *conformance.Answer) { a.Facts["sha256"] = member(doc, "sha256") },
	"tsa verify":       tokenAnswer,
	"rekor verify":     entryAnswer,
	"proof verify":     proofAnswer,
	"submission check": submissionAnswer,
	"trust show":       trustAnswer,
	"season replay":    replayAnswer,
	"freeze verify":    freezeAnswer,
	"open":             openAnswer,
}

// freezeAnswer reads the first check that fails or, where the freeze is incomplete, that is open.
func freezeAnswer(doc canon.Value, a *conformance.Answer) {
	for _, c := range doc.Get("freeze").Get("checks").Elements() {
		s := member(c, "status")
		if a.Check == "" && (s == "failed" || a.Result == "incomplete" && s != "ok") {
			a.Check, a.Reason = member(c, "name"), member(c, "reason")
		}
	}
	for _, f := range doc.Get("freeze").Get("freezes").Elements() {
		if member(f, "status") == "current" && a.Facts["token_time"] == "" {
			a.Facts["token_time"] = member(f, "token_time")
		}
	}
}

func openAnswer(doc canon.Value, a *conformance.Answer) {
	p := doc.Get("proofs").At(0)
	for _, c := range p.Get("checks").Elements() {
		if a.Check == "" && member(c, "status") == "failed" {
			a.Check, a.Reason = member(c, "name"), member(c, "reason")
		}
	}
	for _, name := range []string{"request_hash", "response_hash"} {
		a.Facts[name] = member(p.Get("opened"), name)
	}
	a.Facts["identity"] = member(p.Get("identity").At(0), "value")
}

func tokenAnswer(doc canon.Value, a *conformance.Answer) {
	a.Result, a.Reason = "valid", member(doc, "reason")
	if a.Reason != "" {
		a.Result, a.Check = "invalid", "timestamp"
		return
	}
	a.Facts["time"] = member(doc.Get("facts"), "time")
}

func entryAnswer(doc canon.Value, a *conformance.Answer) {
	entry := doc.Get("entries").At(0)
	a.Result, a.Reason = member(entry, "result"), member(entry, "reason")
	if a.Reason != "" {
		a.Check = "transparency_log"
		return
	}
	a.Facts["integrated_time"] = member(entry.Get("facts"), "integrated_time")
}

func proofAnswer(doc canon.Value, a *conformance.Answer) {
	p := doc.Get("proofs").At(0)
	if !p.Exists() { // a file that cannot be read
		a.Reason = member(doc.Get("unread").At(0), "code")
		return
	}
	a.Result = member(p, "result")
	if code := member(p.Get("failure"), "code"); code != "" {
		a.Check, a.Reason = "proof", code
		return
	}
	want := map[string]string{"invalid": "failed", "pending": "pending", "incomplete": "skipped"}[a.Result]
	for _, c := range p.Get("checks").Elements() {
		if want != "" && member(c, "status") == want && a.Check == "" {
			a.Check, a.Reason = member(c, "name"), member(c, "reason")
		}
	}
	a.Facts["token_time"] = member(p, "token_time")
	a.Facts["incidents"] = codes(p.Get("incidents"), "code")
	a.Facts["missing"] = codes(p.Get("missing"), "kind")
}

// codes are the codes of a list, in order, separated by spaces.
func codes(list canon.Value, name string) string {
	var all []string
	for _, v := range list.Elements() {
		all = append(all, member(v, name))
	}
	return strings.Join(all, " ")
}

func submissionAnswer(doc canon.Value, a *conformance.Answer) {
	s := doc.Get("submissions").At(0)
	if accepted, ok := s.Get("accepted").Bool(); ok && accepted {
		a.Result = "accepted"
		return
	}
	a.Result, a.Check, a.Reason = "refused", "entry", codes(s.Get("refusals"), "code")
	a.Facts["pointer"] = member(s.Get("refusals").At(0), "pointer")
}

func trustAnswer(doc canon.Value, a *conformance.Answer) {
	a.Facts["keys"] = strconv.Itoa(doc.Get("keys").Len())
	a.Facts["kinds"] = codes(doc.Get("keys"), "kind")
}

// replayAnswer reads a season: the freeze check that fails, else a corpus that differs, else what is missing, else what was published differently; and of the first
// submitted task its status and the first assertion that is not supported.
func replayAnswer(doc canon.Value, a *conformance.Answer) {
	for _, c := range doc.Get("freeze").Get("checks").Elements() {
		if s := member(c, "status"); s != "ok" && a.Check == "" {
			a.Check, a.Reason = "freeze", member(c, "reason")
		}
	}
	for _, w := range doc.Get("warnings").Elements() {
		if code := member(w, "code"); code == "corpus_differs" && a.Check == "" {
			a.Check, a.Reason = "corpus", code
		}
	}
	if a.Check == "" && a.ExitCode == 3 {
		a.Check, a.Reason = "missing", member(doc.Get("missing").At(0), "kind")
	}
	if n := doc.Get("published").Get("differences").Len(); a.Check == "" && n > 0 {
		a.Check, a.Facts["differences"] = "published", strconv.Itoa(n)
	}
	a.Facts["incidents"] = codes(doc.Get("incidents"), "code")
	participant := doc.Get("tracks").At(0).Get("participants").At(0)
	for _, task := range participant.Get("tasks").Elements() {
		if status := member(task, "status"); status != "absente" {
			taskFacts(task, a.Facts)
			break
		}
	}
	for _, column := range [][3]string{{"overclaim", "unsupported", "asserted"}, {"success", "exact", "tasks"}} {
		if rate := participant.Get(column[0]); rate.Kind() == canon.Object {
			a.Facts[column[0]] = rate.Get(column[1]).Number() + "/" + rate.Get(column[2]).Number()
		}
	}
}

func taskFacts(task canon.Value, facts map[string]string) {
	facts["status"] = member(task, "status")
	facts["refusals"] = codes(task.Get("refusals"), "code")
	for _, name := range []string{"verdict_exact", "grounded"} {
		if b, ok := task.Get(name).Bool(); ok {
			facts[name] = strconv.FormatBool(b)
		}
	}
	for _, as := range task.Get("assertions").Elements() {
		if cause := member(as, "cause"); cause != "" {
			facts["assertion"], facts["cause"], facts["reason"] = member(as, "id"), cause, member(as, "reason")
			return
		}
	}
}
