package main

import (
	"fmt"
	"time"
)

const (
	fireWindow = 5 * time.Second
	fireRounds = 3
)

// fireCase is a job whose requests are counted while it fires each second.
type fireCase struct {
	name          string
	items, agents int
	args          []string
	limit         float64 // requests per agent and fire
	java          float64 // noted, for Java 3.0.4

	proxy         *proxy
	started       []*process
	reads, writes []float64 // one per round
}

// fire counts the requests to ZooKeeper while jobs fire each second and nothing else changes.
// All cases run at the same time, each through a counter of its own.
func fire(b *bench) {
	failover, plain := []string{everySecond, "--failover=true"}, []string{everySecond}
	unmonitored := []string{everySecond, "--monitor-execution=false", "--misfire=false"}
	cases := []*fireCase{
		{name: "n1-failover", items: 1, agents: 1, args: failover, limit: 2, java: 26},
		{name: "n10-failover", items: 10, agents: 1, args: failover, limit: 2, java: 170},
		{name: "n100-failover", items: 100, agents: 1, args: failover, limit: 2, java: 1610},
		{name: "n1", items: 1, agents: 1, args: plain, limit: 2, java: 18},
		{name: "n10", items: 10, agents: 1, args: plain, limit: 2, java: 115},
		{name: "n100", items: 100, agents: 1, args: plain, limit: 2, java: 1105},
		{name: "n10-failover-3-agents", items: 10, agents: 3, args: failover, limit: 2, java: 290.0 / 3},
		{name: "n10-unmonitored", items: 10, agents: 1, args: unmonitored, java: 15},
		{name: "idle", items: 10, agents: 1, args: []string{neverFires}},
	}
	warmUp := 4 * time.Second
	if b.kind == java {
		cases, warmUp = []*fireCase{cases[1], cases[4], cases[6], cases[7]}, 15*time.Second
	}

	s := b.newScene()
	defer s.end()
	for _, c := range cases {
		c.proxy = startProxy(s.Addr(), "")
		defer c.proxy.Close()
		for n := range c.agents {
			c.started = append(c.started, s.spawn(c.proxy.Addr(), n+1, "fire-"+c.name, append(c.args, fmt.Sprintf("--shards=%d", c.items))...))
		}
	}
	s.awaitReady(time.Minute)

	// Counters are read half a second after a fire, when its last write has been answered and
	// the next fire has not begun.
	begin := time.Now().Add(warmUp).Truncate(time.Second).Add(time.Second / 2)
	b.pauseUntil(begin)
	for round := range fireRounds {
		for _, c := range cases {
			c.reads, c.writes = append(c.reads, -float64(c.proxy.reads.Load())), append(c.writes, -float64(c.proxy.writes.Load()))
		}
		b.pauseUntil(begin.Add(time.Duration(round+1) * fireWindow))
		for _, c := range cases {
			c.reads[round] += float64(c.proxy.reads.Load())
			c.writes[round] += float64(c.proxy.writes.Load())
		}
	}
	b.pause(2 * reportsDelay)

	for _, c := range cases {
		total := make([]float64, fireRounds)
		for round := range total {
			fires := c.fires(begin.Add(time.Duration(round) * fireWindow))
			c.reads[round] /= fires
			total[round] = c.reads[round] + c.writes[round]/fires
		}
		if c.name == "idle" {
			b.worst("requests-idle", "/s", 0, "an agent whose job doesn't fire; pings don't count", total...)
			continue
		}
		how := fmt.Sprintf("%d agents, one job, %d shards, every second; per agent and fire, %d rounds of %v; a transaction is one write", c.agents, c.items, fireRounds, fireWindow)
		b.atMost("requests-"+c.name, "", c.limit, how, total...).noted = c.java
		b.worst("reads-"+c.name, "", 0, how, c.reads...)
	}
}

// fires returns the fires of all agents in a round, on a busy machine fewer than one a second.
// For the idle case, it is the seconds of the round.
func (c *fireCase) fires(begin time.Time) float64 {
	if c.name == "idle" {
		return fireWindow.Seconds()
	}
	shards := 0
	for _, p := range c.started {
		for _, r := range p.since(begin, 'S') {
			if r.at.Before(begin.Add(fireWindow)) {
				shards++
			}
		}
	}
	if shards == 0 {
		fail("%s: no shard ran in %v", c.name, fireWindow)
	}
	return float64(shards) / float64(c.items) * float64(c.agents)
}
