package finding

import (
	"slices"
	"strings"
)

// sharedBy lists which requirements, and which gaps of the paper, use a sentence that several share.
var sharedBy = map[string]string{
	"input-missing": "R024 R027 R030 R031 R032 R033 R034 R035 R036 R037 R038 R039 R040 R042 R043 R044 R045 R046 R047 R048 R049 R050 R051 R052 R053 R054 R058 R059 R060 R061 R063 R065 " +
		"R067 R069 R072 R073 R076 R078 R080 R084 R085 R088 R093 R097 R101 R104",
	"guarantee-unknown": "R084 R085", "control": "P01 P03 P08 P09 P14 P15 P19 P24 P27 P29", "must-be-expired": "R035 R036", "timer-early": "R035 R036 R037",
	"no-calibration-limit": "R058 R067 R068", "not-qualified": "R058 R067", "record-unknown": "R058 R060 R067",
	"no-identity": "R057 R067", "no-lineage": "R057 R067", "no-org": "R057 R067", "same-identity": "R057 R067", "same-lineage": "R057 R067", "same-org": "R057 R067", "schemes-differ": "R057 R067",
	"time-goes-back": "R032 R047", "amounts-missing": "R065 R093", "composite-unknown": "R076 R077", "deliverable-not-bound": "R088 R092 R093", "no-hash": "R031 R097 R098 R099 R106",
	"release-mismatch": "R088 R089 R092", "release-not-declared": "R088 R089 R092", "release-unknown": "R088 R089 R092 R093",
	"slo-met-mismatch": "R073 R074", "slo-met-missing": "R073 R074", "slo-unknown": "R073 R074",
}

// Known are all ids that a report can hold, sorted.
func Known() []string {
	var all []string
	for id := range catalog["en"] {
		slug, shared := strings.CutPrefix(id, "asa/*/")
		if !shared {
			all = append(all, id)
		}
		for _, requirement := range strings.Fields(sharedBy[slug]) {
			all = append(all, ID(requirement, slug))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
