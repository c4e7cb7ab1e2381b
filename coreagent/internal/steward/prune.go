package steward

import (
	"context"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	pruneEvery = time.Second
	sweepEvery = 10 * time.Minute
	fewKeys    = 500 // in a folder: above it those of ended runs go early
)

// prune removes what is left of runs that have ended: the oldest outcomes, and keys
// that are remembered no longer. It returns when it wants to be called again.
func (s *Steward) prune(ctx context.Context, f Fleet) (time.Time, error) {
	now := s.store.Now()
	if seen := s.cache.Get(s.store.Tree.RunsActive()).Seen; s.ended < 0 || seen != s.active {
		if since := now.Sub(s.pruned); since >= 0 && since < pruneEvery {
			return s.pruned.Add(pruneEvery), nil
		}
		names, err := s.names(ctx, s.store.Tree.RunsDone())
		if err != nil {
			return time.Time{}, err
		}
		s.pruned, s.active, s.ended = now, seen, len(names)
		if many := len(names) - f.Settings.Keep; many > 0 {
			if err := s.removeEnded(ctx, names[:many]); err != nil {
				return time.Time{}, err
			}
		}
	}
	if since := now.Sub(s.swept); since < 0 || since >= sweepEvery {
		if err := s.sweepKeys(ctx, now); err != nil {
			return time.Time{}, err
		}
		s.swept = now
	}
	return time.Time{}, nil
}

func (s *Steward) removeEnded(ctx context.Context, names []string) error {
	for chunk := range slices.Chunk(names, mostMoved) {
		var ops []zk.Op
		for _, name := range chunk {
			ops = append(ops, zk.DeleteOp(s.store.Tree.RunsDone()+"/"+name, zk.AnyVersion))
		}
		err := s.store.Client.Multi(ctx, ops...)
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return err
		}
	}
	return nil
}

// sweepKeys removes the keys whose time has passed.
func (s *Steward) sweepKeys(ctx context.Context, now time.Time) error {
	folders, err := s.names(ctx, s.store.Tree.RunsKeys())
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
	names, err := s.names(ctx, folder)
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
		if err := zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrBadVersion); err != nil {
			return err
		}
	}
	return nil
}
