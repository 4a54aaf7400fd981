// Package reference holds the tables of the paper that no document carries: the templates of §4.4, and the dimensions and weights of §5.4
// for a verification without an agreement.
package reference

import "slices"

// DefaultSet is one row of the paper's §5.4: the dimensions and weights, in percent, of a standalone verification.
type DefaultSet struct {
	Type       string
	Dimensions []string
	Weights    []int64
}

var defaultSets = []DefaultSet{
	{"text/research", []string{"accuracy", "completeness", "relevance", "sources", "writing"}, []int64{25, 20, 20, 15, 20}},
	{"text/analysis", []string{"accuracy", "methodology", "depth", "clarity", "actionability"}, []int64{25, 20, 20, 15, 20}},
	{"code", []string{"correctness", "performance", "security", "maintainability", "documentation"}, []int64{30, 20, 20, 15, 15}},
	{"data", []string{"accuracy", "completeness", "consistency", "format_compliance", "metadata"}, []int64{25, 25, 20, 15, 15}},
	{"translation", []string{"accuracy", "fluency", "terminology", "cultural_fit", "completeness"}, []int64{25, 25, 20, 15, 15}},
	{"general", []string{"accuracy", "completeness", "relevance", "clarity", "timeliness"}, []int64{25, 20, 20, 20, 15}},
}

// LongName gives the other name of a default dimension: the paper's tables and its sample differ.
var LongName = map[string]string{"sources": "source_quality", "writing": "writing_quality", "source_quality": "sources", "writing_quality": "writing"}

// DefaultDimensions are the six rows of standalone defaults.
func DefaultDimensions() []DefaultSet { return slices.Clone(defaultSets) }

// Defaults is the row of a deliverable type and whether there is one.
func Defaults(kind string) (DefaultSet, bool) {
	for _, s := range defaultSets {
		if s.Type == kind {
			return s, true
		}
	}
	return DefaultSet{}, false
}

// Template is one row of the paper's §4.4: dimensions, and the typical SLOs it names.
type Template struct {
	Name       string
	Dimensions []string
	Typical    map[string]int64 // at least so many points; sources is a count
}

var templates = []Template{
	{"research", []string{"accuracy", "completeness", "relevance", "sources", "writing"}, map[string]int64{"accuracy": 85, "sources": 5}},
	{"code_generation", []string{"correctness", "performance", "security", "maintainability", "test_coverage"}, map[string]int64{"correctness": 95}},
	{"data_analysis", []string{"accuracy", "methodology", "visualization", "conclusion_quality"}, map[string]int64{"accuracy": 90}},
	{"translation", []string{"accuracy", "fluency", "cultural_fit", "terminology"}, map[string]int64{"accuracy": 90, "fluency": 85}},
	{"review", []string{"thoroughness", "accuracy", "actionability", "tone"}, map[string]int64{"thoroughness": 80}},
	{"general", []string{"accuracy", "completeness", "relevance", "timeliness"}, map[string]int64{"accuracy": 80}},
}

// Templates are the names of the six templates.
func Templates() []string {
	var names []string
	for _, t := range templates {
		names = append(names, t.Name)
	}
	return names
}

// TemplateOf is the template of that name and whether there is one.
func TemplateOf(name string) (Template, bool) {
	for _, t := range templates {
		if t.Name == name {
			return t, true
		}
	}
	return Template{}, false
}
