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
var labels = joinLabels(commonLabels, documentLabels, seasonLabels, entryLabels)

// joinLabels makes one map of several. No key is in two of them, which a test holds.
func joinLabels(parts ...map[string][2]string) map[string][2]string {
	out := map[string][2]string{}
	for _, part := range parts {
		for key, pair := range part {
			out[key] = pair
		}
	}
	return out
}

// commonLabels are the words that every command uses.
var commonLabels = map[string][2]string{
	"independent":    {"independent witness", "témoin indépendant"},
	"found":          {"found", "trouvé"},
	"expected":       {"expected", "attendu"},
	"where":          {"where", "où"},
	"next":           {"next", "à faire"},
	"result":         {"result", "résultat"},
	"holds":          {"holds", "tient"},
	"differs":        {"does not hold", "ne tient pas"},
	"incomplete":     {"not answerable yet", "pas encore décidable"},
	"valid":          {"valid", "valide"},
	"invalid":        {"invalid", "invalide"},
	"pending":        {"pending", "en attente"},
	"overclaim":      {"overclaim rate", "taux d’overclaim"},
	"success":        {"success rate", "taux de réussite"},
	"no_object":      {"not applicable", "sans objet"},
	"withheld":       {"withheld", "en suspens"},
	"best_constant":  {"best constant answer", "meilleure réponse constante"},
	"agent":          {"agent", "agent"},
	"table":          {"table", "tableau"},
	"reference":      {"reference runs", "runs de référence"},
	"community":      {"community", "communauté"},
	"track":          {"track", "piste"},
	"freeze":         {"freeze", "gel"},
	"missing":        {"to fetch", "à récupérer"},
	"rendered":       {"rendered tasks", "tâches rendues"},
	"incidents":      {"incidents", "incidents"},
	"published":      {"published index", "index publié"},
	"season":         {"season", "saison"},
	"unfit":          {"rehearsal, not for publication: weakened by", "répétition, non opposable : affaibli par"},
	"freeze_holds":   {"freeze: holds", "gel : tient"},
	"freeze_fails":   {"freeze: does not hold, so there is no score", "gel : ne tient pas, donc aucun score"},
	"freeze_open":    {"freeze: not answerable yet, so there is no score", "gel : pas encore décidable, donc aucun score"},
	"freeze_skipped": {"freeze: not checked", "gel : non vérifié"},
	"checked": {"checked: %d submissions, %d proofs, %d timestamp tokens and %d log entries (each distinct one once), %d assertions",
		"vérifiés : %d soumissions, %d preuves, %d jetons d’horodatage et %d entrées de journal (chacun une seule fois), %d assertions"},
	"silent":          {"enrolled, nothing submitted", "inscrits, rien de soumis"},
	"strangers":       {"folders of nobody enrolled, not scored", "dossiers sans inscrit, non scorés"},
	"ignored":         {"outside the layout, ignored", "hors de la structure, ignorés"},
	"unread":          {"could not be read, counts as missing", "illisible, compté comme absent"},
	"warning":         {"warning", "avertissement"},
	"published_none":  {"none compared", "aucun comparé"},
	"published_value": {"published", "publié"},

	"word_failed":  {"failed", "échec"},
	"word_skipped": {"skipped", "non jugé"},
	"word_pending": {"pending", "attente"},
	"word_advice":  {"advice", "conseil"},
	"word_close":   {"close", "clôture"},
	"word_refused": {"refused", "refusé"},
}
