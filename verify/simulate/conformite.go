package simulate

import (
	"fmt"
	"strconv"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// examDay is the day on which the conformity questions are asked.
const examDay = "2026-09-15"

// person is a beneficial owner, or an entry of the list of restrictive measures.
type person struct {
	family, given string
	born          any // text, or nil where the register does not say
}

// amendment is an amendment of an attestation.
type amendment struct {
	id, effect string
	newEnd     any
	annulled   bool
}

// file is everything that the registers hold about one entity: a regular one, until a trap changes it.
type file struct {
	id, name, form, town, activity string
	licence, licenceFrom           string
	licenceTo, licenceStatus       string
	licenceAbsent                  bool
	lifted                         bool   // the condition of the licence was lifted
	oldLicence                     string // of another activity, out of date
	attestation, attestationTo     string
	amendments                     []amendment
	owners                         [][]person // one page each
	listed                         string     // status in the public list
	measured                       []person   // entries of the list of restrictive measures made for this file
	other                          string     // another activity
}

// trap is one conformity task: what differs from a regular file, the verdict, and the facts that found it.
type trap struct {
	family, verdict string
	min, max        int
	set             func(*file)
	facts           func(*file, *registers) []fact
}

// traps are the ten tasks: 3 conforme, 4 non_conforme, 3 indeterminable; every family, P5 three times, one control.
var traps = []trap{
	{"", "conforme", 4, 8, func(*file) {}, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.licencePath(), "/statut"), r.licenceEnd(f), r.one(f.attestationPath(), "/date_fin"))
	}},
	{"P1", "indeterminable", 3, 6, func(f *file) { f.licenceAbsent = true }, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.path(), "/agrements/0"), r.one(f.licencePath(), "/existe"))
	}},
	{"P2", "non_conforme", 4, 8, func(f *file) { f.attestationTo = "2026-06-30" }, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.attestationPath(), "/date_fin"))
	}},
	{"P3", "indeterminable", 4, 8, func(f *file) { f.listed = "retiré" }, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.licencePath(), "/statut"), r.one(r.listing(f), "/statut"))
	}},
	{"P4", "non_conforme", 4, 8, func(f *file) {
		f.amendments = []amendment{{"", "2026-05-01", "2026-08-31", false}}
	}, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.attestationPath(), "/avenants/0"), r.one(f.amendmentPath(0), "/nouvelle_date_fin"))
	}},
	{"P5", "conforme", 6, 12, func(f *file) {
		f.measured = []person{{f.owners[0][0].family, f.owners[0][0].given, "1949-02-11"}}
	}, func(f *file, r *registers) []fact {
		return r.facts(r.licenceEnd(f), r.one(f.ownersPath(1), "/beneficiaires/0/date_naissance"), r.one(r.measure(f, 0), "/date_naissance"))
	}},
	{"P5", "non_conforme", 5, 10, func(f *file) {
		f.owners = append(f.owners, []person{{"Kerguélen-Ançay", "Maëlle, Inès", "1971-12-03"}})
		f.measured = []person{f.owners[1][0]}
	}, func(f *file, r *registers) []fact {
		return r.facts(r.same(f, "/beneficiaires/0"), r.one(f.ownersPath(2), "/beneficiaires/0/date_naissance"), r.one(r.measure(f, 0), "/date_naissance"))
	}},
	{"P5", "indeterminable", 5, 10, func(f *file) {
		f.owners[0][1].born = nil
		f.measured = []person{{f.owners[0][1].family, f.owners[0][1].given, "1980-07-19"}}
	}, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.ownersPath(1), "/beneficiaires/1/date_naissance"), r.one(r.measure(f, 0), "/date_naissance"))
	}},
	{"P2", "conforme", 4, 8, func(f *file) {
		f.attestationTo = "2026-07-31"
		f.amendments = []amendment{{"", "2026-07-01", "2027-07-31", false}, {"", "2026-07-15", "2026-08-15", true}}
	}, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.attestationPath(), "/avenants/0"), r.one(f.amendmentPath(0), "/nouvelle_date_fin"), r.one(f.amendmentPath(1), "/annule"))
	}},
	{"P4", "non_conforme", 4, 8, func(f *file) { f.lifted = false }, func(f *file, r *registers) []fact {
		return r.facts(r.one(f.licencePath(), "/conditions/0/levee"))
	}},
}

func (f *file) path() string            { return "/entites/" + f.id }
func (f *file) licencePath() string     { return "/agrements/" + f.licence }
func (f *file) attestationPath() string { return "/attestations/" + f.attestation }
func (f *file) amendmentPath(i int) string {
	return "/avenants/" + f.amendments[i].id
}
func (f *file) ownersPath(page int) string {
	return "/beneficiaires/" + f.id + "/" + strconv.Itoa(page)
}

