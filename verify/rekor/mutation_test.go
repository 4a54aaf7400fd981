package rekor

import (
	"bytes"
	"crypto/elliptic"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// essence is all that an accepted entry says. Two accepted files with one essence may still differ in what no signature covers:
//
//   - white space, the spelling of JSON strings, the order of members, the array around the object;
//   - the member "attestation", which is ignored;
//   - in the checkpoint, signature lines of others than the log, repeated lines, and the order of lines;
//   - the tree id at the head of the UUID, where it is left out.
//
// An ECDSA signature has a second half that holds as well (TestExamOtherHalf); no change of bits finds it by chance.
func essence(l Log, e Entry) string {
	n, _, _ := splitNote(e.proof.checkpoint)
	lines := map[string]bool{}
	for _, s := range n.signatures {
		if s.name == l.Name && s.hint == [hintSize]byte(e.logID[:hintSize]) {
			lines[string(s.signature)] = true
		}
	}
	e.proof.checkpoint = ""
	return fmt.Sprintf("%s %x %d %s %d %v %x %q %v", e.leaf, e.body, e.integratedTime, e.logID, e.logIndex, e.proof, e.set, n.text, lines)
}

// TestExamBits flips every bit of a file, one at a time: none is accepted, and each is refused by the answer or the syntax, never by
// an error of another kind.
func TestExamBits(t *testing.T) {
	f := newForge(t)
	valid := f.make(t)
	logs := []Log{f.log()}
	reasons := map[verify.Reason]int{}
	for i := range valid {
		for bit := range 8 {
			b := bytes.Clone(valid)
			b[i] ^= 1 << bit
			err := verifyFile(b, f.artifact, logs)
			if err == nil {
				t.Fatalf("byte %d bit %d (%q for %q): accepted", i, bit, b[i], valid[i])
			}
			var s *canon.SyntaxError
			if reason := reasonOf(err); reason == "" && !errors.As(err, &s) {
				t.Fatalf("byte %d bit %d: got %v, want a failure or a syntax error", i, bit, err)
			} else {
				reasons[reason]++
			}
		}
	}
	for _, want := range []verify.Reason{"", ReasonShape, ReasonUUID, ReasonBody, ReasonLogID, ReasonSET, ReasonLeaf, ReasonInclusion, ReasonTree,
		ReasonCheckpointSyntax, ReasonCheckpointSignature} {
		if reasons[want] == 0 {
			t.Errorf("no change was refused for %q", want)
		}
	}
	t.Logf("exam of log entries, one bit: %d mutations, 0 accepted, 0 on the list of informational places", len(valid)*8)
}

// verifyFile is nil where the file gives at least one entry and each of them holds.
func verifyFile(b, artifact []byte, logs []Log) error {
	entries, err := ParseEntries("entry.json", b)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return &verify.Failure{Reason: ReasonShape, Wanted: "an entry"}
	}
	for _, e := range entries {
		if _, err := Verify(e, artifact, logs); err != nil {
			return err
		}
	}
	return nil
}

// TestExamBytes takes each byte away, doubles it, and puts a space or a comma before it. What is accepted says the same.
func TestExamBytes(t *testing.T) {
	f := newForge(t)
	valid := f.make(t)
	log := f.log()
	want := essence(log, parseOne(t, valid))
	same, ran := 0, 0
	for i := range valid {
		for _, b := range [][]byte{
			slices.Concat(valid[:i], valid[i+1:]), slices.Concat(valid[:i+1], valid[i:]), slices.Concat(valid[:i], []byte(" "), valid[i:]),
			slices.Concat(valid[:i], []byte(","), valid[i:]), valid[:i],
		} {
			ran++
			if verifyFile(b, f.artifact, []Log{log}) != nil {
				continue
			}
			if got := essence(log, parseOne(t, b)); got != want {
				t.Fatalf("byte %d: accepted with another meaning: %q", i, b)
			}
			same++
		}
	}
	// A space is free before each token and nowhere else.
	if tokens := len(jsonTokens(t, valid)); same != tokens {
		t.Errorf("%d changes were accepted, want one for each of %d tokens", same, tokens)
	}
	t.Logf("exam of log entries, one byte: %d mutations, 0 accepted, %d on the list of informational places", ran, same)
}

// jsonTokens are the tokens of a compact document: strings, numbers, brackets, colons and commas.
func jsonTokens(t *testing.T, b []byte) []string {
	t.Helper()
	return regexp.MustCompile(`"[^"]*"|[0-9]+|[][{}:,]`).FindAllString(strings.ReplaceAll(string(b), `\n`, "LF"), -1)
}

