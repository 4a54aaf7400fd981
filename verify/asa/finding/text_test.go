package finding

import (
	"strings"
	"testing"
)

// What a party writes stays on its line: a status with a line feed and a terminal's colour code makes no finding of its own.
func TestTextShowsControlCharacters(t *testing.T) {
	var r Report
	r.Log.Add(Finding{ID: ID("R004", "unknown-status"), Outcome: Gap, At: "a\n.json#/status", Declared: "x\nerror asa/R000/made-up\x1b[31m", Recomputed: "\u202eactive\u2028",
		Readings: []string{"y\r"}, Derivation: []string{"1\n=2"}})
	r.Answers = []Answer{{Name: "state", Value: "a\nb", Robust: true}}
	r.Unread = []Unread{{"c\n", "d\x07"}}
	text := r.Text("en", true)
	for _, want := range []string{`x\u000aerror asa/R000/made-up\u001b[31m`, `\u202eactive\u2028`, `a\u000a.json`, `y\u000d`, `1\u000a=2`, `a\u000ab`, `c\u000a: d\u0007`} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %s:\n%q", want, text)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "error asa/R000") {
			t.Errorf("a line of its own: %s", line)
		}
	}
}
