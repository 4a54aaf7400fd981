package rekor

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/transparency-dev/formats/log"

	"github.com/ark-forge/proveit/canon"
)

// MaxSignatures is how many signature lines a checkpoint may carry.
const MaxSignatures = 100

const (
	signaturePrefix = "\u2014 " // em dash and space (C2SP signed-note)
	hintSize        = 4         // bytes of key hint before the signature
)

// note is a signed note taken apart (C2SP signed-note). Nothing in it is verified.
type note struct {
	text       string // with the final line feed: what is signed
	signatures []noteSignature
}

type noteSignature struct {
	name      string
	hint      [hintSize]byte
	signature []byte
}

// splitNote takes a note apart. It answers what was found and wanted where the text is not a note in its only spelling: valid UTF-8 without
// control characters but LF, non-empty lines, one blank line, then signature lines, each ended by LF.
func splitNote(s string) (n note, found, wanted string) {
	if !utf8.ValidString(s) || strings.IndexFunc(s, isForbiddenControl) >= 0 {
		return note{}, "a control character or invalid UTF-8", "text lines ended by LF"
	}
	text, lines, ok := strings.Cut(s, "\n\n")
	if !ok || text == "" {
		return note{}, "no blank line after a text", "text, blank line, signature lines"
	}
	lines, ok = strings.CutSuffix(lines, "\n")
	if !ok {
		return note{}, "no line feed at the end", "signature lines, each ended by LF"
	}
	n.text = text + "\n"
	for line := range strings.SplitSeq(lines, "\n") {
		sig, ok := parseSignatureLine(line)
		if !ok {
			return note{}, show(line), "a signature line: em dash, name, base64 of key hint and signature"
		}
		if n.signatures = append(n.signatures, sig); len(n.signatures) > MaxSignatures {
			return note{}, "more than 100 signature lines", "at most 100"
		}
	}
	return n, "", ""
}

func isForbiddenControl(r rune) bool { return r < 0x20 && r != '\n' }

func parseSignatureLine(line string) (noteSignature, bool) {
	rest, ok := strings.CutPrefix(line, signaturePrefix)
	if !ok {
		return noteSignature{}, false
	}
	name, b64, ok := strings.Cut(rest, " ")
	if !ok || name == "" || strings.ContainsFunc(name, unicode.IsSpace) || strings.Contains(name, "+") {
		return noteSignature{}, false
	}
	b, err := canon.DecodeBase64(b64)
	if err != nil || len(b) <= hintSize {
		return noteSignature{}, false
	}
	return noteSignature{name: name, hint: [hintSize]byte(b), signature: b[hintSize:]}, true
}

// treeHead is what a checkpoint says: origin line, number of leaves, root.
type treeHead struct {
	origin string
	size   uint64
	root   canon.Digest
}

// parseTreeHead reads the text of a checkpoint whose signature held. Extension lines after the third are signed and ignored. The text is
// written again and compared: formats' reader takes leading zeros and loose base64.
func parseTreeHead(text string) (treeHead, bool) {
	var cp log.Checkpoint
	extension, err := cp.Unmarshal([]byte(text))
	if err != nil || len(cp.Hash) != canon.DigestSize {
		return treeHead{}, false
	}
	if again := append(cp.Marshal(), extension...); !bytes.Equal(again, []byte(text)) {
		return treeHead{}, false
	}
	return treeHead{origin: cp.Origin, size: cp.Size, root: canon.Digest(cp.Hash)}, true
}
