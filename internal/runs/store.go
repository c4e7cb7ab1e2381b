package runs

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Store reads and writes the runs of one job. It has no state: its methods may be
// called at the same time, and what they change is in one transaction each.
type Store struct {
	Client *zk.Client
	Tree   jobtree.Job
	Now    func() time.Time // the wall clock
}

// NewID returns a UUID of version 7: unique, and ordered by time to a quarter of a
// microsecond. Nothing hangs on its being hard to guess.
func NewID(now time.Time) string {
	var b [16]byte
	fraction := uint64(now.Nanosecond()%int(time.Millisecond)) << 12 / uint64(time.Millisecond)
	binary.BigEndian.PutUint64(b[:], uint64(now.UnixMilli())<<16|fraction)
	binary.BigEndian.PutUint64(b[8:], rand.Uint64())
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	text := make([]byte, 0, 36)
	for i, part := range [][]byte{b[:4], b[4:6], b[6:8], b[8:10], b[10:]} {
		if i > 0 {
			text = append(text, '-')
		}
		text = hex.AppendEncode(text, part)
	}
	return string(text)
}

// Ring has everybody look at the runs; it goes with what they are to see.
func (s Store) Ring() zk.Op { return zk.SetOp(s.Tree.RunsBell(), nil, zk.AnyVersion) }

// rungQueue is what the bell says when only requests have come to the queue. Those whose
// shards a run has to take part in need not look for one then.
const rungQueue = "queue"

// RingQueue is Ring for requests that come to the queue. If it is one, the bell tells its
// name, so that the steward need not list the queue.
func (s Store) RingQueue(names ...string) zk.Op {
	what := rungQueue
	if len(names) == 1 {
		what += " " + names[0]
	}
	return zk.SetOp(s.Tree.RunsBell(), []byte(what), zk.AnyVersion)
}

// RungForQueue reads what the bell says: whether only requests have come to the queue, and
// the name of the request if it is one. Earlier versions tell no name.
func RungForQueue(what string) (queue bool, name string) {
	kind, name, _ := strings.Cut(what, " ")
	if kind != rungQueue {
		return false, ""
	}
	if _, id, ours := jobtree.ParseRunName(name); !ours || !plainID(id) {
		return true, "" // Nobody's request: it must not become a path.
	}
	return true, name
}

// Begin returns the operations that make the record of a run at a path.
func (s Store) Begin(path string, r jobtree.RunRecord) ([]zk.Op, error) {
	data, err := r.Encode()
	return []zk.Op{zk.CreateOp(path, data, zk.Persistent), zk.CreateOp(s.Tree.RunsLife(path, r.Life), nil, zk.Persistent)}, err
}

// Same makes sure that the record at a path is still that of one opening of a run: the
// version alone may be that of another one.
func (s Store) Same(path, life string) zk.Op {
	return zk.CheckOp(s.Tree.RunsLife(path, life), zk.AnyVersion)
}

// RingCancel has the agents look whether it is a run of theirs that was cancelled. What
// earlier versions write names none: agents look at all of their runs then.
func (s Store) RingCancel(id string) zk.Op {
	return zk.SetOp(s.Tree.RunsCancels(), []byte(id), zk.AnyVersion)
}

// Write returns the operations that put what a run became in the place of its record,
// which stands at a path with a version.
func (s Store) Write(path string, version int32, next Next) ([]zk.Op, error) {
	if next.Record != nil {
		data, err := next.Record.Encode()
		return []zk.Op{s.Same(path, next.life), zk.SetOp(path, data, version)}, err
	}
	ops := []zk.Op{zk.DeleteOp(s.Tree.RunsLife(path, next.life), zk.AnyVersion), zk.DeleteOp(path, version)}
	if next.Again != nil {
		data, err := next.Again.Encode()
		due := time.UnixMilli(next.Again.Due)
		name := jobtree.RunName(due, next.Again.ID)
		if due.After(s.Now()) { // However soon: what is queued begins at once.
			bucket := s.Tree.RunsBucket(jobtree.RunBucket(next.Again.ID, len(next.Again.Params)))
			return append(ops, zk.CreateOp(bucket+"/"+name, data, zk.Persistent)), err
		}
		return append(ops, zk.CreateOp(s.Tree.RunsQueued(name), data, zk.Persistent), s.RingQueue(name)), err
	}
	more, err := s.end(*next.Outcome, next.Request)
	return append(ops, more...), err
}

// end returns the operations that record how a run ended, and until when its key is
// remembered.
func (s Store) end(o jobtree.RunOutcome, r jobtree.RunRequest) ([]zk.Op, error) {
	data, err := o.Encode()
	ops := []zk.Op{zk.CreateOp(s.Tree.RunsEnded(time.UnixMilli(o.Ended), o.ID), data, zk.Persistent)}
	if err != nil || r.Key == "" {
		return ops, err
	}
	path := s.Tree.RunsKey(r.Key)
	if r.KeyFor < 0 {
		return append(ops, zk.DeleteOp(path, zk.AnyVersion)), nil
	}
	key, err := jobtree.RunKey{ID: r.ID, Hash: hashOf(r.Params), Until: o.Ended + r.KeyFor}.Encode()
	return append(ops, zk.SetOp(path, key, zk.AnyVersion)), err
}

// Wrote reports whether a run became next by a transaction of which no answer came. A run
// that has moved on since counts as not written: it's recorded by its next move.
func (s Store) Wrote(ctx context.Context, next Next) (bool, error) {
	var paths []string
	switch {
	case next.Outcome != nil:
		paths = []string{s.Tree.RunsEnded(time.UnixMilli(next.Outcome.Ended), next.Outcome.ID)}
	case next.Again != nil:
		name := jobtree.RunName(time.UnixMilli(next.Again.Due), next.Again.ID)
		bucket := s.Tree.RunsBucket(jobtree.RunBucket(next.Again.ID, len(next.Again.Params)))
		paths = []string{bucket + "/" + name, s.Tree.RunsQueued(name)} // In the order in which it moves.
	}
	for _, path := range paths {
		if _, there, err := s.Client.Exists(ctx, path); err != nil || there {
			return there, err
		}
	}
	return false, nil
}

// Drop returns the operations that end a run which waits at a path with a version.
func (s Store) Drop(path string, version int32, r jobtree.RunRequest, o jobtree.RunOutcome) ([]zk.Op, error) {
	ops, err := s.end(o, r)
	return append([]zk.Op{zk.DeleteOp(path, version)}, ops...), err
}

// Refused reports whether a transaction was refused because something had changed
// since it was planned, so that it is to be planned anew.
func Refused(err error) bool {
	refused := (*zk.MultiError)(nil)
	return errors.As(err, &refused) && (errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrNodeExists) || errors.Is(err, zk.ErrBadVersion))
}

// children lists the names below a node, ascending; none if it is absent.
func (s Store) children(ctx context.Context, path string) ([]string, error) {
	names, _, err := s.Client.Children(ctx, path)
	slices.Sort(names)
	return names, zk.Ignore(err, zk.ErrNoNode)
}

// at most so many reads of a list are under way.
const readsAtOnce = 32

func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, readsAtOnce, n, fn)
}
