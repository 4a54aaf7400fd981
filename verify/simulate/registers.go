package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// Sizes of the pages of common lists.
const (
	licensedPerPage = 7
	measuresPerPage = 8
)

// registers draws the files of the conformity track, then freezes them as pages.
type registers struct {
	st       *mint.Stream
	corpus   *corpus
	used     map[string]bool
	files    []*file
	listings map[string]string // entity → resource and pointer of its entry in the public list
	measures map[person]string // entry of the list of measures → resource and pointer
	pages    map[string][]string
	err      error
}

func newRegisters(seed mint.Seed, c *corpus) *registers {
	return &registers{
		st: seed.Stream(), corpus: c, used: map[string]bool{}, listings: map[string]string{}, measures: map[person]string{},
		pages: map[string][]string{},
	}
}

// reference draws a reference that no other page has.
func (r *registers) reference(prefix string) string {
	for {
		ref := fmt.Sprintf("%s-%04d", prefix, 1000+r.st.Below(9000))
		if !r.used[ref] {
			r.used[ref] = true
			return ref
		}
	}
}

// date draws a day of one of the years from first on.
func (r *registers) date(first, years int) string {
	return fmt.Sprintf("%04d-%02d-%02d", first+r.st.Below(years), 1+r.st.Below(12), 1+r.st.Below(28))
}

// draw makes a regular file and lets a trap change it.
func (r *registers) draw(set func(*file)) {
	n := len(r.files)
	f := &file{
		id: r.reference("ENT"), name: companyKinds[n%len(companyKinds)] + " " + familyNames[n] + " " + r.st.Pick(companyTails),
		form: r.st.Pick(companyForms), town: r.st.Pick(towns), activity: activities[n%len(activities)], other: activities[(n+1)%len(activities)],
		licence: r.reference("AGR"), licenceFrom: r.date(2019, 4), licenceTo: r.date(2027, 4), licenceStatus: "valide", lifted: true,
		oldLicence: r.reference("AGR"), attestation: r.reference("ATT"), attestationTo: r.date(2027, 2), listed: "inscrit",
		// Family names are not drawn twice, so that nobody of one file is in another's list by chance.
		owners: [][]person{{{familyNames[10+n], r.st.Pick(firstNames) + ", " + r.st.Pick(firstNames), r.date(1945, 50)}, {familyNames[n] + "-Brûlé", "Zoë, Gaël", r.date(1950, 40)}}},
	}
	set(f)
	for i := range f.amendments {
		f.amendments[i].id = r.reference("AVN")
	}
	r.files = append(r.files, f)
}

// freeze writes every page.
func (r *registers) freeze() {
	for _, f := range r.files {
		r.freezeEntity(f)
		r.freezeAttestation(f)
		r.freezeOwners(f)
	}
	for _, a := range activities {
		r.freezeLicensed(a)
	}
	r.freezeMeasures()
	r.corpus.add("/referentiel", mint.Obj("titre", "Référentiel de la saison de répétition", "regles", []any{
		"Un critère établi faux donne non_conforme ; sinon un critère non établissable donne indeterminable ; sinon conforme.",
		"Les bornes de dates sont incluses. Un avenant annulé ne produit aucun effet.",
		"Le rapprochement avec la liste des mesures se fait sur le nom, les prénoms et la date de naissance.",
	}))
}

func (r *registers) freezeEntity(f *file) {
	r.corpus.add(f.path(), mint.Obj(
		"identifiant", f.id, "denomination", f.name, "forme", f.form, "siège", mint.Obj("commune", f.town, "pays", "France"),
		"statut", "active", "radiee", false, "agrements", []any{f.licence, f.oldLicence}, "attestations", []any{f.attestation}, "observations", nil))
	if !f.licenceAbsent {
		conditions := []any{mint.Obj("libelle", "Désignation d’un responsable de la conformité", "levee", f.lifted)}
		r.corpus.add(f.licencePath(), mint.Obj("reference", f.licence, "entite", f.id, "activite", f.activity, "statut", f.licenceStatus,
			"date_debut", f.licenceFrom, "date_fin", f.licenceTo, "conditions", conditions))
	}
	r.corpus.add("/agrements/"+f.oldLicence, mint.Obj("reference", f.oldLicence, "entite", f.id, "activite", f.other, "statut", "échu",
		"date_debut", r.date(2012, 3), "date_fin", r.date(2016, 4), "conditions", []any{}))
}

