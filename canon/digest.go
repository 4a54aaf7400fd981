package canon

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// DigestSize is the length of a SHA-256 digest in bytes.
const DigestSize = sha256.Size

// digestPrefix is how proofs mark a digest (proof format, "hashes").
const digestPrefix = "sha256:"

// Digest is a SHA-256 digest: 32 bytes, parsed once at the edge. It is the only hash type of the program.
type Digest [DigestSize]byte

// Sum is the SHA-256 of b.
func Sum(b []byte) Digest { return sha256.Sum256(b) }

// String is the digest as 64 lowercase hex digits, the form used in disclosures and audit paths.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Prefixed is "sha256:" and 64 lowercase hex digits, the form used in proofs.
func (d Digest) Prefixed() string { return digestPrefix + d.String() }

// ParseHex reads exactly 64 lowercase hex digits. The error says what was found and wanted; so do those of the other readers here.
func ParseHex(s string) (Digest, error) {
	var d Digest
	if err := decodeHexInto(d[:], s); err != nil {
		return Digest{}, err
	}
	return d, nil
}

// ParsePrefixed reads "sha256:" followed by exactly 64 lowercase hex digits.
func ParsePrefixed(s string) (Digest, error) {
	rest, ok := strings.CutPrefix(s, digestPrefix)
	if !ok {
		return Digest{}, fmt.Errorf("found %s, want %q and 64 lowercase hex digits", quote(s), digestPrefix)
	}
	return ParseHex(rest)
}

// DecodeHex reads exactly 2*n lowercase hex digits into n bytes.
func DecodeHex(s string, n int) ([]byte, error) {
	if len(s) != 2*n {
		return nil, fmt.Errorf("found %d characters, want %d lowercase hex digits", len(s), 2*n)
	}
	b := make([]byte, n)
	if err := decodeHexInto(b, s); err != nil {
		return nil, err
	}
	return b, nil
}

func decodeHexInto(dst []byte, s string) error {
	if len(s) != 2*len(dst) {
		return fmt.Errorf("found %d characters, want %d lowercase hex digits", len(s), 2*len(dst))
	}
	var bad byte
	for i := range dst {
		hi, lo := lowerHex(s[2*i]), lowerHex(s[2*i+1])
		bad |= hi | lo
		dst[i] = hi<<4 | lo
	}
	if bad > 15 {
		return fmt.Errorf("found %s, want %d lowercase hex digits", quote(s), 2*len(dst))
	}
	return nil
}

// hexValues gives the value of a lowercase hex digit, and 255 for any other byte. A proof has some 1,500 of them.
var hexValues = func() (table [256]byte) {
	for i := range table {
		table[i] = 255
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = byte(i)
	}
	return table
}()

// lowerHex is the value of a lowercase hex digit, or 255.
func lowerHex(c byte) byte { return hexValues[c] }

// DecodeBase64 reads padded standard base64 (RFC 4648 §4). Line breaks, missing padding and unused bits that are set are refused:
// one byte string has one spelling.
func DecodeBase64(s string) ([]byte, error) {
	return decodeBase64(base64.StdEncoding.Strict(), s, "padded base64")
}

// DecodeBase64URL reads base64url without padding (RFC 4648 §5), as strictly as DecodeBase64.
func DecodeBase64URL(s string) ([]byte, error) {
	return decodeBase64(base64.RawURLEncoding.Strict(), s, "base64url without padding")
}

func decodeBase64(enc *base64.Encoding, s, name string) ([]byte, error) {
	b, err := enc.DecodeString(s)
	// Go's decoder skips CR and LF even when strict, so the text is written again and compared.
	if err != nil || enc.EncodeToString(b) != s {
		return nil, fmt.Errorf("found %s, want %s in its only spelling", quote(s), name)
	}
	return b, nil
}

// EncodeBase64 writes padded standard base64 (RFC 4648 §4).
func EncodeBase64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// EncodeBase64URL writes base64url without padding (RFC 4648 §5).
func EncodeBase64URL(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// quoteLimit bounds how much of an input an error message repeats, in bytes.
const quoteLimit = 80

// quote shows at most quoteLimit bytes of s, escaped.
func quote(s string) string {
	if len(s) > quoteLimit {
		return fmt.Sprintf("%q… (%d bytes)", s[:quoteLimit], len(s))
	}
	return fmt.Sprintf("%q", s)
}
