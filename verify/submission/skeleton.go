package submission

import (
	"fmt"

	"github.com/ark-forge/proveit/canon"
)

// Skeleton is an empty form for one task, with one assertion to copy. The entry refuses it as it is and names what is to be filled in.
func Skeleton(season int64, track, taskID string) ([]byte, error) {
	trackText, err := canon.Marshal(track)
	if err != nil {
		return nil, err
	}
	taskText, err := canon.Marshal(taskID)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{
  "season": %d,
  "track": %s,
  "task_id": %s,
  "agent_did": "",
  "verdict": "",
  "assertions": [
    {
      "id": "a1",
      "claim": {"resource": "", "field": "", "value": null},
      "proof_ids": []
    }
  ],
  "disclosures": {},
  "narrative": ""
}
`, season, trackText, taskText), nil
}