func (r *registers) freezeAttestation(f *file) {
	ids := []any{}
	for _, a := range f.amendments {
		ids = append(ids, a.id)
		r.corpus.add("/avenants/"+a.id, mint.Obj("reference", a.id, "attestation", f.attestation, "date_effet", a.effect,
			"nouvelle_date_fin", a.newEnd, "annule", a.annulled, "motif", "Révision de l’échéance à la demande de l’assuré"))
	}
	r.corpus.add(f.attestationPath(), mint.Obj("reference", f.attestation, "entite", f.id, "type", "responsabilité civile",
		"assureur", r.st.Pick(insurers), "date_debut", r.date(2023, 2), "date_fin", f.attestationTo, "signee", true, "avenants", ids))
}

func (r *registers) freezeOwners(f *file) {
	for i, people := range f.owners {
		var next any
		if i+1 < len(f.owners) {
			next = f.ownersPath(i + 2)
		}
		list := []any{}
		for _, p := range people {
			list = append(list, mint.Obj("nom", p.family, "prenoms", p.given, "date_naissance", p.born,
				"part/capital", strconv.Itoa(26+r.st.Below(20))+" %"))
		}
		r.corpus.add(f.ownersPath(i+1), mint.Obj("entite", f.id, "beneficiaires", list, "page_suivante", next))
	}
}

// freezeLicensed writes the public list of the entities that are licensed for an activity, several pages long.
func (r *registers) freezeLicensed(activity string) {
	var entries []mint.Object
	for _, f := range r.files {
		if f.activity == activity {
			entries = append(entries, mint.Obj("entite", f.id, "denomination", f.name, "statut", f.listed, "date_inscription", f.licenceFrom, "date_fin", f.licenceTo))
		}
	}
	for range 10 + r.st.Below(4) {
		entries = append(entries, mint.Obj("entite", r.reference("ENT"), "denomination", r.st.Pick(companyKinds)+" "+r.st.Pick(familyNames),
			"statut", "inscrit", "date_inscription", r.date(2015, 8), "date_fin", r.date(2027, 5)))
	}
	slices.SortStableFunc(entries, func(a, b mint.Object) int { return cmpText(a, b, "entite") })
	base := "/listes/agrees/" + activity + "/"
	r.pages[activity] = r.freezeList(base, entries, licensedPerPage, func(resource, pointer string, e mint.Object) {
		r.listings[text(e, "entite")] = resource + pointer
	})
}

// freezeMeasures writes the list of restrictive measures, which is served to POST.
func (r *registers) freezeMeasures() {
	var people []person
	for _, f := range r.files {
		people = append(people, f.measured...)
	}
	for i := range 17 { // nobody of the files: names of another form
		people = append(people, person{familyNames[i%len(familyNames)] + "-Témoin", r.st.Pick(firstNames) + ", " + r.st.Pick(firstNames), r.date(1940, 50)})
	}
	var entries []mint.Object
	byEntry := map[string]person{}
	for _, p := range people {
		ref := r.reference("MES")
		byEntry[ref] = p
		entries = append(entries, mint.Obj("reference", ref, "nom", p.family, "prenoms", p.given, "date_naissance", p.born, "mesure", "gel des avoirs"))
	}
	slices.SortStableFunc(entries, func(a, b mint.Object) int { return cmpText(a, b, "reference") })
	r.pages["mesures"] = r.freezeList("/listes/mesures/", entries, measuresPerPage, func(resource, pointer string, e mint.Object) {
		r.measures[byEntry[text(e, "reference")]] = resource + pointer
	})
	for _, resource := range r.pages["mesures"] {
		r.corpus.pages[resource].method, r.corpus.pages[resource].payload = "POST", mint.Obj("vue", "publique", "édition", "2026")
	}
}

