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
	request
	worker *Worker
	view   *view.View
	epoch  uint64 // of the view, also while the view is being corrected
	shards []view.Shard
	missed []int            // own shards that run elsewhere: a failover, an earlier fire time, an earlier owner
	claim  *requested.Claim // on shards of a requested run, nil for other batches
	ctx    context.Context
	cancel context.CancelCauseFunc

	decided  decision
	handlers handlers
	ledger   misfire.Run // the batch, from the ledger's point of view

	marked   bool // the shards may be marked running
	ended    bool // the handlers came to their end, also if no record shows it
	outlives bool // it doesn't end with its session; guarded by Worker.mu
}

// decision is the state of the tree by which a run was decided.
type decision struct {
	// picked are the shards that the view gave the batch. If the records show a shard as completed
	// for the fire time checkedFor, batch.shards doesn't have it.
	picked     []view.Shard
	checkedFor time.Time
	late       bool            // for a fire time that has passed: the settings decide whether it is run
	since      time.Time       // the era of the job, for a misfire run
	noted      firerecord.Note // the node of the era, also for a regular run that comes late
	records    misfire.ByShard // the fire records
	// superseded is the fire time of an earlier run of these shards that was interrupted, if this
	// run takes its place; else zero.
	superseded time.Time
}

// handlers are the handlers of a batch and how they ended.
type handlers struct {
	turn      string // makes taskID unique
	taskID    string
	params    map[int]string
	parallel  int // shards that run side by side
	listeners []host.NamedListener
	origin    origin
	place     *gate.Place // where the batch waits for its fire time, nil if that has come
	hasPlace  bool        // a place for its one handler was taken before it was claimed
	performed time.Time   // when the batch began, by the monotonic clock as well; zero before
	began     time.Time   // when the handlers were called
	// listenerFailed is set if a call of a listener failed.
	listenerFailed bool
	// interrupted are the shards that were cancelled before they came to their end: their fire time
	// is not completed.
	interrupted map[int]bool
}

