package rekor

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/merkle"
)

// fault is one thing that differs from an entry that holds, and the reason for which it must be refused.
type fault struct {
	name string
	set  func(*forge)
	want verify.Reason
}

func member(change func(uuid *string, e map[string]any)) func(*forge) {
	return func(f *forge) { f.after = change }
}

func signedMember(change func(uuid *string, e map[string]any)) func(*forge) {
	return func(f *forge) { f.before = change }
}

func inProof(change func(p map[string]any)) func(*forge) {
	return func(f *forge) { f.proofHook = change }
}

func inBody(change func(body map[string]any)) func(*forge) {
	return func(f *forge) { f.body = change }
}

func inHead(change func(text string) string) func(*forge) {
	return func(f *forge) { f.head = change }
}

func inNote(change func(note string) string) func(*forge) {
	return func(f *forge) { f.note = change }
}

func replace(old, by string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, by, 1) }
}

func line(n int, by string) func(string) string {
	return func(s string) string {
		lines := strings.Split(s, "\n")
		lines[n] = by
		return strings.Join(lines, "\n")
	}
}

var indexFaults = []fault{
	{"signed global index below the local one", signedMember(func(_ *string, e map[string]any) { e["logIndex"] = 2 }), ReasonLogIndex},
	{"signed global index equal to the local one", signedMember(func(_ *string, e map[string]any) { e["logIndex"] = 3 }), ReasonShardOffset},
	{"signed global index one past the offset", signedMember(func(_ *string, e map[string]any) { e["logIndex"] = 5004 }), ReasonShardOffset},
	{"global index changed after signing", member(func(_ *string, e map[string]any) { e["logIndex"] = 5004 }), ReasonSET},
	{"integrated time changed after signing", member(func(_ *string, e map[string]any) { e["integratedTime"] = forgeTime + 1 }), ReasonSET},
	{"timestamp by another key", func(f *forge) { f.setKey = f.otherKey }, ReasonSET},
	{"timestamp of another entry", member(func(_ *string, e map[string]any) {
		v := e["verification"].(map[string]any)
		b, _ := base64.StdEncoding.DecodeString(v["signedEntryTimestamp"].(string))
		b[len(b)-1] ^= 1
		v["signedEntryTimestamp"] = base64.StdEncoding.EncodeToString(b)
	}), ReasonSET},
	{"log id of nobody", signedMember(func(_ *string, e map[string]any) { e["logID"] = strings.Repeat("ab", 32) }), ReasonLogID},
}

var uuidFaults = []fault{
	{"leaf hash of another body", member(func(u *string, _ map[string]any) { *u = (*u)[:16] + strings.Repeat("00", 32) }), ReasonLeaf},
	{"bare leaf hash of another body", member(func(u *string, _ map[string]any) { *u = strings.Repeat("00", 32) }), ReasonLeaf},
	{"tree id of another tree", member(func(u *string, _ map[string]any) { *u = "108e9186e8c5677b" + (*u)[16:] }), ReasonTree},
	{"upper case", member(func(u *string, _ map[string]any) { *u = strings.ToUpper(*u) }), ReasonUUID},
	{"one digit short", member(func(u *string, _ map[string]any) { *u = (*u)[1:] }), ReasonUUID},
	{"sign in the tree id", member(func(u *string, _ map[string]any) { *u = "+08e9186e8c5677a" + (*u)[16:] }), ReasonUUID},
	{"prefix", member(func(u *string, _ map[string]any) { *u = "sha256:" + (*u)[16:] }), ReasonUUID},
	{"empty", member(func(u *string, _ map[string]any) { *u = "" }), ReasonUUID},
}

