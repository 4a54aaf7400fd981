package report

// Index is what is published about one track (proveit.index/v1): the same document that an organizer publishes, so that the two can be
// compared value by value. It has no mark over both columns and no place.
type Index struct {
	Format       string       `json:"format"` // FormatIndex
	Season       int64        `json:"season"`
	Track        string       `json:"track"`
	Bareme       string       `json:"bareme"`
	BestConstant BestConstant `json:"best_constant"`
	Tables       Tables       `json:"tables"`
}

// Tables are the two tables of a track, never merged (seed 000 §7.1).
type Tables struct {
	Reference []Row `json:"reference"`
	Community []Row `json:"community"`
}

// Row is one participant in a table.
type Row struct {
	Participant string     `json:"participant"`
	Name        string     `json:"name"`
	DID         string     `json:"did"`
	Overclaim   *Overclaim `json:"overclaim"` // null: nothing asserted, or withheld
	Success     *Success   `json:"success"`   // null: withheld
	Rendered    int        `json:"rendered"`
	Withheld    []string   `json:"withheld"`
	Stack       string     `json:"stack"` // declared by the participant
	Proofs      []string   `json:"proofs"`
}

// IndexOf is the index of a judged track. The rows stand by success descending, then overclaim ascending as exact fractions, null last,
// withheld rows after those, ties by DID.
func IndexOf(season int64, t Track) Index {
	out := Index{Format: FormatIndex, Season: season, Track: t.Track, Bareme: t.Bareme, BestConstant: t.BestConstant,
		Tables: Tables{Reference: []Row{}, Community: []Row{}}}
	for _, p := range ordered(t.Participants) {
		row := Row{Participant: p.Participant, Name: p.Name, DID: p.DID, Overclaim: p.Overclaim, Success: p.Success,
			Rendered: p.Rendered, Withheld: p.Withheld, Stack: p.Stack, Proofs: p.Proofs}
		if p.Table == "reference" {
			out.Tables.Reference = append(out.Tables.Reference, row)
		} else {
			out.Tables.Community = append(out.Tables.Community, row)
		}
	}
	return out
}
