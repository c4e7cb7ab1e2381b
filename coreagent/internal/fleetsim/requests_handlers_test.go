package fleetsim_test

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

const mostSnoozes = 3

// errResult is the error of handlers that report more than a plain failure.
var errResult = errors.New("the simulated handler fails")

// drawResult draws a handler's result for a shard of a requested run, records it, and returns a function
// that produces it.
func (p *process) drawResult(job *jobPlan, s *coreagent.Shard, run *judge.Run) (say func() error) {
	r := p.world.plan.requests
	if r == nil || r.job != job || !s.Run.Requested {
		return nil
	}
	run.Request, run.Verdict = s.Run.ID, judge.Fine
	if s.Run.Note == poison {
		p.world.requests.kill(p)
		return func() error { return nil }
	}
	p.mu.Lock()
	n, after := p.resultRandom.IntN(24), r.unit+time.Duration(p.resultRandom.Int64N(int64(2*r.unit)))
	cut, away := p.resultRandom.IntN(40), p.world.plan.session/2+time.Duration(p.resultRandom.Int64N(int64(p.world.plan.session)))
	p.mu.Unlock()
	// Fire times left from before are also retried before the fleet has begun.
	if cut == 0 && !p.world.plan.hours && p.world.began.Load() {
		p.world.requests.cutOff(p, away)
	}
	switch {
	case n < 4:
		run.Verdict = judge.Fails
		return func() error { return errResult }
	case n == 4:
		run.Verdict = judge.Fails
		return func() error { panic("the simulated handler panics") }
	case n == 5 && after < 2*r.unit:
		run.Verdict = judge.Final
		return func() error { return coreagent.Permanent(errResult) }
	case n == 6:
		run.Verdict, run.After = judge.Later, after
		return func() error { return coreagent.RetryAfter(errResult, after) }
	case n < 10 && s.Run.Snoozes < mostSnoozes:
		run.Verdict, run.After = judge.Snoozes, after
		return func() error { return coreagent.Snooze(after) }
	case n == 10:
		run.Verdict = judge.Nothing
		return func() error { return coreagent.SkipRun("nothing to do") }
	}
	return func() error { return nil }
}

// judgeTimeout records the result of a handler after the timeout has ended its context: its attempt
// has failed, sometimes permanently. If it didn't return at once, something else may count.
func (p *process) judgeTimeout(run *judge.Run, outcome judge.Outcome, err error) error {
	if run.TimedOut.IsZero() || outcome != judge.Completed {
		return err
	}
	p.world.counts.add(timedOut)
	run.Doubtful = run.Doubtful || time.Now().After(run.TimedOut)
	if err == nil || run.Request == "" {
		return err // It ended normally anyway, or belongs to a fire time.
	}
	p.mu.Lock()
	final := p.resultRandom.IntN(4) == 0
	p.mu.Unlock()
	if run.Verdict, run.After = judge.Fails, 0; final {
		run.Verdict = judge.Final
		err = coreagent.Permanent(err)
	}
	return err
}

// kill makes a poisonous run soon kill the process that runs it.
func (q *requester) kill(p *process) {
	w := q.world
	select {
	case <-w.healing:
		return
	default:
	}
	w.tasks.Go(func() {
		time.Sleep(20 * time.Millisecond)
		if !p.serving() {
			return
		}
		w.counts.add(crash)
		w.note("", "fault", "a run kills %s", p.name)
		w.disturb(w.plan.session + reconnection)
		q.orphan.Add(1)
		p.crash()
	})
}

// cutOff cuts the connection of a process that works on a run for about a session timeout. The
// result of its handler is written late, or after others have taken the run.
func (q *requester) cutOff(p *process, d time.Duration) {
	w := q.world
	select {
	case <-w.healing:
		return
	default:
	}
	p.mu.Lock()
	suffers := p.left || p.dead() || p.busy
	p.busy = p.busy || !suffers
	p.mu.Unlock()
	if suffers {
		return
	}
	w.counts.add(partition)
	w.note("", "fault", "%s is cut off at work for %v", p.name, d)
	w.disturb(d + reconnection)
	p.link.cut(true)
	w.lasting(p, d, func() {
		w.note("", "fault", "%s is connected again", p.name)
		p.link.heal()
	})
}

// revive starts replacements for the processes that a run has killed. It's called from the main
// goroutine, like all starts.
func (q *requester) revive() {
	if q == nil {
		return
	}
	for range q.orphan.Swap(0) {
		q.world.start(len(q.world.processes), q.world.freshSuffix())
	}
}

// end ends the requests, and removes obstacles that would keep runs from beginning.
func (q *requester) end() {
	if q == nil {
		return
	}
	w := q.world
	q.cancel()
	q.lossy.Store(false)
	q.tasks.Wait()
	q.revive()
	w.insist("releases the job", func() error {
		if err := q.store.Release(w.life); !errors.Is(err, jobrun.ErrHeld) {
			return err
		}
		return nil
	})
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	for _, n := range w.tree.settings(requestedJob).Off {
		w.insist("enables a shard", func() error { return op.EnableShard(w.life, requestedJob, n) })
	}
}

// A fleet may take longestBacklog to work off the requested runs one by one, if there's progress in
// each period of awaited.
const (
	awaited        = 4 * time.Minute
	longestBacklog = 30 * time.Minute
)

// await waits until no run is due soon. The checker reports whether a run should have ended.
func (q *requester) await() {
	if q == nil {
		return
	}
	tree := namespace().Job(requestedJob)
	limit, most, pause := awaited, longestBacklog, time.Second
	if q.world.plan.hours {
		limit, most, pause = 40*time.Hour, 40*time.Hour, 10*time.Second
	}
	last := 0
	for began, moved := time.Now(), time.Now(); time.Since(moved) < limit && time.Since(began) < most; time.Sleep(pause) {
		open := 0
		for _, n := range q.world.srv.Dump(tree.Runs()) {
			name := n.Path[strings.LastIndexByte(n.Path, '/')+1:]
			due, _, waits := jobtree.ParseRunName(name)
			if waits && due.Before(time.Now().Add(30*time.Second)) || strings.HasPrefix(n.Path, tree.RunsActive()+"/") {
				open++
			}
		}
		if open == 0 {
			return
		}
		if open != last {
			last, moved = open, time.Now()
		}
	}
}

// requestFew requests some undisturbed runs.
func (q *requester) requestFew() {
	if q == nil {
		return
	}
	for range 3 {
		r := q.draw()
		if r.Key, r.Expiry, r.Overlap = "", 0, jobrun.OverlapQueue; r.Note == poison {
			r.Note = "the last one"
		}
		r.Delay = min(r.Delay, 2*time.Second)
		q.submit(r)
	}
}

func (q *requester) close() {
	if q != nil {
		q.cancel()
		q.tasks.Wait()
		_ = q.client.Close()
	}
}

// resize changes the number of shards of the job with requested runs.
func (w *world) resize(ctx context.Context, op *lifecycle.Operator, shards int) error {
	return w.reconfigure(ctx, op, requestedJob, func(c *jobconfig.Config) { c.Shards = shards })
}
