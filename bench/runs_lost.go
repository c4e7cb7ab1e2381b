package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// lostRounds is how many owners are killed of each kind of runs.
const lostRounds = 8

// lostRound is a job with two agents, one of which is killed while it executes a run and
// the other one is idle.
type lostRound struct {
	*runsScene
	job jobtree.Job
}

// lost measures how long after the end of its owner's session a run begins elsewhere.
func lost(ctx context.Context, b *bench, _ string) (_ []figure, err error) {
	s, err := b.newScene(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	rounds := make([]*lostRound, 2*lostRounds)
	defer func() {
		for _, r := range rounds {
			if r != nil && r.runsScene != nil {
				err = errors.Join(err, r.end(context.WithoutCancel(ctx)))
			}
		}
	}()
	if err := together(len(rounds), func(i int) (err error) {
		rounds[i], err = newLostRound(ctx, b, s.server.Addr(), i)
		return err
	}); err != nil {
		return nil, err
	}
	var took [2][]float64 // one, each
	millis := make([]float64, len(rounds))
	group, inTime := errgroup.WithContext(ctx)
	first := time.Now()
	for i, r := range rounds {
		group.Go(func() error {
			if err := pauseUntil(inTime, first.Add(time.Duration(i)*failoverStep)); err != nil {
				return err
			}
			var err error
			if millis[i], err = r.kill(inTime, s.w); err != nil {
				return fmt.Errorf("round %d: %w", i, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, ms := range millis {
		took[i%2] = append(took[i%2], ms)
	}
	how := fmt.Sprintf("two agents, one executes a run and is killed, the other is idle, %d rounds; from the end of the session, as a watcher sees it, to the start of the handler at the other agent", lostRounds)
	return []figure{
		{name: "runs-lost-one-p50", unit: "ms", values: took[0], target: 60, how: how + "; `one`, a shard at each agent"},
		{name: "runs-lost-one-max", unit: "ms", values: took[0], target: 400, worst: true, how: how + "; `one`; the largest stands for the p99"},
		{name: "runs-lost-each-p50", unit: "ms", values: took[1], target: 60, how: how + "; `each`, one shard, which is assigned to the other agent then"},
		{name: "runs-lost-each-max", unit: "ms", values: took[1], target: 400, worst: true, how: how + "; `each`; the largest stands for the p99"},
	}, nil
}

// newLostRound starts the agents of a round: every second one has runs of each shard.
func newLostRound(ctx context.Context, b *bench, addr string, i int) (*lostRound, error) {
	name := fmt.Sprintf("lost-%d", i)
	namespace, err := jobtree.NewNamespace("runs-" + name)
	if err != nil {
		return nil, err
	}
	r := &lostRound{job: namespace.Job(jobName(0))}
	args := []string{"--assign=one", "--shards=2"}
	if i%2 == 1 {
		args = []string{"--assign=each", "--shards=1"}
	}
	r.runsScene, err = newRunsScene(ctx, b, addr, name, 2, append(args, "--body-ms=300000", fmt.Sprintf("--session-ms=%d", sessionTime.Milliseconds())))
	return r, err
}

// kill asks for a run, kills the agent that executes it, and returns the milliseconds from
// the end of its session to the start of the handler at the other one.
func (r *lostRound) kill(ctx context.Context, w *watcher) (float64, error) {
	id, _, err := r.submit(ctx, 0, coreagent.RunOptions{})
	if err != nil {
		return 0, err
	}
	owner, survivor, err := r.owner(ctx, id)
	if err != nil {
		return 0, err
	}
	if err := pause(ctx, failoverStep/2); err != nil { // All that the run's beginning caused is over.
		return 0, err
	}
	gone, err := w.killed(ctx, r.job, owner)
	if err != nil {
		return 0, err
	}
	var began time.Time
	err = survivor.await(ctx, "start of the run that its owner left", managedWithin, func() bool {
		began = survivor.askedLocked('R', id)
		return !began.IsZero()
	})
	return millis(began.Sub(gone)), err
}

// owner waits until a run is executed, and returns by whom, and the other agent.
func (r *lostRound) owner(ctx context.Context, id string) (owner, survivor *process, err error) {
	pair := r.fleet.processes
	for deadline := time.Now().Add(30 * time.Second); ; {
		for i, p := range pair {
			p.mu.Lock()
			began := p.askedLocked('R', id)
			p.mu.Unlock()
			if !began.IsZero() {
				return p, pair[1-i], nil
			}
		}
		if time.Now().After(deadline) {
			return nil, nil, fmt.Errorf("run %s did not start within 30s", id)
		}
		if err := pause(ctx, reportDelay/2); err != nil {
			return nil, nil, err
		}
	}
}
