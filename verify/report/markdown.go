package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/ark-forge/proveit/verify"
)

// markdown gathers a page of Markdown (CommonMark with tables).
type markdown struct {
	b    strings.Builder
	lang Lang
}

func (m *markdown) label(key string) string { return Label(key, m.lang) }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

// plain escapes text of a party so that it reads as it stands, in a table too.
func plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
			continue
		case strings.ContainsRune("\\`*_{}[]()#+!|<>~&-.", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code writes text as a code span, whatever it holds: the fence is longer than any run of backticks in it.
func code(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
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

func (m *markdown) header(cells ...string) {
	m.row(cells...)
	m.line("|%s", strings.Repeat(" --- |", len(cells)))
}

// IndexMarkdown writes the index of one track.
func IndexMarkdown(w io.Writer, i Index, unfit []string, l Lang) error {
	m := &markdown{lang: l}
	m.head(Label("index_title", l)+" – "+i.Track, unfit)
	m.line("%s %d · %s %s · %s\n\n%s", m.label("season"), i.Season, m.label("track"), code(i.Track), code(i.Bareme), m.label("two_columns"))
	for _, t := range []struct {
		name string
		rows []Row
	}{{"reference", i.Tables.Reference}, {"community", i.Tables.Community}} {
		m.line("\n## %s\n", m.label(t.name))
		m.header(m.label("agent"), m.label("did"), m.label("overclaim"), m.label("success"), m.label("rendered"), m.label("stack"), m.label("proofs"))
		m.row(m.label("best_constant")+" ("+code(i.BestConstant.Verdict)+")", "–", m.label("no_object"), successText(&i.BestConstant.Success), "–", "–", "–")
		for _, r := range t.rows {
			m.row(m.indexRow(r)...)
		}
	}
	return m.foot(w)
}

func (m *markdown) indexRow(r Row) []string {
	over, succ := overclaimText(r.Overclaim, m.lang), successText(r.Success)
	rendered := fmt.Sprint(r.Rendered)
	if len(r.Withheld) > 0 {
		over, succ = m.label("withheld"), m.label("withheld")
		rendered += " (" + m.label("withheld") + ": " + plain(strings.Join(r.Withheld, ", ")) + ")"
	}
	link := fmt.Sprintf("[%d](%s/report.md)", len(r.Proofs), strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29").Replace(r.Participant))
	return []string{plain(r.Name), code(r.DID), over, succ, rendered, "*" + m.label("declared") + ":* " + plain(r.Stack), link}
}

// IndividualMarkdown writes the report of one participant in one track.
func IndividualMarkdown(w io.Writer, r Individual, l Lang) error {
	m := &markdown{lang: l}
	m.head(Label("report_title", l)+" – "+r.Name+" – "+r.Track, r.Unfit)
	m.line("- %s: %s\n- %s: %s\n- %s: *%s:* %s\n- %s %d, %s %s, %s", m.label("did"), code(r.DID), m.label("table"), m.label(r.Table),
		m.label("stack"), m.label("declared"), plain(r.Stack), m.label("season"), r.Season, m.label("track"), code(r.Track), code(r.Bareme))
	for _, id := range r.Freezes {
		m.line("- %s: %s", m.label("freeze"), code(id))
	}
	m.line("\n%s\n", m.label("two_columns"))
	over, succ := overclaimText(r.Overclaim, l), successText(r.Success)
	if len(r.Withheld) > 0 {
		over, succ = m.label("withheld"), m.label("withheld")
	}
	m.header("", m.label("overclaim"), m.label("success"))
	m.row(m.label("best_constant")+" ("+code(r.BestConstant.Verdict)+")", m.label("no_object"), successText(&r.BestConstant.Success))
	m.row(plain(r.Name), over, succ)
	m.tasks(r.Tasks)
	m.assertions("unsupported", "", r.Unsupported())
	m.open(r)
	m.refused(r.Refused())
	if defects := r.Instrument(); len(defects) > 0 {
		m.assertions("instrument", "instrument_how", defects)
	}
	m.incidents(r.Incidents)
	m.line("\n## %s\n", m.label("proofs"))
	for _, id := range r.Proofs {
		m.line("- %s", code(id))
	}
	return m.foot(w)
}

func (m *markdown) tasks(tasks []Task) {
	m.line("\n## %s\n", m.label("tasks"))
	m.header(m.label("task"), m.label("status"), m.label("verdict"), m.label("verdict_exact"), m.label("grounded"))
	for _, t := range tasks {
		verdict, grounded := "–", yesNo(t.Grounded, m.lang)
		if t.Verdict != "" {
			verdict = code(t.Verdict)
		}
		if len(t.MissingFacts) > 0 {
			grounded += " (" + m.label("missing_facts") + ": " + plain(strings.Join(t.MissingFacts, ", ")) + ")"
		}
		m.row(code(t.TaskID), code(string(t.Status)), verdict, yesNo(t.VerdictExact, m.lang), grounded)
	}
}

func (m *markdown) assertions(title, how string, list []Shown) {
	m.line("\n## %s\n", m.label(title))
	if how != "" {
		m.line("%s\n", m.label(how))
	}
	if len(list) == 0 {
		m.line("%s", m.label("none"))
	}
	for _, a := range list {
		m.line("### %s · %s · %s\n", code(a.Task), code(a.ID), code(string(*a.Cause)))
		m.line("- %s: %s %s = %s", m.label("claim"), code(a.Resource), code(a.Field), code(a.Value))
		if a.ProofID != "" {
			m.line("- %s: %s", m.label("proof"), code(a.ProofID))
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
		line += ": " + plain(message.Means)
	}
	m.line("%s", line)
	if d != nil {
		for _, part := range []struct{ key, text string }{{"found", d.Found}, {"expected", d.Expected}, {"where", place(d)}} {
			if part.text != "" {
				m.line("- %s: %s", m.label(part.key), code(part.text))
			}
		}
	}
	if known {
		m.line("- %s: %s", m.label("next"), plain(message.Next))
	}
}

func (m *markdown) open(r Individual) {
	if list := r.Ungrounded(); len(list) > 0 {
		m.line("\n## %s\n\n%s\n", m.label("ungrounded"), m.label("ungrounded_how"))
		for _, t := range list {
			m.line("- %s: %s %s", code(t.TaskID), m.label("missing_facts"), plain(strings.Join(t.MissingFacts, ", ")))
		}
	}
	if list := r.Open(); len(list) > 0 {
		m.line("\n## %s\n\n%s\n", m.label("open_tasks"), m.label("open_how"))
		for _, t := range list {
			m.line("- %s: %s", code(t.TaskID), code(string(t.Status)))
		}
		for _, missing := range r.Missing {
			m.line("- %s: %s %s", m.label("missing"), missing.Kind, code(missing.ID))
		}
	}
}

func (m *markdown) refused(list []Task) {
	if len(list) == 0 {
		return
	}
	m.line("\n## %s\n\n%s", m.label("refused_tasks"), m.label("refused_how"))
	for _, t := range list {
		m.line("\n### %s: %s\n", code(t.TaskID), code(string(t.Status)))
		for _, n := range t.Refusals {
			m.detail(n.Code, n.Detail)
		}
	}
}

func (m *markdown) incidents(list []Incident) {
	if len(list) == 0 {
		return
	}
	m.line("\n## %s\n\n%s\n", m.label("incidents"), m.label("incidents_how"))
	for _, i := range list {
		m.line("### %s · %s · %s · %s\n", code(string(i.Code)), code(i.TaskID), code(i.Assertion), code(i.ProofID))
		m.detail(i.Code, i.Detail)
		m.line("")
	}
}
