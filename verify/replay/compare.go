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

// found is told of one place at which two documents differ. A value that is not there is Missing.
type found func(pointer string, published, computed canon.Value)

// differIndex compares two indexes. A row that is withheld here says only that the bundle lacks evidence: where the published row differs,
// that is no difference but an open question, so the row is left out on both sides. What no evidence changes is compared all the same.
func differIndex(published, computed canon.Value, f found) {
	const tables = "/tables"
	for _, name := range memberNames(published, computed) {
		p, c := published.Get(name), computed.Get(name)
		if name != "tables" || p.Kind() != canon.Object {
			differ(p, c, "/"+canon.EscapeToken(name), f)
			continue
		}
		for _, table := range memberNames(p, c) {
			pointer := tables + "/" + canon.EscapeToken(table)
			if p.Get(table).Kind() != canon.Array || c.Get(table).Kind() != canon.Array {
				differ(p.Get(table), c.Get(table), pointer, f)
				continue
			}
			differRows(p.Get(table), c.Get(table), pointer, f)
		}
	}
}

func differRows(published, computed canon.Value, pointer string, f found) {
	skip := openRows(published, computed)
	left := func(v canon.Value) (rows []canon.Value) {
		for _, row := range v.Elements() {
			if !skip[participantOf(row)] {
				rows = append(rows, row)
			}
		}
		return rows
	}
	p, c := left(published), left(computed)
	for i := range max(len(p), len(c)) {
		place := i
		if i < len(p) {
			place = indexOf(published, p[i])
		}
		differ(at(p, i), at(c, i), pointer+"/"+strconv.Itoa(place), f)
	}
	for _, row := range computed.Elements() {
		if skip[participantOf(row)] {
			differSettled(published, row, pointer, f)
		}
	}
}

// openMembers are the members of a row that evidence may change.
var openMembers = []string{"overclaim", "success", "rendered", "withheld"}

// differSettled compares what no evidence changes in a row that was left out with its published row, which has to be there, once.
func differSettled(published, row canon.Value, pointer string, f found) {
	place := -1
	for i, other := range elements(published) {
		switch {
		case participantOf(other) != participantOf(row):
			continue
		case place >= 0:
			f(pointer+"/"+strconv.Itoa(i), other, canon.Value{})
			continue
		}
		place = i
		for _, name := range memberNames(other, row) {
			if !slices.Contains(openMembers, name) {
				differ(other.Get(name), row.Get(name), pointer+"/"+strconv.Itoa(i)+"/"+canon.EscapeToken(name), f)
			}
		}
	}
	if place < 0 {
		f(pointer+"/"+strconv.Itoa(published.Len()), canon.Value{}, row)
	}
}

// openRows names the participants who are withheld here and published otherwise.
func openRows(published, computed canon.Value) map[string]bool {
	open := map[string]bool{}
	for _, row := range computed.Elements() {
		if row.Get("withheld").Len() == 0 {
			continue
		}
		open[participantOf(row)] = true
		for _, other := range published.Elements() {
			if canon.Equal(row, other) {
				delete(open, participantOf(row))
			}
		}
	}
	return open
}

func participantOf(row canon.Value) string {
	id, _ := row.Get("participant").Text()
	return id
}

func indexOf(list, element canon.Value) int {
	for i, e := range list.Elements() {
		if e == element {
			return i
		}
	}
	return 0
}

// differ calls f for every place at which two documents differ: members by name, elements in order.
func differ(a, b canon.Value, pointer string, f found) {
	switch {
	case a.Kind() == canon.Object && b.Kind() == canon.Object:
		for _, name := range memberNames(a, b) {
			differ(a.Get(name), b.Get(name), pointer+"/"+canon.EscapeToken(name), f)
		}
	case a.Kind() == canon.Array && b.Kind() == canon.Array:
		as, bs := elements(a), elements(b)
		for i := range max(len(as), len(bs)) {
			differ(at(as, i), at(bs, i), pointer+"/"+strconv.Itoa(i), f)
		}
	case !canon.Equal(a, b):
		f(pointer, a, b)
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
