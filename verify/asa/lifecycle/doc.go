// Package lifecycle replays the events of an agreement (R029 to R041): states and transitions, the hash chain of the log, timers and
// windows, and the instants as a temporal network. Every deadline is closed: what happens at exactly that instant is on time.
package lifecycle
