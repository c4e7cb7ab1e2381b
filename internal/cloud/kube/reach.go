package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// lostAfter is how long the API server may refuse lists or watches before its data count as old.
// Watches end every few minutes and restart at once.
const lostAfter = 10 * time.Second

// reach tracks whether the API server answers lists and watches. The zero value is ready to use.
type reach struct {
	// refusals makes a missing right count at once. It does if there are other namespaces.
	refusals bool

	mu      sync.Mutex
	failing map[string]silence // by resource
	changed chan struct{}      // closed when a resource starts or stops failing
}

type silence struct {
	since time.Time
	err   error
}

// heard records the result of a list or a watch, and returns it.
func (r *reach) heard(ctx context.Context, resource string, err error) error {
	if ctx.Err() != nil {
		return err // The caller gave up.
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

// lost returns why a resource could not be read for lostAfter, or nil. Call it again after the
// returned time, and when changed is closed.
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
			return 0, nil, Translate(fmt.Sprintf("%s can't be listed or watched for %s", resource, time.Since(f.since).Round(time.Second)), f.err)
		}
		again = min(again, left)
	}
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return again, r.changed, nil
}

// awaitLost returns why a resource can't be read any more, or nil when ctx ends.
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
