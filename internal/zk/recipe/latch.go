package recipe

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// latchMark precedes the sequence number in the node names of Apache Curator's LeaderLatch. The
// protocol orders nodes by the text after it.
const latchMark = "latch-"

// lockMark does the same for Curator's InterProcessMutex, which its LeaderSelector uses.
const lockMark = "lock-"

// queue is the directory and the node names of candidates.
type queue struct {
	dir, mark string
	data      []byte // of our own node
}

// cleanupTimeout bounds the removal of our own latch node after the caller's context has ended. If
// the node stayed, it would block every other candidate.
const cleanupTimeout = 5 * time.Second

// ErrNoParent means that the parent of a latch's directory doesn't exist.
var ErrNoParent = fmt.Errorf("the parent of the latch is absent: %w", zk.ErrNoNode)

// Latch runs fn while holding the latch at dir, and then releases it. It's compatible with
// Curator's LeaderLatch: candidates create an ephemeral sequential node
// `_c_<uuid>-latch-<sequence>` and the lowest sequence holds the latch.
//
// fn runs at most once. As in Curator, holding isn't fenced: the session may be lost while fn runs,
// so fn must check its condition first and make its writes conditional. Latch returns fn's error,
// or the reason why fn didn't run.
//
// Latch creates dir if it's absent, but not its parent. It returns [ErrNoParent] then, so that a latch
// can't restore a part of a deleted tree.
//
// Our node is removed when Latch returns. If no server can be reached, it's removed in the
// background later.
func Latch(ctx context.Context, c *zk.Client, dir string, fn func(context.Context) error) error {
	return Hold(ctx, c, dir, func(ctx context.Context, _ *Place) error { return fn(ctx) })
}

// Place is our place at the head of a latch's queue.
type Place struct {
	path string
	left bool
}

// Held makes a transaction fail unless we hold the latch.
func (p *Place) Held() zk.Op { return zk.CheckOp(p.path, zk.AnyVersion) }

// Leave releases the latch as a part of a transaction, which fails unless we hold it. After the
// transaction call [Place.Left].
func (p *Place) Leave() zk.Op { return zk.DeleteOp(p.path, zk.AnyVersion) }

// Left records that the latch was released.
func (p *Place) Left() { p.left = true }

// Hold is [Latch] for a fn that fences its writes with the latch, or releases it in its last write
// to save a request.
func Hold(ctx context.Context, c *zk.Client, dir string, fn func(context.Context, *Place) error) error {
	return hold(ctx, c, queue{dir: dir, mark: latchMark}, fn)
}

// HoldLock is [Hold] for the lock of Curator's InterProcessMutex at dir, which its LeaderSelector
// uses. Candidates' nodes are `_c_<uuid>-lock-<sequence>`. Curator's latch and lock ignore each
// other. id is the data of our node and shows others who holds the lock.
func HoldLock(ctx context.Context, c *zk.Client, dir, id string, fn func(context.Context, *Place) error) error {
	return hold(ctx, c, queue{dir: dir, mark: lockMark, data: []byte(id)}, fn)
}

func hold(ctx context.Context, c *zk.Client, q queue, fn func(context.Context, *Place) error) error {
	if c.State() != zk.Connected {
		return fmt.Errorf("latch: enter: %w", zk.ErrUnavailable)
	}
	prefix := "_c_" + newUUID() + "-"
	own, err := enter(ctx, c, q, prefix)
	if err != nil {
		if zk.Retriable(err) || ctx.Err() != nil { // The node may exist, or may still be created.
			leaveLater(c, q.dir, prefix)
		}
		return fmt.Errorf("latch: enter: %w", err)
	}
	place := &Place{path: own}
	defer func() {
		if !place.left {
			leave(ctx, c, q.dir, prefix, own)
		}
	}()
	for {
		front, err := predecessor(ctx, c, q, path.Base(own))
		if err != nil {
			return fmt.Errorf("latch: wait: %w", err)
		}
		if front == "" {
			return fn(ctx, place)
		}
		if err := c.AwaitDeletion(ctx, front); err != nil {
			return fmt.Errorf("latch: wait: %w", err)
		}
	}
}

// enter creates our node. If the reply is lost, it finds the node by its unique prefix, so it
// neither leaves an orphan nor creates two.
func enter(ctx context.Context, c *zk.Client, q queue, prefix string) (string, error) {
	for {
		own, err := c.Create(ctx, q.dir+"/"+prefix+q.mark, q.data, zk.EphemeralSequential)
		switch {
		case err == nil:
			return own, nil
		case errors.Is(err, zk.ErrNoNode):
			// The server removes an empty parent that Curator created.
			switch _, err := c.Create(ctx, q.dir, nil, zk.Container); {
			case errors.Is(err, zk.ErrNoNode):
				return "", ErrNoParent
			case err != nil && !errors.Is(err, zk.ErrNodeExists):
				return "", err
			}
		case errors.Is(err, zk.ErrUnavailable) && ctx.Err() == nil:
			found, lookErr := reconnectAndFind(ctx, c, q.dir, prefix)
			if lookErr != nil {
				return "", errors.Join(err, lookErr)
			}
			if len(found) > 0 {
				return q.dir + "/" + found[0], nil
			}
		default:
			return "", err
		}
	}
}

// leave removes our node, even if ctx has ended.
func leave(ctx context.Context, c *zk.Client, dir, prefix, own string) {
	cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	if err := c.Delete(cleanup, own, zk.AnyVersion); err != nil && !errors.Is(err, zk.ErrNoNode) {
		leaveLater(c, dir, prefix)
	}
}

// leaveLater removes the nodes with our prefix once a server can be reached. Otherwise a surviving
// session's node would block every candidate, including us.
func leaveLater(c *zk.Client, dir, prefix string) {
	c.Eventually(func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, cleanupTimeout)
		defer cancel()
		found, err := find(ctx, c, dir, prefix)
		for _, name := range found {
			if err := c.Delete(ctx, dir+"/"+name, zk.AnyVersion); err != nil && !errors.Is(err, zk.ErrNoNode) {
				return fmt.Errorf("latch: leave: %w", err)
			}
		}
		return err
	})
}

func reconnectAndFind(ctx context.Context, c *zk.Client, dir, prefix string) ([]string, error) {
	look, cancel := context.WithTimeout(ctx, cleanupTimeout)
	defer cancel()
	if err := c.AwaitConnected(look); err != nil {
		return nil, err
	}
	return find(look, c, dir, prefix)
}

// find lists the nodes with our prefix. It syncs first, because our current server may lag behind
// the server that created the node.
func find(ctx context.Context, c *zk.Client, dir, prefix string) ([]string, error) {
	if err := c.Sync(ctx, dir); err != nil {
		return nil, err
	}
	names, _, err := c.Children(ctx, dir)
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return nil, err
	}
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) }), nil
}

// predecessor returns the path of the node in front of own, or "" if own is first.
func predecessor(ctx context.Context, c *zk.Client, q queue, own string) (string, error) {
	names, _, err := c.Children(ctx, q.dir)
	if err != nil {
		return "", err
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(q.order(a), q.order(b)) })
	i := slices.Index(names, own)
	switch {
	case i < 0:
		return "", fmt.Errorf("%w: the latch node %s no longer exists", zk.ErrSessionLost, own)
	case i == 0:
		return "", nil
	}
	return q.dir + "/" + names[i-1], nil
}

// order returns Curator's sort key of a name: the text after the last mark, or the whole name
// without one.
func (q queue) order(name string) string {
	if i := strings.LastIndex(name, q.mark); i >= 0 {
		return name[i+len(q.mark):]
	}
	return name
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
