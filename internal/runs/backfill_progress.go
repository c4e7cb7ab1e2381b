package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Backfill returns a backfill with the progress of its runs.
func (s Store) Backfill(ctx context.Context, id string) (jobrun.BackfillProgress, error) {
	if _, _, err := s.readBackfill(ctx, id); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	list, err := s.progress(ctx, []string{id})
	if err == nil && len(list) == 0 {
		_, _, err = s.readBackfill(ctx, id)
	}
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	return list[0], nil
}

// Backfills lists the job's recent backfills, newest first.
func (s Store) Backfills(ctx context.Context) ([]jobrun.BackfillProgress, error) {
	names, err := s.Children(ctx, s.Tree.RunsBackfills())
	if err != nil {
		return nil, err
	}
	slices.Reverse(names)
	return s.progress(ctx, names[:min(len(names), keptBackfills)])
}

// progress reads backfills with the progress of their runs. During the read a run may move and the
// steward may remove its outcome. Then it reads again.
func (s Store) progress(ctx context.Context, ids []string) (list []jobrun.BackfillProgress, err error) {
	const tries = 4
	for try := range tries {
		var sure bool
		if list, sure, err = s.progressOnce(ctx, ids, try == tries-1); err != nil || sure {
			break
		}
	}
	return list, err
}

func (s Store) progressOnce(ctx context.Context, ids []string, last bool) (list []jobrun.BackfillProgress, sure bool, err error) {
	var nodes []jobtree.Backfill
	var versions []int32
	for _, id := range ids {
		b, version, err := s.readBackfill(ctx, id)
		if errors.Is(err, jobrun.ErrUnknownBackfill) {
			continue
		}
		if err != nil {
			return nil, false, err
		}
		nodes, versions = append(nodes, b), append(versions, version)
	}
	if len(nodes) == 0 {
		return nil, true, nil
	}
	waiting, active, err := s.liveRuns(ctx)
	if err != nil {
		return nil, false, err
	}
	done, err := s.Children(ctx, s.Tree.RunsDone())
	if err != nil {
		return nil, false, err
	}
	sure = true
	for i, b := range nodes {
		ended, err := s.outcomes(ctx, b, done)
		if err != nil {
			return nil, false, err
		}
		p, complete := progressOf(b, waiting, active, ended)
		if p.Runs[jobrun.Queued] > 0 {
			if p.Next, err = s.next(ctx, b, waiting); err != nil {
				return nil, false, err
			}
		}
		stat, _, err := s.Client.Exists(ctx, s.Tree.RunsBackfill(b.ID))
		if err != nil {
			return nil, false, err
		}
		sure = sure && complete && stat.Version == versions[i]
		list = append(list, p)
	}
	return list, sure || last, nil
}

func (s Store) outcomes(ctx context.Context, b jobtree.Backfill, names []string) (map[string]jobrun.State, error) {
	var paths []string
	for _, name := range names {
		if _, id, ours := jobtree.ParseRunEnded(name); ours {
			if _, own := b.RunNumber(id); own {
				paths = append(paths, s.Tree.RunsDone()+"/"+name)
			}
		}
	}
	list, err := s.all(ctx, paths)
	ended := make(map[string]jobrun.State, len(list))
	for _, run := range list {
		ended[run.ID] = run.State
	}
	return ended, err
}

// progressOf counts the runs of a backfill. complete is false if it missed some.
func progressOf(b jobtree.Backfill, waiting, active []string, ended map[string]jobrun.State) (p jobrun.BackfillProgress, complete bool) {
	seen := make(map[string]jobrun.State)
	for _, id := range ofBackfill(b, waiting) {
		seen[id] = jobrun.Queued
	}
	for _, id := range ofBackfill(b, active) {
		seen[id] = jobrun.Running
	}
	maps.Copy(seen, ended)
	p = b.Shown()
	missed := b.Placed
	for _, n := range b.Removed {
		missed -= n
	}
	for _, state := range seen {
		p.Runs[state]++
		missed--
	}
	p.Runs[jobrun.Unknown] += max(missed, 0)
	switch queued, running := p.Runs[jobrun.Queued], p.Runs[jobrun.Running]; {
	case queued == p.Total:
		p.State = jobrun.Queued
	case queued+running > 0:
		p.State = jobrun.Running
	case p.Cancel != nil:
		p.State = jobrun.Cancelled
	case p.Runs[jobrun.Succeeded]+p.Runs[jobrun.Skipped] == p.Total:
		p.State = jobrun.Succeeded
	default:
		p.State = jobrun.Failed
	}
	maps.DeleteFunc(p.Runs, func(_ jobrun.State, n int) bool { return n == 0 })
	return p, missed == 0
}

// next returns the first fire time of a backfill with a waiting run.
func (s Store) next(ctx context.Context, b jobtree.Backfill, waiting []string) (time.Time, error) {
	first := b.Placed
	for _, id := range waiting {
		if i, own := b.RunNumber(id); own {
			first = min(first, i)
		}
	}
	times, err := s.times(ctx, b)
	if errors.Is(err, jobrun.ErrFormat) { // FeedBackfill records the problem.
		return time.Time{}, nil
	}
	if err != nil || first >= len(times) {
		return time.Time{}, err
	}
	return times[first], nil
}

// CountRemoved returns the operations that count removed outcomes of backfill runs. Put them in the
// transaction that removes the outcomes, because [Store.Backfill] can't read them afterwards.
func (s Store) CountRemoved(ctx context.Context, names []string) ([]zk.Op, error) {
	ids, err := s.Children(ctx, s.Tree.RunsBackfills())
	if err != nil {
		return nil, err
	}
	var ops []zk.Op
	for _, id := range ids {
		b, version, err := s.readBackfill(ctx, id)
		if errors.Is(err, jobrun.ErrUnknownBackfill) {
			continue
		}
		var ended map[string]jobrun.State
		if err == nil {
			ended, err = s.outcomes(ctx, b, names)
		}
		if err != nil {
			return nil, err
		}
		if len(ended) == 0 {
			continue
		}
		if b.Removed = maps.Clone(b.Removed); b.Removed == nil {
			b.Removed = make(map[string]int)
		}
		for _, state := range ended {
			b.Removed[string(state)]++
		}
		data, err := b.Encode()
		if err != nil {
			return nil, err
		}
		ops = append(ops, zk.SetOp(s.Tree.RunsBackfill(id), data, version))
	}
	return ops, nil
}
