package rekor

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
)

// These tests read what lies beside the repository, in place: entries made by a Python program that shares no code with this one, and one
// entry of the public log.

const shared = "../../../shared/"

func readShared(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(shared + name)
	if err != nil {
		t.Skipf("nothing beside the repository: %v", err)
	}
	return b
}

func sharedLog(t *testing.T, name, pemFile string, offsets map[string]uint64) Log {
	t.Helper()
	block, _ := pem.Decode(readShared(t, pemFile))
	if block == nil {
		t.Fatalf("%s: no PEM", pemFile)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return Log{Name: name, Key: key, Offsets: offsets}
}

// parseOne reads a file that holds one entry.
func parseOne(t *testing.T, b []byte) Entry {
	t.Helper()
	entries, err := ParseEntries("entry.json", b)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Fatalf("found %d entries, want 1", len(entries))
	}
	return entries[0]
}

func reasonOf(err error) verify.Reason {
	var f *verify.Failure
	if errors.As(err, &f) {
		return f.Reason
	}
	return ""
}

// caseReasons is why each refused case must be refused: read off what its generator changed, by the prefix of the file's name.
var caseReasons = map[string]verify.Reason{
	"r01_global_below_local":           ReasonLogIndex,
	"r01_global_not_offset_plus_local": ReasonShardOffset,
	"r02_":                             ReasonLeaf,
	"r03_":                             ReasonArtifact,
	"r06_other_origin_same_key":        ReasonCheckpointSignature, // the signature line has the other name too
	"r06_other_tree_same_host":         ReasonTree,
	"r06_signature_name_not_log":       ReasonCheckpointSignature,
	"r07_":                             ReasonCheckpointSignature,
	"r09_":                             ReasonShape,
	"r11_single_leaf_extra_hash":       merkle.ReasonPathLength,
	"r11_path_short":                   merkle.ReasonPathLength,
	"r11_path_long":                    merkle.ReasonPathLength,
	"r11_path_empty":                   merkle.ReasonPathLength,
	"r11_path_swapped":                 ReasonInclusion,
	"r11_index_ge_size":                merkle.ReasonLeafIndex,
	"r11_index_negative":               ReasonShape,
	"r13_":                             ReasonSET,
	"r15_body_base64_newline":          ReasonBody,
	"r15_size_leading_zeros":           ReasonCheckpointSyntax,
	"r15_":                             ReasonCheckpointSyntax,
}

func caseReason(name string) verify.Reason {
	best := ""
	for prefix := range caseReasons {
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return caseReasons[best]
}

func TestCases(t *testing.T) {
	var expect map[string]struct{ Expect, Why, Artifact string }
	if err := json.Unmarshal(readShared(t, "cases/rekor/expect.json"), &expect); err != nil {
		t.Fatal(err)
	}
	// trust.json: the name, the tree and its offset.
	log := sharedLog(t, "rekor.exam.test", "cases/rekor/log.pub.pem", map[string]uint64{"1193050959916656506": 5000})
	files, err := filepath.Glob(shared + "cases/rekor/out/*.json")
	if err != nil || len(files) < 56 || len(files) != len(expect) {
		t.Fatalf("found %d files and %d expectations, want at least 56 of each", len(files), len(expect))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			want, ok := expect[name]
			if !ok {
				t.Fatal("no expectation")
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Verify(parseOne(t, b), []byte(want.Artifact), []Log{log})
			if want.Expect == "accept" {
				if err != nil {
					t.Fatalf("refused: %v; want accepted: %s", err, want.Why)
				}
				return
			}
			if got := reasonOf(err); got != caseReason(name) || got == "" {
				t.Fatalf("got %v, want %s: %s", err, caseReason(name), want.Why)
			}
			if member, ok := strings.CutPrefix(name, "r09_"); ok {
				_, member, _ = strings.Cut(member, "_")
				checkNamed(t, err, strings.TrimPrefix(member, "proof_"))
			}
		})
	}
}

// checkNamed demands that the failure names the member, by its pointer.
func checkNamed(t *testing.T, err error, member string) {
	t.Helper()
	var f *verify.Failure
	errors.As(err, &f)
	last := f.Pointer[strings.LastIndex(f.Pointer, "/")+1:]
	if member == "set" {
		member = "signedentrytimestamp"
	}
	if strings.ToLower(last) != member {
		t.Fatalf("got pointer %s, want one that ends in %s", f.Pointer, member)
	}
}

// TestRealEntry judges an entry of the public log. Its values were read with python3's json and openssl.
func TestRealEntry(t *testing.T) {
	b := readShared(t, "real/rekor/rekor_entry_proof_2.0.json")
	const tree = "1193050959916656506"
	log := sharedLog(t, "rekor.sigstore.dev", "real/trust/rekor/rekor.sigstore.dev.pem", map[string]uint64{tree: 121904262})
	// hashes.chain of the proof that the entry is about.
	artifact := []byte("242d07519cf9d8346cb93c696d60ef050e3a76f9ea16674902d58e628966dc2b")
	logged, err := Verify(parseOne(t, b), artifact, []Log{log})
	if err != nil {
		t.Fatal(err)
	}
	const uuid = "108e9186e8c5677a5692ebcc5fe5239da7cf482276e45e805ea3f32d197c1af75f3e7f85e93337b0"
	if logged.UUID != uuid || !logged.Is(uuid) || !logged.Is(uuid[16:]) || logged.Is(uuid[8:]) {
		t.Errorf("got uuid %s, want %s", logged.UUID, uuid)
	}
	if logged.LogIndex != 1018479057 || logged.TreeIndex != 896574795 || logged.TreeSize != 2695801602 || decimal(logged.TreeID) != tree {
		t.Errorf("got %+v", logged)
	}
	if got := logged.LogID.String(); got != "c0d23d6ad406973f9559f3ba2d1ca01f84147d8ffc5b8445c224f98b9591801d" {
		t.Errorf("got log id %s", got)
	}
	if got := logged.IntegratedTime.Format("2006-01-02T15:04:05Z07:00"); got != "2026-03-03T16:18:55Z" {
		t.Errorf("got integrated time %s", got)
	}
	if logged.Hash != "sha256:25a93efdebf454f029fcd69eb6442c0e2855ab51e5dff67ed3860abd31a5a0ae" || logged.Submitter.Carried != CarriedAsPublicKey {
		t.Errorf("got %s, %s", logged.Hash, logged.Submitter.Carried)
	}
	if _, err := VerifyPromises(parseOne(t, b), []Log{log}); err != nil {
		t.Errorf("without artifact: %v", err)
	}
	other := []byte("342d07519cf9d8346cb93c696d60ef050e3a76f9ea16674902d58e628966dc2b")
	if _, err := Verify(parseOne(t, b), other, []Log{log}); reasonOf(err) != ReasonArtifact {
		t.Errorf("over another artifact: got %v, want %s", err, ReasonArtifact)
	}
	log.Offsets[tree]++
	if _, err := Verify(parseOne(t, b), artifact, []Log{log}); reasonOf(err) != ReasonShardOffset {
		t.Errorf("with another offset: got %v, want %s", err, ReasonShardOffset)
	}
}
