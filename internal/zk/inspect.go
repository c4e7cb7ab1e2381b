package zk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	gozk "github.com/go-zookeeper/zk"
)

// maxAnswerOfWord bounds the answer to a four-letter word. `conf` has under 1 KiB.
const maxAnswerOfWord = 64 << 10

// ErrNotListed means that a server's 4lw.commands.whitelist leaves out a four-letter word.
var ErrNotListed = errors.New("not in the server's 4lw.commands.whitelist")

// Ask sends a four-letter word such as "srvr" to one server of cfg and returns the answer. It needs
// no session and takes at most the connect timeout.
func (cfg Config) Ask(ctx context.Context, server, word string) (string, error) {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, cfg.ConnectTimeout)
	defer cancel()
	conn, err := cfg.Dial(ctx, "tcp", server)
	if err == nil {
		conn, err = cfg.secured(ctx, conn, server)
	}
	if err != nil {
		return "", fmt.Errorf("ask %s for %s: %w", server, word, err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(conn, word); err != nil {
		return "", fmt.Errorf("ask %s for %s: %w", server, word, err)
	}
	answer, err := io.ReadAll(io.LimitReader(conn, maxAnswerOfWord))
	switch {
	case err != nil && len(answer) == 0:
		return "", fmt.Errorf("ask %s for %s: %w", server, word, err)
	case strings.Contains(string(answer), "is not executed because it is not in the whitelist"):
		return "", fmt.Errorf("ask %s for %s: %w", server, word, ErrNotListed)
	case len(answer) == 0:
		return "", fmt.Errorf("ask %s for %s: %w", server, word, io.ErrUnexpectedEOF)
	}
	return string(answer), nil
}

// ServerClock returns the time of the ensemble's leader. One transaction creates, changes and
// deletes a node below parent, so no other client sees the node and it leaves nothing behind.
func (c *Client) ServerClock(ctx context.Context, parent string) (time.Time, error) {
	path := fmt.Sprintf("%s/clock-%x", strings.TrimSuffix(parent, "/"), c.Session().ID)
	stats, err := c.MultiStats(ctx, CreateOp(path, nil, Persistent), SetOp(path, nil, AnyVersion), DeleteOp(path,
		AnyVersion))
	if err != nil {
		return time.Time{}, err
	}
	return stats[1].Mtime, nil
}

// IsOpen reports whether every user who reaches the ensemble may change a node or its children.
func (c *Client) IsOpen(ctx context.Context, path string) (bool, error) {
	list, err := do(ctx, c, "getACL", path, func() ([]gozk.ACL, error) {
		list, _, err := c.conn.GetACL(c.full(path))
		return list, err
	})
	for _, entry := range list {
		if entry.Scheme == "world" && entry.Perms&^gozk.PermRead != 0 {
			return true, err
		}
	}
	return false, err
}

// CheckPackets asks for a node with a path as long as the largest request that this package
// sends. The server ends the connection if its jute.maxbuffer is smaller than the default, and
// the error is [ErrUnavailable].
func (c *Client) CheckPackets(ctx context.Context) error {
	_, _, err := c.Exists(ctx, "/"+strings.Repeat("x", maxPacket-len(c.chroot)-1))
	return err
}
