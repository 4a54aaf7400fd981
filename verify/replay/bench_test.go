package replay_test

import (
	"context"
	"io"
	"testing"

	"github.com/ark-forge/proveit/manifest/bundle"
	"github.com/ark-forge/proveit/manifest/season"
	"github.com/ark-forge/proveit/verify/proof"
	"github.com/ark-forge/proveit/verify/replay"
	"github.com/ark-forge/proveit/verify/report"
	"github.com/ark-forge/proveit/verify/score"
	"github.com/ark-forge/proveit/verify/submission"
)

// BenchmarkReplay judges the season of testdata from its folder, every anchor anew each time.
func BenchmarkReplay(b *testing.B) {
	var checked report.Checked
	for b.Loop() {
		files := benchSeason(b)
		doc, err := replay.Run(context.Background(), files, replay.Options{Jobs: 2})
		if err != nil {
			b.Fatal(err)
		}
		files.Close()
		checked = doc.Checked
	}
	b.ReportMetric(float64(checked.Proofs*b.N)/b.Elapsed().Seconds(), "proofs/s")
}

// BenchmarkJudgement judges one submission whose proofs are verified already: pure arithmetic.
func BenchmarkJudgement(b *testing.B) {
	files := benchSeason(b)
	defer files.Close()
	s, err := season.Load(files, replay.SeasonFile)
	if err != nil {
		b.Fatal(err)
	}
	track := s.Tracks[0]
	task := track.Scale.Tasks[0]
	key, _ := track.Key.Task(task.ID)
	graph, err := season.NewGraph(s.Corpus, track.Scale, task)
	if err != nil {
		b.Fatal(err)
	}
	who := s.Enrolments[0]
	name := "submissions/" + who.ID + "/" + track.ID + "/" + task.ID + ".json"
	raw, err := files.Read(name)
	if err != nil {
		b.Fatal(err)
	}
	sub, refusals := submission.Parse(name, raw, submission.ForSeason(s).At(track.ID, task.ID, who.DID))
	if len(refusals) > 0 {
		b.Fatal(refusals.Err())
	}
	proofs := map[string]proof.Result{}
	for id, d := range sub.Disclosures {
		proofs[id] = proof.Result{ProofID: id, SpecVersion: "3.1", Outcome: proof.Valid, Opened: &proof.Opened{Request: d.Request.Value, Response: d.Response.Value}}
	}
	rules := score.TaskRules{Task: task, Key: key, Graph: graph, Scale: track.Scale, Corpus: s.Corpus, DID: who.DID}
	b.Run("entry", func(b *testing.B) {
		for b.Loop() {
			submission.Parse(name, raw, submission.ForSeason(s).At(track.ID, task.ID, who.DID))
		}
	})
	b.Run("task", func(b *testing.B) {
		for b.Loop() {
			score.Task(sub, proofs, rules)
		}
	})
}

// BenchmarkReports writes the three reports of one participant.
func BenchmarkReports(b *testing.B) {
	files := benchSeason(b)
	defer files.Close()
	doc, err := replay.Run(context.Background(), files, replay.Options{Jobs: 2})
	if err != nil {
		b.Fatal(err)
	}
	track := doc.Tracks[0]
	one := report.IndividualOf(report.Header{Season: doc.Season, Track: track.Track, Bareme: track.Bareme, BestConstant: track.BestConstant}, track.Participants[0])
	for _, w := range []struct {
		name  string
		write func() error
	}{
		{"json", func() error { return report.JSON(io.Discard, one) }},
		{"markdown", func() error { return report.IndividualMarkdown(io.Discard, one, report.English) }},
		{"html", func() error { return report.IndividualHTML(io.Discard, one, report.English) }},
	} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				if err := w.write(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchSeason(b *testing.B) *bundle.Bundle {
	b.Helper()
	files, err := bundle.Open(closed, bundle.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	return files
}
