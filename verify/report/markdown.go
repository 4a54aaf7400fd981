package report

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/ark-forge/proveit/verify"
)

// markdown gathers a page of Markdown (CommonMark with tables).
type markdown struct {
	b    strings.Builder
	lang Lang
}

func (m *markdown) label(key string) string { return Label(key, m.lang) }

// named is a label with its colon, for the value that follows.
func (m *markdown) named(key string) string { return capital(Label(key, m.lang)) + colon(m.lang) }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

// plain escapes text of a party so that it reads as it stands, in a table too.
func plain(s string) string {
	var b strings.Builder
	for _, r := range visible(s) {
		switch {
		case strings.ContainsRune("\\`*_{}[]()#+!|<>~&-.", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code writes text as a code span, whatever it holds: the fence is longer than any run of backticks in it.
func code(s string) string {
	s = visible(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

func (m *markdown) head(title string, unfit []string) {
	m.line("# %s\n", plain(title))
	m.line("> %s\n", m.label("ai_act"))
	for _, option := range unfit {
		m.line("> **%s** %s\n", m.label("unfit"), code(option))
	}
}

func (m *markdown) foot(w io.Writer) error {
	m.line("\n## %s\n", m.label("limits"))
	for _, limit := range limits(m.lang) {
		m.line("- %s", limit)
	}
	m.line("\n## %s\n\n%s", m.label("contest"), m.label("contest_how"))
	_, err := io.WriteString(w, m.b.String())
	return err
}

// row writes a line of a table. A bar inside a cell ends it unless it is escaped, in a code span too.
func (m *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.ReplaceAll(c, `\|`, "|"), "|", `\|`)
	}
	m.line("| %s |", strings.Join(cells, " | "))
}

// header writes the head of a table from the keys of its labels; an empty key is an empty cell.
func (m *markdown) header(keys ...string) {
	cells := make([]string, len(keys))
	for i, key := range keys {
		if key != "" {
			cells[i] = capital(m.label(key))
		}
	}
	m.row(cells...)
	m.line("|%s", strings.Repeat(" --- |", len(cells)))
}

// IndexMarkdown writes the index of one track.
func IndexMarkdown(w io.Writer, i Index, unfit []string, l Lang) error {
	m := &markdown{lang: l}
	m.head(Label("index_title", l)+" – "+i.Track, unfit)
	m.line("%s %d · %s %s · %s\n\n%s", capital(m.label("season")), i.Season, m.label("track"), code(i.Track), code(i.Bareme), m.label("two_columns"))
	for _, t := range []struct {
		name string
		rows []Row
	}{{"reference", i.Tables.Reference}, {"community", i.Tables.Community}} {
		m.line("\n## %s\n", capital(m.label(t.name)))
		m.header("agent", "did", "overclaim", "success", "rendered", "stack", "proofs")
		m.row(m.constant(i.BestConstant), "–", m.label("no_object"), successText(nil, &i.BestConstant.Success, l), "–", "–", "–")
		for _, r := range t.rows {
			m.row(m.indexRow(r)...)
		}
	}
	return m.foot(w)
}

func (m *markdown) constant(c BestConstant) string {
	name := capital(m.label("best_constant"))
	if c.Verdict == "" {
		return name
	}
	return name + " (" + code(c.Verdict) + ")"
}

func (m *markdown) indexRow(r Row) []string {
	rendered := fmt.Sprint(r.Rendered)
	if len(r.Withheld) > 0 {
		rendered += " (" + m.label("withheld") + colon(m.lang) + plain(strings.Join(r.Withheld, ", ")) + ")"
	}
	link := fmt.Sprintf("[%d](%s/report.md)", len(r.Proofs), url.PathEscape(r.Participant))
	return []string{plain(r.Name), code(r.DID), overclaimText(r.Withheld, r.Overclaim, m.lang), successText(r.Withheld, r.Success, m.lang), rendered,
		"*" + m.label("declared") + "* " + plain(r.Stack), link}
}

// IndividualMarkdown writes the report of one participant in one track.
func IndividualMarkdown(w io.Writer, r Individual, l Lang) error {
	m := &markdown{lang: l}
	m.head(Label("report_title", l)+" – "+r.Name+" – "+r.Track, r.Unfit)
	m.line("- %s%s\n- %s%s\n- %s*%s* %s\n- %s%d\n- %s%s, %s", m.named("did"), code(r.DID), m.named("table"), m.label(r.Table),
		m.named("stack"), m.label("declared"), plain(r.Stack), m.named("season"), r.Season, m.named("track"), code(r.Track), code(r.Bareme))
	for _, id := range r.Freezes {
		m.line("- %s%s", m.named("freeze"), code(id))
	}
	m.line("\n%s\n", m.label("two_columns"))
	m.header("", "overclaim", "success")
	m.row(m.constant(r.BestConstant), m.label("no_object"), successText(nil, &r.BestConstant.Success, l))
	m.row(plain(r.Name), overclaimText(r.Withheld, r.Overclaim, l), successText(r.Withheld, r.Success, l))
	m.tasks(r)
	m.causes(r.Causes())
	m.assertions(r.Unsupported())
	m.open(r)
	m.refused(r.Refused())
	if list := r.Uncounted(); len(list) > 0 {
		m.line("\n## %s\n\n%s\n", m.label("uncounted"), m.label("uncounted_how"))
		m.assertions(list)
	}
	if defects := r.Instrument(); len(defects) > 0 {
		m.line("\n## %s\n\n%s\n", m.label("instrument"), m.label("instrument_how"))
		m.assertions(defects)
	}
	m.told(r.Told())
	m.incidents(r.Incidents)
	m.line("\n## %s\n", m.label("proofs"))
	for _, id := range r.Proofs {
		m.line("- %s", code(id))
	}
	return m.foot(w)
}

func (m *markdown) tasks(r Individual) {
	m.line("\n## %s\n", m.label("tasks"))
	m.header("task", "status", "verdict", "verdict_exact", "grounded")
	for _, t := range r.Tasks {
		verdict, grounded := "–", yesNo(t.Grounded, m.lang)
		if t.Verdict != "" {
			verdict = code(t.Verdict)
		}
		if len(t.MissingFacts) > 0 {
			grounded += " (" + m.label("missing_facts") + colon(m.lang) + plain(strings.Join(t.MissingFacts, ", ")) + ")"
		}
		m.row(code(t.TaskID), code(string(t.Status)), verdict, yesNo(t.VerdictExact, m.lang), grounded)
	}
	m.line("")
	for _, status := range r.Statuses() {
		m.line("- %s%s%s", code(string(status)), colon(m.lang), m.label("status_"+string(status)))
	}
}

func (m *markdown) causes(list []CauseCount) {
	m.line("\n## %s\n", m.label("unsupported"))
	if len(list) == 0 {
		m.line("%s", m.label("none"))
		return
	}
	m.header("cause", "meaning", "count")
	for _, c := range list {
		m.row(code(string(c.Cause)), m.label("cause_"+string(c.Cause)), fmt.Sprint(c.Count))
	}
	m.line("")
}

func (m *markdown) assertions(list []Shown) {
	for _, a := range list {
		m.line("### %s · %s · %s\n", code(a.Task), code(a.ID), code(string(*a.Cause)))
		m.line("- %s%s %s = %s", m.named("claim"), code(a.Resource), code(a.Field), code(readable(a.Value)))
		if a.ProofID != "" {
			m.line("- %s%s", m.named("proof"), code(a.ProofID))
		}
		m.detail(a.Reason, a.Detail)
		m.line("- %s %s\n", m.label("recompute"), code(a.Command))
	}
}

// detail writes the parts of a refusal as list items.
func (m *markdown) detail(reason verify.Reason, d *Detail) {
	message, known := Explain(reason, m.lang)
	line := "- " + code(string(reason))
	if known {
		line += colon(m.lang) + plain(message.Means)
	}
	m.line("%s", line)
	if d != nil {
		for _, part := range []struct{ key, text string }{{"found", Phrase(d.Found, m.lang)}, {"expected", Phrase(d.Expected, m.lang)}, {"where", place(d)}} {
			if part.text != "" {
				m.line("- %s%s", m.named(part.key), code(part.text))
			}
		}
	}
	if known {
		m.line("- %s%s", m.named("next"), plain(message.Next))
	}
}

func (m *markdown) open(r Individual) {
	if list := r.Ungrounded(); len(list) > 0 {
		m.line("\n## %s\n\n%s\n", m.label("ungrounded"), m.label("ungrounded_how"))
		for _, t := range list {
			m.line("- %s%s%s %s", code(t.TaskID), colon(m.lang), m.label("missing_facts"), plain(strings.Join(t.MissingFacts, ", ")))
		}
	}
	if list := r.Open(); len(list) > 0 || len(r.Missing) > 0 {
		m.line("\n## %s\n\n%s\n", m.label("open_tasks"), m.label("open_how"))
		for _, t := range list {
			m.line("- %s%s%s", code(t.TaskID), colon(m.lang), code(string(t.Status)))
		}
		for _, missing := range r.Missing {
			m.line("- %s%s", m.named("missing"), plain(Fetch(missing.Kind, missing.ID, m.lang)))
		}
	}
}

func (m *markdown) refused(list []Task) {
	if len(list) == 0 {
		return
	}
	m.line("\n## %s\n\n%s", m.label("refused_tasks"), m.label("refused_how"))
	for _, t := range list {
		m.line("\n### %s%s%s\n", code(t.TaskID), colon(m.lang), code(string(t.Status)))
		for _, n := range t.Refusals {
			m.detail(n.Code, n.Detail)
		}
	}
}

// told quotes the free texts.
func (m *markdown) told(list []Task) {
	if len(list) == 0 {
		return
	}
	m.line("\n## %s\n\n%s", m.label("told"), m.label("told_how"))
	for _, t := range list {
		m.line("\n### %s\n", code(t.TaskID))
		lines, whole := prose(t.Narrative)
		for _, line := range lines {
			m.line("> %s  ", plain(line))
		}
		if !whole {
			m.line("\n%s", m.label("told_more"))
		}
	}
}

func (m *markdown) incidents(list []Incident) {
	if len(list) == 0 {
		return
	}
	m.line("\n## %s\n\n%s\n", capital(m.label("incidents")), m.label("incidents_how"))
	for _, i := range list {
		parts := []string{code(string(i.Code))}
		for _, id := range []string{i.TaskID, i.Assertion, i.ProofID} {
			if id != "" {
				parts = append(parts, code(id))
			}
		}
		m.line("### %s\n", strings.Join(parts, " · "))
		m.detail(i.Code, i.Detail)
		m.line("")
	}
}
