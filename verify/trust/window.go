package trust

import "time"

// Grace is how long after its retirement a key still counts: a batch closes up to ten minutes, and a little, after the proof.
const Grace = 15 * time.Minute

// Window is the time in which a key counts. A zero bound is none.
type Window struct {
	From    time.Time // valid_from, included
	Retired time.Time // retired_at; Grace is not in it
}

// Contains reports whether t is from From to Retired plus Grace, both included.
func (w Window) Contains(t time.Time) bool {
	return !t.Before(w.From) && (w.Retired.IsZero() || !t.After(w.Retired.Add(Grace)))
}

// Within reports whether t is from From to Retired, both included: the window of a log key, which has no grace.
func (w Window) Within(t time.Time) bool {
	return !t.Before(w.From) && (w.Retired.IsZero() || !t.After(w.Retired))
}

// Bounded reports whether the window has a bound.
func (w Window) Bounded() bool { return !w.From.IsZero() || !w.Retired.IsZero() }

// String is "<from> to <retired>" in RFC 3339, "always" for no bound.
func (w Window) String() string {
	switch {
	case !w.Bounded():
		return "always"
	case w.Retired.IsZero():
		return "from " + stamp(w.From)
	case w.From.IsZero():
		return "until " + stamp(w.Retired)
	}
	return stamp(w.From) + " to " + stamp(w.Retired)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// equal compares instants, whatever the zone they were written in.
func (w Window) equal(o Window) bool { return w.From.Equal(o.From) && w.Retired.Equal(o.Retired) }

// parseTime reads RFC 3339 (§5.6) in capitals: "2026-02-26T00:00:00Z", with up to nine digits of fraction, "Z" or an offset. time.Parse
// alone also takes one digit for the hour and a comma before the fraction.
func parseTime(s string) (time.Time, bool) {
	const form = "dddd-dd-ddTdd:dd:dd"
	if len(s) < len(form)+1 {
		return time.Time{}, false
	}
	for i := range len(form) {
		digit := s[i] >= '0' && s[i] <= '9'
		if (form[i] == 'd') != digit || (!digit && form[i] != s[i]) {
			return time.Time{}, false
		}
	}
	rest := s[len(form):]
	if rest[0] == ',' || len(rest) > len(".123456789+01:00") {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC(), err == nil
}
