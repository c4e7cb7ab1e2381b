//go:build !race

package scenario_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestR42TenThousandDelayedRuns: the runs should begin in the order of their times, even if the
// steward dies in between. No bucket should get longer than its limit.
func TestR42TenThousandDelayedRuns(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const many = 10_000
		w := newWorkshop(b, nil)
		fleet := []*member{w.open(1, coreagent.Job{}, oneEach), w.open(2, coreagent.Job{}, oneEach)}
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		begin := time.Now().Add(time.Minute)
		for k := 0; k < many; k += 100 {
			var ops []zk.Op
			for i := k; i < k+100; i++ {
				due := begin.Add(time.Duration(i) * 10 * time.Millisecond)
				r := jobtree.RunRequest{Version: 1, ID: runs.NewID(time.Now()), At: 1, Due: due.UnixMilli(), Assign: jobrun.AssignOne, Attempt: 1, Note: fmt.Sprint(i)}
				data, err := r.Encode()
				b.must(err)
				bucket := w.job.RunsBucket(jobtree.RunBucket(r.ID, 0))
				b.put(bucket, "")
				ops = append(ops, zk.CreateOp(bucket+"/"+jobtree.RunName(due, r.ID), data, zk.Persistent))
			}
			b.must(b.client.Multi(b.ctx(), ops...))
		}
		longest := 0
		for bucket := range jobtree.RunBuckets {
			longest = max(longest, len(b.children(w.job.RunsBucket(bucket))))
		}
		if longest > 750 {
			t.Errorf("a list has %d names", longest)
		}
		time.Sleep(time.Until(begin.Add(20 * time.Second)))
		steward, _ := b.get(w.job.RunsSteward())
		fleet[slices.IndexFunc(fleet, func(m *member) bool { return m.id == steward })].kill()
		for end := time.Now().Add(5 * time.Minute); len(b.children(w.job.RunsQueue())) > 0 || time.Now().Before(begin.Add(3*time.Minute)) && time.Now().Before(end); {
			time.Sleep(time.Second)
		}
		ran := make(map[string]bool)
		for _, e := range w.doneAll() {
			ran[e.run] = true
		}
		if len(ran) != many+1 {
			t.Errorf("%d runs were executed, want %d", len(ran), many+1)
		}
		var begun []time.Time
		for _, e := range w.doneAll()[1:] {
			begun = append(begun, e.began)
		}
		if !slices.IsSortedFunc(begun, time.Time.Compare) || w.overlap {
			t.Error("they did not begin one after the other")
		}
		w.awaitNoRuns()
	})
}
