package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
)

// guarded is an engine that detects forbidden overlaps of a job's runs.
type guarded struct {
	*cloudfake.Engine
	mu       sync.Mutex
	problems []string
}

func (g *guarded) Launch(ctx context.Context, r cloud.Run) (bool, error) {
	known := false
	var active []string
	for _, other := range g.Runs() {
		known = known || other.Name == r.Name
		if other.JobName == r.Job.Name && !other.State.Ended() && other.Name != r.Name {
			active = append(active, other.Name)
		}
	}
	created, err := g.Engine.Launch(ctx, r)
	if created && !known && len(active) > 0 && r.Job.Overlap() != cloud.OverlapAllow {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.problems = append(g.problems, fmt.Sprintf("%s was launched while %v went on", r.Name, active))
	}
	return created, err
}

// TestFaultsOfAllKinds: schedulers die and freeze, calls fail before and after they take effect, and watches are
// cut. Every fire time should have one run or be accounted for, and no two runs should overlap that may not.
func TestFaultsOfAllKinds(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inBubble(t, 400*time.Millisecond, func(f *fixture) { soak(t, f, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

func soak(t *testing.T, f *fixture, random *rand.Rand) {
	overlaps := []cloud.Overlap{cloud.OverlapQueueOne, cloud.OverlapQueueAll, cloud.OverlapSkip, cloud.OverlapAllow}
	for _, o := range overlaps {
		f.job(string(o), "0/2 * * * * ?", func(j *cloud.Job) { j.Props[cloud.PropOverlap] = string(o) })
	}
	engine := &guarded{Engine: f.engine}
	on := func(c *Config) { c.Engine = engine }
	calm := f.start.Add(4 * time.Minute)
	var mu sync.Mutex // guards the faults' random numbers
	faults := rand.New(rand.NewPCG(random.Uint64(), 2))
	fault := func(verb, _ string) cloudfake.Fault {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().After(calm) || faults.IntN(4) > 0 || verb == "watch" {
			return cloudfake.Fault{}
		}
		return cloudfake.Fault{Err: cloudfake.ErrInjected, Applied: faults.IntN(2) == 0, Delay: time.Duration(faults.IntN(200)) * time.Millisecond}
	}
	f.engine.Faults(fault)
	f.store.Faults(fault)
	kills := []context.CancelFunc{f.begin(on), f.begin(on)}
	for time.Now().Before(calm) {
		f.passes(time.Duration(1000+random.IntN(20_000)) * time.Millisecond)
		switch random.IntN(4) {
		case 0:
			f.election.depose(time.Duration(random.IntN(15_000)) * time.Millisecond)
		case 1:
			f.election.freeze(time.Duration(random.IntN(15_000)) * time.Millisecond)
		case 2:
			f.engine.CutWatches()
			f.store.CutWatches()
		default:
			kills[0]()
			kills = append(kills[1:], f.begin(on))
		}
	}
	f.passes(time.Minute + 1500*time.Millisecond)
	last := int(time.Since(f.start) / time.Second)
	for _, o := range overlaps {
		f.accounted(string(o), every(2, 2, last))
	}
	for _, p := range engine.problems {
		t.Error(p)
	}
}

// accounted checks that each fire time ran once, except the merged ones.
func (f *fixture) accounted(job string, fires []int) {
	f.Helper()
	ran := make(map[int]int)
	for _, s := range f.fired(job) {
		ran[s]++
	}
	lost := 0
	for _, s := range fires {
		if ran[s] > 1 {
			f.Errorf("%s: the fire time %d ran %d times", job, s, ran[s])
		}
		if ran[s] == 0 {
			lost++
		}
	}
	s := f.status(job)
	if s.Missed > 0 || lost > int(s.Merged) {
		f.Errorf("%s: %d of %d fire times have no run, %d were merged, %d missed, pending are %v", job, lost, len(fires), s.Merged, s.Missed, s.Pending)
	}
}
