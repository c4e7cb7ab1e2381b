package runs

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Store reads and writes the runs of one job. It has no state, so all methods are safe for
// concurrent use. Each change is one transaction.
type Store struct {
	Client *zk.Client
	Tree   jobtree.Job
	Now    func() time.Time // wall clock
}

// NewID returns a UUID of version 7: unique, and ordered by time with a resolution of a quarter of
// a microsecond. It doesn't have to be hard to guess.
func NewID(now time.Time) string {
	var b [16]byte
	fraction := uint64(now.Nanosecond()%int(time.Millisecond)) << 12 / uint64(time.Millisecond)
	binary.BigEndian.PutUint64(b[:], uint64(now.UnixMilli())<<16|fraction)
	binary.BigEndian.PutUint64(b[8:], rand.Uint64())
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Signal notifies all agents of changed runs. Put it in the same transaction as the change.
func (s Store) Signal() zk.Op { return zk.SetOp(s.Tree.RunsSignal(), nil, zk.AnyVersion) }

// queueSignal is the signal's data if only requests were added to the queue. Agents that only look
// for active runs of their shards don't have to react to it.
const queueSignal = "queue"

// SignalQueue is Signal for requests added to the queue. A single request is named in the data, so
// the steward doesn't have to list the queue.
func (s Store) SignalQueue(names ...string) zk.Op {
	what := queueSignal
	if len(names) == 1 {
		what += " " + names[0]
	}
	return zk.SetOp(s.Tree.RunsSignal(), []byte(what), zk.AnyVersion)
}

// ParseSignal reads the signal's data: whether only requests were added to the queue, and the name
// if there's one. Earlier versions don't write the name.
func ParseSignal(what string) (queue bool, name string) {
	kind, name, _ := strings.Cut(what, " ")
	if kind != queueSignal {
		return false, ""
	}
	if _, id, ours := jobtree.ParseRunName(name); !ours || !plainID(id) {
		return true, "" // A foreign name must not become a path.
	}
	return true, name
}

// Begin returns the operations that create a run's record at a path.
func (s Store) Begin(path string, r jobtree.RunRecord) ([]zk.Op, error) {
	data, err := r.Encode()
	return []zk.Op{zk.CreateOp(path, data, zk.Persistent), zk.CreateOp(s.Tree.RunsLife(path, r.Life), nil, zk.Persistent)}, err
}

// Same checks that the record at a path still belongs to one opening of a run. The version isn't
// enough, because another run's record may have the same.
func (s Store) Same(path, life string) zk.Op {
	return zk.CheckOp(s.Tree.RunsLife(path, life), zk.AnyVersion)
}

// SignalCancel notifies the agents of a cancelled run. Earlier versions don't write the id, and
// agents then check all of their runs.
func (s Store) SignalCancel(id string) zk.Op {
	return zk.SetOp(s.Tree.RunsCancels(), []byte(id), zk.AnyVersion)
}

// Write returns the operations that replace the record at a path and version with the run's next
// state.
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
		if due.After(s.Now()) { // Even if it's soon, because queued runs begin at once.
			bucket := s.Tree.RunsBucket(jobtree.RunBucket(next.Again.ID, len(next.Again.Params)))
			return append(ops, zk.CreateOp(bucket+"/"+name, data, zk.Persistent)), err
		}
		return append(ops, zk.CreateOp(s.Tree.RunsQueued(name), data, zk.Persistent), s.SignalQueue(name)), err
	}
	more, err := s.end(*next.Outcome, next.Request)
	return append(ops, more...), err
}

// WriteAndSignal is Write that also signals all agents if the run goes on.
func (s Store) WriteAndSignal(path string, version int32, next Next) ([]zk.Op, error) {
	ops, err := s.Write(path, version, next)
	if next.Record != nil {
		ops = append(ops, s.Signal())
	}
	return ops, err
}

// end returns the operations that record a run's end and how long its key is kept.
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

// Wrote reports whether an unanswered transaction was applied. If the run has moved on since, it
// returns false, because the next move records the change too.
func (s Store) Wrote(ctx context.Context, next Next) (bool, error) {
	var paths []string
	switch {
	case next.Outcome != nil:
		paths = []string{s.Tree.RunsEnded(time.UnixMilli(next.Outcome.Ended), next.Outcome.ID)}
	case next.Again != nil:
		name := jobtree.RunName(time.UnixMilli(next.Again.Due), next.Again.ID)
		bucket := s.Tree.RunsBucket(jobtree.RunBucket(next.Again.ID, len(next.Again.Params)))
		paths = []string{bucket + "/" + name, s.Tree.RunsQueued(name)} // in the order of its moves
	}
	for _, path := range paths {
		if _, there, err := s.Client.Exists(ctx, path); err != nil || there {
			return there, err
		}
	}
	return false, nil
}

// Drop returns the operations that end a waiting run at a path and version.
func (s Store) Drop(path string, version int32, r jobtree.RunRequest, o jobtree.RunOutcome) ([]zk.Op, error) {
	ops, err := s.end(o, r)
	return append([]zk.Op{zk.DeleteOp(path, version)}, ops...), err
}

