package report

// seasonLabels are the words of the commands that look at a season without scoring it: English, French.
var seasonLabels = map[string][2]string{
	"needs_none":    {"nothing to fetch", "rien à récupérer"},
	"needs_proofs":  {"proofs to read, one request body a line, for POST /v1/proofs", "preuves à lire, un corps de requête par ligne, pour POST /v1/proofs"},
	"needs_pending": {"of these, read again because their batch was still open", "parmi elles, à relire parce que leur lot était encore ouvert"},
	"needs_entries": {"log entries to read, one request body a line, for the log’s POST /api/v1/log/entries/retrieve",
		"entrées de journal à lire, un corps de requête par ligne, pour POST /api/v1/log/entries/retrieve du journal"},
	"needs_files":   {"files of the bundle", "fichiers du lot"},
	"needs_trust":   {"trust material", "clés et certificats de confiance"},
	"needs_refused": {"refused at entry, so nothing is fetched for them", "rejetées à l’entrée, donc rien n’est récupéré pour elles"},
	"needs_looked":  {"looked at: %d submissions that pass entry, %d proofs", "examinées : %d soumissions recevables à l’entrée, %d preuves"},

	"diff_none":       {"the two replays are identical", "les deux rejeux sont identiques"},
	"diff_first":      {"first assertion judged otherwise", "première assertion jugée autrement"},
	"diff_assertions": {"assertions judged otherwise", "assertions jugées autrement"},
	"diff_rates":      {"rates that differ", "taux qui diffèrent"},
	"diff_others":     {"other values that differ", "autres valeurs qui diffèrent"},
	"diff_more":       {"… and %d more (all in -o json)", "… et %d de plus (tout est dans -o json)"},
	"assertion":       {"assertion", "assertion"},
	"participant":     {"participant", "participant"},
	"members":         {"members", "membres"},
	"absent":          {"(absent)", "(absent)"},
}
