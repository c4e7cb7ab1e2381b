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
