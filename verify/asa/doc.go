// Package asa audits service agreements between agents (ASA 1.0.0): it recomputes, from the documents on disk, whatever they declare, and
// reports each gap between declared and recomputed and each thing that cannot be established.
//
// The documents of one agreement lie in one folder under fixed names, which package folder lists. A missing file makes the rules that need it
// "unestablished", never ok.
//
// Every number is an exact rational, every instant exact seconds; there is no floating point, no clock and no network. "Now" is the
// as-of instant of the options, by default the last instant that the documents state. Where the paper can be read in several ways, each
// reading is a named switch (finding.Readings), and a finding says whether it is the same under all of them.
//
// A signature is Ed25519 over three lines, each ended by a line feed, where the payload is the agreement without "signatures", without
// "status" and, unless the evaluator is fixed, without "parties.evaluator", in the form of RFC 8785:
//
//	asa-agreement-signature/1
//	client
//	sha256:ec4da9d078fae8c0f6ebfb19b4f07f9b3b284c56e69162c58cde055708972b81
//
// Where the paper describes something without naming a member for it, these are read: in the data of the event evaluator_assigned, "proposals"
// [{"client": ["scheme:value"], "provider": […]}], one per round of a mutual agreement; in that of verified, "result" and
// "payment_release_percent", the joint outcome of several results; in evaluators.json and agents.json, "coc_ancestors" beside "coc_root";
// in canaries.jsonl, "reliability_before" and "reliability_after". An evaluator is drawn with a seed and the smallest of the digests
//
//	seed   = sha256("asa-draw/1\nsha256:<payload>\nsha256:<beacon>\n")
//	digest = sha256(hex(seed) + "\n" + scheme + ":" + value + "\n")
//
// The rules live in packages below this one, by subject: form (members and types), signing, negotiation, lifecycle, evaluators, binding (request,
// result and deliverable), settlement (one result), receipts (what results cite), followup (what comes after a verification), lint (what needs
// no result), ledger (several agreements) and paper (the paper itself); below them folder and document (reading), finding (results of checks,
// texts), exact (arithmetic) and timenet. Here are the order of the rules, their answers under every reading, and one function per question.
package asa
