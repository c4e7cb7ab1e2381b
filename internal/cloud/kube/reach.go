package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/elasticjob-go/elasticjob/internal/sleep"
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
	return err
}

// lost returns why a resource could not be read for lostAfter, or nil.
func (r *reach) lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for resource, f := range r.failing {
		silent := time.Since(f.since)
		if silent >= lostAfter || r.refusals && (apierrors.IsForbidden(f.err) || apierrors.IsUnauthorized(f.err)) {
			return Translate(fmt.Sprintf("%s can't be listed or watched for %s", resource, silent.Round(time.Second)), f.err)
		}
	}
	return nil
}

// awaitLost returns why a resource can't be read any more, or nil when ctx ends.
func (r *reach) awaitLost(ctx context.Context) error {
	for {
		if err := r.lost(); err != nil {
			return err
		}
		if sleep.For(ctx, lookAgain) != nil {
			return nil
		}
	}
}
