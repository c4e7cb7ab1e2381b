package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The kinds of failure, for errors.Is. Every error of an Operator is an *Error of one kind.
var (
	// ErrNotFound means that the job, server or shard does not exist.
	ErrNotFound = errors.New("not found")
	// ErrNoInstances means that the action needs a live instance and there is none.
	ErrNoInstances = errors.New("no live instance")
	// ErrConflict means that the job's state forbids the action, or that a concurrent change got in
	// the way.
	ErrConflict = errors.New("conflict")
	// ErrInvalid means that the action itself is wrong.
	ErrInvalid = errors.New("invalid action")
	// ErrHistory means that the trace database can't store how requested runs ended.
	ErrHistory = errors.New("the trace database can't store it")
	// ErrForbidden means that ZooKeeper refused the credentials.
	ErrForbidden = errors.New("not permitted by ZooKeeper")
	// ErrUnavailable means that ZooKeeper didn't answer. The action may have been executed. All
	// actions can be repeated safely, except that a repeated trigger may run the job twice.
	ErrUnavailable = errors.New("ZooKeeper is unavailable")
)

// Error is a failed action.
type Error struct {
	Op     string // the action, such as "trigger"
	Job    string // empty for actions on all jobs of a server
	Target string // the server, instance or shard; may be empty
	Kind   error  // one of this package's sentinels
	Err    error  // the cause; may be nil
	Hint   string // advice for the operator; may be empty
}

// Error returns "op job target: kind: cause", without the hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Job != "" {
		fmt.Fprintf(&b, " job %q", e.Job)
	}
	if e.Target != "" {
		fmt.Fprintf(&b, " (%s)", e.Target)
	}
	fmt.Fprintf(&b, ": %v", e.Kind)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns kind and cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

type action struct {
	op, job, target string
}

func (a action) fail(kind error, hint, format string, args ...any) error {
	return &Error{Op: a.op, Job: a.job, Target: a.target, Kind: kind, Err: fmt.Errorf(format, args...), Hint: hint}
}

// wrap translates an error of ZooKeeper. It returns nil and translated errors unchanged.
func (a action) wrap(err error) error {
	if err == nil || isOurs(err) {
		return err
	}
	e := &Error{Op: a.op, Job: a.job, Target: a.target, Err: err}
	switch {
	case errors.Is(err, zk.ErrNoAuth):
		e.Kind = ErrForbidden
		e.Hint = "the nodes belong to another digest; connect the registry with that one"
	case errors.Is(err, zk.ErrInvalid):
		e.Kind = ErrInvalid
	case changed(err):
		e.Kind = ErrConflict
		e.Hint = "the job keeps changing; reload it and repeat the action"
	case errors.Is(err, context.Canceled):
		e.Kind = ErrUnavailable
		e.Hint = "the action was cancelled before ZooKeeper answered"
	default:
		e.Kind = ErrUnavailable
		e.Hint = "check whether the action took effect before repeating it"
	}
	return e
}

func (a action) noJob(err error) error {
	return a.fail(ErrNotFound, "check the name and the namespace", "there is no job of this name: %w", err)
}

// changed reports whether a transaction was refused because the tree has changed since it was read.
func changed(err error) bool {
	return errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrNodeExists) ||
		errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNotEmpty)
}