var bodyFaults = []fault{
	{"rekord", inBody(func(b map[string]any) { b["kind"] = "rekord" }), ReasonKind},
	{"kind in another case", inBody(func(b map[string]any) { b["kind"] = "HashedRekord" }), ReasonKind},
	{"version 0.0.2", inBody(func(b map[string]any) { b["apiVersion"] = "0.0.2" }), ReasonKind},
	{"kind is a number", inBody(func(b map[string]any) { b["kind"] = 1 }), ReasonBody},
	{"no spec", inBody(func(b map[string]any) { delete(b, "spec") }), ReasonBody},
	{"spec null", inBody(func(b map[string]any) { b["spec"] = nil }), ReasonBody},
	{"spec has one more member", inBody(func(b map[string]any) { b["spec"].(map[string]any)["x"] = 1 }), ReasonBody},
	{"no data", inBody(func(b map[string]any) { delete(b["spec"].(map[string]any), "data") }), ReasonBody},
	{"no hash", inBody(func(b map[string]any) { delete(b["spec"].(map[string]any)["data"].(map[string]any), "hash") }), ReasonBody},
	{"no signature", inBody(func(b map[string]any) { delete(b["spec"].(map[string]any), "signature") }), ReasonBody},
	{"hash value null", inBody(func(b map[string]any) { hashOf(b)["value"] = nil }), ReasonBody},
	{"hash value in upper case", inBody(func(b map[string]any) { hashOf(b)["value"] = strings.ToUpper(hashOf(b)["value"].(string)) }), ReasonBody},
	{"unknown algorithm", inBody(func(b map[string]any) { hashOf(b)["algorithm"] = "sha1" }), ReasonBody},
	{"algorithm of another length", inBody(func(b map[string]any) { hashOf(b)["algorithm"] = "sha512" }), ReasonBody},
	{"another artifact's hash", inBody(func(b map[string]any) { hashOf(b)["value"] = strings.Repeat("ab", 32) }), ReasonArtifact},
	{"signature in loose base64", inBody(func(b map[string]any) { signatureOf(b)["content"] = signatureOf(b)["content"].(string) + "\n" }), ReasonBody},
	{"empty signature", inBody(func(b map[string]any) { signatureOf(b)["content"] = "" }), ReasonBody},
	{"key is no PEM", inBody(func(b map[string]any) { setKeyText(b, []byte("key")) }), ReasonSubmitterKey},
	{"PEM of another type", inBody(func(b map[string]any) {
		setKeyText(b, []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"))
	}), ReasonSubmitterKey},
	{"repeated member", func(f *forge) {
		f.leaf = func(b []byte) []byte { return []byte(strings.Replace(string(b), `{`, `{"kind":"hashedrekord",`, 1)) }
	}, ReasonBody},
	{"trailing text", func(f *forge) { f.leaf = func(b []byte) []byte { return append(b, "{}"...) } }, ReasonBody},
	{"not JSON", func(f *forge) { f.leaf = func([]byte) []byte { return []byte("hashedrekord") } }, ReasonBody},
	{"base64 with a line break", member(func(_ *string, e map[string]any) {
		e["body"] = e["body"].(string)[:20] + "\n" + e["body"].(string)[20:]
	}), ReasonBody},
	{"base64url", member(func(_ *string, e map[string]any) { e["body"] = "-" + e["body"].(string)[1:] }), ReasonBody},
	{"empty body", member(func(_ *string, e map[string]any) { e["body"] = "" }), ReasonBody},
}

var pathFaults = []fault{
	{"one sibling short", inProof(func(p map[string]any) { p["hashes"] = p["hashes"].([]string)[1:] }), merkle.ReasonPathLength},
	{"one sibling long", inProof(func(p map[string]any) { p["hashes"] = append(p["hashes"].([]string), strings.Repeat("ab", 32)) }), merkle.ReasonPathLength},
	{"empty path", inProof(func(p map[string]any) { p["hashes"] = []string{} }), merkle.ReasonPathLength},
	{"a thousand siblings", inProof(func(p map[string]any) { p["hashes"] = slices.Repeat([]string{strings.Repeat("ab", 32)}, 1000) }), merkle.ReasonPathLength},
	{"siblings in another order", inProof(func(p map[string]any) { h := p["hashes"].([]string); h[0], h[1] = h[1], h[0] }), ReasonInclusion},
	{"another root", inProof(func(p map[string]any) { p["rootHash"] = strings.Repeat("ab", 32) }), ReasonInclusion},
	{"index of the neighbour", inProof(func(p map[string]any) { p["logIndex"] = 2 }), ReasonInclusion},
	{"index equal to the size", inProof(func(p map[string]any) { p["logIndex"] = forgeSize }), merkle.ReasonLeafIndex},
	{"size 0", inProof(func(p map[string]any) { p["treeSize"] = 0 }), merkle.ReasonTreeSize},
	// Leaf 3 of 12 has the path of leaf 3 of 11, up to the same root: only the checkpoint tells the sizes apart.
	{"size 12 for 11", inProof(func(p map[string]any) { p["treeSize"] = 12 }), ReasonTreeSize},
	{"single leaf with a sibling", func(f *forge) {
		f.size = 1
		f.proofHook = func(p map[string]any) { p["hashes"] = []string{strings.Repeat("00", 32)} }
	}, merkle.ReasonPathLength},
}

var headFaults = []fault{
	{"other host", inHead(replace("log.example", "other.example")), ReasonCheckpointOrigin},
	{"other tree", inHead(replace("506\n", "507\n")), ReasonTree},
	{"no tree", inHead(line(0, "log.example")), ReasonCheckpointOrigin},
	{"tree with a leading zero", inHead(replace(" - ", " - 0")), ReasonCheckpointOrigin},
	{"tree with a sign", inHead(replace(" - ", " - +")), ReasonCheckpointOrigin},
	{"tree past 64 bits", inHead(line(0, "log.example - 18446744073709551616")), ReasonCheckpointOrigin},
	{"space after the tree", inHead(replace("506\n", "506 \n")), ReasonCheckpointOrigin},
	{"other size", inHead(line(1, "12")), ReasonTreeSize},
	{"other root", inHead(line(2, strings.Repeat("A", 43)+"=")), ReasonRoot},
	{"size with leading zeros", inHead(line(1, "0011")), ReasonCheckpointSyntax},
	{"size with a sign", inHead(line(1, "+11")), ReasonCheckpointSyntax},
	{"size in hex", inHead(line(1, "0xb")), ReasonCheckpointSyntax},
	{"empty root", inHead(line(2, "")), ReasonCheckpointSyntax},
	{"root of 31 bytes", inHead(line(2, base64.StdEncoding.EncodeToString(make([]byte, 31)))), ReasonCheckpointSyntax},
	{"root without padding", inHead(replace("=\n", "\n")), ReasonCheckpointSyntax},
	{"root with unused bits set", inHead(func(s string) string {
		i := strings.Index(s, "=\n") - 1
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		return s[:i] + string(alphabet[strings.IndexByte(alphabet, s[i])|1]) + s[i+1:]
	}), ReasonCheckpointSyntax},
	{"two lines", inHead(func(s string) string { return strings.Join(strings.SplitAfter(s, "\n")[:2], "") }), ReasonCheckpointSyntax},
	{"blank line in the text", inHead(func(s string) string { return s + "\nhidden\n" }), ReasonCheckpointSyntax},
	{"tab in an extension line", inHead(func(s string) string { return s + "a\tb\n" }), ReasonCheckpointSyntax},
}

var noteFaults = []fault{
	{"signed by another key", func(f *forge) { f.checkKey = f.otherKey }, ReasonCheckpointSignature},
	{"another key with the log's hint", inNote(func(s string) string {
		i := strings.LastIndex(s, " ") + 1
		b, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(s[i:], "\n"))
		b[len(b)-1] ^= 1
		return s[:i] + base64.StdEncoding.EncodeToString(b) + "\n"
	}), ReasonCheckpointSignature},
	{"another name on the signature line", func(f *forge) { f.name = "other.example" }, ReasonCheckpointSignature},
	{"text changed after signing", inNote(replace("\n11\n", "\n12\n")), ReasonCheckpointSignature},
	{"a second signature of the log that does not hold", inNote(func(s string) string {
		last := s[strings.LastIndex(s, "\u2014"):]
		i := strings.LastIndex(last, " ") + 1
		b, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(last[i:], "\n"))
		b[len(b)-1] ^= 1
		return s + last[:i] + base64.StdEncoding.EncodeToString(b) + "\n"
	}), ReasonCheckpointSignature},
	{"only a witness", inNote(func(s string) string {
		return s[:strings.Index(s, "\n\n")+2] + "\u2014 witness.example " + base64.StdEncoding.EncodeToString(make([]byte, 76)) + "\n"
	}), ReasonCheckpointSignature},
	{"no signature", inNote(func(s string) string { return s[:strings.Index(s, "\n\n")+2] }), ReasonCheckpointSyntax},
	{"no blank line", inNote(replace("\n\n", "\n")), ReasonCheckpointSyntax},
	{"two blank lines", inNote(replace("\n\n", "\n\n\n")), ReasonCheckpointSyntax},
	{"no final line feed", inNote(func(s string) string { return strings.TrimSuffix(s, "\n") }), ReasonCheckpointSyntax},
	{"blank line at the end", inNote(func(s string) string { return s + "\n" }), ReasonCheckpointSyntax},
	{"CRLF", inNote(func(s string) string { return string(crlf([]byte(s))) }), ReasonCheckpointSyntax},
	{"hyphen for the dash", inNote(replace("\u2014", "-")), ReasonCheckpointSyntax},
	{"junk line", inNote(func(s string) string { return s + "junk\n" }), ReasonCheckpointSyntax},
	{"name with a plus", inNote(replace("\u2014 log", "\u2014 l+g")), ReasonCheckpointSyntax},
	{"no name", inNote(replace("\u2014 log.example ", "\u2014  ")), ReasonCheckpointSyntax},
	{"signature with one more pad", inNote(func(s string) string { return strings.TrimSuffix(s, "\n") + "=\n" }), ReasonCheckpointSyntax},
	{"signature that is a hint alone", inNote(func(s string) string { return s + "\u2014 witness.example AAAAAA==\n" }), ReasonCheckpointSyntax},
	{"space at the end of the line", inNote(func(s string) string { return strings.TrimSuffix(s, "\n") + " \n" }), ReasonCheckpointSyntax},
	{"a hundred and one signatures", inNote(func(s string) string {
		return s + strings.Repeat("\u2014 witness.example "+base64.StdEncoding.EncodeToString(make([]byte, 76))+"\n", MaxSignatures)
	}), ReasonCheckpointSyntax},
	{"empty", inNote(func(string) string { return "" }), ReasonCheckpointSyntax},
}

