package conformance

import (
	"maps"
	"slices"
	"strconv"
)

// Difference is one member of an answer that is not what the case expects.
type Difference struct {
	Member string // for example "reason" or "facts/time"
	Found  string
	Wanted string
}

// Compare lists in what an answer differs from the expected one. With lenient, a check, a reason or a fact that the answer leaves empty is
// passed over: another verifier need not know our names. The result and the exit code always count.
func Compare(got, want Answer, lenient bool) []Difference {
	var out []Difference
	differ := func(member, found, wanted string, optional bool) {
		if found != wanted && !(optional && lenient && found == "") {
			out = append(out, Difference{member, found, wanted})
		}
	}
	differ("result", got.Result, want.Result, false)
	differ("exit_code", strconv.Itoa(got.ExitCode), strconv.Itoa(want.ExitCode), false)
	differ("check", got.Check, want.Check, true)
	differ("reason", got.Reason, want.Reason, true)
	for _, name := range slices.Sorted(maps.Keys(want.Facts)) {
		differ("facts/"+name, got.Facts[name], want.Facts[name], true)
	}
	return out
}

// Verdict is what came of one case.
type Verdict struct {
	Case        Case
	Got         Answer
	Trouble     string // why there is no answer; empty where there is one
	Differences []Difference
}

// Agrees reports whether there is an answer and it is the expected one.
func (v Verdict) Agrees() bool { return v.Trouble == "" && len(v.Differences) == 0 }

// Run puts every question in order. An error of ask is a case without an answer and does not stop the others.
func Run(cases []Case, lenient bool, ask func(Case) (Answer, error)) []Verdict {
	out := make([]Verdict, 0, len(cases))
	for _, c := range cases {
		v := Verdict{Case: c}
		got, err := ask(c)
		if err != nil {
			v.Trouble = err.Error()
		} else {
			v.Got, v.Differences = got, Compare(got, c.Want, lenient)
		}
		out = append(out, v)
	}
	return out
}
