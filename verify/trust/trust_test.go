package trust

import (
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// material is what the tests build folders of.
type material struct {
	ed1, ed2, ed3   string // keys as published
	pem1, pem2      string // ECDSA P-256
	p384, rsa       string
	root, leaf      string // certificates
	rootDER         []byte
	logSPKI, edSPKI []byte
}

func newMaterial(t testing.TB) material {
	t.Helper()
	seed := mint.NewSeed("verify/trust tests")
	check := func(s string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ed := func(n uint64) string { return mint.IssuerKey{Private: mint.Ed25519Key(seed.Child("ed", n))}.Public() }
	var m material
	m.ed1, m.ed2, m.ed3 = ed(1), ed(2), ed(3)
	m.pem1 = check(mint.PublicPEM(mint.ECDSAKey(seed.Child("p", 1), elliptic.P256()).Public()))
	m.pem2 = check(mint.PublicPEM(mint.ECDSAKey(seed.Child("p", 2), elliptic.P256()).Public()))
	m.p384 = check(mint.PublicPEM(mint.ECDSAKey(seed.Child("p", 3), elliptic.P384()).Public()))
	var key *rsa.PrivateKey
	key, err := mint.RSAKey(seed.Child("rsa"))
	if err != nil {
		t.Fatal(err)
	}
	m.rsa = check(mint.PublicPEM(key.Public()))
	a, err := mint.NewAuthority(seed.Child("tsa"), mint.Styles[0], 2026)
	if err != nil {
		t.Fatal(err)
	}
	m.root, m.leaf, m.rootDER = string(a.Root.PEM()), string(a.Signer.PEM()), a.Root.Raw
	block, _ := pem.Decode([]byte(m.pem1))
	m.logSPKI = block.Bytes
	if m.edSPKI, err = mint.SPKI(mint.Ed25519Key(seed.Child("log")).Public()); err != nil {
		t.Fatal(err)
	}
	return m
}

// folder makes a trust folder of names and texts in turn.
func folder(pairs ...string) fstest.MapFS {
	f := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		f[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return f
}

func issuerKey(kid, key, from, retired string) string {
	return fmt.Sprintf(`{"kid":%q,"type":"Ed25519","public":%q,"valid_from":%s,"retired_at":%s}`, kid, key, from, retired)
}

func submitterKey(kid, block string) string {
	return fmt.Sprintf(`{"kid":%q,"public_pem":%q,"valid_from":null}`, kid, block)
}

func summary(s *Store) string {
	var all []string
	for _, k := range s.Keys() {
		all = append(all, fmt.Sprintf("%s %s %s %s", k.Kind, k.Name, k.Source, k.Window))
	}
	return strings.Join(all, "\n")
}

// TestForms is each form of the issuer's keys, alone and combined.
func TestForms(t *testing.T) {
	m := newMaterial(t)
	did := func(kid, key string) string {
		return fmt.Sprintf(`{"id":"did:web:x","verificationMethod":[{"id":"did:web:x#enc","publicKeyJwk":{"kty":"EC"}},{"id":"did:web:x#%s","type":"T","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":%q}}]}`,
			kid, strings.TrimPrefix(key, "ed25519:"))
	}
	history := `{"_doc":"d","keys":[` + issuerKey("key-1", m.ed1, `"2026-02-26T00:00:00Z"`, `"2026-10-03T12:00:00+02:00"`) + `]}`
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		want  []string // kind, name, source, window
	}{
		{"history", folder("issuer/published_keys.json", history), []string{"issuer_key key-1 issuer/published_keys.json 2026-02-26T00:00:00Z to 2026-10-03T10:00:00Z"}},
		{"pubkey", folder("issuer/pubkey.json", `{"pubkey":"`+m.ed1+`","algorithm":"Ed25519"}`), []string{"issuer_key  issuer/pubkey.json always"}},
		{"did", folder("issuer/did.json", did("key-1", m.ed1)), []string{"issuer_key key-1 issuer/did.json always"}},
		{"history keeps its window", folder("issuer/a.json", `{"pubkey":"`+m.ed1+`"}`, "issuer/did.json", did("key-1", m.ed1), "issuer/published_keys.json", history),
			[]string{"issuer_key key-1 issuer/published_keys.json 2026-02-26T00:00:00Z to 2026-10-03T10:00:00Z"}},
		{"another key beside", folder("issuer/did.json", did("key-2", m.ed2), "issuer/published_keys.json", history),
			[]string{"issuer_key key-1 issuer/published_keys.json 2026-02-26T00:00:00Z to 2026-10-03T10:00:00Z", "issuer_key key-2 issuer/did.json always"}},
		{"one file, two forms", folder("issuer/k.json", history[:len(history)-1]+`,"pubkey":"`+m.ed2+`"}`),
			[]string{"issuer_key key-1 issuer/k.json 2026-02-26T00:00:00Z to 2026-10-03T10:00:00Z", "issuer_key  issuer/k.json always"}},
		{"the same twice", folder("issuer/k.json", history, "issuer/l.json", history), []string{"issuer_key key-1 issuer/k.json 2026-02-26T00:00:00Z to 2026-10-03T10:00:00Z"}},
		{"submission keys alone", folder("issuer/k.json", `{"rekor_keys":[`+submitterKey("rekor-1", strings.ReplaceAll(strings.TrimSpace(m.pem1), "\n", "\r\n"))+`]}`),
			[]string{"rekor_key rekor-1 issuer/k.json always"}},
		{"no key is a list too", folder("issuer/k.json", `{"keys":[],"pubkey":"`+m.ed1+`"}`), []string{"issuer_key  issuer/k.json always"}},
	} {
		s, err := Load(c.files, "test")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := summary(s); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, strings.Join(c.want, "\n"))
		}
	}
}

