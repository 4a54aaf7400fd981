package canon

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// abc is the SHA-256 of "abc" (FIPS 180-2, appendix B.1).
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestDigest(t *testing.T) {
	d := Sum([]byte("abc"))
	if d.String() != abc || d.Prefixed() != "sha256:"+abc {
		t.Errorf("got %s and %s", d, d.Prefixed())
	}
	if got, err := ParseHex(abc); err != nil || got != d {
		t.Errorf("ParseHex: %s, %v", got, err)
	}
	if got, err := ParsePrefixed("sha256:" + abc); err != nil || got != d {
		t.Errorf("ParsePrefixed: %s, %v", got, err)
	}
}

func TestParseHexRefusals(t *testing.T) {
	for _, s := range []string{
		"", abc[:63], abc + "0", strings.ToUpper(abc), "0x" + abc[2:], "sha256:" + abc, " " + abc[1:], abc[:63] + "g", abc[:63] + "\n", abc[:62] + "é", abc[:31] + "-" + abc[32:],
		strings.Repeat("/", 64), strings.Repeat(":", 64), strings.Repeat("`", 64), strings.Repeat("A", 64),
	} {
		if d, err := ParseHex(s); err == nil || d != (Digest{}) {
			t.Errorf("%q: %s, %v, want a refusal and the zero digest", s, d, err)
		}
	}
}

func TestParsePrefixedRefusals(t *testing.T) {
	for _, s := range []string{"", abc, "sha256:", "SHA256:" + abc, "Sha256:" + abc, "sha-256:" + abc, "sha256: " + abc, " sha256:" + abc, "sha256:sha256:" + abc, "sha256:" + abc + " ",
		"sha256:" + strings.ToUpper(abc), "sha512:" + abc} {
		if d, err := ParsePrefixed(s); err == nil || d != (Digest{}) {
			t.Errorf("%q: %s, %v, want a refusal and the zero digest", s, d, err)
		}
	}
}

func TestHexMessages(t *testing.T) {
	for s, want := range map[string]string{
		"ab":                   "found 2 characters, want 64 lowercase hex digits",
		"AB" + abc[2:]:         fmt.Sprintf("found %q, want 64 lowercase hex digits", "AB"+abc[2:]),
		strings.Repeat("é", 3): "found 6 characters, want 64 lowercase hex digits",
	} {
		if _, err := ParseHex(s); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", s, err, want)
		}
	}
	_, err := ParsePrefixed("md5:00")
	if want := `found "md5:00", want "sha256:" and 64 lowercase hex digits`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestDecodeHex(t *testing.T) {
	if b, err := DecodeHex("00ff10", 3); err != nil || !bytes.Equal(b, []byte{0, 255, 16}) {
		t.Errorf("got %x, %v", b, err)
	}
	if b, err := DecodeHex("", 0); err != nil || len(b) != 0 {
		t.Errorf("got %x, %v", b, err)
	}
	for _, s := range []string{"", "00ff1", "00ff100", "00FF10", "00ff1g", "0x0010"} {
		if b, err := DecodeHex(s, 3); err == nil || b != nil {
			t.Errorf("%q: %x, %v, want a refusal", s, b, err)
		}
	}
}

// The vectors of RFC 4648 §10.
var base64Vectors = []struct{ plain, padded, url string }{
	{"", "", ""}, {"f", "Zg==", "Zg"}, {"fo", "Zm8=", "Zm8"}, {"foo", "Zm9v", "Zm9v"}, {"foob", "Zm9vYg==", "Zm9vYg"}, {"fooba", "Zm9vYmE=", "Zm9vYmE"},
	{"foobar", "Zm9vYmFy", "Zm9vYmFy"}, {"\xfb\xff\xfe", "+//+", "-__-"},
}

func TestBase64(t *testing.T) {
	for _, v := range base64Vectors {
		if b, err := DecodeBase64(v.padded); err != nil || string(b) != v.plain || EncodeBase64(b) != v.padded {
			t.Errorf("%q: %q, %v", v.padded, b, err)
		}
		if b, err := DecodeBase64URL(v.url); err != nil || string(b) != v.plain || EncodeBase64URL(b) != v.url {
			t.Errorf("%q: %q, %v", v.url, b, err)
		}
	}
}

// TestBase64Refusals: one byte string has one spelling (RFC 4648 §3.3 and §3.5).
func TestBase64Refusals(t *testing.T) {
	for _, s := range []string{
		"Zg", "Zg=", "Zg===", "Zm8", "Zm9v=", "Zm9vYg=", "Zm9vY", "=", "====", // padding
		"Zh==", "Zm9=", "Zv==", // unused bits that are set
		"Zm9v\n", "Zm9v\r\n", "Zm\n9v", "\nZm9v", "Zm9v ", " Zm9v", "Zm 9v", "Zg=\n=", "Zg==\n", // what mail readers skip
		"-__-", "Zm9v!", "Zm9vé", "Zm9v\x00", "Zg==Zg==", // alphabet
	} {
		if b, err := DecodeBase64(s); err == nil || b != nil {
			t.Errorf("%q: %q, %v, want a refusal", s, b, err)
		}
	}
	for _, s := range []string{
		"Zg==", "Zm8=", "Zm9v=", // padding
		"Zh", "Zv", "Zm9", "Zm9vYh", // unused bits that are set
		"Z", "Zm9vY", // six bits are no byte
		"Zm9v\n", "Zm\r9v", "Zg\n", " Zg", "Zg ", // what mail readers skip
		"+//+", "-_/-", "Zm9v.", "Zm9vé", "Zm9v\x00", // alphabet
	} {
		if b, err := DecodeBase64URL(s); err == nil || b != nil {
			t.Errorf("%q: %q, %v, want a refusal", s, b, err)
		}
	}
}

// TestBase64Exhaustive decodes every string of one to three characters of both alphabets and some strangers: each byte string must be reached
// from exactly one of them.
func TestBase64Exhaustive(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n\r."
	from := map[string]string{}
	try := func(s string) {
		b, err := DecodeBase64URL(s)
		if err != nil {
			return
		}
		if other, twice := from[string(b)]; twice {
			t.Errorf("%q and %q both give %x", s, other, b)
		}
		from[string(b)] = s
	}
	for i := range letters {
		try(letters[i : i+1])
		for j := range letters {
			two := string([]byte{letters[i], letters[j]})
			try(two)
			for k := range letters {
				try(two + letters[k:k+1])
			}
		}
	}
	if len(from) != 256+65536 {
		t.Errorf("%d byte strings, want every one of one or two bytes: %d", len(from), 256+65536)
	}
}

// TestPublicKeyText: the last character of 32 bytes in base64url carries four bits; its other three spellings are refused.
func TestPublicKeyText(t *testing.T) {
	key := EncodeBase64URL(bytes.Repeat([]byte{0x5a}, 32))
	if len(key) != 43 || key[42] != 'o' { // 0x5a ends in 1010, and 101000 is 'o'
		t.Fatalf("key is %s", key)
	}
	for _, last := range "pqr" {
		if _, err := DecodeBase64URL(key[:42] + string(last)); err == nil {
			t.Errorf("last character %c accepted", last)
		}
	}
}
