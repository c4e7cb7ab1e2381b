package zkstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/boottime"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// electionPause is the pause before a scheduler takes part in the election again.
const electionPause = time.Second

// askLimit limits the search for other candidates.
const askLimit = 5 * time.Second

// ErrLeadershipLost is the cause of the end of a leader's context if its session may be lost.
var ErrLeadershipLost = errors.New("another process may be the leader, because the ZooKeeper session has ended or may have ended")

// Leadership elects one scheduler of a namespace, ours or upstream's. It implements [cloud.Leadership].
type Leadership struct {
	client *zk.Client
	tree   jobtree.Cloud
	id     string
	log    *slog.Logger
	// HandOver ends things that only a leader may have, such as processes on this machine. It's called
	// when Run's context ends while another scheduler waits; that one leads as soon as HandOver returns.
	// It's also called when another scheduler has led for so long that no node of an earlier session of
	// ours can exist. Its context ends when this process may lose its place. Nil does nothing.
	HandOver func(context.Context)
}

var _ cloud.Leadership = (*Leadership)(nil)

// NewLeadership returns the election of a namespace. id shows people who leads, for example host
// and port. A nil logger is [slog.Default].
func NewLeadership(client *zk.Client, namespace jobtree.Namespace, id string, log *slog.Logger) *Leadership {
	return &Leadership{client: client, tree: jobtree.NewCloud(namespace), id: id, log: cmp.Or(log, slog.Default())}
}

// Run implements [cloud.Leadership]. It returns ctx's error, or why it can't take part at all.
func (l *Leadership) Run(ctx context.Context, lead func(context.Context)) error {
	for ctx.Err() == nil {
		if err := l.client.AwaitConnected(ctx); err != nil {
			return fail("take part in the election", err)
		}
		err := l.runElection(ctx, lead)
		switch {
		case ctx.Err() != nil:
			return fail("take part in the election", context.Cause(ctx))
		case err != nil && !zk.Retriable(err):
			return fail("take part in the election", err)
		case err != nil:
			l.log.WarnContext(ctx, "the scheduler takes part in the election again", "error", err)
		}
		_ = sleep.For(ctx, electionPause)
	}
	return fail("take part in the election", context.Cause(ctx))
}

func (l *Leadership) runElection(ctx context.Context, lead func(context.Context)) error {
	if _, err := l.client.CreateAll(ctx, l.tree.HA(), nil, zk.Persistent); err != nil && !errors.Is(err, zk.ErrNodeExists) {
		return err
	}
	session := l.client.Session()
	// The place in the queue belongs to this session. Another session has another place.
	stop := ctx
	front := l.follow(ctx, session)
	defer front()
	return recipe.HoldLock(zk.UnderSession(ctx, session), l.client, l.tree.Election(), l.id, func(ctx context.Context, place *recipe.Place) error {
		front()
		// The session may have ended since the node was created. Only a transaction that finds the
		// node proves that it hasn't.
		if err := l.client.Multi(ctx, place.Held()); err != nil {
			return fmt.Errorf("%w: %w", zk.ErrSessionLost, err)
		}
		term, end := newTerm(ctx, l.client, session.Epoch)
		defer end()
		lead(term)
		if stop.Err() != nil {
			l.handOver(context.WithoutCancel(ctx), session.Epoch)
		}
		return nil
	})
}

// handOver keeps the place until HandOver returns, if another scheduler waits.
func (l *Leadership) handOver(ctx context.Context, epoch uint64) {
	if l.HandOver == nil {
		return
	}
	keeping, end := newTerm(ctx, l.client, epoch)
	defer end()
	asking, cancel := context.WithTimeout(keeping, askLimit)
	defer cancel()
	if names, _, err := l.client.Children(asking, l.tree.Election()); err != nil || len(names) > 1 {
		l.HandOver(keeping)
	}
}

// follow calls HandOver if another scheduler still leads after the time in which any node of our
// earlier sessions has expired. The returned function stops that and waits for it.
func (l *Leadership) follow(ctx context.Context, session zk.Session) func() {
	if l.HandOver == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-time.After(2 * session.Timeout):
			l.HandOver(ctx)
		case <-ctx.Done():
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// term is a leader's context. Its Err checks the clock itself, so a process that was frozen sees
// the end of the term before any timer has run.
type term struct {
	context.Context

	client *zk.Client
	epoch  uint64
	began  time.Time
	boot   time.Duration // at began
	end    context.CancelCauseFunc
}

func newTerm(ctx context.Context, client *zk.Client, epoch uint64) (leading *term, end func()) {
	inner, cancel := context.WithCancelCause(ctx)
	t := &term{Context: inner, client: client, epoch: epoch, began: time.Now(), boot: boottime.Now(), end: cancel}
	unsubscribe := client.Subscribe(func(zk.Transition) { t.look() })
	t.look() // Earlier events aren't repeated.
	return t, func() {
		unsubscribe()
		cancel(context.Canceled)
	}
}

// look ends the term unless the session is certainly alive.
func (t *term) look() {
	switch state := t.client.State(); {
	case state == zk.Lost || state == zk.Closed || t.client.Session().Epoch != t.epoch:
		t.end(ErrLeadershipLost)
	case t.slept() > t.client.Session().Timeout/3:
		t.end(fmt.Errorf("%w: this machine was asleep", ErrLeadershipLost))
	}
}

// slept measures how long the machine has slept in this term. ZooKeeper counts that time, but timers
// and the clock for sessions don't.
func (t *term) slept() time.Duration { return boottime.Now() - t.boot - time.Since(t.began) }

func (t *term) Err() error {
	t.look()
	return t.Context.Err()
}
