// Package lint says what can be said about an agreement without a result: shadow metrics, template, the shape of the payment, timers that
// cannot fire, guarantees and what they leave open (R041, R049, R075, R082 to R085, R089 to R091, R096). A claim over all scores carries
// a witness: concrete scores for which it holds.
package lint
