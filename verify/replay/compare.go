package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/report"
)

const publishedDir = "published/"

// publishedIndex reads an organizer's index. It is not kept: the index of a long season is as large as everything else that a replay holds.
type publishedIndex func() (canon.Value, error)

// readPublished finds the organizer's own indexes. A malformed one, or one of another format, cannot be compared, which is an error; so
// each is read before anybody is judged, and again at the end.
func (r *run) readPublished() error {
	for _, t := range r.season.Tracks {
		name := publishedName(t.ID)
		if !r.present(name) {
			continue
		}
		read := func() (canon.Value, error) {
			b, err := r.bundle.Read(name)
			if err != nil {
				return canon.Value{}, fmt.Errorf("%s: %w", name, err)
			}
			d, err := manifest.OpenDocument(name, b, report.FormatIndex)
			if err != nil {
				return canon.Value{}, err
			}
			return d.Root, nil
		}
		if _, err := read(); err != nil {
			return err
		}
		r.index[t.ID] = read
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

// differIndex compares a published index with the one that was computed, whose rows become values one at a time. A row that is withheld here
// says only that the bundle lacks evidence: where the published row differs, that is no difference but an open question, so the row is left
// out on both sides. What no evidence changes is compared all the same.
func differIndex(published canon.Value, index report.Index, f found) error {
	tables := index.Tables
	index.Tables = report.Tables{}
	computed, err := documentValue(index)
	if err != nil {
		return err
	}
	for _, name := range memberNames(published, computed) {
		p := published.Get(name)
		if name == "tables" {
			err = differTables(p, tables, f)
		} else {
			differ(p, computed.Get(name), "/"+canon.EscapeToken(name), f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func differTables(published canon.Value, tables report.Tables, f found) error {
	rows := map[string][]report.Row{"reference": tables.Reference, "community": tables.Community}
	if published.Kind() != canon.Object {
		return differWhole(published, tables, "/tables", f)
	}
	names := []string{"reference", "community"}
	for name := range published.Members() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p, pointer := published.Get(name), "/tables/"+canon.EscapeToken(name)
		var err error
		switch list, ours := rows[name]; {
		case !ours:
			differ(p, canon.Value{}, pointer, f)
		case p.Kind() != canon.Array:
			err = differWhole(p, list, pointer, f)
		default:
			err = differRows(p, list, pointer, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// differWhole compares where the published value is of another kind, so that nothing in it can be matched.
func differWhole(published canon.Value, computed any, pointer string, f found) error {
	c, err := documentValue(computed)
	if err == nil {
		differ(published, c, pointer, f)
	}
	return err
}

func differRows(published canon.Value, rows []report.Row, pointer string, f found) error {
	open, err := openRows(published, rows)
	if err != nil {
		return err
	}
	var left []report.Row
	for _, row := range rows {
		if _, skip := open[row.Participant]; !skip {
			left = append(left, row)
		}
	}
	n := 0
	for place, row := range published.Elements() {
		if _, skip := open[participantOf(row)]; skip {
			continue
		}
		var computed canon.Value
		if n < len(left) {
			if computed, err = documentValue(left[n]); err != nil {
				return err
			}
		}
		differ(row, computed, pointer+"/"+strconv.Itoa(place), f)
		n++
	}
	for ; n < len(left); n++ {
		computed, err := documentValue(left[n])
		if err != nil {
			return err
		}
		differ(canon.Value{}, computed, pointer+"/"+strconv.Itoa(n), f)
	}
	for _, row := range rows {
		if computed, skip := open[row.Participant]; skip {
			differSettled(published, computed, pointer, f)
		}
	}
	return nil
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

// openRows are the rows that are withheld here and published otherwise, by participant.
func openRows(published canon.Value, rows []report.Row) (map[string]canon.Value, error) {
	open := map[string]canon.Value{}
	for _, row := range rows {
		if len(row.Withheld) == 0 {
			continue
		}
		v, err := documentValue(row)
		if err != nil {
			return nil, err
		}
		open[row.Participant] = v
	}
	for _, row := range published.Elements() {
		if v, ok := open[participantOf(row)]; ok && canon.Equal(row, v) {
			delete(open, participantOf(row))
		}
	}
	return open, nil
}

func participantOf(row canon.Value) string {
	id, _ := row.Get("participant").Text()
	return id
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
