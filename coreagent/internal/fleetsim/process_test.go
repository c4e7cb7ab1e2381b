package fleetsim_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// errCrashed is the error of a handler in a dead process. The process has ended, so no code sees
// it.
var errCrashed = errors.New("the simulated process has died")

// process is a simulated operating system process with one agent.
type process struct {
	world   *world
	name    string // slot and incarnation, such as p3.2
	slot    int
	suffix  string
	agent   *coreagent.Agent
	link    *link
	records *tracing.Async // nil if nothing is recorded
	running *gate          // shut while the process is paused
	crashed chan struct{}  // closed when it died

	skew  atomic.Int64 // its clock error
	wrong bool         // the error is larger than jobs allow

	awaitStart func() // ends the start if it's still in progress

	crashOnce sync.Once

	mu           sync.Mutex
	random       *rand.Rand
	resultRandom *rand.Rand // for the results of handlers of requested runs
	left         bool       // it was drained
	busy         bool       // it suffers from a lasting fault

	awaySince time.Time // when the connection broke; zero while connected
}

func address(slot int) string { return fmt.Sprintf("10.0.%d.%d", slot/200, slot%200+1) }

// start runs a new process in a slot. The suffix distinguishes it from others there.
func (w *world) start(slot int, suffix string) *process {
	w.started++
	p := &process{
		world: w, slot: slot, suffix: suffix, name: fmt.Sprintf("p%d.%d", slot, w.started),
		link: newLink(w.srv.Dial), running: newGate(), crashed: make(chan struct{}),
		random: rand.New(rand.NewPCG(w.random.Uint64(), 0)), resultRandom: rand.New(rand.NewPCG(w.seed, uint64(w.started))),
	}
	p.drawClock()
	log := slog.New(&recorder{world: w, process: p})
	config := coreagent.Config{
		Namespace: "sim", Address: address(slot), InstanceSuffix: suffix, Logger: log, Listeners: w.listeners(), Now: p.now,
		ZooKeeper: registry.ZooKeeper{Servers: []string{"zookeeper:2181"}, SessionTimeout: w.plan.session, Dial: p.link.Dial},
	}
	if p.records = p.record(); p.records != nil {
		config.Tracing = p.records
	}
	agent, err := coreagent.New(config)
	if err != nil {
		w.fail("start %s: %v", p.name, err)
		return p
	}
	for _, job := range w.plan.jobs {
		if err := agent.Add(job.job, p.handler(job)); err != nil {
			w.fail("start %s: %v", p.name, err)
		}
	}
	p.agent = agent
	w.history.Live(p.name, time.Now(), true)
	w.note("", p.name, "starts as %s@-@%s", address(slot), suffix)
	// A start waits while no server answers. Stopping the process ends that wait, as in Agent.Run.
	starting, cancel := context.WithCancel(w.life)
	up := make(chan struct{})
	w.tasks.Go(func() {
		defer close(up)
		if err := agent.Start(starting); err != nil && starting.Err() == nil {
			w.fail("start %s: %v", p.name, err)
		}
	})
	p.awaitStart = func() { cancel(); <-up }
	w.mu.Lock()
	w.processes = append(w.processes, p)
	w.mu.Unlock()
	return p
}

func (p *process) now() time.Time { return time.Now().Add(time.Duration(p.skew.Load())) }

func (p *process) drawClock() {
	c := p.world.plan.clocks
	if c == nil {
		return
	}
	off, wrong := c.skew()
	if p.wrong = wrong; off == 0 {
		return
	}
	p.skew.Store(int64(off))
	p.world.counts.add(skewedClock)
	p.world.note("", "fault", "the clock of %s is off by %v", p.name, off)
}

func (w *world) freshSuffix() string { return strconv.Itoa(100 + w.started) }

func (p *process) dead() bool {
	select {
	case <-p.crashed:
		return true
	default:
		return false
	}
}

func (p *process) hasLeft() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// serving reports whether the process is alive and not stopping.
func (p *process) serving() bool { return !p.dead() && !p.hasLeft() }

// crash cuts the process off and stops its handlers immediately. The session stays until the server
// expires it. Its goroutines, which a real process would no longer have, are ended behind the
// scenes.
func (p *process) crash() { p.crashOnce.Do(p.crashes) }

