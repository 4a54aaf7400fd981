package simulate

// Pools of invented words from which a corpus is drawn. They carry the accents, ligatures and apostrophes of real registers.
var (
	companyKinds   = []string{"Courtage", "Transports", "Établissements", "Société d’études", "Ateliers", "Œnologie", "Comptoir", "Maison"}
	companyTails   = []string{"et Associés", "Frères", "& Fils", "SAS", "Océan", "de l’Ouest", "Réunis", "d’Aÿ"}
	familyNames    = []string{"Féraud", "Jégou", "Guérin", "Nœgelin", "Lefèvre", "Montréal", "Saïdi", "Échevin", "Kerguélen", "Brûlé", "D’Hérouville", "Müller-Ançay", "Le Goffic", "Çelik", "Noël", "Ibañez", "Garçon", "Pélissier", "Zoé", "Quélennec", "Aubépin", "Bézier", "Crépeau", "Dœuvre"}
	firstNames     = []string{"Anaïs", "Loïc", "Zoë", "François", "Hélène", "Gaël", "Clémence", "Jérôme", "Inès", "Maëlle", "Théo", "Noémie", "Rémi", "Salomé", "Cédric", "Aurélie"}
	towns          = []string{"Guéret", "Besançon", "Sète", "Épinal", "Orléans", "Nîmes", "Saint-Étienne", "Mâcon", "Évreux", "Bourg-lès-Valence"}
	companyForms   = []string{"SARL", "SAS", "SA", "Société coopérative", "Société en nom collectif"}
	insurers       = []string{"Mutuelle fictive du Léman", "Assurances Réunies d’Épinal", "Caisse imaginaire de l’Océan", "Prévoyance Brûlé"}
	activities     = []string{"courtage-assurance", "transport-matieres", "conseil-financier"}
	activityTitles = map[string]string{"courtage-assurance": "courtage d’assurance", "transport-matieres": "transport de matières", "conseil-financier": "conseil financier"}
	shelves        = []string{"eclairage", "pompes", "visserie"}
	articles       = map[string][]string{
		"eclairage": {"Projecteur étanche", "Réglette à diodes", "Lampe de chantier", "Balise clignotante"},
		"pompes":    {"Pompe de relevage", "Surpresseur à vessie", "Pompe immergée", "Circulateur à débit réglé"},
		"visserie":  {"Boulon à tête fraisée", "Écrou à créneaux", "Tige filetée", "Goujon d’ancrage"},
	}
	agentNames = []string{"Mésange", "Écluse", "Garance", "Hêtre", "Étoile", "Brume", "Sémaphore", "Érable", "Îlot", "Roseau"}
	stacks     = []string{"maison", "bibliothèque générique", "non précisée", "« banc d’essai n° 2 »"}
)
