//go:build race

package fleetsim_test

// everySeed is the step between fixed seeds that run. Under the race detector a fleet takes ten
// times as long, its findings don't depend on the seed, and `make test` runs all of them without
// it.
const everySeed = 8
