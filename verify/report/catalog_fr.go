package report

import "github.com/ark-forge/proveit/verify"

// french is the catalogue in French: one entry for every code that the program can give.
var french = map[verify.Reason]Message{}
