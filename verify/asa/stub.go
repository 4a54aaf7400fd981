package asa

func (a *audit) checkGuarantees() {}
func (a *audit) checkPayoff()     {}
func (a *audit) checkAfter()      {}
