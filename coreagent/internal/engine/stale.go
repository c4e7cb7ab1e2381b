package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// awaitQuiet returns when none of the items that move runs. Marks whose owner
// has been absent for a session timeout are cleared; see clearStale.
func (j *Job) awaitQuiet(ctx context.Context, p *plan) error {
	for {
		marked := make([]bool, len(p.moved))
		if err := each(ctx, len(p.moved), func(ctx context.Context, i int) (err error) {
			if p.exists(p.moved[i]) {
				_, marked[i], err = j.env.Client.Exists(ctx, j.tree.ItemRunning(p.moved[i]))
			}
			return err
		}); err != nil {
			return err
		}
		var running []int
		for i, n := range p.moved {
			if marked[i] {
				running = append(running, n)
			}
		}
		if len(running) == 0 {
			return nil
		}
		wait, err := j.clearStale(ctx, running, p.config.Failover)
		if err != nil {
			return err
		}
		if wait > 0 {
			look, cancel := context.WithTimeout(ctx, wait)
			err := j.env.Client.AwaitGone(look, j.tree.ItemRunning(running[0]))
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
		}
	}
}

// clearStale removes the running marks of items whose owner has been absent
// for a session timeout, and hands the items to failover first when that is
// on. It returns how long to wait before looking again; 0 says look now.
func (j *Job) clearStale(ctx context.Context, running []int, failover bool) (time.Duration, error) {
	alive, err := j.children(ctx, j.tree.Instances())
	if err := ignore(err, zk.ErrNoNode); err != nil {
		return 0, err
	}
	owners := make([]string, len(running)) // of marks that are stale
	waits := make([]time.Duration, len(running))
	if err := each(ctx, len(running), func(ctx context.Context, i int) error {
		var err error
		owners[i], waits[i], err = j.judgeMark(ctx, running[i], alive)
		return err
	}); err != nil {
		return 0, err
	}
	for i, owner := range owners {
		if owner == "" {
			continue
		}
		offer := failover && jobtree.ValidateInstanceID(owner) == nil
		if offer {
			// As after a crash that somebody saw: not those of a disabled server.
			status, _, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(owner)))
			if err := ignore(err, zk.ErrNoNode); err != nil {
				return 0, err
			}
			offer = string(status) != jobtree.ServerDisabled
		}
		j.log.Warn("running mark of an instance that is gone; clearing it", "item", running[i], "instance", owner)
		if err := j.release(ctx, running[i], owner, offer); err != nil {
			return 0, err
		}
	}
	return slices.Min(waits), nil
}

// judgeMark names the owner of an item's running mark if the mark is stale,
// and says otherwise how long it may stay. A session timeout is also what an
// instance gets that comes back and clears its own marks.
func (j *Job) judgeMark(ctx context.Context, n int, alive []string) (staleOwner string, wait time.Duration, err error) {
	data, stat, err := j.env.Client.Get(ctx, j.tree.ItemRunning(n))
	if err != nil {
		return "", 0, ignore(err, zk.ErrNoNode)
	}
	patience := j.env.Client.Session().Timeout
	owner := string(data)
	if owner == "" || stat.EphemeralOwner != 0 {
		return "", patience, nil // An ephemeral mark goes with its session.
	}
	here := jobtree.ValidateInstanceID(owner) == nil
	if here {
		node := j.tree.Instance(owner)
		if !slices.Contains(alive, owner) {
			node = j.agentOf(owner) // Its run may go on after an operator has shut the job down there.
		}
		// A container that is started again has the address and the process number
		// of the one before. What that one left is older than the new instance.
		sign, exists, err := j.env.Client.Exists(ctx, node)
		if err != nil {
			return "", 0, err
		}
		here = exists && sign.Czxid < stat.Czxid
	}
	key := strconv.Itoa(n) + " " + owner + " " + strconv.FormatInt(stat.Czxid, 10)
	task := &j.control.reshard
	task.mu.Lock()
	defer task.mu.Unlock()
	if here {
		delete(task.stale, key)
		return "", patience, nil
	}
	since, known := task.stale[key]
	if !known {
		since = time.Now()
		if task.stale == nil {
			task.stale = make(map[string]time.Time)
		}
		task.stale[key] = since
	}
	if left := patience - time.Since(since); left > 0 {
		return "", left, nil
	}
	delete(task.stale, key)
	return owner, 0, nil
}
