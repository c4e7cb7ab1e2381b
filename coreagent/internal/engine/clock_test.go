package engine

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestMS39JobFollowsTheClock: the cron timer of a job follows the wall clock. If the clock is set
// back, the timer should fire at the next fire time by the new time.
func TestMS39JobFollowsTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tree, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		var setBy atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(setBy.Load())) }
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		client := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler)).Client
		env := &host.Host{Client: client, Tree: tree, IP: "10.0.0.1", Suffix: "1", Log: slog.New(slog.DiscardHandler), Now: now}
		env.Open()
		defer env.Close()
		j := New(env, host.Definition{Config: jobconfig.New("job", 1)})
		schedule, err := quartz.Parse("0 * * * * ?")
		if err != nil {
			t.Fatal(err)
		}
		j.Fires.Set(schedule, time.UTC)
		time.Sleep(90 * time.Second)
		synctest.Wait()
		if late := now().Sub(j.Fires.Taken()); late < 0 || late > time.Minute {
			t.Fatalf("the last fire time was %v ago", late)
		}
		setBy.Store(int64(-time.Hour))
		time.Sleep(70 * time.Second) // The agent looks at the clock every ten seconds.
		synctest.Wait()
		if late := now().Sub(j.Fires.Taken()); late < 0 || late > time.Minute {
			t.Errorf("by the clock as it was set the last fire time was %v ago", late)
		}
		j.Fires.Set(nil, nil)
	})
}
