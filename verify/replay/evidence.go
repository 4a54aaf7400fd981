package replay

import (
	"context"
	"errors"
	"sort"
	"sync"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/rekor"
)

// Folders of a bundle that hold evidence.
const (
	proofsDir = "proofs/"
	rekorDir  = "rekor/"
)

// evidence is an index of the proof views and log entries of a bundle. Log entries are few, one for each batch, and are held. Views stay
// in their files and are read again, through a bounded cache, when they are judged.
type evidence struct {
	files   *viewFiles
	views   viewIndex
	entries map[string][]rekor.Entry // by leaf hash, 64 hex digits
	unread  []*verify.Failure        // files that cannot be read, sorted by file
	astray  []*verify.Failure        // views that are not of the proof they lie under, in the order of the files
}

// scanned is what one file of evidence gave.
type scanned struct {
	views   []viewRef
	entries []rekor.Entry
	unread  []*verify.Failure
	astray  []*verify.Failure
}

// readEvidence lists every view and entry of the bundle on several workers. A file that cannot be read is named, and its contents count
// as missing.
func readEvidence(ctx context.Context, b *bundle.Bundle, jobs int) (*evidence, error) {
	views, logs := b.Under(proofsDir), b.Under(rekorDir)
	ev := &evidence{files: newViewFiles(b, views), entries: map[string][]rekor.Entry{}}
	found := make([]scanned, len(views)+len(logs))
	err := each(ctx, len(found), jobs, func(i int) {
		if i < len(views) {
			found[i] = ev.scanViews(i)
		} else {
			found[i] = scanEntries(b, logs[i-len(views)])
		}
	})
	if err != nil {
		return nil, err
	}
	total := 0
	for _, s := range found {
		total += len(s.views)
	}
	ev.views = make(viewIndex, 0, total)
	for i, s := range found {
		ev.views = append(ev.views, s.views...)
		found[i].views = nil
		for _, e := range s.entries {
			leaf := leafHash(e.UUID)
			ev.entries[leaf] = append(ev.entries[leaf], e)
		}
		ev.unread = append(ev.unread, s.unread...)
		ev.astray = append(ev.astray, s.astray...)
	}
	ev.views.sort()
	ev.unread = append(ev.unread, refusedUnder(b, proofsDir)...)
	ev.unread = append(ev.unread, refusedUnder(b, rekorDir)...)
	sort.SliceStable(ev.unread, func(i, j int) bool { return ev.unread[i].File < ev.unread[j].File })
	return ev, nil
}

// leafHash is the part of a UUID that the tree id stands before: its last 64 characters.
func leafHash(uuid string) string {
	const hexDigits = 2 * canon.DigestSize
	if len(uuid) > hexDigits {
		return uuid[len(uuid)-hexDigits:]
	}
	return uuid
}

func (ev *evidence) scanViews(i int) scanned {
	views, failure := ev.files.load(i)
	if failure != nil {
		return scanned{unread: []*verify.Failure{failure}}
	}
	s := scanned{views: make([]viewRef, 0, len(views))}
	for at, v := range views {
		if v.Misfiled != nil {
			s.astray = append(s.astray, v.Misfiled)
			continue
		}
		if k, ok := keyOf(v.ID); ok {
			s.views = append(s.views, viewRef{k, int32(i), int32(at)})
		}
	}
	return s
}

func scanEntries(b *bundle.Bundle, name string) scanned {
	bytes, err := b.Read(name)
	if err != nil {
		return scanned{unread: []*verify.Failure{unreadable(name, err)}}
	}
	entries, err := rekor.ParseEntries(name, bytes)
	if err != nil {
		return scanned{unread: []*verify.Failure{unreadable(name, err)}}
	}
	return scanned{entries: entries}
}

// unreadable names a file that cannot be read and why.
func unreadable(name string, err error) *verify.Failure {
	f := &verify.Failure{Reason: ReasonUnreadable, Found: err.Error(), Wanted: "a file that can be read", File: name}
	var syntax *canon.SyntaxError
	var failure *verify.Failure
	switch {
	case errors.As(err, &syntax):
		f.Found, f.Wanted, f.Pointer = syntax.Found, syntax.Want, syntax.Pointer
	case errors.As(err, &failure):
		f.Found, f.Wanted, f.Pointer = failure.Found, failure.Wanted, failure.Pointer
	}
	return f
}

func refusedUnder(b *bundle.Bundle, prefix string) []*verify.Failure {
	var out []*verify.Failure
	for _, r := range b.Refused() {
		if len(r.Name) >= len(prefix) && r.Name[:len(prefix)] == prefix {
			r := r
			out = append(out, unreadable(r.Name, &r))
		}
	}
	return out
}

// distinct gives the distinct views of a proof, in the order of the files, and whether the service says that it does not exist.
func (ev *evidence) distinct(id string) (views []*proof.Proof, null bool) {
	refs := ev.views.of(id)
	var seen map[string]bool
	if len(refs) > 1 {
		seen = make(map[string]bool, 2)
	}
	for _, ref := range refs {
		loaded, failure := ev.files.load(int(ref.file))
		if failure != nil || int(ref.at) >= len(loaded) {
			continue
		}
		switch v := loaded[ref.at]; {
		case v.Null:
			null = true
		case v.Proof != nil && !seen[v.Proof.Text()]:
			if seen != nil {
				seen[v.Proof.Text()] = true
			}
			views = append(views, v.Proof)
		}
	}
	return views, null
}

// entriesFor gives the entries that a UUID can name.
func (ev *evidence) entriesFor(uuid string) []rekor.Entry { return ev.entries[leafHash(uuid)] }

// each runs f for 0 … n-1 on several workers. It stops early only when the context ends.
func each(ctx context.Context, n, jobs int, f func(int)) error {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(jobs, max(n, 1)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				f(i)
			}
		}()
	}
	var err error
loop:
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			err = ctx.Err()
			break loop
		}
	}
	close(next)
	wg.Wait()
	return err
}
