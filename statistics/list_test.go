package statistics_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func TestForbiddenAndUnreachable(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := treetest.New(t, srv.Addr)
		b.Plant(t, healthy("mine", 1))
		digest, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}, Digest: "user:pw"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := digest.Close(); err != nil {
				t.Error(err)
			}
		})
		(&treetest.Bundle{Client: digest, NS: b.NS}).Plant(t, healthy("theirs", 1))
		// The configuration is readable for all users, but nothing else.
		b.Plant(t, `half/config = "jobName: half\nshardingTotalCount: 1\n"`)
		(&treetest.Bundle{Client: digest, NS: b.NS}).Plant(t, "half/servers/10.0.0.1 = ENABLED")

		reader := statistics.NewReader(b.Registry())
		jobs := bundle{b, reader}.jobs(t)
		if got := jobs["mine"].Status; got != statistics.StatusOK {
			t.Errorf("mine is %s: one forbidden job concerns the others", got)
		}
		for _, name := range []string{"theirs", "half"} {
			if got := jobs[name]; got.Status != statistics.StatusBroken || !strings.Contains(got.Reason, "credentials") {
				t.Errorf("%s is %s because %q", name, got.Status, got.Reason)
			}
		}
		if _, err := reader.Servers(t.Context()); err != nil {
			t.Errorf("Servers: %v", err)
		}
		if _, err := reader.Job(t.Context(), "half"); !errors.Is(err, statistics.ErrForbidden) {
			t.Errorf("half: %v, want ErrForbidden", err)
		}
		foreign, err := jobtree.NewNamespace(b.NS.String() + "/theirs")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := statistics.NewReader(treetest.Registry(b.Client, foreign)).Jobs(t.Context()); !errors.Is(err, statistics.ErrForbidden) {
			t.Errorf("a closed namespace: %v, want ErrForbidden", err)
		}
	})

	unreachable(t)
}

// unreachable checks that a server we can't reach isn't reported as an empty list.
func unreachable(t *testing.T) {
	server := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { server.Close() })
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := treetest.New(t, addr.String())
	b.Plant(t, healthy("j", 1))
	server.Stop()
	reader := statistics.NewReader(b.Registry())
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if jobs, err := reader.Jobs(ctx); !errors.Is(err, statistics.ErrUnavailable) || jobs != nil {
		t.Errorf("Jobs: %v, %v; a dead server is not an empty one", jobs, err)
	}
	if _, err := reader.Job(ctx, "j"); !errors.Is(err, statistics.ErrUnavailable) {
		t.Errorf("Job: %v, want ErrUnavailable", err)
	}
	if _, err := reader.Servers(ctx); !errors.Is(err, statistics.ErrUnavailable) {
		t.Errorf("Servers: %v, want ErrUnavailable", err)
	}
}

// If the connection breaks in the middle, the list must fail and not be partial.
func TestListCutOffInTheMiddle(t *testing.T) {
	server := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { server.Close() })
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := treetest.New(t, addr.String())
	for i := range 50 {
		b.Plant(t, healthy(fmt.Sprintf("j%02d", i), 2))
	}
	server.SetFault(func(r zkfake.Request) zkfake.Fault {
		if strings.HasSuffix(r.Path, "/j25/sharding/1/instance") {
			return zkfake.LoseReply
		}
		return zkfake.None
	})
	jobs, err := statistics.NewReader(b.Registry()).Jobs(t.Context())
	if !errors.Is(err, statistics.ErrUnavailable) || jobs != nil {
		t.Errorf("%d jobs, %v; want ErrUnavailable", len(jobs), err)
	}
}

// Jobs may come and go while a list is read. There must be no error and no meaningless row.
func TestListWhileJobsComeAndGo(t *testing.T) {
	each(t, healthy("steady", 2), func(t *testing.T, b bundle) {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			for i := 0; ctx.Err() == nil; i++ {
				job := b.NS.Job(fmt.Sprintf("j%d", i%5))
				for _, p := range []string{job.Config(), job.Instance("a@-@1"), job.Server("a"), job.ItemInstance(0)} {
					if _, err := b.Client.CreateAll(context.Background(), p, []byte("jobName: j\nshardingTotalCount: 1\n"), zk.Persistent); err != nil && !errors.Is(err, zk.ErrNodeExists) {
						done <- err
						return
					}
				}
				if err := b.Client.DeleteAll(context.Background(), job.Root()); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		for range 50 {
			jobs, err := b.reader.Jobs(t.Context())
			if err != nil {
				t.Error(err)
			}
			found := false
			for _, j := range jobs {
				found = found || j.Name == "steady" && j.Status == statistics.StatusOK
			}
			if !found {
				t.Errorf("the steady job is missing in %+v", jobs)
			}
			if _, err := b.reader.Servers(t.Context()); err != nil {
				t.Error(err)
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Each node should be read only once, except the list of agents. The reads per job are its node,
// configuration, leader, hold, the end of the last hold, two flags and six lists of children, one
// per server and instance, and two per shard.
func TestListReadsNothingTwice(t *testing.T) {
	server := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { server.Close() })
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := treetest.New(t, addr.String())
	const jobs, items, servers = 7, 5, 2
	for i := range jobs {
		b.Plant(t, healthy(fmt.Sprintf("j%d", i), items))
	}
	server.ResetStats()
	if _, err := statistics.NewReader(b.Registry()).Jobs(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats := server.Stats()
	if want := 1 + jobs*(14+2*servers+2*items); stats.Reads > want {
		t.Errorf("%d reads, want at most %d: %v", stats.Reads, want, stats.Ops)
	}
	if stats.Writes != 0 {
		t.Errorf("reading wrote: %v", stats.Ops)
	}
}
