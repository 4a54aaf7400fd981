// Package form says which form the documents of service agreements must have (R002 to R023). One table gives the members of every kind of
// document; Validate walks it, and Schema writes it down as JSON Schema, so that the two cannot come apart.
//
// A member
//
//	must(pos("round"))
//
// is refused where it is missing, "2", 0 or 2.0, and its schema is {"type": "integer", "minimum": 1} under "required". What is not in the
// table is a finding of R019, never a refusal.
package form
