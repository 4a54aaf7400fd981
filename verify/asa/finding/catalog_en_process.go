package finding

// englishProcess holds the sentences on negotiation, lifecycle, time and evaluators (R029 to R068).
var englishProcess = map[string]string{}
