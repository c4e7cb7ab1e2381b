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

// mostSnoozes is how often a run may be put off.
const mostSnoozes = 3

// errSays is what handlers fail with that say more about it.
var errSays = errors.New("the simulated handler fails")

// sayOf draws what the handler says of a shard of a requested run, notes it, and returns
// how to say it.
func (p *process) sayOf(job *jobPlan, s *coreagent.Shard, run *judge.Run) (say func() error) {
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
	n, after := p.said.IntN(24), r.unit+time.Duration(p.said.Int64N(int64(2*r.unit)))
	cut, away := p.said.IntN(40), p.world.plan.session/2+time.Duration(p.said.Int64N(int64(p.world.plan.session)))
	p.mu.Unlock()
	// What a fire time left behind is run again before the fleet has begun, too.
	if cut == 0 && !p.world.plan.hours && p.world.began.Load() {
		p.world.requests.cutOff(p, away)
	}
	switch {
	case n < 4:
		run.Verdict = judge.Fails
		return func() error { return errSays }
	case n == 4:
		run.Verdict = judge.Fails
		return func() error { panic("the simulated handler panics") }
	case n == 5 && after < 2*r.unit:
		run.Verdict = judge.Final
		return func() error { return coreagent.Permanent(errSays) }
	case n == 6:
		run.Verdict, run.After = judge.Later, after
		return func() error { return coreagent.RetryAfter(errSays, after) }
	case n < 10 && s.Run.Snoozes < mostSnoozes:
		run.Verdict, run.After = judge.Snoozes, after
		return func() error { return coreagent.Snooze(after) }
	case n == 10:
		run.Verdict = judge.Nothing
		return func() error { return coreagent.SkipRun("nothing to do") }
	}
	return func() error { return nil }
}

// judgeTimeout notes what the end of a handler says whose context the timeout has ended:
// that its attempt has failed, now and then for good. If it returned later than at once,
// something else may count.
func (p *process) judgeTimeout(run *judge.Run, outcome judge.Outcome, err error) error {
	if run.TimedOut.IsZero() || outcome != judge.Completed {
		return err
	}
	p.world.counts.add(timedOut)
	run.Doubtful = run.Doubtful || time.Now().After(run.TimedOut)
	if err == nil || run.Request == "" {
		return err // It came to its end all the same, or is a fire time's.
	}
	p.mu.Lock()
	final := p.said.IntN(4) == 0
	p.mu.Unlock()
	if run.Verdict, run.After = judge.Fails, 0; final {
		run.Verdict = judge.Final
		err = coreagent.Permanent(err)
	}
	return err
}

// kill has a poisonous run kill the process that runs it, soon.
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

// cutOff takes the connection of a process at work on a run for about a session: how its
// handler ended is written late, or when others have the run.
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

// revive starts others for the processes that a run has killed. It is for the main
// goroutine, as all starts are.
func (q *requester) revive() {
	if q == nil {
		return
	}
	for range q.orphan.Swap(0) {
		q.world.start(len(q.world.processes), q.world.freshSuffix())
	}
}

// end ends the requests, and takes back what would keep runs from beginning.
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

// A fleet may take longestBacklog to work off what was requested, one run after the other,
// as long as something comes of it each awaited.
const (
	awaited        = 4 * time.Minute
	longestBacklog = 30 * time.Minute
)

// await waits until no run is left whose time comes soon; the checker says whether one
// should have ended.
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

// few asks for some runs that nothing disturbs.
func (q *requester) few() {
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

// resize changes how many shards the job has of which runs are requested.
func (w *world) resize(ctx context.Context, op *lifecycle.Operator, shards int) error {
	return w.reconfigure(ctx, op, requestedJob, func(c *jobconfig.Config) { c.Shards = shards })
}
