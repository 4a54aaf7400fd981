package rekor

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
)

// witnessLine is a signature line of somebody whom no trust material knows.
func witnessLine(name string) string {
	return "\u2014 " + name + " " + base64.StdEncoding.EncodeToString([]byte("hint and a signature that nobody here can verify")) + "\n"
}

func witnessFirst(note string) string {
	return strings.Replace(note, "\n\n", "\n\n"+witnessLine("witness.example"), 1)
}

func witnessSecond(note string) string { return note + witnessLine("witness.example") }

// accepted are the ways in which entries of real logs differ without being less true.
var accepted = []struct {
	name string
	set  func(*forge)
}{
	{"as the log answers", func(*forge) {}},
	{"bare leaf hash as UUID", member(func(u *string, _ map[string]any) { *u = (*u)[16:] })},
	{"attestation", member(func(_ *string, e map[string]any) { e["attestation"] = map[string]any{"data": "e30="} })},
	{"attestation null", member(func(_ *string, e map[string]any) { e["attestation"] = nil })},
	{"array of one", func(f *forge) {
		f.file = func(u string, b []byte) string { return `[{"` + u + `":` + string(b) + `}]` }
	}},
	{"white space", func(f *forge) {
		f.file = func(u string, b []byte) string { return "\n{ \"" + u + "\" :\r\n" + string(b) + "\t}\n" }
	}},
	{"witness first", inNote(witnessFirst)},
	{"witness second", inNote(witnessSecond)},
	{"witness under the log's name", inNote(func(s string) string { return s + witnessLine(forgeLogName) })},
	{"the log's signature twice", inNote(func(s string) string { return s + s[strings.LastIndex(s, "\u2014"):] })},
	{"extension line", inHead(func(s string) string { return s + "Timestamp: 1790000000000000000\n" })},
	{"two extension lines", inHead(func(s string) string { return s + "Timestamp: 1790000000000000000\nother \u00e9\n" })},
	{"tree of one leaf", func(f *forge) { f.size = 1 }},
	{"tree of four leaves, the last", func(f *forge) { f.size = 4 }},
	{"time 0", signedMember(func(_ *string, e map[string]any) { e["integratedTime"] = 0 })},
	{"key with CRLF", func(f *forge) { f.body = func(b map[string]any) { setKeyText(b, crlf(pemOf(f.t, f.submitter))) } }},
	{"key without final line feed", func(f *forge) {
		f.body = func(b map[string]any) { setKeyText(b, pemOf(f.t, f.submitter)[:len(pemOf(f.t, f.submitter))-1]) }
	}},
	{"key in one line", func(f *forge) {
		f.body = func(b map[string]any) {
			setKeyText(b, []byte("-----BEGIN PUBLIC KEY-----\n"+base64.StdEncoding.EncodeToString(spkiOf(f.t, f.submitter))+"\n-----END PUBLIC KEY-----\n"))
		}
	}},
	{"spaces around the key", func(f *forge) {
		f.body = func(b map[string]any) {
			setKeyText(b, append([]byte("\n  \n"), append(pemOf(f.t, f.submitter), " \n\n"...)...))
		}
	}},
	{"certificate", func(f *forge) { f.body = func(b map[string]any) { setKeyText(b, f.certificate()) } }},
	{"chain of certificates", func(f *forge) {
		f.body = func(b map[string]any) { setKeyText(b, append(f.certificate(), f.certificate()...)) }
	}},
	{"log with an Ed25519 key", func(f *forge) {
		f.logKey = ed25519.NewKeyFromSeed(make([]byte, 32))
		f.setKey, f.checkKey = f.logKey, f.logKey
	}},
}

