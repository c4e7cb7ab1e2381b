package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Measuring begins when an agent has registered, sharded and filled its caches.
const (
	fireWarmUp = 4 * time.Second
	fireWindow = 5 * time.Second // three of them
	fireRounds = 3
)

// fireCase is a fleet whose requests are counted.
type fireCase struct {
	name    string
	items   int
	agents  int
	args    []string
	writes  float64 // target per agent and fire
	java    float64 // requests of all agents per fire, from the baseline
	java304 bool    // measured with Java as well
}

func fireCases() []fireCase {
	const every = "--cron=* * * * * ?"
	on, only := []string{every, "--failover=true"}, []string{every}
	off := []string{every, "--monitor-execution=false", "--misfire=false"}
	return []fireCase{
		{"n1-failover", 1, 1, on, 2, 26, false},
		{"n10-failover", 10, 1, on, 2, 170, true},
		{"n100-failover", 100, 1, on, 2, 1610, false},
		{"n1", 1, 1, only, 2, 18, false},
		{"n10", 10, 1, only, 2, 115, true},
		{"n100", 100, 1, only, 2, 1105, false},
		{"n10-failover-3-agents", 10, 3, on, 2, 290, true},
		{"n10-unmonitored", 10, 1, off, 0, 15, true},
		{"idle", 10, 1, []string{"--cron=0 0 0 1 1 ? 2099"}, 0, 0, false},
	}
}

// counted is a case in the making.
type counted struct {
	fireCase
	proxy  *proxy
	agents []*process
	reads  []float64 // one per round
	writes []float64
}

// perFire divides what was counted since a moment by the fires that happened,
// which on a busy machine may be less than one a second, and by the agents.
func (m *counted) perFire(since time.Time) error {
	runs := make([]float64, len(m.reads))
	for _, p := range m.agents {
		for _, s := range p.starts(since) {
			if round := int(s.at.Sub(since) / fireWindow); round < len(runs) {
				runs[round]++
			}
		}
	}
	for i, n := range runs {
		if n == 0 {
			return fmt.Errorf("%s: no shard ran in %v", m.name, fireWindow)
		}
		fires := n / float64(m.items) * float64(len(m.agents))
		m.reads[i] /= fires
		m.writes[i] /= fires
	}
	return nil
}

// fire counts what ZooKeeper is asked while jobs fire each second and nothing
// else changes: all cases side by side, each behind a counter of its own.
func fire(ctx context.Context, b *bench, k kind) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	all := &fleet{b: b}
	defer all.end()

	var cases []*counted
	for _, c := range fireCases() {
		if k == java && !c.java304 {
			continue
		}
		counter, err := startProxy(server.Addr())
		if err != nil {
			return nil, err
		}
		defer counter.close()
		m := &counted{fireCase: c, proxy: counter}
		cases = append(cases, m)
		if err := m.start(all, k); err != nil {
			return nil, err
		}
	}
	for _, p := range all.processes {
		if _, err := p.awaitReady(ctx, time.Minute); err != nil {
			return nil, err
		}
	}
	warm := fireWarmUp
	if k == java {
		warm = 15 * time.Second
	}
	// Counters are read half a second after a fire, when its last write has
	// long been answered and the next fire has not begun.
	boundary := time.Now().Add(warm).Truncate(time.Second).Add(time.Second / 2)
	if err := pauseUntil(ctx, boundary); err != nil {
		return nil, err
	}
	from := boundary
	for range fireRounds {
		boundary = boundary.Add(fireWindow)
		if err := countUntil(ctx, cases, boundary); err != nil {
			return nil, err
		}
	}
	if err := pause(ctx, 2*reportDelay); err != nil {
		return nil, err
	}
	return fireFigures(cases, from)
}

// start starts the agents of a case.
func (m *counted) start(all *fleet, k kind) error {
	for i := range m.fireCase.agents {
		args := append([]string{"--zookeeper=" + m.proxy.addr(), "--namespace=fire-" + m.name, fmt.Sprintf("--shards=%d", m.items)}, m.args...)
		p, err := all.spawn(k, fmt.Sprintf("127.0.1.%d", i+1), args...)
		if err != nil {
			return err
		}
		m.agents = append(m.agents, p)
	}
	return nil
}

// countUntil adds a round to each case: the requests from now until a moment.
func countUntil(ctx context.Context, cases []*counted, boundary time.Time) error {
	type counts struct{ reads, writes int64 }
	before := make([]counts, len(cases))
	for i, m := range cases {
		before[i] = counts{m.proxy.reads.Load(), m.proxy.writes.Load()}
	}
	if err := pauseUntil(ctx, boundary); err != nil {
		return err
	}
	for i, m := range cases {
		m.reads = append(m.reads, float64(m.proxy.reads.Load()-before[i].reads))
		m.writes = append(m.writes, float64(m.proxy.writes.Load()-before[i].writes))
	}
	return nil
}

// fireFigures makes figures of what was counted since a moment.
func fireFigures(cases []*counted, from time.Time) ([]figure, error) {
	var figures []figure
	for _, m := range cases {
		if m.name == "idle" {
			for i := range m.reads {
				m.reads[i], m.writes[i] = m.reads[i]/fireWindow.Seconds(), m.writes[i]/fireWindow.Seconds()
			}
		} else if err := m.perFire(from); err != nil {
			return nil, err
		}
		how := fmt.Sprintf("%d agent(s), one job, %d shards, every second; per agent and fire, %d rounds of %v; a transaction is one write", m.fireCase.agents, m.items, fireRounds, fireWindow)
		share := m.fireCase.java / float64(m.fireCase.agents)
		total := make([]float64, len(m.reads))
		for i := range total {
			total[i] = m.reads[i] + m.writes[i]
		}
		if m.name == "idle" {
			figures = append(figures, figure{name: "requests-idle", unit: "/s", values: total, target: 0, worst: true, how: "an agent whose job does not fire; pings do not count"})
			continue
		}
		figures = append(figures,
			figure{name: "requests-" + m.name, unit: "", values: total, target: m.fireCase.writes, java: share, how: how},
			figure{name: "reads-" + m.name, unit: "", values: m.reads, target: 0, worst: true, how: how})
	}
	return figures, nil
}
