package cli

import "io"

// answerWriter is standard output with a memory: commands print line by line and need not look at every error, and an answer that did not arrive whole is
// still exit code 2, whatever it would have said.
type answerWriter struct {
	w   io.Writer
	err error // the first that w gave; nothing is written after it
}

func (a *answerWriter) Write(p []byte) (int, error) {
	if a.err != nil {
		return 0, a.err
	}
	n, err := a.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	a.err = err
	return n, err
}
