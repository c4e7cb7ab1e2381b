package barrier

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// After an absence, an instance may be at the barrier of an earlier fire time than the others. Each
// would wait for the other until its deadline, and if that's longer than half the period, they'd
// never meet again. So every node holds the fire time of its run, in milliseconds:
//
//   - A run that waits to start moves on to each fire time that comes.
//   - A run stops waiting to start if others have completed that fire time already.
//   - A run stops waiting for the others to complete if they're at a later fire time.
//   - A run that started without the others removes the nodes of earlier runs.
//   - A run that starts removes all nodes of completed runs. If there were any, it writes its
//     fire time to the parent of the barriers, so that an earlier run that still waits for
//     completion doesn't take that for its release.
//
// Nodes without a fire time match any, as in ElasticJob: Java's nodes, and ours for triggers and
// failovers. The labels are read only if a run waits long to start, or if the next fire time comes
// before all have completed.

func (v *visit) label() []byte {
	if v.run.Newest == nil {
		return nil
	}
	return strconv.AppendInt(nil, v.run.FireTime.UnixMilli(), 10)
}

func (v *visit) relabel(ctx context.Context, path string) error {
	if v.run.Newest == nil {
		return nil
	}
	_, err := v.nodes.Client.Set(ctx, path, v.label(), zk.AnyVersion)
	return zk.Ignore(err, zk.ErrNoNode)
}

// overtakenError ends the wait of a run because the others won't come.
type overtakenError struct{ at time.Time }

func (e *overtakenError) Error() string {
	return "other instances are ahead of this one, at the fire time " + e.at.Format(time.RFC3339)
}

// lookAhead is look for a run that the others may have overtaken. Then they'll never come to this
// barrier.
func (v *visit) lookAhead(ctx context.Context) (state, error) {
	if v.run.Newest == nil || v.notified {
		return v.look(ctx)
	}
	var dirs []string
	least := v.run.FireTime.Add(1)
	switch newest := v.run.Newest(); {
	case v.starting:
		if err := v.moveOn(ctx, newest); err != nil {
			return waiting, err
		}
		if time.Since(v.meeting.since) >= pollInterval {
			dirs, least = []string{v.nodes.Tree.GuaranteeCompleted()}, v.run.FireTime
		}
	case newest.After(v.run.FireTime):
		if v.unwatch == nil {
			v.unwatch = v.run.Job.Watch(v.nodes.Tree.GuaranteeStarted())
		}
		dirs = []string{v.dir, v.nodes.Tree.GuaranteeStarted()}
	}
	for _, dir := range dirs {
		at, err := v.fireTimeAt(ctx, dir)
		if err != nil {
			return waiting, err
		}
		if at.Before(least) {
			continue
		}
		if s, err := v.stepBack(ctx); err != nil || s == released && dir != v.dir {
			return v.unlessSwept(ctx, s, err)
		}
		return waiting, &overtakenError{at}
	}
	s, err := v.look(ctx)
	return v.unlessSwept(ctx, s, err)
}

// sweep removes the remaining nodes of earlier runs from the completion barrier before a run
// starts. Their instances have died or still wait there.
func (v *visit) sweep(ctx context.Context) error {
	client, tree := v.nodes.Client, v.nodes.Tree
	err := client.Delete(ctx, tree.GuaranteeCompleted(), zk.AnyVersion)
	if !errors.Is(err, zk.ErrNotEmpty) {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	if label := v.label(); label != nil {
		if _, err := client.Set(ctx, tree.Guarantee(), label, zk.AnyVersion); err != nil {
			return err
		}
	}
	return client.DeleteAll(ctx, tree.GuaranteeCompleted())
}

// unlessSwept returns the result of a look. It replaces a release by an overtakenError if the start
// of a later run removed the nodes, because then the listener wasn't notified.
func (v *visit) unlessSwept(ctx context.Context, s state, err error) (state, error) {
	if err != nil || s != released || v.starting || !v.run.Newest().After(v.run.FireTime) {
		return s, err
	}
	at, _, err := v.labelOf(ctx, v.nodes.Tree.Guarantee())
	if err == nil && at.After(v.run.FireTime) {
		return waiting, &overtakenError{at}
	}
	return s, err
}

func (v *visit) unwatchStarts() {
	if v.unwatch != nil {
		v.unwatch()
	}
}

// moveOn moves a run that waits to start to a later fire time.
func (v *visit) moveOn(ctx context.Context, at time.Time) error {
	was := v.run.FireTime
	if !at.After(was) {
		return nil
	}
	v.run.FireTime = at
	err := nodes.Each(ctx, len(v.run.Shards), func(ctx context.Context, i int) error {
		return v.relabel(ctx, v.shard(v.run.Shards[i]))
	})
	if err != nil {
		v.run.FireTime = was
	}
	return err
}

// fireTimeAt returns the fire time of other instances at a barrier, or zero if there are none or
// their nodes show none. Nodes of several fire times are rare and short-lived, so the first one
// decides.
func (v *visit) fireTimeAt(ctx context.Context, dir string) (time.Time, error) {
	names, err := v.nodes.Children(ctx, dir)
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return time.Time{}, err
	}
	for _, n := range jobtree.ItemNumbers(names) {
		if slices.Contains(v.run.Shards, n) {
			continue
		}
		at, _, err := v.labelOf(ctx, dir+"/"+strconv.Itoa(n))
		if err != nil || !at.IsZero() {
			return at, err
		}
	}
	return time.Time{}, nil
}

func (v *visit) labelOf(ctx context.Context, path string) (time.Time, int32, error) {
	data, stat, err := v.nodes.Client.Get(ctx, path)
	if err != nil {
		return time.Time{}, 0, zk.Ignore(err, zk.ErrNoNode)
	}
	millis, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil || millis <= 0 {
		return time.Time{}, 0, nil
	}
	return time.UnixMilli(millis), stat.Version, nil
}

// removeOlder removes the nodes of earlier fire times. Their runs then see this run's nodes and
// stop waiting.
func (v *visit) removeOlder(ctx context.Context) error {
	names, err := v.nodes.Children(ctx, v.dir)
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	shards := jobtree.ItemNumbers(names)
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		path := v.shard(shards[i])
		at, version, err := v.labelOf(ctx, path)
		if err != nil || at.IsZero() || !at.Before(v.run.FireTime) {
			return err
		}
		err = v.nodes.Client.Delete(ctx, path, version)
		return zk.Ignore(err, zk.ErrNoNode, zk.ErrBadVersion)
	})
}
