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

// TestAListKnowsWhatIsHeld: the list should show a hold exactly as long as it exists. Holding a job
// should only cause requests for that job. After the release, the job should be expected to run
// from then on, and not from before.
func TestAListKnowsWhatIsHeld(t *testing.T) {
	t.Parallel()
	const jobs, held = 50, 7
	inBubble(t, jobs, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		// Elect a leader, because changes before the hold don't matter here.
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
		if err := people.Hold(t.Context(), "j007", jobrun.HeldSchedule, jobrun.By{Name: "root"}, "INC-4821"); err != nil {
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

// TestW83AListKeepsAJobWithoutItsConfiguration: a job must stay in the list if only its
// configuration was deleted.
func TestW83AListKeepsAJobWithoutItsConfiguration(t *testing.T) {
	t.Parallel()
	const jobs, bare = 5, 3
	inBubble(t, jobs, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		r := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer r.Close()
		job := ns.Job("j003")
		config, _, err := operator.Get(t.Context(), job.Config())
		if err != nil {
			t.Fatal(err)
		}
		list := func(after error, want int) []statistics.Job {
			t.Helper()
			synctest.Wait()
			all, err := r.Jobs(t.Context())
			if after != nil || err != nil || len(all) != want {
				t.Fatalf("%v, %v, %d jobs, want %d", after, err, len(all), want)
			}
			return all
		}
		list(nil, jobs)
		j := list(operator.Delete(t.Context(), job.Config(), zk.AnyVersion), jobs)[bare]
		if j.Status != statistics.StatusBroken || j.Instances != 2 || len(j.Findings) != 1 || j.Findings[0].Code != statistics.CodeConfigAbsent {
			t.Errorf("without its configuration it is %+v", j)
		}
		if d, err := r.Job(t.Context(), "j003"); err != nil || len(d.Servers) != 2 || len(d.Shards) != 2 {
			t.Errorf("the details: %+v, %v", d, err)
		}
		_, err = operator.CreateAll(t.Context(), job.Config(), config, zk.Persistent)
		if j = list(err, jobs)[bare]; j.Status != statistics.StatusOK {
			t.Errorf("with its configuration it is %+v", j)
		}
		list(operator.DeleteAll(t.Context(), job.Root()), jobs-1)
	})
}

// TestW85AServerWithoutAnInstance: the only process left was switched off for an hour, and the other
// server is enabled although its process has shut down. The job shouldn't count as able to run in
// that hour.
func TestW85AServerWithoutAnInstance(t *testing.T) {
	t.Parallel()
	inBubble(t, 1, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		r := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer r.Close()
		job := ns.Job("j000")
		list := func(after error) statistics.Job {
			t.Helper()
			time.Sleep(time.Hour)
			all, err := r.Jobs(t.Context())
			if after != nil || err != nil || len(all) != 1 {
				t.Fatalf("%v, %v, %d jobs", after, err, len(all))
			}
			return all[0]
		}
		_, err := operator.CreateAll(t.Context(), job.Agent("10.0.0.1@-@7"), []byte("go"), zk.Persistent)
		before := list(err)
		people := lifecycle.NewOperator(treetest.Registry(operator, ns))
		list(operator.Delete(t.Context(), job.Instance("10.0.0.10@-@8"), zk.AnyVersion))
		_, err = people.DisableServer(t.Context(), "j000", "10.0.0.1")
		list(err)
		enabled := time.Now()
		_, err = people.EnableServer(t.Context(), "j000", "10.0.0.1")
		after := list(err)
		if before.ReadySince.IsZero() || !after.ReadySince.Equal(enabled) || !after.AbleSince.Equal(enabled) {
			t.Errorf("ready since %v, able since %v, enabled at %v", after.ReadySince, after.AbleSince, enabled)
		}
	})
}
