package run

import (
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Rearm follows the clock after it was set back.
func (w *Worker) Rearm(since time.Time) {
	w.Fires.Rearm(since, w.serves())
}

// OnFire takes the fire time that has come. It runs on the timer goroutine.
func (w *Worker) OnFire(time.Time) {
	f, come := w.takeFire()
	switch {
	case !come:
	case f.suppressed:
		w.suppress(f.at)
	case !f.executing:
		w.enqueue(func(q *queue) { q.fire, q.early = f.at, f.early })
	default:
		// The fire time passes while the previous run still works. That may be the
		// nature of the job, so it is logged less and less often.
		if f.overruns&(f.overruns-1) == 0 && w.Host.Client.State() == zk.Connected {
			w.Log.Warn("a fire time passed while the previous run still works", "scheduled", f.at, "times", f.overruns, "running", w.Calls.Running())
		}
		w.NoteMissed(f.epoch, f.missed)
	}
}

// comingFire is a fire time for which the cron timer went off.
type comingFire struct {
	at        time.Time
	early     bool // it has yet to come
	executing bool // a run works
	epoch     uint64
	missed    []int // shards that a run that works keeps from it
	overruns  int
	// suppressed says that the schedule is held.
	suppressed bool
}

// takeFire sets the cron timer for the next fire time. It reports false if the
// present one is still to be waited for.
func (w *Worker) takeFire() (comingFire, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	latest, _ := w.Latest.Get()
	// The run that works may be of an earlier session. This instance has looked back when it
	// returned, and that was before this fire time.
	f := comingFire{executing: w.queue.executing, epoch: w.Host.Client.Session().Epoch}
	f.suppressed = latest != nil && latest.Hold.Schedule()
	at, early, taken := w.Fires.Take(f.executing || f.suppressed)
	if f.at, f.early = at, early; !taken {
		return f, false // Whether it is missed, or held, shows when it comes.
	}
	if f.suppressed {
		return f, true
	}
	if latest != nil && latest.Enabled {
		w.Host.Report(w.Tree.Name(), host.Observation{Event: host.Fired})
	}
	f.missed = w.Latest.Shards()
	if running := w.queue.runningView(); running != nil && running.Epoch == f.epoch {
		// The present view may have no shards: a resharding waits for this run,
		// or a failover runs, whose view need not be settled. Or it has others,
		// that came here during the run.
		f.missed = append(f.missed, running.EnabledShards()...)
	}
	f.missed = slices.DeleteFunc(f.missed, latest.SwitchedOff)
	if f.executing {
		w.queue.overruns++
		w.queue.passed = f.at
		f.overruns = w.queue.overruns
	}
	return f, true
}

// The markers of a run take a transaction, and with a thousand jobs at one second the last of
// them many. So that handlers start at their fire time and not when the markers are made, a run
// gets ready a little earlier (see package schedule). Leaders leave shards that are marked running
// alone, so nothing else changes hands until then.
//
// Without monitorExecution there are no markers, and nothing holds the shards of a run that is
// ready. It gets ready all the same, because looking for the shards of a thousand jobs takes its
// time, too, but any change until the fire time makes it begin again: the view that holds at the
// fire time decides.

// errOutdated says that something has changed while a run without markers waited
// for its fire time: it is to begin again.
var errOutdated = errors.New("the view changed before the fire time")

// awaitFireTime waits until the fire time of a run that is ready. It fails with
// errLeft if the run must not begin any more, because others run the shards then,
// and with errOutdated if it must get ready again.
func (b *batch) awaitFireTime() error {
	w := b.worker
	if !b.early {
		return nil
	}
	shards := b.view.EnabledShards()
	if err := b.restUntilFireTime(); err != nil || !b.view.Config.MonitorExecution {
		return err
	}
	// A process that was frozen meanwhile finds out by the clock that the shards are
	// no longer its own, and before anybody has notified it.
	if !w.Host.Client.MayHold(b.view.Epoch) {
		return errLeft
	}
	if !b.view.Settled || !b.view.Enabled {
		return nil // It runs nothing, on purpose.
	}
	// If a shard came here after this run had listed its shards, the fire time was still to come,
	// so neither run covers it. Ready comes first, so that control or we see a shard that comes now.
	w.Fires.Ready(b.at, shards)
	w.NoteMissed(b.view.Epoch, w.Latest.Missing(shards))
	return nil
}

// restUntilFireTime is the waiting of awaitFireTime.
func (b *batch) restUntilFireTime() error {
	b.handlers.place = b.worker.Host.Gates.Enter(b.at, schedule.HeadStart)
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
			if b.view.Config.MonitorExecution || b.worker.Life.Err() != nil {
				return errLeft
			}
			return errOutdated
		}
	}
}

// stillReady reports whether what a run got ready by still holds, and what closes when
// that may change. It ends the waiting of a run that goes on or is given up. A thousand
// runs ask at their fire time, so it takes each lock once.
func (b *batch) stillReady(waiting bool) (changed <-chan struct{}, err error) {
	w := b.worker
	bare := !b.view.Config.MonitorExecution
	present := !bare || w.present(b.view)
	latest, changed := w.Latest.Get()
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

// without returns what is in list and not in others.
func without(list, others []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return slices.Contains(others, n) })
}
