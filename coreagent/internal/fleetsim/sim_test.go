package fleetsim_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// kind is a kind of fleet. Every test run includes the same dozen of each, so that no gate fails by
// chance.
type kind struct {
	test     string // the test that runs it
	count    string // environment variable with the number of seeds
	simulate func(t *testing.T, seed uint64) *result
	counted  []faultKind
	fixed    []uint64 // the seeds that run by default
	plan     func(seed uint64) (*plan, *rand.Rand)
}

var (
	secondsKind = kind{"SimFleets", "SIM_SEEDS", simulate, countedFaults, slices.Concat([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, laterFleetSeeds, failedFleetSeeds), newPlan}
	hoursKind   = kind{"SimHours", "SIM_HOURS", simulateHours, countedHours, slices.Concat([]uint64{1, 2, 6, 7, 9, 11, 13, 14, 16, 18, 19, 29}, laterHoursSeeds, failedHoursSeeds), newHoursPlan}
)

// mostTime is more real time than any fleet takes.
const mostTime = 5 * time.Minute

// perSecond is the number of seeds per second of time, because no two runs should use the same
// seeds.
const perSecond = 10_000

// base is the first seed of a run of many, new for each run.
var base = sync.OnceValue(func() uint64 { return uint64(time.Now().Unix()) * perSecond })

// setting reads a number from the environment.
func setting(t *testing.T, name string, fallback uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%q is not a number", name, text)
	}
	return n
}

// Runs random fleets under random faults in virtual time and judges them; see the package
// documentation. SIM_SEEDS=n runs n new seeds, or the seeds from SIM_BASE on. SIM_SEED=n replays
// one, SIM_REPEAT=k times. SIM_REQUESTS=1 selects fleets with requested runs, SIM_HOLDS=1 fleets
// with holds. It stops at the first seed that fails; with SIM_ALL=1 it runs all seeds and lists the
// failed ones.
func TestMS21SimFleets(t *testing.T) {
	t.Parallel()
	runKind(t, secondsKind)
}

func runKind(t *testing.T, k kind) {
	t.Helper()
	if one := setting(t, "SIM_SEED", 0); one > 0 {
		runSeeds(t, k, func(uint64) uint64 { return one }, setting(t, "SIM_REPEAT", 1))
		return
	}
	count := setting(t, k.count, 0)
	if count == 0 {
		runSeeds(t, k, func(n uint64) uint64 { return k.fixed[n*everySeed] }, uint64(len(k.fixed)+everySeed-1)/everySeed)
		return
	}
	first := setting(t, "SIM_BASE", base())
	t.Logf("%s: SIM_BASE=%d, %d seeds", k.test, first, count)
	if requests, held := os.Getenv("SIM_REQUESTS") != "", os.Getenv("SIM_HOLDS") != ""; requests || held {
		seeds := k.seedsWith(first, count, func(p *plan) bool { return (p.requests != nil || !requests) && (p.holds != nil || !held) })
		runSeeds(t, k, func(n uint64) uint64 { return seeds[n] }, count)
		return
	}
	runSeeds(t, k, func(n uint64) uint64 { return first + n }, count)
}

