package report

import "github.com/ark-forge/proveit/verify"

// english is the catalogue in English: one entry for every code that the program can give.
var english = map[verify.Reason]Message{}
