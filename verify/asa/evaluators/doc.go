// Package evaluators judges who may evaluate and how several of them agree (R057 to R068): independence, qualification of the pool, the
// draw, mutual agreement, rotation, canary tasks, consensus and calibration.
package evaluators
