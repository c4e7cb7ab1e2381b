package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Cancel ends the contexts of all batches under way.
func (w *Worker) Cancel(cause error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lost := errors.Is(cause, host.ErrSessionLost)
	for b := range w.queue.batches {
		if lost {
			w.Misfires.SessionLost(&b.ledger)
		}
		if !lost || !b.outlives {
			b.cancel(cause)
		}
	}
}

// errGivesWay means that a waiting run must let failover shards run first. They were claimed while
// nothing ran, and the resharding that the run waits for may wait for them.
var errGivesWay = errors.New("failover shards come first")

// awaitSettled returns the view for a run: registered in the current session, with no resharding
// announced. It waits for that until the job stops.
func (w *Worker) awaitSettled(failover bool) (*view.View, error) {
	var logAfter *time.Timer // Most runs don't have to wait.
	for {
		v, changed := w.Latest.Get()
		waiting := "the registration"
		switch {
		case w.Host.Client.State() != zk.Connected:
			waiting = "ZooKeeper"
		case v == nil || v.Epoch != w.Host.Client.Session().Epoch:
		case v.Broken != nil:
			return nil, v.Broken
		case v.Settled || failover || !v.Enabled:
			return v, nil // A disabled instance runs nothing, even during a resharding.
		case v.Stuck != nil:
			return nil, v.Stuck
		default:
			waiting = v.Waiting
		}
		if logAfter == nil {
			logAfter = time.NewTimer(5 * time.Second)
			defer logAfter.Stop()
		}
		select {
		case <-changed:
		case <-logAfter.C:
			if w.Host.Client.State() == zk.Connected { // An outage has its own log line, one for all jobs.
				w.Log.Warn("a run is waiting", "for", waiting)
			}
		case <-w.Life.Done():
			return nil, context.Cause(w.Life)
		}
		w.mu.Lock()
		open, taken := w.open, len(w.queue.taken) > 0
		w.mu.Unlock()
		switch {
		case !open:
			return nil, host.ErrStopping
		case taken && !failover:
			return nil, errGivesWay
		}
	}
}

// run makes one run. It begins again if the assignment changes in between.
func (w *Worker) run(r request) error {
	r.meeting = new(barrier.Meeting)
	if !r.concurrent {
		w.mu.Lock()
		w.queue.passed = time.Time{}
		w.mu.Unlock()
	}
	if s := r.failover; s != nil {
		defer w.releaseShard(s.Number, s.reserved)
	}
	for waited, again := false, false; ; waited, again = true, true {
		r.at = firetime.Later(r.at, r.meeting.FireTime)
		v, late, err := w.awaitView(&r)
		if v == nil || err != nil {
			return err
		}
		waited = waited || late
		b := w.newBatch(v, r)
		b.marked = b.marked && !again // A failed attempt has removed the markers.
		b.decided.late = r.kind == misfired || r.kind == fireTime && waited
		if err := b.ResolveNames(); err != nil {
			w.offerAgain(r.failover)
			return err
		}
		due, err := w.stillDue(&r, b, waited)
		if zk.Retriable(err) {
			w.awaitChange()
			continue
		}
		if err != nil || !due {
			return err
		}
		if r.kind == misfired {
			if err := b.removeSettledMarkers(); err != nil || len(b.shards) == 0 {
				return err
			}
		}
		if repeat, err := w.attempted(r, v, b.runBatch()); !repeat {
			return err
		}
	}
}

// awaitView waits for the view of a run. The view is nil if there is nothing left to run. late
// reports that the wait took long, or that the run is late anyway.
func (w *Worker) awaitView(r *request) (v *view.View, late bool, err error) {
	before := time.Now()
	v, err = w.awaitSettled(r.failover != nil)
	late = time.Since(before) > time.Millisecond || w.Host.Time().Sub(r.at) > lateRun
	if err != nil {
		w.offerAgain(r.failover)
	}
	if errors.Is(err, host.ErrStopping) || errors.Is(err, host.ErrShutdown) {
		return nil, late, nil
	}
	if err != nil {
		return nil, late, err
	}
	if r.failover != nil && r.failover.epoch != v.Epoch {
		return nil, late, nil // The claim vanished with its session.
	}
	return v, late, nil
}

