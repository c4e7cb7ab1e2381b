//go:build race

package scenario_test

// underRace: the race detector makes everything several times slower; tests
// of size run with smaller sizes, and in full without it.
const underRace = true
