// Package folder collects the documents of one agreement from a folder, in which each has a fixed name, and reads them.
//
// The names are agreement.json, proposal.json, negotiation.jsonl, events.jsonl, request.json, result.json (or result-*.json), deliverable.*,
// market.json, evaluators.json, agents.json, canaries.jsonl, history.jsonl, keys.json, arp_report.json, export.json (or export-*.json),
// archive.jsonl and children/*.json, the agreements below this one. A missing file makes the rules that need it "unestablished", never ok.
//
// Two of them are this tool's own, because the paper describes them without a form. export.json says to whom results were handed (R100):
//
//	{"agreement_id": "asa-2026-04-01-demo0001", "verification_id": "ver-demo0001", "audience": "parties_and_arp", "at": "2026-04-02T00:00:00Z"}
//
// with the audience parties_only, parties_and_arp or public; verification_id and at are optional. archive.jsonl has one line per record that
// was deleted after its retention (R106), and keeps its hash and, of a result, its composite:
//
//	{"record": "result", "id": "ver-demo0001", "purged_at": "2027-04-01T00:00:00Z", "sha256": "sha256:7689…", "composite": 88.6}
package folder