// Refused reports whether a transaction was refused because something had changed since it was
// planned. The caller should plan again.
func Refused(err error) bool {
	return zk.RefusedPath(err) != "" && zk.Ignore(err, zk.ErrNoNode, zk.ErrNodeExists, zk.ErrBadVersion) == nil
}

type node struct {
	zk.Stat
	data []byte
}

func (n node) exists() bool { return n.Czxid != 0 }

// getting, finding and listing return reads for readAll: of a node, of its stat and of its children.
func (s Store) getting(path string, n *node) func(context.Context) error {
	return func(ctx context.Context) (err error) { n.data, n.Stat, err = s.get(ctx, path); return err }
}

func (s Store) finding(path string, n *node) func(context.Context) error {
	return func(ctx context.Context) (err error) { n.Stat, _, err = s.Client.Exists(ctx, path); return err }
}

func (s Store) listing(path string, names *[]string) func(context.Context) error {
	return func(ctx context.Context) (err error) { *names, err = s.Children(ctx, path); return err }
}

func readAll(ctx context.Context, reads ...func(context.Context) error) error {
	return each(ctx, len(reads), func(ctx context.Context, i int) error { return reads[i](ctx) })
}

// get reads a node. An absent node has no data and no stat.
func (s Store) get(ctx context.Context, path string) ([]byte, zk.Stat, error) {
	data, stat, err := s.Client.Get(ctx, path)
	return data, stat, zk.Ignore(err, zk.ErrNoNode)
}

// again returns nil if a change that failed should be planned again, after a wait.
func (s Store) again(ctx context.Context, failure error) error {
	if Refused(failure) {
		return s.pause(ctx, nil)
	}
	if !zk.Retriable(failure) {
		return failure
	}
	return s.pause(ctx, failure)
}

// Children lists the names below a node, ascending. An absent node has none.
func (s Store) Children(ctx context.Context, path string) ([]string, error) {
	names, _, err := s.Client.Children(ctx, path)
	slices.Sort(names)
	return names, zk.Ignore(err, zk.ErrNoNode)
}

// below lists the paths of the children of folders, in the order of the folders and ascending.
func (s Store) below(ctx context.Context, folders ...string) ([]string, error) {
	lists := make([][]string, len(folders))
	err := each(ctx, len(folders), func(ctx context.Context, i int) (err error) {
		lists[i], err = s.Children(ctx, folders[i])
		for k, name := range lists[i] {
			lists[i][k] = folders[i] + "/" + name
		}
		return err
	})
	return slices.Concat(lists...), err
}

const readsAtOnce = 32

func gather[T any](ctx context.Context, n int, fn func(ctx context.Context, i int) (T, bool, error)) ([]T, error) {
	return rethrow.Gather(ctx, readsAtOnce, n, fn)
}

func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, readsAtOnce, n, fn)
}

// Commit applies the operations of Write or Drop in one transaction. It creates a missing folder of
// waiting requests. If an operator has removed an idempotency key, it continues without the key, so
// that the run can end.
func (s Store) Commit(ctx context.Context, ops ...zk.Op) error {
	for {
		err := s.Client.Multi(ctx, ops...)
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		switch folder := parent(refused.Op.Path); {
		case strings.HasPrefix(refused.Op.Path, s.Tree.RunsKeys()+"/"):
			ops = slices.DeleteFunc(slices.Clone(ops), func(op zk.Op) bool { return op.Path == refused.Op.Path })
		case strings.HasPrefix(folder, s.Tree.RunsDue()+"/"):
			if _, exists, failed := s.Client.Exists(ctx, folder); failed != nil || exists {
				return errors.Join(err, failed) // The request itself is missing.
			}
			if failed := s.prepare(ctx, refused.Op.Path); failed != nil {
				return failed
			}
		default:
			return err
		}
	}
}

// refusal is one of package jobrun's errors with a specific text.
type refusal struct {
	kind error
	text string
}

func refuse(kind error, format string, args ...any) error {
	return &refusal{kind, fmt.Sprintf(format, args...)}
}

func (r *refusal) Error() string { return r.text }

func (r *refusal) Unwrap() error { return r.kind }

// Schema reads the schema of the job's parameters. It's the zero value if there is none or it's
// unreadable.
func (s Store) Schema(ctx context.Context) (jobrun.Schema, error) {
	stored, schema, err := s.schema(ctx)
	if schema == nil {
		return jobrun.Schema{}, err
	}
	return jobrun.Schema{Text: stored.Schema, By: jobtree.Shown(stored.By), At: jobtree.Moment(stored.At)}, nil
}

// schema reads the schema for checks. It's nil if the job accepts any parameters, or the node is
// foreign or of a later version.
func (s Store) schema(ctx context.Context) (stored jobtree.RunSchema, schema *runparams.Schema, err error) {
	data, stat, err := s.get(ctx, s.Tree.Params())
	if err != nil || stat.Czxid == 0 {
		return stored, nil, err
	}
	if stored, err = jobtree.DecodeRunSchema(data); err != nil {
		return stored, nil, nil
	}
	schema, _ = runparams.Parse(stored.Schema)
	return stored, schema, nil
}
