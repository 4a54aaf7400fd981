package finding

var frenchLint = map[string]string{
	"asa/R096/cliff": "à cette borne le paiement saute : la dernière fraction de point vaut la différence indiquée",
}
