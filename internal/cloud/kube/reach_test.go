package kube

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// TestReach: a resource that can't be listed for ten seconds is lost, a shorter failure doesn't
// count, and waiting callers get the reason.
func TestReach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r reach
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		refused := apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "", errors.New("no right"))
		var (
			lost error
			at   time.Duration
			done = make(chan struct{})
		)
		began := time.Now()
		go func() {
			defer close(done)
			lost = r.awaitLost(ctx)
			at = time.Since(began)
		}()
		synctest.Wait()
		_ = r.heard(ctx, "pods", refused) // It returns its argument.
		time.Sleep(lostAfter - time.Second)
		_ = r.heard(ctx, "pods", nil)
		_ = r.heard(ctx, "jobs", nil)
		time.Sleep(time.Minute)
		select {
		case <-done:
			t.Fatalf("lost by a failure of nine seconds: %v", lost)
		default:
		}
		for range 20 {
			_ = r.heard(ctx, "pods", refused)
			time.Sleep(time.Second)
		}
		<-done
		if want := lostAfter - time.Second + time.Minute + lostAfter; at != want {
			t.Errorf("lost after %s, want %s", at, want)
		}
		if !errors.Is(lost, cloud.ErrForbidden) || !strings.Contains(lost.Error(), "pods can't be listed or watched for 10s") || !strings.Contains(lost.Error(), "no right") {
			t.Errorf("lost: %v", lost)
		}
		if err := r.lost(); err == nil {
			t.Error("it is no longer lost although no request was answered")
		}
		cancel()
		if err := r.heard(ctx, "jobs", context.Canceled); !errors.Is(err, context.Canceled) {
			t.Errorf("heard returns %v", err)
		}
		if err := r.awaitLost(ctx); err == nil || !strings.Contains(err.Error(), "pods") {
			t.Errorf("asked again: %v", err)
		}
	})
}

// TestWatchWhileNothingCanBeListed reports nothing, because the earlier list is old.
func TestWatchWhileNothingCanBeListed(t *testing.T) {
	t.Parallel()
	e := open(t, newDouble(t))
	e.reach.mu.Lock()
	e.reach.failing = map[string]silence{"leases": {since: time.Now().Add(-lostAfter), err: errors.New("connection refused")}}
	e.reach.mu.Unlock()
	err := e.Watch(t.Context(), func(event cloud.TaskEvent) { t.Errorf("reported %+v", event) })
	if err == nil || !strings.Contains(err.Error(), "leases can't be listed or watched") || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("Watch = %v", err)
	}
}
