package manifest

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/ark-forge/proveit/canon"
)

func TestBuildGivesWhatLoadAccepts(t *testing.T) {
	files := goodFiles()
	m, err := Parse("m", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	built, err := Build(files, m, "corpus")
	if err != nil {
		t.Fatal(err)
	}
	files["corpus/new/page.json"] = `{"a":"b"}`
	files["corpus/manifest.json"] = string(built)
	before := loadGood(t, files)
	if bad := slices.Concat(before.Missing(), before.Differences(), before.Problems()); len(bad) != 0 {
		t.Errorf("%v", bad)
	}

	names := []string{"corpus/entites/ENT-1.json", "corpus/manifest.json", "corpus/new/page.json", "corpus/notes.txt", "corpus/post.json", "corpus/s/400.json", "other/x.json"}
	again, err := Build(files, Draft(names, m, "", "corpus", "corpus/manifest.json"), "corpus")
	if err != nil {
		t.Fatal(err)
	}
	files["corpus/manifest.json"] = string(again)
	after := loadGood(t, files)
	if got := Diff(before, after); len(got) != 1 || got[0] != (Change{Kind: Added, Resource: "/new/page"}) {
		t.Errorf("%v", got)
	}
	twice, err := Build(files, Draft(names, after.Manifest, "", "corpus", "corpus/manifest.json"), "corpus")
	if err != nil || !bytes.Equal(twice, again) {
		t.Errorf("a second build gives other bytes: %v", err)
	}
	moved := Draft(names, after.Manifest, "https://other.example", "corpus", "corpus/manifest.json")
	if moved.BaseURL != "https://other.example" || moved.Resources[0].URL != "https://other.example"+moved.Resources[0].Resource {
		t.Errorf("%s %s", moved.BaseURL, moved.Resources[0].URL)
	}
}

func TestBuildRefusals(t *testing.T) {
	m, err := Parse("m", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	files := goodFiles()
	delete(files, "corpus/post.json")
	if _, err := Build(files, m, "corpus"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	files["corpus/post.json"] = "{"
	if _, err := Build(files, m, "corpus"); err == nil || !strings.Contains(err.Error(), "corpus/post.json") {
		t.Errorf("%v", err)
	}
}

func TestDiff(t *testing.T) {
	before := loadGood(t, goodFiles())
	files := goodFiles()
	files["corpus/post.json"] = `{"nom":"Étude","radiee":"false","liens":["a"],"new~":null}`
	files["corpus/entites/ENT-1.json"] = strings.TrimSpace(pageText)
	files["corpus/manifest.json"] = strings.NewReplacer(`{"ancienne":true}`, `{"ancienne":null}`, hash400, hash403).Replace(good)
	var got []string
	for _, c := range Diff(before, loadGood(t, files)) {
		got = append(got, c.String())
	}
	want := []string{
		"/catalogues/%C3%A9clairage/1 body /radiee: changed from false to \"false\"",
		"/catalogues/%C3%A9clairage/1 body /liens/1: removed null",
		"/catalogues/%C3%A9clairage/1 body /new~0: added null",
		"/entites/ENT-1 body: spelled from SHA-256 " + pageSHA + " to SHA-256 " + canon.Sum([]byte(strings.TrimSpace(pageText))).String(),
		"/_systeme/400 response_hash: changed from " + hash400 + " to " + hash403,
		"/entites/anciennes/ body /ancienne: changed from true to null",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if same := Diff(before, before); len(same) != 0 {
		t.Errorf("%v", same)
	}
}
