package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	reshardItems = 1000
	manyItems    = 20000
)

// reshard measures how long after an instance has joined or left the assignment
// of a large job is complete again.
func reshard(ctx context.Context, b *bench, k kind) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 8*time.Minute)
	defer cancel()
	where, err := b.newScene(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, where.end()) }()
	s := &sharded{scene: where, b: b, kind: k, items: reshardItems}
	namespace, err := jobtree.NewNamespace("reshard-" + string(k))
	if err != nil {
		return nil, err
	}
	s.namespace, s.job = namespace.String(), namespace.Job(jobName(0))
	var took resharding
	if err := took.measure(ctx, s, b.rounds(k, 3, 2)); k == java && errors.Is(err, errUnmanaged) {
		fmt.Printf("Java: %v\n", err)
		took.giveUp()
	} else if err != nil {
		return nil, err
	}
	how := fmt.Sprintf("three agents, one job of %d shards that fires each second without monitorExecution; from the event, as a watcher sees it, to the last assignment written", reshardItems)
	figures := []figure{
		{name: "reshard-follower-killed", unit: "ms", values: took.follower, target: 40, java: 2228, how: how},
		{name: "reshard-leader-killed", unit: "ms", values: took.leader, target: 40, java: 2529, how: how},
		{name: "reshard-agent-added", unit: "ms", values: took.added, target: 40, java: 3026, how: how},
	}
	s.fleet.end()
	if k == java {
		return figures, nil // Twenty thousand shards never come to run there.
	}
	s.fleet = &fleet{b: b}
	many, err := s.first(ctx, b.rounds(k, 3, 1))
	if err != nil {
		return nil, err
	}
	return append(figures, figure{name: "first-assignment-20000-items", unit: "s", values: many, target: 1,
		how: fmt.Sprintf("one agent, a new job of %d shards; from the instance's registration to the last assignment written (Java: never)", manyItems)}), nil
}

// resharding is how many milliseconds each round took.
type resharding struct {
	follower, leader, added []float64
	current                 *[]float64 // of what is being measured
}

// measure kills and starts agents of a job that three of them serve.
func (r *resharding) measure(ctx context.Context, s *sharded, rounds int) error {
	for range 3 {
		if err := s.add(ctx); err != nil {
			return err
		}
	}
	if _, err := s.complete(ctx, 3); err != nil {
		return err
	}
	for range rounds {
		for _, lead := range []bool{false, true} {
			r.current = &r.follower
			if lead {
				r.current = &r.leader
			}
			killed, err := s.killOne(ctx, lead)
			if err != nil {
				return err
			}
			*r.current = append(*r.current, killed)
			r.current = &r.added
			came, err := s.addOne(ctx)
			if err != nil {
				return err
			}
			r.added = append(r.added, came)
		}
	}
	return nil
}

// giveUp ends the figures when a step was not managed: it counts as such, and so
// do the steps that were never come to.
func (r *resharding) giveUp() {
	for _, figure := range []*[]float64{&r.follower, &r.leader, &r.added} {
		if figure == r.current || len(*figure) == 0 {
			*figure = append(*figure, unmanaged)
		}
	}
}

// sharded is a job whose instances come and go.
type sharded struct {
	*scene
	b         *bench
	kind      kind
	namespace string
	job       jobtree.Job
	items     int
}

func (s *sharded) add(ctx context.Context) error {
	p, err := s.fleet.spawn(s.kind, "127.0.1.1", "--zookeeper="+s.server.Addr(), "--namespace="+s.namespace, "--cron=* * * * * ?",
		fmt.Sprintf("--shards=%d", s.items), "--monitor-execution=false", fmt.Sprintf("--session-ms=%d", sessionTime.Milliseconds()))
	if err != nil {
		return err
	}
	_, err = p.awaitReady(ctx, time.Minute)
	return err
}

