package report

import (
	"fmt"
	"html/template"
	"strings"
	"unicode/utf8"
)

// Sizes of the picture, in pixels of its own view box.
const (
	pictureRow   = 26  // one participant
	pictureName  = 220 // the names
	pictureAxis  = 200 // each of the two axes, 0 to 100 %
	pictureGap   = 40
	pictureHead  = 44
	pictureWidth = pictureName + 2*pictureAxis + 2*pictureGap
	nameRunes    = 26 // of a name; a longer one is cut
)

// picture draws both rates of every participant side by side, each on its own axis from 0 to 100 %; the two are never on one axis. The
// numbers stand beside the bars, so that nothing depends on colour, and title and desc say the same in words.
func picture(id, title string, rows []Row, constant BestConstant, l Lang) template.HTML {
	var b strings.Builder
	height := pictureHead + pictureRow*(len(rows)+1)
	fmt.Fprintf(&b, `<svg role="img" aria-labelledby="%s-t %s-d" viewBox="0 0 %d %d" width="%d" height="%d" xmlns="http://www.w3.org/2000/svg">`,
		id, id, pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(&b, `<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`, id, esc(title+": "+Label("picture", l)), id, esc(describe(rows, constant, l)))
	left := pictureName
	right := pictureName + pictureAxis + pictureGap
	for _, axis := range []struct {
		x     int
		label string
	}{{left, Label("overclaim", l)}, {right, Label("success", l)}} {
		fmt.Fprintf(&b, `<text x="%d" y="16">%s</text><text x="%d" y="34">0 %%</text><text x="%d" y="34" text-anchor="end">100 %%</text>`,
			axis.x, esc(axis.label), axis.x, axis.x+pictureAxis)
		fmt.Fprintf(&b, `<line class="axis" x1="%d" y1="%d" x2="%d" y2="%d"/>`, axis.x, pictureHead-4, axis.x, height)
	}
	y := pictureHead
	bars(&b, y, Label("best_constant", l), "", Label("no_object", l), constant.Success.Percent, constant.Success.Percent+" %")
	for _, r := range rows {
		y += pictureRow
		over, overText, succ, succText := rowBars(r, l)
		bars(&b, y, r.Name, over, overText, succ, succText)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// rowBars gives for each column the length in percent, empty for no bar, and the words beside it.
func rowBars(r Row, l Lang) (over, overText, succ, succText string) {
	if len(r.Withheld) > 0 {
		return "", Label("withheld", l), "", Label("withheld", l)
	}
	overText = Label("no_object", l)
	if r.Overclaim != nil {
		over, overText = r.Overclaim.Percent, r.Overclaim.Percent+" %"
	}
	if r.Success != nil {
		succ, succText = r.Success.Percent, r.Success.Percent+" %"
	}
	return over, overText, succ, succText
}

func bars(b *strings.Builder, y int, name, over, overText, succ, succText string) {
	fmt.Fprintf(b, `<text x="0" y="%d">%s</text>`, y+15, esc(cut(name)))
	for _, bar := range []struct{ class, x, percent, text string }{
		{"over", fmt.Sprint(pictureName), over, overText},
		{"succ", fmt.Sprint(pictureName + pictureAxis + pictureGap), succ, succText},
	} {
		if bar.percent != "" {
			// The axis is 200 pixels for 100 %: twice the percentage, written as text so that no float is involved.
			fmt.Fprintf(b, `<g transform="translate(%s %d)"><rect class="%s" width="%s" height="8" transform="scale(2 1)"/></g>`, bar.x, y+16, bar.class, bar.percent)
		}
		fmt.Fprintf(b, `<text x="%s" y="%d" dx="4">%s</text>`, bar.x, y+13, esc(bar.text))
	}
}

// describe says in words what the picture shows.
func describe(rows []Row, constant BestConstant, l Lang) string {
	lines := []string{fmt.Sprintf("%s: %s %s %%", Label("best_constant", l), Label("success", l), constant.Success.Percent)}
	for _, r := range rows {
		_, over, _, succ := rowBars(r, l)
		lines = append(lines, fmt.Sprintf("%s: %s %s, %s %s", r.Name, Label("overclaim", l), over, Label("success", l), succ))
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
