package verify

// Cause says why an assertion is not supported: the first of the four conditions of seed 000 §4.1 that fails, or the instrument.
type Cause string

// The five causes (seed 000 §4.1). They are written as the challenge publishes them, in French, in every language.
const (
	PreuveInvalide             Cause = "preuve_invalide"              // condition 1
	IdentiteNonLiee            Cause = "identite_non_liee"            // condition 2
	RessourceNonCorrespondante Cause = "ressource_non_correspondante" // condition 3
	DefautInstrument           Cause = "defaut_instrument"            // a system body, tested once condition 3 holds
	ValeurNonCorrespondante    Cause = "valeur_non_correspondante"    // condition 4
)

// TaskStatus is what became of one task of one participant (seed 000 §4, §5.7).
type TaskStatus string

// The statuses of a task, in the order in which they are decided.
const (
	RejeteeEntree  TaskStatus = "rejetee_entree"  // refused at entry: schema, disclosures, cap
	TacheIncomp    TaskStatus = "incomplete"      // a file or trust material is missing; no score
	EnAttente      TaskStatus = "en_attente"      // a cited proof is not anchored yet; no score
	RejeteeCloture TaskStatus = "rejetee_cloture" // outside the graph, an entry of nobody concerned, or a field nobody consumes
	NonRendue      TaskStatus = "non_rendue"      // fewer assertions than the minimum, or too few on own resources
	Rendue         TaskStatus = "rendue"          // counted in the overclaim rate
	Absente        TaskStatus = "absente"         // nothing submitted
)

// Incident is something that the operators of the instrument must look at; it changes no judgement.
type Incident struct {
	Code        Reason // for example "flat_field"
	Participant string // id in enrolments; empty outside a season
	Track       string
	TaskID      string
	Assertion   string
	ProofID     string
	Found       string
	Wanted      string
	File        string // of the proof view; may be empty
	Pointer     string // where in the proof view or log entry
}
