package coreagent_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// errCrashed is what a body returns when its process has died under it: the
// process is gone, so nothing sees the error.
var errCrashed = errors.New("the simulated process has died")

// execution is one body in the history of a simulation.
type execution struct {
	item      int
	instance  string
	scheduled time.Time
	source    tracing.Source
	start     time.Time
	end       time.Time // zero while it runs
	completed bool      // ended by itself
}

func (e *execution) String() string {
	return fmt.Sprintf("item %d on %s scheduled %s %s: %s to %s completed %v", e.item, e.instance,
		e.scheduled.Format(time.TimeOnly), e.source, e.start.Format("15:04:05.000"), e.end.Format("15:04:05.000"), e.completed)
}

// history collects what the bodies of all processes did.
type history struct {
	mu   sync.Mutex
	list []*execution
}

func (h *history) begin(e *execution) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, e)
}

func (h *history) end(e *execution, completed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.end, e.completed = time.Now(), completed
}

// overlaps returns pairs of executions of one item at the same time on
// different instances.
func (h *history) overlaps() []string {
	byItem := make(map[int][]*execution)
	for _, e := range h.list {
		byItem[e.item] = append(byItem[e.item], e)
	}
	var found []string
	for _, list := range byItem {
		slices.SortFunc(list, func(a, b *execution) int { return a.start.Compare(b.start) })
		for i := 1; i < len(list); i++ {
			before, after := list[i-1], list[i]
			if before.end.IsZero() || after.start.Before(before.end) {
				found = append(found, fmt.Sprintf("at once: %v AND %v", before, after))
			}
		}
	}
	return found
}

// missing returns the fire times in (from, to] that some item did not complete
// before the next one but one.
func (h *history) missing(items int, from, to time.Time, period time.Duration) []string {
	type key struct {
		item int
		at   int64
	}
	done := make(map[key]bool)
	for _, e := range h.list {
		if !e.completed {
			continue
		}
		at := e.scheduled
		if e.source == tracing.SourceFailover {
			// The taker finishes the run that the dead instance had begun.
			at = e.start.Truncate(period)
		}
		done[key{e.item, at.Unix()}] = true
	}
	var missing []string
	for at := from.Truncate(period).Add(period); !at.After(to); at = at.Add(period) {
		for item := range items {
			if !done[key{item, at.Unix()}] {
				missing = append(missing, fmt.Sprintf("%s: item %d was not run%s", at.Format(time.TimeOnly), item, h.around(item, at, 2*period)))
			}
		}
	}
	return missing
}

// around lists what an item did near a moment, for whoever reads the report.
func (h *history) around(item int, at time.Time, within time.Duration) string {
	var lines strings.Builder
	for _, e := range h.list {
		if e.item == item && e.start.Sub(at).Abs() < within {
			fmt.Fprintf(&lines, "\n    %v", e)
		}
	}
	return lines.String()
}

// process is a simulated operating system process with one agent.
type process struct {
	agent   *coreagent.Agent
	name    string
	crashed chan struct{}

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

// crash cuts the process off: its connections break, new ones fail, and its
// bodies stop where they are. The session stays until the server expires it.
func (p *process) crash() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for _, c := range p.conns {
		_ = c.Close() // That is the point.
	}
	close(p.crashed) // Last: what the bodies do now must not reach the server.
}

func (p *process) dead() bool {
	select {
	case <-p.crashed:
		return true
	default:
		return false
	}
}

func (p *process) dial(srv *zkfake.Server) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.cut {
			return nil, errCrashed
		}
		c, err := srv.Dial(ctx, network, addr)
		if err == nil {
			p.conns = append(p.conns, c)
		}
		return c, err
	}
}

// fleet runs processes that serve one job against one in-process server.
type fleet struct {
	t       *testing.T
	srv     *zkfake.Server
	random  *rand.Rand
	job     coreagent.Job
	body    time.Duration // longest body
	history history
	started int
	log     *slog.Logger
	stops   sync.WaitGroup
}

func (f *fleet) start(host int) *process {
	f.started++
	p := &process{name: fmt.Sprintf("10.0.0.%d@-@%d", host, f.started), crashed: make(chan struct{})}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "sim", Address: "10.0.0." + strconv.Itoa(host), InstanceSuffix: strconv.Itoa(f.started),
		ZooKeeper: coreagent.ZooKeeper{Servers: []string{"zookeeper:2181"}, SessionTimeout: 10 * time.Second, Dial: p.dial(f.srv)},
		Logger:    f.log.With("process", p.name),
	})
	if err != nil {
		f.t.Fatal(err)
	}
	lengths := rand.New(rand.NewPCG(f.random.Uint64(), 0))
	var lengthsMu sync.Mutex
	err = agent.Add(f.job, coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		if p.dead() {
			return errCrashed // A dead process runs nothing.
		}
		lengthsMu.Lock()
		length := time.Duration(lengths.Int64N(int64(f.body) + 1))
		lengthsMu.Unlock()
		e := &execution{item: s.Item, instance: p.name, scheduled: s.ScheduledAt, source: s.Source, start: time.Now()}
		f.history.begin(e)
		select {
		case <-time.After(length):
			f.history.end(e, true)
			return nil
		case <-p.crashed:
			f.history.end(e, false)
			return errCrashed
		case <-ctx.Done():
			f.history.end(e, false)
			return context.Cause(ctx)
		}
	}))
	if err != nil {
		f.t.Fatal(err)
	}
	p.agent = agent
	if err := agent.Start(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return p
}

