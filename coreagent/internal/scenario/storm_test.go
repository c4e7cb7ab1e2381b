package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestW94Storm: many goroutines call every method of two agents at once. After that, no removed job
// should have an instance, and every shard's owner should serve it.
func TestW94Storm(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				members := []*member{b.agent(1), b.agent(2)}
				for _, m := range members {
					m.serve(coreagent.Job{Name: "stays", Shards: 2, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}, nil).start()
				}
				var storm sync.WaitGroup
				for worker := range uint64(12) {
					storm.Go(func() { b.storm(members, rand.New(rand.NewPCG(seed, worker))) })
				}
				storm.Wait()
				for i, m := range members {
					for n := range stormJobs {
						job := stormJob(n)
						err := m.Remove(b.ctx(), job.Name)
						if err != nil && !errors.Is(err, coreagent.ErrUnknownJob) {
							b.Fatal(err)
						}
						if b.exists(b.tree.Job(job.Name).Instance(m.id)) {
							b.Errorf("agent %d has removed %s and left its instance", i, job.Name)
						}
					}
				}
				for n := range stormJobs {
					job := stormJob(n)
					b.must(members[n%2].Add(job, b.runs.handler(members[n%2].id, nil)))
					b.awaitOwners(job.Name, members[n%2].id, members[n%2].id)
				}
				b.awaitOwners("stays", members[1].id, members[0].id)
			})
		})
	}
}

const stormJobs = 4

func stormJob(n int) coreagent.Job {
	return coreagent.Job{Name: fmt.Sprint("job", n), Shards: 2, Schedule: coreagent.Schedule{Cron: "0/2 * * * * ?"}}
}

// storm calls random methods of random agents. Their results depend on the other goroutines, so we
// can't predict them.
func (b *fixture) storm(members []*member, draw *rand.Rand) {
	for range 40 {
		m, job := members[draw.IntN(len(members))], stormJob(draw.IntN(stormJobs))
		ctx, cancel := context.WithTimeout(b.ctx(), time.Duration(draw.IntN(2000))*time.Millisecond)
		var err error
		switch draw.IntN(7) {
		case 0, 1:
			err = m.Add(job, b.runs.handler(m.id, nil))
		case 2:
			err = m.Remove(ctx, job.Name)
		case 3:
			err = m.Trigger(ctx, job.Name)
		case 4:
			var ticket coreagent.Ticket
			if ticket, err = m.Submit(ctx, job.Name, nil, coreagent.RunOptions{}); err == nil {
				_, err = m.AwaitRun(ctx, job.Name, ticket.ID)
			}
		case 5:
			_, err = m.CancelRun(ctx, job.Name, "none", "the storm")
		case 6:
			_, err = m.RunStatus(ctx, job.Name, "none")
		}
		cancel()
		known := []error{
			nil, coreagent.ErrDuplicateJob, coreagent.ErrUnknownJob, coreagent.ErrUnknownRun, coreagent.ErrNoSuchJob,
			context.DeadlineExceeded,
		}
		if !slices.ContainsFunc(known, func(want error) bool { return errors.Is(err, want) }) && !strings.HasSuffix(err.Error(), "no instance of the job is alive") {
			b.Errorf("%s: %v", job.Name, err)
		}
		time.Sleep(time.Duration(draw.IntN(100)) * time.Millisecond)
	}
}

// TestW97EarliestDeadlineOfStop: one Stop has no deadline, but a second one has. The second should
// end the drain for both.
func TestW97EarliestDeadlineOfStop(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, func(ctx context.Context, _ *coreagent.Shard) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("the handler to run", func() bool { return b.runs.count("job", 0) == 1 })
		began := time.Now()
		results := make(chan error, 2)
		go func() { results <- m.Stop(context.WithoutCancel(t.Context())) }()
		time.Sleep(time.Hour)
		select {
		case err := <-results:
			b.Fatalf("the first Stop returned %v while the handler runs", err)
		default:
		}
		ctx, cancel := context.WithTimeout(b.ctx(), 10*time.Second)
		defer cancel()
		results <- m.Stop(ctx)
		for range 2 {
			if err := <-results; err != nil {
				b.Errorf("the handler obeys its context, and Stop returned %v", err)
			}
		}
		if took := time.Since(began); took > time.Hour+15*time.Second {
			b.Errorf("Stop took %v", took)
		}
	})
}

// TestW97OwnCall: a handler or a listener calls Stop or Remove with its own context.
func TestW97OwnCall(t *testing.T) {
	t.Parallel()
	calls := map[string]func(ctx context.Context, m *member) error{
		"Stop":    func(ctx context.Context, m *member) error { return m.Stop(ctx) },
		"Remove":  func(ctx context.Context, m *member) error { return m.Remove(context.WithoutCancel(ctx), "job") },
		"another": func(ctx context.Context, m *member) error { return m.Remove(ctx, "other") },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				answers := make(chan error, 1)
				m := b.agent(1)
				m.serve(coreagent.Job{Name: "other", Shards: 1}, nil)
				m.serve(coreagent.Job{Name: "job", Shards: 1}, func(ctx context.Context, _ *coreagent.Shard) error {
					answers <- call(ctx, m)
					return nil
				}).start()
				b.awaitOwners("job", m.id)
				m.triggerHere("job")
				want := coreagent.ErrOwnCall
				if name == "another" {
					want = nil
				}
				if err := <-answers; !errors.Is(err, want) {
					b.Errorf("%v, want %v", err, want)
				}
			})
		})
	}
}

// TestW98RemoveIsQuiet: removing a job in the middle of a control step shouldn't log a failure.
func TestW98RemoveIsQuiet(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "stays", Shards: 1}, nil).start()
		session := m.session("stays")
		hit := &counter{}
		srv.SetFault(hit.hook)
		for n := 1; ; n++ {
			hit.arm(session, n, func(zkfake.Request) zkfake.Fault {
				go func() { b.must(m.Remove(b.ctx(), "job")) }()
				time.Sleep(time.Millisecond)
				return zkfake.None
			})
			b.must(m.Add(coreagent.Job{Name: "job", Shards: 2}, b.runs.handler(m.id, nil)))
			time.Sleep(10 * time.Second)
			last, done := hit.disarm()
			if got := b.log.count("job control step failed"); got > 0 {
				b.Fatalf("Remove at request %d (%s) logged %d failures", n, last, got)
			}
			if !done {
				if n < 8 {
					b.Errorf("only %d requests: the test proves nothing", n)
				}
				return
			}
		}
	})
}
