package simulate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// noOption is the verdict of a generic task that no candidate satisfies.
const noOption = "aucune_option_valide"

// flaw is why a candidate does not answer a need.
type flaw string

// The flaws of candidates. A candidate with none is the answer.
const (
	fine        flaw = ""
	absent      flaw = "absente"     // the reference does not exist (P1)
	stale       flaw = "prix échu"   // the price is out of date (P2)
	outOfStock  flaw = "épuisée"     // no stock before the date (P2)
	withdrawn   flaw = "retirée"     // the supplier contradicts the catalogue (P3)
	excluded    flaw = "zone exclue" // the delivery annex excludes the place (P4)
	late        flaw = "tardive"     // the delivery annex gives a date after the one asked for (P5)
	uncertified flaw = "non certifiée"
	expensive   flaw = "trop chère"
)

// need is one generic task: the trap family and the flaws of its candidates, in order.
type need struct {
	family     string
	min, max   int
	candidates []flaw
}

// needs are the ten tasks: aucune_option_valide three times, P5 three times, one control.
var needs = []need{
	{"", 4, 8, []flaw{expensive, fine, outOfStock}},
	{"P1", 4, 8, []flaw{absent, fine, expensive}},
	{"P2", 4, 8, []flaw{stale, outOfStock, fine}},
	{"P3", 4, 8, []flaw{withdrawn, expensive, outOfStock}},
	{"P4", 4, 8, []flaw{excluded, fine, expensive}},
	{"P5", 5, 10, []flaw{late, fine, outOfStock}},
	{"P5", 4, 8, []flaw{uncertified, late, outOfStock}},
	{"P5", 5, 10, []flaw{uncertified, stale, fine}},
	{"P2", 3, 6, []flaw{stale, outOfStock, excluded}},
	{"P4", 4, 8, []flaw{fine, excluded, excluded}},
}

// genericCollections are the families of resources of the track, with the pointers that its criteria consume.
func genericCollections() []collection {
	missing := func(resource string) mint.Object {
		return mint.Obj("ressource", resource, "existe", false, "detail", nil)
	}
	return []collection{
		{"/besoins/", missing, []string{"/budget_max", "/livraison_avant", "/lieu", "/certification", "/candidats/<n>/reference"}},
		{"/produits/", missing, []string{"/prix", "/prix_valable_jusqu_au", "/certification", "/fournisseur", "/annexe", "/existe"}},
		{"/stocks/", missing, []string{"/disponible", "/date_reapprovisionnement", "/existe"}},
		{"/fournisseurs/", missing, []string{"/actif", "/retraits/<n>", "/existe"}},
		{"/annexes/", missing, []string{"/zones_exclues/<n>", "/date_livraison", "/existe"}},
		{"/catalogues/", missing, []string{"/entrees/<n>/reference", "/entrees/<n>/prix", "/entrees/<n>/disponible"}},
	}
}

func genericGraph() []any {
	own := func(from, pointer, to string) mint.Object {
		return mint.Obj("from", from, "pointer", pointer, "to", to, "own", true)
	}
	candidates := mint.Obj("in", "/besoins/{besoin}", "each", "/candidats/<n>", "equal", mint.Obj("/reference", "/reference"))
	return []any{
		mint.Obj("start", "/besoins/{besoin}", "own", true),
		own("/besoins/{besoin}", "/candidats/<n>/reference", "/produits/{value}"),
		own("/besoins/{besoin}", "/candidats/<n>/reference", "/stocks/{value}"),
		own("/produits/{id}", "/fournisseur", "/fournisseurs/{value}"),
		own("/produits/{id}", "/annexe", "/annexes/{value}"),
		mint.Obj("start", "/catalogues/{rayon}/1", "entries", "/entrees", "match_any", candidates),
		mint.Obj("from", "/catalogues/{rayon}/{p}", "pointer", "/page_suivante", "to", "{value}", "entries", "/entrees", "match_any", candidates),
	}
}

// product is one candidate with its pages.
type product struct {
	flaw
	ref, supplier, annex, shelf string
	price, until, certificate   string
}

