package zk

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	gozk "github.com/go-zookeeper/zk"
)

// AnyVersion makes Set, Delete and their transaction variants unconditional.
const AnyVersion int32 = -1

// maxPacket is ZooKeeper's default packet limit (jute.maxbuffer) minus room for headers. The server
// would cut the connection, so we refuse larger requests with an error.
const maxPacket = 1<<20 - 1024

// CreateMode is the lifetime and numbering of a new node.
type CreateMode int32

// The modes of [Client.Create].
const (
	// Persistent nodes stay until deleted.
	Persistent CreateMode = gozk.FlagPersistent
	// Ephemeral nodes vanish with the session.
	Ephemeral CreateMode = gozk.FlagEphemeral
	// PersistentSequential nodes get a ten-digit number appended.
	PersistentSequential CreateMode = gozk.FlagSequence
	// EphemeralSequential nodes combine both.
	EphemeralSequential CreateMode = gozk.FlagEphemeralSequential
	// Container nodes are deleted by the server some time after their last child. They need
	// ZooKeeper 3.5.1.
	Container CreateMode = gozk.FlagContainer
)

// Stat is ZooKeeper's metadata of a node.
type Stat struct {
	Czxid, Mzxid, Pzxid         int64 // transactions that created it, changed its data, changed its children
	Ctime, Mtime                time.Time
	Version, Cversion, Aversion int32 // of data, children, ACL
	EphemeralOwner              int64 // session id, 0 for persistent nodes
	DataLength, NumChildren     int32
}

func statOf(s *gozk.Stat) Stat {
	if s == nil {
		return Stat{}
	}
	return Stat{
		Czxid: s.Czxid, Mzxid: s.Mzxid, Pzxid: s.Pzxid,
		Ctime: time.UnixMilli(s.Ctime), Mtime: time.UnixMilli(s.Mtime),
		Version: s.Version, Cversion: s.Cversion, Aversion: s.Aversion,
		EphemeralOwner: s.EphemeralOwner, DataLength: s.DataLength, NumChildren: s.NumChildren,
	}
}

// do runs one blocking library call under ctx. If ctx ends first, the call continues in the
// background until the connection answers or breaks, and the caller doesn't learn the outcome, as
// with every lost reply. If ctx doesn't have a deadline, the session timeout is the limit.
func do[T any](ctx context.Context, c *Client, op, path string, call func() (T, error)) (_ T, err error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, &Error{Op: op, Path: path, Err: context.Cause(ctx)}
	}
	if c.State() != Connected {
		return zero, &Error{Op: op, Path: path, Err: c.errNotConnected()}
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.cfg.SessionTimeout)
		defer cancel()
	}
	session := c.sessionFor(ctx)
	if c.conn.SessionID() != session {
		return zero, &Error{Op: op, Path: path, Err: ErrSessionLost}
	}
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	c.mu.Lock()
	if c.state == Closed {
		c.mu.Unlock()
		return zero, &Error{Op: op, Path: path, Err: ErrClosed}
	}
	c.under.Add(1)
	c.calls.Go(func() {
		v, err := call()
		c.under.Add(-1)
		answers <- answer{v, err}
	})
	c.mu.Unlock()
	if observe := c.cfg.Observe; observe != nil {
		asked := time.Now()
		defer func() { observe(op, time.Since(asked), err) }()
	}
	select {
	case a := <-answers:
		err := translate(a.err)
		if c.conn.SessionID() != session && !errors.Is(err, ErrUnavailable) {
			// The session changed while the request waited. Its result, for example that our
			// ephemeral nodes are absent, must not reach a caller of the old session.
			return zero, &Error{Op: op, Path: path, Err: ErrSessionLost}
		}
		if err != nil {
			return a.value, &Error{Op: op, Path: path, Err: err}
		}
		return a.value, nil
	case <-ctx.Done():
		return zero, &Error{Op: op, Path: path, Err: fmt.Errorf("%w: no answer in time: %w", ErrUnavailable, context.Cause(ctx))}
	}
}

type node struct {
	data     []byte
	children []string
	name     string
	stat     Stat
	exists   bool
}

