package fleetsim_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// world is one simulated fleet: a server, processes, an operator, and the faults between them. It
// lives in a synctest bubble.
type world struct {
	seed    uint64
	plan    *plan
	random  *rand.Rand // of the main goroutine
	history *judge.History
	srv     *zkfake.Server
	tree    *observer
	counts  *faultCounts

	operator *zk.Client
	traffic  *traffic
	began    atomic.Bool   // the fleet has formed, so faults may begin
	healing  chan struct{} // closed when every fault ends
	requests *requester    // nil if no runs are requested
	holds    *holder       // nil if no job is held

	life      context.Context
	end       context.CancelFunc
	tasks     sync.WaitGroup
	processes []*process
	started   int
	pending   []pending // work to do later

	mu       sync.Mutex
	problems []string
}

type result struct {
	seed       uint64
	history    *judge.History
	violations []judge.Violation
	problems   []string // of the simulation itself
	agents     int
	virtual    time.Duration
	counts     *faultCounts
	needed     map[judge.Excuse]int // excuses that prevented violations, if SIM_EXCUSES asks for them
}

func (r *result) failed() bool { return len(r.violations)+len(r.problems) > 0 }

// simulate runs the fleet of a seed. It must be called in a bubble.
func simulate(t *testing.T, seed uint64) *result {
	p, random := newPlan(seed)
	return simulatePlan(t, seed, p, random)
}

// simulateHours runs the fleet of hours of a seed. It must be called in a bubble.
func simulateHours(t *testing.T, seed uint64) *result {
	p, random := newHoursPlan(seed)
	return simulatePlan(t, seed, p, random)
}

func simulatePlan(t *testing.T, seed uint64, p *plan, random *rand.Rand) *result {
	life, end := context.WithCancel(t.Context())
	w := &world{
		seed: seed, plan: p, random: random, history: judge.NewHistory(), counts: newFaultCounts(),
		srv:     zkfake.New(zkfake.Options{MaxSessionTimeout: longestSession}),
		healing: make(chan struct{}), life: life, end: end,
	}
	began := time.Now()
	w.tree = observe(w)
	w.history.SessionTimeout, w.history.Blind, w.history.Brief = p.session, p.drop > 0, p.everyday != nil
	if p.clocks != nil {
		w.history.Skew = p.clocks.most
	}
	var err error
	if w.history.Parallel, err = host.Parallel("", nil); err != nil {
		t.Fatal(err)
	}
	w.run(t)
	needed := make(map[judge.Excuse]int)
	w.end()
	w.tasks.Wait()
	_ = w.operator.Close()
	w.requests.close()
	_ = w.srv.Close()
	violations := judge.Check(w.history)
	if os.Getenv("SIM_EXCUSES") != "" {
		for _, e := range judge.Excuses() {
			if len(judge.Check(w.history, e)) > len(violations) {
				needed[e]++
			}
		}
	}
	return &result{
		seed: seed, history: w.history, violations: violations, problems: w.problems,
		agents: w.started, virtual: time.Since(began), counts: w.counts, needed: needed,
	}
}

