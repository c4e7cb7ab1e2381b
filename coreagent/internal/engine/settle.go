package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// ErrCancelled is the cause with which the contexts of a requested run end that
// somebody has cancelled.
var ErrCancelled = errors.New(tracing.CauseCancelled)

// results are how the shards of a claimed batch ended, by the errors of their handlers.
// A shard that the loss of the session cut short is not among them: whoever looks at its
// claim next has it run again.
func (b *batch) results(failures map[int]error) map[int]runs.Result {
	results := make(map[int]runs.Result, len(b.shards))
	cause := context.Cause(b.ctx)
	for _, s := range b.shards {
		err := failures[s.number]
		switch {
		case err == nil:
			results[s.number] = runs.Result{}
		case !b.interrupted[s.number]:
			results[s.number] = resultOf(err)
		case errors.Is(cause, ErrCancelled):
			results[s.number] = runs.Result{Err: err.Error(), Cut: true}
		case errors.Is(cause, ErrStopping), errors.Is(cause, ErrBroken):
			results[s.number] = runs.Result{Stopped: true}
		}
		if r, known := results[s.number]; known && !r.Stopped {
			r.Value = b.claim.values.get(s.number)
			results[s.number] = r
		}
	}
	return results
}

// settleAll settles a claimed batch whose shards all ended in one way.
func (b *batch) settleAll(result runs.Result) {
	results := make(map[int]runs.Result, len(b.shards))
	for _, s := range b.shards {
		results[s.number] = result
	}
	b.settle(results)
}

// settle writes into the tree how the shards of a claimed batch ended, and removes
// their markers, in one transaction. It is repeated until a server has answered, also
// under the next session: what a handler has done is known here and nowhere else. If the
// claim was taken away meanwhile, the shards are another's and nothing is written.
func (b *batch) settle(results map[int]runs.Result) {
	j := b.job
	j.mu.Lock()
	j.queue.note(b, true) // It may be the first of all: a job can leave before its claim executes.
	j.mu.Unlock()
	marked := len(results) == len(b.shards) // All markers stand as they were made, as far as is known.
	b.claim.expectOthers(j)
	tries := 0
	for {
		_, changed := j.snapshot() // Before: the connection may be there again when the attempt has failed.
		done, refused, err := b.trySettle(results, marked)
		// Only the record was written over meanwhile, if that is what was refused.
		marked = marked && strings.HasPrefix(refused, b.claim.path)
		switch {
		case done:
			j.mu.Lock()
			b.claim.settled = len(results) == len(b.shards)
			j.mu.Unlock()
			return
		case err != nil && !zk.Retriable(err):
			j.log.Error("the end of a requested run could not be written", "run", b.claim.record.ID, "shards", b.numbers(), "err", err)
			return
		case err == nil:
			if nodes.GiveWay(j.env.life, crowd(len(j.requested.instances()), tries)) != nil {
				return
			}
			tries++
			continue
		}
		pause := time.NewTimer(retryLast)
		select {
		case <-changed:
		case <-pause.C:
		case <-j.env.life.Done():
			pause.Stop()
			return
		}
		pause.Stop()
	}
}

// expectOthers has the record read before the claim settles if others have most likely
// written it since: shards of theirs waited in it, or ran.
func (c *claim) expectOthers(j *Job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c.outdated = c.newest == nil && len(c.record.Waiting)+len(c.record.Claims) > len(c.batch.shards)
}

// known is the record and its version as it was known last, which is not for certain.
func (c *claim) known(ctx context.Context, j *Job) (jobtree.RunRecord, int32, error) {
	j.mu.Lock()
	newest, outdated := c.newest, c.outdated
	c.newest, c.outdated = nil, true // Of use once.
	j.mu.Unlock()
	switch {
	case newest != nil:
		return newest.record, newest.version, nil
	case !outdated:
		return c.record, c.version, nil
	}
	return c.read(ctx, j)
}

