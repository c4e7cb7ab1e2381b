//go:build race

package fleetsim_test

// everySeed is one of how many of the fixed seeds runs. Under the race detector a
// fleet takes ten times as long; what it finds does not depend on the seed, and
// `make test` runs all of them without it.
const everySeed = 8