// bury ends the goroutines of a crashed process, which a real one would not have.
func (f *fleet) bury(p *process) {
	f.stops.Go(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = p.agent.Stop(ctx) // It cannot say goodbye.
	})
}

func simSeed(t *testing.T) uint64 {
	if s := os.Getenv("SIM_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("SIM_SEED: %v", err)
		}
		return seed
	}
	return 1
}

// TestSimDayOfCrashes runs five processes for 24 virtual hours while one of
// them after the other crashes and returns at random times: every fire time
// runs every item, and no item runs on two instances at once.
func TestSimDayOfCrashes(t *testing.T) {
	seed := simSeed(t)
	synctest.Test(t, func(t *testing.T) {
		out := io.Discard
		if os.Getenv("SIM_LOG") != "" {
			out = t.Output()
		}
		const items, period = 10, time.Minute
		srv := zkfake.New(zkfake.Options{})
		f := &fleet{
			t: t, srv: srv, random: rand.New(rand.NewPCG(seed, 0)), body: 5 * time.Second,
			job: coreagent.Job{Name: "billing", Cron: "0 * * * * ?", TimeZone: "GMT", Shards: items, Failover: true},
			log: slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelDebug})),
		}
		processes := make([]*process, 5)
		for i := range processes {
			processes[i] = f.start(i + 1)
		}
		begin := time.Now()
		end := begin.Add(24 * time.Hour)
		crashes := 0
		for time.Now().Before(end) {
			time.Sleep(time.Duration(f.random.Int64N(int64(10 * time.Minute))))
			victim := f.random.IntN(len(processes))
			if f.random.IntN(10) == 0 {
				// Some die at the very moment of a fire.
				time.Sleep(time.Until(time.Now().Truncate(period).Add(period)))
			}
			processes[victim].crash()
			crashes++
			f.bury(processes[victim])
			time.Sleep(time.Duration(f.random.Int64N(int64(3 * time.Minute))))
			processes[victim] = f.start(victim + 1)
		}
		last := time.Now().Truncate(period)
		time.Sleep(2 * period) // Let the last fire time and whatever it missed be run.
		for _, p := range processes {
			if err := p.agent.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
		f.stops.Wait()
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
		report(t, seed, "overlap", f.history.overlaps())
		report(t, seed, "missed fire time", f.history.missing(items, begin, last, period))
		if fires := int(last.Sub(begin) / period); len(f.history.list) < fires*items || crashes < 50 {
			t.Errorf("seed %d: only %d executions in %d fires and %d crashes: the run proves nothing", seed, len(f.history.list), fires, crashes)
		}
		t.Logf("seed %d: %d executions, %d crashes", seed, len(f.history.list), crashes)
	})
}

func report(t *testing.T, seed uint64, what string, violations []string) {
	t.Helper()
	if len(violations) > 0 {
		t.Errorf("seed %d: %d × %s; SIM_SEED=%d SIM_LOG=1 replays it\n%s", seed, len(violations), what, seed,
			strings.Join(violations[:min(len(violations), 10)], "\n"))
	}
}

// TestSimCheckerFindsPlantedViolations tests the test.
func TestSimCheckerFindsPlantedViolations(t *testing.T) {
	at := func(seconds int) time.Time {
		return time.Date(2026, 1, 1, 0, 0, seconds, 0, time.UTC)
	}
	ran := func(item, scheduled, start, end int, completed bool) *execution {
		e := &execution{item: item, instance: "a", scheduled: at(scheduled), source: tracing.SourceNormal, start: at(start), completed: completed}
		if end > 0 {
			e.end = at(end)
		}
		return e
	}
	good := []*execution{ran(0, 60, 60, 62, true), ran(1, 60, 60, 63, true), ran(0, 120, 120, 121, true), ran(1, 120, 120, 121, true)}
	for name, c := range map[string]struct {
		list              []*execution
		overlaps, missing int
	}{
		"clean":       {good, 0, 0},
		"overlap":     {append(slices.Clone(good), ran(0, 60, 61, 64, true)), 1, 0},
		"never ended": {append(slices.Clone(good), ran(1, 180, 130, 0, false), ran(1, 180, 131, 132, true)), 1, 0},
		"missed":      {good[:3], 0, 1},
		"interrupted": {append(slices.Clone(good[:3]), ran(1, 120, 120, 121, false)), 0, 1},
	} {
		h := &history{list: c.list}
		if got := h.overlaps(); len(got) != c.overlaps {
			t.Errorf("%s: overlaps %v, want %d", name, got, c.overlaps)
		}
		if got := h.missing(2, at(0), at(120), time.Minute); len(got) != c.missing {
			t.Errorf("%s: missing %v, want %d", name, got, c.missing)
		}
	}
}
