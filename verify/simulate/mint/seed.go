package mint

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/ark-forge/proveit/canon"
)

// Seed is the root of a tree of byte streams. Two different labels give unrelated streams.
type Seed [32]byte

// NewSeed derives a seed from any text.
func NewSeed(text string) Seed { return sha256.Sum256([]byte("proveit mint\x00" + text)) }

// Child derives the seed of one named part; numbers tell apart parts of the same name.
func (s Seed) Child(label string, numbers ...uint64) Seed {
	b := make([]byte, 0, len(s)+1+len(label)+1+8*len(numbers))
	b = append(b, s[:]...)
	b = append(b, 'c')
	b = append(b, label...)
	b = append(b, 0)
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return sha256.Sum256(b)
}

// Nonce is the 32-byte value of a named part, such as the nonce of one commitment.
func (s Seed) Nonce(label string) canon.Digest { return canon.Digest(s.Child(label)) }

// Stream is the seed read as an endless sequence of bytes: SHA-256(seed, counter), block after block.
func (s Seed) Stream() *Stream { return &Stream{seed: s} }

// Stream draws bytes and numbers from a Seed. It is not safe for concurrent use.
type Stream struct {
	seed    Seed
	counter uint64
	left    []byte
}

// Bytes draws n bytes.
func (st *Stream) Bytes(n int) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		if len(st.left) == 0 {
			block := st.seed.Child("block", st.counter)
			st.counter++
			st.left = block[:]
		}
		take := min(n-len(out), len(st.left))
		out = append(out, st.left[:take]...)
		st.left = st.left[take:]
	}
	return out
}

// Below draws a number from 0 to n-1. The bias of the remainder is below 2^-40 for the n used here. It returns 0 where n is not positive.
func (st *Stream) Below(n int) int {
	if n <= 0 {
		return 0
	}
	return int(binary.BigEndian.Uint64(st.Bytes(8)) % uint64(n))
}

// Pick draws one of the texts; an empty list gives the empty text.
func (st *Stream) Pick(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[st.Below(len(list))]
}
