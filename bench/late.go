package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	latePeriod = 5 * time.Second
	lateRounds = 3
	lateTicks  = 4 // per round
)

// lateCase is an agent whose jobs all fire at one second of five. The cases
// have different seconds, so they share a machine without meeting.
type lateCase struct {
	name     string
	jobs     int
	second   int
	args     []string
	p50, p99 float64 // targets in milliseconds
	javaP50  float64
	javaP99  float64
	java     bool
}

var lateCases = []lateCase{
	{"1-job", 1, 4, nil, 1, 2, 18, 37, true},
	{"100-jobs", 100, 3, nil, 8, 20, 119, 180, true},
	{"1000-jobs", 1000, 0, nil, 3, 8, 988, 1278, true},
	{"1000-jobs-unmonitored", 1000, 2, []string{"--monitor-execution=false", "--misfire=false"}, 3, 8, 653, 1035, false},
}

// late measures how long after its fire time a body starts.
func late(ctx context.Context, b *bench, k kind) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 8*time.Minute)
	defer cancel()
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	all := &fleet{b: b}
	defer all.end()

	var cases []lateCase
	for _, c := range lateCases {
		if k == java && !c.java {
			continue
		}
		cases = append(cases, c)
		args := []string{"--zookeeper=" + server.Addr(), "--namespace=late-" + c.name, fmt.Sprintf("--jobs=%d", c.jobs), fmt.Sprintf("--cron=%d/5 * * * * ?", c.second)}
		if _, err := all.spawn(k, "127.0.1.1", append(args, c.args...)...); err != nil {
			return nil, err
		}
	}
	for _, p := range all.processes {
		if _, err := p.awaitReady(ctx, 4*time.Minute); err != nil {
			return nil, err
		}
	}
	warm := 2 * latePeriod
	if k == java {
		warm = 4 * latePeriod
	}
	begin := time.Now().Add(warm).Truncate(latePeriod).Add(-latePeriod / 20) // No case fires just here.
	if err := pauseUntil(ctx, begin); err != nil {
		return nil, err
	}
	before := make([]usage, len(cases))
	for i, p := range all.processes {
		if before[i], err = p.usage(); err != nil {
			return nil, err
		}
	}
	window := lateRounds * lateTicks * latePeriod
	if err := pauseUntil(ctx, begin.Add(window)); err != nil {
		return nil, err
	}
	var figures []figure
	for i, c := range cases {
		p := all.processes[i]
		after, err := p.usage()
		if err != nil {
			return nil, err
		}
		figures = append(figures, c.figures(p, begin, k)...)
		if c.name != "1000-jobs" {
			continue
		}
		figures = append(figures, costFigures(before[i], after, window)...)
	}
	return figures, nil
}

// costFigures says what a process used in a time.
func costFigures(before, after usage, window time.Duration) []figure {
	cpu := 100 * (after.cpu - before.cpu).Seconds() / window.Seconds()
	return []figure{
		{name: "cpu-1000-jobs", unit: "%", values: []float64{cpu}, target: 5, java: 48, how: "of one core, while 1,000 jobs fire every 5 s"},
		{name: "rss-1000-jobs-firing", unit: "MB", values: []float64{after.resident / 1e6}, target: 60, java: 973, how: "resident memory while 1,000 jobs fire every 5 s"},
		{name: "threads-1000-jobs-firing", values: []float64{after.threads}, target: 16, java: 4026, how: "threads of the operating system while 1,000 jobs fire"},
	}
}

// delays are how many milliseconds late the bodies of a case began, by round since a moment.
func (c *lateCase) delays(p *process, begin time.Time, rounds int) [][]float64 {
	delays := make([][]float64, rounds)
	for _, s := range p.starts(begin) {
		offset := s.at.Sub(begin)
		if round := int(offset / (lateTicks * latePeriod)); round < rounds {
			fired := s.at.Add(-time.Duration(c.second) * time.Second).Truncate(latePeriod).Add(time.Duration(c.second) * time.Second)
			delays[round] = append(delays[round], float64(s.at.Sub(fired).Microseconds())/1e3)
		}
	}
	return delays
}

// figures says how late the bodies of a case began since a moment, and how many did not.
func (c *lateCase) figures(p *process, begin time.Time, k kind) []figure {
	delays := c.delays(p, begin, lateRounds)
	var p50, p99 []float64
	missing := 0
	for _, d := range delays {
		missing += lateTicks*c.jobs - len(d)
		if len(d) > 0 {
			p50, p99 = append(p50, percentile(d, 50)), append(p99, percentile(d, 99))
		}
	}
	how := fmt.Sprintf("%d job(s) of one shard that all fire at the same second of five; body start minus fire time, %d rounds of %d fires", c.jobs, lateRounds, lateTicks)
	figures := []figure{
		{name: "late-p50-" + c.name, unit: "ms", values: p50, target: c.p50, java: c.javaP50, how: how},
		{name: "late-p99-" + c.name, unit: "ms", values: p99, target: c.p99, java: c.javaP99, how: how},
	}
	if k == ours {
		figures = append(figures, figure{name: "fires-missing-" + c.name, values: []float64{float64(missing)}, target: 0, how: how})
	}
	return figures
}
