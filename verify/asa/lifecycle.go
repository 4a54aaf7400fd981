package asa

// lifecycle records R029 to R041.
func (a *audit) lifecycle() {}
