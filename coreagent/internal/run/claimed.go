package run

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// runEach claims and runs the next requested run in which every shard takes part.
func (w *Worker) runEach(wanted request) error {
	if w.Requested.OffersClaimed() {
		return nil
	}
	claimed, err := w.claimEach(wanted)
	if !claimed {
		w.Requested.LookLater()
	}
	if zk.Retriable(err) {
		w.Requested.Kick()
		return nil
	}
	return err
}

func (w *Worker) claimEach(wanted request) (claimed bool, err error) {
	v, err := w.awaitSettled(false)
	if errors.Is(err, host.ErrStopping) || errors.Is(err, host.ErrShutdown) {
		return false, nil
	}
	if err != nil || !v.Enabled {
		return false, err
	}
	b := w.emptyBatch(v, wanted)
	b.shards = w.Requested.Claimable(v)
	if err := b.ResolveNames(); err != nil {
		return false, err
	}
	b.ctx, b.cancel = context.WithCancelCause(w.Host.Life)
	defer b.cancel(nil)
	if len(b.shards) == 0 || !b.beginExecution() {
		return false, nil
	}
	defer b.endExecution()
	w.mu.Lock()
	elsewhere, _ := w.queue.occupy(b)
	w.mu.Unlock()
	b.retain(func(k int) bool { return !elsewhere[k] })
	if err := b.readTokens(); err != nil {
		if errors.Is(err, errStale) {
			w.Cache.Suspect() // The view is older than the tree.
			w.job.Kick()
			return false, nil
		}
		return false, err
	}
	c, err := w.Requested.Claim(b.ctx, v, b.shards, b.cancel)
	if c == nil || err != nil {
		return false, err
	}
	b.carry(c)
	return true, b.performClaim()
}

// readTokens reads the fencing tokens from the shards' fire records, because the claim's tokens
// must not be smaller.
func (b *batch) readTokens() error {
	ctx, cancel := context.WithTimeout(b.ctx, b.view.Patience())
	defer cancel()
	return b.checkRecords(zk.UnderSession(ctx, b.Host.Client.Session()))
}

func (b *batch) carry(c *requested.Claim) { b.claim, b.shards, b.marked = c, c.Shards, c.Marked }

func (b *batch) performClaim() (err error) {
	w, c := b.worker, b.claim
	defer c.End()
	if !w.present(b.view) {
		return nil // The session may be lost. We check the claim again under the next one.
	}
	if !c.StillOwned(b.ctx) {
		c.SettleAll(runs.Result{Stopped: true})
		return nil
	}
	c.Begin()
	b.at = c.Due()
	if b.handlers.params, err = jobconfig.ParseItemParameters(b.view.Config.ItemParameters); err != nil {
		c.SettleAll(runs.Result{Err: err.Error()})
		return err
	}
	b.handlers.taskID = jobtree.TaskID(w.Tree.Name(), b.numbers(), b.view.ID, b.handlers.turn)
	if c.Refusal != nil {
		c.SettleAll(runs.Result{Err: c.Refusal.Error(), Permanent: true})
		return nil
	}
	return b.perform()
}

// results returns the results of the shards of a claimed batch. It omits a shard that the loss of
// the session cut short: the next instance that checks its claim runs it again.
func (b *batch) results() map[int]runs.Result {
	results := make(map[int]runs.Result, len(b.shards))
	cause := context.Cause(b.ctx)
	for _, s := range b.shards {
		err := b.handlers.returned[s.Number]
		switch {
		case err == nil:
			results[s.Number] = runs.Result{}
		case !b.handlers.interrupted[s.Number]:
			results[s.Number] = resultOf(err)
		case errors.Is(cause, requested.ErrCancelled):
			results[s.Number] = runs.Result{Err: err.Error(), Cut: true}
		case errors.Is(cause, host.ErrStopping), errors.Is(cause, host.ErrBroken):
			results[s.Number] = runs.Result{Stopped: true}
		}
		if r, known := results[s.Number]; known && !r.Stopped {
			r.Value = b.claim.Result(s.Number)
			results[s.Number] = r
		}
	}
	return results
}

// The remaining methods implement [requested.Job] and [requested.Slot].

func (w *Worker) View() (*view.View, <-chan struct{}) {
	v, changed := w.Latest.Get()
	if !w.serves() {
		return nil, changed
	}
	return v, changed
}

func (w *Worker) Guard(activity string, fn func()) (sound bool) { return w.job.Guard(activity, fn) }

func (w *Worker) Offer() { w.enqueue(func(q *queue) { q.requested = true }) }

func (w *Worker) Free(v *view.View) []view.Shard {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(v.Shards), func(s view.Shard) bool { return !s.Runnable() || w.queue.held[s.Number] != nil })
}

func (w *Worker) Slot(v *view.View, s view.Shard) (_ requested.Slot, full bool) {
	b := w.emptyBatch(v, request{kind: slotted, concurrent: true})
	b.shards, b.handlers.hasPlace = []view.Shard{s}, w.Host.Places != nil
	if !w.reserveShard(s.Number, b) {
		return nil, false
	}
	if !w.Host.Places.Reserve(w) {
		w.releaseShard(s.Number, b)
		return nil, true
	}
	b.ctx, b.cancel = context.WithCancelCause(w.Host.Life)
	return b, false
}

func (w *Worker) Limited() (limited, slow bool) {
	return w.Host.Places != nil, w.Obstacles.Hinders(obstacle.Place)
}

func (b *batch) Cancel(cause error) { b.cancel(cause) }

func (b *batch) Release() {
	b.cancel(nil)
	b.Host.Places.Leave(b.worker)
	b.worker.releaseShard(b.shards[0].Number, b)
}

// Start runs a claim next to the job's other runs.
func (b *batch) Start(c *requested.Claim) {
	w := b.worker
	b.carry(c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.add(b)
	w.startBeside("requested run", b.runSlot, b.Requested.Ring)
}

func (b *batch) runSlot() {
	w := b.worker
	defer func() {
		if b.handlers.hasPlace { // The handler was never called.
			b.Host.Places.Leave(w)
		}
		b.cancel(nil)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.queue.batches, b) // If the job stopped before the batch began, it's still listed.
	}()
	if !b.beginExecution() { // The job is stopping.
		b.claim.SettleAll(runs.Result{Stopped: true})
		return
	}
	defer b.endExecution()
	if err := b.performClaim(); err != nil && b.Host.Life.Err() == nil {
		b.Log.Error("requested run failed", "run", b.claim.Record.ID, "shard", b.shards[0].Number, "err", err)
	}
}
