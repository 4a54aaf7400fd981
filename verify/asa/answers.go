package asa

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/finding"
)

// answers are the recomputed facts of the one result: composite, determination, release and amounts, and for each whether it is the same
// under every reading.
func (a *audit) answers() []finding.Answer {
	if len(a.results) != 1 || a.agreement == nil || a.log.Rejected() {
		return nil
	}
	names := []string{"composite", "determination", "release_percent", "to_provider", "to_client"}
	base := a.settlement(a.opts.Readings)
	list := make([]finding.Answer, len(names))
	for i, name := range names {
		list[i] = finding.Answer{Name: name, Value: base[i], Robust: true}
	}
	for rd := range a.opts.Readings.Lattice(paymentSwitches...) {
		for i, value := range a.settlement(rd) {
			if value != base[i] {
				list[i].Robust = false
				list[i].Readings = append(list[i].Readings, changed(a.opts.Readings, rd)+" -> "+orDash(value))
			}
		}
	}
	for i := range list {
		slices.Sort(list[i].Readings)
	}
	return list
}

// settlement is what one result comes to under some readings, in the order of answers.
func (a *audit) settlement(rd finding.Readings) []string {
	r, p := a.results[0], a.agreement.Payment
	out := make([]string, 5)
	d := decide(a.agreement.Criteria, r, rd)
	if d.composite != nil {
		out[0] = shortText(d.composite)
	}
	out[1] = d.verdict.word()
	if !p.Enabled || !a.bound(r) {
		return out
	}
	if percent, _ := release(p, d, rd); percent != nil {
		out[2] = shortText(percent)
		if p.Amount != nil {
			provider, client := p.split(percent)
			out[3], out[4] = p.money(provider), p.money(client)
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
