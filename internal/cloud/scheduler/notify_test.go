package scheduler

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// mails makes a job send mail about failed runs.
func mails(j *cloud.Job) { j.ErrorHandlerType = "EMAIL" }

// notices records the notifications.
type notices struct {
	mu   sync.Mutex
	runs []string
	// do is called for a notification after it was recorded.
	do func(ctx context.Context, run cloud.RunStatus, failed []cloud.Task) error
}

func (n *notices) on(c *Config) {
	c.Notify = func(ctx context.Context, _ cloud.Job, run cloud.RunStatus, failed []cloud.Task) error {
		n.mu.Lock()
		n.runs = append(n.runs, run.Name)
		n.mu.Unlock()
		if n.do == nil {
			return nil
		}
		return n.do(ctx, run, failed)
	}
}

func (n *notices) of() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.runs)
}

// TestCL31Notified: each failed run should be notified once, with any leader, and with the shards
// that failed at their last attempt.
func TestCL31Notified(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0 0 * * * ?", mails, func(j *cloud.Job) { j.Shards, j.Failover = 3, true })
		var n notices
		n.do = func(_ context.Context, run cloud.RunStatus, failed []cloud.Task) error {
			if run.State != cloud.RunFailed || len(failed) != 1 || failed[0].Shard != 1 || failed[0].Attempt != 4 || failed[0].Message != "exit code 7" {
				t.Errorf("notified of %+v with %+v", run, failed)
			}
			return nil
		}
		f.begin(n.on)
		f.begin(n.on)
		f.passes(time.Hour)
		name := f.engine.Created()[0]
		f.engine.Finish(name, 0, tracing.StateFailed, "exit code 1")
		f.engine.Finish(name, 0, tracing.StateFinished, "")
		for range 4 {
			f.engine.Finish(name, 1, tracing.StateFailed, "exit code 7")
		}
		f.engine.Finish(name, 2, tracing.StateFinished, "")
		f.passes(10 * time.Second)
		f.election.depose(time.Second)
		f.passes(time.Minute)
		if got := n.of(); !slices.Equal(got, []string{name}) {
			t.Errorf("notified of %v", got)
		}
		if s := f.status("settlement"); s.LastRun.Name != name || s.LastRun.State != cloud.RunFailed {
			t.Errorf("the last run is %+v", s.LastRun)
		}
	})
}

// TestCL31NobodyAsked: no notification if the job doesn't ask for it, or if the run was killed or succeeded.
func TestCL31NobodyAsked(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("logs", "0 0 * * * ?", func(j *cloud.Job) { j.ErrorHandlerType = "LOG" })
		f.job("killed", "0 0 * * * ?", mails)
		f.job("good", "0 0 * * * ?", mails)
		var n notices
		f.begin(n.on)
		f.passes(time.Hour)
		for _, r := range f.engine.Runs() {
			f.engine.Finish(r.Name, 0, map[string]cloud.State{"logs": tracing.StateFailed, "killed": tracing.StateKilled, "good": tracing.StateFinished}[r.JobName], "")
		}
		f.passes(10 * time.Second)
		if got := n.of(); len(got) != 0 {
			t.Errorf("notified of %v", got)
		}
		if f.status("logs").LastRun.State != cloud.RunFailed || f.status("killed").LastRun.State != cloud.RunKilled {
			t.Errorf("the last runs are %+v and %+v", f.status("logs").LastRun, f.status("killed").LastRun)
		}
	})
}

// TestCL31LeaderDies: if the leader dies during a notification, the next one should repeat it, even
// if a later run succeeded in between.
func TestCL31LeaderDies(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?", mails)
		var n notices
		n.do = func(ctx context.Context, _ cloud.RunStatus, _ []cloud.Task) error {
			if len(n.of()) == 1 {
				<-ctx.Done() // The mail server doesn't answer.
			}
			return ctx.Err()
		}
		f.begin(n.on)
		f.begin(n.on)
		f.passes(11 * time.Second)
		failed := f.engine.Created()[0]
		f.engine.Finish(failed, 0, tracing.StateFailed, "exit code 7")
		f.passes(10 * time.Second)
		if created := f.engine.Created(); len(created) != 2 {
			t.Fatalf("a notification holds up the job: its runs are %v", created)
		}
		f.engine.FinishAll(f.engine.Created()[1])
		f.passes(30 * time.Second)
		if last := f.status("settlement").LastRun; last.Name != "" {
			t.Fatalf("the store has a last run while its notification is being sent: %+v", last)
		}
		f.election.depose(time.Second)
		f.passes(30 * time.Second)
		if got := n.of(); !slices.Equal(got, []string{failed, failed}) {
			t.Errorf("notified of %v", got)
		}
		if last := f.status("settlement").LastRun; last.State != cloud.RunSucceeded {
			t.Errorf("the last run is %+v", last)
		}
		f.election.depose(time.Second)
		f.passes(30 * time.Second)
		if got := n.of(); len(got) != 2 {
			t.Errorf("notified of %v by a third leader", got)
		}
	})
}

