package report

import "fmt"

// fetches say where a missing thing is to be had and where it goes, by its kind: English, French. %s stands for its id.
var fetches = map[string][2]string{
	"rekor_entry": {"log entry %[1]s: save https://rekor.sigstore.dev/api/v1/log/entries/%[1]s under rekor/, or give it with --rekor",
		"entrée de journal %[1]s : enregistrer https://rekor.sigstore.dev/api/v1/log/entries/%[1]s sous rekor/, ou la donner par --rekor"},
	"proof": {"proof %[1]s: save https://trust.arkforge.tech/v1/proof/%[1]s under proofs/",
		"preuve %[1]s : enregistrer https://trust.arkforge.tech/v1/proof/%[1]s sous proofs/"},
	"full_view": {"the owner’s full view of proof %s, with commitment_nonces and chain_data",
		"la vue complète du propriétaire pour la preuve %s, avec commitment_nonces et chain_data"},
	"anchor": {"proof %s: its batch is still open; fetch the proof again once it is anchored",
		"preuve %s : son lot est encore ouvert ; récupérer la preuve à nouveau une fois ancrée"},
	"tsa": {"certificates of the timestamping authority %[1]s: its root and signing certificates as PEM under tsa/%[1]s/ of the trust folder",
		"certificats de l’autorité d’horodatage %[1]s : sa racine et ses certificats de signature en PEM sous tsa/%[1]s/ du dossier de confiance"},
	"log_keys": {"the key of the transparency log%s: rekor/<log name>.pem of the trust folder",
		"la clé du journal de transparence%s : rekor/<nom du journal>.pem du dossier de confiance"},
	"issuer_keys": {"the issuer’s published keys%s: issuer/published_keys.json of the trust folder",
		"les clés publiées de l’émetteur%s : issuer/published_keys.json du dossier de confiance"},
	"rekor_keys": {"the issuer’s published log submission keys%s: rekor_keys in issuer/published_keys.json of the trust folder",
		"les clés de soumission publiées de l’émetteur%s : rekor_keys dans issuer/published_keys.json du dossier de confiance"},
	"spec_version": {"a release of this program that knows proofs of version %s",
		"une version de ce programme qui connaît les preuves de version %s"},
	"file": {"file %s of the bundle", "fichier %s du lot"},
}

// Fetch says what to do about something that is missing.
func Fetch(kind, id string, l Lang) string {
	pair, ok := fetches[kind]
	if !ok {
		return kind + " " + id
	}
	return fmt.Sprintf(pair[l], id)
}
