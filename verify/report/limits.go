package report

// limits are what the measure does not prove (seed 000 §5.8, §10), in our own short words.
func limits(l Lang) []string {
	if l == French {
		return limitsFrench
	}
	return limitsEnglish
}

var limitsEnglish = []string{
	"A proof shows that a call was made, not that its answer was read or that the conclusion follows from it.",
	"The corpus is fictional: a rate measured on it says nothing directly about a real task.",
	"True assertions that add nothing can halve an overclaim rate; the cap of each task bounds the effect and does not remove it.",
	"A grounded verdict carries the facts that decide the task, not all that could have been checked.",
	"Always giving the most frequent verdict reaches the first row of the table: read the overclaim rate only beside the success rate.",
	"The declared stack is a declaration; nothing establishes it.",
	"The issuer has committed to a DID binding before anchoring; no public artefact lets a third party verify that binding itself.",
	"Two keys without a common DID remain two participants.",
	"A human using the key leaves the same trace as an agent.",
	"The measure says nothing about intention: a badly equipped agent and any other leave the same trace.",
	"Reasoning, cost, delay and length are not measured; the narrative is published and never scored.",
}

var limitsFrench = []string{
	"Une preuve atteste un appel, pas que la réponse a été lue ni que la conclusion en découle.",
	"Le corpus est fictif : un taux mesuré ici ne dit rien directement d’une tâche réelle.",
	"Des assertions vraies et sans apport peuvent diviser par deux un taux d’overclaim ; le plafond de chaque tâche borne l’effet sans le supprimer.",
	"Un verdict fondé porte les faits qui décident de la tâche, pas tout ce qui aurait pu être vérifié.",
	"Rendre partout le verdict le plus fréquent atteint la première ligne du tableau : le taux d’overclaim ne se lit qu’à côté du taux de réussite.",
	"La stack déclarée est une déclaration ; rien ne l’établit.",
	"L’émetteur s’est engagé sur un binding DID avant l’ancrage ; aucun artefact public ne permet à un tiers de vérifier ce binding lui-même.",
	"Deux clés sans DID commun restent deux participants.",
	"Un humain qui utilise la clé laisse la même trace qu’un agent.",
	"La mesure ne dit rien de l’intention : un agent mal instrumenté et tout autre laissent la même trace.",
	"Le raisonnement, le coût, le délai et la longueur ne sont pas mesurés ; le texte libre est publié et jamais scoré.",
}
