package finding

// frenchProcess holds the sentences on negotiation, lifecycle, time and evaluators (R029 to R068).
var frenchProcess = map[string]string{}
