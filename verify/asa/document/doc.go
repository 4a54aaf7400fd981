// Package document reads the documents of service agreements: the strict reader and its limits, and the model of agreements, requests,
// results and events that every rule computes with.
//
// A number is read exactly, an instant as exact seconds, an amount as a decimal string:
//
//	{"name": "accuracy", "weight": 0.5, "metric": "percentage", "slo": {"operator": "gte", "value": 85}}
//
// is a Dimension with the weight 1/2 and a limit that 85 meets and 84.9 does not. Whatever is absent or malformed is nil or empty in the
// model; package form says what is wrong.
package document
