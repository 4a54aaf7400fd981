package simulate

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// Options say which season is made. The zero value is one participant for each profile, closed, of the empty seed.
type Options struct {
	Seed         string
	Participants int  // 0: one for each profile; more than there are profiles: the rest are volume participants
	Open         bool // adds the profiles whose proofs are pending or missing: the season cannot be judged yet (exit 3)

	Small bool // leaves out the profiles that parade kinds of proofs and rules of entry one by one

	// FullViews adds the owner's full view of every proof, as full-views/<participant>/<proof_id>.json. They are a participant's own, with the
	// nonces that open everything: they belong beside the bundle, not in it.
	FullViews bool

	// TasksPerParticipant and ProofsPerTask, where not 0, make a season for measuring: every participant submits that many tasks, each
	// assertion with a proof of its own, and lots are filled to 100 across participants.
	TasksPerParticipant int
	ProofsPerTask       int
}

// FullViewsDir is the folder of the owners' full views in what Write gives.
const FullViewsDir = "full-views/"

// Sizes of a lot: how many proofs are anchored together at most.
const (
	lotCapacity       = 100 // as the issuer has it
	smallLotCapacity  = 24  // in a season of profiles, so that there is more than one lot
	volumeTasks       = 6
	volumeProofs      = 5
	grace             = 15 * time.Minute // how long a retired key may still sign
	seasonNumber      = 1
	participantDigits = 4
)

// Season makes the whole season in memory: file names inside the bundle, and their bytes.
func Season(o Options) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := Write(o, func(name string, b []byte) error {
		files[name] = b
		return nil
	})
	if err != nil {
		return nil, err
	}
	return files, nil
}

// Write makes the season file by file. The order of the files is the same on every run; no file is given twice. What emit returns ends
// the run. Proofs and submissions do not stay in memory once they are given away.
func Write(o Options, emit func(name string, b []byte) error) error {
	b, err := newBuilder(o, emit)
	if err != nil {
		return err
	}
	if err := b.writeCorpus(); err != nil {
		return err
	}
	if err := b.writeFrozen(); err != nil {
		return err
	}
	for _, p := range b.players {
		if err := b.play(p); err != nil {
			return fmt.Errorf("participant %s: %w", p.id, err)
		}
		if err := b.flush(); err != nil {
			return err
		}
	}
	return b.finish()
}

// builder is the season while it is made.
type builder struct {
	o           Options
	seed        mint.Seed
	emit        func(name string, b []byte) error
	names       map[string]bool
	opens       time.Time
	closes      time.Time
	rotation    time.Time // when the issuer's keys change
	corpus      *corpus
	tracks      []*track
	authorities map[string]*mint.Authority
	log         *mint.Log
	issuers     []mint.IssuerKey
	unpublished mint.IssuerKey
	submitters  []mint.SubmitterKey
	stranger    string // a DID that nobody enrolled has
	pool        *pool
	slotCount   int
	calls       uint64
	players     []*player
	waiting     []*player // their proofs are not all anchored yet
	tally       *tally
}

func newBuilder(o Options, emit func(string, []byte) error) (*builder, error) {
	b := &builder{
		o: o, seed: mint.NewSeed(o.Seed), emit: emit, names: map[string]bool{}, corpus: newCorpus(),
		opens:       time.Date(2026, 9, 21, 0, 0, 0, 0, time.UTC),
		closes:      time.Date(2026, 10, 19, 22, 0, 0, 0, time.UTC),
		rotation:    time.Date(2026, 10, 5, 10, 0, 0, 0, time.UTC),
		authorities: map[string]*mint.Authority{},
	}
	for _, style := range mint.Styles {
		a, err := mint.NewAuthority(b.seed, style, 2026)
		if err != nil {
			return nil, err
		}
		b.authorities[style.Provider] = a
	}
	b.log = mint.NewLog(b.seed, logName)
	b.makeKeys()
	for _, build := range []func(mint.Seed, *corpus) (*track, error){conformity, generic} {
		tr, err := build(b.seed, b.corpus)
		if err != nil {
			return nil, err
		}
		b.tracks = append(b.tracks, tr)
	}
	b.tally = newTally(b.tracks)
	b.enrol()
	if len(b.players) > 0 && b.volume() {
		if n, want := len(b.players[0].profile.duties(b)), b.o.TasksPerParticipant; n == 0 || n < want {
			return nil, fmt.Errorf("%d tasks take %d assertions, want %d", n, volume{}.proofs(b), max(want, 1))
		}
	}
	b.plan()
	return b, nil
}

// plan spreads the lots over the season.
func (b *builder) plan() {
	b.pool = &pool{b: b, capacity: smallLotCapacity, open: map[anchorSpec]*lot{}}
	b.slotCount = 300
	if b.volume() {
		b.pool.capacity = lotCapacity
		b.slotCount = len(b.players)*b.o.TasksPerParticipant*b.o.ProofsPerTask/lotCapacity + 2
	}
	b.pool.step = (b.closes.Sub(b.opens) - 6*time.Hour) / time.Duration(b.slotCount)
	b.pool.step = max(b.pool.step.Truncate(time.Second), time.Second)
}

// volume reports whether the season is one for measuring.
func (b *builder) volume() bool { return b.o.TasksPerParticipant > 0 || b.o.ProofsPerTask > 0 }

// write gives a file away.
func (b *builder) write(name string, content []byte) error {
	if b.names[name] {
		return fmt.Errorf("file %s would be written twice", name)
	}
	b.names[name] = true
	return b.emit(name, content)
}

// writeAll gives files away in the order of their names.
func (b *builder) writeAll(prefix string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := b.write(prefix+name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// finish closes the open lots, files what waits for them, and writes what is known only now.
func (b *builder) finish() error {
	if err := b.pool.finish(); err != nil {
		return err
	}
	if err := b.flush(); err != nil {
		return err
	}
	if err := b.pool.finishEntries(); err != nil {
		return err
	}
	if err := b.writeTrust(); err != nil {
		return err
	}
	if err := b.writeStrangers(); err != nil {
		return err
	}
	return b.tally.write(b)
}

// Committed are the options of the seasons that are committed under testdata, by the name of the folder.
var Committed = map[string]Options{
	"season":      {Seed: "saison de répétition"},
	"season-open": {Seed: "saison ouverte", Open: true, Small: true},
}
