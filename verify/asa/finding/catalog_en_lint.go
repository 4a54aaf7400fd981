package finding

var englishLint = map[string]string{
	"asa/R096/cliff": "at this bound the payment jumps: the last fraction of a point is worth the difference shown",
}
