package zk

import (
	"context"
	"errors"
	"fmt"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// The kinds of failure. Match them with [errors.Is]; every error of this
// package is an [*Error] or [*MultiError] that wraps one of them, or wraps the
// error of the caller's context.
var (
	// ErrNoNode says that the node, or the parent of a node to create, is absent.
	ErrNoNode = errors.New("node does not exist")
	// ErrNodeExists says that a node to create is already there.
	ErrNodeExists = errors.New("node already exists")
	// ErrNotEmpty says that a node to delete has children.
	ErrNotEmpty = errors.New("node has children")
	// ErrBadVersion says that the node changed since the expected version.
	ErrBadVersion = errors.New("version conflict")
	// ErrNoAuth says that the server refused the credentials for this node.
	ErrNoAuth = errors.New("not permitted by the node's ACL")
	// ErrSessionLost says that the session under which the operation was made
	// has ended, and with it every ephemeral node.
	ErrSessionLost = errors.New("ZooKeeper session lost")
	// ErrUnavailable says that no server answered. The operation may or may
	// not have been applied.
	ErrUnavailable = errors.New("ZooKeeper unavailable")
	// ErrClosed says that the client was closed.
	ErrClosed = errors.New("ZooKeeper client closed")
	// ErrInvalid says that the request itself is wrong: a path that ZooKeeper
	// does not allow, data beyond its packet limit, a child below an
	// ephemeral node.
	ErrInvalid = errors.New("invalid request")
)

// Error is a failed operation: what was tried, where, and why it failed.
type Error struct {
	Op   string
	Path string
	Err  error
}

// Error returns "zookeeper <op> <path>: <cause>".
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("zookeeper %s: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("zookeeper %s %s: %v", e.Op, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MultiError is a refused transaction: none of its operations was applied.
type MultiError struct {
	Index int // position of the operation that was refused
	Op    Op  // that operation
	Err   error
}

// Error names the refused operation and the cause.
func (e *MultiError) Error() string {
	return fmt.Sprintf("zookeeper transaction refused at operation %d (%s %s): %v", e.Index, e.Op.kind, e.Op.Path, e.Err)
}

// Unwrap returns the cause.
func (e *MultiError) Unwrap() error { return e.Err }

// translate maps the library's errors to this package's kinds, so that nobody
// above sees an error of the library.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gozk.ErrNoNode):
		return ErrNoNode
	case errors.Is(err, gozk.ErrNodeExists):
		return ErrNodeExists
	case errors.Is(err, gozk.ErrNotEmpty):
		return ErrNotEmpty
	case errors.Is(err, gozk.ErrBadVersion):
		return ErrBadVersion
	case errors.Is(err, gozk.ErrNoAuth), errors.Is(err, gozk.ErrAuthFailed):
		return ErrNoAuth
	case errors.Is(err, gozk.ErrSessionExpired), errors.Is(err, gozk.ErrSessionMoved):
		return ErrSessionLost
	case errors.Is(err, gozk.ErrNoServer):
		return fmt.Errorf("%w: no server could be reached", ErrUnavailable)
	case errors.Is(err, gozk.ErrConnectionClosed):
		return fmt.Errorf("%w: the connection broke before an answer came", ErrUnavailable)
	case errors.Is(err, gozk.ErrClosing):
		return ErrClosed
	case errors.Is(err, gozk.ErrInvalidPath), errors.Is(err, gozk.ErrNoChildrenForEphemerals),
		errors.Is(err, gozk.ErrBadArguments), errors.Is(err, gozk.ErrInvalidACL), errors.Is(err, gozk.ErrInvalidFlags):
		return fmt.Errorf("%w: %s", ErrInvalid, err.Error())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	default:
		// A code this client has no name for, or a broken packet: the answer
		// did not say that the operation was applied.
		return fmt.Errorf("%w: %s", ErrUnavailable, err.Error())
	}
}

// codeError is the error that the library has for a code of the server.
func codeError(code wire.Code) error {
	switch code {
	case wire.CodeOK:
		return nil
	case wire.CodeNoNode:
		return gozk.ErrNoNode
	case wire.CodeNoAuth:
		return gozk.ErrNoAuth
	case wire.CodeSessionExpired:
		return gozk.ErrSessionExpired
	case wire.CodeSessionMoved:
		return gozk.ErrSessionMoved
	case wire.CodeBadArguments:
		return gozk.ErrBadArguments
	}
	return fmt.Errorf("the server answers with code %d", code)
}

// Retriable reports whether err is a passing condition: no server, a lost
// session, a timeout. Everything else stays wrong when it is tried again.
func Retriable(err error) bool {
	return errors.Is(err, ErrUnavailable) || errors.Is(err, ErrSessionLost) || errors.Is(err, context.DeadlineExceeded)
}

// Ignore returns nil if err is of a kind, such as [ErrNoNode], and err otherwise.
func Ignore(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}
