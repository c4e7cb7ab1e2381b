package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// sharded is a job whose instances come and go.
type sharded struct {
	*scene
	ns    jobtree.Namespace
	job   jobtree.Job
	items int
}

func newSharded(s *scene, name string, items int) *sharded {
	ns := namespace(name)
	return &sharded{s, ns, ns.Job(jobName), items}
}

// reshard measures how long after an instance has joined or left the assignment of a large job
// is complete again.
func reshard(b *bench) {
	s := b.newScene()
	defer s.end()
	job := newSharded(s, "reshard", 1000)
	var follower, leader, added []float64
	err := attempt(func() {
		for range 3 {
			job.add()
		}
		job.awaitComplete(3)
		for range b.rounds(3, 2) {
			follower = append(follower, job.kill(false))
			added = append(added, job.addTimed(3))
			leader = append(leader, job.kill(true))
			added = append(added, job.addTimed(3))
		}
	})
	if b.kind == java && errors.Is(err, errTooLate) { // It is a result.
		fmt.Printf("Java: %v\n", err)
		follower, leader, added = append(follower, never), append(leader, never), append(added, never)
	} else {
		check(err)
	}
	how := fmt.Sprintf("three agents, one job of %d shards that fires each second without monitorExecution; from the event, as a watcher sees it, to the last assignment written", job.items)
	b.atMost("reshard-follower-killed", "ms", 40, how, follower...).noted = 2228
	b.atMost("reshard-leader-killed", "ms", 40, how, leader...).noted = 2529
	b.atMost("reshard-agent-added", "ms", 40, how, added...).noted = 3026
	if b.kind == java {
		return // 20,000 shards never run with Java.
	}
	for _, p := range s.agents {
		p.kill()
	}
	const many = 20_000
	var seconds []float64
	for i := range b.rounds(3, 1) {
		large := newSharded(s, fmt.Sprintf("many-%d", i), many)
		seconds = append(seconds, large.addTimed(1)/1000)
		s.agents[len(s.agents)-1].kill()
	}
	b.atMost("first-assignment-20000-items", "s", 1, fmt.Sprintf("one agent, a new job of %d shards; from the instance's registration to the last assignment written (Java: never)", many), seconds...)
}

func (s *sharded) add() {
	s.spawn(s.Addr(), 1, s.ns.String(), everySecond, fmt.Sprintf("--shards=%d", s.items), "--monitor-execution=false", shortSession)
	s.awaitReady(time.Minute)
}

// addTimed starts another agent and returns the milliseconds from its registration until it has
// its share.
func (s *sharded) addTimed(instances int) float64 {
	s.add()
	stat, _, err := s.client.Exists(s, s.instance(s.job, s.agents[len(s.agents)-1]))
	check(err)
	return millis(s.awaitComplete(instances).Sub(stat.Ctime))
}

// kill kills the leader or a follower and returns the milliseconds until the shards are assigned
// to the two other agents.
func (s *sharded) kill(leader bool) float64 {
	lead, _, err := s.client.Get(s, s.job.LeaderInstance())
	check(err)
	for _, p := range s.agents {
		if !p.ended() && p.is(string(lead)) == leader {
			gone := s.scene.kill(s.job, p)
			return millis(s.awaitComplete(2).Sub(gone))
		}
	}
	fail("no agent to kill; the leader is %q", lead)
	return 0
}

// awaitComplete waits until the instances have equal shares of all shards. It returns when the
// last shard was assigned, by the server's clock.
func (s *sharded) awaitComplete(instances int) (last time.Time) {
	s.poll(fmt.Sprintf("assignment of %d shards to %d instances", s.items, instances), tooLong, 100*time.Millisecond, func() (done bool) {
		last, done = s.complete(instances)
		return done
	})
	return last
}

func (s *sharded) complete(instances int) (last time.Time, done bool) {
	for _, flag := range []string{s.job.Necessary(), s.job.Processing()} {
		if _, announced, err := s.client.Exists(s, flag); announced || err != nil {
			check(err)
			return last, false
		}
	}
	names, _, err := s.client.Children(s, s.job.Sharding())
	check(unlessAbsent(err))
	if len(names) != s.items {
		return last, false
	}
	var mu sync.Mutex
	share := make(map[string]int)
	together(64, s.items, func(item int) {
		owner, stat, err := s.client.Get(s, s.job.ItemInstance(item))
		check(unlessAbsent(err))
		mu.Lock()
		defer mu.Unlock()
		share[string(owner)]++
		if stat.Mtime.After(last) { // It may be new, or have a new owner.
			last = stat.Mtime
		}
	})
	for _, n := range share {
		if least := s.items / instances; n != least && n != least+1 {
			return last, false
		}
	}
	return last, len(share) == instances
}

func unlessAbsent(err error) error {
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	return err
}
