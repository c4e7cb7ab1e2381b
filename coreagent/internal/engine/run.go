package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// cancelRun ends the contexts of everything under way.
func (j *Job) cancelRun(cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for b := range j.queue.batches {
		b.cancel(cause)
	}
}

// awaitSettled returns a view to run by: registered in the present session and
// with no resharding announced. It waits for that as long as the job serves.
func (j *Job) awaitSettled(failover bool) (*view, error) {
	logAfter := time.NewTimer(5 * time.Second)
	defer logAfter.Stop()
	for {
		v, changed := j.snapshot()
		waiting := "the registration"
		switch {
		case j.env.Client.State() != zk.Connected:
			waiting = "ZooKeeper"
		case v == nil || v.epoch != j.env.Client.Session().Epoch:
		case v.broken != nil:
			return nil, v.broken
		case v.settled || failover || !v.enabled:
			return v, nil // A disabled instance runs nothing, whatever the leader is about to do.
		case v.stuck != nil:
			return nil, v.stuck
		default:
			waiting = v.waiting
		}
		select {
		case <-changed:
		case <-logAfter.C:
			if j.env.Client.State() == zk.Connected { // An outage has its own line in the log, one for all jobs.
				j.log.Warn("a run is waiting", "for", waiting)
			}
		case <-j.life.Done():
			return nil, context.Cause(j.life)
		}
		j.mu.Lock()
		phase := j.phase
		j.mu.Unlock()
		if phase != serving {
			return nil, ErrStopping
		}
	}
}

// errStale says that the items of a run were not ours any more when they were
// marked: look again.
var errStale = errors.New("assignment changed before the run was marked")

// run makes one run, beginning again when the assignment changes under it.
func (j *Job) run(r request) error {
	r.meeting = new(barrier.Meeting)
	defer j.letGo(r.failover)
	for waited, again := false, false; ; waited, again = true, true {
		before := time.Now()
		v, err := j.awaitSettled(r.failover != nil)
		waited = waited || time.Since(before) > time.Millisecond || j.env.now().Sub(r.at) > lateRun
		if waited {
			r.asked = time.Time{} // It did not take that long to get ready.
		}
		if err != nil {
			j.giveBack(r.failover)
		}
		if errors.Is(err, ErrStopping) || errors.Is(err, ErrShutdown) {
			return nil
		}
		if err != nil {
			return err
		}
		if r.failover != nil && r.failover[0].claimed != v.epoch {
			return nil // The claim went with its session.
		}
		b := j.newBatch(v, r)
		b.marked = b.marked && !again // An attempt that failed has taken the marks back.
		if err := j.equip(b); err != nil {
			j.giveBack(r.failover)
			return err
		}
		if err := j.checkClock(v); zk.Retriable(err) {
			j.awaitChange() // No server has told its time.
			continue
		} else if err != nil {
			if err := j.handle(j.life, err); err != nil {
				j.refuse(r.failover)
				return err
			}
		}
		late := j.env.now().Sub(r.at)
		if r.regular && late < -timers.ClockSet {
			// To run it now would count for those until then, which are to come.
			j.log.Info("fire time put off: the clock was set back while it waited", "scheduled", r.at, "early", -late)
			return nil
		}
		if r.regular && !v.config.Misfire && late > j.env.Client.Session().Timeout {
			j.log.Info("fire time skipped: it could not be kept, and misfire is off", "scheduled", r.at, "late", late)
			return nil
		}
		if r.regular && waited {
			at, still, err := j.stillFires(v, r.at)
			if zk.Retriable(err) {
				j.awaitChange()
				continue
			}
			if err != nil || !still {
				return err
			}
			b.at, r.at = at, at
		}
		if r.regular && firerecord.Kept(v.config) {
			err := j.dropKept(b, waited)
			if zk.Retriable(err) {
				j.awaitChange()
				continue
			}
			if err != nil {
				return err
			}
		}
		if r.source == tracing.SourceMisfire {
			if err := j.dropSettledMisfires(b); err != nil {
				return err
			}
			if len(b.items) == 0 {
				return nil
			}
		}
		err = j.runBatch(b)
		if errors.Is(err, errLeft) {
			if r.early {
				j.keepFireTime(r.at)
			}
			return nil
		}
		if errors.Is(err, errOutdated) {
			if !j.fires(r.at) {
				return nil // There is another schedule now.
			}
			continue
		}
		if r.failover != nil && (errors.Is(err, errStale) || v.epoch != j.env.Client.Session().Epoch) {
			return nil // The claim is gone, with the session or by an operator.
		}
		if !errors.Is(err, errStale) && !zk.Retriable(err) {
			if err != nil {
				err = errors.Join(err, j.drop(b))
			}
			return err
		}
		j.log.Debug("run begins again", "scheduled", r.at, "err", err)
		if !errors.Is(err, errStale) && (v.config.MonitorExecution || b.marked) {
			// The marks may have been made although no answer came. A leader
			// that is about to reshard would wait for them, and we for the leader.
			if err := j.untilAnswered(b, func(ctx context.Context) error { return j.unmark(ctx, b) }); err != nil {
				return err
			}
		}
		// Whatever made it stale is on its way to the view, unless its watch
		// event was lost: have everything compared.
		j.cache.Suspect()
		j.awaitChange()
	}
}

// awaitChange has control look again and waits until it has seen something, or
// some time has passed.
func (j *Job) awaitChange() {
	_, changed := j.snapshot()
	j.kick()
	pause := time.NewTimer(retryLast)
	defer pause.Stop()
	select {
	case <-changed:
	case <-pause.C:
	case <-j.life.Done():
	}
}

// checkClock compares the clocks if the job asks for it, by ElasticJob's rule:
// the error is reported, and the run goes on unless the error handler throws.
func (j *Job) checkClock(v *view) error {
	most, checked := v.config.MaxTimeDiff()
	if !checked {
		return nil
	}
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	path := j.tree.SystemTime()
	if err := j.nodes.Ensure(ctx, path); err != nil {
		return err
	}
	stat, err := j.env.Client.Set(ctx, path, nil, zk.AnyVersion)
	if err != nil {
		return err
	}
	if diff := j.env.now().Sub(stat.Mtime).Abs(); diff > most {
		return fmt.Errorf("Time different between job server and register center exceed '%d' seconds, max time different is '%d' seconds.",
			int(diff.Seconds()), v.config.MaxTimeDiffSeconds)
	}
	return nil
}
