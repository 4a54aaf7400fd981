package asa

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/finding"
	"github.com/ark-forge/proveit/verify/asa/settlement"
)

// settlementNames are the answers of one result, and of several that are taken together.
var settlementNames = []string{"composite", "determination", "release_percent", "to_provider", "to_client"}

// answers are the recomputed facts of the one result: composite, determination, release and amounts, and for each whether it is the same
// under every reading.
func (a *audit) answers() []finding.Answer {
	if len(a.Results) != 1 || a.Agreement == nil || a.Log.Rejected() {
		return nil
	}
	return overReadings(a.opts.Readings, settlement.PaymentSwitches, func(rd finding.Readings) []finding.Answer { return named(settlementNames, a.settlement(rd)) })
}

// named pairs names with values.
func named(names, values []string) []finding.Answer {
	list := make([]finding.Answer, len(names))
	for i, name := range names {
		list[i] = finding.Answer{Name: name, Value: values[i]}
	}
	return list
}

// overReadings gives the answers under r, each with whether it is the same under every combination of some switches. Where it is not, the
// smallest changes of reading that give another value are named.
func overReadings(r finding.Readings, of []finding.Switch, answers func(finding.Readings) []finding.Answer) []finding.Answer {
	list := answers(r)
	others := make([][]deviating, len(list))
	for rd := range r.Lattice(of...) {
		values := map[string]string{}
		for _, x := range answers(rd) {
			values[x.Name] = x.Value
		}
		for i, x := range list {
			if value := values[x.Name]; value != x.Value {
				others[i] = append(others[i], deviating{rd, value})
			}
		}
	}
	for i := range list {
		list[i].Robust = len(others[i]) == 0
		for _, d := range others[i] {
			if !slices.ContainsFunc(others[i], func(e deviating) bool { return e.within(d, r) }) {
				list[i].Readings = append(list[i].Readings, changed(r, d.readings)+" -> "+orDash(d.value))
			}
		}
		slices.Sort(list[i].Readings)
	}
	return list
}

// deviating is another value of an answer and the readings that give it.
type deviating struct {
	readings finding.Readings
	value    string
}

// within reports whether a part of what other changes against r gives the same value.
func (d deviating) within(other deviating, r finding.Readings) bool {
	for i, v := range d.readings {
		if v != r[i] && v != other.readings[i] {
			return false
		}
	}
	return d.value == other.value && d.readings != other.readings
}

// settlement is what one result comes to under some readings, in the order of answers.
func (a *audit) settlement(rd finding.Readings) []string {
	r, p := a.Results[0], a.Agreement.Payment
	out := make([]string, 5)
	d := settlement.Decide(a.Agreement.Criteria, r, rd)
	if d.Composite != nil {
		out[0] = settlement.ShortText(d.Composite)
	}
	out[1] = d.Verdict.Word()
	if !p.Enabled || !a.binding().Bound(r) {
		return out
	}
	if percent, _ := settlement.Release(p, d, rd); percent != nil {
		out[2] = settlement.ShortText(percent)
		if p.Amount != nil {
			provider, client := p.Split(percent)
			out[3], out[4] = p.Money(provider), p.Money(client)
		}
	}
	return out
}

// changed names the switches in which two readings differ.
func changed(from, to finding.Readings) string {
	out := ""
	for _, s := range finding.Switches() {
		if from.Value(s) != to.Value(s) {
			if out != "" {
				out += ", "
			}
			out += s.String() + "=" + to.Value(s)
		}
	}
	return out
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