// shop draws the products of the generic track and freezes its pages.
type shop struct {
	r        *registers // reference and date drawing, facts, list pages
	products map[string][]*product
	needs    [][]*product
	listings map[string]string
}

// generic builds the generic track and freezes its pages.
func generic(seed mint.Seed, c *corpus) (*track, error) {
	tr := &track{
		id: "generique", title: "Piste générique", version: "generique-bareme-v1",
		verdicts: mint.Obj("collection", "/produits/", "or", []any{noOption}), constant: noOption,
		distribution: mint.Obj(noOption, 3), collections: genericCollections(), graph: genericGraph(),
		wrong: func(t *task) string {
			if t.verdict == noOption {
				return "PRD-0000"
			}
			return noOption
		},
	}
	c.collections = append(c.collections, tr.collections...)
	s := &shop{r: newRegisters(seed.Child("shop"), c), products: map[string][]*product{}, listings: map[string]string{}}
	for i, n := range needs {
		s.draw(i, n)
	}
	for _, shelf := range shelves {
		s.freezeCatalogue(shelf)
	}
	for i, n := range needs {
		t, err := s.task(i, n)
		if err != nil {
			return nil, err
		}
		tr.tasks = append(tr.tasks, t)
	}
	return tr, nil
}

// draw makes the candidates of a need and freezes their pages and the need's.
func (s *shop) draw(i int, n need) {
	shelf := shelves[i%len(shelves)]
	var list []*product
	refs := []any{}
	for j, f := range n.candidates {
		p := &product{
			flaw: f, ref: s.r.reference("PRD"), supplier: s.r.reference("FRN"), annex: s.r.reference("ANX"), shelf: shelf,
			price: fmt.Sprintf("%d.%02d", 90+s.r.st.Below(50), s.r.st.Below(100)), until: s.r.date(2027, 2), certificate: "NF-E " + strconv.Itoa(40+i),
		}
		switch f {
		case stale:
			p.until = "2026-08-31"
		case expensive:
			p.price = fmt.Sprintf("%d.00", 190+s.r.st.Below(50))
		case uncertified:
			p.certificate = "en cours"
		}
		if j == 0 && i == 1 {
			p.supplier = "Caf%C3%A9-du-Port" // a reference that is percent-encoded in its canonical address
		}
		list = append(list, p)
		refs = append(refs, mint.Obj("reference", p.ref))
		s.freezeProduct(p, articles[shelf][(i+j)%len(articles[shelf])])
	}
	s.products[shelf] = append(s.products[shelf], list...)
	s.needs = append(s.needs, list)
	s.r.corpus.add(needPath(i), mint.Obj("reference", needID(i), "rayon", shelf, "objet", articles[shelf][i%len(articles[shelf])],
		"budget_max", "150.00", "livraison_avant", "2026-10-30", "lieu", "Ajaccio", "certification", "NF-E "+strconv.Itoa(40+i), "candidats", refs))
}

func needID(i int) string   { return fmt.Sprintf("BES-%02d", i+1) }
func needPath(i int) string { return "/besoins/" + needID(i) }

func (s *shop) freezeProduct(p *product, title string) {
	c := s.r.corpus
	restock, zones, delivery, withdrawals := any(nil), []any{"Saint-Pierre-et-Miquelon"}, "2026-10-12", []any{}
	switch p.flaw {
	case absent:
		return
	case outOfStock:
		restock = "2026-12-01"
	case excluded:
		zones = []any{"Îles du Ponant", "Corse (Ajaccio)"}
	case late:
		delivery = "2026-11-20"
	case withdrawn:
		withdrawals = []any{"PRD-0007", p.ref}
	}
	c.add("/produits/"+p.ref, mint.Obj("reference", p.ref, "designation", title, "rayon", p.shelf, "fournisseur", p.supplier, "prix", p.price,
		"prix_valable_jusqu_au", p.until, "certification", p.certificate, "annexe", p.annex))
	c.add("/stocks/"+p.ref, mint.Obj("reference", p.ref, "disponible", p.flaw != outOfStock, "date_reapprovisionnement", restock))
	c.add("/annexes/"+p.annex, mint.Obj("reference", p.annex, "zones_exclues", zones, "date_livraison", delivery))
	c.add("/fournisseurs/"+p.supplier, mint.Obj("nom", "Fournisseur "+s.r.st.Pick(familyNames), "actif", true, "retraits", withdrawals))
}

