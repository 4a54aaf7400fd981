package asa

// negotiation records R042 to R056.
func (a *audit) negotiation() {}
