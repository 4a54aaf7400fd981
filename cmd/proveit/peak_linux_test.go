package main

import (
	"os"
	"syscall"
)

// peak is the largest resident set of a finished process, in bytes (Linux counts in KiB).
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10
}
