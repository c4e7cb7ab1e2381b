package statistics_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestAColdListTakesFewRequests: a job should take two requests to read and two more to set the
// watches, and later changes must still be noticed.
func TestAColdListTakesFewRequests(t *testing.T) {
	t.Parallel()
	const jobs = 50
	inBubble(t, jobs, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		if _, err := operator.Create(t.Context(), ns.Root()+"/no-job", nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		client := connectTo(t, srv)
		srv.ResetStats()
		r := statistics.NewWatchingReader(treetest.Registry(client, ns))
		defer r.Close()
		time.Sleep(time.Minute)
		ops := srv.Stats().Ops
		if asked := ops["getData"] + ops["getChildren2"] + ops["exists"]; ops["multiRead"] > 2*jobs+1 || ops["setWatches"] > 2*jobs+1 || asked > 20 {
			t.Errorf("requests %v for %d jobs", ops, jobs)
		}
		list, err := r.Jobs(t.Context())
		if err != nil || len(list) != jobs || list[7].Status != statistics.StatusOK {
			t.Fatalf("%d jobs, %v", len(list), err)
		}
		if _, err := operator.Create(t.Context(), ns.Job("j007").ItemDisabled(1), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		if err := operator.Delete(t.Context(), ns.Job("j008").ItemInstance(0), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if list, err = r.Jobs(t.Context()); err != nil || list[7].DisabledItems != 1 || list[8].UnassignedShards != 1 {
			t.Errorf("%+v %+v, %v", list[7], list[8], err)
		}
	})
}

// TestAColdListOfAnOldServer: the list must also be complete if the server can't read many nodes in
// one request.
func TestAColdListOfAnOldServer(t *testing.T) {
	t.Parallel()
	inBubble(t, 20, func(t *testing.T, srv *zkfake.Server, _ *zk.Client, ns jobtree.Namespace) {
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "multiRead" {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		r := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer r.Close()
		time.Sleep(time.Minute)
		if known := r.Known(); known.Jobs[statistics.StatusOK] != 20 || known.Since.IsZero() {
			t.Errorf("known: %+v", known)
		}
	})
}

// TestAReconnectionTakesFewRequests: after a reconnect, comparing the cache should take few
// requests too, and a change must be noticed if its event was lost.
func TestAReconnectionTakesFewRequests(t *testing.T) {
	t.Parallel()
	const jobs = 50
	inBubble(t, jobs, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		client := connectTo(t, srv)
		r := statistics.NewWatchingReader(treetest.Registry(client, ns))
		defer r.Close()
		time.Sleep(time.Minute)
		srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true })
		if _, err := operator.Create(t.Context(), ns.Job("j007").ItemDisabled(1), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		srv.SetWatchFault(nil)
		srv.ResetStats()
		srv.DropConnection(client.Session().ID)
		time.Sleep(time.Minute)
		ops := srv.Stats().Ops
		if asked := ops["getData"] + ops["getChildren2"] + ops["exists"]; ops["multiRead"] > 2*jobs+1 || asked > 20 {
			t.Errorf("requests %v for %d jobs", ops, jobs)
		}
		if list, err := r.Jobs(t.Context()); err != nil || len(list) != jobs || list[7].DisabledItems != 1 {
			t.Errorf("%d jobs, %v", len(list), err)
		}
	})
}
