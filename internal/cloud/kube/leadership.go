package kube

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/boottime"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

// LeaseName is the name of the Lease. The scheduler's Role contains it.
const LeaseName = "elasticjob-cloud"

// Timing has the times of a lease. The zero value is the same as kube-controller-manager's.
type Timing struct {
	// Lease is how long others wait for a silent leader, in whole seconds. Defaults to 15 s.
	Lease time.Duration
	// Deadline is when a leader stops after its last renewal, less than Lease. Defaults to 10 s.
	Deadline time.Duration
	// Retry is the pause between renewals and between attempts. Defaults to 2 s.
	Retry time.Duration
}

// ErrLeadershipLost is the cause of the end of a leader's context if its lease was not renewed in
// time, or was taken by another process.
var ErrLeadershipLost = errors.New("another process may be the leader, because the lease was not renewed in time")

// Leadership elects one scheduler by a Lease. It implements [cloud.Leadership].
//
// We don't use client-go's leaderelection, because it links the whole clientset, releases the lease
// before the leader has returned, and doesn't detect a machine's sleep.
type Leadership struct {
	leases *Leases
	id     string
	timing Timing
	log    *slog.Logger

	held *coordinationv1.Lease // the last known state
	seen time.Duration         // when that was, by boottime

	mu      sync.Mutex
	trouble error // of the last attempt, nil if it was answered
	since   time.Time
}

var (
	_ cloud.Leadership     = (*Leadership)(nil)
	_ cloud.HealthReporter = (*Leadership)(nil)
)

// NewLeadership returns the election in a namespace. id shows people who leads, for example host
// and port. A nil logger is [slog.Default].
func NewLeadership(
	leases func(namespace string) *Leases, namespace, id string, timing Timing, log *slog.Logger,
) *Leadership {
	timing = cmp.Or(timing, Timing{Lease: 15 * time.Second, Deadline: 10 * time.Second, Retry: 2 * time.Second})
	// Two processes with the same id must differ.
	return &Leadership{leases: leases(namespace), id: cut(id, maxWord) + "_" + rand.Text()[:8], timing: timing, log: cmp.Or(log, slog.Default())}
}

// Run implements [cloud.Leadership]. It logs why it can't take part in the election, for example a
// missing right, and tries again.
func (l *Leadership) Run(ctx context.Context, lead func(context.Context)) error {
	for ctx.Err() == nil {
		asked := boottime.Now()
		won, err := l.acquire(ctx)
		l.note(err)
		switch {
		case won:
			l.leadOnce(ctx, asked, lead)
		case err != nil && ctx.Err() == nil:
			l.log.WarnContext(ctx, "the scheduler can't take part in the election, retrying", "lease", LeaseName, "error", err)
		}
		_ = sleep.For(ctx, l.timing.Retry)
	}
	return fmt.Errorf("take part in the election: %w", context.Cause(ctx))
}

func (l *Leadership) Health() (since time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.since, l.trouble
}

// note records the result of an attempt to get or keep the lease.
func (l *Leadership) note(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		l.since = time.Time{}
	} else if l.trouble == nil {
		l.since = time.Now()
	}
	l.trouble = err
}

// acquire tries to get the lease. It returns false if another process has it.
func (l *Leadership) acquire(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.timing.Deadline)
	defer cancel()
	return l.claim(ctx, l.free)
}

// claim reads the lease and writes it with us as its holder, if it doesn't exist or we may.
func (l *Leadership) claim(ctx context.Context, may func(*coordinationv1.Lease) bool) (bool, error) {
	lease, err := l.leases.Get(ctx, LeaseName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return l.take(l.leases.Create(ctx, l.mine(nil), metav1.CreateOptions{}))
	}
	if err != nil {
		return false, Translate("read the lease", err)
	}
	if l.held == nil || lease.UID != l.held.UID || lease.ResourceVersion != l.held.ResourceVersion {
		l.held, l.seen = lease, boottime.Now()
	}
	if !may(lease) {
		return false, nil
	}
	return l.take(l.leases.Update(ctx, LeaseName, l.mine(lease), metav1.UpdateOptions{}))
}

func (l *Leadership) ours(lease *coordinationv1.Lease) bool {
	return deref(lease.Spec.HolderIdentity, "") == l.id
}

// free reports whether the lease has no holder, or its holder was silent for its duration, by our
// own clock, because two machines' clocks may differ.
func (l *Leadership) free(lease *coordinationv1.Lease) bool {
	if deref(lease.Spec.HolderIdentity, "") == "" || l.ours(lease) {
		return true
	}
	told := min(time.Duration(deref(lease.Spec.LeaseDurationSeconds, 0))*time.Second, time.Hour)
	return boottime.Now()-l.seen >= max(l.timing.Lease, told)
}