// newBatch picks the shards of a run: those claimed by failover, or the own
// ones that are neither disabled nor run by somebody as a failover.
func (w *Worker) newBatch(v *view.View, r request) *batch {
	b := &batch{worker: w, request: r, view: v, epoch: v.Epoch, handlers: handlers{turn: jobtree.NewTurn()}}
	if r.failover != nil {
		b.shards, b.marked = []view.Shard{r.failover.Shard}, r.failover.reserved != nil
	} else if v.Enabled && !w.hadItsTurn(v, r) {
		for _, s := range v.Shards {
			if r.kind == fireTime && s.HasFired(r.at, w.Host.Time()) {
				w.Log.Info("fire time left out: the previous owner, whose clock is ahead, has completed it", "shard", s.Number, "scheduled", r.at)
				continue
			}
			if r.kind == fireTime && s.Enabled.After(r.at) {
				continue // It was disabled at the fire time, and the run has waited since.
			}
			if r.kind == fireTime && w.Misfires.Completed(s.Number, r.at) {
				continue // Made up for while it waited for its turn.
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

// equip finds what the stored configuration names. A name nobody knows fails
// each run with an error that says so, and no other job.
func (b *batch) equip() (err error) {
	w := b.worker
	if b.handlers.parallel, err = host.Parallel(b.view.Config.ExecutorType, w.Def.Plugins.Executors); err != nil {
		return err
	}
	if b.handlers.listeners, err = host.ResolveListeners(b.view.Config.ListenerTypes, w.Def.Plugins.Listeners); err != nil {
		return err
	}
	return w.Errors.Update(w.Life, b.view.Config.ErrorHandlerType, b.view.Config.Props)
}

// due is what the batch runs for.
func (b *batch) due() jobtree.Due {
	if b.failover != nil {
		return b.failover.due
	}
	return jobtree.Due{At: b.at, Trigger: b.kind != fireTime && b.kind != misfired}
}

// fires reports whether the batch runs for a fire time, and so completes one. A trigger
// doesn't: a record of it would hide for which fire time the shard ran before.
func (b *batch) fires() bool { return b.due().Known() && !b.due().Trigger }

// madeUp reports whether the batch has made up for what its markers stand for: they
// go then, recorded or not, or it would be made up for again and again.
func (b *batch) madeUp() bool { return b.ended && b.kind == misfired }

func (b *batch) numbers() []int { return view.Numbers(b.shards) }

// retain drops the shards at the positions for which ok is false.
func (b *batch) retain(ok func(position int) bool) {
	var retained []view.Shard
	for k, s := range b.shards {
		if ok(k) {
			retained = append(retained, s)
		}
	}
	b.shards = retained
}

// runBatch marks, executes and clears one batch.
func (b *batch) runBatch() error {
	w := b.worker
	b.ctx, b.cancel = context.WithCancelCause(w.Host.Life)
	defer func() { b.cancel(nil) }()
	if !b.beginExecution() {
		w.offerAgain(b.failover)
		return nil
	}
	defer b.endExecution()
	if err := b.getReady(); err != nil {
		return b.takeBack(err)
	}
	w.NoteMissed(b.view.Epoch, b.missed)
	if len(b.shards) == 0 && b.failover != nil {
		return nil // They run elsewhere at this moment.
	}
	if len(b.shards) == 0 && b.kind == misfired {
		w.pauseMisfires() // They run elsewhere at this moment.
		return nil
	}
	b.handlers.taskID = jobtree.TaskID(w.Tree.Name(), b.numbers(), b.view.ID, b.handlers.turn)
	defer func() { b.handlers.place.Leave() }()
	return b.perform()
}

// getReady does what comes before the fire time: listeners that are called once, and
// the markers.
func (b *batch) getReady() (err error) {
	// A lost session ends b.ctx by now. What was asked of the server before
	// may have been answered under the next one, and the view be the last one's.
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
	return b.numberTurn()
}

// takeBack removes what an attempt that failed with err may have left in the tree, and
// returns err, or why that cannot be removed. It comes while the batch still holds its
// shards: the markers of another batch of this process look the same.
func (b *batch) takeBack(err error) error {
	w := b.worker
	switch {
	case errors.Is(err, errStale):
	case zk.Retriable(err) && (b.view.Config.MonitorExecution || b.marked):
		// The markers may have been made although no answer came. A leader
		// that is about to reshard would wait for them, and we for the leader.
		w.mu.Lock()
		b.retain(func(k int) bool { return w.queue.holds(b, b.shards[k].Number) })
		w.mu.Unlock()
		w.Misfires.Forget(b.numbers())
		if err := w.untilAnswered(b.view.Epoch, b.unmark); err != nil {
			return err
		}
	case !zk.Retriable(err) && b.failover != nil:
		return errors.Join(err, b.clear(false)) // Nobody else may take a shard while it is claimed.
	}
	return err
}

// begin waits for the fire time if the batch is early, and tells that it begins. Nothing
// may run if it fails.
func (b *batch) begin() error {
	w := b.worker
	if err := b.awaitFireTime(); err != nil {
		return err
	}
	if w.keepsRows() {
		b.postStatus(tracing.StateStaging, "Job '"+w.Tree.Name()+"' execute begin.")
	}
	b.handlers.performed, b.handlers.origin = time.Now(), b.originOf()
	if len(b.shards) > 0 {
		w.Host.Report(w.Tree.Name(), host.Observation{Event: host.RunBegan, Source: b.kind.source(), Items: len(b.shards)})
	}
	if err := b.before(); err != nil || len(b.shards) == 0 {
		return err
	}
	b.postStatus(tracing.StateRunning, "")
	b.handlers.began = w.Host.Time()
	w.Obstacles.Clear(obstacle.Run)
	return nil
}

// perform calls listeners and handlers and concludes the batch.
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

// conclude clears the markers and reports what came of the shards; thrown is what the
// error handler made of the only shard's failure.
func (b *batch) conclude(failures map[int]error, thrown error) error {
	b.worker.observeRun(b, len(failures))
	b.countFailure(failures)
	if b.claim != nil {
		b.claim.Settle(b.results(failures))
	} else {
		b.awaitJavasLook()
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
			b.worker.Obstacles.Recover(obstacle.ListenerFails)
		}
	}
	if thrown != nil {
		return ranError{thrown}
	}
	return nil
}

// giveUp ends a batch that could not begin: another one is to run the shards, or a
// listener has stopped it.
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

// ranError is how a run ended that was made: nothing of it is to be made up for.
type ranError struct{ error }

func (e ranError) Unwrap() error { return e.error }

// present reports whether a view was read under the session that there is.
func (w *Worker) present(v *view.View) bool {
	return w.Host.Client.ConnectedIn(v.Epoch)
}

// finish removes what says that the batch runs.
func (b *batch) finish(completed bool) {
	w := b.worker
	err := b.clear(completed)
	switch {
	case err != nil:
		w.Log.Error("running markers could not be cleared", "shards", b.numbers(), "err", err)
	case completed && !w.keepsSession(b.epoch):
		w.Misfires.Remember(&b.ledger, slices.DeleteFunc(b.numbers(), func(n int) bool { return b.handlers.interrupted[n] }), b.due())
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
	if !b.beside {
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
	w.queue.executing = w.queue.executing && b.beside
	if !b.beside {
		w.queue.awaited = w.queue.awaited || w.queue.overruns > 0 // They may have to be made up for.
		w.queue.overruns = 0
	}
}
