// Package rethrow runs functions side by side and brings a panic of one of them
// to the goroutine that waits, where whoever answers for the work recovers it. A
// panic in a goroutine of its own would end the process.
package rethrow

import (
	"context"
	"errors"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// Panic is a panic of another goroutine, with the stack that it had there.
type Panic struct {
	Value any
	Stack []byte
}

// Error tells the value of the panic; the stack is apart.
func (p *Panic) Error() string { return "panic: " + usererror.PanicText(p.Value) }

// Recovered makes a Panic of what recover returned, on the goroutine that
// panicked. A Panic that was brought here keeps its stack.
func Recovered(value any) *Panic {
	if brought, ok := value.(*Panic); ok {
		return brought
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// Group is an errgroup.Group whose Wait panics with the first panic of its
// functions, a *Panic, when all of them have ended. Make one with WithContext.
type Group struct {
	group    *errgroup.Group
	panicked atomic.Pointer[Panic]
}

// WithContext returns a group and a context that ends with the first failure or
// panic, or when Wait returns.
func WithContext(ctx context.Context) (*Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	return &Group{group: group}, ctx
}

// SetLimit bounds how many functions run at the same time.
func (g *Group) SetLimit(n int) { g.group.SetLimit(n) }

var errPanicked = errors.New("another function of the group panicked")

// Go runs fn in a goroutine of its own; see errgroup.Group.Go.
func (g *Group) Go(fn func() error) {
	g.group.Go(func() (err error) {
		defer func() {
			if value := recover(); value != nil {
				g.panicked.CompareAndSwap(nil, Recovered(value))
				err = errPanicked
			}
		}()
		return fn()
	})
}

// Wait waits for all functions and returns their first error.
func (g *Group) Wait() error {
	err := g.group.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(p)
	}
	return err
}

// Each calls fn for 0 to count-1, at most limit at a time, and returns the first
// error. The context of the others ends with it.
func Each(ctx context.Context, limit, count int, fn func(ctx context.Context, i int) error) error {
	group, ctx := WithContext(ctx)
	group.SetLimit(limit)
	for i := range count {
		group.Go(func() error { return fn(ctx, i) })
	}
	return group.Wait()
}

// Gather calls fn as [Each] does and returns the values that it found, in order.
func Gather[T any](ctx context.Context, limit, count int, fn func(ctx context.Context, i int) (value T, found bool, err error)) ([]T, error) {
	values, found := make([]T, count), make([]bool, count)
	err := Each(ctx, limit, count, func(ctx context.Context, i int) (err error) {
		values[i], found[i], err = fn(ctx, i)
		return err
	})
	var kept []T
	for i, value := range values {
		if found[i] {
			kept = append(kept, value)
		}
	}
	return kept, err
}