// Get returns a node's data, or [ErrNoNode] if it's absent.
func (c *Client) Get(ctx context.Context, path string) ([]byte, Stat, error) {
	n, err := do(ctx, c, "get", path, func() (node, error) {
		data, stat, err := c.conn.Get(c.full(path))
		return node{data: data, stat: statOf(stat)}, err
	})
	return n.data, n.stat, err
}

// Exists returns a node's metadata and whether the node exists.
func (c *Client) Exists(ctx context.Context, path string) (Stat, bool, error) {
	n, err := do(ctx, c, "exists", path, func() (node, error) {
		ok, stat, err := c.conn.Exists(c.full(path))
		return node{stat: statOf(stat), exists: ok}, err
	})
	return n.stat, n.exists, err
}

// Children returns the names below a node, unordered, or [ErrNoNode] if it's absent.
func (c *Client) Children(ctx context.Context, path string) ([]string, Stat, error) {
	n, err := do(ctx, c, "children", path, func() (node, error) {
		names, stat, err := c.conn.Children(c.full(path))
		return node{children: names, stat: statOf(stat)}, err
	})
	return n.children, n.stat, err
}

// stored returns data as sent to the server. The library sends nil as null, which isn't the same as
// no bytes in ZooKeeper and makes the clients of Java agents fail.
func stored(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// Create creates one node and returns its path, which includes the number in sequential modes. It
// returns [ErrNoNode] if the parent is absent.
func (c *Client) Create(ctx context.Context, path string, data []byte, mode CreateMode) (string, error) {
	if err := checkSize("create", path, len(c.chroot)+len(path)+len(data)); err != nil {
		return "", err
	}
	switch mode {
	case Persistent, Ephemeral, PersistentSequential, EphemeralSequential, Container:
	default:
		return "", &Error{Op: "create", Path: path, Err: fmt.Errorf("%w: unknown create mode %d", ErrInvalid, mode)}
	}
	n, err := do(ctx, c, "create", path, func() (node, error) {
		create := c.conn.Create
		if mode == Container {
			create = c.conn.CreateContainer
		}
		name, err := create(c.full(path), stored(data), int32(mode), c.acl)
		return node{name: c.within(name)}, err
	})
	return n.name, err
}

// CreateAll is [Client.Create], but creates missing parents first, persistent and empty.
func (c *Client) CreateAll(ctx context.Context, p string, data []byte, mode CreateMode) (string, error) {
	for {
		name, err := c.Create(ctx, p, data, mode)
		if !errors.Is(err, ErrNoNode) {
			return name, err
		}
		if err := c.ensure(ctx, path.Dir(p)); err != nil {
			return "", err
		}
	}
}

func (c *Client) ensure(ctx context.Context, p string) error {
	_, err := c.CreateAll(ctx, p, nil, Persistent)
	if errors.Is(err, ErrNodeExists) {
		return nil
	}
	return err
}

// Set replaces a node's data if its version is the expected one.
func (c *Client) Set(ctx context.Context, path string, data []byte, version int32) (Stat, error) {
	if err := checkSize("set", path, len(c.chroot)+len(path)+len(data)); err != nil {
		return Stat{}, err
	}
	return do(ctx, c, "set", path, func() (Stat, error) {
		stat, err := c.conn.Set(c.full(path), stored(data), version)
		return statOf(stat), err
	})
}

// Delete removes a node without children if its version is the expected one.
func (c *Client) Delete(ctx context.Context, path string, version int32) error {
	_, err := do(ctx, c, "delete", path, func() (struct{}, error) {
		return struct{}{}, c.conn.Delete(c.full(path), version)
	})
	return err
}

// DeleteAll removes a node with everything below it. An absent node is no error. It isn't atomic:
// it also removes children that are created in the meantime.
func (c *Client) DeleteAll(ctx context.Context, p string) error {
	for {
		err := c.Delete(ctx, p, AnyVersion)
		switch {
		case err == nil, errors.Is(err, ErrNoNode):
			return nil
		case !errors.Is(err, ErrNotEmpty):
			return err
		}
		names, _, err := c.Children(ctx, p)
		if errors.Is(err, ErrNoNode) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := c.DeleteAll(ctx, p+"/"+name); err != nil {
				return err
			}
		}
	}
}

// Sync makes later reads of this client include every write that any client finished before the
// call.
func (c *Client) Sync(ctx context.Context, path string) error {
	_, err := do(ctx, c, "sync", path, func() (struct{}, error) {
		_, err := c.conn.Sync(c.full(path))
		return struct{}{}, err
	})
	return err
}

