package fleetsim_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
)

// failedSeeds are fleets of both kinds that have failed once. They're replayed unchanged, without
// later additions to the simulation.
var (
	failedSeeds      = []uint64{320089, 325714, 323206, 323804, 325510, 310003, 369, 20000079, 40001902, 50000257, 60001585, 70002498, 170000690, 170003433, 183000022, 300100977, 340100638, 700000001, 700000007, 730000074}
	failedFleetSeeds = []uint64{400010402, 410030166, 420010353, 420010801, 450000898, 460010196, 470090610, 480040985, 490050283, 490140831, 490160899, 490140493, 490170110, 510090699}
	failedHoursSeeds = []uint64{95000038, 171000267, 172000985, 173000098, 173000142, 175000512, 176000144, 176000160, 176000565, 180000077, 180000505, 182000126, 184000530, 186000873, 190003042, 190003702, 300200077, 310300187, 330300066, 330500051, 370500061, 400025004, 450005075, 450035199, 490095147, 17954652200157, 577000377, 602000164, 616000462}
)

// Fleets that have failed with all additions, of seconds and of hours.
var (
	laterFleetSeeds = []uint64{727000063, 17958800100158, 17958852000571, 17958852001436, 17958852001887, 7040088, 7050147, 17960900000000697, 91530005, 91931026}
	laterHoursSeeds = []uint64{184311290500008, 184311290500036, 17959439100020112, 654000041, 655000019, 656000045, 656000091, 17957635300192, 91430249, 92130024}
)

// replayed reports whether a fleet has failed before holds, timeouts and requested runs over hours
// were added.
func replayed(seed uint64) bool {
	return slices.Contains(failedSeeds, seed) || slices.Contains(failedFleetSeeds, seed) || slices.Contains(failedHoursSeeds, seed)
}

// Replays fleets that have failed once. Each failure has its own test by that number here, in
// coreagent or in engine.
func TestV45V46V47SeedsThatFailed(t *testing.T) {
	t.Parallel()
	for _, seed := range failedSeeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			var r *result
			synctest.Test(t, func(t *testing.T) { r = simulate(t, seed) })
			if r.failed() {
				report(t, secondsKind, r)
			}
		})
	}
}