// TestExamOtherHalf records what ECDSA allows: (r, n-s) holds where (r, s) does. Rekor itself signs with either half, so neither is refused.
func TestExamOtherHalf(t *testing.T) {
	f := newForge(t)
	f.after = func(_ *string, e map[string]any) {
		v := e["verification"].(map[string]any)
		der, err := canon.DecodeBase64(v["signedEntryTimestamp"].(string))
		if err != nil {
			t.Fatal(err)
		}
		var sig struct{ R, S *big.Int }
		if _, err := asn1.Unmarshal(der, &sig); err != nil {
			t.Fatal(err)
		}
		sig.S.Sub(elliptic.P256().Params().N, sig.S)
		if der, err = asn1.Marshal(sig); err != nil {
			t.Fatal(err)
		}
		v["signedEntryTimestamp"] = canon.EncodeBase64(der)
	}
	if _, err := f.judge(t, f.make(t)); err != nil {
		t.Error(err)
	}
	t.Logf("exam of log entries, the other half of a signature: 1 mutations, 0 accepted, 1 on the list of informational places")
}

// FuzzVerify changes files that hold. What is still accepted says what one of them says: see essence.
func FuzzVerify(f *testing.F) {
	forge := newForge(f)
	log := forge.log()
	known := map[string]bool{}
	for _, c := range accepted {
		variant := newForge(f)
		c.set(variant)
		b := variant.make(f)
		entries, err := ParseEntries("entry.json", b)
		if err != nil {
			f.Fatal(err)
		}
		known[essence(log, entries[0])] = true
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := ParseEntries("entry.json", b)
		if err != nil {
			return
		}
		for _, e := range entries {
			logged, err := Verify(e, forge.artifact, []Log{log})
			promised, errPromises := VerifyPromises(e, []Log{log})
			if err == nil && (errPromises != nil || promised.UUID != logged.UUID) {
				t.Fatalf("verified as %s, but the promises give %v", logged.UUID, errPromises)
			}
			if errPromises == nil && !known[essence(log, e)] {
				t.Fatalf("accepted with another meaning: %q", b)
			}
		}
	})
}

// FuzzParseEntries reads any bytes: no panic, and only the two kinds of error.
func FuzzParseEntries(f *testing.F) {
	forge := newForge(f)
	f.Add(forge.make(f))
	f.Add([]byte(`[{"a":{}},null,{}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := ParseEntries("entry.json", b)
		var s *canon.SyntaxError
		if err != nil && !errors.As(err, &s) && reasonOf(err) != ReasonShape {
			t.Fatalf("an error of another kind: %v", err)
		}
		for _, e := range entries {
			_, found := e.For(e.UUID)
			if e.Failure == nil && !found {
				t.Fatalf("entry %q is well formed but not found under its own UUID", e.UUID)
			}
			if e.Failure != nil && (e.Failure.Reason == "" || e.Failure.File != "entry.json" || e.body != nil) {
				t.Fatalf("malformed entry: %+v", e)
			}
		}
	})
}

// FuzzCheckpoint writes back what it read: a note and a tree head that are accepted have one spelling.
func FuzzCheckpoint(f *testing.F) {
	for _, s := range []string{
		"log.example - 1\n11\nwF1SRoObl25PseskgSX1wk0aI43xFSfjtUBHhBdsAPE=\n\n\u2014 log.example AAAAAAEC\n",
		"log.example - 1\n11\nwF1SRoObl25PseskgSX1wk0aI43xFSfjtUBHhBdsAPE=\nTimestamp: 1\n\n\u2014 a AAAAAAEC\n\u2014 b AAAAAAEC\n",
		"\n\n\n", "a\n\n\u2014 \n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, found, wanted := splitNote(s)
		if (wanted == "") != (found == "") || (wanted == "") != (len(n.signatures) > 0) {
			t.Fatalf("half an answer: %+v, %q, %q", n, found, wanted)
		}
		if wanted != "" {
			return
		}
		again := n.text + "\n"
		for _, sig := range n.signatures {
			again += signaturePrefix + sig.name + " " + canon.EncodeBase64(append(sig.hint[:], sig.signature...)) + "\n"
		}
		if again != s {
			t.Fatalf("read %q, wrote %q", s, again)
		}
		if head, ok := parseTreeHead(n.text); ok {
			first := head.origin + "\n" + decimal(head.size) + "\n" + canon.EncodeBase64(head.root[:]) + "\n"
			if !strings.HasPrefix(n.text, first) {
				t.Fatalf("read %q, wrote %q", n.text, first)
			}
		}
	})
}
