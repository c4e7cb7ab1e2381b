package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/coreagent"
	connect "github.com/elasticjob-go/elasticjob/registry"
)

const (
	runsSubmitted = 1000 // one after the other, and those of one agent
	runsOfFleet   = 300
	runsBulk      = 10_000
	runsCancelled = 500
	runsPace      = 20 * time.Millisecond // between two requests whose start is measured
	runsFleetPace = 4 * runsPace
	runsSpread    = 10 * time.Second // in which delayed runs are due
)

// runsPart is a part of group runs.
type runsPart struct {
	name string
	// measure gets the address of a registry that the parts share; one that counts the
	// registry's work, or ends sessions, starts its own.
	measure func(ctx context.Context, b *bench, registry string) ([]figure, error)
}

var runsParts = []runsPart{
	{"submit", onScene("submit", 1, submits, "--assign=one", "--jobs=2")},
	{"each", onScene("each", 3, starts, "--shards=10")},
	{"delayed", onScene("delayed", 1, delays, "--assign=one", "--shards=16")},
	{"bulk", onScene("bulk", 1, bulk, "--assign=one", "--jobs=3")},
	{"cancel", onScene("cancel", 3, cancels, "--assign=one", fmt.Sprintf("--shards=%d", runsCancelled), "--body-ms=300000")},
	{"rate", onScene("rate", rateAgents, atRate, "--assign=one", fmt.Sprintf("--shards=%d", rateAgents*rateSlots))},
	{"waiting", waiting},
	{"lost", lost},
	{"beside", beside},
}

func runsPartNames() (names []string) {
	for _, p := range runsParts {
		names = append(names, p.name)
	}
	return names
}

// runsPartTime is what a part may take, besides the load that it was asked for.
const runsPartTime = 4 * time.Minute

// requested measures requested runs: from code, with agents in processes of their own.
func requested(ctx context.Context, b *bench, _ kind) (_ []figure, err error) {
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	var figures []figure
	for _, part := range runsParts {
		if !b.wants("runs", part.name) {
			continue
		}
		inTime, cancel := context.WithTimeout(ctx, runsPartTime+b.load)
		list, err := part.measure(inTime, b, server.Addr())
		cancel()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
		figures = append(figures, list...)
	}
	return figures, nil
}

// onScene makes a part of a measurement that needs some agents of one job and a client.
func onScene(name string, agents int, measure func(context.Context, *runsScene) ([]figure, error), args ...string) func(context.Context, *bench, string) ([]figure, error) {
	return func(ctx context.Context, b *bench, registry string) ([]figure, error) {
		s, err := newRunsScene(ctx, b, registry, name, agents, args)
		if err != nil {
			return nil, err
		}
		figures, err := measure(ctx, s)
		return figures, errors.Join(err, s.end(context.WithoutCancel(ctx)))
	}
}

// runsScene is a namespace with agents, and a client that asks for runs.
type runsScene struct {
	fleet  *fleet
	client *coreagent.Agent
	params map[string]string // some 400 bytes
}

func newRunsScene(ctx context.Context, b *bench, addr string, name string, agents int, args []string) (*runsScene, error) {
	s := &runsScene{fleet: &fleet{b: b}, params: map[string]string{"text": strings.Repeat("x", 388)}}
	args = append([]string{"--zookeeper=" + addr, "--namespace=runs-" + name}, args...)
	for n := range agents {
		if _, err := s.fleet.spawn(ours, fmt.Sprintf("127.0.1.%d", n+1), args...); err != nil {
			s.fleet.end()
			return nil, err
		}
	}
	for _, p := range s.fleet.processes {
		if _, err := p.awaitReady(ctx, time.Minute); err != nil {
			s.fleet.end()
			return nil, err
		}
	}
	client, err := coreagent.New(coreagent.Config{
		Namespace: "runs-" + name, Address: "127.0.1.99", Logger: slog.New(slog.DiscardHandler),
		ZooKeeper: connect.ZooKeeper{Servers: []string{addr}},
	})
	if err == nil {
		err = client.Start(ctx)
	}
	if err != nil {
		s.fleet.end()
		return nil, err
	}
	s.client = client
	if err := pause(ctx, 2*time.Second); err != nil { // The shards are assigned then, as the first runs show.
		return nil, errors.Join(err, s.end(context.WithoutCancel(ctx)))
	}
	return s, nil
}

func (s *runsScene) end(ctx context.Context) error {
	err := s.client.Stop(ctx)
	s.fleet.end()
	return err
}

// submit asks for a run and returns its id and the moment before the call.
func (s *runsScene) submit(ctx context.Context, job int, o coreagent.RunOptions) (id string, at time.Time, err error) {
	at = time.Now()
	ticket, err := s.client.Submit(ctx, jobName(job), s.params, o)
	return ticket.ID, at, err
}

