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

// eventLoss loses three of ten watch events and duplicates another three.
type eventLoss struct {
	srv *zkfake.Server

	mu            sync.Mutex
	random        *rand.Rand
	lost, doubled int
}

func (l *eventLoss) loses(e zkfake.WatchEvent) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	roll := l.random.IntN(10)
	switch {
	case roll < 3:
		l.lost++
	case roll < 6:
		l.doubled++
		go l.srv.SendEvent(e)
	}
	return roll < 3
}

// agreed waits until exactly these members own the shards, for at most two reconcile intervals plus
// half a minute for the resharding. After that every shard should run at its fire times.
func (b *fixture) agreed(what string, interval time.Duration, shards int, members ...*member) {
	b.Helper()
	deadline := time.Now().Add(2*interval + 30*time.Second)
	want := make([]string, 0, len(members))
	for _, m := range members {
		want = append(want, m.id)
	}
	slices.Sort(want)
	for {
		owners := b.owners("job")
		if len(owners) == shards && slices.Equal(slices.Compact(slices.Sorted(slices.Values(owners))), want) &&
			!b.exists(b.tree.Job("job").Necessary()) && !b.exists(b.tree.Job("job").Processing()) {
			break
		}
		if time.Now().After(deadline) {
			b.Fatalf("%s: owned by %q", what, owners)
		}
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(2 * interval) // Agents that missed the event of its end notice at their next audit.
	from := time.Now()
	time.Sleep(interval)
	if got := b.runs.completions("job", shards, from, time.Now()); slices.Min(got) < 5 {
		b.Errorf("%s: a shard missed fire times in the minute after: %v", what, got)
	}
}

// TestMS28WatchEventsLostAndDoubled: three of ten watch events are lost and another three arrive
// twice, while instances join and leave and the number of shards changes. Each time the fleet
// should agree within two reconcile intervals, and no shard should run twice at once.
func TestMS28WatchEventsLostAndDoubled(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const interval = time.Minute
				loss := &eventLoss{srv: srv, random: rand.New(rand.NewPCG(seed, 28))}
				srv.SetWatchFault(loss.loses)
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 6, ReconcileInterval: interval}
				start := func(n int) *member {
					m := b.agent(n)
					return m.serve(job, m.work(time.Second)).start()
				}
				one, two := start(1), start(2)
				b.agreed("two came", interval, 6, one, two)
				three := start(3)
				b.agreed("a third came", interval, 6, one, two, three)
				b.configure("job", func(c *jobconfig.Config) { c.Shards = 9 })
				b.agreed("more shards", interval, 9, one, two, three)
				b.must(two.Stop(b.ctx()))
				b.agreed("one left", interval, 9, one, three)
				one.kill()
				b.agreed("one died", interval, 9, three)
				if found := b.runs.overlaps("job", 9); len(found) > 0 {
					t.Errorf("overlaps: %s", found)
				}
				loss.mu.Lock()
				defer loss.mu.Unlock()
				if loss.lost < 10 || loss.doubled < 10 {
					t.Errorf("%d events lost, %d doubled: the test proves nothing", loss.lost, loss.doubled)
				}
				t.Logf("%d events lost, %d doubled", loss.lost, loss.doubled)
			})
		})
	}
}

// startMany starts three processes that serve many jobs, each with a fire time every minute.
func (b *fixture) startMany(suffix string, jobs int) []*member {
	members := make([]*member, 3)
	var starts sync.WaitGroup
	for i := range members {
		members[i] = b.host(i+1, suffix)
		for n := range jobs {
			members[i].serve(coreagent.Job{Name: fmt.Sprintf("job-%d", n), Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1, Unmonitored: true}, nil)
		}
		starts.Go(func() { members[i].start() })
	}
	starts.Wait()
	return members
}

// wantAllOnce checks that each job runs once at the next fire time.
func (b *fixture) wantAllOnce(what string, jobs int) {
	b.Helper()
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
		b.Errorf("%s: %d of %d jobs ran, %d of them twice", what, len(ran), jobs, twice)
	}
	b.runs.forget()
}

// TestMS12MS50ManyJobs: one process registers many jobs. Then three processes with these jobs stop
// and start again at once. Every job should be scheduled and run, with a limited number of requests
// per job and instance.
func TestMS12MS50ManyJobs(t *testing.T) {
	jobs := 300
	if underRace {
		jobs = 100
	}
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = 40 * time.Second
		first := b.startMany("1", jobs)
		b.wantAllOnce("after the first start", jobs)
		var stops sync.WaitGroup
		for _, m := range first {
			stops.Go(func() { b.must(m.Stop(b.ctx())) })
		}
		stops.Wait()
		srv.ResetStats()
		b.startMany("2", jobs)
		time.Sleep(10 * time.Second)
		total := 0
		for op, n := range srv.Stats().Ops {
			if op != "ping" {
				total += n
			}
		}
		perJob := float64(total) / float64(3*jobs)
		t.Logf("%d jobs on 3 processes: %.1f requests per job and process to rejoin", jobs, perJob)
		if perJob > 60 {
			t.Errorf("%.1f requests per job and process", perJob)
		}
		b.wantAllOnce("after the restart", jobs)
	})
}

// TestCorrectionUnseen: an agent starts while the configuration is invalid, and the event of its
// correction is lost. The agent should notice the correction at its next audit, like any lost
// event.
func TestCorrectionUnseen(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 1, ReconcileInterval: time.Minute}
		first := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", first.id)
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 0 })
		first.kill()
		second := b.agent(2).serve(job, nil).start()
		time.Sleep(time.Minute)
		srv.SetWatchFault(func(e zkfake.WatchEvent) bool { return e.Path == b.tree.Job("job").Config() })
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 1 })
		srv.SetWatchFault(nil)
		time.Sleep(2*time.Minute + 10*time.Second)
		if owners := b.owners("job"); !slices.Equal(owners, []string{second.id}) {
			t.Errorf("owned by %q two audits after the correction, want %q", owners, second.id)
		}
	})
}