// mine returns the lease with us as its holder.
func (l *Leadership) mine(old *coordinationv1.Lease) *coordinationv1.Lease {
	now := metav1.NowMicro()
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: LeaseName}}
	if old != nil {
		lease = old.DeepCopy()
	}
	s := &lease.Spec
	if !l.ours(lease) {
		s.AcquireTime, s.LeaseTransitions = &now, new(deref(s.LeaseTransitions, -1)+1)
	}
	s.HolderIdentity, s.RenewTime = &l.id, &now
	s.LeaseDurationSeconds = new(int32(l.timing.Lease / time.Second)) //nolint:gosec // seconds, not years.
	return lease
}

// take handles the answer to a write. Another process may have been faster.
func (l *Leadership) take(lease *coordinationv1.Lease, err error) (bool, error) {
	switch {
	case err == nil:
		l.held, l.seen = lease, boottime.Now()
		return true, nil
	case apierrors.IsAlreadyExists(err), apierrors.IsConflict(err):
		return false, nil
	}
	return false, Translate("write the lease", err)
}

// leadOnce leads until the lease is lost or ctx ends. We count the lease from asked, the start of the
// write that got it, so it never ends earlier for others than for us.
func (l *Leadership) leadOnce(ctx context.Context, asked time.Duration, lead func(context.Context)) {
	inner, end := context.WithCancelCause(ctx)
	defer end(context.Canceled)
	t := &term{Context: inner, end: end}
	t.until.Store(int64(asked + l.timing.Deadline))
	done := make(chan struct{})
	go func() {
		defer close(done)
		lead(t)
	}()
	returned := l.renew(t, done)
	if !returned {
		<-done
	}
	if errors.Is(context.Cause(t), ErrLeadershipLost) {
		l.log.WarnContext(ctx, "lost leadership", "error", context.Cause(t))
		return
	}
	// After a clean end the next leader shouldn't have to wait.
	if err := l.release(context.WithoutCancel(ctx)); err != nil {
		l.log.WarnContext(ctx, "could not release the lease, so the next leader must wait until it expires", "error", err)
	}
}

// release returns the lease. If a renewal was interrupted but took effect, the lease is newer than
// we know, but still ours.
func (l *Leadership) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.timing.Deadline)
	defer cancel()
	for lease := l.held; ; {
		lease = lease.DeepCopy()
		lease.Spec.HolderIdentity, lease.Spec.LeaseDurationSeconds = new(""), new(int32(1))
		_, err := l.leases.Update(ctx, LeaseName, lease, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			return err
		}
		if lease, err = l.leases.Get(ctx, LeaseName, metav1.GetOptions{}); err != nil {
			return err
		}
		if !l.ours(lease) {
			return nil // Another process already has it.
		}
	}
}

// renew renews the lease until the term ends. It returns true if lead returned.
func (l *Leadership) renew(t *term, done <-chan struct{}) bool {
	for {
		if t.Err() != nil {
			return false
		}
		select {
		case <-done:
			return true
		case <-t.Done():
			return false
		case <-time.After(max(0, min(l.timing.Retry, t.left()))):
		}
		asked, left := boottime.Now(), t.left()
		if left <= 0 {
			continue // Err ends it.
		}
		ctx, cancel := context.WithTimeout(t.Context, left)
		ok, err := l.renewOnce(ctx)
		l.note(err)
		switch {
		case ok:
			t.until.Store(int64(asked + l.timing.Deadline))
		case err == nil:
			t.end(fmt.Errorf("%w: another process has it", ErrLeadershipLost))
		case ctx.Err() == nil:
			l.log.WarnContext(ctx, "could not renew the lease, retrying", "error", err, "seconds_left", int(t.left()/time.Second))
		}
		cancel()
	}
}

// renewOnce renews the lease. It returns false without an error if another process has it.
func (l *Leadership) renewOnce(ctx context.Context) (bool, error) {
	ok, err := l.take(l.leases.Update(ctx, LeaseName, l.mine(l.held), metav1.UpdateOptions{}))
	if ok || err != nil && !errors.Is(err, cloud.ErrNotFound) {
		return ok, err
	}
	// It was changed or deleted by hand, or by our own write with a lost reply.
	return l.claim(ctx, l.ours)
}

// term is a leader's context. Its Err checks the clock itself, so a process that was frozen, or on
// a machine that slept, sees the end of the term before any timer has run.
type term struct {
	context.Context

	end   context.CancelCauseFunc
	until atomic.Int64 // by boottime
}

// left is the rest of our lease without a renewal.
func (t *term) left() time.Duration { return time.Duration(t.until.Load()) - boottime.Now() }

func (t *term) Err() error {
	if t.left() <= 0 {
		t.end(ErrLeadershipLost)
	}
	return t.Context.Err()
}
