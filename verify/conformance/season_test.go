package conformance_test

import (
	"slices"
	"strings"
	"time"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/simulate/mint"
)

// small is a whole season of a few kilobytes: four pages, one task, one participant with one submission of three assertions.
type small struct {
	w          *world
	pages      mint.Object // resource → body
	system     mint.Object
	scale      mint.Object
	text       []byte
	key        mint.Object
	enrolments mint.Object
	season     mint.Object
	manifest   mint.Object
	submission mint.Object
	views      mint.Object // proof id → view
	entries    mint.Object // uuid → entry
	freeze     mint.Object
	more       map[string][]byte // files that are written as they are
	dropped    []string          // files that are left out
}

const (
	corpusURL = "https://corpus.example"
	opensAt   = "2026-09-21T00:00:00Z"
	closesAt  = "2026-10-19T22:00:00Z"
	taskFile  = "submissions/agent-1/conformite/conf-01.json"
)

// claims of the good submission, one proof each.
var claims = []struct{ id, proof, resource, field, value string }{
	{"a1", "prf_20260923_072141_00000a", "/entites/ENT-1", "/statut", `"active"`},
	{"a2", "prf_20260923_072142_00000b", "/agrements/AGR-1", "/date_fin", `"2027-01-31"`},
	{"a3", "prf_20260923_072143_00000c", "/listes/agrees/courtage/1", "/entrees/0/statut", `"inscrit"`},
}

// recipe says in what a season differs from the good one. What is frozen is changed before it is frozen.
type recipe struct {
	before  func(s *small)                    // the scale, the key, the pages and the season, before the manifest is made
	frozen  func(bindings []any) []any        // what the freeze binds
	freezer func(c *mint.Call, at *time.Time) // the freeze's proof
	call    func(n int, c *mint.Call)         // proof n of the submission
	witness func(ws *mint.Witnesses)          // the submission's batch
	plain   bool                              // the key is bound without a salt
	open    bool                              // that batch is still open
	after   func(s *small)                    // everything, once it is made
}

func (w *world) smallSeason() *small { return w.smallSeasonBy(recipe{}) }

func (w *world) smallSeasonBy(r recipe) *small {
	s := &small{w: w, more: map[string][]byte{}, text: []byte("# Barème de la petite saison\n")}
	s.pages = mint.Obj(
		"/entites/ENT-1", mint.Obj("id", "ENT-1", "statut", "active", "radiee", false, "agrements", []any{"AGR-1"}),
		"/entites/ENT-2", mint.Obj("id", "ENT-2", "statut", "active", "radiee", true, "agrements", []any{}),
		"/agrements/AGR-1", mint.Obj("id", "AGR-1", "statut", "valide", "date_fin", "2027-01-31"),
		"/listes/agrees/courtage/1", mint.Obj("entrees", []any{mint.Obj("entite", "ENT-1", "statut", "inscrit"), mint.Obj("entite", "ENT-2", "statut", "retiré")}, "page_suivante", nil))
	s.system = mint.Obj("/_systeme/403", mint.Obj("erreur", "403", "message", "Accès refusé."), "/_systeme/503", mint.Obj("erreur", "503", "message", "Indisponible."),
		"/_systeme/400", mint.Obj("erreur", "400", "message", "Requête incomprise."))
	s.scale, s.key = smallScale(), smallKey()
	s.enrolments = mint.Obj("format", "proveit.enrolments/v1", "participants", []any{mint.Obj("id", "agent-1", "name", "Agent un", "did", did, "table", "community", "stack", "déclarée")})
	s.season = mint.Obj("format", "proveit.season/v1", "season", 1, "opens_at", opensAt, "closes_at", closesAt,
		"tracks", []any{mint.Obj("id", "conformite", "bareme", "freeze/bareme-conformite.json", "text", "freeze/bareme-conformite.md", "key", "freeze/key-conformite.json")},
		"freeze", "freeze/freeze.json", "manifest", "corpus/manifest.json", "enrolments", "enrolments.json")
	s.submission = smallSubmission()
	if r.before != nil {
		r.before(s)
	}
	s.manifest = s.manifestDoc()
	s.anchorFreeze(r)
	s.anchorProofs(r)
	if r.after != nil {
		r.after(s)
	}
	return s
}

