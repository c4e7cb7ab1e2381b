package zk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// The kinds of failure, for [errors.Is]. Every error of this package is an [*Error] or
// [*MultiError] that wraps one of them or the error of the caller's context.
var (
	// ErrNoNode means that the node, or the parent of a new node, is absent.
	ErrNoNode = errors.New("node does not exist")
	// ErrNodeExists means that a new node already exists.
	ErrNodeExists = errors.New("node already exists")
	// ErrNotEmpty means that the node to delete has children.
	ErrNotEmpty = errors.New("node has children")
	// ErrBadVersion means that the node changed since the expected version.
	ErrBadVersion = errors.New("version conflict")
	// ErrNoAuth means that the server refused our credentials for this node.
	ErrNoAuth = errors.New("not permitted by the node's ACL")
	// ErrSessionLost means that the operation's session has ended, and with it every ephemeral
	// node.
	ErrSessionLost = errors.New("ZooKeeper session lost")
	// ErrUnavailable means that no server answered. The operation may have been applied.
	ErrUnavailable = errors.New("ZooKeeper unavailable")
	// ErrClosed means that the client was closed.
	ErrClosed = errors.New("ZooKeeper client closed")
	// ErrInvalid means that the request itself is wrong: an invalid path, data beyond the packet
	// limit, a child below an ephemeral node.
	ErrInvalid = errors.New("invalid request")
)

// Error is a failed operation with its path and cause.
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

// MultiError is a refused transaction. None of its operations was applied.
type MultiError struct {
	Index int // position of the refused operation
	Op    Op  // the refused operation
	Err   error
}

func (e *MultiError) Error() string {
	return fmt.Sprintf("zookeeper transaction refused at operation %d (%s %s): %v", e.Index, e.Op.kind, e.Op.Path, e.Err)
}

// Unwrap returns the cause.
func (e *MultiError) Unwrap() error { return e.Err }

// translate maps the library's errors to this package's kinds, so no caller sees a library error.
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
		// An unknown code or a broken packet. The operation may have been applied.
		return fmt.Errorf("%w: %s", ErrUnavailable, err.Error())
	}
}

// codeError returns the library's error for a result code.
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

// Retriable reports whether a retry may help: no server, a lost session, a timeout. Any other
// failure is permanent.
func Retriable(err error) bool {
	return errors.Is(err, ErrUnavailable) || errors.Is(err, ErrSessionLost) || errors.Is(err, context.DeadlineExceeded)
}

// Ignore returns nil if err is of one of the kinds, such as [ErrNoNode], and err otherwise.
func Ignore(err error, kinds ...error) error {
	if slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) }) {
		return nil
	}
	return err
}

// RefusedPath returns the path of the operation for which a transaction was refused, or "" if err
// isn't a refusal.
func RefusedPath(err error) string {
	if refused, ok := errors.AsType[*MultiError](err); ok {
		return refused.Op.Path
	}
	return ""
}
