package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// lostAfter is how long the API server may refuse to list or to watch before what was
// listed counts as old. Watches end every few minutes, and begin again at once.
const lostAfter = 10 * time.Second

// reach knows whether the API server answers what is listed and watched. The zero value
// is ready for use.
type reach struct {
	// refusals: a missing right counts at once. It does where other namespaces can be read.
	refusals bool

	mu      sync.Mutex
	failing map[string]silence // by resource
	changed chan struct{}      // closed when a resource begins or ceases to fail
}

type silence struct {
	since time.Time
	err   error
}

// heard notes what came of listing or watching a resource, and returns it.
func (r *reach) heard(ctx context.Context, resource string, err error) error {
	if ctx.Err() != nil {
		return err // Whoever asked has given up.
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f, failed := r.failing[resource]
	switch {
	case err == nil && failed:
		delete(r.failing, resource)
	case err != nil && r.failing == nil:
		r.failing = make(map[string]silence)
		fallthrough
	case err != nil:
		if !failed {
			f.since = time.Now()
		}
		f.err = err
		r.failing[resource] = f
	}
	if r.changed != nil && failed != (err != nil) {
		close(r.changed)
		r.changed = nil
	}
	return err
}

// lost is why a resource could not be read for lostAfter, nil if each could. It may be
// asked again after a time, and when changed closes.
func (r *reach) lost() (again time.Duration, changed <-chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	again = time.Hour
	for resource, f := range r.failing {
		left := lostAfter - time.Since(f.since)
		if r.refusals && (apierrors.IsForbidden(f.err) || apierrors.IsUnauthorized(f.err)) {
			left = 0
		}
		if left <= 0 {
			return 0, nil, fail(fmt.Sprintf("%s cannot be listed or watched for %s", resource, time.Since(f.since).Round(time.Second)), f.err)
		}
		again = min(again, left)
	}
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return again, r.changed, nil
}

// awaitLost returns why a resource cannot be read any more, or nil when ctx ends.
func (r *reach) awaitLost(ctx context.Context) error {
	for {
		again, changed, err := r.lost()
		if err != nil {
			return err
		}
		timer := time.NewTimer(again)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
		timer.Stop()
	}
}
