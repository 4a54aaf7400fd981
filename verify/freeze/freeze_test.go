package freeze

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
)

func TestHolds(t *testing.T) {
	r, err := run(t, "", "", nil, judged, Options{})
	if err != nil || r.Outcome() != verify.Holds || faults(r) != "" {
		t.Fatalf("%v %s", err, faults(r))
	}
	if len(r.Freezes) != 2 || r.Freezes[0].Status != Superseded || r.Freezes[0].Reason != "older" || len(r.Freezes[1].Bound) != 4 ||
		!r.Freezes[1].Bound[3].Salted || strings.Join(r.Anchored, " ") != strings.Join(currentFiles, " ") ||
		strings.Join(r.Declared, " ") != "season.json enrolments.json" {
		t.Errorf("%+v", r)
	}
	// one check each for proof, request, bindings and opening (of the current one), then four files that must be covered
	if n := len(r.All()); n != 3+7+4 {
		t.Errorf("%d checks", n)
	}
}

// TestRefusals: one fault, and the checks that do not hold because of it. Places are counted by hand.
func TestExamRefusals(t *testing.T) {
	ran, accepted := 0, 0
	defer func() {
		t.Logf("exam of a season's freezes: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	}()
	const f0, f1 = "/freezes/0", "/freezes/1"
	sumOf := func(name string) string { return canon.Sum([]byte(frozen[name])).String() }
	for _, c := range []struct {
		name, old, new string
		changed        folder
		outcome        verify.Outcome
		want           string
	}{
		{"key byte", "", "", folder{"freeze/key.json": "kez"}, verify.Differs, "freeze_binding failed binding_differs " + f1 + "/bindings/3"},
		{"manifest line end", "", "", folder{"corpus/manifest.json": "manifest"}, verify.Differs, "freeze_binding failed binding_differs " + f1 + "/bindings/0"},
		{"superseded file", "", "", folder{"freeze/superseded/b.json": "x"}, verify.Differs, "freeze_binding failed binding_differs " + f0 + "/bindings/0"},
		{"another salt", canon.Digest(salt).String(), strings.Repeat("0", 64), nil, verify.Differs, "freeze_binding failed binding_differs " + f1 + "/bindings/3"},
		{"key without salt", `"salt":"` + canon.Digest(salt).String() + `",`, "", nil, verify.Differs,
			"freeze_binding failed binding_differs " + f1 + "/bindings/3|freeze_covered failed key_binding_unsalted /freezes"},
		{"request edited", sumOf("freeze/b.md"), strings.Repeat("0", 64), nil, verify.Differs,
			"freeze_request failed freeze_request_differs " + f1 + "/request|freeze_binding failed binding_differs " + f1 + "/bindings/2"},
		{"amount as integer", `"amount":0.0`, `"amount":0`, nil, verify.Differs, "freeze_request failed freeze_request_differs " + f0 + "/request"},
		{"no value at the pointer", `{"pointer":"/payload/freeze~1b.md"`, `{"pointer":"/payload/freeze~1c.md"`, nil, verify.Differs,
			"freeze_binding failed binding_without_value " + f1 + "/bindings/2"},
		{"index with a leading zero", `{"pointer":"/payload/freeze~1b.md"`, `{"pointer":"/payload/00"`, nil, verify.Differs,
			"freeze_binding failed binding_without_value " + f1 + "/bindings/2"},
		{"no hash at the pointer", `{"pointer":"/payload/freeze~1b.md"`, `{"pointer":"/target"`, nil, verify.Differs,
			"freeze_binding failed binding_without_value " + f1 + "/bindings/2"},
		{"not bound", `,{"pointer":"/payload/freeze~1b.md","file":"freeze/b.md"}`, "", nil, verify.Differs, "freeze_covered failed binding_missing /freezes"},
		{"bound by a superseded freeze alone", `"status":"current"`, `"status":"superseded","reason":"again"`, nil, verify.Differs,
			strings.Repeat("freeze_covered failed binding_missing /freezes|", 3) + "freeze_covered failed binding_missing /freezes"},
		{"bound file missing", "", "", folder{"freeze/superseded/b.json": ""}, verify.Incomplete, "freeze_binding skipped bound_file_missing " + f0 + "/bindings/0/file"},
		{"freeze.json missing", "", "", folder{"freeze/freeze.json": ""}, verify.Incomplete, "freeze_file skipped freeze_file_missing /freeze"},
	} {
		r, err := run(t, c.old, c.new, c.changed, judged, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if ran++; r.Outcome() == verify.Holds {
			accepted++
		}
		if got := faults(r); got != c.want || r.Outcome() != c.outcome {
			t.Errorf("%s: %s %s\nwant %s %s", c.name, r.Outcome(), got, c.outcome, c.want)
		}
		if c.outcome == verify.Incomplete && (len(r.Missing) != 1 || r.Missing[0].Kind != KindFile) {
			t.Errorf("%s: missing %v", c.name, r.Missing)
		}
	}
}

// TestExamProofs: what becomes of the proof of the current freeze.
func TestExamProofs(t *testing.T) {
	ran, accepted, held := 0, 0, 0
	defer func() {
		t.Logf("exam of a freeze's proof: %d mutations, %d accepted, %d on the list of informational places", ran, accepted, held)
	}()
	const at = "/freezes/1/proof_id"
	for _, c := range []struct {
		name    string
		change  func(*proof.Result)
		outcome verify.Outcome
		want    string
	}{
		{"at the opening", func(r *proof.Result) { r.TokenTime = opens }, verify.Holds, ""},
		{"a nanosecond late", func(r *proof.Result) { r.TokenTime = opens.Add(1) }, verify.Differs, "freeze_opening failed freeze_after_opening " + at},
		{"another proof", func(r *proof.Result) { r.ProofID = idOld }, verify.Differs, "freeze_proof failed freeze_proof_differs " + at},
		{"another request", func(r *proof.Result) { r.Opened = &proof.Opened{} }, verify.Differs, "freeze_request failed freeze_request_differs /freezes/1/request"},
		{"valid, nothing opened", func(r *proof.Result) { r.Opened = nil }, verify.Differs, "freeze_request failed freeze_request_not_opened /freezes/1/request"},
		{"pending", func(r *proof.Result) { r.Outcome, r.TokenTime = proof.Pending, time.Time{} }, verify.Incomplete,
			"freeze_proof pending freeze_proof_pending " + at + "|freeze_opening skipped freeze_proof_missing " + at},
		{"incomplete", func(r *proof.Result) {
			*r = proof.Result{ProofID: idNew, Outcome: proof.Incomplete, Missing: []proof.Missing{{Kind: "proof", ID: idNew}}}
		}, verify.Incomplete, "freeze_proof skipped freeze_proof_missing " + at +
			"|freeze_request skipped freeze_proof_missing /freezes/1/request|freeze_opening skipped freeze_proof_missing " + at},
		{"zero", func(r *proof.Result) { *r = proof.Result{} }, verify.Differs, "freeze_proof failed freeze_proof_invalid " + at +
			"|freeze_request skipped freeze_request_not_opened /freezes/1/request|freeze_opening failed freeze_proof_invalid " + at},
		{"invalid", func(r *proof.Result) {
			r.Outcome = proof.Invalid
			r.Checks = verify.Checks{
				{Name: proof.CheckIdentity, Status: verify.Failed, Detail: &verify.Failure{Reason: "identity_differs"}},
				verify.Failing(proof.CheckBatchPath, false, &verify.Failure{Reason: "audit_path_length", Pointer: "/batch_anchor"}),
			}
		}, verify.Differs, "freeze_proof failed audit_path_length /batch_anchor"},
	} {
		r, err := run(t, "", "", nil, func(id string, d proof.Disclosures) proof.Result {
			result := judged(id, d)
			if id == idNew {
				c.change(&result)
			}
			return result
		}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ran++
		switch {
		case r.Outcome() == verify.Holds && c.outcome == verify.Holds:
			held++ // a token at the opening itself
		case r.Outcome() == verify.Holds:
			accepted++
		}
		if got := faults(r); got != c.want || r.Outcome() != c.outcome {
			t.Errorf("%s: %s %s\nwant %s %s", c.name, r.Outcome(), got, c.outcome, c.want)
		}
	}
}

// TestSupersededMayBeLate: the opening binds current freezes alone.
func TestSupersededMayBeLate(t *testing.T) {
	r, err := run(t, "", "", nil, func(id string, d proof.Disclosures) proof.Result {
		result := judged(id, d)
		if id == idOld {
			result.TokenTime = opens.Add(time.Hour)
		}
		return result
	}, Options{})
	if err != nil || r.Outcome() != verify.Holds {
		t.Errorf("%v %s", err, faults(r))
	}
}

func TestExamAcceptedProofs(t *testing.T) {
	ran, accepted := 0, 0
	const stranger = "prf_20260901_000000_000000"
	for _, c := range []struct {
		proofs []string
		want   string
	}{
		{[]string{idOld, idNew}, ""},
		{[]string{idNew}, "freeze_accepted failed freeze_not_accepted /freezes/0/proof_id"},
		{[]string{idOld, idNew, stranger}, "freeze_accepted failed freeze_not_listed /freezes"},
	} {
		r, err := run(t, "", "", nil, judged, Options{Proofs: c.proofs})
		if err != nil || faults(r) != c.want || (r.Outcome() == verify.Holds) != (c.want == "") {
			t.Errorf("%v: %v %s, want %s", c.proofs, err, faults(r), c.want)
		}
		if c.want != "" {
			if ran++; err == nil && r.Outcome() == verify.Holds {
				accepted++
			}
		}
	}
	t.Logf("exam of the freezes insisted on: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
}

func TestUnreadable(t *testing.T) {
	if _, err := run(t, "", "", folder{"freeze/key.json": unreadable}, judged, Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}

// TestExamMalformed: the organizer's file is not judged, it cannot be read.
func TestExamMalformed(t *testing.T) {
	ran, accepted := 0, 0
	a64 := strings.Repeat("a", 64)
	for _, c := range []struct{ name, old, new, pointer string }{
		{"format", "freeze/v1", "freeze/v2", "/format"},
		{"unknown member", `"status":"current"`, `"status":"current","note":""`, "/freezes/1/note"},
		{"member missing", `"status":"current",`, ``, "/freezes/1"},
		{"status", `"current"`, `"actuel"`, "/freezes/1/status"},
		{"reason missing", `"reason":"older",`, ``, "/freezes/0"},
		{"proof id", idOld, "prf_20260909_235453_A7d1c7", "/freezes/0/proof_id"},
		{"one proof twice", idOld, idNew, "/freezes/1/proof_id"},
		{"request text", `"request":{"target":"https://s.example/gel"`, `"request":"x","request2":{"target":""`, "/freezes/0/request2"},
		{"disclosures", `"request_hash":{"nonce":"` + a64, `"request_hash":{"nonce":"` + a64[1:], "/freezes/0/disclosures"},
		{"path upwards", `"file":"freeze/b.md"`, `"file":"../b.md"`, "/freezes/1/bindings/2/file"},
		{"path absolute", `"file":"freeze/b.md"`, `"file":"/freeze/b.md"`, "/freezes/1/bindings/2/file"},
		{"path with backslash", `"file":"freeze/b.md"`, `"file":"freeze\\b.md"`, "/freezes/1/bindings/2/file"},
		{"path of another spelling", `"file":"freeze/b.md"`, `"file":"freeze/./b.md"`, "/freezes/1/bindings/2/file"},
		{"pointer", `"pointer":"/payload/freeze~1b.md"`, `"pointer":"payload"`, "/freezes/1/bindings/2/pointer"},
		{"salt short", `"salt":"0102`, `"salt":"01`, "/freezes/1/bindings/3/salt"},
		{"salt number", `"salt":"` + canon.Digest(salt).String() + `"`, `"salt":1`, "/freezes/1/bindings/3/salt"},
		{"duplicate member", `"status":"current"`, `"status":"superseded","status":"current"`, "/freezes/1/status"},
		{"no binding", bindings("freeze/superseded/b.json"), `[]`, "/freezes/0/bindings"},
	} {
		_, err := run(t, c.old, c.new, nil, judged, Options{})
		var at *canon.SyntaxError
		if !errors.As(err, &at) || at.Pointer != c.pointer || at.File != "freeze/freeze.json" {
			t.Errorf("%s: %v, want a fault at %s", c.name, err, c.pointer)
		}
		if at != nil && strings.Contains(at.Found, "want ") { // a sentence of another error, with its own "found" and "want"
			t.Errorf("%s: found %q", c.name, at.Found)
		}
		if ran++; err == nil {
			accepted++
		}
	}
	t.Logf("exam of freeze.json: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	for _, text := range []string{``, `[]`, `{}`, `{"format":"proveit.freeze/v1","freezes":[]}`, `{"format":"proveit.freeze/v1","freezes":[7]}`} {
		if records, err := Parse("f", []byte(text)); err == nil || records != nil {
			t.Errorf("%s: taken", text)
		}
	}
}

// TestExamEmptyReport: nothing checked is never success.
func TestExamEmptyReport(t *testing.T) {
	if o := (&Report{}).Outcome(); o != verify.Differs {
		t.Error(o)
	}
	if o := (&Report{Checks: verify.Checks{{Name: CheckFile}}}).Outcome(); o != verify.Differs {
		t.Error(o)
	}
}

func TestCommit(t *testing.T) {
	c, err := Commit([]Material{{Name: "freeze/key.json", Bytes: []byte("key"), Salt: &salt}, {Name: "corpus/manifest.json", Bytes: []byte("manifest\n")}})
	if err != nil {
		t.Fatal(err)
	}
	// python3: hashlib.sha256(bytes([1,2,3]+[0]*29)+b"key"), hashlib.sha256(b"manifest\n")
	want := `{"files":{"corpus/manifest.json":"7021e610a5f62eefd01830fea68e5fa180e8cf017c08ea0890c326b2854ebc96","freeze/key.json":"e71d84db6dfde55858c07a4e20a26379a96d95ef15b19b3a01e72bfd0a9e72ec"}}`
	if string(c.Payload) != want {
		t.Errorf("%s", c.Payload)
	}
	text, err := c.Request("https://s.example/gel")
	if err != nil {
		t.Fatal(err)
	}
	// What was committed is what Verify asks for: each hash stands at its pointer.
	v, err := canon.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Entries {
		p, err := canon.ParsePointer(e.Pointer)
		if err != nil {
			t.Fatal(err)
		}
		if got, f := anchoredHash(v, p); f != nil || got != e.Hash {
			t.Errorf("%s: %v %v", e.Pointer, got, f)
		}
	}
	if !strings.Contains(string(text), `"amount":0.0`) {
		t.Errorf("%s", text)
	}
	list, err := c.Bindings()
	if err != nil || !strings.Contains(string(list), `"salt":"010203`) {
		t.Errorf("%s %v", list, err)
	}
	for _, bad := range [][]Material{nil, {{Name: "../x"}}, {{Name: ""}}, {{Name: "a"}, {Name: "a"}}} {
		if _, err := Commit(bad); err == nil {
			t.Errorf("%v: taken", bad)
		}
	}
}

// FuzzParse: what is read has the shape that Verify relies on, and nothing panics on the way to a report.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sound()))
	f.Add([]byte(`{"format":"proveit.freeze/v1","freezes":[{}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		records, err := Parse("f", b)
		if (err == nil) != (records != nil) {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			if !proof.IsID(r.ProofID) || r.Request.Kind() != canon.Object || len(r.Bindings) == 0 || r.Status == Superseded && r.Reason == "" {
				t.Errorf("%+v", r)
			}
		}
		files := folder{"freeze/freeze.json": string(b), "corpus/manifest.json": "m"}
		if report, err := Verify(files, seasonOf, judged, Options{}); err == nil && report.Outcome() == verify.Holds {
			t.Errorf("holds without any file")
		}
	})
}
