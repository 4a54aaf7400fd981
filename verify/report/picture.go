package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"
)

// Sizes of the picture, in units of its own view box. It is as narrow as a phone, so that its text stays readable there.
const (
	pictureWidth  = 368
	pictureHead   = 40
	pictureRow    = 42  // one participant: the name, and both bars below it
	pictureSecond = 192 // where the second axis begins
	pictureBar    = 96  // an axis, 0 to 100 %
	pictureText   = 6   // between an axis and the words beside it
	nameRunes     = 46  // of a name; a longer one is cut
	pictureRows   = 20  // participants in one picture, so that it fits a printed page
)

// pictures draws a table, pictureRows participants at a time. A table without a row has a picture of the best constant answer alone.
func pictures(id, title string, rows []Row, constant BestConstant, l Lang) []template.HTML {
	if len(rows) <= pictureRows {
		return []template.HTML{picture(id, title, rows, constant, l)}
	}
	var out []template.HTML
	for part := range slices.Chunk(rows, pictureRows) {
		n := len(out) + 1
		out = append(out, picture(fmt.Sprintf("%s-%d", id, n), fmt.Sprintf("%s (%d)", title, n), part, constant, l))
	}
	return out
}

// picture draws both rates of every participant side by side, each on its own axis from 0 to 100 %; the two are never on one axis. The
// numbers stand beside the bars, so that nothing depends on colour, and title and desc say the same in words.
func picture(id, title string, rows []Row, constant BestConstant, l Lang) template.HTML {
	var b strings.Builder
	height := pictureHead + pictureRow*(len(rows)+1)
	fmt.Fprintf(&b, `<svg role="img" aria-labelledby="%s-t %s-d" viewBox="0 0 %d %d" width="%d" height="%d" xmlns="http://www.w3.org/2000/svg">`,
		id, id, pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(&b, `<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`, id, esc(title+colon(l)+Label("picture", l)), id, esc(describe(rows, constant, l)))
	for _, axis := range []struct {
		x     int
		label string
	}{{0, Label("overclaim", l)}, {pictureSecond, Label("success", l)}} {
		fmt.Fprintf(&b, `<text class="head" x="%d" y="13">%s</text><text x="%d" y="31">0</text><text x="%d" y="31" text-anchor="end">%s</text>`,
			axis.x, esc(capital(axis.label)), axis.x, axis.x+pictureBar, Percent("100", l))
	}
	y := pictureHead
	bars(&b, y, capital(Label("best_constant", l)), "", Label("no_object", l), constant.Success.Percent, Percent(constant.Success.Percent, l))
	for _, r := range rows {
		y += pictureRow
		over, overText, succ, succText := rowBars(r, l)
		bars(&b, y, visible(r.Name), over, overText, succ, succText)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// rowBars gives for each column the length in percent, empty for no bar, and the words beside it.
func rowBars(r Row, l Lang) (over, overText, succ, succText string) {
	overText, succText = Label("no_object", l), Label("withheld", l)
	if len(r.Withheld) > 0 {
		return "", succText, "", succText
	}
	if r.Overclaim != nil {
		over, overText = r.Overclaim.Percent, Percent(r.Overclaim.Percent, l)
	}
	if r.Success != nil {
		succ, succText = r.Success.Percent, Percent(r.Success.Percent, l)
	}
	return over, overText, succ, succText
}

// bars draws one participant. An axis is an outline, which a bar fills from the left; where there is no rate there is no axis.
func bars(b *strings.Builder, y int, name, over, overText, succ, succText string) {
	fmt.Fprintf(b, `<text x="0" y="%d">%s</text>`, y+13, esc(cut(name)))
	for _, bar := range []struct {
		class         string
		x             int
		percent, text string
	}{{"over", 0, over, overText}, {"succ", pictureSecond, succ, succText}} {
		textX := bar.x
		if bar.percent != "" {
			// The percentage is a length on an axis of 100, which is then scaled, so that no float is involved.
			fmt.Fprintf(b, `<g transform="translate(%d %d)"><rect class="%s" width="%s" height="10" transform="scale(.%d 1)"/><rect class="axis" width="%d" height="10"/></g>`,
				bar.x, y+20, bar.class, bar.percent, pictureBar, pictureBar)
			textX += pictureBar + pictureText
		}
		fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`, textX, y+30, esc(bar.text))
	}
}

// describe says in words what the picture shows.
func describe(rows []Row, constant BestConstant, l Lang) string {
	lines := []string{Label("best_constant", l) + colon(l) + Label("success", l) + " " + Percent(constant.Success.Percent, l)}
	for _, r := range rows {
		_, over, _, succ := rowBars(r, l)
		lines = append(lines, fmt.Sprintf("%s%s%s %s, %s %s", visible(r.Name), colon(l), Label("overclaim", l), over, Label("success", l), succ))
	}
	return strings.Join(lines, "; ")
}

func cut(s string) string {
	if utf8.RuneCountInString(s) <= nameRunes {
		return s
	}
	return string([]rune(s)[:nameRunes-1]) + "…"
}

func esc(s string) string { return template.HTMLEscapeString(s) }
