package trust

import (
	"encoding/pem"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ark-forge/proveit/canon"
)

// TestExamFolder is every way in which a folder can be malformed, and where the error says it is.
func TestExamFolder(t *testing.T) {
	ran, accepted := 0, 0
	m := newMaterial(t)
	keys := func(all ...string) fstest.MapFS {
		return folder("issuer/k.json", `{"keys":[`+strings.Join(all, ",")+`]}`)
	}
	submitters := func(all ...string) fstest.MapFS {
		return folder("issuer/k.json", `{"rekor_keys":[`+strings.Join(all, ",")+`]}`)
	}
	one := func(key string) fstest.MapFS { return keys(issuerKey("key-1", key, "null", "null")) }
	window := func(from, retired string) fstest.MapFS { return keys(issuerKey("key-1", m.ed1, from, retired)) }
	log := func(pairs ...string) fstest.MapFS {
		return folder(append([]string{"rekor/l.pem", m.pem1}, pairs...)...)
	}
	authority := func(pairs ...string) fstest.MapFS {
		return folder(append([]string{"tsa/freetsa.org/root.pem", m.root}, pairs...)...)
	}
	const first = "issuer/k.json#/keys/0"
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		want  string // part of the message: place first
	}{
		{"empty", folder(), "found no key in 0 files"},
		{"nothing of the layout", folder("README", "x", "tsa/root.pem", m.root, "rekor/a/b.pem", m.pem1), "found no key in 3 files"},
		{"no issuer form", folder("issuer/k.json", `{"a":1}`), "issuer/k.json: found object, want an object with keys"},
		{"issuer list", folder("issuer/k.json", `[]`), "issuer/k.json: found array"},
		{"repeated member", folder("issuer/k.json", `{"keys":[],"keys":[]}`), `issuer/k.json:1:12`},
		{"keys object", folder("issuer/k.json", `{"keys":{}}`), "issuer/k.json#/keys: found object"},
		{"key text", keys(`"x"`), first + `: found "x", want an object`},
		{"kid absent", keys(`{"public":"` + m.ed1 + `"}`), first + "/kid: found nothing"},
		{"kid empty", keys(issuerKey("", m.ed1, "null", "null")), first + `/kid: found ""`},
		{"type", keys(`{"kid":"k","type":"ed25519","public":"` + m.ed1 + `"}`), first + `/type: found "ed25519", want Ed25519`},
		{"key padded", one(m.ed1 + "="), first + "/public: found"},
		{"key without prefix", one(m.ed1[8:]), first + "/public: found"},
		{"key prefix in capitals", one("ED25519:" + m.ed1[8:]), first + "/public: found"},
		{"key short", one(m.ed1[:len(m.ed1)-1]), first + "/public: found"},
		{"key with spare bits", one(m.ed1[:len(m.ed1)-1] + spare(m.ed1)), first + "/public: found"},
		{"key with a space", one(m.ed1 + " "), first + "/public: found"},
		{"key null", keys(`{"kid":"k","public":null}`), first + "/public: found null"},
		{"from a number", window("1", "null"), first + "/valid_from: found 1"},
		{"from a day", window(`"2026-02-26"`, "null"), first + "/valid_from: found"},
		{"from without zone", window(`"2026-02-26T00:00:00"`, "null"), first + "/valid_from: found"},
		{"from lowercase", window(`"2026-02-26t00:00:00z"`, "null"), first + "/valid_from: found"},
		{"from one digit", window(`"2026-02-26T0:00:00Z"`, "null"), first + "/valid_from: found"},
		{"from one digit and a fraction", window(`"2026-02-26T0:00:00.5Z"`, "null"), first + "/valid_from: found"},
		{"from with a comma", window(`"2026-02-26T00:00:00,5Z"`, "null"), first + "/valid_from: found"},
		{"from 30 February", window(`"2026-02-30T00:00:00Z"`, "null"), first + "/valid_from: found"},
		{"retired first", window(`"2026-02-26T00:00:00Z"`, `"2026-02-25T23:59:59Z"`), first + "/retired_at: found"},
		{"key twice, other window", keys(issuerKey("key-1", m.ed1, "null", "null"), issuerKey("key-1", m.ed1, `"2026-02-26T00:00:00Z"`, "null")),
			`issuer/k.json#/keys/1: found key "key-1" (from 2026-02-26T00:00:00Z), which issuer/k.json lists as "key-1" (always)`},
		{"key twice, other id", keys(issuerKey("key-1", m.ed1, "null", "null"), issuerKey("key-2", m.ed1, "null", "null")), "issuer/k.json#/keys/1: found key"},
		{"id twice", keys(issuerKey("key-1", m.ed1, "null", "null"), issuerKey("key-1", m.ed2, "null", "null")), "issuer/k.json#/keys/1: found key"},
		{"id twice, two forms", folder("issuer/k.json", `{"keys":[`+issuerKey("key-1", m.ed1, "null", "null")+`]}`, "issuer/did.json",
			`{"verificationMethod":[{"id":"a#key-1","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"`+m.ed2[8:]+`"}}]}`), "issuer/did.json#/verificationMethod/0: found key"},
		{"did without a key", folder("issuer/did.json", `{"verificationMethod":[]}`), "issuer/did.json#/verificationMethod: found array"},
		{"did short", folder("issuer/did.json", `{"verificationMethod":[{"id":"a#k","publicKeyJwk":{"kty":"OKP","crv":"Ed25519","x":"AA"}}]}`), "/publicKeyJwk/x: found"},
		{"pubkey bare", folder("issuer/p.json", `{"pubkey":"`+m.ed1[8:]+`"}`), "issuer/p.json#/pubkey: found"},
		{"submitter P-384", submitters(submitterKey("r", m.p384)), "issuer/k.json#/rekor_keys/0/public_pem: found a key of type *ecdsa.PublicKey"},
		{"submitter RSA", submitters(submitterKey("r", m.rsa)), "issuer/k.json#/rekor_keys/0/public_pem: found a key of type *rsa.PublicKey"},
		{"submitter certificate", submitters(submitterKey("r", m.root)), "issuer/k.json#/rekor_keys/0/public_pem: found a PEM block"},
		{"submitter two", submitters(submitterKey("r", m.pem1+m.pem2)), "issuer/k.json#/rekor_keys/0/public_pem: found 2 keys"},
		{"submitter no PEM", submitters(submitterKey("r", "x")), "issuer/k.json#/rekor_keys/0/public_pem: found 0 readable of 0"},
		{"submitter type", submitters(`{"kid":"r","type":"Ed25519","public_pem":""}`), "issuer/k.json#/rekor_keys/0/type: found"},
		{"submitter twice", submitters(submitterKey("r", m.pem1), submitterKey("s", m.pem1)), "issuer/k.json#/rekor_keys/1: found key"},

		{"log RSA", folder("rekor/l.pem", m.rsa), "rekor/l.pem: found a key of type *rsa.PublicKey"},
		{"log P-384", folder("rekor/l.pem", m.p384), "rekor/l.pem: found a key of type"},
		{"log name", folder("rekor/a b.pem", m.pem1), "rekor/a b.pem: found log name"},
		{"log two", folder("rekor/l.pem", m.pem1+m.pem2), "rekor/l.pem: found 2 keys"},
		{"log with an element more", folder("rekor/l.pem", longer(m.logSPKI)), "rekor/l.pem: found another spelling than DER"},
		{"log cut", folder("rekor/l.pem", m.pem1[:len(m.pem1)-8]), "rekor/l.pem: found 0 readable of 1"},
		{"log empty", folder("rekor/l.pem", ""), "rekor/l.pem: found 0 readable of 0"},
		{"shards without log", folder("rekor/m.json", `{"shards":[]}`), `rekor/m.json: found no key of log "m"`},
		{"shards absent", log("rekor/l.json", `{}`), "rekor/l.json#/shards: found nothing"},
		{"shard number", log("rekor/l.json", `{"shards":[{"tree_id":1,"offset":"0"}]}`), "rekor/l.json#/shards/0/tree_id: found 1"},
		{"shard zero first", log("rekor/l.json", `{"shards":[{"tree_id":"1","offset":"00"}]}`), "rekor/l.json#/shards/0/offset: found"},
		{"shard too large", log("rekor/l.json", `{"shards":[{"tree_id":"18446744073709551616","offset":"0"}]}`), "rekor/l.json#/shards/0/tree_id: found"},
		{"shard twice", log("rekor/l.json", `{"shards":[{"tree_id":"1","offset":"0"},{"tree_id":"1","offset":"1"}]}`), "rekor/l.json#/shards/1/tree_id: found"},

		{"no root", folder("tsa/freetsa.org/tsa.pem", m.leaf), "tsa/freetsa.org: found 1 certificates and no root"},
		{"policy alone", folder("tsa/freetsa.org/policy.txt", "1.2.3"), "tsa/freetsa.org/policy.txt: found no certificate"},
		{"policy empty", authority("tsa/freetsa.org/policy.txt", "\n# x\n"), "tsa/freetsa.org/policy.txt: found no policy"},
		{"policy words", authority("tsa/freetsa.org/policy.txt", "1.2.3\nany"), `tsa/freetsa.org/policy.txt: found line 2: "any"`},
		{"policy zero first", authority("tsa/freetsa.org/policy.txt", "1.02.3"), "tsa/freetsa.org/policy.txt: found line 1"},
		{"policy of one part", authority("tsa/freetsa.org/policy.txt", "1"), "tsa/freetsa.org/policy.txt: found line 1"},
		{"certificate is a key", authority("tsa/freetsa.org/x.pem", m.pem1), "tsa/freetsa.org/x.pem: found a PEM block"},
		{"certificate cut", authority("tsa/freetsa.org/x.pem", m.leaf+m.leaf[:40]), "tsa/freetsa.org/x.pem: found 1 readable of 2"},
		{"certificate nonsense", authority("tsa/freetsa.org/x.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), "tsa/freetsa.org/x.pem: found block 1"},

		{"root JSON", folder("trusted_root.json", `{`), "trusted_root.json:1:2"},
		{"tlog without URL", folder("trusted_root.json", `{"tlogs":[{}]}`), "trusted_root.json#/tlogs/0/baseUrl: found nothing"},
		{"tlog without key", folder("trusted_root.json", `{"tlogs":[{"baseUrl":"https://l"}]}`), "/rawBytes: found"},
		{"tlog of another id", folder("trusted_root.json", tlogDoc(m.logSPKI, canon.EncodeBase64(make([]byte, 32)), "")), "trusted_root.json#/tlogs/0/logId/keyId: found"},
		{"tlog window", folder("trusted_root.json", tlogDoc(m.logSPKI, "", `,"validFor":{"start":"x"}`)), "/validFor/start: found"},
		{"authority without chain", folder("trusted_root.json", `{"timestampAuthorities":[{"uri":"https://t"}]}`), "trusted_root.json#/timestampAuthorities/0/certChain: found nothing"},
		{"authority nonsense", folder("trusted_root.json", `{"timestampAuthorities":[{"uri":"https://t","certChain":{"certificates":[{"rawBytes":"AAAA"}]}}]}`), "/certificates/0/rawBytes: found"},
		{"too large", folder("rekor/l.pem", strings.Repeat(" ", MaxFile+1)), "rekor/l.pem: found a larger file"},
	} {
		s, err := Load(c.files, "test")
		ran++
		if err == nil {
			t.Errorf("%s: got a store of\n%s", c.name, summary(s))
			accepted++
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %q, want %q in it", c.name, err, c.want)
		}
	}
	t.Logf("exam of a trust folder: %d mutations, %d accepted, 0 on the list of informational places", ran, accepted)
}

// longer is a SubjectPublicKeyInfo with a NULL after its two elements, which crypto/x509 passes over.
func longer(spki []byte) string {
	der := append(slices.Clone(spki), 5, 0)
	der[1] += 2
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// spare is the last digit of a 32-byte key with one of its two unused bits set.
func spare(key string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return string(alphabet[strings.IndexByte(alphabet, key[len(key)-1])|1])
}

func tlogDoc(spki []byte, id, more string) string {
	if id != "" {
		id = `,"logId":{"keyId":"` + id + `"}`
	}
	return `{"tlogs":[{"baseUrl":"https://l.example","publicKey":{"rawBytes":"` + canon.EncodeBase64(spki) + `"` + more + `}` + id + `}]}`
}
