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

// latchMark precedes the sequence number in the node names of Apache Curator's
// LeaderLatch; ordering by what follows it is the protocol.
const latchMark = "latch-"

// cleanupTimeout bounds the removal of our own latch node after the caller's
// context has ended: a node left behind would block everybody else.
const cleanupTimeout = 5 * time.Second

// Latch runs fn while holding the latch at dir, and releases it afterwards.
// It is compatible with Curator's LeaderLatch: candidates create an ephemeral
// sequential node `_c_<uuid>-latch-<sequence>` and the lowest sequence holds.
//
// fn runs at most once. As with Curator, holding is not fenced: a session may
// be lost while fn runs, so fn must look again at its condition first and make
// its writes conditional. Latch returns fn's error, or why fn did not run.
func Latch(ctx context.Context, c *zk.Client, dir string, fn func(context.Context) error) (err error) {
	prefix := "_c_" + newUUID() + "-"
	own, err := enter(ctx, c, dir, prefix)
	if own != "" {
		defer func() {
			cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
			defer cancel()
			leaveErr := c.Delete(cleanup, own, zk.AnyVersion)
			if leaveErr != nil && !errors.Is(leaveErr, zk.ErrNoNode) && !errors.Is(leaveErr, zk.ErrSessionLost) {
				err = errors.Join(err, fmt.Errorf("latch: leave: %w", leaveErr))
			}
		}()
	}
	if err != nil {
		return fmt.Errorf("latch: enter: %w", err)
	}
	for {
		front, err := predecessor(ctx, c, dir, path.Base(own))
		if err != nil {
			return fmt.Errorf("latch: wait: %w", err)
		}
		if front == "" {
			return fn(ctx)
		}
		if err := c.AwaitGone(ctx, front); err != nil {
			return fmt.Errorf("latch: wait: %w", err)
		}
	}
}

// enter creates the own node. When the reply is lost it looks for the node by
// its unique prefix, so that it neither leaves an orphan nor creates two.
func enter(ctx context.Context, c *zk.Client, dir, prefix string) (string, error) {
	for {
		own, err := c.Create(ctx, dir+"/"+prefix+latchMark, nil, zk.EphemeralSequential)
		switch {
		case err == nil:
			return own, nil
		case errors.Is(err, zk.ErrNoNode):
			// The server removes an empty parent that Curator made.
			if _, err := c.CreateAll(ctx, dir, nil, zk.Container); err != nil && !errors.Is(err, zk.ErrNodeExists) {
				return "", err
			}
		case errors.Is(err, zk.ErrUnavailable):
			found, lookErr := findPrefix(ctx, c, dir, prefix)
			if lookErr != nil || found == "" {
				return found, errors.Join(err, lookErr)
			}
			return found, nil
		default:
			return "", err
		}
	}
}

// findPrefix waits for the connection to return, then looks for the node.
func findPrefix(ctx context.Context, c *zk.Client, dir, prefix string) (string, error) {
	look, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	if err := c.AwaitConnected(look); err != nil {
		return "", err
	}
	names, _, err := c.Children(look, dir)
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return "", err
	}
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			return dir + "/" + name, nil
		}
	}
	return "", nil
}

// predecessor returns the path of the node in front of own, "" if own is first.
func predecessor(ctx context.Context, c *zk.Client, dir, own string) (string, error) {
	names, _, err := c.Children(ctx, dir)
	if err != nil {
		return "", err
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(latchOrder(a), latchOrder(b)) })
	i := slices.Index(names, own)
	switch {
	case i < 0:
		return "", fmt.Errorf("%w: the latch node %s is gone", zk.ErrSessionLost, own)
	case i == 0:
		return "", nil
	}
	return dir + "/" + names[i-1], nil
}

// latchOrder is what Curator sorts a name by: the text after the last mark, or
// the whole name when it has none.
func latchOrder(name string) string {
	if i := strings.LastIndex(name, latchMark); i >= 0 {
		return name[i+len(latchMark):]
	}
	return name
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // Never fails; see crypto/rand.
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
