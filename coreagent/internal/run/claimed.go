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
	b := &batch{worker: w, request: wanted, view: v, epoch: v.Epoch, shards: w.Requested.Claimable(v), handlers: handlers{turn: jobtree.NewTurn()}}
	if err := b.resolveNames(); err != nil {
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
	return b.checkRecords(zk.UnderSession(ctx, b.worker.Host.Client.Session()))
}

// carry makes the batch run a claim.
func (b *batch) carry(c *requested.Claim) { b.claim, b.shards, b.marked = c, c.Shards, c.Marked }

// performClaim runs a batch whose shards are claimed.
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

// claiming implements [requested.Job].
type claiming struct{ *Worker }

// Claiming returns the job for its requested runs.
func (w *Worker) Claiming() requested.Job { return claiming{w} }

func (c claiming) View() (*view.View, <-chan struct{}) {
	v, changed := c.Latest.Get()
	if !c.serves() {
		return nil, changed
	}
	return v, changed
}

func (c claiming) ID() string { return c.Self.ID() }

func (c claiming) Guard(activity string, fn func()) (sound bool) { return c.job.Guard(activity, fn) }

func (c claiming) Offer() { c.enqueue(func(q *queue) { q.requested = true }) }

func (c claiming) Free(v *view.View) []view.Shard {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(v.Shards), func(s view.Shard) bool { return !s.Runnable() || c.queue.held[s.Number] != nil })
}

func (c claiming) Slot(v *view.View, s view.Shard) (_ requested.Slot, full bool) {
	b := &batch{
		worker: c.Worker, view: v, epoch: v.Epoch, shards: []view.Shard{s}, request: request{kind: slotted, concurrent: true},
		handlers: handlers{turn: jobtree.NewTurn(), hasPlace: c.Host.Places != nil},
	}
	if !c.reserveShard(s.Number, b) {
		return nil, false
	}
	if !c.Host.Places.Reserve(c.Worker) {
		c.releaseShard(s.Number, b)
		return nil, true
	}
	b.ctx, b.cancel = context.WithCancelCause(c.Host.Life)
	return slot{b}, false
}

func (c claiming) Limited() (limited, slow bool) {
	return c.Host.Places != nil, c.Obstacles.Hinders(obstacle.Place)
}

func (c claiming) WaitForPlace(shards []int) (over func()) { return c.noteWaitForPlace(shards...) }

// slot is a batch for a claim. It runs next to the job's other runs.
type slot struct{ b *batch }

func (s slot) ResolveNames() error { return s.b.resolveNames() }

func (s slot) Cancel(cause error) { s.b.cancel(cause) }

func (s slot) Release() {
	b := s.b
	b.cancel(nil)
	b.worker.Host.Places.Leave(b.worker)
	b.worker.releaseShard(b.shards[0].Number, b)
}

func (s slot) Start(c *requested.Claim) {
	b, w := s.b, s.b.worker
	b.carry(c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.add(b)
	w.queue.begin()
	w.queue.concurrent++
	go s.run()
}

func (s slot) run() {
	b, w := s.b, s.b.worker
	w.job.Guard("requested run", func() {
		defer func() {
			if b.handlers.hasPlace { // The handler was never called.
				w.Host.Places.Leave(w)
			}
			b.cancel(nil)
		}()
		if !b.beginExecution() { // The job is stopping.
			b.claim.SettleAll(runs.Result{Stopped: true})
			return
		}
		defer b.endExecution()
		if err := b.performClaim(); err != nil && w.Host.Life.Err() == nil {
			w.Log.Error("requested run failed", "run", b.claim.Record.ID, "shard", b.shards[0].Number, "err", err)
		}
	})
	w.mu.Lock()
	delete(w.queue.batches, b) // If the job stopped before the batch began, it's still listed.
	w.queue.concurrent--
	w.queue.settle()
	w.mu.Unlock()
	w.Requested.Ring()
}
