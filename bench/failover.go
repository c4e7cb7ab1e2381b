package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	// failoverStep keeps the rounds apart: they go on side by side, each with
	// agents of its own, because most of a round is waiting for the server to
	// give a session up.
	failoverStep = 1300 * time.Millisecond
	// sessionTime of agents that are killed. What is measured begins when the
	// session has expired.
	sessionTime = 2 * time.Second
)

// failover measures how long after the expiry of a killed agent's session the
// body of its shard starts elsewhere.
func failover(ctx context.Context, b *bench, k kind) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	s, err := b.newScene(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.end()) }()

	// In busy rounds the survivor's own shard takes long as well. Java takes the
	// other one when it has ended, so it shall not take a minute here.
	rounds, idle, busy := 8, "0,60000", "60000,60000"
	if b.beside {
		rounds = 4
	}
	if k == java {
		rounds, idle, busy = 2, "0,15000", "15000,15000"
	}
	list := make([]*failoverRound, 2*rounds)
	for i := range list {
		bodies := idle
		if i%2 == 1 {
			bodies = busy
		}
		if list[i], err = s.startPair(k, i, bodies); err != nil {
			return nil, err
		}
	}
	var drained []float64
	if k == ours {
		if drained, err = s.drains(ctx, rounds); err != nil {
			return nil, err
		}
	}
	for _, p := range s.fleet.processes {
		if p.ended() {
			continue // Drained.
		}
		if _, err := p.awaitReady(ctx, time.Minute); err != nil {
			return nil, err
		}
	}
	values, err := s.killEach(ctx, list)
	if err != nil {
		return nil, err
	}
	how := "two agents, one shard each; the one that runs shard 1 is killed; from the end of its session, as a watcher sees it, to the start of the body"
	figures := []figure{
		{name: "failover-idle-p50", unit: "ms", values: values[0], target: 8, java: 59, how: how + "; the survivor is idle"},
		{name: "failover-idle-max", unit: "ms", values: values[0], target: 30, worst: true, java: 177, how: how + "; the survivor is idle"},
		{name: "failover-busy-p50", unit: "ms", values: values[1], target: 8, java: 51942, how: how + "; the survivor runs its own shard and is set to take others beside it (Java noted: bodies of 60 s; Java now: of 15 s)"},
		{name: "failover-busy-max", unit: "ms", values: values[1], target: 30, worst: true, java: 52019, how: how + "; the survivor runs its own shard"},
	}
	if k == ours {
		figures = append(figures, figure{name: "drain", unit: "s", values: drained, target: 1,
			how: "two agents, a job of two shards each second with bodies of 100 ms; one is asked to stop at any moment of the second; from the command to the start of the last of its shards elsewhere, the wait for the next second included"})
	}
	return figures, nil
}

// failoverRound is a job of two shards and its two agents, one of which is killed.
type failoverRound struct {
	pair [2]*process
	job  jobtree.Job
}

