package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

const (
	rateAgents = 3
	rateSlots  = 16  // shards of each agent
	rateRuns   = 500 // a second
	// rateWait is how long the ninety-ninth of a hundred runs may wait, in milliseconds.
	rateWait = 1000
	// flowCallers is how many requests are under way at most: more than a registry that
	// keeps up has at a time.
	flowCallers = 64
	besideRuns  = 200 // a second, while a thousand jobs fire
	besideJobs  = 1000
)

// flow is what a client asked for at a steady rate.
type flow struct {
	began   time.Time
	moments map[string]time.Time // when each run was to be requested, by id
	refused float64              // since as many waited as may
}

// flow asks for runs at a rate for a while. What was to be requested at a time counts from
// that time on, even if earlier requests held it up.
func (s *runsScene) flow(ctx context.Context, perSecond int, length time.Duration) (flow, error) {
	f := flow{began: time.Now(), moments: make(map[string]time.Time)}
	var mu sync.Mutex
	work, inTime := errgroup.WithContext(ctx)
	work.SetLimit(flowCallers)
	var ended error
	for n := range int(length.Seconds() * float64(perSecond)) {
		due := f.began.Add(time.Duration(n) * time.Second / time.Duration(perSecond))
		if ended = pauseUntil(inTime, due); ended != nil {
			break
		}
		work.Go(func() error {
			id, _, err := s.submit(inTime, 0, coreagent.RunOptions{})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, coreagent.ErrQueueFull):
				f.refused++
			case err != nil:
				return fmt.Errorf("request %d: %w", n, err)
			default:
				f.moments[id] = due
			}
			return nil
		})
	}
	return f, errors.Join(work.Wait(), ended)
}

// flowed is what became of a flow.
type flowed struct {
	waits   []float64     // from the time of each request to the start of its handler, in milliseconds
	last    time.Duration // from the beginning to the last start
	missing float64       // runs that did not start
	twice   float64       // runs that started more than once
}

// became looks at what agents reported of a flow's runs.
func (f flow) became(reports map[string][]time.Time) flowed {
	out := flowed{waits: since(f.moments, reports, 1)}
	for id := range f.moments {
		at := reports[id]
		switch {
		case len(at) == 0:
			out.missing++
		case len(at) > 1:
			out.twice++
		}
		for _, t := range at {
			out.last = max(out.last, t.Sub(f.began))
		}
	}
	return out
}

// atRate measures whether a fleet keeps up with what is requested.
func atRate(ctx context.Context, s *runsScene) ([]figure, error) {
	if err := s.warm(ctx, 1); err != nil {
		return nil, err
	}
	length := s.fleet.b.load
	f, err := s.flow(ctx, rateRuns, length)
	if err != nil {
		return nil, err
	}
	reports, err := s.reports(ctx, 'R', 1+len(f.moments))
	if err != nil {
		return nil, err
	}
	out := f.became(reports)
	if len(f.moments) == 0 {
		return nil, fmt.Errorf("all %.0f requests were refused since the queue is full", f.refused)
	}
	runs := float64(len(f.moments))
	how := fmt.Sprintf("%d requests/s for %v, `one`, empty handlers, %d agents with %d shards each", rateRuns, length, rateAgents, rateSlots)
	wait := how + "; from the time at which a run was to be requested to the start of its handler"
	perRun := 1e3 / rateRuns
	return []figure{
		{name: "runs-rate-run", unit: "ms", values: []float64{out.last.Seconds() * 1e3 / runs}, target: perRun + rateWait/(length.Seconds()*rateRuns),
			how: fmt.Sprintf("%s; from the first request to the start of the last run, divided by the runs: %.0f runs/s; the target is %.0f ms, and that the last run waits %d ms", how, runs/out.last.Seconds(), perRun, rateWait)},
		{name: "runs-rate-wait-p50", unit: "ms", values: []float64{percentile(out.waits, 50)}, reportOnly: true, how: wait},
		{name: "runs-rate-wait-p99", unit: "ms", values: []float64{percentile(out.waits, 99)}, target: rateWait, how: wait},
		{name: "runs-rate-missing", values: []float64{out.missing}, target: 0, how: how + fmt.Sprintf("; runs that had not started %v after the last request", managedWithin)},
		{name: "runs-rate-twice", values: []float64{out.twice}, target: 0, how: how + "; runs that started more than once, without any loss"},
		{name: "runs-rate-refused", values: []float64{f.refused}, target: 0, how: how + "; requests that were refused since as many waited as may"},
	}, nil
}

// beside measures how late jobs fire that nobody requests, with and without requested runs
// of another job in the same registry.
func beside(ctx context.Context, b *bench, _ string) (_ []figure, err error) {
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	s, err := newRunsScene(ctx, b, server.Addr(), "beside", 1, []string{"--assign=one", fmt.Sprintf("--shards=%d", rateSlots)})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.end(context.WithoutCancel(ctx))) }()
	c := lateCase{name: fmt.Sprintf("%d-jobs", besideJobs), jobs: besideJobs}
	p, err := s.fleet.spawn(ours, "127.0.1.50", "--zookeeper="+server.Addr(), "--namespace=runs-beside-late", fmt.Sprintf("--jobs=%d", c.jobs), "--cron=0/5 * * * * ?")
	if err != nil {
		return nil, err
	}
	if _, err := p.awaitReady(ctx, time.Minute); err != nil {
		return nil, err
	}
	if err := s.warm(ctx, 1); err != nil {
		return nil, err
	}
	const window = lateTicks * latePeriod
	begin := time.Now().Add(2 * latePeriod).Truncate(latePeriod).Add(-latePeriod / 20) // Nothing fires just here.
	if err := pauseUntil(ctx, begin.Add(window)); err != nil {
		return nil, err
	}
	f, err := s.flow(ctx, besideRuns, window)
	if err != nil {
		return nil, err
	}
	reports, err := s.reports(ctx, 'R', 1+len(f.moments))
	if err != nil {
		return nil, err
	}
	return besideFigures(c, c.delays(p, begin, 2), f, f.became(reports))
}

func besideFigures(c lateCase, delays [][]float64, f flow, out flowed) ([]figure, error) {
	if len(delays[0]) == 0 || len(delays[1]) == 0 {
		return nil, fmt.Errorf("of %d fires without and with requested runs %d and %d happened", lateTicks*c.jobs, len(delays[0]), len(delays[1]))
	}
	how := fmt.Sprintf("%d jobs of one shard that all fire at the same second of five, %d fires", c.jobs, lateTicks)
	with := how + fmt.Sprintf("; meanwhile %d runs/s of another job are requested, with an agent of its own in the same registry", besideRuns)
	return []figure{
		{name: "runs-beside-late-p50-without", unit: "ms", values: []float64{percentile(delays[0], 50)}, reportOnly: true, how: how},
		{name: "runs-beside-late-p99-without", unit: "ms", values: []float64{percentile(delays[0], 99)}, reportOnly: true, how: how},
		{name: "runs-beside-late-p50", unit: "ms", values: []float64{percentile(delays[1], 50)}, reportOnly: true, how: with},
		{name: "runs-beside-late-p99", unit: "ms", values: []float64{percentile(delays[1], 99)}, target: 100, how: with},
		{name: "runs-beside-fires-missing", values: []float64{float64(2*lateTicks*c.jobs - len(delays[0]) - len(delays[1]))}, target: 0, how: with},
		{name: "runs-beside-runs-missing", values: []float64{out.missing + f.refused}, target: 0, how: with + "; runs that were refused or did not start"},
	}, nil
}
