package statistics_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestAListKnowsWhatIsHeld: the hold of a job is in the list as soon as it is there and as
// long, for the requests of that job alone: a job that nobody holds costs none. After the
// release the job is expected to run from then on, not from before.
func TestAListKnowsWhatIsHeld(t *testing.T) {
	t.Parallel()
	const jobs, held = 50, 7
	inBubble(t, jobs, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		// What comes before the hold does not matter: the job has a leader all the time.
		if _, err := operator.CreateAll(t.Context(), ns.Job("j007").LeaderInstance(), []byte("10.0.0.0@-@1"), zk.Persistent); err != nil {
			t.Fatal(err)
		}
		r := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer r.Close()
		time.Sleep(time.Minute)
		list := func(most int) statistics.Job {
			t.Helper()
			synctest.Wait()
			srv.ResetStats()
			all, err := r.Jobs(t.Context())
			if err != nil || len(all) != jobs {
				t.Fatalf("%d jobs, %v", len(all), err)
			}
			if n := srv.Stats().Reads; n > most {
				t.Errorf("%d reads, want at most %d: %v", n, most, srv.Stats().Ops)
			}
			for i := range all {
				if i != held && all[i].Held.What != "" {
					t.Errorf("%s is held", all[i].Name)
				}
			}
			return all[held]
		}
		before := list(0)
		if before.Held.What != "" {
			t.Fatalf("held: %+v", before.Held)
		}
		people := lifecycle.NewOperator(treetest.Registry(operator, ns))
		if err := people.Hold(t.Context(), "j007", jobtree.HoldSchedule, jobrun.By{Name: "root"}, "INC-4821"); err != nil {
			t.Fatal(err)
		}
		if h := list(10).Held; h.What != "schedule" || h.By != "root" || h.Reason != "INC-4821" || !h.At.Equal(time.Now()) {
			t.Errorf("held: %+v", h)
		}
		list(0)
		time.Sleep(time.Hour)
		if err := people.Release(t.Context(), "j007"); err != nil {
			t.Fatal(err)
		}
		after := list(10)
		if after.Held.What != "" || !before.ReadySince.Before(after.ReadySince) || !after.ReadySince.Equal(time.Now()) {
			t.Errorf("released: held %+v, ready since %v, before since %v", after.Held, after.ReadySince, before.ReadySince)
		}
		list(0)
	})
}
