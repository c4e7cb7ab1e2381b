package nodes

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// Nodes are the nodes of one job. Its methods are safe for concurrent use.
type Nodes struct {
	Client *zk.Client
	Tree   jobtree.Job

	log     *slog.Logger
	mu      sync.Mutex
	foreign map[string]bool // foreign nodes that were logged
}

// New returns the nodes of the job at tree. Foreign nodes are logged to log.
func New(client *zk.Client, tree jobtree.Job, log *slog.Logger) *Nodes {
	return &Nodes{Client: client, Tree: tree, log: log}
}

// Ensure creates a node of the job if it's missing, and its parents.
func (n *Nodes) Ensure(ctx context.Context, path string) error {
	return zk.Ignore(n.Create(ctx, path, nil, zk.Persistent), zk.ErrNodeExists)
}

// Create creates a node, and its parents if they're missing, if the job has a configuration, so
// that no part of a removed job is created again. Without a configuration it returns ErrNoNode.
func (n *Nodes) Create(ctx context.Context, path string, data []byte, mode zk.CreateMode) error {
	return n.CreateIf(ctx, zk.CheckOp(n.Tree.Config(), zk.AnyVersion), path, data, mode)
}

// CreateIf is Create with another condition than that the job has a configuration.
func (n *Nodes) CreateIf(ctx context.Context, condition zk.Op, path string, data []byte, mode zk.CreateMode) error {
	for {
		err := n.Client.Multi(ctx, condition, zk.CreateOp(path, data, mode))
		if zk.RefusedPath(err) != path || !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		if err := n.Ensure(ctx, Parent(path)); err != nil {
			return err
		}
	}
}

// HasData reports whether a node exists and has the expected data, and in which version.
func (n *Nodes) HasData(ctx context.Context, path, data string) (version int32, has bool, err error) {
	stored, stat, err := n.Client.Get(ctx, path)
	return stat.Version, err == nil && string(stored) == data, zk.Ignore(err, zk.ErrNoNode)
}

// DeleteIfData deletes a node if it has the expected data.
func (n *Nodes) DeleteIfData(ctx context.Context, path, data string) error {
	version, has, err := n.HasData(ctx, path, data)
	if err != nil || !has {
		return err
	}
	return zk.Ignore(n.Client.Delete(ctx, path, version), zk.ErrNoNode, zk.ErrBadVersion)
}

// DeleteIfDataOps returns the operation that does what DeleteIfData does, or none.
func (n *Nodes) DeleteIfDataOps(ctx context.Context, path, data string) ([]zk.Op, error) {
	version, has, err := n.HasData(ctx, path, data)
	if err != nil || !has {
		return nil, err
	}
	return []zk.Op{zk.DeleteOp(path, version)}, nil
}

func Parent(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// Agent returns the path of an instance's agent node. After an operator has shut down a running
// job, it outlives the instance's node.
func (n *Nodes) Agent(id string) string { return n.Tree.Agents() + "/" + id }

// Flags returns the path of the parent of the resharding flags, which has no other children. We
// watch it instead of the flags. If a flag came and went and the event was lost, nothing would show
// that its watch is spent, and we'd miss all further reshardings. The version of this node shows
// it.
func (n *Nodes) Flags() string { return Parent(n.Tree.Necessary()) }

// maxForeign limits how many foreign node names a job remembers having logged.
const maxForeign = 100

// maxShown limits the length of such a name in the log, in characters.
const maxShown = 100

// Children returns the children of one of the job's nodes, without foreign ones. All lists of the
// tree are read through Children or Seen; otherwise a name that is no instance, server or shard
// would break the work on the others.
func (n *Nodes) Children(ctx context.Context, path string) ([]string, error) {
	names, _, err := n.Client.Children(ctx, path)
	return n.own(path, names), err
}

// Seen is like Children, but returns the children last seen by the watches.
func (n *Nodes) Seen(cache *recipe.Cache, path string) []string {
	return n.own(path, cache.Get(path).Children)
}

// own drops the names of foreign nodes, and logs each new one.
func (n *Nodes) own(path string, names []string) []string {
	own, foreign := n.Tree.OwnChildren(path, names)
	for _, name := range foreign {
		if n.noteForeign(path + "/" + name) {
			n.log.Warn("ignored a node with a name that ElasticJob doesn't use", "parent", path, "name", jobtree.Clip(strconv.Quote(name), maxShown))
		}
	}
	return own
}

// noteForeign reports whether a foreign node should be logged, because it hasn't been yet.
func (n *Nodes) noteForeign(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.foreign[path] || len(n.foreign) >= maxForeign {
		return false
	}
	lazymap.Put(&n.foreign, path, true)
	return true
}

// readParallel limits the concurrent requests of one Each or Together.
const readParallel = 128

// ManyShards is the number of shards from which we avoid reading shards one by one.
const ManyShards = 65

// Each calls fn for 0 to count-1, several at a time, and returns the first error. That error also
// ends the context of the other calls.
func Each(ctx context.Context, count int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, readParallel, count, fn)
}

// Where returns the shards for which is returns true. Several calls run at a time, as in Each.
func Where(ctx context.Context, shards []int, is func(ctx context.Context, shard int) (bool, error)) ([]int, error) {
	chosen := make([]bool, len(shards))
	err := Each(ctx, len(shards), func(ctx context.Context, i int) (err error) {
		chosen[i], err = is(ctx, shards[i])
		return err
	})
	var list []int
	for i, n := range shards {
		if chosen[i] {
			list = append(list, n)
		}
	}
	return list, err
}

// Together calls all of fns, several at a time, like Each.
func Together(ctx context.Context, fns []func(ctx context.Context) error) error {
	return Each(ctx, len(fns), func(ctx context.Context, i int) error { return fns[i](ctx) })
}

// StepTimeout limits one unit of work, such as a control step, so that a latch held by a hung
// process delays a job but doesn't block it forever.
const StepTimeout = 15 * time.Second

// Delays between failed steps, doubled each time.
const (
	RetryFirst = 100 * time.Millisecond
	RetryLast  = 5 * time.Second
)

// RetryPause is the delay after so many failed steps in a row.
func RetryPause(failures int) time.Duration {
	return min(RetryLast, RetryFirst<<min(failures-1, 10))
}

// AsCreated is the version of a running marker right after its creation. Java's agents create a
// marker or overwrite an existing one, which then is theirs.
const AsCreated int32 = 0

// AwaitChange waits for a change, for at most limit. If ctx ends first, it returns the cause.
func AwaitChange(ctx context.Context, changed <-chan struct{}, limit time.Duration) error {
	pause := time.NewTimer(limit)
	defer pause.Stop()
	select {
	case <-changed:
	case <-pause.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// BackOff pauses briefly after a conflicting write, so that several writers don't keep refusing
// each other.
func BackOff(ctx context.Context, writers int) error {
	return AwaitChange(ctx, nil, rand.N(time.Duration(1+writers)*time.Millisecond))
}