func smallScale() mint.Object {
	return mint.Obj("format", "proveit.bareme/v1", "version", "conformite-bareme-v3", "verdicts", []string{"conforme", "non_conforme", "indeterminable"},
		"published_distribution", mint.Obj("conforme", 1),
		"fields", mint.Obj("/entites/", []string{"/statut", "/radiee", "/agrements/<n>"}, "/agrements/", []string{"/statut", "/date_fin", "/suspendu", "/existe"},
			"/listes/agrees/", []string{"/entrees/<n>/entite", "/entrees/<n>/statut"}),
		"tasks", []any{mint.Obj("task_id", "conf-01", "statement", "L’entité ENT-1 peut-elle exercer le courtage ?", "subject", mint.Obj("entity", "ENT-1", "activity", "courtage"),
			"min_assertions", 2, "max_assertions", 4)},
		"graph", []any{
			mint.Obj("start", "/entites/{entity}", "own", true),
			mint.Obj("from", "/entites/{entity}", "pointer", "/agrements/<n>", "to", "/agrements/{value}", "own", true),
			mint.Obj("start", "/listes/agrees/{activity}/1", "entries", "/entrees", "match", mint.Obj("/entite", "{entity}"))})
}

func smallKey() mint.Object {
	fact := mint.Obj("id", "f1", "forms", []any{[]any{mint.Obj("resource", "/agrements/AGR-1", "field", "/date_fin", "value", "2027-01-31")}})
	return mint.Obj("format", "proveit.key/v1", "season", 1, "track", "conformite",
		"tasks", []any{mint.Obj("task_id", "conf-01", "verdict", "conforme", "family", "P2", "control", false, "facts", []any{fact})})
}

// smallSubmission lacks its disclosures: they are known when the proofs are.
func smallSubmission() mint.Object {
	var list []any
	for _, c := range claims {
		list = append(list, mint.Obj("id", c.id, "claim", mint.Obj("resource", c.resource, "field", c.field, "value", mint.Literal(c.value)), "proof_ids", []string{c.proof}))
	}
	return mint.Obj("season", 1, "track", "conformite", "task_id", "conf-01", "agent_did", did, "verdict", "conforme", "assertions", list, "narrative", "Rendu de la petite saison.")
}

func pageFile(resource string) string {
	return "pages" + strings.ReplaceAll(resource, "/", "_") + ".json"
}

func hashOf(doc any) canon.Digest { return canon.Hash(must(canon.Parse(mint.AppendCompact(nil, doc)))) }

func request(target, method string, payload any) mint.Object {
	return mint.Obj("target", target, "method", method, "payload", payload, "amount", mint.Literal("0.0"), "currency", "eur")
}

func getRequest(url string) mint.Object { return request(url, "GET", mint.Object{}) }

func (s *small) manifestDoc() mint.Object {
	var resources, system []any
	for _, m := range s.pages {
		b := mint.Compact(m.Value)
		resources = append(resources, mint.Obj("resource", m.Name, "url", corpusURL+m.Name, "method", "GET", "payload", mint.Object{}, "file", pageFile(m.Name),
			"sha256", canon.Sum(b).String(), "request_hash", hashOf(getRequest(corpusURL+m.Name)).String(), "response_hash", hashOf(m.Value).String()))
	}
	for _, m := range s.system {
		system = append(system, mint.Obj("resource", m.Name, "file", pageFile(m.Name), "response_hash", hashOf(m.Value).String()))
	}
	absent := mint.Obj("existe", false, "ressource", "{resource}")
	return mint.Obj("format", "proveit.manifest/v1", "base_url", corpusURL, "resources", resources, "system", system,
		"collections", []any{mint.Obj("prefix", "/agrements/", "method", "GET", "payload", mint.Object{}, "absent_body", absent)})
}

// anchorFreeze anchors the digests of what is frozen, alone.
func (s *small) anchorFreeze(r recipe) {
	salt := s.w.seed.Nonce("salt")
	sections := mint.Obj("texte", canon.Sum(s.text).String(), "bareme", canon.Sum(mint.Indented(s.scale)).String(), "manifeste", canon.Sum(mint.Indented(s.manifest)).String(),
		"cle", canon.Sum(append(salt[:], mint.Indented(s.key)...)).String())
	if r.plain {
		sections = sections.Set("cle", canon.Sum(mint.Indented(s.key)).String())
	}
	bindings := []any{
		mint.Obj("pointer", "/payload/sections/texte", "file", "freeze/bareme-conformite.md"),
		mint.Obj("pointer", "/payload/sections/bareme", "file", "freeze/bareme-conformite.json"),
		mint.Obj("pointer", "/payload/sections/manifeste", "file", "corpus/manifest.json"),
		mint.Obj("pointer", "/payload/sections/cle", "salt", salt.String(), "file", "freeze/key-conformite.json"),
	}
	if r.frozen != nil {
		bindings = r.frozen(bindings)
	}
	frozen := request("https://organizer.example/freeze", "POST", mint.Obj("sections", sections))
	c := s.w.call()
	c.ID, c.At, c.Transaction, c.Seller, c.Identity = "prf_20260919_115000_00000f", at("2026-09-19T11:50:00Z"), "int_f", "organizer.example", mint.Bound("did:web:organizer.example")
	c.Request, c.Response = hashOf(frozen), hashOf(mint.Obj("ok", true))
	token := at("2026-09-19T12:00:00Z")
	if r.freezer != nil {
		r.freezer(&c, &token)
	}
	ws := s.w.witnesses(c)
	ws.TokenAt, ws.LoggedAt = token, token.Add(2*time.Second)
	m := s.w.alone(c, ws)
	s.views = append(s.views, mint.Member{Name: c.ID, Value: m.view})
	s.entries = append(s.entries, m.entry...)
	s.freeze = mint.Obj("format", "proveit.freeze/v1", "freezes", []any{mint.Obj("proof_id", c.ID, "status", "current", "request", frozen, "disclosures", m.pairs, "bindings", bindings)})
}

