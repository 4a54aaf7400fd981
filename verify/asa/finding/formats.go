package finding

// formats says, for a requirement that reads a file of this tool's own, what the file holds.
var formats = map[string]map[string]string{
	"en": {
		"R100": `export.json or export-*.json says to whom results were handed, parties_only, parties_and_arp or public, and may not name more than the agreement's result_visibility: ` + exportForm,
		"R101": `arp_report.json is what reputation services are told over all results, and nothing about single ones: ` + aggregateForm,
		"R106": `archive.jsonl has one line for each record that was deleted after its retention, and keeps its hash and, of a result, its composite: ` + archiveForm,
	},
	"fr": {
		"R100": `export.json ou export-*.json dit à qui des résultats ont été remis, parties_only, parties_and_arp ou public, sans dépasser le result_visibility de l’accord : ` + exportForm,
		"R101": `arp_report.json est ce que les services de réputation apprennent sur l’ensemble des résultats, et rien sur un seul : ` + aggregateForm,
		"R106": `archive.jsonl a une ligne par enregistrement supprimé après sa durée de conservation, et en garde le hash et, d’un résultat, le composite : ` + archiveForm,
	},
}

const (
	exportForm    = `{"agreement_id": "asa-…", "verification_id": "ver-…", "audience": "parties_and_arp", "at": "2026-04-02T00:00:00Z"}`
	aggregateForm = `{"pass_rate": 100, "mean_composite": 88.6, "verifications": 1}`
	archiveForm   = `{"record": "result", "id": "ver-…", "purged_at": "2027-04-01T00:00:00Z", "sha256": "sha256:…", "composite": 88.6}`
)

// Format says in "en" or "fr" what the file holds that a requirement reads; "" where it reads none of this tool's own.
func Format(requirement, lang string) string {
	texts, ok := formats[lang]
	if !ok {
		texts = formats["en"]
	}
	return texts[requirement]
}
