package report

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed schemas/*.json
var schemas embed.FS

// Schema is the JSON Schema (2020-12) of a format, by its short name such as "season", and whether there is one. That of a submission is
// in package submission.
func Schema(name string) ([]byte, bool) {
	b, err := schemas.ReadFile("schemas/" + name + ".json")
	return b, err == nil
}

// SchemaNames are the short names of all schemas, sorted.
func SchemaNames() []string {
	files, err := fs.Glob(schemas, "schemas/*.json")
	if err != nil {
		return nil
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "schemas/"), ".json")
	}
	return files
}
