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

// DeleteIfData deletes a node if it has the expected data.
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

func Parent(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// Agent returns the path of an instance's agent node. After an operator has shut down a running
// job, it outlives the instance's node.
func (n *Nodes) Agent(id string) string { return n.Tree.Agents() + "/" + id }

// Flags returns the path of the parent of the resharding flags, which has no other children. We
// watch it instead of the flags. If a flag came and went and the event was lost, nothing would show
// that its watch is spent, and we'd miss all further reshardings. The version of this node shows
// it.
func (n *Nodes) Flags() string { return Parent(n.Tree.Necessary()) }