// freezeList cuts entries into pages that link to the next one and returns the pages' resources.
func (r *registers) freezeList(base string, entries []mint.Object, size int, note func(resource, pointer string, e mint.Object)) []string {
	var resources []string
	for start := 0; start < len(entries); start += size {
		resource := base + strconv.Itoa(start/size+1)
		var next any
		if start+size < len(entries) {
			next = base + strconv.Itoa(start/size+2)
		}
		list := []any{}
		for i, e := range entries[start:min(start+size, len(entries))] {
			list = append(list, e)
			note(resource, "#/entrees/"+strconv.Itoa(i), e)
		}
		r.corpus.add(resource, mint.Obj("liste", strings.Trim(base, "/"), "entrees", list, "page_suivante", next))
		resources = append(resources, resource)
	}
	return resources
}

func cmpText(a, b mint.Object, name string) int { return strings.Compare(text(a, name), text(b, name)) }

// cutPlace splits resource#/entrees/index.
func cutPlace(place string) (resource string, index int, ok bool) {
	resource, pointer, found := strings.Cut(place, "#/entrees/")
	index, err := strconv.Atoi(pointer)
	return resource, index, found && err == nil
}

func text(o mint.Object, name string) string {
	s, _ := o.Get(name).(string)
	return s
}

// listing and measure are where an entry of a common list stands, as resource#pointer.
func (r *registers) listing(f *file) string        { return r.listings[f.id] }
func (r *registers) measure(f *file, i int) string { return r.measures[f.measured[i]] }

// one is the single form that a claim makes; place is a resource, or resource#pointer where the field is below an entry.
func (r *registers) one(place, field string) [][]claim {
	resource, prefix, shared := strings.Cut(place, "#")
	c, err := r.corpus.claim(resource, prefix+field, !shared)
	if err != nil && r.err == nil {
		r.err = err
	}
	return [][]claim{{c}}
}

// together is a form that asks for all the claims of several.
func together(parts ...[][]claim) [][]claim {
	var form []claim
	for _, p := range parts {
		form = append(form, p[0]...)
	}
	return [][]claim{form}
}

// same is a fact with two forms: a person is named and dated by the owners' page, or by the list of measures.
func (r *registers) same(f *file, place string) [][]claim {
	entry := r.measure(f, 0)
	return append(together(r.one(f.ownersPath(len(f.owners)), place+"/nom"), r.one(f.ownersPath(len(f.owners)), place+"/prenoms")),
		together(r.one(entry, "/nom"), r.one(entry, "/prenoms"))...)
}

// licenceEnd is a fact with two forms: the licence says until when it runs, and so does the public list.
func (r *registers) licenceEnd(f *file) [][]claim {
	return append(r.one(f.licencePath(), "/date_fin"), r.one(r.listing(f), "/date_fin")...)
}

func (r *registers) facts(forms ...[][]claim) []fact {
	var out []fact
	for i, f := range forms {
		out = append(out, fact{"f" + strconv.Itoa(i+1), f})
	}
	return out
}

// reach are the resources of the file's graph, own ones and common lists.
func (r *registers) reach(f *file) (own, shared []string) {
	own = []string{f.path(), f.licencePath(), "/agrements/" + f.oldLicence, f.attestationPath()}
	for i := range f.amendments {
		own = append(own, f.amendmentPath(i))
	}
	for i := range f.owners {
		own = append(own, f.ownersPath(i+1))
	}
	return own, append(slices.Clone(r.pages[f.activity]), r.pages["mesures"]...)
}

// concerns gives, for each page of a common list, the indexes of the entries that concern the file's entity.
func (r *registers) concerns(f *file) map[string][]int {
	places := []string{r.listing(f)}
	for i := range f.measured {
		places = append(places, r.measure(f, i))
	}
	return byResource(places)
}

// byResource gathers places (resource#/entrees/index) by resource.
func byResource(places []string) map[string][]int {
	out := map[string][]int{}
	for _, place := range places {
		if resource, index, ok := cutPlace(place); ok {
			out[resource] = append(out[resource], index)
		}
	}
	return out
}
