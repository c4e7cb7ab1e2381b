package nodes

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Nodes are the nodes of one job. Its methods may be called from any goroutine.
type Nodes struct {
	Client *zk.Client
	Tree   jobtree.Job

	log     *slog.Logger
	mu      sync.Mutex
	foreign map[string]bool // strangers' nodes that the log has named
}

// New returns the nodes of the job at tree. What strangers have put among them is
// named in log.
func New(client *zk.Client, tree jobtree.Job, log *slog.Logger) *Nodes {
	return &Nodes{Client: client, Tree: tree, log: log}
}

// Ensure makes a node below the job's if it is absent, and its parents.
func (n *Nodes) Ensure(ctx context.Context, path string) error {
	return zk.Ignore(n.Create(ctx, path, nil, zk.Persistent), zk.ErrNodeExists)
}

// Create creates a node, and its parents if they are absent, on the condition
// that the job has a configuration: a job that was removed, or is being removed,
// must not be created again in part. Without one it is ErrNoNode.
func (n *Nodes) Create(ctx context.Context, path string, data []byte, mode zk.CreateMode) error {
	for {
		err := n.Client.Multi(ctx, zk.CheckOp(n.Tree.Config(), zk.AnyVersion), zk.CreateOp(path, data, mode))
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || refused.Index != 1 || !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		if err := n.Ensure(ctx, Parent(path)); err != nil {
			return err
		}
	}
}

// DeleteIfData deletes a node if its data is what is expected.
func (n *Nodes) DeleteIfData(ctx context.Context, path, data string) error {
	stored, stat, err := n.Client.Get(ctx, path)
	if errors.Is(err, zk.ErrNoNode) || err == nil && string(stored) != data {
		return nil
	}
	if err != nil {
		return err
	}
	err = n.Client.Delete(ctx, path, stat.Version)
	return zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrBadVersion)
}

// Parent is the path of the node above another one.
func Parent(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// Agent is the node of an instance's agent. It outlives the instance's node where an
// operator has shut the job down while it runs.
func (n *Nodes) Agent(id string) string { return n.Tree.Agents() + "/" + id }

// Flags is the node that holds the resharding flags, and nothing else. It is watched
// and not they: of an absent node that came and went while its event was lost nothing
// tells that its watch is spent, and all the next reshardings would be missed as well.
// This node's version tells.
func (n *Nodes) Flags() string { return Parent(n.Tree.Necessary()) }
