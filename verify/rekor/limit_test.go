package rekor

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// TestMaxEntries: as many entries as may stand in a file are read, one more is refused, in an object and in an array.
func TestMaxEntries(t *testing.T) {
	for name, form := range map[string][3]string{
		"object": {"{", `"%080x":null`, "}"}, "array": {"[", `{"%080x":null}`, "]"}, "array of others": {"[", "1%d", "]"},
	} {
		for more, want := range map[int]bool{0: true, 1: false} {
			parts := make([]string, MaxEntries+more)
			for i := range parts {
				parts[i] = fmt.Sprintf(form[1], i)
			}
			entries, err := ParseEntries("entries.json", []byte(form[0]+strings.Join(parts, ",")+form[2]))
			var failure *verify.Failure
			if want && (err != nil || len(entries) != MaxEntries) || !want && (!errors.As(err, &failure) || failure.Reason != ReasonShape) {
				t.Errorf("%s of %d: %d entries, %v", name, len(parts), len(entries), err)
			}
		}
	}
}
