package report

// entryLabels are the words of the commands for participants: English, French.
var entryLabels = map[string][2]string{
	"accepted":        {"the entry takes it", "recevable à l’entrée"},
	"refused":         {"the entry refuses it", "rejetée à l’entrée"},
	"hint":            {"perhaps", "peut-être"},
	"unusable":        {"could not be examined", "n’a pas pu être examiné"},
	"commitment_keep": {"keep secret until the close", "à garder secret jusqu’à la clôture"},
}
