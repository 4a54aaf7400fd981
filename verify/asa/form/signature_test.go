package form

import "testing"

// 64 bytes are 86 characters of base64url, of which the last carries two bits: A, Q, g or w (RFC 4648 §3.5 lets others be refused). A text that
// the form lets through must be one that decodes, or a signature would be looked at by nobody.
func TestSignatureForm(t *testing.T) {
	const head = "Cn8Pk7Aiq22iWPpyLWQ-uJfY0FgIKxiqH38gwpQp_8_nLtvzeCDvqROVWV_zmDxA6z-HnE_YHJCcT1XM6J9gB"
	for _, last := range "AQgw" {
		if !signatureForm.MatchString(head[:85] + string(last)) {
			t.Errorf("an end in %c is refused", last)
		}
	}
	for _, last := range "BRhx-_9=" {
		if signatureForm.MatchString(head[:85] + string(last)) {
			t.Errorf("an end in %c is accepted", last)
		}
	}
}
