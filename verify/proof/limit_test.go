package proof

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// TestMaxViews: as many views as may stand in a batch answer are read, one more is refused.
func TestMaxViews(t *testing.T) {
	for more, want := range map[int]bool{0: true, 1: false} {
		parts := make([]string, MaxViews+more)
		for i := range parts {
			parts[i] = fmt.Sprintf(`"prf_20260923_072144_%06x":null`, i)
		}
		views, err := Views("views.json", []byte(`{"proofs":{`+strings.Join(parts, ",")+`}}`))
		var failure *verify.Failure
		if want && (err != nil || len(views) != MaxViews) || !want && (!errors.As(err, &failure) || failure.Reason != ReasonNotAProof) {
			t.Errorf("%d views: %d, %v", len(parts), len(views), err)
		}
	}
}
