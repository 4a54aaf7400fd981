package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Rows stand by success descending, then overclaim ascending as exact fractions with null last, withheld rows after those, ties by DID
// (seed 000 §7.2; order counted by hand).
func TestRowsOfAnIndex(t *testing.T) {
	two, ten := success(2, 10, "20.00"), success(10, 10, "100.00")
	order := []Participant{
		person("a", "a", "community", overclaim(9, 10, "90.00"), ten),
		person("b", "b", "community", overclaim(1, 3, "33.33"), two), // 1/3 < 3334/10000, though both are written 33.3…
		person("c", "c", "community", overclaim(3334, 10000, "33.34"), two),
		person("d", "d", "community", nil, two),
		person("e", "e", "community", nil, success(0, 10, "0.00")),
		person("f", "f", "community", nil, nil, "conf-01"),
		person("g", "g", "community", nil, nil, "conf-02"),
	}
	shuffled := []Participant{order[6], order[3], order[0], order[4], order[2], order[5], order[1]}
	shuffled = append(shuffled, person("r", "r", "reference", nil, two))
	index := IndexOf(3, Track{Track: "conformite", Participants: shuffled})
	var got []string
	for _, r := range index.Tables.Community {
		got = append(got, r.Participant)
	}
	if want := []string{"a", "b", "c", "d", "e", "f", "g"}; !slices.Equal(got, want) {
		t.Errorf("rows stand as %v, want %v", got, want)
	}
	if len(index.Tables.Reference) != 1 {
		t.Errorf("%d rows of reference runs, want 1: the tables are never merged", len(index.Tables.Reference))
	}
}