func (p *process) crashes() {
	p.world.history.Live(p.name, time.Now(), false)
	p.world.history.Disconnect(p.name, time.Now())
	p.link.cut(true)
	close(p.crashed) // Last, because later handler calls must not reach the server.
	p.running.set(true)
	p.world.tasks.Go(func() {
		p.awaitStart()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = p.agent.Stop(ctx) // It can't close its session.
		p.closeRecords(ctx)
	})
}

// drain stops the agent as SIGTERM does, and waits for it.
func (p *process) drain(limit time.Duration) {
	p.mu.Lock()
	p.left = true
	p.mu.Unlock()
	p.world.history.Live(p.name, time.Now(), false)
	p.awaitStart()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := p.agent.Stop(ctx); err != nil {
		p.world.note("", p.name, "drained with %v", err)
	}
	p.closeRecords(context.Background())
}

// handler records the handler calls from the inside.
func (p *process) handler(job *jobPlan) coreagent.Handler {
	return coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		called := time.Now()
		p.awaitResume()
		if p.dead() {
			return errCrashed // A dead process runs nothing.
		}
		timedOut := errors.Is(context.Cause(ctx), coreagent.ErrTimeout)
		if ctx.Err() != nil && !timedOut {
			// A real process would have been paused earlier and then have checked its session.
			return context.Cause(ctx)
		}
		h := p.world.history
		length, fate := p.handling(job, s)
		run := &judge.Run{
			Job: s.Job, Item: s.Item, Process: p.name, Instance: instanceOf(s.TaskID), Source: s.Source,
			Scheduled: s.ScheduledAt, Token: s.FencingToken, Start: time.Now(), Called: called, Local: p.now(), Doubtful: timedOut,
		}
		said := p.drawResult(job, s, run)
		h.Add(run)
		outcome, err := p.work(ctx, run, job.deaf, length)
		run.Doubtful = run.Doubtful || run.Request == "" && ctx.Err() != nil && run.TimedOut.IsZero()
		err = p.judgeTimeout(run, outcome, err)
		fine := run.Verdict == judge.Fine || run.Verdict == "" && fate == succeeds
		if outcome == judge.Completed && !fine && ctx.Err() != nil && run.TimedOut.IsZero() {
			outcome = judge.Cancelled // It may have failed anyway.
		}
		h.Ended(run, outcome, time.Now())
		switch {
		case err != nil:
			return err
		case run.Request != "":
			return said()
		case fate == fails:
			return errors.New("the simulated handler fails")
		case fate == panics:
			panic("the simulated handler panics")
		}
		return nil
	})
}

// handling draws the length and the fate of one handler call.
func (p *process) handling(job *jobPlan, s *coreagent.Shard) (time.Duration, fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.world.plan.requests; r != nil && r.job == job {
		length, fate := job.handling(p.resultRandom)
		if s.Run.Note == poison {
			return length, succeeds
		}
		return length, fate
	}
	return job.handling(p.random)
}

// work is the handler. It takes its time, unless its context or its process ends. A paused process
// makes no progress and only sees changes afterwards.
func (p *process) work(ctx context.Context, run *judge.Run, deaf bool, length time.Duration) (judge.Outcome, error) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case <-timer.C:
			p.awaitResume()
			if p.dead() {
				return judge.Died, errCrashed
			}
			if run.TimedOut.IsZero() && errors.Is(context.Cause(ctx), coreagent.ErrTimeout) {
				run.TimedOut, run.Doubtful = time.Now(), true // It was due during a pause.
			}
			return judge.Completed, nil
		case <-p.crashed:
			return judge.Died, errCrashed
		case <-cancelled:
			p.world.history.CancelSeen(run, time.Now())
			if errors.Is(context.Cause(ctx), coreagent.ErrTimeout) {
				run.TimedOut = time.Now()
			}
			p.awaitResume()
			if p.dead() {
				return judge.Died, errCrashed
			}
			if !deaf && !run.TimedOut.IsZero() {
				return judge.Completed, context.Cause(ctx) // this is its failure
			}
			if !deaf {
				return judge.Cancelled, context.Cause(ctx)
			}
			cancelled = nil
		}
	}
}

func (p *process) awaitResume() {
	select {
	case <-p.running.wait():
	case <-p.crashed:
	}
}

// instanceOf returns the instance id in a task id of ElasticJob's form.
func instanceOf(taskID string) string {
	parts, err := jobtree.ParseTaskID(taskID)
	if err != nil {
		return taskID
	}
	return parts.InstanceID()
}
