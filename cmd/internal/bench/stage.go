package main

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
	"github.com/ark-forge/proveit/verify/submission"
	"github.com/ark-forge/proveit/verify/trust"
)

// workers is how many goroutines the proof stage and its floor run on.
const workers = 2

// stage is the evidence of a season, in memory.
type stage struct {
	batches     [][]byte // files of proofs
	bytes       int
	proofs      int
	disclosures map[string]proof.Disclosures
	entries     map[string][]rekor.Entry
	store       *trust.Store
}

// proofStage measures parse, commitments, path, signature and openings of every proof, anchors verified beforehand and reported apart; and
// its floor, one Ed25519 verification and one strict parse of the same bytes for each proof, on the same number of workers.
func proofStage(season string) ([]figure, error) {
	s, err := readStage(season)
	if err != nil {
		return nil, err
	}
	v := proof.NewVerifier(s.store)
	anchors, err := s.timed(func(b []byte) error { return s.verify(v, b) })
	if err != nil {
		return nil, err
	}
	var best, floor time.Duration
	for range rounds {
		took, err := s.timed(func(b []byte) error { return s.verify(v, b) })
		if err != nil {
			return nil, err
		}
		base, err := s.timed(s.floor)
		if err != nil {
			return nil, err
		}
		best, floor = least(best, took), least(floor, base)
	}
	rate := func(d time.Duration) float64 { return float64(s.proofs) / d.Seconds() }
	return []figure{
		{Name: "ProofStage", Value: rate(best), Unit: "proofs/s", Goal: "at least 25000"},
		{Name: "Floor", Value: rate(floor), Unit: "proofs/s"},
		{Name: "StageOfFloor", Value: floor.Seconds() / best.Seconds(), Unit: "ratio", Goal: "at least 0.8"},
		{Name: "AnchorStage", Value: (anchors - best).Seconds(), Unit: "s"},
	}, nil
}

func least(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// timed runs f over every batch file on the workers.
func (s *stage) timed(f func([]byte) error) (time.Duration, error) {
	start := time.Now()
	next := make(chan []byte)
	errs := make(chan error, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for b := range next {
				if err := f(b); err != nil {
					select {
					case errs <- err:
					default:
					}
				}
			}
		}()
	}
	for _, b := range s.batches {
		next <- b
	}
	close(next)
	wg.Wait()
	select {
	case err := <-errs:
		return 0, err
	default:
		return time.Since(start), nil
	}
}

func (s *stage) verify(v *proof.Verifier, b []byte) error {
	views, err := proof.Views("batch", b)
	if err != nil {
		return err
	}
	for _, view := range views {
		d, ok := s.disclosures[view.ID]
		if !ok || view.Proof == nil {
			continue
		}
		uuid := view.Proof.EntryUUID()
		r := v.Verify(view.Proof, proof.Evidence{Entries: s.entries[uuid[max(0, len(uuid)-64):]], Disclosures: &d})
		if r.Outcome != proof.Valid {
			return fmt.Errorf("%s is %s, want a season whose proofs are valid", view.ID, r.Outcome)
		}
	}
	return nil
}

// floor does for each proof of a file what no verifier can leave out.
func (s *stage) floor(b []byte) error {
	doc, err := canon.ParseStrict("batch", b)
	if err != nil {
		return err
	}
	for _, view := range doc.Get("proofs").Members() {
		key, err := prefixed(view, "arkforge_pubkey")
		if err != nil {
			return err
		}
		signature, err := prefixed(view, "arkforge_signature")
		if err != nil {
			return err
		}
		chain, _ := view.Get("hashes").Get("chain").Text()
		if !ed25519.Verify(key, []byte(strings.TrimPrefix(chain, "sha256:")), signature) {
			return fmt.Errorf("a signature of the minted season does not hold")
		}
	}
	return nil
}

func prefixed(view canon.Value, name string) ([]byte, error) {
	s, _ := view.Get(name).Text()
	return canon.DecodeBase64URL(strings.TrimPrefix(s, "ed25519:"))
}

func readStage(season string) (*stage, error) {
	s := &stage{disclosures: map[string]proof.Disclosures{}, entries: map[string][]rekor.Entry{}}
	var err error
	if s.store, err = trust.Load(os.DirFS(filepath.Join(season, "trust")), "trust"); err != nil {
		return nil, err
	}
	err = files(season, "submissions", func(name string, b []byte) error {
		if sub, refusals := submission.Parse(name, b, submission.Rules{}); len(refusals) == 0 {
			for id, d := range sub.Disclosures {
				s.disclosures[id] = d
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = files(season, "rekor", func(name string, b []byte) error {
		entries, err := rekor.ParseEntries(name, b)
		for _, e := range entries {
			leaf := e.UUID[max(0, len(e.UUID)-64):]
			s.entries[leaf] = append(s.entries[leaf], e)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, files(season, "proofs", func(_ string, b []byte) error {
		var batch struct{ Proofs map[string]json.RawMessage }
		if err := json.Unmarshal(b, &batch); err != nil || len(batch.Proofs) == 0 {
			return err // a single view, such as that of a freeze
		}
		s.batches = append(s.batches, b)
		s.bytes += len(b)
		s.proofs += len(batch.Proofs)
		return nil
	})
}

// files calls f for every file below a folder of the season, in the order of their names.
func files(season, dir string, f func(name string, b []byte) error) error {
	var names []string
	err := filepath.WalkDir(filepath.Join(season, dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	sort.Strings(names)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := f(name, b); err != nil {
			return err
		}
	}
	return nil
}
