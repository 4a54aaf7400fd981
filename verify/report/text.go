package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ark-forge/proveit/verify"
)

// Text writes the summary of a replay for people: the freeze, for each track its two tables with both columns, what is missing, what
// was published, and how much was checked. The last line is the result.
func Text(w io.Writer, r *Replay, l Lang) error {
	t := &textWriter{lang: l}
	t.line("%s %d", Label("season", l), r.Season)
	for _, option := range r.Unfit {
		t.line("%s: %s", Label("unfit", l), option)
	}
	t.freeze(r.Freeze)
	for _, track := range r.Tracks {
		t.track(r.Season, track)
	}
	t.incidents(r.Incidents)
	t.notices(r)
	t.missing(r.Missing)
	t.published(r.Published)
	c := r.Checked
	t.line("")
	t.line("%s", fmt.Sprintf(Label("checked", l), c.Submissions, c.Proofs, c.Tokens, c.LogEntries, c.Assertions))
	t.line("%s: %s", Label("result", l), Label(r.Result, l))
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textWriter struct {
	b    strings.Builder
	lang Lang
}

func (t *textWriter) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *textWriter) freeze(f Freeze) {
	word := "freeze_fails"
	if f.Holds {
		word = "freeze_holds"
	}
	if f.Skipped {
		word = "freeze_skipped"
	}
	t.line("%s", Label(word, t.lang))
	for _, a := range f.Freezes {
		line := fmt.Sprintf("  %s %s %s", a.ProofID, a.Status, a.TokenTime)
		if a.Reason != "" {
			line += ": " + a.Reason
		}
		t.line("%s", line)
	}
	for _, c := range f.Checks {
		if c.Status == verify.OK.String() || c.Status == verify.Skipped.String() {
			continue
		}
		t.line("  %s %s %s", c.Status, c.Name, c.Reason)
		t.detail(c.Reason, c.Detail, "    ")
	}
}

// detail writes what a code says, what was found and expected, where, and what to do next.
func (t *textWriter) detail(code verify.Reason, d *Detail, indent string) {
	m, known := Explain(code, t.lang)
	if known {
		t.line("%s%s", indent, m.Means)
	}
	if d != nil {
		t.part(indent, "found", d.Found)
		t.part(indent, "expected", d.Expected)
		t.part(indent, "where", place(d))
	}
	if known {
		t.part(indent, "next", m.Next)
	}
}

func (t *textWriter) part(indent, label, text string) {
	if text != "" {
		t.line("%s%s: %s", indent, Label(label, t.lang), text)
	}
}

func place(d *Detail) string {
	if d.Pointer == "" {
		return d.File
	}
	return d.File + "#" + d.Pointer
}

func (t *textWriter) track(season int64, track Track) {
	t.line("")
	t.line("%s %s (%s)", Label("track", t.lang), track.Track, track.Bareme)
	index := IndexOf(season, track)
	for _, table := range []struct {
		name string
		rows []Row
	}{{"reference", index.Tables.Reference}, {"community", index.Tables.Community}} {
		t.line("  %s", Label(table.name, t.lang))
		rows := [][]string{{Label("agent", t.lang), Label("overclaim", t.lang), Label("success", t.lang), Label("rendered", t.lang)}}
		rows = append(rows, []string{Label("best_constant", t.lang) + " (" + index.BestConstant.Verdict + ")", Label("no_object", t.lang),
			successText(&index.BestConstant.Success), ""})
		for _, row := range table.rows {
			rows = append(rows, t.row(row))
		}
		t.columns(rows)
	}
}

func (t *textWriter) row(r Row) []string {
	cells := []string{r.Participant + " " + r.Name, overclaimText(r.Overclaim, t.lang), successText(r.Success), fmt.Sprint(r.Rendered)}
	if len(r.Withheld) > 0 {
		cells[1], cells[2] = Label("withheld", t.lang), Label("withheld", t.lang)
		cells[3] += " (" + Label("withheld", t.lang) + ": " + strings.Join(r.Withheld, " ") + ")"
	}
	return cells
}

func overclaimText(o *Overclaim, l Lang) string {
	if o == nil {
		return Label("no_object", l)
	}
	return fmt.Sprintf("%d/%d  %s %%", o.Unsupported, o.Asserted, o.Percent)
}

func successText(s *Success) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%d/%d  %s %%", s.Exact, s.Tasks, s.Percent)
}

// columns writes rows with each column as wide as its longest cell; the last one is not padded.
func (t *textWriter) columns(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		t.line("    %s", strings.TrimRight(line.String(), " "))
	}
}

// incidents counts them by code; the documents list each.
func (t *textWriter) incidents(list []Incident) {
	if len(list) == 0 {
		return
	}
	var codes []verify.Reason
	counts := map[verify.Reason]int{}
	for _, i := range list {
		if counts[i.Code] == 0 {
			codes = append(codes, i.Code)
		}
		counts[i.Code]++
	}
	t.line("")
	t.line("%s: %d", Label("incidents", t.lang), len(list))
	for _, code := range codes {
		t.line("  %s: %d", code, counts[code])
	}
}

func (t *textWriter) notices(r *Replay) {
	for _, group := range []struct {
		label string
		names []string
	}{{"silent", r.Silent}, {"strangers", r.Strangers}, {"ignored", r.Ignored}} {
		if len(group.names) > 0 {
			t.line("%s: %s", Label(group.label, t.lang), strings.Join(group.names, " "))
		}
	}
	for _, n := range r.Unread {
		t.line("%s: %s", Label("unread", t.lang), n.Code)
		t.detail(n.Code, n.Detail, "  ")
	}
	for _, n := range r.Warnings {
		t.line("%s: %s", Label("warning", t.lang), n.Code)
		t.detail(n.Code, n.Detail, "  ")
	}
}

func (t *textWriter) missing(list []Missing) {
	if len(list) == 0 {
		return
	}
	t.line("")
	t.line("%s: %d", Label("missing", t.lang), len(list))
	for _, m := range list {
		t.line("  %s %s", m.Kind, m.ID)
	}
}

func (t *textWriter) published(p Published) {
	if len(p.Compared) == 0 {
		return
	}
	t.line("")
	t.line("%s: %s", Label("published", t.lang), strings.Join(p.Compared, " "))
	for _, d := range p.Differences {
		t.line("  %s#%s", d.File, d.Pointer)
		t.part("    ", "published_value", d.Published)
		t.part("    ", "computed_value", d.Computed)
	}
}
