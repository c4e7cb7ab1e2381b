package run

import (
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Rearm sets the timer again after the clock was set back.
func (w *Worker) Rearm(since time.Time) {
	w.Fires.Rearm(since, w.serves())
}

// OnFire takes a fire time that has come. It runs on the timer goroutine.
func (w *Worker) OnFire(time.Time) {
	f, come := w.takeFire()
	switch {
	case !come:
	case f.suppressed:
		w.suppress(f.at)
	case !f.executing:
		w.enqueue(func(q *queue) { q.fire, q.early = f.at, f.early })
	default:
		// The previous run is still working. Some jobs always run longer than their interval, so we
		// log it less and less often.
		if f.overruns&(f.overruns-1) == 0 && w.Host.Client.State() == zk.Connected {
			w.Log.Warn("a fire time passed during the previous run", "scheduled", f.at, "times", f.overruns, "running", w.Calls.Running())
		}
		w.NoteMissed(f.epoch, f.missed)
	}
}

// comingFire is a fire time for which the cron timer fired.
type comingFire struct {
	at         time.Time
	early      bool // it hasn't come yet
	executing  bool // a run is under way
	epoch      uint64
	missed     []int // shards that miss it because of the run under way
	overruns   int
	suppressed bool
}

// takeFire sets the cron timer for the next fire time. It reports false if the present fire time
// hasn't come yet.
func (w *Worker) takeFire() (comingFire, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	latest, _ := w.Latest.Get()
	// The run under way may belong to an earlier session. This instance looked for missed fire
	// times when it returned, which was before this fire time.
	f := comingFire{executing: w.queue.executing, epoch: w.Host.Client.Session().Epoch}
	f.suppressed = latest != nil && latest.Hold.Schedule()
	at, early, taken := w.Fires.Take(f.executing || f.suppressed)
	if f.at, f.early = at, early; !taken {
		return f, false // We'll know whether it's missed or suppressed when it comes.
	}
	if f.suppressed {
		return f, true
	}
	if latest != nil && latest.Enabled {
		w.Host.Report(w.Tree.Name(), host.Observation{Event: host.Fired})
	}
	f.missed = w.Latest.Shards()
	if running := w.queue.find(func(b *batch) bool { return !b.concurrent }); running != nil && running.view.Epoch == f.epoch {
		// The current view may lack shards: a resharding waits for this run, or a failover runs,
		// which doesn't need a settled view. Or shards came here during the run.
		f.missed = append(f.missed, running.view.EnabledShards()...)
	}
	f.missed = slices.DeleteFunc(f.missed, latest.SwitchedOff)
	if f.executing {
		w.queue.overruns++
		w.queue.passed = f.at
		f.overruns = w.queue.overruns
	}
	return f, true
}

// Marking the shards of a run takes a transaction. If a thousand jobs fire in the same second, the
// last of them waits for many. So a run gets ready a little early (see package schedule), and its
// handlers start at the fire time. Leaders leave shards with running markers alone, so nothing else
// changes hands until then.
//
// Without monitorExecution there are no markers, so nothing holds the shards of a run that is
// ready. It gets ready early all the same, because looking up the shards of a thousand jobs also
// takes time. But any change before the fire time makes it begin again, because the view at the
// fire time decides.

// errOutdated means that something changed while a run without markers waited for its fire time.
// The run must begin again.
var errOutdated = errors.New("the view changed before the fire time")

// awaitFireTime waits until the fire time of a run that is ready. It fails with errLeft if the run
// must not begin because other instances will run the shards, and with errOutdated if it must get
// ready again.
func (b *batch) awaitFireTime() error {
	w := b.worker
	if !b.early {
		return nil
	}
	shards := b.view.EnabledShards()
	if err := b.restUntilFireTime(); err != nil || !b.view.Config.MonitorExecution {
		return err
	}
	// If the process was frozen, its clock shows that it lost the shards, even before an event
	// arrives.
	if !b.Host.Client.MayHold(b.view.Epoch) {
		return errLeft
	}
	if !b.view.Settled || !b.view.Enabled {
		return nil // It's meant to run nothing.
	}
	// If a shard came here after this run had listed its shards, the fire time was still in the
	// future, so neither run covers it. Call Ready first, so that either control or we see a shard
	// that comes now.
	b.Fires.Ready(b.at, shards)
	w.NoteMissed(b.view.Epoch, b.Latest.Missing(shards))
	return nil
}

// restUntilFireTime is the wait in awaitFireTime.
func (b *batch) restUntilFireTime() error {
	b.handlers.place = b.Host.Gates.Enter(b.at, schedule.HeadStart)
	for waiting := true; ; {
		changed, err := b.stillReady(waiting)
		if err != nil || !waiting {
			return err
		}
		select {
		case <-b.handlers.place.Opened():
			b.handlers.place.Await()
			waiting = false
		case <-changed:
		case <-b.ctx.Done():
			if b.view.Config.MonitorExecution || b.Life.Err() != nil {
				return errLeft
			}
			return errOutdated
		}
	}
}

// stillReady reports whether a run that is ready may go on, and returns a channel that is closed
// when that may change. It ends the wait of a run that goes on or is given up. A thousand runs call
// it at their fire time, so it takes each lock once.
func (b *batch) stillReady(waiting bool) (changed <-chan struct{}, err error) {
	w := b.worker
	bare := !b.view.Config.MonitorExecution
	present := !bare || w.present(b.view)
	latest, changed := b.Latest.Get()
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.open:
		err = errLeft
	case bare && (latest != b.view || !present):
		err = errOutdated
	}
	w.queue.ahead = waiting || err != nil
	return changed, err
}

func without(list, others []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return slices.Contains(others, n) })
}
