package proof

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/tsa"
)

// Limits of what the cache of anchors keeps. Past them an anchor is verified each time it is met; the answers do not change.
const (
	MaxAnchorBytes = 128 << 20 // of token texts, with an allowance for each anchor
	anchorSize     = 1 << 10   // bytes allowed for one anchor besides its text
)

// anchors verifies each token and each log entry once for one anchored hash, whoever asks. All proofs of a batch share theirs.
type anchors struct {
	mu      sync.RWMutex
	tokens  map[canon.Digest][]*tokenAnchor // by anchored hash; almost always one
	entries map[entryKey]*entryAnchor
	kept    int // bytes

	tokenCount, entryCount atomic.Int64
}

// tokenAnchor is what became of one token. Before once has run, only provider and text are there.
type tokenAnchor struct {
	provider, text string // text is the base64 of the response

	once    sync.Once
	done    atomic.Bool
	token   tsa.Token
	note    string          // the token's time
	failure *verify.Failure // without a place
}

// entryKey tells log entries apart, and what they were asked for.
type entryKey struct {
	anchored canon.Digest
	entry    canon.Digest // rekor.Entry.Digest
	uuid     string       // by which the proof names the entry
}

type entryAnchor struct {
	once    sync.Once
	done    atomic.Bool
	logged  rekor.Logged
	index   string          // the global log index, decimal
	time    string          // the integrated time in seconds since 1970, decimal
	failure *verify.Failure // with the place in the entry's file
}

func newAnchors() *anchors {
	return &anchors{tokens: map[canon.Digest][]*tokenAnchor{}, entries: map[entryKey]*entryAnchor{}}
}

// token gives the anchor of a token over anchored, verified by a.
func (c *anchors) token(anchored canon.Digest, text string, a tsa.Authority) *tokenAnchor {
	t := c.findToken(anchored, a.Provider, text)
	if !t.done.Load() {
		c.verifyToken(t, anchored, a)
	}
	return t
}

// verifyToken is apart so that finding a token that is done takes no memory.
func (c *anchors) verifyToken(t *tokenAnchor, anchored canon.Digest, a tsa.Authority) {
	t.once.Do(func() {
		defer t.done.Store(true)
		c.tokenCount.Add(1)
		response, err := canon.DecodeBase64(t.text)
		if err != nil {
			t.failure = &verify.Failure{Reason: ReasonTokenMalformed, Found: err.Error(), Wanted: "padded base64 in its only spelling"}
			return
		}
		if t.token, err = tsa.Verify(response, anchored[:], a); err != nil {
			t.failure = asFailure(err)
			return
		}
		t.note = stamp(t.token.Time)
	})
}

func (c *anchors) findToken(anchored canon.Digest, provider, text string) *tokenAnchor {
	look := func() *tokenAnchor {
		for _, t := range c.tokens[anchored] {
			if t.provider == provider && t.text == text {
				return t
			}
		}
		return nil
	}
	c.mu.RLock()
	t := look()
	c.mu.RUnlock()
	if t != nil {
		return t
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := look(); t != nil {
		return t
	}
	// The text is copied: as it is, it would keep the whole file of proofs in memory.
	t = &tokenAnchor{provider: provider, text: strings.Clone(text)}
	if c.room(len(text)) {
		c.tokens[anchored] = append(c.tokens[anchored], t)
	}
	return t
}

// entry gives the anchor of a log entry over the anchored hash (hex is its text).
func (c *anchors) entry(anchored canon.Digest, hex, uuid string, e *rekor.Entry, logs []rekor.Log) *entryAnchor {
	a := c.findEntry(entryKey{anchored, e.Digest(), uuid})
	if !a.done.Load() {
		c.verifyEntry(a, hex, uuid, e, logs)
	}
	return a
}

func (c *anchors) verifyEntry(a *entryAnchor, hex, uuid string, e *rekor.Entry, logs []rekor.Log) {
	a.once.Do(func() {
		defer a.done.Store(true)
		c.entryCount.Add(1)
		named, ok := e.For(uuid)
		if !ok {
			a.failure = &verify.Failure{Reason: rekor.ReasonUUID, Found: e.UUID, Wanted: uuid, File: e.File, Pointer: e.Pointer}
			return
		}
		var err error
		if a.logged, err = rekor.Verify(named, []byte(hex), logs); err != nil {
			a.failure = asFailure(err)
			return
		}
		a.index = strconv.FormatUint(a.logged.LogIndex, 10)
		a.time = strconv.FormatInt(a.logged.IntegratedTime.Unix(), 10)
	})
}

func (c *anchors) findEntry(k entryKey) *entryAnchor {
	c.mu.RLock()
	a := c.entries[k]
	c.mu.RUnlock()
	if a != nil {
		return a
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.entries[k]; a != nil {
		return a
	}
	a = new(entryAnchor)
	if c.room(0) {
		k.uuid = strings.Clone(k.uuid)
		c.entries[k] = a
	}
	return a
}

// room takes space for one more anchor, if there is any.
func (c *anchors) room(text int) bool {
	if c.kept+text+anchorSize > MaxAnchorBytes {
		return false
	}
	c.kept += text + anchorSize
	return true
}
