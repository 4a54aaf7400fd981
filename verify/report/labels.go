package report

// Label is a word or phrase of the interface in a language; the key itself where there is none, which a test forbids.
func Label(key string, l Lang) string {
	pair, ok := labels[key]
	if !ok {
		return key
	}
	return pair[l]
}

// labels are the words of the interface: English, French.
var labels = map[string][2]string{
	"independent":   {"independent witness", "témoin indépendant"},
	"found":         {"found", "trouvé"},
	"expected":      {"expected", "attendu"},
	"where":         {"where", "où"},
	"next":          {"next", "à faire"},
	"result":        {"result", "résultat"},
	"holds":         {"holds", "tient"},
	"differs":       {"does not hold", "ne tient pas"},
	"incomplete":    {"not answerable yet", "pas encore décidable"},
	"valid":         {"valid", "valide"},
	"invalid":       {"invalid", "invalide"},
	"pending":       {"pending", "en attente"},
	"overclaim":     {"overclaim rate", "taux d’overclaim"},
	"success":       {"success rate", "taux de réussite"},
	"no_object":     {"not applicable", "sans objet"},
	"withheld":      {"withheld", "non rendu"},
	"best_constant": {"best constant answer", "meilleure réponse constante"},
	"agent":         {"agent", "agent"},
	"table":         {"table", "tableau"},
	"reference":     {"reference runs", "runs de référence"},
	"community":     {"community", "communauté"},
	"track":         {"track", "piste"},
	"freeze":        {"freeze", "gel"},
	"missing":       {"to fetch", "à récupérer"},
	"rendered":      {"rendered tasks", "tâches rendues"},
	"incidents":     {"incidents", "incidents"},
	"published":     {"published index", "index publié"},
}
