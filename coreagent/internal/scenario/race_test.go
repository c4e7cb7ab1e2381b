//go:build race

package scenario_test

// underRace: the race detector makes everything several times slower, so tests with large sizes use
// smaller ones under it. They run in full without it.
const underRace = true