// conformityCollections are the families of resources of the track, with the pointers that its criteria consume.
func conformityCollections() []collection {
	absent := func(resource string) mint.Object {
		return mint.Obj("ressource", resource, "existe", false, "message", "Référence inconnue de ce registre.")
	}
	return []collection{
		{"/entites/", absent, []string{"/statut", "/radiee", "/agrements/<n>", "/attestations/<n>", "/existe"}},
		{"/agrements/", absent, []string{"/statut", "/activite", "/date_debut", "/date_fin", "/conditions/<n>/levee", "/existe"}},
		{"/agrements/archives/", func(resource string) mint.Object {
			return mint.Obj("existe", false, "archive", true, "ressource", resource)
		}, []string{"/existe", "/archive"}},
		{"/attestations/", absent, []string{"/date_debut", "/date_fin", "/signee", "/avenants/<n>", "/existe"}},
		{"/avenants/", absent, []string{"/date_effet", "/nouvelle_date_fin", "/annule", "/existe"}},
		{"/beneficiaires/", absent, []string{"/beneficiaires/<n>/nom", "/beneficiaires/<n>/prenoms", "/beneficiaires/<n>/date_naissance", "/beneficiaires/<n>/part~1capital", "/page_suivante", "/existe"}},
		{"/listes/agrees/", absent, []string{"/entrees/<n>/entite", "/entrees/<n>/statut", "/entrees/<n>/date_inscription", "/entrees/<n>/date_fin"}},
		{"/listes/mesures/", absent, []string{"/entrees/<n>/nom", "/entrees/<n>/prenoms", "/entrees/<n>/date_naissance", "/entrees/<n>/mesure"}},
	}
}

// conformityGraph derives the graph of a task from the frozen corpus.
func conformityGraph() []any {
	own := func(from, pointer, to string) mint.Object {
		if from == "" {
			return mint.Obj("start", to, "own", true)
		}
		return mint.Obj("from", from, "pointer", pointer, "to", to, "own", true)
	}
	owners := mint.Obj("in", "/beneficiaires/{entity}/*", "each", "/beneficiaires/<n>", "equal", mint.Obj("/nom", "/nom", "/prenoms", "/prenoms"))
	return []any{
		own("", "", "/entites/{entity}"),
		own("/entites/{entity}", "/agrements/<n>", "/agrements/{value}"),
		own("/entites/{entity}", "/attestations/<n>", "/attestations/{value}"),
		own("/attestations/{id}", "/avenants/<n>", "/avenants/{value}"),
		own("", "", "/beneficiaires/{entity}/1"),
		own("/beneficiaires/{entity}/{p}", "/page_suivante", "{value}"),
		mint.Obj("start", "/listes/agrees/{activity}/1", "entries", "/entrees", "match", mint.Obj("/entite", "{entity}")),
		mint.Obj("from", "/listes/agrees/{activity}/{p}", "pointer", "/page_suivante", "to", "{value}", "entries", "/entrees", "match", mint.Obj("/entite", "{entity}")),
		mint.Obj("start", "/listes/mesures/1", "entries", "/entrees", "match_any", owners),
		mint.Obj("from", "/listes/mesures/{p}", "pointer", "/page_suivante", "to", "{value}", "entries", "/entrees", "match_any", owners),
	}
}

// conformity builds the conformity track and freezes its pages.
func conformity(seed mint.Seed, c *corpus) (*track, error) {
	tr := &track{
		id: "conformite", title: "Piste conformité", version: "conformite-bareme-v3",
		verdicts: []string{"conforme", "non_conforme", "indeterminable"}, constant: "non_conforme",
		distribution: mint.Obj("conforme", 3, "non_conforme", 4, "indeterminable", 3),
		collections:  conformityCollections(), graph: conformityGraph(),
		wrong: func(t *task) string {
			if t.verdict == "conforme" {
				return "indeterminable"
			}
			return "conforme"
		},
	}
	c.collections = append(c.collections, tr.collections...)
	r := newRegisters(seed.Child("registers"), c)
	for i := range traps {
		r.draw(traps[i].set)
	}
	r.freeze()
	for i, f := range r.files {
		facts := traps[i].facts(f, r)
		t := &task{
			id: fmt.Sprintf("conf-%02d", i+1), family: traps[i].family, verdict: traps[i].verdict, min: traps[i].min, max: traps[i].max,
			statement: fmt.Sprintf("L’entité %s (%s) peut-elle exercer l’activité de %s au %s ?", f.name, f.id, activityTitles[f.activity], examDay),
			subject:   mint.Obj("entity", f.id, "activity", f.activity), facts: facts,
		}
		if r.err != nil {
			return nil, r.err
		}
		own, shared := r.reach(f)
		if err := t.settle(c, own, shared, r.concerns(f)); err != nil {
			return nil, err
		}
		tr.tasks = append(tr.tasks, t)
	}
	return tr, nil
}