// Op is one operation of a transaction, made by [CreateOp], [SetOp], [DeleteOp] or [CheckOp].
type Op struct {
	Path    string
	Data    []byte
	Mode    CreateMode
	Version int32
	kind    string
}

// CreateOp creates a node. The parent must exist, or an earlier operation of the transaction must
// create it. A transaction can't create container nodes.
func CreateOp(path string, data []byte, mode CreateMode) Op {
	return Op{Path: path, Data: data, Mode: mode, kind: "create"}
}

// SetOp replaces data.
func SetOp(path string, data []byte, version int32) Op {
	return Op{Path: path, Data: data, Version: version, kind: "set"}
}

// DeleteOp removes a node.
func DeleteOp(path string, version int32) Op {
	return Op{Path: path, Version: version, kind: "delete"}
}

// CheckOp makes the transaction depend on a node's existence and version.
func CheckOp(path string, version int32) Op {
	return Op{Path: path, Version: version, kind: "check"}
}

// opOverhead is an upper bound for the bytes of an operation on the wire without its path and data.
// A node with a digest ACL needs the most: 72 bytes and the user.
const opOverhead = 128

// Size is the operation's share of ZooKeeper's packet limit, in bytes.
func (o Op) Size() int { return len(o.Path) + len(o.Data) + opOverhead }

// MaxTransaction is the limit of the summed [Op.Size] of a transaction, in bytes. A chroot also
// counts once per operation, so callers that pack transactions should stay below half of it.
const MaxTransaction = maxPacket

// Multi applies all operations or none. A refusal is a [*MultiError], any other failure an
// [*Error].
func (c *Client) Multi(ctx context.Context, ops ...Op) error {
	_, err := c.MultiStats(ctx, ops...)
	return err
}

// MultiStats is [Client.Multi], but returns the node's new metadata at the position of each
// [SetOp]. Its Mzxid is the transaction's.
func (c *Client) MultiStats(ctx context.Context, ops ...Op) ([]Stat, error) {
	size := 0
	requests := make([]any, len(ops))
	for i, o := range ops {
		size += len(c.chroot) + o.Size()
		switch o.kind {
		case "create":
			if o.Mode == Container {
				return nil, &MultiError{Index: i, Op: o, Err: fmt.Errorf("%w: a container node cannot be part of a transaction", ErrInvalid)}
			}
			requests[i] = &gozk.CreateRequest{Path: c.full(o.Path), Data: stored(o.Data), Acl: c.acl, Flags: int32(o.Mode)}
		case "set":
			requests[i] = &gozk.SetDataRequest{Path: c.full(o.Path), Data: stored(o.Data), Version: o.Version}
		case "delete":
			requests[i] = &gozk.DeleteRequest{Path: c.full(o.Path), Version: o.Version}
		case "check":
			requests[i] = &gozk.CheckVersionRequest{Path: c.full(o.Path), Version: o.Version}
		default:
			return nil, &MultiError{Index: i, Op: o, Err: fmt.Errorf("%w: the operation was not created by CreateOp, SetOp, DeleteOp or CheckOp", ErrInvalid)}
		}
	}
	if err := checkSize("multi", "", size); err != nil {
		return nil, err
	}
	results, err := do(ctx, c, "multi", "", func() ([]gozk.MultiResponse, error) {
		results, err := c.conn.Multi(requests...)
		for _, r := range results {
			if r.Error != nil {
				return results, nil // A refusal, reported below with its operation.
			}
		}
		return results, err
	})
	if err != nil {
		return nil, err
	}
	stats := make([]Stat, len(ops))
	for i, r := range results[:min(len(results), len(ops))] {
		if r.Error != nil {
			return nil, &MultiError{Index: i, Op: ops[i], Err: translate(r.Error)}
		}
		stats[i] = statOf(r.Stat)
	}
	return stats, nil
}

func checkSize(op, path string, size int) error {
	if size <= maxPacket {
		return nil
	}
	return &Error{Op: op, Path: path, Err: fmt.Errorf("%w: %d bytes exceed ZooKeeper's packet limit of %d", ErrInvalid, size, maxPacket)}
}
