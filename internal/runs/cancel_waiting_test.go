package runs

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// begins begins a waiting run, as an agent does.
func (b *bundle) begins(t *testing.T, id string) {
	t.Helper()
	status, err := b.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	next := Open(*status.request, 2, nil, "10.0.0.1@-@7", b.Now())
	ops, err := b.Begin(b.Tree.RunsActiveAll(), *next.Record)
	if err == nil {
		err = b.Commit(t.Context(), append([]zk.Op{zk.DeleteOp(status.path, status.version)}, ops...)...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestCancelWaiting: the first waiting runs in the given states are cancelled, and the others
// counted.
func TestCancelWaiting(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		var scheduled []string
		for i := range 12 {
			scheduled = append(scheduled, b.submit(t, jobrun.Request{Delay: time.Hour + time.Duration(i)*time.Minute}).ID)
		}
		queued := b.submit(t, jobrun.Request{Key: "k"}).ID
		count := func(states ...jobrun.State) int {
			t.Helper()
			n, err := b.CountWaiting(t.Context(), states)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if all, s, q := count(), count(jobrun.Scheduled), count(jobrun.Queued); all != 13 || s != 12 || q != 1 {
			t.Fatalf("%d runs wait, %d scheduled, %d queued", all, s, q)
		}
		by := jobtree.RunCancel{By: "root", Reason: "INC-4821"}
		got, err := b.CancelWaiting(t.Context(), jobrun.Waiting{States: []jobrun.State{jobrun.Scheduled}, Most: 10}, by)
		slices.Sort(got.IDs)
		if err != nil || got.Left != 2 || !slices.Equal(got.IDs, slices.Sorted(slices.Values(scheduled[:10]))) {
			t.Fatalf("%+v, %v", got, err)
		}
		run, err := b.Get(t.Context(), scheduled[0])
		if err != nil || run.State != jobrun.Cancelled || run.Reason != "cancelled by root: INC-4821" {
			t.Errorf("%+v, %v", run.Run, err)
		}
		got, err = b.CancelWaiting(t.Context(), jobrun.Waiting{Most: 10}, by)
		if err != nil || got.Left != 0 || len(got.IDs) != 3 || !slices.Contains(got.IDs, queued) || count() != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err = b.CancelWaiting(t.Context(), jobrun.Waiting{Most: 10}, by); err != nil || len(got.IDs)+got.Left != 0 {
			t.Errorf("nothing waits: %+v, %v", got, err)
		}
	})
}

// TestCancelWaitingLeavesWhatBegan: a run that began after the list was read continues, and a run
// that moved to the queue is cancelled there.
func TestCancelWaitingLeavesWhatBegan(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		by := jobtree.RunCancel{By: "root"}
		cancel := func(id string, meanwhile func(), states ...jobrun.State) (bool, jobrun.Run) {
			t.Helper()
			status, err := b.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			meanwhile()
			done, err := b.cancelIfWaits(t.Context(), status, states, by)
			if err != nil {
				t.Fatal(err)
			}
			status, err = b.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return done, status.Run
		}
		began := b.submit(t, jobrun.Request{}).ID
		if done, run := cancel(began, func() { b.begins(t, began) }); done || run.State != jobrun.Running || run.Cancelled != nil {
			t.Errorf("a run that began: %t, %+v", done, run)
		}
		moved := b.submit(t, jobrun.Request{Delay: time.Hour}).ID
		start := func(id string) func() {
			return func() {
				if err := b.Start(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
		}
		if done, run := cancel(moved, start(moved)); !done || run.State != jobrun.Cancelled {
			t.Errorf("a run that was queued: %t, %+v", done, run)
		}
		other := b.submit(t, jobrun.Request{Delay: time.Hour}).ID
		if done, run := cancel(other, start(other), jobrun.Scheduled); done || run.State != jobrun.Queued {
			t.Errorf("a run that is in another state than those asked for: %t, %+v", done, run)
		}
	})
}

// TestCancelWaitingWhileRunsBegin: if many runs are begun and cancelled at the same time, exactly
// one of the two happens to each.
func TestCancelWaitingWhileRunsBegin(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		var ids []string
		for range 40 {
			ids = append(ids, b.submit(t, jobrun.Request{}).ID)
		}
		var group sync.WaitGroup
		group.Go(func() {
			for shard, id := range ids {
				status, err := b.Get(t.Context(), id)
				if err != nil || status.request == nil || status.State.Ended() {
					continue
				}
				ops, err := b.Begin(b.Tree.RunsActiveShard(shard), OpenOne(*status.request, 0, 1, "10.0.0.1@-@7", b.Now()))
				if err == nil {
					err = b.Commit(t.Context(), append([]zk.Op{zk.DeleteOp(status.path, status.version)}, ops...)...)
				}
				if err != nil && !Refused(err) {
					t.Error(err)
				}
			}
		})
		var got jobrun.CancelledRuns
		group.Go(func() {
			var err error
			if got, err = b.CancelWaiting(t.Context(), jobrun.Waiting{Most: 1000}, jobtree.RunCancel{By: "root"}); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		for _, id := range ids {
			run, err := b.Get(t.Context(), id)
			cancelled := slices.Contains(got.IDs, id)
			if err != nil || cancelled != (run.State == jobrun.Cancelled) || run.State == jobrun.Running && run.Cancelled != nil {
				t.Errorf("cancelled %t: %+v, %v", cancelled, run.Run, err)
			}
		}
	})
}
