// Package replay does the main job: it judges a whole season from a bundle alone, in the order that makes a result contestable.
//
//	season.json → the freeze, on raw bytes → scale, key, enrolments, corpus → the index of views and log entries
//	→ each participant of each track, on several workers, in order → counts → the comparison with what was published
//
// Nothing is scored unless the freeze holds. Every distinct anchor is verified once. The result does not depend on the number of workers:
// they judge participants out of order and hand them over in order. A participant's judgements leave through a callback, so that a long
// season need not be held in memory.
package replay
