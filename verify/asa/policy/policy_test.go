package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

func TestRead(t *testing.T) {
	p, err := Read(document.File{Name: "p.json", Bytes: []byte(`{"readings": {"gate.pay": "tier"}, "evaluators": {"min_evaluations": 100, "canary_rate_gt": "0.95"}}`)}, false)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Readings.Is(finding.GatePay, "tier") || !p.Readings.Is(finding.FailPay, "tier") || !p.Readings.Is(finding.PassK, "unbiased") {
		t.Errorf("readings %v: want gate.pay changed and the other defaults", p.Readings)
	}
	if p.Value("min_evaluations").RatString() != "100" || p.Value("canary_rate_gt").RatString() != "19/20" || p.Value("max_calibration_deviation") != nil {
		t.Error("numbers of the policy are not those of the file")
	}
	if (*Policy)(nil).Value("min_evaluations") != nil {
		t.Error("no policy has a number")
	}
}

// A policy with anything that it may not have is none: a typing error must not fall back to a default in silence.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                                        "option policy: found p.json# [], want an object",
		`{"thresholds": {}}`:                        "option policy: found p.json#/thresholds, want one of the members readings, evaluators",
		`{"readings": {"passk": "block"}}`:          "option policy: found p.json#/readings/passk block, want unbiased | blocks",
		`{"evaluators": {"canary_rate_gt": 90}}`:    "option policy: found p.json#/evaluators/canary_rate_gt 90, want a number from 0 to 1 or its decimal text",
		`{"evaluators": {"min_evaluations": null}}`: "option policy: found p.json#/evaluators/min_evaluations null, want an integer >= 0",
	} {
		_, err := Read(document.File{Name: "p.json", Bytes: []byte(text)}, false)
		var o *document.OptionError
		if !errors.As(err, &o) || err.Error() != want {
			t.Errorf("%s: found %v, want %s", text, err, want)
		}
	}
	_, err := Read(document.File{Name: "p.json", Bytes: []byte(`{"readings": {}, "readings": {}}`)}, false)
	var r *document.Refusal
	if !errors.As(err, &r) || !strings.HasPrefix(r.At, "p.json:1:") {
		t.Errorf("a member twice: found %v, want a refusal with its place", err)
	}
}
