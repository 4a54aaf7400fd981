package replay

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify"
	"github.com/ark-forge/proveit/verify/submission"
)

// hand notes one submission, or says why its place is not known.
func (im *importer) hand(from string, text []byte, v canon.Value) {
	place, f := im.placeOf(v)
	if f != nil {
		f.File = from
		im.refuse(from, "", f)
		return
	}
	im.pending = append(im.pending, handed{place, from, text, v})
}

// placeOf is where a submission belongs: the folder of the participant whose DID it gives, its track and its task.
func (im *importer) placeOf(v canon.Value) (string, *verify.Failure) {
	if im.season == nil {
		return "", &verify.Failure{Reason: ReasonImportSeason, Found: "no season that can be read", Wanted: "season.json, enrolments and scales"}
	}
	if n, ok := v.Get("season").Int64(); !ok || n != im.season.Number {
		return "", &verify.Failure{Reason: submission.ReasonSeasonUnknown, Found: canonicalText(v.Get("season")), Wanted: canonicalInt(im.season.Number), Pointer: v.Pointer() + "/season"}
	}
	did, _ := v.Get("agent_did").Text()
	i := slices.IndexFunc(im.season.Enrolments, func(p season.Participant) bool { return p.DID == did })
	if i < 0 {
		return "", &verify.Failure{Reason: submission.ReasonDIDNotEnrolled, Found: did, Wanted: "the DID of somebody enrolled", Pointer: v.Pointer() + "/agent_did"}
	}
	id, _ := v.Get("track").Text()
	track, ok := im.season.Track(id)
	if !ok {
		return "", &verify.Failure{Reason: submission.ReasonTrackUnknown, Found: id, Wanted: "a track of the season", Pointer: v.Pointer() + "/track"}
	}
	task, _ := v.Get("task_id").Text()
	if _, ok := track.Scale.Task(task); !ok {
		return "", &verify.Failure{Reason: submission.ReasonTaskUnknown, Found: task, Wanted: "a task of the track", Pointer: v.Pointer() + "/task_id"}
	}
	return submissionName(im.season.Enrolments[i].ID, track.ID, task), nil
}

func canonicalInt(n int64) string {
	b, _ := canon.Marshal(n) // an integer always marshals
	return string(b)
}

// submissions places what was handed in. Two that differ for one task are both refused: which was the last is not known here.
func (im *importer) submissions() error {
	byPlace := map[string][]handed{}
	for _, h := range im.pending {
		byPlace[h.place] = append(byPlace[h.place], h)
	}
	for _, h := range im.pending {
		list := byPlace[h.place]
		if len(list) == 0 {
			continue // placed with the first of its task
		}
		if i := slices.IndexFunc(list, func(o handed) bool { return !canon.Equal(o.value, h.value) }); i >= 0 {
			im.refuse(h.from, h.place, &verify.Failure{Reason: ReasonImportRepeated, Found: "another submission in " + list[i].from, Wanted: "one submission", File: h.place})
			continue
		}
		byPlace[h.place] = nil
		if err := im.submission(h); err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) submission(h handed) error {
	old, err := im.b.Read(h.place)
	if errors.Is(err, fs.ErrNotExist) {
		return im.place(h.place, h.from, "submission", h.text, 1)
	}
	if err == nil {
		if v, err := canon.Parse(old); err == nil && canon.Equal(v, h.value) {
			im.doc.Present++
			return nil
		}
	}
	im.refuse(h.from, h.place, &verify.Failure{Reason: ReasonImportDiffers, Found: "a submission that differs from the one in the bundle", Wanted: "the same, or none in its place", File: h.place})
	return nil
}
