package season

import (
	"strings"
	"testing"
	"time"
)

// TestInstants: the bounds of a season are any RFC 3339 time; the instants are written out by hand.
func TestInstants(t *testing.T) {
	const season = `{"format":"proveit.season/v1","season":1,"opens_at":"2026-09-21T00:00:00Z","closes_at":"CLOSE",
"tracks":[{"id":"conformite","bareme":"b","text":"t","key":"k"}],"freeze":"f","manifest":"m","enrolments":"e"}`
	for text, want := range map[string]time.Time{
		"2026-10-19T22:00:00Z":           time.Date(2026, 10, 19, 22, 0, 0, 0, time.UTC),
		"2026-10-19T22:00:00.500Z":       time.Date(2026, 10, 19, 22, 0, 0, 5e8, time.UTC),
		"2026-10-19T21:59:59.999999999Z": time.Date(2026, 10, 19, 21, 59, 59, 999999999, time.UTC),
		"2026-10-20T00:00:00+02:00":      time.Date(2026, 10, 19, 22, 0, 0, 0, time.UTC),
		"2026-10-19T22:00:00+00:00":      time.Date(2026, 10, 19, 22, 0, 0, 0, time.UTC),
	} {
		s, err := ParseSeason("season.json", []byte(strings.Replace(season, "CLOSE", text, 1)))
		if err != nil || !s.Closes.Equal(want) || s.Closes.Location() != time.UTC {
			t.Errorf("%s: got %+v, %v, want %s", text, s, err, want)
		}
	}
	for _, text := range []string{"2026-10-19T22:00:00", "2026-10-19 22:00:00Z", "2026-10-19T2:00:00Z", "2026-10-19T22:00:00,5Z", "2026-10-19T22:00:00.Z",
		"2026-10-19T22:00:00.1234567891Z", "2026-10-19T22:00:00+0200", "2026-10-19T24:00:00Z", "2026-10-19T22:00:00z"} {
		if s, err := ParseSeason("season.json", []byte(strings.Replace(season, "CLOSE", text, 1))); err == nil {
			t.Errorf("%s: got %s", text, s.Closes)
		}
	}
}
