package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// What strangers hand in must not make the program print or hold out of proportion.

const (
	maxComplaint = 4 << 10  // bytes of one complaint: names and pointers in it may be as long as the file
	largeInput   = 4 << 20  // bytes from which a file's garbage counts
	headRoom     = 32 << 20 // bytes that the heap may grow to before garbage is first collected
)

// roomAtStart is never touched, so it takes no memory; it only counts in the heap, so that the collector lets a small run be: its first rounds, at a few
// megabytes, cost more than everything else that a small command does.
func roomAtStart() []byte { return make([]byte, headRoom) }

// clipped is a complaint of at most maxComplaint bytes.
func clipped(text string) string {
	if len(text) <= maxComplaint {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:maxComplaint], ""), len(text))
}

// sparing collects garbage earlier once a large file was read. A document of a million small values takes about eight times its text; at Go's usual pace
// garbage could double that. The values hold no pointers, so that collecting often costs little.
func sparing(size int) {
	if size >= largeInput {
		debug.SetGCPercent(25)
	}
}