var submitterFaults = []fault{
	{"hash of the 32 bytes, not of their text", func(f *forge) {
		f.body = func(body map[string]any) {
			raw, err := canon.DecodeHex(string(f.artifact), 32)
			if err != nil {
				f.t.Fatal(err)
			}
			hashOf(body)["value"] = canon.Sum(raw).String()
		}
	}, ReasonArtifact},
	{"signature by another key", inBodySignature(func(f *forge, _ []byte) []byte { return f.artifact }, true), ReasonSignature},
	{"signature over the raw bytes", inBodySignature(func(f *forge, raw []byte) []byte { return raw }, false), ReasonSignature},
	{"signature over upper-case hex", inBodySignature(func(f *forge, _ []byte) []byte {
		return []byte(strings.ToUpper(string(f.artifact)))
	}, false), ReasonSignature},
}

// inBodySignature puts a signature over another message, or by another key than the one carried, into the body.
func inBodySignature(message func(f *forge, raw []byte) []byte, otherKey bool) func(*forge) {
	return func(f *forge) {
		f.body = func(body map[string]any) {
			raw, err := canon.DecodeHex(string(f.artifact), 32)
			if err != nil {
				f.t.Fatal(err)
			}
			key := f.submitter
			if otherKey {
				key = f.otherKey
			}
			signatureOf(body)["content"] = base64.StdEncoding.EncodeToString(fixedSignature(f.t, key, message(f, raw)))
		}
	}
}