// TestTrustedRoot: logs and authorities of Sigstore's format, beside the plain files and alone.
func TestTrustedRoot(t *testing.T) {
	m := newMaterial(t)
	id := canon.Sum(m.logSPKI)
	root := tlogDoc(m.logSPKI, canon.EncodeBase64(id[:]), `,"keyDetails":"PKIX_ECDSA_P256_SHA_256","validFor":{"start":"2021-01-12T11:53:27.000Z"}`)
	root = root[:len(root)-2] + `,{"baseUrl":"https://old.example","publicKey":{"rawBytes":"AAAA"}}],"mediaType":"x","ctlogs":[7],"timestampAuthorities":[{"uri":"http://timestamp.digicert.com","certChain":{"certificates":[{"rawBytes":"` +
		canon.EncodeBase64(m.rootDER) + `"}]},"validFor":{"start":"2024-01-01T00:00:00Z"}}]}`
	s, err := Load(folder("trusted_root.json", root), "test")
	if err != nil {
		t.Fatal(err)
	}
	logs := s.LogKeys()
	if len(logs) != 1 || len(s.Logs()) != 1 || logs[0].Name != "l.example" || logs[0].ID != id || logs[0].Window.String() != "from 2021-01-12T11:53:27Z" {
		t.Errorf("logs: got %+v", logs)
	}
	if a, p := s.Authority("digicert.com"); p != Present || len(a.Roots) != 1 {
		t.Errorf("digicert.com: got %+v, %d", a, p)
	}
	// The plain file of the same log gives the key without bounds, and the shards name the log.
	s, err = Load(folder("trusted_root.json", root, "rekor/l.example.pem", m.pem1, "rekor/l.example.json", `{"shards":[{"tree_id":"7","offset":"9"}]}`), "test")
	if err != nil {
		t.Fatal(err)
	}
	if logs := s.LogKeys(); len(logs) != 1 || logs[0].Bounded() || logs[0].Offsets["7"] != 9 || logs[0].Source != "rekor/l.example.pem" {
		t.Errorf("logs: got %+v", logs)
	}
	ed := tlogDoc(m.edSPKI, "", "")
	if s, err = Load(folder("trusted_root.json", ed), "test"); err != nil || len(s.Logs()) != 1 {
		t.Errorf("Ed25519 log: got %v, %v", s.Logs(), err)
	}
}

