package paper

import (
	"embed"
	"io/fs"
)

// samples are the five JSON samples of the paper in our own layout: same members, numbers and comments, evidence shortened.
//
//go:embed agreement.json request.json result.json negotiation.json gates.json claims.json
var samples embed.FS

// Samples is the folder of the paper's own documents: agreement.json, request.json, result.json, negotiation.json, gates.json. The request
// and the negotiation message hold comments, so they need the JSONC option.
func Samples() fs.FS { return samples }
