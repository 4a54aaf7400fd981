package tsa

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sigstore/timestamp-authority/v2/pkg/verification"
)

// TestLibrary asks timestamp-authority about every legitimate variant. It is told the signer's certificate, without which it verifies
// nothing in a token that embeds none. It refuses two kinds that RFC 3161 allows, and SHA-224, which RFC 5754 §2 allows.
func TestLibrary(t *testing.T) {
	refuses := map[string]bool{"granted with modifications": true, "intermediate embedded, signer configured": true}
	for _, v := range variants {
		f := newForge()
		v.change(f)
		_, err := verification.VerifyTimestampResponse(f.make(), bytes.NewReader(anchored), verification.VerifyOpts{
			TSACertificate: f.signer.Certificate, Intermediates: f.trust.Certificates, Roots: f.trust.Roots})
		if (err != nil) != (refuses[v.name] || strings.HasPrefix(v.name, shortVariant)) {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}
