package trust

import (
	"fmt"
	"strconv"
	"time"

	"github.com/ark-forge/proveit/canon"
)

// shown is how a value appears in a message: strings and numbers themselves, shortened, other values by their kind.
func shown(v canon.Value) string {
	if s, ok := v.Text(); ok {
		return fmt.Sprintf("%.100q", s)
	}
	if n := v.Number(); n != "" {
		return fmt.Sprintf("%.100s", n)
	}
	return v.Kind().String()
}

// malformed is the error at the member of that name; parent itself where name is empty.
func malformed(file string, parent canon.Value, name, want string) error {
	pointer, found := parent.Pointer(), shown(parent)
	if name != "" {
		pointer += "/" + canon.EscapeToken(name)
		found = shown(parent.Get(name))
	}
	return &FormatError{File: file, Pointer: pointer, Found: found, Want: want}
}

// text is a member that must be a string, and not an empty one.
func text(file string, parent canon.Value, name string) (string, error) {
	s, ok := parent.Get(name).Text()
	if !ok || s == "" {
		return "", malformed(file, parent, name, "a string that is not empty")
	}
	return s, nil
}

// array is a member that must be an array of objects, or absent where that is allowed.
func array(file string, parent canon.Value, name string) (canon.Value, error) {
	v := parent.Get(name)
	if !v.Exists() {
		return v, nil
	}
	if v.Kind() != canon.Array {
		return v, malformed(file, parent, name, "an array")
	}
	for _, el := range v.Elements() {
		if el.Kind() != canon.Object {
			return v, malformed(file, el, "", "an object")
		}
	}
	return v, nil
}

// window reads two bounds; an absent or null one is none.
func window(file string, v canon.Value, from, until string) (Window, error) {
	var w Window
	for _, bound := range []struct {
		name string
		t    *time.Time
	}{{from, &w.From}, {until, &w.Retired}} {
		m := v.Get(bound.name)
		if !m.Exists() || m.Kind() == canon.Null {
			continue
		}
		s, _ := m.Text()
		t, ok := parseTime(s)
		if !ok || t.IsZero() { // the zero time would be no bound
			return Window{}, malformed(file, v, bound.name, "null or an RFC 3339 time such as 2026-02-26T00:00:00Z")
		}
		*bound.t = t
	}
	if !w.Retired.IsZero() && w.Retired.Before(w.From) {
		return Window{}, malformed(file, v, until, "a time not before "+stamp(w.From))
	}
	return w, nil
}

// decimal reads a string that is an unsigned 64-bit number in its only spelling.
func decimal(file string, parent canon.Value, name string) (uint64, error) {
	s, _ := parent.Get(name).Text()
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != s {
		return 0, malformed(file, parent, name, "a string of decimal digits without a leading zero, below 2^64")
	}
	return n, nil
}
