package report

// french is the catalogue in French: the same codes as english.
var french = gather(frenchProof, frenchWitness, frenchBundle, frenchScore, frenchSeason, frenchEntry)