// certificate is a self-signed one over the submitter's key, long expired: nothing but the key is read from it. Without a source of
// randomness its signature is deterministic too.
func (f *forge) certificate() []byte {
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "submitter"},
		NotBefore: time.Unix(1_000_000_000, 0), NotAfter: time.Unix(1_100_000_000, 0)}
	der, err := x509.CreateCertificate(nil, template, template, f.submitter.Public(), f.submitter)
	if err != nil {
		f.t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func TestAccepted(t *testing.T) {
	for _, c := range accepted {
		t.Run(c.name, func(t *testing.T) {
			f := newForge(t)
			c.set(f)
			b := f.make(t)
			logged, err := f.judge(t, b)
			if err != nil {
				t.Fatal(err)
			}
			if string(logged.Submitter.SPKI) != string(spkiOf(t, f.submitter)) || logged.Submitter.SHA256 != canon.Sum(logged.Submitter.SPKI) {
				t.Errorf("got another submitter key: %x", logged.Submitter.SPKI)
			}
			want := CarriedAsPublicKey
			if strings.Contains(c.name, "certificate") {
				want = CarriedAsCertificate
			}
			if logged.Submitter.Carried != want {
				t.Errorf("got %s, want %s", logged.Submitter.Carried, want)
			}
			if logged.TreeID != forgeTree || logged.LogIndex-logged.TreeIndex != forgeOffset || len(logged.UUID) != fullHex || logged.LogName != forgeLogName {
				t.Errorf("got %+v", logged)
			}
			without, err := VerifyPromises(parseOne(t, b), []Log{f.log()})
			if err != nil || without.UUID != logged.UUID || without.Hash != logged.Hash {
				t.Errorf("without artifact: got %+v, %v", without, err)
			}
			if _, err := VerifyHash(parseOne(t, b), canon.Sum(f.artifact), []Log{f.log()}); err != nil {
				t.Errorf("with the hash alone: %v", err)
			}
		})
	}
}

// TestOffsetUnknown accepts any distance of the two indexes where the trust material gives no offset for the tree.
func TestOffsetUnknown(t *testing.T) {
	f := newForge(t)
	signedMember(func(_ *string, e map[string]any) { e["logIndex"] = 77 })(f)
	e := parseOne(t, f.make(t))
	log := f.log()
	if _, err := Verify(e, f.artifact, []Log{log}); reasonOf(err) != ReasonShardOffset {
		t.Errorf("got %v, want %s", err, ReasonShardOffset)
	}
	log.Offsets = map[string]uint64{"1": 5000}
	if _, err := Verify(e, f.artifact, []Log{log}); err != nil {
		t.Error(err)
	}
}

// TestOtherKinds judges the log's promises over an entry that is no hashedrekord, and refuses it as a proof's entry.
func TestOtherKinds(t *testing.T) {
	f := newForge(t)
	f.leaf = func([]byte) []byte { return []byte(`{"apiVersion":"0.0.2","kind":"intoto","spec":{"content":null}}`) }
	e := parseOne(t, f.make(t))
	logged, err := VerifyPromises(e, []Log{f.log()})
	if err != nil || logged.Kind != "intoto" || logged.Version != "0.0.2" || logged.Hash != "" || logged.Submitter.SPKI != nil {
		t.Fatalf("got %+v, %v", logged, err)
	}
	if _, err := Verify(e, f.artifact, []Log{f.log()}); reasonOf(err) != ReasonKind {
		t.Errorf("got %v, want %s", err, ReasonKind)
	}
}

// TestOtherSubmitterKeys accepts what the log takes besides P-256, and refuses it where a proof is judged.
func TestOtherSubmitterKeys(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaForge, p384, ed := newForge(t), newForge(t), newForge(t)
	rsaForge.submitter, p384.submitter = rsaKey, fixedKey(t, elliptic.P384(), 3)
	edKey := ed25519.NewKeyFromSeed(make([]byte, 32))
	ed.submitter = edKey
	ed.body = func(b map[string]any) {
		digest := sha512.Sum512(ed.artifact)
		sig, err := edKey.Sign(nil, digest[:], &ed25519.Options{Hash: crypto.SHA512})
		if err != nil {
			t.Fatal(err)
		}
		hashOf(b)["algorithm"], hashOf(b)["value"] = "sha512", hex.EncodeToString(digest[:])
		signatureOf(b)["content"] = base64.StdEncoding.EncodeToString(sig)
	}
	for name, c := range map[string]struct {
		f    *forge
		want verify.Reason
	}{"RSA": {rsaForge, ReasonSubmitterKey}, "P-384": {p384, ReasonSubmitterKey}, "Ed25519ph": {ed, ReasonArtifact}} {
		e := parseOne(t, c.f.make(t))
		if _, err := VerifyPromises(e, []Log{c.f.log()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Verify(e, c.f.artifact, []Log{c.f.log()}); reasonOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// TestTwoNames finds the log among several, also where two names share a key.
func TestTwoNames(t *testing.T) {
	f := newForge(t)
	e := parseOne(t, f.make(t))
	alias, other := f.log(), f.log()
	alias.Name, other.Key = "alias.example", f.otherKey.Public()
	if logged, err := Verify(e, f.artifact, []Log{other, alias, f.log()}); err != nil || logged.LogName != forgeLogName {
		t.Errorf("got %+v, %v", logged, err)
	}
	if _, err := Verify(e, f.artifact, []Log{other, alias}); reasonOf(err) != ReasonCheckpointSignature {
		t.Errorf("got %v, want %s", err, ReasonCheckpointSignature)
	}
	if _, err := Verify(e, f.artifact, []Log{other}); reasonOf(err) != ReasonLogID {
		t.Errorf("got %v, want %s", err, ReasonLogID)
	}
	wrongID := f.log()
	wrongID.ID[0] = 1
	if _, err := Verify(e, f.artifact, []Log{wrongID}); reasonOf(err) != ReasonLogID {
		t.Errorf("got %v, want %s", err, ReasonLogID)
	}
}

// TestCannotBePut gives plain errors, not failures: the question lacks something that is not the entry's.
func TestCannotBePut(t *testing.T) {
	f := newForge(t)
	e := parseOne(t, f.make(t))
	p384 := f.log()
	p384.Key = fixedKey(t, elliptic.P384(), 2).Public()
	rsaSized := &rsa.PublicKey{}
	var none *ecdsa.PublicKey
	for name, c := range map[string]struct {
		artifact string
		logs     []Log
	}{
		"no log":                  {string(f.artifact), nil},
		"log without key":         {string(f.artifact), []Log{{Name: forgeLogName}}},
		"log with a nil key":      {string(f.artifact), []Log{{Name: forgeLogName, Key: none}}},
		"log with an empty key":   {string(f.artifact), []Log{{Name: forgeLogName, Key: &ecdsa.PublicKey{Curve: elliptic.P256()}}}},
		"log with an empty RSA":   {string(f.artifact), []Log{{Name: forgeLogName, Key: rsaSized}}},
		"artifact of 32 bytes":    {string(make([]byte, 32)), []Log{f.log()}},
		"artifact with prefix":    {"sha256:" + string(f.artifact), []Log{f.log()}},
		"artifact in upper case":  {strings.ToUpper(string(f.artifact)), []Log{f.log()}},
		"artifact with line feed": {string(f.artifact) + "\n", []Log{f.log()}},
	} {
		_, err := Verify(e, []byte(c.artifact), c.logs)
		var failure *verify.Failure
		if err == nil || errors.As(err, &failure) {
			t.Errorf("%s: got %v, want an error that is no failure", name, err)
		}
	}
	// A log with a key that cannot be used is in the way of its own entries only.
	if _, err := Verify(e, f.artifact, []Log{p384, f.log()}); err != nil {
		t.Error(err)
	}
	if _, err := Verify(Entry{}, f.artifact, []Log{f.log()}); reasonOf(err) != ReasonLogID {
		t.Errorf("zero entry: got %v, want %s", err, ReasonLogID)
	}
}

// TestFor binds an entry to the UUID under which a proof names it.
func TestFor(t *testing.T) {
	f := newForge(t)
	full := parseOne(t, f.make(t))
	member(func(u *string, _ map[string]any) { *u = (*u)[16:] })(f)
	bare := parseOne(t, f.make(t))
	otherTree := "0000000000000001" + full.UUID[16:]
	for _, c := range []struct {
		name  string
		e     Entry
		uuid  string
		found bool
		want  verify.Reason
	}{
		{"full by full", full, full.UUID, true, ""},
		{"full by bare", full, bare.UUID, true, ""},
		{"bare by bare", bare, bare.UUID, true, ""},
		{"bare by full", bare, full.UUID, true, ""},
		{"bare by another tree", bare, otherTree, true, ReasonTree},
		{"full by another tree", full, otherTree, false, ""},
		{"another leaf", full, strings.Repeat("00", 32), false, ""},
		{"no UUID", full, "", false, ""},
		{"upper case", full, strings.ToUpper(full.UUID), false, ""},
	} {
		e, found := c.e.For(c.uuid)
		if found != c.found {
			t.Errorf("%s: found %v, want %v", c.name, found, c.found)
		} else if found {
			if _, err := Verify(e, f.artifact, []Log{f.log()}); reasonOf(err) != c.want || (err == nil) != (c.want == "") {
				t.Errorf("%s: got %v, want %q", c.name, err, c.want)
			}
		}
	}
	if full.Digest() == bare.Digest() || full.Digest() != parseOne(t, newForge(t).make(t)).Digest() {
		t.Error("digests do not tell entries apart")
	}
}

// TestSeveral keeps the good entries of a file that has malformed ones, in order.
func TestSeveral(t *testing.T) {
	f := newForge(t)
	var uuid string
	var entry []byte
	f.file = func(u string, b []byte) string { uuid, entry = u, b; return "" }
	f.make(t)
	good := `"` + uuid + `":` + string(entry)
	for file, want := range map[string][]verify.Reason{
		`{}`:                              nil,
		`[]`:                              nil,
		`[{},{}]`:                         nil,
		`{` + good + `,"x":{}}`:           {"", ReasonUUID},
		`{"x":3,` + good + `}`:            {ReasonUUID, ""},
		`[{` + good + `},null]`:           {"", ReasonShape},
		`[7,{` + good + `}]`:              {ReasonShape, ""},
		`[{` + good + `},{` + good + `}]`: {"", ""},
		`[{"` + uuid[16:] + `":null,` + good + `}]`: {ReasonNull, ""},
	} {
		entries, err := ParseEntries("several.json", []byte(file))
		if err != nil || len(entries) != len(want) {
			t.Errorf("%.40s: got %d entries, %v, want %d", file, len(entries), err, len(want))
			continue
		}
		for i, e := range entries {
			_, err := Verify(e, f.artifact, []Log{f.log()})
			if reasonOf(err) != want[i] || (err == nil) != (want[i] == "") {
				t.Errorf("%.40s: entry %d: got %v, want %q", file, i, err, want[i])
			}
		}
	}
	for file, syntax := range map[string]bool{
		``: true, `{"a":1`: true, `{"a":1,"a":2}`: true, `{} {}`: true, "\xff": true, "\ufeff{}": true, `{` + good + `,` + good + `}`: true,
		`3`: false, `null`: false, `"x"`: false, string(entry): false,
	} {
		_, err := ParseEntries("several.json", []byte(file))
		var s *canon.SyntaxError
		if errors.As(err, &s) != syntax || (reasonOf(err) == ReasonShape) == syntax {
			t.Errorf("%.40q: got %v", file, err)
		}
	}
}
