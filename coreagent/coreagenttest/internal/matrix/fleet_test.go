package matrix_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// verbose prints the log of the agents of each case.
var verbose = flag.Bool("agents-log", false, "print the log of the agents")

const (
	namespace = "matrix"
	hourly    = "0 0 * * * ?"
)

// work is a job and how long its handler takes.
type work struct {
	job coreagent.Job
	// body returns how long a run takes and its error.
	body func(m *member, s *coreagent.Shard) (time.Duration, error)
}

// lasting is a body that always takes d and succeeds.
func lasting(d time.Duration) func(*member, *coreagent.Shard) (time.Duration, error) {
	return func(*member, *coreagent.Shard) (time.Duration, error) { return d, nil }
}

// fleet is a set of agents that serve the same jobs in one bubble of virtual time.
type fleet struct {
	t       *testing.T
	server  *coreagenttest.Server
	session time.Duration
	works   []work
	members map[string]*member // by name
	log     io.Writer

	mu      sync.Mutex
	history history
	began   chan struct{} // closed and replaced when a run begins
}

type member struct {
	name, ip string
	agent    *coreagent.Agent
	line     *line
	killed   chan struct{}
	absent   []absence // guarded by the fleet's mutex
}

// absence is a period in which an agent couldn't record its completions, because it was dead or cut
// off for longer than its session.
type absence struct{ from, to time.Time }

// newFleet must be called inside a bubble. stopAll stops the agents.
func newFleet(t *testing.T, session time.Duration, works ...work) *fleet {
	f := &fleet{t: t, server: coreagenttest.NewPipeServer(t), session: session, works: works,
		members: make(map[string]*member), began: make(chan struct{}), log: io.Discard}
	if *verbose {
		f.log = os.Stderr
	}
	return f
}

// start starts an agent with all jobs of the fleet.
func (f *fleet) start(name, ip, suffix string) {
	m := &member{name: name, ip: ip, line: &line{server: f.server}, killed: make(chan struct{})}
	zookeeper := f.server.ZooKeeper()
	zookeeper.SessionTimeout, zookeeper.Dial = f.session, m.line.dial
	logger := slog.New(slog.DiscardHandler)
	if *verbose {
		logger = slog.New(slog.NewTextHandler(f.log, nil)).With("agent", name)
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: namespace, ZooKeeper: zookeeper, Address: ip, InstanceSuffix: suffix,
		DrainTimeout: time.Minute, Logger: logger,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	m.agent = agent
	for _, w := range f.works {
		agent.HandleFunc(w.job, func(ctx context.Context, s *coreagent.Shard) error { return f.handle(ctx, m, w, s) })
	}
	if err := agent.Start(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	f.members[name] = m
}

var errDied = errors.New("the process died")

// handle is the handler of each job. It takes as long as the body returns, unless its context or
// its process ends first.
func (f *fleet) handle(ctx context.Context, m *member, w work, s *coreagent.Shard) error {
	f.mu.Lock()
	dead := m.isKilled()
	r := &run{job: s.Job, shard: s.Item, member: m, source: s.Source, at: s.ScheduledAt,
		token: s.FencingToken, start: time.Now()}
	if !dead {
		f.history = append(f.history, r)
		close(f.began)
		f.began = make(chan struct{})
	}
	f.mu.Unlock()
	d, err := w.body(m, s)
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-m.killed:
			err = errDied
		}
	}
	f.mu.Lock()
	r.end, r.err = time.Now(), err
	f.mu.Unlock()
	if errors.Is(err, errDied) {
		<-ctx.Done() // A killed process does nothing more, but this one was only cut off.
		return context.Cause(ctx)
	}
	return err
}

func (m *member) isKilled() bool {
	select {
	case <-m.killed:
		return true
	default:
		return false
	}
}

// kill ends an agent like kill -9: its connections break and its handlers don't return.
func (f *fleet) kill(name string) {
	m := f.members[name]
	f.mu.Lock()
	m.absent = append(m.absent, absence{from: time.Now()})
	close(m.killed)
	f.mu.Unlock()
	m.line.breakBy(closed)
}

// cut disconnects an agent for longer than its session: for d, or for good if d is zero.
func (f *fleet) cut(name string, d time.Duration) {
	m := f.members[name]
	gap := absence{from: time.Now()}
	if d > 0 {
		gap.to = gap.from.Add(d)
	}
	f.mu.Lock()
	m.absent = append(m.absent, gap)
	f.mu.Unlock()
	m.line.breakBy(silent)
	if d > 0 {
		go func() {
			time.Sleep(d)
			m.line.repair()
		}()
	}
}

// interrupt breaks the connection of an agent for d, which must be less than its session.
func (f *fleet) interrupt(name string, d time.Duration) {
	m := f.members[name]
	m.line.breakBy(closed)
	go func() {
		time.Sleep(d)
		m.line.repair()
	}()
}

// stop drains an agent for at most the given time.
func (f *fleet) stop(name string, drain time.Duration) {
	m := f.members[name]
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	_ = m.agent.Stop(ctx) // In some cases the drain interrupts runs.
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.members, name)
}

// stopAll stops the agents and returns the history.
func (f *fleet) stopAll() history {
	f.mu.Lock()
	h := f.history
	f.history = nil
	var left []*member
	for _, m := range f.members {
		left = append(left, m)
	}
	f.mu.Unlock()
	var stops sync.WaitGroup
	for _, m := range left {
		stops.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
			defer cancel()
			_ = m.agent.Stop(ctx) // A killed agent can't stop cleanly.
		})
	}
	stops.Wait()
	return h
}

// awaitRun waits for at most d until a matching run begins, and returns it, or nil if none began.
func (f *fleet) awaitRun(d time.Duration, fits func(r *run) bool) *run {
	limit := time.After(d)
	for {
		f.mu.Lock()
		began := f.began
		for _, r := range f.history {
			if fits(r) {
				f.mu.Unlock()
				return r
			}
		}
		f.mu.Unlock()
		select {
		case <-began:
		case <-limit:
			return nil
		}
	}
}

// owned returns the shards of a job that the server assigns to the owner with this address.
func (f *fleet) owned(job, ip string) []int {
	var shards []int
	root := "/" + namespace + "/" + job + "/sharding"
	for l := range strings.Lines(f.server.Tree(root)) {
		var shard int
		node, owner, _ := strings.Cut(strings.TrimSpace(l), "/instance = ")
		if strings.HasPrefix(owner, ip+"@-@") {
			if _, err := fmt.Sscanf(strings.TrimPrefix(node, root), "/%d", &shard); err == nil {
				shards = append(shards, shard)
			}
		}
	}
	return shards
}

// until sleeps to a moment in virtual time.
func until(at time.Time) { time.Sleep(time.Until(at)) }

// clock returns a moment of the day that bubbles begin on.
func clock(hour, minute, second int) time.Time {
	return time.Date(2000, 1, 1, hour, minute, second, 0, time.UTC)
}

// run is one call of a handler.
type run struct {
	job        string
	shard      int
	member     *member
	source     tracing.Source
	at         time.Time
	token      int64
	start, end time.Time
	err        error
}

func (r *run) String() string {
	const format = "15:04:05.000"
	result := "runs"
	if !r.end.IsZero() {
		result = "completed"
		if r.err != nil {
			result = r.err.Error()
		}
	}
	return fmt.Sprintf("%s %s of %s: %s to %s: %s", r.member.name, r.source, r.at.UTC().Format(format),
		r.start.UTC().Format(format), r.end.UTC().Format(format), result)
}
