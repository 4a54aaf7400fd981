package submission

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schemaText []byte

// Schema is the JSON Schema (2020-12) of a submission, without what only a season or a comparison of members can tell: ids and triples
// that are unique, disclosures of exactly the cited proofs, the tasks and caps of the scale.
func Schema() []byte { return slices.Clone(schemaText) }
