package report

// entryLabels are the words of the commands for participants: English, French.
var entryLabels = map[string][2]string{
	"accepted":           {"the entry takes it", "recevable à l’entrée"},
	"refused":            {"the entry refuses it", "rejetée à l’entrée"},
	"disclosed_into":     {"%s: disclosures written, proofs opened: %d", "%s : disclosures écrites, preuves ouvertes : %d"},
	"hint":               {"perhaps", "peut-être"},
	"unusable":           {"could not be examined", "n’a pas pu être examiné"},
	"not_anchored":       {"declared, not anchored", "déclaré, non ancré"},
	"salt":               {"salt, secret until the close", "sel, secret jusqu’à la clôture"},
	"corpus_resources":   {"%d resources", "%d ressources"},
	"conformance_counts": {"cases: %d, refusals: %d, differ: %d", "cas\u00a0: %d, refus\u00a0: %d, diffèrent\u00a0: %d"},
	"collection":         {"collection", "collection"},
	"file":               {"file", "fichier"},
	"sha256":             {"sha256", "sha256"},
	"request_hash":       {"request_hash", "request_hash"},
	"response_hash":      {"response_hash", "response_hash"},
	"salts_secret": {"the salts are secret until the close: whoever has one can try answer keys against the commitment",
		"les sels sont secrets jusqu’à la clôture : qui en a un peut essayer des clés de réponses contre l’engagement"},
	"system_bodies": {"the manifest has %d of %d system bodies, and no season is scored with it: add _systeme/403.json, _systeme/503.json and _systeme/400.json",
		"le manifeste a %d corps système sur %d, et aucune saison n’est scorée avec lui : ajoutez _systeme/403.json, _systeme/503.json et _systeme/400.json"},
}
