package submission

import "github.com/ark-forge/proveit/manifest/season"

// Rules are what the entry knows of the season. The zero Rules know none: the schema and its own rules are checked, and the verdicts
// of the two tracks that the specification itself fixes (seed 000 §5.3, §6.3).
type Rules struct {
	Season    *int64          // the season's number; nil where no season is given
	Tracks    []Track         // the season's tracks; nil where no season is given
	Enrolled  map[string]bool // the enrolled DIDs; nil where enrolments are not given
	Path      *Path           // what the file's place in a bundle says; nil outside a bundle
	Catalogue *Catalogue      // the corpus's resources, for hints alone; may be nil
}

// Track is what the entry knows of one track.
type Track struct {
	ID       string
	Verdicts []string // the accepted verdicts; nil: any text that is not empty and has no "/" (a reference of the corpus)
	Tasks    []Task
}

// Task is what the entry knows of one task.
type Task struct {
	ID  string
	Max int // max_assertions
}

// Path is what submissions/<participant>/<track>/<task_id>.json says of the file.
type Path struct {
	Track, TaskID string
	DID           string // of the participant; empty where the folder belongs to nobody enrolled
}

// ForSeason gives the rules of a season whose scales and enrolments are read (season.LoadForEntry is enough). One value serves every file
// of the season; At adds what a file's place says.
func ForSeason(s *season.Season) Rules {
	number := s.Number
	r := Rules{Season: &number, Tracks: make([]Track, 0, len(s.Tracks)), Enrolled: make(map[string]bool, len(s.Enrolments))}
	for _, p := range s.Enrolments {
		r.Enrolled[p.DID] = true
	}
	for _, t := range s.Tracks {
		entry := Track{ID: t.ID}
		if t.Scale != nil {
			if t.Scale.Verdicts.Collection == "" {
				entry.Verdicts = append([]string{}, t.Scale.Verdicts.List...)
			}
			for _, k := range t.Scale.Tasks {
				entry.Tasks = append(entry.Tasks, Task{ID: k.ID, Max: k.Max})
			}
		}
		r.Tracks = append(r.Tracks, entry)
	}
	return r
}

// At gives the rules for the file submissions/<participant>/<track>/<task_id>.json of a participant with that DID.
func (r Rules) At(track, taskID, did string) Rules {
	r.Path = &Path{Track: track, TaskID: taskID, DID: did}
	return r
}

// specTracks are the verdicts that the specification fixes, used where no season is given.
var specTracks = []Track{
	{ID: "conformite", Verdicts: []string{"conforme", "non_conforme", "indeterminable"}},
	{ID: "generique"},
}

// track is the track of that id among those known, and whether it is one.
func (r *Rules) track(id string) (Track, bool) {
	tracks := r.Tracks
	if tracks == nil {
		tracks = specTracks
	}
	for _, t := range tracks {
		if t.ID == id {
			return t, true
		}
	}
	return Track{}, false
}

func (t *Track) task(id string) (Task, bool) {
	for _, k := range t.Tasks {
		if k.ID == id {
			return k, true
		}
	}
	return Task{}, false
}

func (t *Track) taskIDs() []string {
	ids := make([]string, len(t.Tasks))
	for i, k := range t.Tasks {
		ids[i] = k.ID
	}
	return ids
}

func (r *Rules) trackIDs() []string {
	ids := make([]string, len(r.Tracks))
	for i, t := range r.Tracks {
		ids[i] = t.ID
	}
	return ids
}
