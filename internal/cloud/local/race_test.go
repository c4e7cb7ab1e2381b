//go:build race

package local_test

// detects is true with the race detector.
const detects = true
