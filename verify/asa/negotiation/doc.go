// Package negotiation walks the messages of a negotiation (R042 to R056): their grammar, turns and rounds, the limit of change per round,
// the band of prices around the market's median, and whether the terms that come out are the ones that were signed.
package negotiation
