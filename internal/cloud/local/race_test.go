//go:build race

package local_test

// detects says that the race detector is on.
const detects = true
