package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/ark-forge/proveit/verify"
)

//go:embed templates/*.html templates/style.css
var templates embed.FS

// page is what every page has.
type page struct {
	Lang  string
	Title string
	Up    string // link to the page above; empty on the start page
	Unfit []string
}

type indexPage struct {
	page
	Index  Index
	Tables []tablePage
}

type tablePage struct {
	ID, Title string
	Rows      []Row
	Pictures  []template.HTML
}

type reportPage struct {
	page
	Report Individual
}

type startPage struct {
	page
	Replay *Replay
}

// IndexHTML writes the page of one track with its two tables. It needs no network and no script.
func IndexHTML(w io.Writer, i Index, unfit []string, l Lang) error {
	p := indexPage{page: page{l.String(), Label("index_title", l) + " – " + i.Track, "../index.html", unfit}, Index: i}
	for _, t := range []struct {
		id   string
		rows []Row
	}{{"reference", i.Tables.Reference}, {"community", i.Tables.Community}} {
		title := capital(Label(t.id, l))
		p.Tables = append(p.Tables, tablePage{t.id, title, t.rows, pictures(t.id, title, t.rows, i.BestConstant, l)})
	}
	return render(w, "index", p, l)
}

// IndividualHTML writes the report of one participant in one track.
func IndividualHTML(w io.Writer, r Individual, l Lang) error {
	title := fmt.Sprintf("%s – %s – %s", Label("report_title", l), visible(r.Name), r.Track)
	return render(w, "report", reportPage{page{l.String(), title, "../index.html", r.Unfit}, r}, l)
}

// StartHTML writes the page that links the tracks and says what was checked. Its participants are not read.
func StartHTML(w io.Writer, r *Replay, l Lang) error {
	title := fmt.Sprintf("%s – %s %d", Label("index_title", l), Label("season", l), r.Season)
	return render(w, "start", startPage{page{l.String(), title, "", r.Unfit}, r}, l)
}

// render runs one template. Everything that comes from a party is escaped by html/template.
func render(w io.Writer, name string, data any, l Lang) error {
	t, err := pages[l]()
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, data)
}

// pages are the parsed templates of each language, parsed when first needed.
var pages = [...]func() (*template.Template, error){
	English: sync.OnceValues(func() (*template.Template, error) { return parsePages(English) }),
	French:  sync.OnceValues(func() (*template.Template, error) { return parsePages(French) }),
}

func parsePages(l Lang) (*template.Template, error) {
	t, err := sources(l)
	if err != nil {
		return nil, err
	}
	words := map[string]func(string) any{
		"label":   func(key string) any { return Label(key, l) },
		"capital": func(s string) any { return capital(s) },
		"colon":   func(string) any { return colon(l) },
		"limits":  func(string) any { return items(limits(l)) },
	}
	for _, one := range t.Templates() {
		if one.Tree != nil {
			fold(one.Tree.Root, words)
		}
	}
	return t, nil
}

// sources are the templates as written.
func sources(l Lang) (*template.Template, error) {
	css, err := templates.ReadFile("templates/style.css")
	if err != nil {
		return nil, err
	}
	return template.New("").Funcs(template.FuncMap{
		"css":       func() template.CSS { return template.CSS(css) },
		"label":     func(key string) string { return Label(key, l) },
		"capital":   capital,
		"colon":     func() string { return colon(l) },
		"visible":   visible,
		"phrase":    func(text string) string { return Phrase(text, l) },
		"readable":  readable,
		"ids":       ids,
		"prose":     func(s string) template.HTML { return quoted(s, l) },
		"limits":    func() template.HTML { return items(limits(l)) },
		"means":     func(code verify.Reason) string { m, _ := Explain(code, l); return m.Means },
		"next":      func(code verify.Reason) string { m, _ := Explain(code, l); return m.Next },
		"fetch":     func(kind, id string) string { return visible(Fetch(kind, id, l)) },
		"place":     place,
		"folder":    url.PathEscape, // a "#" or "%" of an id is no part of a link's syntax
		"overclaim": func(withheld []string, o *Overclaim) template.HTML { return spans(overclaimText(withheld, o, l)) },
		"success":   func(withheld []string, s any) template.HTML { return spans(successText(withheld, successOf(s), l)) },
		"yesno":     func(b *bool) string { return yesNo(b, l) },
		"freeze":    func(f Freeze) string { return freezeText(f, l) },
		"checked":   func(c Checked) string { return checkedText(c, l) },
	}).ParseFS(templates, "templates/*.html")
}

// items are the items of a list.
func items(texts []string) template.HTML {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString("<li>" + esc(text) + "</li>")
	}
	return template.HTML(b.String())
}

// quoted is a free text with its lines as they were broken.
func quoted(text string, l Lang) template.HTML {
	lines, whole := prose(text)
	var b strings.Builder
	b.WriteString("<blockquote>")
	for i, line := range lines {
		if i > 0 {
			b.WriteString("<br>")
		}
		b.WriteString(esc(line))
	}
	b.WriteString("</blockquote>")
	if !whole {
		b.WriteString("<p>" + esc(Label("told_more", l)) + "</p>")
	}
	return template.HTML(b.String())
}

// ids are the items of a list of identifiers, one on a line.
func ids(list []string) template.HTML {
	var b strings.Builder
	for _, id := range list {
		b.WriteString("<li><code>" + esc(id) + "</code></li>\n")
	}
	return template.HTML(b.String())
}

func successOf(s any) *Success {
	switch s := s.(type) {
	case Success:
		return &s
	case *Success:
		return s
	}
	return nil
}

// spans sets the exact counts of a rate apart from its percentage.
func spans(text string) template.HTML {
	p, counts, ok := strings.Cut(text, " (")
	if !ok {
		return template.HTML(esc(text))
	}
	return template.HTML(`<span class="percent">` + esc(p) + `</span> <span class="count">(` + esc(counts) + `</span>`)
}

func yesNo(b *bool, l Lang) string {
	switch {
	case b == nil:
		return "–"
	case *b:
		return Label("yes", l)
	}
	return Label("no", l)
}