// trySettle tries once: by the record as it was known last, or as it is now. done says
// that there is nothing more to do; refused is the path that was not as it was known.
func (b *batch) trySettle(results map[int]runs.Result, marked bool) (done bool, refused string, err error) {
	j, c := b.job, b.claim
	ctx, cancel := context.WithTimeout(j.env.life, stepTimeout)
	defer cancel()
	record, version, err := c.known(ctx, j)
	if err != nil {
		return false, "", err
	}
	var markers []zk.Op
	claimed := len(runs.Claimed(record, c.nonce)) > 0
	if marked && claimed && j.present(b.view) { // Nobody else can have made them while the claim stands.
		for _, s := range b.shards {
			if b.marked {
				markers = append(markers, zk.DeleteOp(j.tree.ItemRunning(s.number), madeByUs))
			}
		}
	} else if markers, err = b.leftMarkers(ctx); err != nil {
		return false, "", err
	}
	var ops []zk.Op
	var next runs.Next
	if claimed && len(results) > 0 {
		next = runs.End(record, c.nonce, results, j.env.now())
		if ops, err = j.requested.store.Write(c.path, version, next); err != nil {
			return false, "", err
		}
		if next.Record != nil && anyStopped(results) {
			ops = append(ops, j.requested.store.Signal()) // Others may have the shards by now.
		}
	}
	if next.Outcome == nil {
		if err := c.recordDoubtful(ctx, j); err != nil {
			return false, "", err
		}
	}
	if ops = append(ops, markers...); len(ops) == 0 {
		return true, "", nil
	}
	err = j.requested.store.Commit(ctx, ops...)
	if because := (*zk.MultiError)(nil); runs.Refused(err) && errors.As(err, &because) {
		return false, because.Op.Path, nil // Somebody has cancelled the run, or ended another shard, or removed a marker.
	}
	if err != nil {
		c.doubtful = next
		return false, "", err
	}
	j.requested.history.Became(record, next)
	c.waits = next.Record != nil && slices.ContainsFunc(b.view.shards, func(s shard) bool { return next.Record.Waiting.Has(s.number) })
	return true, "", nil
}

// anyStopped reports whether a shard waits again because its process ends.
func anyStopped(results map[int]runs.Result) bool {
	for _, r := range results {
		if r.Stopped {
			return true
		}
	}
	return false
}

// recordDoubtful records the end of a run, or that it waits again, if that was written by a
// transaction of which no answer came.
func (c *claim) recordDoubtful(ctx context.Context, j *Job) error {
	written, err := j.requested.store.Wrote(ctx, c.doubtful)
	if err == nil && written {
		j.requested.history.Became(c.record, c.doubtful)
		c.doubtful = runs.Next{}
	}
	return err
}

// read reads the record of a claim; one without any claim if the run has ended, or is
// another one by now.
func (c *claim) read(ctx context.Context, j *Job) (jobtree.RunRecord, int32, error) {
	data, stat, err := j.env.Client.Get(ctx, c.path)
	if err != nil {
		return jobtree.RunRecord{}, 0, zk.Ignore(err, zk.ErrNoNode)
	}
	record, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return jobtree.RunRecord{}, 0, nil // A stranger has written over it.
	}
	return record, stat.Version, nil
}

// leftMarkers returns the operations that remove what is left of the batch's running
// markers. Those of an earlier session go with it.
func (b *batch) leftMarkers(ctx context.Context) ([]zk.Op, error) {
	j := b.job
	if !b.marked || b.epoch != j.env.Client.Session().Epoch {
		return nil, nil
	}
	var ops []zk.Op
	for _, s := range b.shards {
		marker, _, err := j.requested.ownMarker(ctx, s.number)
		if err != nil {
			return nil, err
		}
		ops = append(ops, marker...)
	}
	return ops, nil
}

// dueOf is the time that a requested run stands for: its fire time if it has one.
func dueOf(r jobtree.RunRecord) time.Time {
	if r.Fire != 0 {
		return time.UnixMilli(r.Fire)
	}
	return time.UnixMilli(r.Due)
}
