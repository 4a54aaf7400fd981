package report

import (
	"fmt"
	"io"
	"slices"
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
		t.pair("", Label("unfit", l), option)
	}
	t.freeze(r.Freeze)
	for _, track := range r.Tracks {
		t.track(r.Season, track)
	}
	t.incidents(r.Incidents)
	t.notices(r)
	t.missing(r.Missing)
	t.published(r.Published)
	t.line("")
	t.line("%s", checkedText(r.Checked, l))
	t.pair("", Label("result", l), Label(r.Result, l))
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textWriter struct {
	b    strings.Builder
	lang Lang
}

// line writes one line. What cannot be seen in the text of a party is escaped, so that it moves no cursor.
func (t *textWriter) line(format string, args ...any) {
	t.b.WriteString(visible(fmt.Sprintf(format, args...)) + "\n")
}

// pair writes a label and its value.
func (t *textWriter) pair(indent, label, value string) {
	t.line("%s%s%s%s", indent, label, colon(t.lang), value)
}

func checkedText(c Checked, l Lang) string {
	return fmt.Sprintf(Label("checked", l), c.Submissions, c.Proofs, c.Tokens, c.LogEntries, c.Assertions)
}

func freezeText(f Freeze, l Lang) string {
	switch {
	case f.Skipped:
		return Label("freeze_skipped", l)
	case f.Holds:
		return Label("freeze_holds", l)
	}
	return Label(freezeWord(f), l)
}

// freezeWord tells a freeze that does not hold from one of which something is missing or pending.
func freezeWord(f Freeze) string {
	failed := slices.ContainsFunc(f.Checks, func(c Check) bool { return c.Status == verify.Failed.String() })
	open := slices.ContainsFunc(f.Checks, func(c Check) bool { return c.Status == verify.Pending.String() || c.Status == verify.Skipped.String() })
	if open && !failed {
		return "freeze_open"
	}
	return "freeze_fails"
}

// FreezeText says in one line whether the freeze holds.
func FreezeText(f Freeze, l Lang) string { return freezeText(f, l) }

func (t *textWriter) freeze(f Freeze) {
	t.line("%s", freezeText(f, t.lang))
	for _, a := range f.Freezes {
		line := strings.TrimRight(fmt.Sprintf("  %s %s %s", a.ProofID, a.Status, a.TokenTime), " ")
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
	t.means(code, indent)
	t.places(d, indent)
	t.next(code, indent)
}

func (t *textWriter) means(code verify.Reason, indent string) {
	if m, known := Explain(code, t.lang); known {
		t.line("%s%s", indent, m.Means)
	}
}

func (t *textWriter) next(code verify.Reason, indent string) {
	m, _ := Explain(code, t.lang)
	t.part(indent, "next", m.Next)
}

func (t *textWriter) places(d *Detail, indent string) {
	if d != nil {
		t.part(indent, "found", Phrase(d.Found, t.lang))
		t.part(indent, "expected", Phrase(d.Expected, t.lang))
		t.part(indent, "where", place(d))
	}
}

func (t *textWriter) part(indent, label, text string) {
	if text != "" {
		t.pair(indent, Label(label, t.lang), text)
	}
}

func place(d *Detail) string {
	if d.Pointer == "" || d.File == "" {
		return d.File + d.Pointer
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
		constant := Label("best_constant", t.lang)
		if v := index.BestConstant.Verdict; v != "" { // none where no verdict is counted in the published distribution
			constant += " (" + v + ")"
		}
		rows = append(rows, []string{constant, Label("no_object", t.lang), successText(nil, &index.BestConstant.Success, t.lang), ""})
		for _, row := range table.rows {
			rows = append(rows, t.row(row))
		}
		t.columns(rows)
	}
}

func (t *textWriter) row(r Row) []string {
	rendered := fmt.Sprint(r.Rendered)
	if len(r.Withheld) > 0 {
		rendered += " (" + Label("withheld", t.lang) + colon(t.lang) + strings.Join(r.Withheld, " ") + ")"
	}
	return []string{visible(r.Participant + " " + r.Name), overclaimText(r.Withheld, r.Overclaim, t.lang), successText(r.Withheld, r.Success, t.lang), rendered}
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
	t.pair("", Label("incidents", t.lang), fmt.Sprint(len(list)))
	for _, code := range codes {
		t.pair("  ", string(code), fmt.Sprint(counts[code]))
		t.means(code, "    ")
	}
}

func (t *textWriter) notices(r *Replay) {
	for _, group := range []struct {
		label string
		names []string
	}{{"silent", r.Silent}, {"strangers", r.Strangers}, {"ignored", r.Ignored}} {
		if len(group.names) > 0 {
			t.pair("", Label(group.label, t.lang), strings.Join(group.names, " "))
		}
	}
	t.group("unread", r.Unread)
	t.group("warning", r.Warnings)
}

// group writes notices with one code together: what the code says once, and each place.
func (t *textWriter) group(label string, list []Notice) {
	var codes []verify.Reason
	for _, n := range list {
		if !slices.Contains(codes, n.Code) {
			codes = append(codes, n.Code)
		}
	}
	for _, code := range codes {
		t.pair("", Label(label, t.lang), string(code))
		t.means(code, "  ")
		for _, n := range list {
			if n.Code == code {
				t.places(n.Detail, "  ")
			}
		}
		t.next(code, "  ")
	}
}

func (t *textWriter) missing(list []Missing) {
	if len(list) == 0 {
		return
	}
	t.line("")
	t.pair("", Label("missing", t.lang), fmt.Sprint(len(list)))
	for _, m := range list {
		t.line("  %s", Fetch(m.Kind, m.ID, t.lang))
	}
}

func (t *textWriter) published(p Published) {
	compared := strings.Join(p.Compared, " ")
	if compared == "" {
		compared = Label("published_none", t.lang)
	}
	t.line("")
	t.pair("", Label("published", t.lang), compared)
	for _, d := range p.Differences {
		t.line("  %s#%s", d.File, d.Pointer)
		t.part("    ", "published_value", d.Published)
		t.part("    ", "computed_value", d.Computed)
	}
}
