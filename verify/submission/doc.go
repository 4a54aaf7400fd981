// Package submission reads what a participant hands in for one task (seed 000 §4) and says, all at once, why the entry would refuse it.
//
// A submission is one strict JSON object:
//
//	{
//	  "season": 1, "track": "conformite", "task_id": "conf-03", "agent_did": "did:key:z6Mk…", "verdict": "non_conforme",
//	  "assertions": [
//	    {"id": "a1",
//	     "claim": {"resource": "/agrements/AGR-4417", "field": "/statut", "value": "suspendu"},
//	     "proof_ids": ["prf_20260921_101233_ab12cd"]}
//	  ],
//	  "disclosures": {
//	    "prf_20260921_101233_ab12cd": {
//	      "request_hash":  {"nonce": "<64 hex>", "value": "<64 hex>"},
//	      "response_hash": {"nonce": "<64 hex>", "value": "<64 hex>"}
//	    }
//	  },
//	  "narrative": "free text, published, never scored"
//	}
//
// Only narrative may be left out. Unknown members are refused, at every level. A refusal is never a score of zero: it says that the
// file was not recorded. What only the corpus or the proofs show (a resource outside the task, a disclosure that opens nothing) is
// not judged here.
//
// The package also makes what a participant needs to write such a file: the disclosures block from the owner's full views, its
// insertion into a file, and an empty form.
package submission