// stillDue checks clocks, schedule and records: whether there is a fire time to run, which one, and
// which shards have already run for it. After a retriable error the answer is unknown.
func (w *Worker) stillDue(r *request, b *batch, waited bool) (bool, error) {
	if err := w.checkClock(b.view); zk.Retriable(err) {
		return false, err // No server has reported its time.
	} else if err != nil {
		if err := w.handle(w.Life, err); err != nil {
			w.refuse(r.failover)
			return false, err
		}
	}
	if r.kind == misfired && (b.view.Hold.Schedule() || !b.view.Config.Misfire) {
		return false, nil // The markers stay. The release or the leader settles them.
	}
	if r.kind != fireTime {
		return true, nil
	}
	if b.view.Hold.Schedule() {
		if !r.early || !w.Fires.Keep(r.at) {
			w.suppress(r.at)
		}
		return false, nil
	}
	late := w.Host.Time().Sub(r.at)
	if late < -timers.ClockSet {
		// If it ran now, it would count for the fire times until then, which are still to come.
		w.Log.Info("fire time postponed: the clock was set back while it waited", "scheduled", r.at, "early", -late)
		return false, nil
	}
	if !b.view.Config.Misfire && late > w.Host.Client.Session().Timeout {
		w.Log.Info("fire time skipped: it's too late, and misfire is off", "scheduled", r.at, "late", late)
		return false, nil
	}
	if waited {
		if due, err := b.updateFireTime(); err != nil || !due {
			return false, err
		}
		r.at = b.at
	}
	if !firerecord.Enabled(b.view.Config) {
		return true, nil
	}
	err := b.leaveOutCompleted(waited)
	return err == nil, err
}

// attempted decides from the result of an attempt whether the run must begin again. If so, it waits
// for a change first; if not, it returns the run's error.
func (w *Worker) attempted(r request, v *view.View, err error) (again bool, _ error) {
	switch {
	case errors.Is(err, errLeft):
		if r.early {
			w.Fires.Keep(r.at)
		}
		return false, nil
	case errors.Is(err, errOutdated):
		return w.Fires.Fires(r.at), nil // Unless the schedule has changed.
	case r.failover != nil && (errors.Is(err, errStale) || v.Epoch != w.Host.Client.Session().Epoch):
		return false, nil // The claim vanished with the session, or an operator removed it.
	case err == nil:
		return false, nil
	case !errors.Is(err, errStale) && !zk.Retriable(err):
		return false, err
	}
	w.Log.Debug("run begins again", "scheduled", r.at, "err", err)
	// The cause will reach the view unless its watch event was lost, so compare everything.
	w.Cache.Suspect()
	w.awaitChange()
	return true, nil
}

// awaitChange makes control look again, and waits until control has seen a change or some time has
// passed.
func (w *Worker) awaitChange() {
	_, changed := w.Latest.Get()
	w.job.Kick()
	_ = nodes.AwaitChange(w.Life, changed, nodes.RetryLast) // The next look notices the end of Life.
}

// checkClock compares the clocks if the job asks for it. As in ElasticJob, the error is reported,
// and the run goes on unless the error handler throws.
func (w *Worker) checkClock(v *view.View) error {
	most, checked := v.Config.MaxTimeDiff()
	if !checked {
		return nil
	}
	ctx, cancel := context.WithTimeout(w.Life, nodes.StepTimeout)
	defer cancel()
	path := w.Tree.SystemTime()
	if err := w.Nodes.Ensure(ctx, path); err != nil {
		return err
	}
	stat, err := w.Host.Client.Set(ctx, path, nil, zk.AnyVersion)
	if err != nil {
		return err
	}
	if diff := w.Host.Time().Sub(stat.Mtime).Abs(); diff > most {
		return fmt.Errorf("Time different between job server and register center exceed '%d' seconds, max time different is '%d' seconds.",
			int(diff.Seconds()), v.Config.MaxTimeDiffSeconds)
	}
	return nil
}
