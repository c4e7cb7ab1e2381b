package requested

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// ErrCancelled is the cause of the ended contexts of a cancelled run.
var ErrCancelled = errors.New(tracing.CauseCancelled)

// Settle writes the results of the shards and removes their markers in one transaction. A shard
// without a result runs again after the next check of its claim. Settle retries until a server has
// answered, even under the next session, because no other process knows the results. If the claim
// was taken away in the meantime, the shards belong to another instance and nothing is written.
func (c *Claim) Settle(results map[int]runs.Result) {
	a := c.activity
	marked := len(results) == len(c.Shards) // As far as we know, all markers are unchanged.
	c.expectOthers()
	tries := 0
	for {
		_, changed := a.job.View() // Before trying, because the connection may return just as the attempt has failed.
		done, refused, err := c.trySettle(results, marked)
		// If the record was refused, only the record has changed.
		marked = marked && strings.HasPrefix(refused, c.path)
		switch {
		case done:
			c.settled = len(results) == len(c.Shards)
			return
		case err != nil && !zk.Retriable(err):
			a.log.Error("could not write the end of a requested run", "run", c.Record.ID, "shards", c.numbers(), "err", err)
			return
		case err == nil:
			err = nodes.BackOff(a.host.Life, writers(len(a.instances()), tries))
			tries++
		default:
			err = nodes.AwaitChange(a.host.Life, changed, nodes.RetryLast)
		}
		if err != nil {
			return
		}
	}
}

// SettleAll settles a claim with the same result for all shards.
func (c *Claim) SettleAll(result runs.Result) {
	results := make(map[int]runs.Result, len(c.Shards))
	for _, s := range c.Shards {
		results[s.Number] = result
	}
	c.Settle(results)
}

// expectOthers makes the claim read the record before it settles if others have probably written
// it, because their shards waited or ran.
func (c *Claim) expectOthers() {
	c.activity.mu.Lock()
	defer c.activity.mu.Unlock()
	c.outdated = c.newest == nil && len(c.Record.Waiting)+len(c.Record.Claims) > len(c.Shards)
}

// known returns the record and its version as last known. It may be out of date.
func (c *Claim) known(ctx context.Context) (jobtree.RunRecord, int32, error) {
	c.activity.mu.Lock()
	newest, outdated := c.newest, c.outdated
	c.newest, c.outdated = nil, true // valid for one use
	c.activity.mu.Unlock()
	switch {
	case newest != nil:
		return newest.record, newest.version, nil
	case !outdated:
		return c.Record, c.version, nil
	}
	// Without claims, the run has ended, or another run or a stranger has overwritten it.
	newest, err := c.activity.readRecord(ctx, c.path)
	if newest == nil {
		newest = new(offered)
	}
	return newest.record, newest.version, err
}

// trySettle tries once, with the record as last known or as read now. done is set if there's
// nothing left to do. refused is the path that had changed.
func (c *Claim) trySettle(results map[int]runs.Result, marked bool) (done bool, refused string, err error) {
	a := c.activity
	ctx, cancel := context.WithTimeout(a.host.Life, nodes.StepTimeout)
	defer cancel()
	record, version, err := c.known(ctx)
	if err != nil {
		return false, "", err
	}
	var markers []zk.Op
	claimed := len(runs.Claimed(record, c.nonce)) > 0
	if marked && claimed && a.nodes.Client.ConnectedIn(c.view.Epoch) { // No other instance can have created them.
		for _, s := range c.Shards {
			if c.Marked {
				markers = append(markers, zk.DeleteOp(a.nodes.Tree.ItemRunning(s.Number), nodes.AsCreated))
			}
		}
	} else if markers, err = c.leftMarkers(ctx); err != nil {
		return false, "", err
	}
	var ops []zk.Op
	var next runs.Next
	if claimed && len(results) > 0 {
		next = runs.End(record, c.nonce, results, a.host.Time())
		if ops, err = a.store.Write(c.path, version, next); err != nil {
			return false, "", err
		}
		stopped := slices.ContainsFunc(slices.Collect(maps.Values(results)), func(r runs.Result) bool { return r.Stopped })
		if next.Record != nil && stopped {
			ops = append(ops, a.store.Signal()) // Other instances may own the shards now.
		}
	}
	if next.Outcome == nil {
		if err := c.recordDoubtful(ctx); err != nil {
			return false, "", err
		}
	}
	if ops = append(ops, markers...); len(ops) == 0 {
		return true, "", nil
	}
	err = a.store.Commit(ctx, ops...)
	if runs.Refused(err) {
		return false, zk.RefusedPath(err), nil // The run was cancelled, another shard has ended, or a marker is gone.
	}
	if err != nil {
		c.doubtful = next
		return false, "", err
	}
	a.history.Became(record, next)
	c.waits = next.Record != nil && slices.ContainsFunc(c.view.Shards, func(s view.Shard) bool { return next.Record.Waiting.Has(s.Number) })
	return true, "", nil
}

// recordDoubtful records the state of a run that an unanswered transaction may have written.
func (c *Claim) recordDoubtful(ctx context.Context) error {
	written, err := c.activity.store.Wrote(ctx, c.doubtful)
	if err == nil && written {
		c.activity.history.Became(c.Record, c.doubtful)
		c.doubtful = runs.Next{}
	}
	return err
}

// leftMarkers returns the operations that remove the remaining running markers. Markers of an
// earlier session vanish with it.
func (c *Claim) leftMarkers(ctx context.Context) ([]zk.Op, error) {
	if !c.Marked || c.view.Epoch != c.activity.nodes.Client.Session().Epoch {
		return nil, nil
	}
	var ops []zk.Op
	for _, s := range c.Shards {
		marker, _, err := c.activity.ownMarker(ctx, s.Number)
		if err != nil {
			return nil, err
		}
		ops = append(ops, marker...)
	}
	return ops, nil
}
