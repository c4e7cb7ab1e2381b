package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestMS28WatchEventsLostAndDoubled: three of ten watch events never arrive
// and three of ten arrive twice, while instances come and go and the number of
// items changes. Each time the fleet agrees within two reconcile intervals,
// and no item runs twice at the same time.
func TestMS28WatchEventsLostAndDoubled(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			bubble(t, func(b *bed, srv *zkfake.Server) {
				const interval = time.Minute
				random := rand.New(rand.NewPCG(seed, 28))
				var mu sync.Mutex
				lost, doubled := 0, 0
				srv.SetWatchFault(func(e zkfake.WatchEvent) bool {
					mu.Lock()
					roll := random.IntN(10)
					switch {
					case roll < 3:
						lost++
					case roll < 6:
						doubled++
						go srv.SendEvent(e)
					}
					mu.Unlock()
					return roll < 3
				})
				job := coreagent.Job{Name: "job", Cron: "0/10 * * * * ?", Shards: 6, ReconcileInterval: interval}
				start := func(n int) *member {
					m := b.agent(n)
					return m.serve(job, m.work(time.Second)).start()
				}
				agreed := func(what string, items int, members ...*member) {
					deadline := time.Now().Add(2*interval + 30*time.Second) // Half a minute for the dealing itself.
					want := make([]string, 0, len(members))
					for _, m := range members {
						want = append(want, m.id)
					}
					slices.Sort(want)
					for {
						owners := b.owners("job")
						if len(owners) == items && slices.Equal(slices.Compact(slices.Sorted(slices.Values(owners))), want) &&
							!b.exists(b.tree.Job("job").Necessary()) && !b.exists(b.tree.Job("job").Processing()) {
							break
						}
						if time.Now().After(deadline) {
							t.Fatalf("%s: owned by %q", what, owners)
						}
						time.Sleep(100 * time.Millisecond)
					}
					time.Sleep(2 * interval) // Whoever missed the end of it looks at the next audit.
					from := time.Now()
					time.Sleep(interval)
					if got := b.runs.completions("job", items, from, time.Now()); slices.Min(got) < 5 {
						t.Errorf("%s: an item missed fire times in the minute after: %v", what, got)
					}
				}
				one, two := start(1), start(2)
				agreed("two came", 6, one, two)
				three := start(3)
				agreed("a third came", 6, one, two, three)
				b.configure("job", func(c *jobconfig.Config) { c.Shards = 9 })
				agreed("more items", 9, one, two, three)
				b.must(two.Stop(b.ctx()))
				agreed("one left", 9, one, three)
				one.kill()
				agreed("one died", 9, three)
				if found := b.runs.overlaps("job", 9); len(found) > 0 {
					t.Errorf("overlaps: %s", found)
				}
				mu.Lock()
				defer mu.Unlock()
				if lost < 10 || doubled < 10 {
					t.Errorf("%d events lost, %d doubled: the test proves nothing", lost, doubled)
				}
				t.Logf("%d events lost, %d doubled", lost, doubled)
			})
		})
	}
}

// TestMS12MS50ManyJobs: one process registers very many jobs, and then three
// processes that serve them end and start anew at once. Each job is scheduled
// and runs; how many requests that takes per job and instance is bounded.
func TestMS12MS50ManyJobs(t *testing.T) {
	jobs := 300
	if underRace {
		jobs = 100
	}
	bubble(t, func(b *bed, srv *zkfake.Server) {
		b.session = 40 * time.Second
		fleet := func(round int) []*member {
			members := make([]*member, 3)
			var starts sync.WaitGroup
			for i := range members {
				members[i] = b.host(i+1, fmt.Sprint(round))
				for n := range jobs {
					members[i].serve(coreagent.Job{Name: fmt.Sprintf("job-%d", n), Cron: "0 * * * * ?", Shards: 1, MonitorExecution: new(false)}, nil)
				}
				starts.Go(func() { members[i].start() })
			}
			starts.Wait()
			return members
		}
		allRun := func(what string) {
			at := sleepUntilNext(time.Minute)
			time.Sleep(30 * time.Second)
			ran := make(map[string]int)
			for _, r := range b.runs.all() {
				if !r.start.Before(at) {
					ran[r.shard.Job]++
				}
			}
			twice := 0
			for _, n := range ran {
				if n > 1 {
					twice++
				}
			}
			if len(ran) != jobs || twice > 0 {
				t.Errorf("%s: %d of %d jobs ran, %d of them twice", what, len(ran), jobs, twice)
			}
			b.runs.forget()
		}
		first := fleet(1)
		allRun("after the first start")
		var stops sync.WaitGroup
		for _, m := range first {
			stops.Go(func() { b.must(m.Stop(b.ctx())) })
		}
		stops.Wait()
		srv.ResetStats()
		fleet(2)
		time.Sleep(10 * time.Second)
		total := 0
		for op, n := range srv.Stats().Ops {
			if op != "ping" {
				total += n
			}
		}
		perJob := float64(total) / float64(3*jobs)
		t.Logf("%d jobs on 3 processes: %.1f requests per job and process to come back", jobs, perJob)
		if perJob > 60 {
			t.Errorf("%.1f requests per job and process", perJob)
		}
		allRun("after the restart")
	})
}
