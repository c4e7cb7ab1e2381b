//go:build !race

package fleetsim_test

// everySeed is one of how many of the fixed seeds runs: see race_test.go.
const everySeed = 1