func (w *world) run(t *testing.T) {
	client, err := zk.Connect(t.Context(), zk.Config{
		Servers: []string{"zookeeper:2181"}, SessionTimeout: 30 * time.Second, Dial: w.srv.Dial, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.operator = client
	for slot := range w.plan.agents {
		w.start(slot, w.freshSuffix())
	}
	time.Sleep(5 * time.Second)
	w.history.Begin = time.Now()
	w.note("", "fleet", "began: %d agents, session timeout %v, faults %v", w.plan.agents, w.plan.session, w.plan.faults)

	w.requests, w.holds = w.beginRequests(), w.beginHolds()
	w.began.Store(true)
	stop := w.spoilTraffic()
	if w.plan.everyday != nil {
		w.everyday()
	}
	for end := time.Now().Add(w.plan.phase); time.Now().Before(end); {
		if w.plan.hours {
			w.pauseHours()
			w.requests.revive()
			w.faultOfHours(pick(w.random, w.plan.faults...))
			continue
		}
		w.pause()
		w.requests.revive()
		w.setClock()
		w.fault(pick(w.random, w.plan.faults...))
	}
	stop()
	w.healAll()
	w.holds.end()
	w.requests.end()
	w.history.Healed = time.Now()
	w.note("", "fleet", "healed")
	time.Sleep(w.settleTime())
	w.requests.await()
	switch {
	case w.plan.everyday != nil:
		w.quietEveryday()
	case w.plan.hours:
		w.quietHours()
	default:
		w.quiet()
	}

	for _, p := range w.processes {
		if p.serving() {
			p.drain(w.longest() + 5*time.Second)
		}
	}
}

func (w *world) longest() time.Duration {
	var longest time.Duration
	for _, j := range w.plan.jobs {
		longest = max(longest, j.longest)
	}
	return longest
}

func (w *world) longestPeriod() time.Duration {
	var longest time.Duration
	for name := range w.history.Jobs {
		longest = max(longest, w.tree.settings(name).Period)
	}
	return longest
}

// settleTime returns the time a fleet needs to repair itself: sessions expire, markers of dead
// instances are released, and if watch events were lost, every agent compares its state with the
// server once.
func (w *world) settleTime() time.Duration {
	d := 3*w.plan.session + 10*time.Second + 2*w.longest()
	if w.plan.drop > 0 {
		d += w.plan.reconcile
	}
	return d
}

// quiet is the phase without faults, in which instances only join and leave in an orderly way.
func (w *world) quiet() {
	period := max(w.longestPeriod(), 5*time.Second)
	time.Sleep(time.Until(time.Now().Truncate(period).Add(period + period*2/3)))
	w.history.Quiet = time.Now()
	w.note("", "fleet", "quiet")
	w.snapshot()
	w.requests.requestFew()
	time.Sleep(2*period + time.Second)
	p := w.start(len(w.processes), w.freshSuffix())
	time.Sleep(2*period + w.longest() + 2*time.Second)
	if w.serving() > 1 {
		w.note("", p.name, "drains")
		p.drain(w.longest() + 5*time.Second)
	}
	time.Sleep(2*period + w.longest() + 2*time.Second)
	w.snapshot()
	time.Sleep(2 * w.longest())
	time.Sleep(time.Until(time.Now().Truncate(period).Add(period*2 - time.Millisecond)))
	w.snapshot()
	w.history.Over(time.Now())
	w.note("", "fleet", "ends")
}

func (w *world) serving() int {
	n := 0
	for _, p := range w.processes {
		if p.serving() {
			n++
		}
	}
	return n
}

// pause waits for the next fault, sometimes until close to a fire time.
func (w *world) pause() {
	time.Sleep(time.Duration(w.random.Int64N(int64(w.plan.pace))) + time.Millisecond)
	if period := w.plan.jobs[0].period; period > 0 && chance(w.random, 30) {
		near := time.Duration(w.random.Int64N(int64(40*time.Millisecond))) - 10*time.Millisecond
		time.Sleep(time.Until(time.Now().Truncate(period).Add(period + near)))
	}
}

func (w *world) note(job, who, format string, args ...any) {
	w.history.Note(time.Now(), job, who, fmt.Sprintf(format, args...))
}

func (w *world) fail(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems = append(w.problems, fmt.Sprintf(format, args...))
}

func namespace() jobtree.Namespace {
	ns, err := jobtree.NewNamespace("sim")
	if err != nil {
		panic(err) // a constant
	}
	return ns
}

// recorder is a process's log. Its important lines go to the timeline.
type recorder struct {
	world   *world
	process *process
	job     string
}

func (r *recorder) Enabled(_ context.Context, level slog.Level) bool { return true }

func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	if r.process.dead() {
		return nil
	}
	job, text := r.job, record.Message
	if text == "zookeeper library" {
		return nil
	}
	note := func(a slog.Attr) bool {
		if a.Key == "job" {
			job = a.Value.String()
		} else {
			text += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		}
		return true
	}
	record.Attrs(note)
	if record.Message == engine.PanicMessage {
		r.world.fail("%s: a panic of the engine, which is a bug: %s", r.process.name, text)
	}
	if record.Message == "zookeeper session" {
		r.process.noteSession(record)
	}
	if strings.Contains(text, "Time different between job server and register center") {
		r.world.history.Refuse(judge.Refusal{Job: job, Process: r.process.name, At: time.Now()})
	}
	r.world.history.Note(time.Now(), job, r.process.name, text)
	return nil
}

func (r *recorder) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *r
	for _, a := range attrs {
		if a.Key == "job" {
			with.job = a.Value.String()
		}
	}
	return &with
}

func (r *recorder) WithGroup(string) slog.Handler { return r }

// reconnection is how long a client may take to reconnect.
const reconnection = 5 * time.Second

// disturb records that a fault and its consequences last for d.
func (w *world) disturb(d time.Duration) {
	w.history.Disturb(judge.Span{From: time.Now(), To: time.Now().Add(d)})
}

// noteSession records the owner of a session.
func (p *process) noteSession(record slog.Record) {
	var id int64
	connected, h, now := false, p.world.history, time.Now()
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "session":
			if _, err := fmt.Sscanf(a.Value.String(), "0x%x", &id); err != nil {
				p.world.fail("session %q: %v", a.Value, err)
			}
		case "to":
			switch a.Value.String() {
			case zk.Connected.String():
				connected = true
				if since := p.away(time.Time{}); !since.IsZero() {
					if p.world.plan.hours {
						since = now // Others have taken over its shards by then.
					}
					// no matter how long it took to come back
					h.Disturb(judge.Span{From: since, To: now.Add(reconnection)})
				}
			case zk.Suspended.String():
				p.away(now)
				h.Disturb(judge.Span{From: now, To: now.Add(reconnection)})
			case zk.Lost.String():
				h.Lose(p.name, now)
				h.Disturb(judge.Span{From: now, To: now.Add(p.world.plan.session + reconnection)})
			case zk.Closed.String():
				if !p.away(time.Time{}).IsZero() {
					// It couldn't close its session, so it stays listed, maybe as the leader, until
					// the session ends.
					h.Disturb(judge.Span{From: now, To: now.Add(p.world.plan.session + reconnection)})
				}
			}
		}
		return true
	})
	if connected {
		h.Connect(p.name, now)
		p.world.tree.session(id, p)
	} else {
		h.Disconnect(p.name, now)
	}
}

// away sets since when there is no connection, and returns the previous value.
func (p *process) away(since time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.awaySince
	p.awaySince = since
	return before
}

// retriable reports whether the faults explain an error of an operator's request.
func retriable(err error) bool {
	return err == nil || zk.Retriable(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
