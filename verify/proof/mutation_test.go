package proof

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify"
)

// leaf is one string, number or boolean of a view, with the way to it.
type leaf struct {
	pointer string
	value   any
	set     func(any)
}

// leaves walks a document that encoding/json read.
func leaves(v any, pointer string, set func(any)) []leaf {
	var all []leaf
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			all = append(all, leaves(m, pointer+"/"+name, func(x any) { v[name] = x })...)
		}
	case []any:
		for i, m := range v {
			all = append(all, leaves(m, fmt.Sprintf("%s/%d", pointer, i), func(x any) { v[i] = x })...)
		}
	default:
		all = append(all, leaf{pointer, v, set})
	}
	return all
}

// judged says which checks may see a change of a leaf; the first pointer that is a prefix counts. nil: nobody judges the leaf.
var judged = []struct {
	prefix string
	checks []string
}{
	{"/proof_id", nil}, // the key of the file or batch answer, not a check
	{"/spec_version", []string{CheckChainHash, CheckDisclosure}},
	{"/hashes/chain", []string{CheckChainHash}},
	{"/hashes/", nil},
	{"/commitments/", []string{CheckChainHash}},
	{"/batch_anchor/batch_id", nil},
	{"/batch_anchor/", []string{CheckBatchPath}},
	{"/timestamp_authority/status", nil},
	{"/timestamp_authority/anchored", nil},
	{"/timestamp_authority/", []string{CheckTimestamp}},
	{"/transparency_log/uuid", []string{CheckLog}},
	{"/transparency_log/", nil},
	{"/arkforge_", []string{CheckSignature}},
	{"/disclosed/", []string{CheckIdentity}},
	{"/", nil},
}

func checksFor(pointer string) []string {
	for _, j := range judged {
		if strings.HasPrefix(pointer, j.prefix) {
			return j.checks
		}
	}
	return nil
}

// flips are the leaf with one bit changed: every bit of up to 12 bytes spread over it, ends included. Those that are not JSON text any
// more are left out.
func flips(value any) []any {
	var out []any
	switch v := value.(type) {
	case string:
		step := max(1, len(v)/12)
		for i := 0; i < len(v); i += step {
			for bit := range 7 {
				b := []byte(v)
				b[i] ^= 1 << bit
				if b[i] >= 0x20 && b[i] < 0x7f {
					out = append(out, string(b))
				}
			}
		}
	case json.Number:
		for bit := range 3 {
			b := []byte(v)
			b[len(b)-1] ^= 1 << bit
			if b[len(b)-1] <= '9' && (len(b) == 1 || b[0] != '0') {
				out = append(out, rawNumber(b))
			}
		}
	case bool:
		out = append(out, !v)
	}
	return out
}

// exceptions are one-bit changes of a good view that no check can tell from another good view.
func exception(pointer string, value any) bool {
	s, _ := value.(string)
	switch pointer {
	case "/spec_version":
		// 3.0 has no identity, a later 3.x has the same rules, 7.1 and the like cannot be judged: that is incomplete, not invalid.
		return s == "3.0" || s == "3.3" || s == "3.5" || s == "3.9"
	case "/batch_anchor/status":
		return s == statusPending
	case "/batch_anchor/tree_size":
		// The root does not bind the size: from 5 to 8 leaves, the way from leaf 2 has the same three siblings on the same sides.
		n := value.(rawNumber)
		return n == "6" || n == "7" || n == "8"
	}
	return false
}

// TestOneBit changes each judged leaf of a good view by one bit, and wants the check that is responsible to fail; a leaf that nobody judges
// must leave every check as it is.
func TestOneBit(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	good := w.good()
	ev := good.evidence(t)
	d := good.doc(t)
	all := leaves(map[string]any(d), "", nil)
	sort.Slice(all, func(i, j int) bool { return all[i].pointer < all[j].pointer })
	if len(all) < 40 {
		t.Fatalf("found %d leaves, want at least 40", len(all))
	}
	tried := 0
	for _, l := range all {
		if l.pointer == "/proof_id" {
			continue
		}
		checks := checksFor(l.pointer)
		for _, changed := range flips(l.value) {
			l.set(changed)
			r := v.Verify(parse(t, d.text(t)), ev)
			tried++
			if !exception(l.pointer, changed) {
				wantSeen(t, l.pointer, changed, checks, r)
			}
		}
		l.set(l.value)
	}
	if tried < 1000 {
		t.Errorf("tried %d changes, want at least 1000", tried)
	}
}

func wantSeen(t *testing.T, pointer string, changed any, checks []string, r Result) {
	t.Helper()
	if checks == nil {
		if f := failures(r); f != "" || r.Outcome != Valid {
			t.Errorf("%s = %v: got %s %s, want no change: nobody judges it", pointer, changed, r.Outcome, f)
		}
		return
	}
	for _, name := range checks {
		c, _ := r.Checks.Named(name)
		missing := c.Status == verify.Skipped && (c.Reason == ReasonEntryMissing || c.Reason == ReasonVersionUnknown || c.Reason == ReasonProviderMissing)
		if c.Status == verify.Failed || missing {
			return
		}
	}
	t.Errorf("%s = %v: got %s, %s; want a failed check among %v", pointer, changed, r.Outcome, failures(r), checks)
}

// TestOneBitOfDisclosures: every byte of both nonces and values counts.
func TestOneBitOfDisclosures(t *testing.T) {
	w := newWorld(t)
	v := NewVerifier(w.store())
	good := w.good()
	p := parse(t, good.text())
	for i := range 128 {
		d := good.disclosures
		reason := ReasonRequestDiffers
		if i >= 64 {
			reason = ReasonResponseDiffers
		}
		switch i / 32 {
		case 0:
			d.Request.Nonce[i%32] ^= 1
		case 1:
			d.Request.Value[i%32] ^= 1
		case 2:
			d.Response.Nonce[i%32] ^= 1
		case 3:
			d.Response.Value[i%32] ^= 1
		}
		ev := good.evidence(t)
		ev.Disclosures = &d
		r := v.Verify(p, ev)
		expectation{Invalid, CheckDisclosure, reason}.hold(t, r)
		if r.Opened != nil {
			t.Errorf("byte %d: something opened", i)
		}
	}
	swapped := good.disclosures
	swapped.Request, swapped.Response = swapped.Response, swapped.Request
	ev := good.evidence(t)
	ev.Disclosures = &swapped
	expectation{Invalid, CheckDisclosure, ReasonRequestDiffers}.hold(t, v.Verify(p, ev))
}
