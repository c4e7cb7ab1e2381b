package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

const (
	waitingWindow = 12 * time.Second // of idleness, before the requests and after
	waitingKills  = 3
	// waitingSession of the agents is long enough to ping seldom, and short enough to
	// wait for its end.
	waitingSession = 4 * time.Second
	// waitingDue is how long after its request a run is due that nobody moves until the
	// next steward does: its agent is dead by then, and its session is not.
	waitingDue = 500 * time.Millisecond
)

// waitingScene is a job of two agents, one of which is the steward.
type waitingScene struct {
	*runsScene
	registry *registry
	w        *watcher
	job      jobtree.Job
	args     []string
	spawned  int
}

// idled is what agents and the registry did and held while nothing happened.
type idled struct {
	heap [2]float64 // bytes: of the steward and of the other one
	// requests are those that the registry counted, and cpu is the steward's, in a time of
	// idleness.
	requests float64
	cpu      time.Duration
}

// waiting measures what ten thousand requests cost that are due in a day, and how soon
// another agent does the duties of a steward that is killed.
func waiting(ctx context.Context, b *bench, _ string) (_ []figure, err error) {
	s, err := newWaitingScene(ctx, b)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.end(context.WithoutCancel(ctx))) }()
	steward, other, err := s.roles(ctx)
	if err != nil {
		return nil, err
	}
	before, err := s.idle(ctx, steward, other)
	if err != nil {
		return nil, err
	}
	if err := s.fill(ctx); err != nil {
		return nil, err
	}
	after, err := s.idle(ctx, steward, other)
	if err != nil {
		return nil, err
	}
	if now, _, err := s.roles(ctx); err != nil || now != steward {
		return nil, errors.Join(errors.New("the steward changed while nothing happened, so that the figures are of two agents"), err)
	}
	figures := waitingFigures(before, after)
	var changes, starts []float64
	for i := range waitingKills {
		change, start, err := s.killSteward(ctx)
		if err != nil {
			return nil, fmt.Errorf("kill %d of %d: %w", i+1, waitingKills, err)
		}
		changes, starts = append(changes, change), append(starts, start)
	}
	how := fmt.Sprintf("%d requests wait, and the steward is killed, %d times; from the end of its session, as a watcher sees it, ", runsBulk, waitingKills)
	return append(figures,
		figure{name: "runs-steward-change", unit: "ms", values: changes, target: 500, worst: true, how: how + "until the other agent is the steward"},
		figure{name: "runs-steward-change-start", unit: "ms", values: starts, reportOnly: true, how: how + "to the start of a run that was due in between, which the next steward moves once it has read what waits"}), nil
}

func waitingFigures(before, after idled) []figure {
	more := func(n int) []float64 { return []float64{max(0, after.heap[n]-before.heap[n]) / 1e6} }
	how := fmt.Sprintf("%d requests of 400 bytes that are due in a day, two agents, `one`; ", runsBulk)
	const sessions = 4 // of two agents, the client and the watcher: each may ping once more in one of the two times
	requests := max(0, after.requests-before.requests-sessions) / waitingWindow.Seconds()
	return []figure{
		{name: "runs-waiting-steward-heap", unit: "MB", values: more(0), target: 4, how: how + "live heap of the steward, more than before"},
		{name: "runs-waiting-other-heap", unit: "MB", values: more(1), target: 0.1, how: how + "live heap of the other agent, more than before; the goal is 0, and less than 0.1 is the runtime's"},
		{name: "runs-waiting-requests", unit: "/s", values: []float64{requests}, target: 0, how: how + fmt.Sprintf("requests that ZooKeeper counts in %v, less those of as long a time before and a ping of each session", waitingWindow)},
		{name: "runs-waiting-cpu", unit: "%", values: []float64{100 * after.cpu.Seconds() / waitingWindow.Seconds()}, target: 0.2, how: how + fmt.Sprintf("of one core, of the steward in %v; the goal is 0, and Linux counts in steps of 10 ms, pings too; without requests it was %s", waitingWindow, number(100*before.cpu.Seconds()/waitingWindow.Seconds()))},
	}
}

func newWaitingScene(ctx context.Context, b *bench) (_ *waitingScene, err error) {
	s := &waitingScene{args: []string{"--assign=one", "--shards=2", fmt.Sprintf("--session-ms=%d", waitingSession.Milliseconds())}, spawned: 2}
	namespace, err := jobtree.NewNamespace("runs-waiting")
	if err != nil {
		return nil, err
	}
	s.job = namespace.Job(jobName(0))
	if s.registry, err = startRegistry(); err != nil {
		return nil, err
	}
	if s.w, err = newWatcher(ctx, s.registry.Addr()); err != nil {
		return nil, errors.Join(err, s.registry.end())
	}
	if s.runsScene, err = newRunsScene(ctx, b, s.registry.Addr(), "waiting", s.spawned, s.args); err != nil {
		return nil, errors.Join(err, s.w.close(), s.registry.end())
	}
	if err := s.warm(ctx, 1); err != nil {
		return nil, errors.Join(err, s.end(context.WithoutCancel(ctx)))
	}
	return s, nil
}

