package report

import "github.com/ark-forge/proveit/verify"

// frenchEntry are the same codes as englishEntry.
var frenchEntry = map[verify.Reason]Message{
	"proof_not_given": {"Aucune vue de la preuve citée n’a été fournie : rien ne peut encore en être dit.",
		"Récupérer la vue publique de la preuve et donner son dossier par --proofs."},
	"hashes_not_opened": {"La preuve n’ouvre pas ses empreintes de requête et de réponse avec les paires divulguées par la soumission : il n’y a rien à comparer.",
		"Corriger ce qui fait échouer la preuve elle-même, puis vérifier à nouveau."},
	"catalogue_not_given": {"Aucun manifeste du corpus n’est disponible : la requête de la ressource ne peut pas être recalculée.",
		"Vérifier à nouveau avec un lot de saison qui contient corpus/manifest.json ; d’ici là, comparer l’URL de l’appel à la ressource, caractère par caractère."},
	"response_not_given": {"Ni la page figée ni une réponse enregistrée de l’empreinte ouverte n’est disponible : la valeur ne peut pas être comparée.",
		"Enregistrer les réponses des appels en fichiers JSON et donner leur dossier par --responses."},
}
