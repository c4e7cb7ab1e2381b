package runs

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Hold stops the job's schedule, its requests by programs, or both, until Release. The error is
// [jobrun.ErrHeld] if the job is already held.
func (s Store) Hold(ctx context.Context, h jobtree.Hold) error {
	if !slices.Contains([]jobrun.Held{jobrun.HeldSchedule, jobrun.HeldRequests, jobrun.HeldAll}, h.What) {
		return refuse(jobrun.ErrOptions, "what: %q is not allowed; want schedule, requests or all", jobtree.Shown(string(h.What)))
	}
	h.At, h.Reason = s.Now().UnixMilli(), clip(h.Reason, maxReason)
	data, err := h.Encode()
	if err != nil {
		return err
	}
	for {
		err := s.Client.Multi(ctx, zk.CheckOp(s.Tree.Config(), zk.AnyVersion), zk.CreateOp(s.Tree.Held(), data, zk.Persistent), s.Signal())
		refused := (*zk.MultiError)(nil)
		switch {
		case !errors.As(err, &refused):
			return err
		case errors.Is(err, zk.ErrNodeExists):
			held, _, err := s.Held(ctx)
			if err != nil {
				return err
			}
			return refuse(jobrun.ErrHeld, "job %q is held already, by %s since %s", s.Tree.Name(), held.Shown().By, held.Shown().At.UTC().Format(time.RFC3339))
		case errors.Is(err, zk.ErrNoNode):
			if err := s.prepare(ctx, refused.Op.Path); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// Release ends a hold. Fire times during the hold aren't made up, because a new era begins. The
// error is [jobrun.ErrHeld] if the job isn't held.
func (s Store) Release(ctx context.Context) error {
	for {
		held, stat, err := s.Client.Get(ctx, s.Tree.Held())
		if errors.Is(err, zk.ErrNoNode) {
			return refuse(jobrun.ErrHeld, "job %q is not held", s.Tree.Name())
		}
		if err != nil {
			return err
		}
		ops := []zk.Op{zk.DeleteOp(s.Tree.Held(), stat.Version)}
		// Eras use ZooKeeper's clock, which we read from this write.
		signalled, err := s.Client.Set(ctx, s.Tree.RunsSignal(), nil, zk.AnyVersion)
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return err
		}
		if err == nil {
			data, _, err := s.Client.Get(ctx, s.Tree.RunsDone())
			if zk.Ignore(err, zk.ErrNoNode) != nil {
				return err
			}
			released := jobtree.DecodeReleased(data)
			released.Last = s.Now()
			if jobtree.DecodeHold(held).Schedule() {
				released.Schedule = signalled.Mtime
			}
			note := zk.SetOp(s.Tree.RunsDone(), released.Encode(), zk.AnyVersion)
			if err != nil { // An operator has removed it.
				note = zk.CreateOp(s.Tree.RunsDone(), released.Encode(), zk.Persistent)
			}
			ops = append(ops, note, s.Signal())
		}
		data, records, err := s.Client.Get(ctx, s.Tree.FireRecords())
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return err
		}
		if era, noted := jobtree.DecodeFireEra(data); err == nil && noted && jobtree.DecodeHold(held).Schedule() && signalled.Mtime.After(era.Since) {
			era.Since = signalled.Mtime
			ops = append(ops, zk.SetOp(s.Tree.FireRecords(), era.Encode(), records.Version))
		}
		if err := s.Client.Multi(ctx, ops...); !Refused(err) {
			return err
		}
		if err := s.pause(ctx, nil); err != nil {
			return err
		}
	}
}

// HeldBack reports whether a hold keeps a request from beginning. A hold of requests applies to
// requests that no person made. A retry of a fire time belongs to the schedule.
func HeldBack(h jobtree.Hold, r jobtree.RunRequest) bool {
	switch {
	case ofFireTime(r):
		return h.Schedule()
	case r.Manual:
		return false
	}
	return h.Requests()
}

// Released returns the times of the job's release. Failures before the last one are forgotten, and
// fire times before the schedule's release aren't made up.
func (s Store) Released(ctx context.Context) (jobtree.Released, error) {
	data, _, err := s.get(ctx, s.Tree.RunsDone())
	return jobtree.DecodeReleased(data), err
}

// Held reads the hold of the job. It's false if the job isn't held.
func (s Store) Held(ctx context.Context) (jobtree.Hold, bool, error) {
	data, _, err := s.Client.Get(ctx, s.Tree.Held())
	if err != nil {
		return jobtree.Hold{}, false, zk.Ignore(err, zk.ErrNoNode)
	}
	return jobtree.DecodeHold(data), true, nil
}