// TestCL31GivenUp: a failing notification is given up after a limited time, and no later leader tries it again.
func TestCL31GivenUp(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0 0 * * * ?", mails)
		var n notices
		n.do = func(ctx context.Context, _ cloud.RunStatus, _ []cloud.Task) error {
			began := time.Now()
			<-ctx.Done()
			if took := time.Since(began); took != notifyTimeout-reportDelay {
				t.Errorf("it was given up after %s", took)
			}
			return errors.New("no answer")
		}
		f.begin(n.on)
		f.begin(n.on)
		f.passes(time.Hour)
		name := f.engine.Created()[0]
		f.engine.Finish(name, 0, tracing.StateFailed, "exit code 7")
		f.passes(notifyTimeout + time.Second)
		if last := f.status("settlement").LastRun; last.Name != name {
			t.Errorf("the last run is %+v", last)
		}
		f.election.depose(time.Second)
		f.passes(5 * time.Minute)
		if got := n.of(); len(got) != 1 {
			t.Errorf("notified of %v", got)
		}
	})
}

// TestCL31OutOfOrder: if runs overlap, a run should still be notified if its end is reported after a later end.
func TestCL31OutOfOrder(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?", mails, func(j *cloud.Job) { j.Props[cloud.PropOverlap] = string(cloud.OverlapAllow) })
		var n notices
		f.begin(n.on)
		f.begin(n.on)
		f.passes(21 * time.Second)
		first, second := f.engine.Created()[0], f.engine.Created()[1]
		f.engine.FinishAll(second)
		f.passes(9 * time.Second)
		f.engine.SetRun(first, func(r *cloud.RunStatus) {
			r.State, r.Ended = cloud.RunFailed, time.Now().Add(-time.Minute)
		})
		f.passes(6 * time.Second)
		if got := n.of(); !slices.Equal(got, []string{first}) {
			t.Errorf("notified of %v", got)
		}
		if last := f.status("settlement").LastRun; last.Name != second {
			t.Errorf("the last run is %+v", last)
		}
		f.election.depose(time.Second)
		f.passes(10 * time.Second)
		if got := n.of(); len(got) != 1 {
			t.Errorf("notified of %v, again by the next leader", got)
		}
	})
}

// TestCL31Together: runs that ended at the same moment are distinguished by name, so a new leader doesn't
// repeat notifications. While the first is written as the last run, the others wait only for that.
func TestCL31Together(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?", mails, func(j *cloud.Job) { j.Props[cloud.PropOverlap] = string(cloud.OverlapAllow) })
		var n notices
		f.begin(n.on)
		f.begin(n.on)
		f.passes(31 * time.Second)
		f.store.Faults(func(verb, _ string) (slow cloudfake.Fault) {
			if verb == "change" {
				slow.Delay = 200 * time.Millisecond
			}
			return slow
		})
		for _, name := range f.engine.Created() {
			f.engine.Finish(name, 0, tracing.StateFailed, "exit code 7")
		}
		f.passes(5 * time.Second)
		f.election.depose(time.Second)
		f.passes(5 * time.Second)
		if got := n.of(); len(got) != 3 {
			t.Errorf("notified of %v", got)
		}
	})
}

// TestCL31Kept: no run should be forgotten before its notification.
func TestCL31Kept(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0 * * * * ?", mails, func(j *cloud.Job) { j.Props[cloud.PropOverlap] = string(cloud.OverlapAllow) })
		var n notices
		n.do = func(ctx context.Context, _ cloud.RunStatus, _ []cloud.Task) error {
			<-ctx.Done()
			return ctx.Err()
		}
		f.begin(n.on)
		f.passes(time.Hour + time.Second)
		runs := f.engine.Created()
		for _, name := range runs {
			f.engine.Finish(name, 0, tracing.StateFailed, "exit code 7")
		}
		f.passes(notifyTimeout - time.Minute)
		if got := len(f.engine.Runs()); got <= len(runs) {
			t.Errorf("%d runs exist of %d while their notifications are being sent", got, len(runs))
		}
		f.passes(10 * time.Minute)
		if got := len(f.engine.Runs()); got >= len(runs) {
			t.Errorf("%d runs exist of %d when that is over", got, len(runs))
		}
	})
}
