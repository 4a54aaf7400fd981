package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
)

const publishedDir = "published/"

// readPublished reads the organizer's own indexes. A malformed one cannot be compared, which is an error; so it is read before anybody
// is judged.
func (r *run) readPublished() error {
	for _, t := range r.season.Tracks {
		name := publishedName(t.ID)
		if !r.present(name) {
			continue
		}
		b, err := r.bundle.Read(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if r.index[t.ID], err = canon.ParseStrict(name, b); err != nil {
			return err
		}
	}
	return nil
}

func publishedName(track string) string { return publishedDir + "index-" + track + ".json" }

// documentValue turns a document into the value that it would be read as.
func documentValue(doc any) (canon.Value, error) {
	b, err := json.Marshal(doc)
	if err != nil {
		return canon.Value{}, err
	}
	return canon.Parse(b)
}

// canonicalText is the canonical JSON of a value, empty where there is none.
func canonicalText(v canon.Value) string { return string(canon.AppendCanonical(nil, v)) }

// differ calls found for every place at which two documents differ: members by name, elements in order.
func differ(a, b canon.Value, pointer string, found func(pointer string, a, b canon.Value)) {
	switch {
	case a.Kind() == canon.Object && b.Kind() == canon.Object:
		for _, name := range memberNames(a, b) {
			differ(a.Get(name), b.Get(name), pointer+"/"+canon.EscapeToken(name), found)
		}
	case a.Kind() == canon.Array && b.Kind() == canon.Array:
		as, bs := elements(a), elements(b)
		for i := range max(len(as), len(bs)) {
			differ(at(as, i), at(bs, i), pointer+"/"+strconv.Itoa(i), found)
		}
	case !canon.Equal(a, b):
		found(pointer, a, b)
	}
}

func memberNames(a, b canon.Value) []string {
	var names []string
	for _, v := range []canon.Value{a, b} {
		for name := range v.Members() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func elements(v canon.Value) []canon.Value {
	out := make([]canon.Value, 0, v.Len())
	for _, e := range v.Elements() {
		out = append(out, e)
	}
	return out
}

func at(list []canon.Value, i int) canon.Value {
	if i < len(list) {
		return list[i]
	}
	return canon.Value{}
}

func sortStrings(list []string) { sort.Strings(list) }

func sortByID(ps []season.Participant) {
	slices.SortFunc(ps, func(a, b season.Participant) int { return strings.Compare(a.ID, b.ID) })
}