// reports are the moments that the agents reported of a kind, by run, once there are so
// many; those that do not come within a minute are missing.
func (s *runsScene) reports(ctx context.Context, what byte, want int) (map[string][]time.Time, error) {
	for deadline := time.Now().Add(managedWithin); s.reported(what) < want && time.Now().Before(deadline); {
		if err := pause(ctx, reportDelay/2); err != nil {
			return nil, err
		}
	}
	found := make(map[string][]time.Time)
	for _, p := range s.fleet.processes {
		p.mu.Lock()
		for _, r := range p.asked {
			if r.what == what {
				found[r.id] = append(found[r.id], r.at)
			}
		}
		p.mu.Unlock()
	}
	return found, nil
}

// reported is how many reports of a kind there are.
func (s *runsScene) reported(what byte) (n int) {
	for _, p := range s.fleet.processes {
		p.mu.Lock()
		for _, r := range p.asked {
			if r.what == what {
				n++
			}
		}
		p.mu.Unlock()
	}
	return n
}

// since is how many milliseconds after its moment each run had all its reports.
func since(moments map[string]time.Time, reports map[string][]time.Time, shards int) []float64 {
	var took []float64
	for id, from := range moments {
		last := unmanaged
		if at := reports[id]; len(at) >= shards {
			last = math.Inf(-1)
			for _, t := range at {
				last = max(last, millis(t.Sub(from)))
			}
		}
		took = append(took, last)
	}
	return took
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// quantiles are the figures of the median and the ninety-ninth of a hundred.
func quantiles(name string, took []float64, p50, p99 float64, how string) []figure {
	return []figure{
		{name: name + "-p50", unit: "ms", values: []float64{percentile(took, 50)}, target: p50, how: how},
		{name: name + "-p99", unit: "ms", values: []float64{percentile(took, 99)}, target: p99, how: how},
	}
}

// submits measures the call that asks for a run, and how soon a handler starts then.
func submits(ctx context.Context, s *runsScene) ([]figure, error) {
	if err := s.warm(ctx, 1); err != nil {
		return nil, err
	}
	var calls []float64
	for range runsSubmitted {
		_, at, err := s.submit(ctx, 1, coreagent.RunOptions{Delay: 24 * time.Hour})
		if err != nil {
			return nil, err
		}
		calls = append(calls, millis(time.Since(at)))
	}
	figures := quantiles("runs-submit", calls, 2, 20, fmt.Sprintf("`Agent.Submit`, %d requests with 400 bytes of parameters, one after the other; the runs are due in a day", runsSubmitted))
	took, err := s.paced(ctx, runsSubmitted, runsPace, 1)
	return append(figures, quantiles("runs-start", took, 5, 30, fmt.Sprintf("from the call of `Agent.Submit` to the start of the handler: one agent, one shard, `one`, %d runs, one each %v", runsSubmitted, runsPace))...), err
}

// starts measures how soon the last shard of a fleet starts.
func starts(ctx context.Context, s *runsScene) ([]figure, error) {
	const shards = 10
	if err := s.warm(ctx, shards); err != nil {
		return nil, err
	}
	took, err := s.paced(ctx, runsOfFleet, runsFleetPace, shards)
	return quantiles("runs-start-each", took, 10, 50, fmt.Sprintf("from the call of `Agent.Submit` to the start of the last of %d shards on three agents, `each`: %d runs, one each %v", shards, runsOfFleet, runsFleetPace)), err
}

// warm has a first run make what all share.
func (s *runsScene) warm(ctx context.Context, shards int) error {
	_, err := s.paced(ctx, 1, 0, shards)
	return err
}

// paced asks for runs at a pace, and returns how soon each had started.
func (s *runsScene) paced(ctx context.Context, runs int, pace time.Duration, shards int) ([]float64, error) {
	earlier := 0
	for _, p := range s.fleet.processes {
		p.mu.Lock()
		earlier += len(p.asked)
		p.mu.Unlock()
	}
	moments := make(map[string]time.Time)
	for next := time.Now(); len(moments) < runs; next = next.Add(pace) {
		if err := pauseUntil(ctx, next); err != nil {
			return nil, err
		}
		id, at, err := s.submit(ctx, 0, coreagent.RunOptions{})
		if err != nil {
			return nil, err
		}
		moments[id] = at
	}
	reports, err := s.reports(ctx, 'R', earlier+runs*shards)
	return since(moments, reports, shards), err
}

// delays measures how late delayed runs start, and that none is early.
func delays(ctx context.Context, s *runsScene) ([]figure, error) {
	if err := s.warm(ctx, 1); err != nil {
		return nil, err
	}
	first := time.Now().Add(20 * time.Second)
	due := make(map[string]time.Time)
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(4)
	for i := range runsSubmitted {
		work.Go(func() error {
			ticket, err := s.client.Submit(ctx, jobName(0), s.params, coreagent.RunOptions{NotBefore: first.Add(runsSpread * time.Duration(i) / runsSubmitted)})
			mu.Lock()
			defer mu.Unlock()
			due[ticket.ID] = ticket.Due
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	if time.Now().After(first) {
		return nil, errors.New("the requests took longer than 20 s, so that runs were due before all were placed")
	}
	return s.lateOf(context.WithoutCancel(ctx), first, due)
}

func (s *runsScene) lateOf(ctx context.Context, first time.Time, due map[string]time.Time) ([]figure, error) {
	if err := pauseUntil(ctx, first.Add(runsSpread)); err != nil {
		return nil, err
	}
	reports, err := s.reports(ctx, 'R', 1+len(due))
	took, early := since(due, reports, 1), 0.0
	for _, ms := range took {
		if ms < 0 {
			early++
		}
	}
	how := fmt.Sprintf("%d runs that are due within %v, one agent, 16 shards, `one`; from that time to the start of the handler", len(due), runsSpread)
	return append(quantiles("runs-delayed", took, 5, 50, how),
		figure{name: "runs-delayed-early", values: []float64{early}, target: 0, how: how}), err
}

// bulk measures how long many requests take together: delayed requests by several callers, and one call
// each of requests that are due at once, with keys, and with the same keys again.
func bulk(ctx context.Context, s *runsScene) ([]figure, error) {
	var figures []figure
	measure := func(name, how string, target float64, place func() error) error {
		began := time.Now()
		err := place()
		figures = append(figures, figure{name: name, unit: "s", values: []float64{time.Since(began).Seconds()}, target: target, reportOnly: target == 0, how: how})
		return err
	}
	err := measure("runs-submit-10000", fmt.Sprintf("%d delayed requests, by `Agent.SubmitMany` in calls of %d, %d at once", runsBulk, bulkEach, bulkCallers), 1.5,
		func() error { return s.fill(ctx) })
	if err != nil {
		return nil, err
	}
	one := func(job int, keys bool) func() error {
		requests := make([]coreagent.RunRequest, runsBulk)
		for i := range requests {
			if requests[i].Params = s.params; keys {
				requests[i].Options.Key = strconv.Itoa(i)
			}
		}
		return func() error {
			_, err := s.client.SubmitMany(ctx, jobName(job), requests)
			return err
		}
	}
	how := fmt.Sprintf("%d requests that are due at once, by one call of `Agent.SubmitMany`; an agent runs them at the same time", runsBulk)
	err = errors.Join(
		measure("runs-submit-10000-due", how, 3, one(1, false)),
		measure("runs-submit-10000-keys", how+"; each with a key", 3, one(2, true)),
		measure("runs-submit-10000-keys-again", how+"; each with the key of a run that was requested before", 0, one(2, true)),
	)
	return figures, err
}

// How delayed requests are placed in bulk.
const bulkCallers, bulkEach = 4, 500

// fill places [runsBulk] requests that are due in a day.
func (s *runsScene) fill(ctx context.Context) error {
	requests := make([]coreagent.RunRequest, bulkEach)
	for i := range requests {
		requests[i] = coreagent.RunRequest{Params: s.params, Options: coreagent.RunOptions{Delay: 24*time.Hour + time.Duration(i)*time.Second}}
	}
	var work errgroup.Group
	work.SetLimit(bulkCallers)
	for range runsBulk / bulkEach {
		work.Go(func() error {
			_, err := s.client.SubmitMany(ctx, jobName(0), requests)
			return err
		})
	}
	return work.Wait()
}

// cancels measures how soon a handler learns that its run was cancelled.
func cancels(ctx context.Context, s *runsScene) ([]figure, error) {
	var ids []string
	for range runsCancelled {
		id, _, err := s.submit(ctx, 0, coreagent.RunOptions{})
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if _, err := s.reports(ctx, 'R', runsCancelled); err != nil {
		return nil, err
	}
	moments := make(map[string]time.Time)
	for next, i := time.Now(), 0; i < len(ids); next, i = next.Add(runsPace), i+1 {
		if err := pauseUntil(ctx, next); err != nil {
			return nil, err
		}
		moments[ids[i]] = time.Now()
		if _, err := s.client.CancelRun(ctx, jobName(0), ids[i], ""); err != nil {
			return nil, err
		}
	}
	reports, err := s.reports(ctx, 'K', runsCancelled)
	return quantiles("runs-cancel", since(moments, reports, 1), 10, 60, fmt.Sprintf("from the call of `Agent.CancelRun` to the end of the handler's context; %d runs at work on three agents, one cancelled each %v", runsCancelled, runsPace)), err
}