// TestExamFaults refuses each entry for the one thing that differs in it.
func TestExamFaults(t *testing.T) {
	ran, accepted := 0, 0
	defer func() {
		t.Logf("exam of log entries that were made with one fault: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	}()
	for group, faults := range map[string][]fault{
		"index": indexFaults, "uuid": uuidFaults, "body": bodyFaults, "path": pathFaults, "head": headFaults, "note": noteFaults,
		"submitter": submitterFaults, "shape": shapeFaults(),
	} {
		for _, c := range faults {
			t.Run(group+"/"+c.name, func(t *testing.T) {
				f := newForge(t)
				c.set(f)
				_, err := f.judge(t, f.make(t))
				if ran++; err == nil {
					accepted++
				}
				var failure *verify.Failure
				if !errors.As(err, &failure) || failure.Reason != c.want {
					t.Fatalf("got %v, want %s", err, c.want)
				}
				if failure.Found == "" || failure.Wanted == "" || failure.File != "entry.json" {
					t.Errorf("failure without facts: %+v", *failure)
				}
			})
		}
	}
}

// shapeFaults takes away, nulls and replaces each member that an entry must have, and adds one to each object.
func shapeFaults() []fault {
	var faults []fault
	objects := map[string]func(e map[string]any) map[string]any{
		"entry":          func(e map[string]any) map[string]any { return e },
		"verification":   func(e map[string]any) map[string]any { return e["verification"].(map[string]any) },
		"inclusionProof": proofOf,
	}
	members := map[string][]string{
		"entry":          {"body", "integratedTime", "logID", "logIndex", "verification"},
		"verification":   {"inclusionProof", "signedEntryTimestamp"},
		"inclusionProof": {"checkpoint", "hashes", "logIndex", "rootHash", "treeSize"},
	}
	for object, at := range objects {
		for _, name := range members[object] {
			for what, v := range map[string]any{"null": nil, "true": true, "1.0": json.Number("1.0"), "object": map[string]any{}} {
				faults = append(faults, fault{fmt.Sprintf("%s %s is %s", object, name, what),
					member(func(_ *string, e map[string]any) { at(e)[name] = v }), ReasonShape})
			}
			faults = append(faults, fault{object + " without " + name,
				member(func(_ *string, e map[string]any) { delete(at(e), name) }), ReasonShape})
		}
		faults = append(faults, fault{object + " with one more member",
			member(func(_ *string, e map[string]any) { at(e)["LogIndex"] = 1 }), ReasonShape})
	}
	for what, v := range map[string]any{"negative": -1, "past 63 bits": json.Number("9223372036854775808"), "text": "3", "exponent": json.Number("3e0")} {
		faults = append(faults, fault{"index " + what, inProof(func(p map[string]any) { p["logIndex"] = v }), ReasonShape})
	}
	return append(faults,
		fault{"sibling in upper case", inProof(func(p map[string]any) { p["hashes"].([]string)[0] = strings.Repeat("AB", 32) }), ReasonShape},
		fault{"sibling null", inProof(func(p map[string]any) { p["hashes"] = []any{nil} }), ReasonShape},
		fault{"negative time", signedMember(func(_ *string, e map[string]any) { e["integratedTime"] = -1 }), ReasonShape},
		fault{"entry is null", func(f *forge) { f.file = func(u string, _ []byte) string { return `{"` + u + `":null}` } }, ReasonNull},
		fault{"entry is an array", func(f *forge) {
			f.file = func(u string, b []byte) string { return `{"` + u + `":[` + string(b) + `]}` }
		}, ReasonShape},
	)
}
