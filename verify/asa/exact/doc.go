// Package exact holds the arithmetic and the two text forms that a service agreement needs: decimals read as exact rationals, numbers
// written as ECMAScript writes them, and documents written in the form of RFC 8785 (JCS).
//
// Nothing here computes in binary floating point, for a reason that is worth money. With weights 0.25 0.20 0.20 0.15 0.10 0.10 and scores
// 88 69 64 62 71 100 the composite is exactly 75, which passes; added up in doubles, left to right, it is 74.99999999999999, which fails.
// A test of package asa reads the sources of all packages below verify/asa and refuses any floating-point type.
package exact
