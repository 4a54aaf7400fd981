// Package settlement recomputes one result: scores against their limits, the composite, gates, the determination, and what is paid for it
// (R073 to R080, R088, R089, R092, R093).
//
// Example: scores 88, 82 and true with weights 0.5, 0.3 and 0.2 give 44 + 24.6 + 20 = 88.6; with the paper's tiers that pays 85 %, of 6.00
// that is 5.10, and 0.90 goes back to the client.
package settlement
