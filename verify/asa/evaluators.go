package asa

// evaluators records R057 to R068.
func (a *audit) evaluators() {}