// TestTrustedRootOfToday: what Sigstore publishes has, since 2025, logs of Rekor v2, whose keyId is the signed note's, and has had
// authorities without a URI. Neither makes the rest unreadable. The key is that of RFC 8032 §7.1 test 1; both ids are python3's
// hashlib.sha256, of b"tiles.example\n\x01" + key and of its SubjectPublicKeyInfo.
func TestTrustedRootOfToday(t *testing.T) {
	m := newMaterial(t)
	const spki = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
	tiles := func(host, id string) string {
		return `{"baseUrl":"https://` + host + `","publicKey":{"rawBytes":"` + spki + `","keyDetails":"PKIX_ED25519"},"logId":{"keyId":"` + id + `"}}`
	}
	chain := `"certChain":{"certificates":[{"rawBytes":"` + canon.EncodeBase64(m.rootDER) + `"}]}`
	const note, plain = "RHPEvgE0dXAWiCqvPNCFZQHTYDmooB7ko/3aIvynNRU=", "BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k="
	for _, c := range []struct{ name, log, logs, err string }{
		{"Rekor v2", tiles("tiles.example", note), "l.example", ""},
		{"Rekor v1 with an Ed25519 key", tiles("tiles.example", plain), "l.example tiles.example", ""},
		{"note id of another name", tiles("files.example", note), "", "trusted_root.json#/tlogs/0/logId/keyId: found"},
	} {
		root := strings.Replace(tlogDoc(m.logSPKI, "", ""), `"tlogs":[`, `"tlogs":[`+c.log+`,`, 1)
		root = strings.TrimSuffix(root, "}") + `,"timestampAuthorities":[{"subject":{"organization":"o"},` + chain + `},{"uri":"https://t.example/api",` + chain + `}]}`
		s, err := Load(folder("trusted_root.json", root), "test")
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: got %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var names []string
		for _, l := range s.Logs() {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != c.logs || !slices.Equal(s.Providers(), []string{"t.example"}) {
			t.Errorf("%s: got logs %s, providers %q", c.name, got, s.Providers())
		}
	}
}

func TestAuthorities(t *testing.T) {
	m := newMaterial(t)
	s, err := Load(folder("tsa/freetsa.org/root.pem", "# text\n"+m.root, "tsa/freetsa.org/root-2.pem", m.root, "tsa/freetsa.org/tsa.pem", m.leaf,
		"tsa/freetsa.org/policy.txt", "# FreeTSA\r\n1.2.3.4.1\r\n2.999.1\n", "tsa/own.example/root.pem", m.root, ".DS_Store", "x"), "bundle")
	if err != nil {
		t.Fatal(err)
	}
	a, p := s.Authority("freetsa.org")
	if p != Present || a.Provider != "freetsa.org" || len(a.Roots) != 1 || len(a.Certificates) != 1 || !slices.Equal(a.Policies, []string{"1.2.3.4.1", "2.999.1"}) {
		t.Errorf("freetsa.org: got %+v", a)
	}
	for name, want := range map[string]Presence{"own.example": Present, "sectigo.com": Absent, "digicert.com": Absent, "tsa.example": Unknown, "": Unknown} {
		if _, got := s.Authority(name); got != want {
			t.Errorf("%q: got %d, want %d", name, got, want)
		}
	}
	if !slices.Equal(s.Ignored(), []string{".DS_Store"}) || s.Source() != "bundle" || !slices.Equal(s.Providers(), []string{"freetsa.org", "own.example"}) {
		t.Errorf("got ignored %q, source %q, providers %q", s.Ignored(), s.Source(), s.Providers())
	}
}

// TestNothing: no folder at all is not an error of a proof.
func TestNothing(t *testing.T) {
	for _, s := range []*Store{nil, {}} {
		if _, p := s.Authority("freetsa.org"); p != Absent || s.Logs() != nil || s.IssuerKeys() != nil || s.RekorKeys() != nil || s.Keys() != nil {
			t.Errorf("got something of nothing")
		}
	}
}

func TestExamWindow(t *testing.T) {
	ran, accepted := 0, 0
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	w := Window{From: at("2026-02-26T00:00:00Z"), Retired: at("2026-10-03T10:00:00Z")}
	for s, want := range map[string][2]bool{ // with the grace of a signing key, and without
		"2026-02-25T23:59:59.999999999Z": {false, false},
		"2026-02-26T00:00:00Z":           {true, true},
		"2026-10-03T10:00:00Z":           {true, true},
		"2026-10-03T10:00:00.000000001Z": {true, false},
		"2026-10-03T10:15:00Z":           {true, false},
		"2026-10-03T10:15:00.000000001Z": {false, false},
	} {
		got := [2]bool{w.Contains(at(s)), w.Within(at(s))}
		if got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
		if ran++; got[0] && !want[0] || got[1] && !want[1] {
			accepted++
		}
	}
	t.Logf("exam of the windows of keys: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
	if !(Window{}).Contains(time.Time{}) || !(Window{}).Contains(at("2999-01-01T00:00:00Z")) {
		t.Error("a window without bounds has bounds")
	}
}

func TestExamIrregularFile(t *testing.T) {
	f := folder("rekor/l.pem", "x")
	f["rekor/l.pem"].Mode = 1 << 27 // fs.ModeSymlink
	_, err := Load(f, "test")
	var format *FormatError
	if !errors.As(err, &format) || format.File != "rekor/l.pem" {
		t.Errorf("got %v, want a refusal of the link", err)
	}
}

// FuzzTrustFolder: any bytes in any place give a store or an error, and what was read is listed once, with a name and a digest.
func FuzzTrustFolder(f *testing.F) {
	m := newMaterial(f)
	base := folder("issuer/k.json", `{"keys":[`+issuerKey("key-1", m.ed1, "null", "null")+`],"rekor_keys":[`+submitterKey("r", m.pem1)+`]}`,
		"rekor/l.pem", m.pem1, "rekor/l.json", `{"shards":[{"tree_id":"1","offset":"2"}]}`, "tsa/freetsa.org/root.pem", m.root,
		"tsa/freetsa.org/policy.txt", "1.2.3", "trusted_root.json", tlogDoc(m.logSPKI, "", ""))
	names := slices.Sorted(maps.Keys(base))
	for i, name := range names {
		f.Add(i, base[name].Data)
	}
	f.Add(0, []byte(`{"pubkey":"`+m.ed2+`"}`))
	f.Add(0, []byte(`{"verificationMethod":[{"id":"a#k","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"`+m.ed3[8:]+`"}}]}`))
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		if i < 0 || i >= len(names) {
			return
		}
		files := maps.Clone(base)
		files[names[i]] = &fstest.MapFile{Data: b}
		s, err := Load(files, "fuzz")
		if err != nil {
			var format *FormatError
			var syntax *canon.SyntaxError
			if s != nil || !errors.As(err, &format) && !errors.As(err, &syntax) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		seen := map[string]bool{}
		for _, k := range s.Keys() {
			id := string(k.Kind) + k.Name + k.SHA256.String()
			if seen[id] || k.Source == "" || (k.SHA256 == canon.Digest{}) {
				t.Fatalf("key %+v", k)
			}
			seen[id] = true
		}
		for _, a := range s.authorities {
			if len(a.Roots) == 0 {
				t.Fatal("an authority without a root")
			}
		}
	})
}
