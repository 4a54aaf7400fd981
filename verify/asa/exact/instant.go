package exact

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"time"
)

// ErrInstant says that a text is not an RFC 3339 date-time with an offset.
var ErrInstant = errors.New("not an RFC 3339 date-time with an offset")

var instantForm = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,30})?(Z|[+-]\d\d:\d\d)$`)

// Instant reads an RFC 3339 date-time as exact seconds since 1970-01-01T00:00:00Z. Upper-case T and Z only; an offset is required, a
// leap second (":60") is refused, and every digit of the fraction counts. The error is ErrInstant.
func Instant(s string) (*big.Rat, error) {
	m := instantForm.FindStringSubmatch(s)
	if m == nil {
		return nil, ErrInstant
	}
	whole := fmt.Sprintf("%s-%s-%sT%s:%s:%sZ", m[1], m[2], m[3], m[4], m[5], m[6])
	t, err := time.Parse("2006-01-02T15:04:05Z", whole)
	if err != nil {
		return nil, ErrInstant
	}
	seconds := t.Unix()
	if m[8] != "Z" {
		hours, _ := strconv.Atoi(m[8][1:3])
		minutes, _ := strconv.Atoi(m[8][4:6])
		if hours > 23 || minutes > 59 {
			return nil, ErrInstant
		}
		offset := int64(hours*3600 + minutes*60)
		if m[8][0] == '-' {
			offset = -offset
		}
		seconds -= offset
	}
	r := Int(seconds)
	if m[7] != "" {
		r.Add(r, Must("0"+m[7]))
	}
	return r, nil
}

// The years 0000 to 9999, which is what RFC 3339 can write.
var firstSecond, lastSecond = Int(-62167219200), Int(253402300799)

// InstantText writes exact seconds since 1970 as RFC 3339 in UTC, with as many decimals as the value has, at most 9.
func InstantText(r *big.Rat) string {
	if r == nil {
		return ""
	}
	whole := FloorPlaces(r, 0)
	if whole.Cmp(firstSecond) < 0 || whole.Cmp(lastSecond) > 0 {
		return Text(r) + " s since 1970" // no RFC 3339 date has that year
	}
	fraction := Sub(r, whole)
	text := time.Unix(whole.Num().Int64(), 0).UTC().Format("2006-01-02T15:04:05")
	if fraction.Sign() != 0 {
		text += Rounded(fraction, 9)[1:]
	}
	return text + "Z"
}
