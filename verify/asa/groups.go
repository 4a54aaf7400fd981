package asa

import (
	"slices"

	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// processAnswers are the recomputed facts of the lifecycle: the state that the events lead to, whether the delivery was on time and by how
// much, what comes next, and the interval of every instant that nothing states.
func (a *audit) processAnswers() []finding.Answer {
	if a.agreement == nil || a.log.Rejected() {
		return nil
	}
	out := Lifecycle(a.lifecycleInput(), &finding.Log{})
	var list []finding.Answer
	add := func(name, value string) {
		if value != "" {
			list = append(list, finding.Answer{Name: name, Value: value, Robust: true})
		}
	}
	add("state", out.State)
	for _, d := range out.Deadlines {
		add("next_"+d.Name, exact.InstantText(d.At))
	}
	for _, i := range out.Intervals {
		add("feasible_"+i.Name, i.String())
	}
	first := len(list)
	add("on_time", out.OnTime)
	add("delivery_margin_seconds", exact.Text(out.Margin))
	for rd := range a.opts.Readings.Lattice(finding.DeadlineBase) {
		in := a.lifecycleInput()
		in.Readings = rd
		other := Lifecycle(in, &finding.Log{})
		values := []string{other.OnTime, exact.Text(other.Margin)}
		for i := range list[first:] {
			if f := &list[first+i]; f.Value != values[i] {
				f.Robust = false
				f.Readings = append(f.Readings, changed(a.opts.Readings, rd)+" -> "+orDash(values[i]))
				slices.Sort(f.Readings)
			}
		}
	}
	return list
}
