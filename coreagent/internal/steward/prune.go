package steward

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

const (
	pruneEvery = time.Second
	sweepEvery = 10 * time.Minute
	fewKeys    = 500 // per folder; if there are more, keys of ended runs are removed early

	// minStay is how long an outcome is kept even after it was recorded again, unless there are
	// mostSpared newer ones. It may be unrecorded, and a submitter without a reply looks for its
	// run before it submits the request again.
	minStay    = lookBack
	mostSpared = 1000
)

// Tidy removes the remains of ended runs, which can wait until runs have begun: the oldest outcomes
// and expired keys. It returns when to call it again; zero means never.
func (s *Steward) Tidy(ctx context.Context, f Fleet) (time.Time, error) {
	if !s.works {
		return time.Time{}, nil
	}
	if again, err := s.recordEnds(ctx); err != nil || !again.IsZero() {
		return again, err // No outcome may be removed before it's recorded.
	}
	now := s.store.Now()
	since := now.Sub(s.swept)
	sweep := since < 0 || since >= sweepEvery
	if sweep || s.tooMany(f, now) || !s.spared.IsZero() && !now.Before(s.spared) {
		if since := now.Sub(s.pruned); since >= 0 && since < pruneEvery {
			return s.pruned.Add(pruneEvery), nil
		}
		counted := s.marks()
		names, err := s.store.Children(ctx, s.store.Tree.RunsDone())
		if err != nil {
			return time.Time{}, err
		}
		s.pruned, s.counted, s.outcomes = now, counted, len(names)
		if err := s.pause(ctx, f, names); err != nil {
			return time.Time{}, err
		}
		many, spared := removable(names, max(f.Settings.Keep, f.Settings.Pause), now, s.records.again)
		for chunk := range slices.Chunk(names[:many], mostMoved) {
			if err := s.removeTogether(ctx, chunk); err != nil {
				return time.Time{}, err
			}
		}
		s.outcomes -= many
		s.spared = spared
	}
	if sweep {
		if err := s.sweepKeys(ctx, now); err != nil {
			return time.Time{}, err
		}
		s.swept = now
	}
	return s.spared, nil
}

// removable returns how many of the outcomes, oldest first, to remove so that few remain, and when
// the next one may be removed; zero if none must be. again is when some of them were recorded
// again.
func removable(names []string, few int, now, again time.Time) (many int, next time.Time) {
	many = max(0, len(names)-few)
	for i, name := range names[:many] {
		from, _, _ := jobtree.ParseRunEnded(name)
		if again.After(from) {
			from = again
		}
		if now.Sub(from).Abs() < minStay && i >= len(names)-mostSpared { // Ignore wrong clocks.
			return i, from.Add(minStay)
		}
	}
	return many, time.Time{}
}

// pause holds the job once the configured number of runs in a row have failed. Runs that ended
// before the last release don't count.
func (s *Steward) pause(ctx context.Context, f Fleet, names []string) error {
	most := f.Settings.Pause
	if most == 0 || f.Hold.Requests() || len(names) < most {
		return nil
	}
	since, err := s.store.Released(ctx)
	if err != nil {
		return err
	}
	var last jobtree.RunOutcome
	for n, name := range slices.Backward(names) {
		ended, _, _ := jobtree.ParseRunEnded(name)
		if len(names)-n > most {
			break
		}
		data, _, err := s.store.Client.Get(ctx, s.store.Tree.RunsDone()+"/"+name)
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		o, err := jobtree.DecodeRunOutcome(data)
		if err != nil || o.State != jobrun.Failed || !ended.After(since.Last) {
			return nil
		}
		if last.ID == "" {
			last = o
		}
	}
	s.log.WarnContext(ctx, "the job is held because its runs failed", "runs", most, "last", last.ID, "reason", last.Reason)
	err = s.store.Hold(ctx, jobtree.Hold{
		What: jobrun.HeldAll, By: "agent " + f.ID,
		Reason: fmt.Sprintf("%d runs failed in a row, the last one %s: %s", most, last.ID, last.Reason),
	})
	if errors.Is(err, jobrun.ErrHeld) {
		return nil
	}
	return err
}

func (s *Steward) removeTogether(ctx context.Context, names []string) error {
	for {
		var ops []zk.Op
		for _, name := range names {
			ops = append(ops, zk.DeleteOp(s.store.Tree.RunsDone()+"/"+name, zk.AnyVersion))
		}
		if s.cache.Get(s.store.Tree.RunsBackfills()).Exists {
			counts, err := s.store.CountRemoved(ctx, names)
			if err != nil {
				return err
			}
			ops = append(ops, counts...)
		}
		if err := zk.Ignore(s.store.Client.Multi(ctx, ops...), zk.ErrNoNode); !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
		// A backfill was cancelled or got runs since it was read.
	}
}

func (s *Steward) sweepKeys(ctx context.Context, now time.Time) error {
	folders, err := s.store.Children(ctx, s.store.Tree.RunsKeys())
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if err := s.sweepFolder(ctx, s.store.Tree.RunsKeys()+"/"+folder, now); err != nil {
			return err
		}
	}
	return nil
}

func (s *Steward) sweepFolder(ctx context.Context, folder string, now time.Time) error {
	names, err := s.store.Children(ctx, folder)
	if err != nil {
		return err
	}
	type held struct {
		path    string
		version int32
		until   int64
	}
	keys := make([]held, len(names))
	if err := nodes.Each(ctx, len(names), func(ctx context.Context, i int) error {
		path := folder + "/" + names[i]
		data, stat, err := s.store.Client.Get(ctx, path)
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		if key, err := jobtree.DecodeRunKey(data); err == nil {
			keys[i] = held{path, stat.Version, key.Until}
		}
		return nil
	}); err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(k held) bool { return k.until == 0 })
	slices.SortFunc(keys, func(a, b held) int { return int(min(max(a.until-b.until, -1), 1)) })
	early := len(names) - fewKeys
	for i, key := range keys {
		if key.until > now.UnixMilli() && i >= early {
			break
		}
		err := s.store.Client.Delete(ctx, key.path, key.version)
		if err := zk.Ignore(err, zk.ErrNoNode, zk.ErrBadVersion); err != nil {
			return err
		}
	}
	return nil
}
