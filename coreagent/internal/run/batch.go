package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/gate"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// batch is one run of this instance's shards.
type batch struct {
	*Parts
	request
	worker *Worker
	view   *view.View
	epoch  uint64 // of the view; stays the same when the view is corrected
	shards []view.Shard
	missed []int            // own shards that run elsewhere, for example as a failover
	claim  *requested.Claim // the claim, if a requested run claimed the shards; else nil
	ctx    context.Context
	cancel context.CancelCauseFunc

	decided  decision
	handlers handlers
	ledger   misfire.Run // the run in the misfire ledger

	marked   bool // the shards may be marked running
	ended    bool // the handlers have returned, even if that couldn't be recorded
	outlives bool // the batch may outlive its session; guarded by Worker.mu
}

// decision is the state of the tree that a run's decision is based on.
type decision struct {
	// picked are the shards that the view assigned to the batch. batch.shards lacks the ones that
	// the records show as completed for the fire time checkedFor.
	picked     []view.Shard
	checkedFor time.Time
	late       bool            // the fire time has passed, so the settings decide whether it should still run
	since      time.Time       // the start of the job's era, for a misfire run
	noted      firerecord.Note // the era node, also for a late regular run
	records    misfire.ByShard // the fire records
	// superseded is the fire time of an interrupted run of these shards that this run replaces.
	// Zero if there is none.
	superseded time.Time
}

// handlers are the handlers of a batch and their results.
type handlers struct {
	turn      string // makes taskID unique
	taskID    string
	params    map[int]string
	parallel  int // shards that run in parallel
	listeners []host.NamedListener
	origin    origin
	place     *gate.Place // where the batch waits for its fire time; nil once it has passed
	hasPlace  bool        // a place in MaxParallel was reserved for its only handler before the claim
	performed time.Time   // when the batch began, with a monotonic reading; zero before
	began     time.Time   // when the handlers were called
	// listenerFailed is set if a call of a listener failed.
	listenerFailed bool
	// returned are the errors that the handlers returned, by shard; not all of them are failures.
	returned map[int]error
	// interrupted are the shards whose handlers were cancelled before they returned. Their fire
	// time isn't completed.
	interrupted map[int]bool
}

func (w *Worker) emptyBatch(v *view.View, r request) *batch {
	return &batch{Parts: w.Parts, worker: w, request: r, view: v, epoch: v.Epoch, handlers: handlers{turn: jobtree.NewTurn()}}
}

// newBatch picks the shards of a run: a claimed failover shard, or our own shards that are neither
// disabled nor running elsewhere as a failover.
func (w *Worker) newBatch(v *view.View, r request) *batch {
	b := w.emptyBatch(v, r)
	if r.failover != nil {
		b.shards, b.marked = []view.Shard{r.failover.Shard}, r.failover.reserved != nil
	} else if v.Enabled && !w.alreadyRan(v, r) {
		for _, s := range v.Shards {
			if r.kind == fireTime && s.HasFired(r.at, w.Host.Time()) {
				w.Log.Info("fire time skipped: the previous owner has completed it, because its clock is ahead", "shard", s.Number, "scheduled", r.at)
				continue
			}
			if r.kind == fireTime && s.Enabled.After(r.at) {
				continue // It was disabled at the fire time and enabled while the run waited.
			}
			if r.kind == fireTime && w.Misfires.Completed(s.Number, r.at) {
				continue // A misfire run has made up for it while this run waited for its turn.
			}
			if r.kind == fireTime && s.Taken && !s.Disabled {
				b.missed = append(b.missed, s.Number)
			}
			if s.Runnable() && (r.kind != misfired || s.Misfired) {
				b.shards = append(b.shards, s)
			}
		}
	}
	b.decided.picked = b.shards
	return b
}

// ResolveNames resolves the names in the stored configuration. An unknown name fails each run of this job,
// but no other job.
func (b *batch) ResolveNames() (err error) {
	if b.handlers.parallel, err = host.Parallel(b.view.Config.ExecutorType, b.Def.Plugins.Executors); err != nil {
		return err
	}
	if b.handlers.listeners, err = host.ResolveListeners(b.view.Config.ListenerTypes, b.Def.Plugins.Listeners); err != nil {
		return err
	}
	return b.Errors.Update(b.Life, b.view.Config.ErrorHandlerType, b.view.Config.Props)
}

