package binding

import (
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/asa/document"
	"github.com/ark-forge/proveit/verify/asa/exact"
	"github.com/ark-forge/proveit/verify/asa/finding"
)

// CheckDeliverable records R070, R072, R097 and R098: one content hash everywhere, and a deliverable of the announced form.
func (a Input) CheckDeliverable() {
	a.CheckRequest()
	a.checkStructure()
	var sources []contentHash
	add := func(at, hash string) {
		if document.Hash64.MatchString(hash) {
			sources = append(sources, contentHash{at, hash})
		}
	}
	if a.Deliverable != nil {
		add(a.DeliverableName, canon.Sum(a.Deliverable).Prefixed())
	} else {
		a.Log.Missing("R097", "input-missing", "deliverable.*", "the delivered file")
	}
	for _, e := range a.Events {
		if e.Type == "delivered" || e.Type == "released" || e.Type == "escrow_funded" {
			add(e.At("data", "content_hash"), document.Text(e.Get("data", "content_hash")))
		}
	}
	if a.Request != nil {
		add(a.Request.At("deliverable", "content_hash"), document.Text(a.Request.Get("deliverable", "content_hash")))
	}
	if len(a.Results) == 0 {
		a.compareHashes(nil, sources)
	}
	for _, r := range a.Results {
		own := document.Text(r.Get("evidence_trail", "deliverable_hash"))
		if document.Hash64.MatchString(own) {
			a.compareHashes(r, append(sources[:len(sources):len(sources)], contentHash{r.At("evidence_trail", "deliverable_hash"), own}))
		} else {
			a.Log.Missing("R097", "no-hash", r.At("evidence_trail", "deliverable_hash"), "sha256: and 64 hex digits")
		}
	}
	a.checkReplay()
}

// contentHash is one place that states the hash of the deliverable.
type contentHash struct{ at, hash string }

func (a Input) compareHashes(r *document.Result, sources []contentHash) {
	for i := 1; i < len(sources); i++ {
		if !a.Log.Check(sources[i].hash == sources[0].hash, finding.Error, "R097", "content-hash", sources[i].at, sources[i].hash, sources[0].hash) && r != nil {
			a.Unbound[r] = true
		}
	}
}

// checkReplay records R098 inside one folder: each result against the first that has its id, its deliverable, or its scores. The same bytes
// under two names are one result, and what names no agreement or no deliverable is the same as nothing.
func (a Input) checkReplay() {
	_, again := a.Event("reverified")
	bytes, ids, judged := map[canon.Digest]bool{}, map[[2]string]string{}, map[[2]string]string{}
	blocks := map[canon.Digest]*document.Result{}
	for _, r := range a.Results {
		sum := canon.Sum(r.Bytes)
		if bytes[sum] {
			continue
		}
		bytes[sum] = true
		id := [2]string{r.ID}
		if a.panel() { // its members may answer under the one id of the request, each once
			id[1] = document.ReadIdentity(r.Get("evaluator", "identity")).Normal().String()
		}
		first, reused := ids[id]
		if !reused {
			ids[id] = r.Name
		}
		a.Log.Check(!reused, finding.Error, "R098", "id-reused", r.At("verification_id"), document.Clip(r.ID), first)
		hash := document.Text(r.Get("evidence_trail", "deliverable_hash"))
		if !document.Hash64.MatchString(hash) {
			continue
		}
		pair := [2]string{r.AgreementID, hash}
		if first, second := judged[pair]; !second {
			judged[pair] = r.Name
		} else if r.AgreementID != "" && !a.panel() {
			a.Log.Check(again, finding.Error, "R098", "second-result", r.At("evidence_trail", "deliverable_hash"), document.Clip(hash), first)
		}
		a.checkBlock(r, hash, blocks)
	}
}

// checkBlock records R098 of a block of scores that stands under the hash of another deliverable too.
func (a Input) checkBlock(r *document.Result, hash string, blocks map[canon.Digest]*document.Result) {
	block, err := exact.Hash(r.Get("dimensions"))
	if err != nil {
		return
	}
	first, again := blocks[block]
	if !again {
		blocks[block] = r
		return
	}
	same := document.Text(first.Get("evidence_trail", "deliverable_hash")) == hash
	a.Log.Check(same, finding.Warn, "R098", "same-evaluation", r.At("dimensions"), block.Prefixed(), first.Name)
}

// checkStructure records R072: everything about the deliverable's form that needs no judgement.
func (a Input) checkStructure() {
	if a.Deliverable == nil {
		a.Log.Missing("R072", "input-missing", "deliverable.*", "the delivered file")
		return
	}
	if a.Request != nil {
		if size := document.Number(a.Request.Get("deliverable", "size_bytes")); size != nil {
			got := exact.Int(int64(len(a.Deliverable)))
			a.Log.Check(size.Cmp(got) == 0, finding.Error, "R072", "size", a.Request.At("deliverable", "size_bytes"), exact.Text(size), exact.Text(got))
		}
	}
	format := ""
	if a.Agreement != nil {
		format = document.Text(a.Agreement.Get("service", "deliverable_format"))
	}
	if format == "" && a.Request != nil {
		format = document.Text(a.Request.Get("deliverable", "format"))
	}
	a.checkFormat(format)
	if a.Agreement == nil {
		return
	}
	constraints := a.Agreement.Get("service", "constraints")
	if constraints.Get("max_tokens").Exists() {
		a.Log.Missing("R072", "no-tokenizer", a.Agreement.Place(constraints.Get("max_tokens")), "a tokenizer")
	}
	if most := document.Number(constraints.Get("max_bytes")); most != nil {
		got := exact.Int(int64(len(a.Deliverable)))
		a.Log.Check(got.Cmp(most) <= 0, finding.Error, "R072", "too-long", a.DeliverableName, exact.Text(got), "at most "+exact.Text(most))
	}
}

func (a Input) checkFormat(format string) {
	record := func(ok bool, found string) {
		a.Log.Check(ok, finding.Error, "R072", "format", a.DeliverableName, document.Clip(found), format)
	}
	switch format {
	case "json":
		root, err := canon.ParseStrict(a.DeliverableName, a.Deliverable)
		if err != nil {
			record(false, err.Error())
			return
		}
		record(true, "")
		a.checkPointers(root)
	case "csv":
		_, err := csv.NewReader(strings.NewReader(string(a.Deliverable))).ReadAll()
		record(err == nil && utf8.Valid(a.Deliverable), fmt.Sprint(err))
	case "markdown", "text":
		record(utf8.Valid(a.Deliverable), "bytes that are not UTF-8")
	default:
		a.Log.Missing("R072", "unknown-format", a.DeliverableName, "json | csv | markdown | text")
	}
}

// checkPointers records the required JSON Pointers of service.constraints.required_pointers.
func (a Input) checkPointers(root canon.Value) {
	if a.Agreement == nil {
		return
	}
	for i, e := range a.Agreement.Get("service", "constraints", "required_pointers").Elements() {
		if i >= document.MaxItems {
			break
		}
		p, err := canon.ParsePointer(document.Text(e))
		if err == nil {
			_, err = p.Lookup(root)
		}
		a.Log.Check(err == nil, finding.Error, "R072", "pointer-missing", a.Agreement.Place(e), document.Shown(e), "a value in the deliverable")
	}
}