// startPair starts the two agents of a round; in every second one the survivor is busy.
func (s *scene) startPair(k kind, i int, bodies string) (*failoverRound, error) {
	namespace, err := jobtree.NewNamespace(fmt.Sprintf("failover-%s-%d", k, i))
	if err != nil {
		return nil, err
	}
	r := &failoverRound{job: namespace.Job(jobName(0))}
	for n := range r.pair {
		if r.pair[n], err = s.fleet.spawn(k, fmt.Sprintf("127.0.1.%d", n+1), "--zookeeper="+s.server.Addr(),
			"--namespace="+namespace.String(), "--shards=2", "--failover=true", "--eager-failover=true", "--body-ms="+bodies,
			"--cron=0 0 0 1 1 ? 2099", fmt.Sprintf("--session-ms=%d", sessionTime.Milliseconds())); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// killEach kills an agent of each round, one round after the other, and returns the
// milliseconds until its shard ran elsewhere: with an idle survivor, and with a busy one.
func (s *scene) killEach(ctx context.Context, list []*failoverRound) (values [2][]float64, err error) {
	first := time.Now()
	millis := make([]float64, len(list))
	group, ctx := errgroup.WithContext(ctx)
	for i, r := range list {
		group.Go(func() error {
			if err := pauseUntil(ctx, first.Add(time.Duration(i)*failoverStep)); err != nil {
				return err
			}
			var err error
			if millis[i], err = killAndWait(ctx, s.w, r.job, r.pair); err != nil {
				return fmt.Errorf("round %d: %w", i, err)
			}
			return nil
		})
	}
	err = group.Wait()
	for i, m := range millis {
		values[i%2] = append(values[i%2], m)
	}
	return values, err
}

// drains measures how long after an agent was asked to stop another one runs its
// shards.
func (s *scene) drains(ctx context.Context, rounds int) ([]float64, error) {
	pairs := make([][2]*process, rounds)
	for i := range pairs {
		for n := range pairs[i] {
			var err error
			if pairs[i][n], err = s.fleet.spawn(ours, fmt.Sprintf("127.0.1.%d", n+1), "--zookeeper="+s.server.Addr(),
				fmt.Sprintf("--namespace=drain-%d", i), "--shards=2", "--failover=true", "--cron=* * * * * ?", "--body-ms=100"); err != nil {
				return nil, err
			}
		}
	}
	for _, pair := range pairs {
		for _, p := range pair {
			if err := p.await(ctx, "run", time.Minute, func() bool { return len(p.stamps) > 0 }); err != nil {
				return nil, err
			}
		}
	}
	if err := pause(ctx, 3*time.Second); err != nil { // Every shard goes its round.
		return nil, err
	}
	var seconds []float64
	for i, pair := range pairs {
		// Leaders and followers, at evenly spread moments of the second.
		at := time.Now().Truncate(time.Second).Add(2*time.Second + time.Duration(i)*time.Second/time.Duration(rounds))
		if err := pauseUntil(ctx, at); err != nil {
			return nil, err
		}
		took, err := drainOne(ctx, pair[i%2], pair[1-i%2])
		if err != nil {
			return nil, fmt.Errorf("drain %d: %w", i, err)
		}
		seconds = append(seconds, took)
		pair[1-i%2].kill()
	}
	return seconds, nil
}

func drainOne(ctx context.Context, leaving, staying *process) (float64, error) {
	items := make(map[int]bool)
	for _, s := range leaving.starts(time.Now().Add(-1500 * time.Millisecond)) {
		items[s.item] = true
	}
	if len(items) != 1 {
		return 0, fmt.Errorf("the agent that is to stop has shards %v", items)
	}
	ordered := time.Now()
	if _, err := io.WriteString(leaving.stdin, "exit\n"); err != nil {
		return 0, err
	}
	var taken time.Time
	err := staying.await(ctx, "run of the shard", 30*time.Second, func() bool {
		for _, s := range staying.startsLocked(ordered) {
			if items[s.item] {
				taken = s.at
				return true
			}
		}
		return false
	})
	return taken.Sub(ordered).Seconds(), err
}

// killAndWait kills the agent that runs shard 1 and returns the milliseconds from
// the end of its session to the start of the body at the other one.
func killAndWait(ctx context.Context, w *watcher, job jobtree.Job, pair [2]*process) (float64, error) {
	runs := func(p *process) bool {
		return slices.ContainsFunc(p.starts(time.Time{}), func(s stamp) bool { return s.item == 1 })
	}
	if err := trigger(ctx, w, job, len(pair)); err != nil {
		return 0, err
	}
	deadline := time.Now().Add(10 * time.Second)
	for !runs(pair[0]) && !runs(pair[1]) {
		if time.Now().After(deadline) {
			return 0, errors.New("shard 1 does not run")
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return 0, err
		}
	}
	victim, survivor := pair[0], pair[1]
	if runs(survivor) {
		victim, survivor = survivor, victim
	}
	gone, err := w.killed(ctx, job, victim)
	if err != nil {
		return 0, err
	}
	var body time.Time
	err = survivor.await(ctx, "failover", 90*time.Second, func() bool {
		for _, s := range survivor.startsLocked(gone.Add(-time.Second)) {
			if s.item == 1 {
				body = s.at
				return true
			}
		}
		return false
	})
	return float64(body.Sub(gone).Microseconds()) / 1e3, err
}

// trigger has the job run once, as an operator would, when all instances of it
// are there.
func trigger(ctx context.Context, w *watcher, job jobtree.Job, instances int) error {
	for {
		ids, _, err := w.client.Children(ctx, job.Instances())
		if err != nil {
			return err
		}
		if len(ids) == instances {
			for _, id := range ids {
				if _, err := w.client.CreateAll(ctx, job.Trigger(id), nil, zk.Persistent); err != nil {
					return err
				}
			}
			return nil
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// instanceNode finds the node of a process, whose id ends in its process id.
func instanceNode(ctx context.Context, w *watcher, job jobtree.Job, p *process) (string, error) {
	ids, _, err := w.client.Children(ctx, job.Instances())
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		if strings.HasSuffix(id, fmt.Sprintf("@-@%d", p.cmd.Process.Pid)) {
			return job.Instance(id), nil
		}
	}
	return "", fmt.Errorf("process %d is not among the instances %v", p.cmd.Process.Pid, ids)
}

// together runs fn for each of n, at the same time.
func together(n int, fn func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
