package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// scaleCase is how many idle jobs an agent has, and what they may cost.
type scaleCase struct {
	jobs     int
	rounds   int
	settle   time.Duration
	start    float64 // targets: seconds
	resident float64 // MB
	threads  float64
	java     [3]float64 // the same, noted
}

var scaleCases = []scaleCase{
	{1, 1, 3 * time.Second, 1, 25, 16, [3]float64{0.69, 76, 29}},
	{1000, 3, 6 * time.Second, 1.5, 40, 16, [3]float64{27.9, 460, 4025}},
	{3000, 1, 8 * time.Second, 5, 80, 16, [3]float64{90.4, 1089, 12025}},
	{10000, 1, 10 * time.Second, 30, 200, 16, [3]float64{}},
}

// scaleParts are the parts of group scale: idle jobs, and what requested runs add to them.
var scaleParts = []string{"jobs", "bell"}

// scale measures what scheduled jobs cost an agent that has nothing to do.
func scale(ctx context.Context, b *bench, k kind) ([]figure, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	var figures []figure
	if b.wants("scale", "jobs") {
		list, err := scaleJobs(ctx, b, k)
		if err != nil {
			return nil, err
		}
		figures = append(figures, list...)
	}
	if k == ours && b.wants("scale", "bell") {
		list, err := bell(ctx, b)
		if err != nil {
			return nil, fmt.Errorf("bell: %w", err)
		}
		figures = append(figures, list...)
	}
	return figures, nil
}

// scaleJobs measures the jobs alone.
func scaleJobs(ctx context.Context, b *bench, k kind) ([]figure, error) {
	var figures []figure
	idleGoroutines := 0.0
	for _, c := range scaleCases {
		if k == java && c.jobs != 1000 || b.beside && c.jobs > 1000 {
			continue
		}
		var took, quiet, resident, threads, requests, goroutines, heap, cpu []float64
		for range b.rounds(k, c.rounds, 1) {
			m, err := scaleOnce(ctx, b, k, c)
			if err != nil {
				return nil, fmt.Errorf("%d jobs: %w", c.jobs, err)
			}
			took, quiet = append(took, m.took), append(quiet, m.quiet)
			resident, threads = append(resident, m.resident), append(threads, m.threads)
			requests, goroutines, heap, cpu = append(requests, m.requests), append(goroutines, m.goroutines), append(heap, m.heap), append(cpu, m.cpu)
		}
		how := fmt.Sprintf("an agent with %d jobs of one shard that do not fire, each new to the registry", c.jobs)
		n := fmt.Sprintf("%d-jobs", c.jobs)
		figures = append(figures,
			figure{name: "start-up-" + n, unit: "s", values: took, target: c.start, java: c.java[0], how: how + "; from the start of the process until all are registered"},
			figure{name: "start-up-until-quiet-" + n, unit: "s", values: quiet, reportOnly: true, how: how + "; from the start of the process until a second goes by with pings only"},
			figure{name: "rss-" + n, unit: "MB", values: resident, target: c.resident, java: c.java[1], how: how + fmt.Sprintf("; resident memory %v after that", c.settle)},
			figure{name: "threads-" + n, values: threads, target: c.threads, java: c.java[2], how: how + "; threads of the operating system"})
		if c.jobs == 1 {
			if k == ours {
				idleGoroutines = goroutines[0]
			}
			continue
		}
		figures = append(figures, figure{name: "requests-per-job-" + n, values: requests, target: 12, java: 111, how: how + "; requests at start-up until it is quiet, divided by the jobs"})
		if k == ours {
			figures = append(figures,
				figure{name: "goroutines-per-idle-job-" + n, values: []float64{(goroutines[0] - idleGoroutines) / float64(c.jobs)}, target: 0.001, how: how + "; more than with one job, divided by the jobs"},
				figure{name: "heap-per-job-" + n, unit: "kB", values: []float64{median(heap) / 1e3 / float64(c.jobs)}, target: 20, java: 45, how: how + "; live heap divided by the jobs"},
				figure{name: "idle-cpu-" + n, unit: "%", values: cpu, target: 1, java: 23, how: how + "; of one core, while nothing happens"})
		}
	}
	return figures, nil
}

type scaled struct {
	took, quiet, resident, threads, requests, goroutines, heap, cpu float64
}

func scaleOnce(ctx context.Context, b *bench, k kind, c scaleCase) (m scaled, err error) {
	server, err := startRegistry()
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	before, err := packets(server.Addr())
	if err != nil {
		return m, err
	}
	all := &fleet{b: b}
	defer all.end()
	p, err := all.spawn(k, "127.0.1.1", "--zookeeper="+server.Addr(), "--namespace=scale", fmt.Sprintf("--jobs=%d", c.jobs), "--cron=0 0 0 1 1 ? 2099")
	if err != nil {
		return m, err
	}
	took, err := p.awaitReady(ctx, 3*time.Minute)
	if err != nil {
		return m, err
	}
	m.took = took.Seconds()
	if m.quiet, err = awaitQuiet(ctx, server.Addr(), p.began); err != nil {
		return m, err
	}
	early, err := p.usage()
	if err != nil {
		return m, err
	}
	if err := pause(ctx, c.settle); err != nil {
		return m, err
	}
	after, err := packets(server.Addr())
	if err != nil {
		return m, err
	}
	m.requests = (after - before) / float64(c.jobs)
	u, err := p.usage()
	if err != nil {
		return m, err
	}
	m.resident, m.threads = u.resident/1e6, u.threads
	m.cpu = 100 * (u.cpu - early.cpu).Seconds() / c.settle.Seconds()
	if k == ours {
		m.goroutines, m.heap, err = p.stats(ctx)
	}
	return m, err
}

// pingsPerSecond is more than what an idle agent, and the question itself, have
// the registry count in a second.
const pingsPerSecond = 5

// awaitQuiet waits until a second goes by in which the registry gets no requests
// but pings: registered comes before everything is watched. It returns how long
// after began that second was.
func awaitQuiet(ctx context.Context, addr string, began time.Time) (seconds float64, err error) {
	for {
		from := time.Now()
		before, err := packets(addr)
		if err != nil {
			return 0, err
		}
		if err := pause(ctx, time.Second); err != nil {
			return 0, err
		}
		after, err := packets(addr)
		if err != nil {
			return 0, err
		}
		if after-before <= pingsPerSecond {
			return from.Sub(began).Seconds(), nil
		}
	}
}