// seedsWith returns count seeds with wanted fleets, starting at first.
func (k kind) seedsWith(first, count uint64, wanted func(p *plan) bool) []uint64 {
	var seeds []uint64
	for seed := first; uint64(len(seeds)) < count; seed++ {
		if p, _ := k.plan(seed); wanted(p) {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// runSeeds runs seeds, one bubble per processor at a time, and stops at the first failure.
func runSeeds(t *testing.T, k kind, seed func(n uint64) uint64, count uint64) {
	t.Helper()
	began := time.Now()
	var next atomic.Uint64
	var failed atomic.Bool
	sum := newFigures()
	t.Run("workers", func(t *testing.T) {
		for n := range runtime.GOMAXPROCS(0) {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				for n := next.Add(1) - 1; n < count && !failed.Load(); n = next.Add(1) - 1 {
					var r *result
					watch := time.AfterFunc(mostTime, func() {
						debug.SetTraceback("all") // one goroutine doesn't pause
						panic(fmt.Sprintf("%s: seed %d does not end: somebody tries again and again without a pause, so that virtual time stands still", k.test, seed(n)))
					})
					synctest.Test(t, func(t *testing.T) { r = k.simulate(t, seed(n)) })
					watch.Stop()
					sum.add(r)
					switch {
					case r.failed() && !r.breaks(os.Getenv("SIM_EXPECT")):
						t.Logf("seed %d breaks something else: %v %v", r.seed, r.problems, r.kinds())
					case r.failed() && os.Getenv("SIM_ALL") != "":
						t.Errorf("seed %d: %d violations, blind %v, %v %v", r.seed, len(r.violations), r.history.Blind, r.problems, r.kinds())
					case r.failed():
						failed.Store(true)
						report(t, k, r)
					}
				}
			})
		}
	})
	sum.print(t, k, time.Since(began))
}

// kinds returns the first violation of each kind.
func (r *result) kinds() string {
	seen := make(map[string]bool)
	var text strings.Builder
	for _, v := range r.violations {
		if !seen[v.Rule] {
			seen[v.Rule] = true
			fmt.Fprintf(&text, "\n    %v", v)
		}
	}
	return text.String()
}

// breaks reports whether one of the listed invariants is violated, or any if the list is empty. A
// search for a planted bug ignores other violations.
func (r *result) breaks(list string) bool {
	return list == "" || slices.ContainsFunc(r.violations, func(v judge.Violation) bool {
		return slices.Contains(strings.Split(list, " "), v.Rule)
	})
}

// reportLimit is how many violations of a seed are shown.
const reportLimit = 3

// report prints a seed's violations, how to replay it, and the events around.
func report(t *testing.T, k kind, r *result) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "seed %d fails: %d violations. Replay it with\n\tSIM_SEED=%d go test ./coreagent/internal/fleetsim -run %s\n", r.seed, len(r.violations), r.seed, k.test)
	for _, p := range r.problems {
		fmt.Fprintf(&text, "the simulation itself: %s\n", p)
	}
	for _, v := range r.violations[:min(len(r.violations), reportLimit)] {
		fmt.Fprintf(&text, "%v\n%s", v, judge.Timeline(r.history, v))
	}
	t.Error(text.String())
}

type figures struct {
	mu         sync.Mutex
	seeds      int
	agents     int
	runs       int
	turns      int // jobs with a rotating shard
	requested  int // jobs with requested runs
	requests   int // their runs
	virtual    time.Duration
	violations int
	faults     *faultCounts
	needed     map[judge.Excuse]int
}

func newFigures() *figures {
	return &figures{faults: newFaultCounts(), needed: make(map[judge.Excuse]int)}
}

func (f *figures) add(r *result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seeds++
	f.agents += r.agents
	f.runs += len(r.history.Runs)
	if r.history.Jobs["turns"] != nil {
		f.turns++
	}
	if job := r.history.Jobs[requestedJob]; job != nil {
		f.requested++
		f.requests += len(job.Requests.Wanted)
	}
	f.virtual += r.virtual
	f.violations += len(r.violations)
	f.faults.merge(r.counts)
	for e, n := range r.needed {
		f.needed[e] += n
	}
}

func (f *figures) print(t *testing.T, k kind, wall time.Duration) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	var text strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&text, "\n  %-24s %v", name, value) }
	line("seeds", f.seeds)
	line("agents", f.agents)
	line("executions", f.runs)
	line("virtual hours", fmt.Sprintf("%.1f", f.virtual.Hours()))
	line("wall time", wall.Round(100*time.Millisecond))
	for _, kind := range k.counted {
		line(string(kind), f.faults.kind[kind])
	}
	line("jobs in turns", f.turns)
	line("jobs with requests", f.requested)
	line("requests", f.requests)
	line("violations", f.violations)
	if os.Getenv("SIM_EXCUSES") != "" {
		for _, e := range judge.Excuses() {
			line("excuse: "+string(e), f.needed[e])
		}
	}
	t.Log("simulated fleets:", text.String())
	if f.seeds < 100 || os.Getenv("SIM_SEED") != "" { // too few to meet every kind, or the same one repeated
		return
	}
	if f.runs < 5*f.seeds {
		t.Errorf("%d seeds made only %d runs: they prove nothing", f.seeds, f.runs)
	}
	for _, kind := range k.counted { // the rarest ones occur in a tenth of the fleets on average
		if f.faults.kind[kind] < f.seeds/20 {
			t.Errorf("%d seeds met %s only %d times: the run proves nothing about it", f.seeds, kind, f.faults.kind[kind])
		}
	}
}