func (b *batch) due() jobtree.Due {
	if b.failover != nil {
		return b.failover.due
	}
	return jobtree.Due{At: b.at, Trigger: b.kind != fireTime && b.kind != misfired}
}

// fires reports whether the batch runs for a fire time, and so completes one. A trigger
// doesn't: a record of it would hide for which fire time the shard ran before.
func (b *batch) fires() bool { return b.due().Known() && !b.due().Trigger }

// isMakeup reports whether the batch has made up for its misfire markers. They must go then, even if
// nothing could be recorded; otherwise they would cause one misfire run after another.
func (b *batch) isMakeup() bool { return b.ended && b.kind == misfired }

func (b *batch) numbers() []int { return view.Numbers(b.shards) }

// retain keeps the shards at the positions for which ok is true.
func (b *batch) retain(ok func(position int) bool) {
	var retained []view.Shard
	for k, s := range b.shards {
		if ok(k) {
			retained = append(retained, s)
		}
	}
	b.shards = retained
}

func (b *batch) runBatch() error {
	w := b.worker
	b.ctx, b.cancel = context.WithCancelCause(b.Host.Life)
	defer func() { b.cancel(nil) }()
	if !b.beginExecution() {
		w.offerAgain(b.failover)
		return nil
	}
	defer b.endExecution()
	if err := b.getReady(); err != nil {
		return b.rollBack(err)
	}
	w.NoteMissed(b.view.Epoch, b.missed)
	if len(b.shards) == 0 && b.failover != nil {
		return nil // It runs elsewhere right now.
	}
	if len(b.shards) == 0 && b.kind == misfired {
		w.pauseMisfires() // They run elsewhere right now.
		return nil
	}
	b.handlers.taskID = jobtree.TaskID(b.Tree.Name(), b.numbers(), b.view.ID, b.handlers.turn)
	defer func() { b.handlers.place.Leave() }()
	return b.perform()
}

// getReady does everything that comes before the fire time: the once-per-run listeners and the
// markers.
func (b *batch) getReady() (err error) {
	// A lost session has ended b.ctx already. An earlier request may have been answered under the
	// next session while the view is from the previous one.
	if !b.worker.present(b.view) {
		return fmt.Errorf("begin a run: %w", zk.ErrUnavailable)
	}
	if len(b.shards) == 0 {
		return nil
	}
	if b.handlers.params, err = jobconfig.ParseItemParameters(b.view.Config.ItemParameters); err != nil {
		return err
	}
	if err := b.beforeOnce(); err != nil {
		return err
	}
	if !b.view.Config.MonitorExecution && !b.marked {
		return nil
	}
	if err := b.mark(); err != nil {
		return err
	}
	if err := b.stillReleased(); err != nil {
		return err
	}
	return b.raiseToken()
}

// rollBack removes the nodes that an attempt failing with err may have left in the tree. It returns
// err, or the reason why they can't be removed. It must run while the batch still holds its shards,
// because the markers of another batch of this process look the same.
func (b *batch) rollBack(err error) error {
	w := b.worker
	switch {
	case errors.Is(err, errStale):
	case zk.Retriable(err) && (b.view.Config.MonitorExecution || b.marked):
		// The markers may exist although no reply came. A leader that is about to reshard would
		// wait for them, and we would wait for the leader.
		w.mu.Lock()
		b.retain(func(k int) bool { return w.queue.holds(b, b.shards[k].Number) })
		w.mu.Unlock()
		b.Misfires.Forget(b.numbers())
		if err := w.untilAnswered(b.view.Epoch, b.unmark); err != nil {
			return err
		}
	case !zk.Retriable(err) && b.failover != nil:
		return errors.Join(err, b.clear(false)) // No other agent may take a shard while it's claimed.
	}
	return err
}

