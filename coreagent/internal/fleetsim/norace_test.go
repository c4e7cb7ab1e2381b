//go:build !race

package fleetsim_test

// everySeed is the step between fixed seeds that run; see race_test.go.
const everySeed = 1