// freezeCatalogue writes the pages of one shelf. The catalogue does not know of withdrawals, nor that a reference is gone.
func (s *shop) freezeCatalogue(shelf string) {
	var entries []mint.Object
	for _, p := range s.products[shelf] {
		entries = append(entries, mint.Obj("reference", p.ref, "prix", p.price, "disponible", p.flaw != outOfStock))
	}
	for range 5 {
		entries = append(entries, mint.Obj("reference", s.r.reference("PRD"), "prix", fmt.Sprintf("%d.90", 20+s.r.st.Below(60)), "disponible", true))
	}
	slices.SortStableFunc(entries, func(a, b mint.Object) int { return cmpText(a, b, "reference") })
	s.r.pages[shelf] = s.r.freezeList("/catalogues/"+shelf+"/", entries, licensedPerPage, func(resource, pointer string, e mint.Object) {
		s.listings[text(e, "reference")] = resource + pointer
	})
}

// task is the need as a question, with the facts that found its answer.
func (s *shop) task(i int, n need) (*task, error) {
	t := &task{
		id: fmt.Sprintf("gen-%02d", i+1), family: n.family, verdict: noOption, min: n.min, max: n.max,
		statement: fmt.Sprintf("Quelle référence du rayon « %s » répond au besoin %s ?", shelves[i%len(shelves)], needID(i)),
		subject:   mint.Obj("besoin", needID(i), "rayon", shelves[i%len(shelves)]),
	}
	own := []string{needPath(i)}
	var forms [][][]claim
	for j, p := range s.needs[i] {
		if p.flaw == fine {
			t.verdict = p.ref
		}
		forms = append(forms, s.reasons(i, j, p)...)
		own = append(own, "/produits/"+p.ref, "/stocks/"+p.ref)
		if p.flaw != absent {
			own = append(own, "/annexes/"+p.annex, "/fournisseurs/"+p.supplier)
		}
	}
	t.facts = s.r.facts(forms...)
	if s.r.err != nil {
		return nil, s.r.err
	}
	var places []string
	for _, p := range s.needs[i] {
		places = append(places, s.listings[p.ref])
	}
	return t, t.settle(s.r.corpus, own, s.r.pages[shelves[i%len(shelves)]], byResource(places))
}

// reasons are the facts about one candidate: what makes it the answer, or what rules it out.
func (s *shop) reasons(i, j int, p *product) [][][]claim {
	product, stock := "/produits/"+p.ref, "/stocks/"+p.ref
	switch p.flaw {
	case fine:
		price := append(s.r.one(product, "/prix"), s.r.one(s.listings[p.ref], "/prix")...)
		return [][][]claim{price, s.r.one(stock, "/disponible")}
	case absent:
		return [][][]claim{s.r.one(needPath(i), fmt.Sprintf("/candidats/%d/reference", j)), s.r.one(product, "/existe")}
	case stale:
		return [][][]claim{s.r.one(product, "/prix_valable_jusqu_au")}
	case outOfStock:
		return [][][]claim{s.r.one(stock, "/disponible")}
	case withdrawn:
		return [][][]claim{s.r.one(s.listings[p.ref], "/disponible"), s.r.one("/fournisseurs/"+p.supplier, "/retraits/1")}
	case excluded:
		return [][][]claim{s.r.one("/annexes/"+p.annex, "/zones_exclues/1")}
	case late:
		return [][][]claim{s.r.one("/annexes/"+p.annex, "/date_livraison")}
	case uncertified:
		return [][][]claim{s.r.one(product, "/certification")}
	}
	return [][][]claim{s.r.one(product, "/prix")}
}