// begin waits for the fire time if the batch is early, and announces the start. If it fails, no
// handler may run.
func (b *batch) begin() error {
	w := b.worker
	b.handlers.origin = b.originOf() // Before the fire time, because a thousand jobs may begin then.
	if err := b.awaitFireTime(); err != nil {
		return err
	}
	if w.recordsRows() {
		b.postStatus(tracing.StateStaging, "Job '"+b.Tree.Name()+"' execute begin.")
	}
	b.handlers.performed = time.Now()
	if len(b.shards) > 0 {
		b.Host.Report(b.Tree.Name(), host.Observation{Event: host.RunBegan, Source: b.kind.source(), Items: len(b.shards)})
	}
	if err := b.before(); err != nil || len(b.shards) == 0 {
		return err
	}
	b.postStatus(tracing.StateRunning, "")
	b.handlers.began = b.Host.Time()
	b.Obstacles.Clear(obstacle.Run)
	return nil
}

func (b *batch) perform() error {
	if err := b.begin(); err != nil {
		return b.giveUp(err)
	}
	if len(b.shards) == 0 {
		b.postStatus(tracing.StateFinished, fmt.Sprintf("Sharding item for job '%s' is empty.", b.worker.Name()))
		return b.after(nil)
	}
	return b.conclude(b.executeShards())
}

// conclude clears the markers and reports the results of the shards. thrown is the error that the
// error handler returned for the only shard.
func (b *batch) conclude(failures map[int]error, thrown error) error {
	b.worker.observeRun(b, len(failures))
	b.countFailure(failures)
	if b.claim != nil {
		b.claim.Settle(b.results())
	} else {
		b.awaitJavaAgents()
		b.finish(true)
		b.refire(failures)
	}
	if len(failures) > 0 {
		b.postStatus(tracing.StateError, failureText(failures))
	} else {
		b.postStatus(tracing.StateFinished, "")
	}
	if thrown == nil {
		thrown = b.after(failures)
		if !b.handlers.listenerFailed {
			b.Obstacles.Recover(obstacle.ListenerFails)
		}
	}
	if thrown != nil {
		return ranError{thrown}
	}
	return nil
}

// giveUp ends a batch that could not begin because another one should run the shards, or because a
// listener stopped it.
func (b *batch) giveUp(err error) error {
	w := b.worker
	if b.handlers.performed.IsZero() {
		if len(b.shards) > 0 {
			b.finish(false)
		}
		return err
	}
	if len(b.shards) > 0 {
		w.observeRun(b, len(b.shards))
	}
	if b.claim != nil {
		b.claim.SettleAll(runs.Result{Err: err.Error()})
	} else {
		b.finish(false)
	}
	b.postStatus(tracing.StateError, err.Error())
	return err
}

// ranError wraps the error of a run that did execute. It must not be retried as a misfire.
type ranError struct{ error }

func (e ranError) Unwrap() error { return e.error }

// present reports whether a view was read under the current session.
func (w *Worker) present(v *view.View) bool {
	return w.Host.Client.ConnectedIn(v.Epoch)
}

func (b *batch) finish(completed bool) {
	w := b.worker
	err := b.clear(completed)
	switch {
	case err != nil:
		b.Log.Error("running markers could not be cleared", "shards", b.numbers(), "err", err)
	case completed && !w.sessionAlive(b.epoch):
		b.Misfires.Remember(&b.ledger, slices.DeleteFunc(b.numbers(), func(n int) bool { return b.handlers.interrupted[n] }), b.due())
		w.job.Kick()
	}
	if err == nil && completed {
		b.noteCompleted()
	}
}

func (b *batch) beginExecution() bool {
	w := b.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return false
	}
	w.queue.add(b)
	if !b.concurrent {
		w.queue.executing, w.queue.ahead = true, b.early
	}
	return true
}

func (b *batch) endExecution() {
	w := b.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.queue.batches, b)
	maps.DeleteFunc(w.queue.held, func(_ int, holder *batch) bool { return holder == b })
	w.queue.executing = w.queue.executing && b.concurrent
	if !b.concurrent {
		w.queue.awaited = w.queue.awaited || w.queue.overruns > 0 // The missed fire times may need a misfire run.
		w.queue.overruns = 0
	}
}