// killOne kills the leader or somebody else and returns the milliseconds until
// the shards are assigned to those who are left.
func (s *sharded) killOne(ctx context.Context, leader bool) (float64, error) {
	lead, _, err := s.w.client.Get(ctx, s.job.LeaderInstance())
	if err != nil {
		return 0, err
	}
	at := -1
	for i, p := range s.fleet.processes {
		if strings.HasSuffix(string(lead), fmt.Sprintf("@-@%d", p.cmd.Process.Pid)) == leader {
			at = i
			break
		}
	}
	if at < 0 {
		return 0, fmt.Errorf("no process to kill; the leader is %q", lead)
	}
	victim := s.fleet.processes[at]
	s.fleet.processes = append(s.fleet.processes[:at:at], s.fleet.processes[at+1:]...)
	gone, err := s.w.killed(ctx, s.job, victim)
	if err != nil {
		return 0, err
	}
	done, err := s.complete(ctx, 2)
	return float64(done.Sub(gone).Microseconds()) / 1e3, err
}

// addOne starts another agent and returns the milliseconds from its
// registration until it has its share.
func (s *sharded) addOne(ctx context.Context) (float64, error) {
	if err := s.add(ctx); err != nil {
		return 0, err
	}
	node, err := instanceNode(ctx, s.w, s.job, s.fleet.processes[len(s.fleet.processes)-1])
	if err != nil {
		return 0, err
	}
	stat, _, err := s.w.client.Exists(ctx, node)
	if err != nil {
		return 0, err
	}
	done, err := s.complete(ctx, 3)
	return float64(done.Sub(stat.Ctime).Microseconds()) / 1e3, err
}

// first returns the seconds that the first assignment of a job with very many
// shards takes.
func (s *sharded) first(ctx context.Context, rounds int) ([]float64, error) {
	s.items = manyItems
	var seconds []float64
	for i := range rounds {
		namespace, err := jobtree.NewNamespace(fmt.Sprintf("many-%d", i))
		if err != nil {
			return nil, err
		}
		s.namespace, s.job = namespace.String(), namespace.Job(jobName(0))
		if err := s.add(ctx); err != nil {
			return nil, err
		}
		node, err := instanceNode(ctx, s.w, s.job, s.fleet.processes[len(s.fleet.processes)-1])
		if err != nil {
			return nil, err
		}
		stat, _, err := s.w.client.Exists(ctx, node)
		if err != nil {
			return nil, err
		}
		done, err := s.complete(ctx, 1)
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, done.Sub(stat.Ctime).Seconds())
		s.fleet.end()
		s.fleet = &fleet{b: s.b}
	}
	return seconds, nil
}

// errUnmanaged says that agents did not manage their work in the time they have.
var errUnmanaged = fmt.Errorf("not managed within %v", managedWithin)

// complete waits until so many instances have equal shares of all shards, and
// returns when the last of them was assigned, by the server's clock.
func (s *sharded) complete(ctx context.Context, instances int) (time.Time, error) {
	limit, cancel := context.WithTimeoutCause(ctx, managedWithin, errUnmanaged)
	defer cancel()
	for {
		done, last, err := s.look(limit, instances)
		if err == nil && done {
			return last, nil
		}
		if err == nil {
			err = pause(limit, 100*time.Millisecond)
		}
		if cause := context.Cause(limit); cause != nil {
			err = cause // A request that the limit has cut off says so in its own words.
		}
		if err != nil {
			return last, fmt.Errorf("assign %d shards to %d instances: %w", s.items, instances, err)
		}
	}
}

func (s *sharded) look(ctx context.Context, instances int) (done bool, last time.Time, err error) {
	for _, flag := range []string{s.job.Necessary(), s.job.Processing()} {
		if _, announced, err := s.w.client.Exists(ctx, flag); announced || err != nil {
			return false, last, err
		}
	}
	names, _, err := s.w.client.Children(ctx, s.job.Sharding())
	if err != nil || len(names) != s.items {
		return false, last, ignoreAbsent(err)
	}
	var mu sync.Mutex
	share := make(map[string]int)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(64)
	for n := range s.items {
		group.Go(func() error {
			owner, stat, err := s.w.client.Get(groupCtx, s.job.ItemInstance(n))
			if err != nil {
				return ignoreAbsent(err)
			}
			mu.Lock()
			defer mu.Unlock()
			share[string(owner)]++
			if stat.Mtime.After(last) { // It may have been created, or given to another one.
				last = stat.Mtime
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return false, last, err
	}
	least := s.items / instances
	for _, n := range share {
		if n != least && n != least+1 {
			return false, last, nil
		}
	}
	return len(share) == instances, last, nil
}

func ignoreAbsent(err error) error {
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	return err
}
