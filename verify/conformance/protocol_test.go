package conformance_test

// protocol is PROTOCOL.md of the suite.
const protocol = `# Conformance protocol

Each folder here is one case: the input, a README.md that says why, and expected.json. Folders whose names begin with "_" hold what cases share:
_trust, the trust material, and _season, a small season. Every case has at most one fault.

    proveit conformance testdata/conformance
    proveit conformance testdata/conformance --command 'python3 wrapper.py'

With --command the program is started once for each case, without a shell. It reads one JSON document on standard input, and prints one on
standard output. Its exit code is not looked at; what it prints on standard error is shown.

## The question

    {"format": "proveit.conformance.request/v1", "case": "proof-chain-flip", "question": "proof verify", "folder": "/…/proof-chain-flip",
     "input": {"file": "/…/proof.json", "rekor": "/…/entry.json", "disclosures": "/…/disclosures.json", "trust": "/…/_trust"}}

Paths are absolute. "strict", "pointer", "digest", "artifact-hash" and "provider" are plain values.

| question | input | result, where nothing fails | result otherwise |
|---|---|---|---|
| canon | file; strict ("true": what evidence may not be is refused); pointer (RFC 6901) | holds, with the fact sha256 of the canonical text | unusable |
| tsa verify | file, a TimeStampResp; data, the stamped bytes; provider; trust | valid, with the fact time | invalid |
| rekor verify | file, log entries; artifact-hash, the value that spec.data.hash must have; trust | valid, with the fact integrated_time | invalid |
| proof verify | file, a view or a batch answer; rekor, log entries; disclosures, the two pairs; trust | valid, with the fact token_time | invalid, pending, incomplete |
| open | file, a view; disclosures, the two pairs | holds, with the facts request_hash and response_hash, opened, and identity, the DID | differs |
| freeze verify | file, a bundle; trust | holds, with the fact token_time of the first current freeze | differs, incomplete |
| submission check | file; season, a bundle | accepted | refused, with the fact pointer |
| trust show | file, a trust folder | holds, with the fact keys: how many | unusable |
| season replay | file, a bundle; trust | holds | differs, incomplete |

In "proof verify" and "open" the identity block must open; whether it names somebody and is bound is judged in a season. "open" asks no witness and no
key. "freeze verify" looks at season.json, at what is frozen and at the proofs of the freezes alone. Whatever cannot be read at all is unusable. The facts of
"season replay" are those of the first participant and of the first task that was submitted: status, refusals (codes), verdict_exact, grounded, overclaim and
success (as n/m), and of the first assertion that is not supported assertion, cause and reason; incidents is the list of codes.

## The answer

    {"result": "invalid", "exit_code": 1, "check": "chain_hash", "reason": "chain_hash_differs", "facts": {}}

exit_code is 0 where nothing fails, 1 where something does not hold, 2 where the question could not be put, 3 where it cannot be answered yet. In a season,
refused, rejected and unsupported are answers: 0. check is the first that fails, in the order chain_hash, identity, disclosure, signature, batch_path, timestamp,
transparency_log (or proof, where there is no view to judge); entry for a submission; freeze, corpus, missing or published for a season; for "freeze verify" the
first that fails, or else is open, of freeze_proof, freeze_request, freeze_binding, freeze_opening, freeze_covered, or freeze_file.

result and exit_code must be those of expected.json. check, reason and facts are compared where the answer gives them, so a verifier with other names can
leave them out; --strict compares them always. The reason codes are listed by "proveit explain".

The result of the whole run is 0 where every case agrees, 1 where one differs, 2 where no case was found.
`
