package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// restart measures how soon everything runs again after ZooKeeper or a process
// was away.
func restart(ctx context.Context, b *bench, k kind) ([]figure, error) {
	back, err := outages(ctx, b, k)
	if err != nil {
		return nil, fmt.Errorf("outage: %w", err)
	}
	frozen, err := freezes(ctx, b, k)
	if err != nil {
		return nil, fmt.Errorf("frozen process: %w", err)
	}
	return append(back, frozen...), nil
}

const outageJobs = 100

// outages stops the server and starts it again, many times, under one agent.
func outages(ctx context.Context, b *bench, k kind) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 6*time.Minute)
	defer cancel()
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	all := &fleet{b: b}
	defer all.end()
	p, err := all.spawn(k, "127.0.1.1", "--zookeeper="+server.Addr(), "--namespace=restart", fmt.Sprintf("--jobs=%d", outageJobs),
		"--cron=* * * * * ?", "--failover=true", "--session-ms=4000")
	if err != nil {
		return nil, err
	}
	if _, err := p.awaitReady(ctx, time.Minute); err != nil {
		return nil, err
	}
	if _, err := allBack(ctx, p, time.Now()); err != nil {
		return nil, err
	}
	rounds := b.rounds(k, 20, 4)
	var lost, last []float64
	for i := range rounds {
		// Most outages are short and leave the session alive; some outlast it.
		away := time.Duration(i%4) * 200 * time.Millisecond
		if i%10 == 9 || k == java || b.beside && i == 1 {
			away = 6 * time.Second
		}
		p.forget()
		server.Stop()
		if err := pause(ctx, away); err != nil {
			return nil, err
		}
		if err := server.Relaunch(); err != nil {
			return nil, err
		}
		answers := time.Now()
		back, err := allBack(ctx, p, answers)
		if err != nil {
			return nil, err
		}
		lost = append(lost, float64(outageJobs-len(back)))
		latest := answers
		for _, at := range back {
			if at.After(latest) {
				latest = at
			}
		}
		last = append(last, latest.Sub(answers).Seconds())
	}
	how := fmt.Sprintf("one agent, %d one-second jobs of one shard; the server is stopped, %d times, for up to 6 s (Java noted: 10 s), and started again with its data", outageJobs, rounds)
	return []figure{
		{name: "restart-jobs-not-back", values: lost, target: 0, worst: true, how: how + "; within 15 s"},
		{name: "restart-last-job-back", unit: "s", values: last, target: 1.2, worst: true, java: 2.4, how: how + "; from the server's first answer to the first body of the job that is last"},
	}, nil
}

// allBack waits until each job has started a body since a moment, and returns
// when the first of each was. Jobs that are not back in time are missing.
func allBack(ctx context.Context, p *process, since time.Time) (map[int]time.Time, error) {
	back := make(map[int]time.Time)
	deadline := time.Now().Add(15 * time.Second)
	for len(back) < outageJobs && time.Now().Before(deadline) {
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return nil, err
		}
		for _, s := range p.starts(since) {
			if at, ok := back[s.job]; !ok || s.at.Before(at) {
				back[s.job] = s.at
			}
		}
	}
	return back, nil
}
