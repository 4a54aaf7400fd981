package season

import (
	"fmt"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDID is how many bytes a DID may have.
const maxDID = 2048

// base58 is the alphabet of base58btc.
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// DIDError says what is wrong with a DID.
type DIDError struct {
	Found  string
	Wanted string
}

// Error is one line: found, wanted.
func (e *DIDError) Error() string { return "did: found " + e.Found + ", want " + e.Wanted }

func badDID(wanted, format string, args ...any) error {
	return &DIDError{Found: fmt.Sprintf(format, args...), Wanted: wanted}
}

// ParseDID checks that s is a did:key of an Ed25519 key or a did:web, in the spelling that it is compared in. The error is a *DIDError.
// Nothing is resolved: DIDs are compared as text.
func ParseDID(s string) error {
	if len(s) > maxDID {
		return badDID(fmt.Sprintf("at most %d", maxDID), "a DID of %d bytes", len(s))
	}
	if id, ok := strings.CutPrefix(s, "did:key:"); ok {
		_, err := keyOfDID(id)
		return err
	}
	if id, ok := strings.CutPrefix(s, "did:web:"); ok {
		return checkWeb(id)
	}
	return badDID("did:key:… or did:web:…", "%q", s[:min(len(s), 40)])
}

// DIDKey writes the did:key of an Ed25519 public key: "z", the multibase mark of base58btc, and ED 01 (the multicodec of the key as a
// varint) with the 32 bytes.
func DIDKey(public [32]byte) string {
	n := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, public[:]...))
	var digits []byte
	for mod, radix := new(big.Int), big.NewInt(58); n.Sign() > 0; {
		n.DivMod(n, radix, mod)
		digits = append(digits, base58[mod.Int64()])
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	return "did:key:z" + string(digits)
}

// keyOfDID is the key in what follows "did:key:". It is written again and compared, so that a key has one DID.
func keyOfDID(id string) ([32]byte, error) {
	const wanted = "z and the base58btc form of ED 01 and a 32-byte Ed25519 key"
	var key [32]byte
	digits, ok := strings.CutPrefix(id, "z")
	if !ok || len(digits) > 64 {
		return key, badDID(wanted, "%q", id[:min(len(id), 80)])
	}
	n, radix := new(big.Int), big.NewInt(58)
	for i := range len(digits) {
		at := strings.IndexByte(base58, digits[i])
		if at < 0 {
			return key, badDID(wanted, "%q, which is no base58 digit, in %q", digits[i], id)
		}
		n.Add(n.Mul(n, radix), big.NewInt(int64(at)))
	}
	raw := n.Bytes()
	if len(raw) != 34 || raw[0] != 0xed || raw[1] != 0x01 {
		return key, badDID(wanted, "%q, which holds %d bytes beginning %x", id, len(raw), raw[:min(len(raw), 2)])
	}
	copy(key[:], raw[2:])
	if DIDKey(key) != "did:key:"+id {
		return key, badDID(wanted, "%q, another spelling", id)
	}
	return key, nil
}

// checkWeb checks what follows "did:web:": a domain name, perhaps a port after %3A, and path steps after colons.
func checkWeb(id string) error {
	steps := strings.Split(id, ":")
	host, port, hasPort := strings.Cut(steps[0], "%3A")
	if err := checkHost(host); err != nil {
		return err
	}
	if hasPort {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
			return badDID("a port from 1 to 65535 after %3A", "%q", port)
		}
	}
	for _, step := range steps[1:] {
		if err := checkStep(step); err != nil {
			return err
		}
	}
	return nil
}

// checkHost wants a domain name (RFC 1123 §2.1). An IP address is not one: its last label is a number.
func checkHost(host string) error {
	const wanted = "a domain name"
	labels := strings.Split(host, ".")
	for _, label := range labels {
		bad := func(r rune) bool { return !isAlphanumeric(r) && r != '-' }
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") || strings.ContainsFunc(label, bad) {
			return badDID(wanted, "%q", host)
		}
	}
	if len(host) > 253 || strings.Trim(labels[len(labels)-1], "0123456789") == "" {
		return badDID(wanted, "%q", host)
	}
	return nil
}

// checkStep wants one step of a path: letters, digits, ".", "-", "_" and percent escapes, that names nothing above or below itself.
func checkStep(step string) error {
	const wanted = "path steps of letters, digits, . - _ and escapes, none of them . or .. or with a slash"
	bad := func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("._-%", r) }
	plain, err := url.PathUnescape(step)
	if step == "" || err != nil || strings.ContainsFunc(step, bad) || !utf8.ValidString(plain) {
		return badDID(wanted, "%q", step)
	}
	control := func(r rune) bool { return r < 0x20 || r == 0x7f || r == '/' || r == '\\' }
	if plain == "." || plain == ".." || strings.ContainsFunc(plain, control) {
		return badDID(wanted, "%q", step)
	}
	return nil
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}