func (s *waitingScene) end(ctx context.Context) error {
	return errors.Join(s.runsScene.end(ctx), s.w.close(), s.registry.end())
}

// roles returns the agent that is the steward, and the other one.
func (s *waitingScene) roles(ctx context.Context) (steward, other *process, err error) {
	id, _, err := s.w.client.Get(ctx, s.job.RunsSteward())
	if err != nil {
		return nil, nil, fmt.Errorf("the steward: %w", err)
	}
	for _, p := range s.fleet.processes {
		switch {
		case p.ended():
		case strings.HasSuffix(string(id), fmt.Sprintf("@-@%d", p.cmd.Process.Pid)):
			steward = p
		default:
			other = p
		}
	}
	if steward == nil || other == nil {
		return nil, nil, fmt.Errorf("the steward is %q, which is not one of two agents that live", id)
	}
	return steward, other, nil
}

// idle waits until all is quiet, and looks at the agents for a while.
func (s *waitingScene) idle(ctx context.Context, steward, other *process) (out idled, err error) {
	if _, err := awaitQuiet(ctx, s.registry.Addr(), time.Now()); err != nil {
		return out, err
	}
	requests, err := packets(s.registry.Addr())
	if err != nil {
		return out, err
	}
	early, err := steward.usage()
	if err != nil {
		return out, err
	}
	if err := pause(ctx, waitingWindow); err != nil {
		return out, err
	}
	late, err := steward.usage()
	if err != nil {
		return out, err
	}
	if out.requests, err = packets(s.registry.Addr()); err != nil {
		return out, err
	}
	out.requests, out.cpu = out.requests-requests, late.cpu-early.cpu
	for i, p := range []*process{steward, other} {
		for range 2 { // What a pool holds is released by the second collection.
			if _, out.heap[i], err = p.stats(ctx); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// killSteward kills the steward, has a run be due meanwhile, and returns the milliseconds
// from the end of its session until the other agent is the steward, and until that run
// starts. A new agent stands for the dead one then.
func (s *waitingScene) killSteward(ctx context.Context) (change, start float64, err error) {
	steward, other, err := s.roles(ctx)
	if err != nil {
		return 0, 0, err
	}
	id, at, err := s.submit(ctx, 0, coreagent.RunOptions{Delay: waitingDue})
	if err != nil {
		return 0, 0, err
	}
	gone, err := s.w.killed(ctx, s.job, steward)
	if err != nil {
		return 0, 0, err
	}
	elected, err := s.w.next(ctx, s.job.RunsSteward(), true)
	if err != nil {
		return 0, 0, err
	}
	inTime, cancel := context.WithTimeoutCause(ctx, managedWithin, errors.New("nobody is the steward"))
	defer cancel()
	now, err := elected(inTime)
	if err != nil {
		return 0, 0, err
	}
	var began time.Time
	if err := other.await(ctx, "start of the run that was due meanwhile", managedWithin, func() bool {
		began = other.askedLocked('R', id)
		return !began.IsZero()
	}); err != nil {
		return 0, 0, err
	}
	if began.Before(gone) {
		return 0, 0, fmt.Errorf("the run that was requested %v before the end of the steward's session started %v before it: the session ended too late to measure", gone.Sub(at), gone.Sub(began))
	}
	s.spawned++
	next, err := s.fleet.spawn(ours, fmt.Sprintf("127.0.1.%d", s.spawned), append([]string{"--zookeeper=" + s.registry.Addr(), "--namespace=runs-waiting"}, s.args...)...)
	if err != nil {
		return 0, 0, err
	}
	if _, err := next.awaitReady(ctx, time.Minute); err != nil {
		return 0, 0, err
	}
	_, err = awaitQuiet(ctx, s.registry.Addr(), now)
	return millis(now.Sub(gone)), millis(began.Sub(gone)), err
}

// askedLocked is when a requested run first had a report of a kind, zero if it had none;
// p.mu is held.
func (p *process) askedLocked(what byte, id string) time.Time {
	for _, r := range p.asked {
		if r.what == what && r.id == id {
			return r.at
		}
	}
	return time.Time{}
}