func TestRatesAsEachLanguageWritesThem(t *testing.T) {
	for _, c := range []struct {
		withheld []string
		o        *Overclaim
		s        *Success
		l        Lang
		want     [2]string
	}{
		{nil, overclaim(3, 41, "7.32"), success(1, 10, "10.00"), English, [2]string{"7.32% (3/41)", "10.00% (1/10)"}},
		{nil, overclaim(3, 41, "7.32"), success(1, 10, "10.00"), French, [2]string{"7,32\u00a0% (3/41)", "10,00\u00a0% (1/10)"}},
		{nil, nil, success(0, 10, "0.00"), French, [2]string{"sans objet", "0,00\u00a0% (0/10)"}},
		{[]string{"conf-01"}, nil, nil, English, [2]string{"withheld", "withheld"}},
		{[]string{"conf-01"}, overclaim(1, 2, "50.00"), success(1, 2, "50.00"), French, [2]string{"en suspens", "en suspens"}},
	} {
		if got := [2]string{overclaimText(c.withheld, c.o, c.l), successText(c.withheld, c.s, c.l)}; got != c.want {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}

// A withheld row shows neither rate, in no format.
func TestWithheldRowsShowNoRate(t *testing.T) {
	index := IndexOf(3, Track{Track: "conformite", BestConstant: BestConstant{"conforme", Success{4, 10, "40.00"}},
		Participants: []Participant{person("w", "w", "community", overclaim(1, 2, "51.00"), success(1, 2, "52.00"), "conf-01")}})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"html":     func(b *bytes.Buffer) error { return IndexHTML(b, index, nil, English) },
		"markdown": func(b *bytes.Buffer) error { return IndexMarkdown(b, index, nil, English) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); strings.Contains(s, "51.00") || strings.Contains(s, "52.00") || strings.Count(s, "withheld") < 3 {
			t.Errorf("%s shows a rate of a withheld row, or does not say that it is withheld", name)
		}
	}
}

// A table of 45 rows has three pictures, each participant in one of them (20, 20 and 5).
func TestPicturesOfALongTable(t *testing.T) {
	var rows []Row
	for i := range 45 {
		rows = append(rows, Row{Name: fmt.Sprintf("agent no %03d.", i), Overclaim: overclaim(1, 2, "50.00"), Success: success(1, 2, "50.00")})
	}
	drawn := pictures("community", "Community", rows, BestConstant{"conforme", Success{4, 10, "40.00"}}, English)
	if len(drawn) != 3 {
		t.Fatalf("%d pictures, want 3", len(drawn))
	}
	for i := range rows {
		if got := strings.Count(string(drawn[i/20]), ">"+rows[i].Name+"<"); got != 1 {
			t.Errorf("%s is drawn %d times, want once", rows[i].Name, got)
		}
	}
	if none := pictures("reference", "Reference", nil, BestConstant{}, English); len(none) != 1 {
		t.Errorf("%d pictures of an empty table, want 1", len(none))
	}
}

// written is every file of a folder by its name.
func written(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A folder has the start page, the replay, and three files for each index and report; two runs give the same bytes; JSON has no language.
func TestFolderIsComplete(t *testing.T) {
	english, again, french := written(t, writeFolder(t, sample(), English)), written(t, writeFolder(t, sample(), English)), written(t, writeFolder(t, sample(), French))
	want := []string{"index.html", "replay.json"}
	for _, track := range sample().Tracks {
		for _, suffix := range []string{".json", ".md", ".html"} {
			want = append(want, track.Track+"/index"+suffix)
			for _, p := range track.Participants {
				want = append(want, track.Track+"/"+p.Participant+"/report"+suffix)
			}
		}
	}
	if len(english) != len(want) {
		t.Errorf("%d files, want %d", len(english), len(want))
	}
	for _, name := range want {
		b, ok := english[name]
		switch {
		case !ok || len(b) == 0:
			t.Errorf("%s is not there, or empty", name)
		case !bytes.Equal(b, again[name]):
			t.Errorf("%s differs between two runs", name)
		case strings.HasSuffix(name, ".json") && !bytes.Equal(b, french[name]):
			t.Errorf("%s differs between languages", name)
		case !strings.HasSuffix(name, ".json") && bytes.Equal(b, french[name]):
			t.Errorf("%s is the same in both languages", name)
		case strings.HasSuffix(name, ".json") && !json.Valid(b):
			t.Errorf("%s is no JSON", name)
		}
		if !strings.HasSuffix(name, ".json") {
			for l, page := range map[Lang][]byte{English: b, French: french[name]} {
				for _, label := range []string{"ai_act", "limits", "contest_how"} {
					if !bytes.Contains(page, []byte(Label(label, l))) {
						t.Errorf("%s in %s has no %s", name, l, label)
					}
				}
			}
		}
		if place := regexp.MustCompile(`/tmp/|/work/|/home/|C:\\|localhost`).Find(b); place != nil {
			t.Errorf("%s has a path of the machine: %q", name, place)
		}
	}
}

// An id that could name a place outside its folder is refused before anything is written under it.
func TestFolderRefusesIDsThatAreNoName(t *testing.T) {
	for _, id := range []string{"", ".", "..", "a/b", `a\b`, "a\x00b", "a:b", "a\nb", strings.Repeat("a", 201)} {
		if safeName(id) {
			t.Errorf("%q was taken for a name", id)
		}
	}
	for _, id := range []string{"agent-07", "L’agent", "a.b"} {
		if !safeName(id) {
			t.Errorf("%q was refused", id)
		}
	}
}

// The bytes that are written while participants are judged are those of the whole document.
func TestReplayWriterWritesTheWholeDocument(t *testing.T) {
	none, noTracks := sample(), sample()
	none.Tracks[1].Participants = []Participant{}
	noTracks.Tracks = []Track{}
	for name, doc := range map[string]*Replay{"two tracks": sample(), "an empty track": none, "no track": noTracks} {
		var whole, streamed, atEnd bytes.Buffer
		if err := JSON(&whole, doc); err != nil {
			t.Fatal(err)
		}
		w := NewReplayWriter(&streamed)
		if err := w.Begin(doc); err != nil {
			t.Fatal(err)
		}
		for i, track := range doc.Tracks {
			for _, p := range track.Participants {
				if err := w.Participant(i, p); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.End(doc); err != nil {
			t.Fatal(err)
		}
		if err := NewReplayWriter(&atEnd).End(doc); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(whole.Bytes(), streamed.Bytes()) {
			t.Errorf("%s: streamed:\n%s\nwhole:\n%s", name, streamed.String(), whole.String())
		}
		if !bytes.Equal(whole.Bytes(), atEnd.Bytes()) {
			t.Errorf("%s: the document written at its end differs", name)
		}
	}
}

// Names of participants appear as text, whatever they hold.
func TestHostileNamesInHTML(t *testing.T) {
	for name, b := range written(t, writeFolder(t, sample(), French)) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		s := string(b)
		for _, bad := range []string{"<script", "<img", "onerror=alert(1)>", "\u001b", "\u202e", "ZgotmplZ", "<n°"} {
			if strings.Contains(s, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	page := string(written(t, writeFolder(t, sample(), French))["conformite/index.html"])
	for _, want := range []string{"L’agent « Étoile » &lt;n° 1&gt; &amp; Cie", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;", `line\u000abreak\u0009tab \u001b[31mred \u202eright to left`} {
		if strings.Count(page, want) < 2 { // in the table and in the picture
			t.Errorf("the index shows %q %d times, want it in the table and in the picture", want, strings.Count(page, want))
		}
	}
}

// So do the ids that a participant gives to assertions, those of facts and verdicts, and the places in what was published.
func TestHostileIDsInHTML(t *testing.T) {
	r, turned := sample(), hostile[4]
	p := full()
	for i := range p.Tasks {
		p.Tasks[i].MissingFacts = []string{turned}
		for j := range p.Tasks[i].Assertions {
			p.Tasks[i].Assertions[j].ID = turned + fmt.Sprint(j)
		}
	}
	p.Incidents[0].Assertion = turned
	r.Tracks[0].Participants[0] = p
	r.Tracks[0].BestConstant.Verdict = turned
	r.Published.Differences[0].Pointer = "/" + turned
	for name, b := range written(t, writeFolder(t, r, English)) {
		if found := strings.IndexAny(string(b), "\u001b\u202e\t"); strings.HasSuffix(name, ".html") && found >= 0 {
			t.Errorf("%s holds %q", name, b[max(0, found-60):found+3])
		}
	}
}

// A participant's folder is named after the id, whatever is in it: the link has to lead there. Percent-encoded by python3's urllib.parse.quote.
func TestLinksToFolders(t *testing.T) {
	r := sample()
	r.Tracks[0].Participants[0].Participant = "agent#1 %41é"
	files := written(t, writeFolder(t, r, English))
	if files["conformite/agent#1 %41é/report.html"] == nil {
		t.Fatal("no report in the folder of that id")
	}
	const link = `href="agent%231%20%2541%C3%A9/report.html`
	if page := string(files["conformite/index.html"]); strings.Count(page, link+`"`) != 1 || strings.Count(page, link+`#proofs"`) != 1 {
		t.Errorf("the index does not link %q", link)
	}
}

// unescaped finds what would be markup in Markdown: a bar, a backtick, a bracket or an angle that no backslash stands before.
var unescaped = regexp.MustCompile("(^|[^\\\\])[|`\\[\\]<>*_#]")

func TestHostileNamesInMarkdown(t *testing.T) {
	for _, name := range hostile {
		text := plain(name)
		if found := unescaped.FindString(text); found != "" || strings.ContainsAny(text, "\n\r\t\u001b\u202e") {
			t.Errorf("%q is written as %q, which holds %q", name, text, found)
		}
		span := code(name)
		fence := span[:len(span)-len(strings.TrimLeft(span, "`"))]
		inner := strings.TrimSuffix(strings.TrimPrefix(span, fence), fence)
		if strings.Contains(inner, fence) || strings.ContainsAny(inner, "\n\r\u001b") {
			t.Errorf("%q is written as %q, whose fence %q is inside it", name, span, fence)
		}
	}
	// A table row keeps its number of cells whatever stands in them.
	for name, b := range written(t, writeFolder(t, sample(), English)) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		cells := 0
		for line := range strings.SplitSeq(string(b), "\n") {
			if !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if cells != 0 && n != cells {
				t.Errorf("%s: a row of %d cells in a table of %d: %s", name, n-1, cells-1, line)
			}
			cells = n
		}
	}
}

// The text for a terminal holds nothing that moves a cursor.
func TestHostileNamesInText(t *testing.T) {
	for _, l := range []Lang{English, French} {
		var b bytes.Buffer
		if err := Text(&b, sample(), l); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if unseen(r) && r != '\n' {
				t.Errorf("%s: the text holds %U", l, r)
			}
		}
		if lines := strings.Split(strings.TrimSpace(b.String()), "\n"); !strings.HasSuffix(lines[len(lines)-1], Label("differs", l)) {
			t.Errorf("%s: the last line is %q, want the result", l, lines[len(lines)-1])
		}
	}
}

// A report lists every unsupported assertion with cause, reason, values and command; missing facts, pending and refused tasks and
// incidents stand apart.
func TestReportIsWhole(t *testing.T) {
	files := written(t, writeFolder(t, sample(), English))
	for _, name := range []string{"conformite/agent-01/report.html", "conformite/agent-01/report.md"} {
		page := string(files[name])
		page = strings.NewReplacer(`\`, "", "<code>", "`", "</code>", "`", "&#34;", `"`).Replace(page)
		for _, want := range []string{
			"preuve_invalide", "token_outside_season", english["token_outside_season"].Means, english["token_outside_season"].Next,
			"identite_non_liee", "did_differs", "ressource_non_correspondante", "resource_differs", "valeur_non_correspondante", "value_differs", english["value_differs"].Means,
			`"2026-06-30"`, `"2026-07-31"`, "corpus/attestations/ATT-9.json#/date_fin", "été u202e",
			"proveit season explain BUNDLE --participant agent-01 --track conformite --task conf-01 --assertion a4",
			labels["ungrounded"][English], "f1", labels["open_tasks"][English], "conf-06", "conf-07", "its batch is still open", labels["refused_tasks"][English], english["member_missing"].Means, english["below_minimum"].Means,
			labels["uncounted"][English], "--task conf-04 --assertion a1", labels["instrument"][English], "system_body", "flat_field", english["flat_field"].Means, "prf_20261001_000000_0000aa",
			labels["status_rejetee_cloture"][English], "Declared", labels["told"][English], labels["told_more"][English],
		} {
			if !strings.Contains(strings.ToLower(page), strings.ToLower(want)) {
				t.Errorf("%s has no %q", name, want)
			}
		}
		if n := strings.Count(page, "prf_20261001_000000_0000bb:"); n != 1 {
			t.Errorf("%s lists one missing proof %d times, want once", name, n)
		}
	}
}

// A page of a run with a weakened check says so at its top, in every format.
func TestUnfitPagesSaySo(t *testing.T) {
	r := sample()
	r.Unfit = []string{"--insecure-without-freeze"}
	for name, b := range written(t, writeFolder(t, r, French)) {
		if name == "replay.json" || !strings.HasSuffix(name, "index.json") {
			if !bytes.Contains(b, []byte("--insecure-without-freeze")) {
				t.Errorf("%s does not say that the run is unfit for publication", name)
			}
		}
		if !strings.HasSuffix(name, ".json") && !bytes.Contains(b, []byte("non opposable")) {
			t.Errorf("%s is not marked as a rehearsal", name)
		}
	}
}

// TestNoCountedVerdict: where the published distribution counts no verdict, the row of the best constant answer names none.
func TestNoCountedVerdict(t *testing.T) {
	r := sample()
	for i := range r.Tracks {
		r.Tracks[i].BestConstant = BestConstant{Success: Success{0, 10, "0.00"}}
	}
	pages := written(t, writeFolder(t, r, English))
	var text bytes.Buffer
	if err := Text(&text, r, English); err != nil {
		t.Fatal(err)
	}
	pages["text"] = text.Bytes()
	for name, b := range pages {
		for _, empty := range []string{"constant answer ()", "constant answer (``)", "(<code></code>)"} {
			if bytes.Contains(b, []byte(empty)) {
				t.Errorf("%s has %q", name, empty)
			}
		}
	}
}

// The command that a report gives survives a POSIX shell (quoting as IEEE 1003.1 §2.2.2 has it).
func TestShellWords(t *testing.T) {
	for in, want := range map[string]string{"agent-07": "agent-07", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "a;b": "'a;b'", "é": "'é'"} {
		if got := shellWord(in); got != want {
			t.Errorf("%q: found %s, want %s", in, got, want)
		}
	}
}

func TestReadableValues(t *testing.T) {
	for in, want := range map[string]string{`"B\u00e9ranger"`: `"Béranger"`, `"a\u202eb"`: `"a\u202eb"`, `"<&>"`: `"<&>"`, `"\ud83d\ude00"`: `"😀"`, "true": "true", "null": "null", "12": "12", `"a\nb"`: `"a\nb"`} {
		if got := readable(in); got != want {
			t.Errorf("%s: found %s, want %s", in, got, want)
		}
	}
}

func TestHas(t *testing.T) {
	r := sample()
	for word, want := range map[string]bool{"unsupported": true, "incident": true, "rejected": false, "other": false} {
		if got := r.Has(word); got != want {
			t.Errorf("%s: found %v, want %v", word, got, want)
		}
	}
	r.Incidents, r.Tracks = nil, nil
	if r.Has("unsupported") || r.Has("incident") {
		t.Error("an empty run has nothing")
	}
}

// What a submission says in free text is shown line by line, as it stands, beside the result (seed 000 §4).
func TestFreeTextIsQuoted(t *testing.T) {
	files := written(t, writeFolder(t, sample(), French))
	page := string(files["conformite/agent-01/report.html"])
	for _, want := range []string{"<h2 id=\"told\">" + labels["told"][French] + "</h2>", "<blockquote>L’agent « Étoile » &lt;n° 1&gt; &amp; Cie<br>a | b",
		`<br>line<br>break\u0009tab \u001b[31mred \u202eright to left<br>`, "# a heading | a bar</blockquote>", labels["told_more"][French]} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	text := string(files["conformite/agent-01/report.md"])
	for _, want := range []string{"\n> L’agent « Étoile » ", "\n> line  \n> break", "\n> \\# a heading \\| a bar  \n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q", want)
		}
	}
	if lines, whole := prose(strings.Repeat("é", longestProse)); whole || len(lines) != 1 || len(lines[0]) != longestProse || strings.Contains(lines[0], "\ufffd") {
		t.Errorf("%d lines, whole %v, want the beginning of one, cut between two letters", len(lines), whole)
	}
}
