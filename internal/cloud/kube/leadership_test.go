package kube

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/internal/cloud/boottime"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

var quick = Timing{Lease: time.Second, Deadline: 700 * time.Millisecond, Retry: 50 * time.Millisecond}

// candidate is a process in the election.
type candidate struct {
	*Leadership
	cancel context.CancelFunc
	done   chan error
	led    chan context.Context // each term
}

func stand(t *testing.T, d *double, id string) *candidate {
	t.Helper()
	l := NewLeadership(d.clients(t).Leases, "runs", id, quick, slog.New(slog.NewTextHandler(t.Output(), nil)))
	ctx, cancel := context.WithCancel(context.Background())
	c := &candidate{Leadership: l, cancel: cancel, done: make(chan error, 1), led: make(chan context.Context, 100)}
	go func() {
		c.done <- l.Run(ctx, func(ctx context.Context) {
			c.led <- ctx
			<-ctx.Done()
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-c.done
	})
	return c
}

func (c *candidate) leads(t *testing.T) context.Context {
	t.Helper()
	select {
	case ctx := <-c.led:
		return ctx
	case <-time.After(waittest.Patience):
		t.Fatal("it does not lead within 30 s")
		return nil
	}
}

func over(t *testing.T, ctx context.Context) error {
	t.Helper()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(waittest.Patience):
		t.Fatal("it leads for more than 30 s")
		return nil
	}
}

// TestLeaderGoesInOrder: the lease is released, and the next one leads without waiting for its end.
func TestLeaderGoesInOrder(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	first := stand(t, d, "first")
	term := first.leads(t)
	if err := term.Err(); err != nil {
		t.Errorf("a leader's context has the error %v", err)
	}
	second := stand(t, d, "second")
	first.cancel()
	if err := <-first.done; !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v; want that its context was cancelled", err)
	}
	first.done <- nil // for the end of the test
	if term.Err() == nil {
		t.Error("the first's context goes on after Run")
	}
	second.leads(t)
}

// TestReleasedAfterALostReply: a renewal took effect and its reply was lost when the leader stops.
// The lease should still be released.
func TestReleasedAfterALostReply(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	var lose atomic.Bool
	lost := make(chan struct{})
	d.after = func(r *http.Request) bool {
		if r.Method == http.MethodPut && lose.CompareAndSwap(true, false) {
			close(lost)
			return true
		}
		return false
	}
	timing := quick
	timing.Lease = time.Hour // never waited for
	l := NewLeadership(d.clients(t).Leases, "runs", "first", timing, slog.New(slog.NewTextHandler(t.Output(), nil)))
	ctx, cancel := context.WithCancel(t.Context())
	err := l.Run(ctx, func(context.Context) {
		lose.Store(true)
		<-lost
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v; want that its context was cancelled", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if holder := d.objects["leases/"+LeaseName].(*coordinationv1.Lease).Spec.HolderIdentity; *holder != "" {
		t.Errorf("the lease is %s's", *holder)
	}
}

// TestCL09LeaderWithoutServer: without an API server a leader stops before another one may lead.
// Later, one leads again.
func TestCL09LeaderWithoutServer(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	var away atomic.Bool
	d.meet = func(*http.Request) int {
		if away.Load() {
			return http.StatusNotImplemented
		}
		return 0
	}
	first := stand(t, d, "first")
	term := first.leads(t)
	away.Store(true)
	if err := over(t, term); !errors.Is(err, ErrLeadershipLost) {
		t.Errorf("the term ended with %v; want ErrLeadershipLost", err)
	}
	away.Store(false)
	first.leads(t)
}

// TestCL14LeaderThatCannotWrite: everything can be read but not written. No process leads, and the
// last leader reports why until it leads again.
func TestCL14LeaderThatCannotWrite(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	var full atomic.Bool
	d.meet = func(r *http.Request) int {
		if full.Load() && r.Method != http.MethodGet {
			return http.StatusInsufficientStorage
		}
		return 0
	}
	first := stand(t, d, "first")
	term := first.leads(t)
	if since, err := first.Health(); err != nil || !since.IsZero() {
		t.Errorf("a leader has trouble since %v: %v", since, err)
	}
	full.Store(true)
	over(t, term)
	if since, err := first.Health(); err == nil || since.IsZero() || !strings.Contains(err.Error(), "write the lease") {
		t.Errorf("without writes there is trouble since %v: %v", since, err)
	}
	full.Store(false)
	first.leads(t)
	if _, err := first.Health(); err != nil {
		t.Errorf("it leads again, and has trouble: %v", err)
	}
}

// TestCL05LeaseIsTaken: a lease deleted by hand is created again; a lease written by another process is lost.
func TestCL05LeaseIsTaken(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	first := stand(t, d, "first")
	term := first.leads(t)
	leases := d.clients(t).Leases("runs")
	if err := leases.Delete(t.Context(), LeaseName, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	d.until(t, "the lease is there again", func() bool { return d.objects["leases/"+LeaseName] != nil })
	if err := term.Err(); err != nil {
		t.Errorf("after the deletion: %v", err)
	}
	d.mu.Lock()
	lease := d.objects["leases/"+LeaseName].(*coordinationv1.Lease).DeepCopy()
	lease.Spec.HolderIdentity = new("thief")
	d.put("leases", lease)
	d.mu.Unlock()
	if err := over(t, term); !errors.Is(err, ErrLeadershipLost) {
		t.Errorf("the term ended with %v; want ErrLeadershipLost", err)
	}
	first.leads(t) // The thief never renews it.
}

// TestOneLeads: of five that come and go, no two lead at the same time.
func TestOneLeads(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	var leading, terms atomic.Int32
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var wg sync.WaitGroup
	for range 5 {
		l := NewLeadership(d.clients(t).Leases, "runs", "candidate", quick, slog.New(slog.DiscardHandler))
		wg.Go(func() {
			_ = l.Run(ctx, func(ctx context.Context) {
				if n := leading.Add(1); n != 1 {
					t.Errorf("%d lead", n)
				}
				// It returns by itself, after its own request to the server.
				_, _ = l.leases.Get(ctx, LeaseName, metav1.GetOptions{})
				leading.Add(-1)
				if terms.Add(1) == 10 {
					cancel()
				}
			})
		})
	}
	wg.Wait()
	if n := terms.Load(); n < 10 {
		t.Errorf("%d terms", n)
	}
}

// TestFrozenLeader: a process that was frozen should see at once that its term has ended, before any timer has run.
func TestFrozenLeader(t *testing.T) {
	t.Parallel()
	inner, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	frozen := &term{Context: inner, end: cancel}
	frozen.until.Store(int64(boottime.Now() + time.Hour))
	if err := frozen.Err(); err != nil {
		t.Fatal(err)
	}
	frozen.until.Store(int64(boottime.Now() - 1)) // An hour later.
	if frozen.Err() == nil || !errors.Is(context.Cause(frozen), ErrLeadershipLost) {
		t.Errorf("Err = %v, cause %v; want ErrLeadershipLost", frozen.Err(), context.Cause(frozen))
	}
}
