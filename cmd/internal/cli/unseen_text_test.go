package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestHostileTexts: what a party writes moves no cursor, turns no direction and begins no line on somebody's terminal, in whatever part of
// an answer or a complaint it stands.
func TestHostileTexts(t *testing.T) {
	const turned = "a\x1b[2J\u202e\u009b31m\nok       proof"
	pair := map[string]any{"nonce": strings.Repeat("0", 64), "value": strings.Repeat("0", 64)}
	const id = "prf_20260921_101233_ab12cd"
	good := map[string]any{"season": 1, "track": "conformite", "task_id": "conf-01", "agent_did": "did:web:agent.example", "verdict": "conforme",
		"assertions": []any{map[string]any{"id": turned, "claim": map[string]any{"resource": "/entites/" + turned, "field": "/" + turned, "value": turned},
			"proof_ids": []string{id}}},
		"disclosures": map[string]any{id: map[string]any{"request_hash": pair, "response_hash": pair}}}
	bad := map[string]any{turned: turned, "verdict": turned, "assertions": []any{map[string]any{"id": 1, turned: 1}}}
	dir := t.TempDir()
	var args [][]string
	for name, doc := range map[string]any{"good.json": good, "bad.json": bad} {
		b, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, []string{"submission", "check", path}, []string{"submission", "check", path, "--proofs", dir})
	}
	args = append(args, []string{"season", "replay", turned}, []string{"explain", turned})
	for _, a := range args {
		var out, complaints bytes.Buffer
		Main(context.Background(), a, Streams{In: strings.NewReader(""), Out: &out, Err: &complaints})
		if out.Len()+complaints.Len() == 0 {
			t.Errorf("%q: said nothing", a)
		}
		for _, text := range []string{out.String(), complaints.String()} {
			for line := range strings.Lines(text) {
				unseen := strings.IndexFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) })
				if unseen >= 0 || strings.HasPrefix(line, "ok       proof") && a[0] == "submission" {
					t.Errorf("%q: printed %q", a, line)
				}
			}
		}
	}
}
