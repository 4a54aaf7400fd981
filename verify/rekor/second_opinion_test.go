package rekor

import (
	"context"
	"crypto"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sigstore/rekor/pkg/generated/models"
	second "github.com/sigstore/rekor/pkg/verify"
	"github.com/sigstore/sigstore/pkg/signature"

	"github.com/ark-forge/proveit/verify"
)

// The second opinion is rekor's own client code. It is asked about every entry made here and every stored one; where it differs, the list below says
// how and why. Each trap of the library has a test of its own.

// opinion is what VerifyLogEntry says of the only entry of a file: "accepts", "refuses" or "panics".
func opinion(t *testing.T, b []byte, key crypto.PublicKey) (says string) {
	t.Helper()
	var file models.LogEntry
	if err := json.Unmarshal(b, &file); err != nil || len(file) != 1 {
		return "refuses"
	}
	verifier, err := signature.LoadVerifier(key, crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() != nil {
			says = "panics"
		}
	}()
	for _, e := range file {
		if err := second.VerifyLogEntry(context.Background(), &e, verifier); err != nil {
			return "refuses"
		}
	}
	return "accepts"
}

// trap makes an entry, shows what the library says of it, and demands our answer.
func trap(t *testing.T, set func(*forge), library string, want verify.Reason) {
	t.Helper()
	f := newForge(t)
	set(f)
	b := f.make(t)
	if got := opinion(t, b, f.logKey.Public()); got != library {
		t.Errorf("the library %s, want %s: the list of its traps has changed", got, library)
	}
	if _, err := f.judge(t, b); reasonOf(err) != want || (err == nil) != (want == "") {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestTrapWrongTreeSize(t *testing.T) {
	trap(t, inProof(func(p map[string]any) { p["treeSize"] = 12 }), "accepts", ReasonTreeSize)
}

func TestTrapNoCheckpoint(t *testing.T) {
	trap(t, inProof(func(p map[string]any) { delete(p, "checkpoint") }), "panics", ReasonShape)
}

func TestTrapWitnessSignature(t *testing.T) {
	trap(t, inNote(witnessFirst), "refuses", "")
	trap(t, inNote(witnessSecond), "refuses", "")
}

func TestTrapAnotherTree(t *testing.T) {
	trap(t, member(func(u *string, _ map[string]any) { *u = "108e9186e8c5677b" + (*u)[16:] }), "accepts", ReasonTree)
	trap(t, inHead(replace("506\n", "507\n")), "accepts", ReasonTree)
}

func TestTrapAnotherUUID(t *testing.T) {
	trap(t, member(func(u *string, _ map[string]any) { *u = (*u)[:16] + strings.Repeat("00", 32) }), "accepts", ReasonLeaf)
}

func TestTrapAnotherArtifact(t *testing.T) {
	f := newForge(t)
	b := f.make(t)
	f.artifact = []byte(strings.Repeat("ab", 32))
	if got := opinion(t, b, f.logKey.Public()); got != "accepts" {
		t.Errorf("the library %s, want accepts", got)
	}
	if _, err := f.judge(t, b); reasonOf(err) != ReasonArtifact {
		t.Errorf("got %v, want %s", err, ReasonArtifact)
	}
}

// whyStricter says, by our reason, why an entry that VerifyLogEntry accepts is refused here.
var whyStricter = map[verify.Reason]string{
	ReasonUUID:                "the UUID is never given to it",
	ReasonLeaf:                "the UUID is never given to it",
	ReasonTree:                "the UUID is never given to it, nor the log's tree",
	ReasonTreeSize:            "it does not compare treeSize with the checkpoint",
	ReasonLogIndex:            "it does not compare the two indexes",
	ReasonShardOffset:         "it knows no offsets",
	ReasonLogID:               "it does not compare logID with the key",
	ReasonCheckpointOrigin:    "it knows no name of the log",
	ReasonCheckpointSignature: "it does not read the name on the signature line, and asks no second line of the same key",
	ReasonCheckpointSyntax:    "its note and checkpoint readers take leading zeros, loose base64, blank lines",
	ReasonKind:                "it does not open the body",
	ReasonBody:                "it does not open the body",
	ReasonArtifact:            "it is given no artifact",
	ReasonSubmitterKey:        "it does not open the body",
	ReasonSignature:           "it does not open the body",
	ReasonShape:               "encoding/json takes unknown members, the last of repeated ones, names in another case, upper-case hex",
}

// whyLooser says why an entry that VerifyLogEntry refuses is accepted here, by the name of the variant.
var whyLooser = map[string]string{
	"witness first":                "C2SP signed-note: signatures of unknown keys are ignored, in any order",
	"witness second":               "C2SP signed-note: signatures of unknown keys are ignored, in any order",
	"witness under the log's name": "C2SP signed-note: a key is a name and a hint; another hint is another key",
	"array of one":                 "the form in which the log's retrieve call answers; the models have no type for it",
}

func TestSecondOpinionOnMade(t *testing.T) {
	compared, given := 0, map[verify.Reason]bool{}
	for group, faults := range map[string][]fault{
		"index": indexFaults, "uuid": uuidFaults, "body": bodyFaults, "path": pathFaults, "head": headFaults, "note": noteFaults,
		"submitter": submitterFaults, "shape": shapeFaults(),
	} {
		for _, c := range faults {
			f := newForge(t)
			c.set(f)
			compared++
			says := opinion(t, f.make(t), f.logKey.Public())
			given[c.want] = given[c.want] || says == "accepts"
			if says == "accepts" && whyStricter[c.want] == "" {
				t.Errorf("%s/%s: the library accepts, we refuse for %s, and no reason is given", group, c.name, c.want)
			}
		}
	}
	for _, c := range accepted {
		f := newForge(t)
		c.set(f)
		compared++
		says := opinion(t, f.make(t), f.logKey.Public())
		if (says == "accepts") != (whyLooser[c.name] == "") {
			t.Errorf("%s: the library %s, and the list says %q", c.name, says, whyLooser[c.name])
		}
	}
	for r := range whyStricter {
		if !given[r] {
			t.Errorf("the library accepts nothing that is refused for %s: strike it off the list", r)
		}
	}
	if compared < 150 {
		t.Errorf("compared %d entries, want at least 150", compared)
	}
}

// TestSecondOpinionOnStored asks about the stored cases and the real entry: whatever we accept, the library accepts too, but for witnesses.
func TestSecondOpinionOnStored(t *testing.T) {
	log := sharedLog(t, "rekor.exam.test", "cases/rekor/log.pub.pem", nil)
	files, _ := filepath.Glob(shared + "cases/rekor/out/*.json")
	if len(files) < 56 {
		t.Fatalf("found %d files, want at least 56", len(files))
	}
	counts := map[string]int{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = VerifyPromises(parseOne(t, b), []Log{log})
		says := opinion(t, b, log.Key)
		counts[fmt.Sprintf("%s, ours %v", says, err == nil)]++
		if err == nil && says != "accepts" && !strings.Contains(file, "r07_witness") {
			t.Errorf("%s: accepted here, the library %s", file, says)
		}
		if err != nil && says == "accepts" && whyStricter[reasonOf(err)] == "" {
			t.Errorf("%s: refused here for %s, the library accepts", file, reasonOf(err))
		}
	}
	// Measured: it panics on 14 of the 24 files with a member missing or null.
	if got := counts["panics, ours false"]; got != 14 {
		t.Errorf("the library panics on %d files, want 14", got)
	}
	real := sharedLog(t, "rekor.sigstore.dev", "real/trust/rekor/rekor.sigstore.dev.pem", nil)
	if says := opinion(t, readShared(t, "real/rekor/rekor_entry_proof_2.0.json"), real.Key); says != "accepts" {
		t.Errorf("the library %s the real entry", says)
	}
}
