package conformance

import "slices"

// questions are those that PROTOCOL.md describes.
var questions = []string{"canon", "freeze verify", "open", "proof verify", "rekor verify", "season replay", "submission check", "trust show", "tsa verify"}

// values are the names of inputs that are plain values; every other input is a path.
var values = []string{"strict", "pointer", "digest", "artifact-hash", "provider"}

// Known reports whether a question is one that PROTOCOL.md describes.
func Known(question string) bool { return slices.Contains(questions, question) }

// IsPath reports whether the input of that name is a path relative to the case's folder.
func IsPath(name string) bool { return !slices.Contains(values, name) }