// anchorProofs makes one proof for each claim of the good submission, all in one batch.
func (s *small) anchorProofs(r recipe) {
	b := &mint.Batch{ID: "batch_1"}
	var proofs []*mint.Proof
	for n, claim := range claims {
		c := s.w.call()
		c.ID, c.At, c.Transaction = claim.proof, c.At.Add(time.Duration(n)*time.Second), "int_"+claim.id
		c.Request, c.Response = hashOf(getRequest(corpusURL+claim.resource)), hashOf(s.pages.Get(claim.resource))
		if r.call != nil {
			r.call(n, &c)
		}
		p := must(mint.NewProof(s.w.seed, c))
		b.Add(p.Chain)
		proofs = append(proofs, p)
	}
	ws := s.w.witnesses(s.w.call())
	if r.witness != nil {
		r.witness(&ws)
	}
	var anchor *mint.Anchor
	if !r.open {
		anchor = must(ws.Anchor(b.Root(), b))
		s.entries = append(s.entries, anchor.Entry.Document()...)
	}
	pairs := mint.Object{}
	for n, p := range proofs {
		s.views = append(s.views, mint.Member{Name: p.ID, Value: p.View(anchor, uint64(n), 1)})
		pairs = append(pairs, mint.Member{Name: p.ID, Value: p.Disclosure()})
	}
	s.submission = s.submission.Set("disclosures", pairs)
}

// files are the files of the bundle.
func (s *small) files() map[string][]byte {
	files := map[string][]byte{
		"season.json": mint.Indented(s.season), "enrolments.json": mint.Indented(s.enrolments), "corpus/manifest.json": mint.Indented(s.manifest),
		"freeze/freeze.json": mint.Indented(s.freeze), "freeze/bareme-conformite.json": mint.Indented(s.scale), "freeze/bareme-conformite.md": s.text,
		"freeze/key-conformite.json": mint.Indented(s.key), taskFile: mint.Indented(s.submission),
		"proofs/proofs.json": mint.Compact(mint.Obj("proofs", s.views)), "rekor/entries.json": mint.Compact(s.entries),
	}
	for _, m := range slices.Concat(s.pages, s.system) {
		files["corpus/"+pageFile(m.Name)] = mint.Compact(m.Value)
	}
	for name, b := range s.more {
		files[name] = b
	}
	for _, name := range s.dropped {
		delete(files, name)
	}
	return files
}

// assertion edits assertion n of the submission.
func (s *small) assertion(n int, path string, value any) {
	list := slices.Clone(s.submission.Get("assertions").([]any))
	list[n] = edited(list[n].(mint.Object), path, value)
	s.submission = edited(s.submission, "assertions", list)
}

// cite makes assertion n cite these proofs, and the disclosures those that are cited.
func (s *small) cite(n int, ids ...string) { s.assertion(n, "proof_ids", ids); s.tidy() }

// keep leaves the first assertions, in the given order.
func (s *small) keep(numbers ...int) {
	all := s.submission.Get("assertions").([]any)
	var list []any
	for _, n := range numbers {
		list = append(list, all[n])
	}
	s.submission = edited(s.submission, "assertions", list)
	s.tidy()
}

// tidy keeps the disclosures of the cited proofs.
func (s *small) tidy() {
	all := s.submission.Get("disclosures").(mint.Object)
	kept := mint.Object{}
	for _, m := range all {
		for _, a := range s.submission.Get("assertions").([]any) {
			if ids, _ := a.(mint.Object).Get("proof_ids").([]string); slices.Contains(ids, m.Name) {
				kept = append(kept, m)
				break
			}
		}
	}
	s.submission = edited(s.submission, "disclosures", kept)
}
