package main

import (
	"fmt"
	"io"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// failoverStep is the time between two rounds. They run at the same time, each with agents of
// its own, because most of a round is waiting for the end of a session.
const failoverStep = 1300 * time.Millisecond

// failoverRound is a job of two shards and its two agents.
type failoverRound struct {
	pair [2]*process
	job  jobtree.Job
}

// failover measures the time from the end of a killed agent's session to the start of its shard
// elsewhere.
func failover(b *bench) {
	// In busy rounds the survivor's own shard takes long as well. Java takes the other one when
	// its own has ended, so its bodies must be shorter.
	rounds, bodies := b.rounds(8, 4), [2]string{"--body-ms=0,60000", "--body-ms=60000,60000"}
	if b.kind == java {
		rounds, bodies = 2, [2]string{"--body-ms=0,15000", "--body-ms=15000,15000"}
	}
	s := b.newScene()
	defer s.end()
	list := make([]failoverRound, 2*rounds)
	for i := range list {
		ns := namespace(fmt.Sprintf("failover-%d", i))
		list[i].job = ns.Job(jobName)
		for n := range list[i].pair {
			list[i].pair[n] = s.spawn(s.Addr(), n+1, ns.String(), "--shards=2", "--failover=true", "--eager-failover=true", bodies[i%2], neverFires, shortSession)
		}
	}
	s.awaitReady(time.Minute)

	took := make([]float64, len(list))
	first := time.Now()
	together(len(list), len(list), func(i int) {
		b.pauseUntil(first.Add(time.Duration(i) * failoverStep))
		if err := attempt(func() { took[i] = s.killRunning(list[i]) }); err != nil {
			fail("round %d: %w", i, err)
		}
	})
	var idle, busy []float64
	for i := 0; i < len(took); i += 2 {
		idle, busy = append(idle, took[i]), append(busy, took[i+1])
	}
	how := "two agents, one shard each; the one with shard 1 is killed; from the end of its session, as a watcher sees it, to the start of the body; the survivor "
	b.atMost("failover-idle-p50", "ms", 8, how+"is idle", idle...).noted = 59
	b.worst("failover-idle-max", "ms", 30, how+"is idle", idle...).noted = 177
	b.atMost("failover-busy-p50", "ms", 8, how+"runs its own shard and may run others at the same time (Java noted: bodies of 60 s; Java now: of 15 s)", busy...).noted = 51942
	b.worst("failover-busy-max", "ms", 30, how+"runs its own shard", busy...).noted = 52019
	if b.kind == ours {
		b.atMost("drain", "s", 1, "two agents, a job of two shards each second with bodies of 100 ms; one is asked to stop at any moment of the second; from the command to the start of its shard elsewhere, including the wait for the next second",
			s.drains(rounds)...)
	}
}

// killRunning triggers the job, kills the agent that runs shard 1, and returns the milliseconds
// from the end of its session to the start of the body at the other agent.
func (s *scene) killRunning(r failoverRound) float64 {
	var instances []string
	s.poll("two instances", 10*time.Second, 50*time.Millisecond, func() bool {
		ids, _, err := s.client.Children(s, r.job.Instances())
		check(err)
		instances = ids
		return len(ids) == len(r.pair)
	})
	for _, id := range instances {
		must(s.client.CreateAll(s, r.job.Trigger(id), nil, zk.Persistent))
	}
	runs := func(p *process) bool {
		for _, report := range p.since(time.Time{}, 'S') {
			if report.item == 1 {
				return true
			}
		}
		return false
	}
	s.poll("start of shard 1", 10*time.Second, 20*time.Millisecond, func() bool { return runs(r.pair[0]) || runs(r.pair[1]) })
	victim, survivor := r.pair[0], r.pair[1]
	if runs(survivor) {
		victim, survivor = survivor, victim
	}
	gone := s.kill(r.job, victim)
	return millis(survivor.awaitReport(s.bench, 90*time.Second, gone.Add(-time.Second), 'S', func(r report) bool { return r.item == 1 }).Sub(gone))
}

// drains asks agents to stop and returns the seconds until another one runs their shards.
func (s *scene) drains(rounds int) (seconds []float64) {
	pairs := make([][2]*process, rounds)
	for i := range pairs {
		for n := range pairs[i] {
			pairs[i][n] = s.spawn(s.Addr(), n+1, fmt.Sprintf("drain-%d", i), "--shards=2", "--failover=true", everySecond, "--body-ms=100")
		}
	}
	for _, pair := range pairs {
		for _, p := range pair {
			p.awaitReport(s.bench, time.Minute, time.Time{}, 'S', func(report) bool { return true })
		}
	}
	s.pause(3 * time.Second) // Every shard runs a few times.
	for i, pair := range pairs {
		leaving, staying := pair[i%2], pair[1-i%2] // leaders and followers
		s.pauseUntil(time.Now().Truncate(time.Second).Add(2*time.Second + time.Duration(i)*time.Second/time.Duration(rounds)))
		items := make(map[int]bool)
		for _, r := range leaving.since(time.Now().Add(-1500*time.Millisecond), 'S') {
			items[r.item] = true
		}
		if len(items) != 1 {
			fail("drain %d: the agent to stop has shards %v", i, items)
		}
		ordered := time.Now()
		must(io.WriteString(leaving.stdin, "exit\n"))
		taken := staying.awaitReport(s.bench, 30*time.Second, ordered, 'S', func(r report) bool { return items[r.item] })
		seconds = append(seconds, taken.Sub(ordered).Seconds())
		staying.kill()
	}
	return seconds
}
