package statistics_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// everything has all results of a Reader for a namespace.
type everything struct {
	Jobs    []statistics.Job
	Servers []statistics.Server
	Details map[string]statistics.JobDetail
	Why     map[string][]statistics.Finding
}

func readAll(ctx context.Context, r *statistics.Reader) (everything, error) {
	var all everything
	var err error
	if all.Jobs, err = r.Jobs(ctx); err != nil {
		return all, err
	}
	if all.Servers, err = r.Servers(ctx); err != nil {
		return all, err
	}
	all.Details, all.Why = map[string]statistics.JobDetail{}, map[string][]statistics.Finding{}
	for _, job := range all.Jobs {
		if all.Details[job.Name], err = r.Job(ctx, job.Name); err != nil {
			return all, err
		}
		why, err := r.Explain(ctx, job.Name)
		if err != nil {
			return all, err
		}
		all.Why[job.Name] = why.Findings
	}
	return all, nil
}

// compare fails unless the watching reader soon returns the same as the plain one.
func compare(t *testing.T, what string, watching, plain *statistics.Reader) {
	t.Helper()
	var diff string
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(waittest.Patience); time.Now().Before(deadline); <-poll.C {
		want, err := readAll(t.Context(), plain)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(t.Context(), watching)
		if err != nil {
			diff = err.Error()
			continue
		}
		if diff = cmp.Diff(want, got, cmpopts.IgnoreUnexported(jobconfig.Config{}), cmpopts.EquateEmpty()); diff == "" {
			return
		}
	}
	t.Fatalf("%s: (-read +kept):\n%s", what, diff)
}

// shake makes one random change to the trees of a few jobs.
func shake(t *testing.T, b *treetest.Bundle, random *rand.Rand) {
	t.Helper()
	job := fmt.Sprintf("j%d", random.IntN(3))
	item := random.IntN(3)
	paths := []string{
		"config", "servers/10.0.0.1", "servers/10.0.0.10", "servers/10.0.0.2", "instances/10.0.0.1@-@7", "instances/10.0.0.3@-@1",
		"leader/election/instance", "leader/sharding/necessary", "leader/sharding/processing", fmt.Sprintf("sharding/%d/instance", item),
		fmt.Sprintf("sharding/%d/running", item), fmt.Sprintf("sharding/%d/disabled", item), fmt.Sprintf("sharding/%d/misfire", item),
		fmt.Sprintf("sharding/%d/failover", item), fmt.Sprintf("leader/failover/items/%d", item), "trigger/10.0.0.1@-@7", "", "sharding", "systemTime/current",
	}
	path := job + "/" + paths[random.IntN(len(paths))]
	data := []string{"", "ENABLED", "DISABLED", "10.0.0.1@-@7", "10.0.0.3@-@1", "jobInstanceId: 10.0.0.1@-@7\n", fmt.Sprintf("jobName: %s\nshardingTotalCount: %d\nmonitorExecution: true\n", job, 1+random.IntN(4))}
	if path == job+"/" {
		path = job
	}
	if random.IntN(3) == 0 {
		if err := b.Client.DeleteAll(t.Context(), b.NS.Root()+"/"+path); err != nil && !errors.Is(err, zk.ErrNoNode) {
			t.Fatal(err)
		}
		return
	}
	b.Put(t, path, data[random.IntN(len(data))], zk.Persistent)
}

// watching returns a watching reader on a session of its own.
func watching(t *testing.T, b *treetest.Bundle) (*statistics.Reader, *zk.Client) {
	client := treetest.Connect(t, b.Addr)
	r := statistics.NewWatchingReader(treetest.Registry(client, b.NS))
	t.Cleanup(r.Close)
	return r, client
}

func TestWatchingReaderSeesEveryChange(t *testing.T) {
	each(t, healthy("j0", 3)+healthy("j1", 2)+healthy("steady", 2), func(t *testing.T, b bundle) {
		r, _ := watching(t, b.Bundle)
		random := rand.New(rand.NewPCG(1, 2))
		compare(t, "at first", r, b.reader)
		for n := range 100 {
			for range 1 + random.IntN(3) {
				shake(t, b.Bundle, random)
			}
			compare(t, fmt.Sprintf("after change %d", n), r, b.reader)
		}
	})
}

// TestWatchingReaderAmongChanges: after concurrent reads and changes the cache must be correct.
func TestWatchingReaderAmongChanges(t *testing.T) {
	each(t, healthy("j0", 3)+healthy("j1", 2), func(t *testing.T, b bundle) {
		r, _ := watching(t, b.Bundle)
		random := rand.New(rand.NewPCG(3, 4))
		ctx, stop := context.WithCancel(t.Context())
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				pause := time.NewTicker(2 * time.Millisecond) // leaves the changes some CPU time
				defer pause.Stop()
				for ctx.Err() == nil {
					_, _ = readAll(ctx, r) // A job may be removed between two calls.
					<-pause.C
				}
			})
		}
		for range 300 {
			shake(t, b.Bundle, random)
		}
		stop()
		readers.Wait()
		compare(t, "afterwards", r, b.reader)
	})
}

// fakeBundle returns a bundle on a fake server that counts requests and can break connections.
func fakeBundle(t *testing.T) (*zkfake.Server, *treetest.Bundle) {
	t.Helper()
	server := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { server.Close() })
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return server, treetest.New(t, addr.String())
}

// TestPlansOfOneJobReadItOnce: a form makes a new plan for each number that the user types, so
// further plans should read nothing.
func TestPlansOfOneJobReadItOnce(t *testing.T) {
	server, b := fakeBundle(t)
	b.Plant(t, healthy("j", 5))
	r, _ := watching(t, b)
	for n := range 20 {
		if n == 1 {
			// Otherwise we'd count these reads too.
			waittest.Until(t, "everything is read in the background", r.Filled)
			server.ResetStats()
		}
		plan, err := r.PlanReshard(t.Context(), "j", statistics.Change{Shards: 6 + n})
		if err != nil || len(plan.Owners) != 6+n {
			t.Fatalf("%d shards: %+v, %v", 6+n, plan, err)
		}
	}
	if n := server.Stats().Reads; n != 0 {
		t.Errorf("%d reads for 19 plans more: %v", n, server.Stats().Ops)
	}
}

func TestWatchingReaderReadsOnlyWhatChanged(t *testing.T) {
	server, b := fakeBundle(t)
	for i := range 20 {
		b.Plant(t, healthy(fmt.Sprintf("j%02d", i), 5))
	}
	r, _ := watching(t, b)
	plain := statistics.NewReader(b.Registry())
	compare(t, "at first", r, plain)
	reads := func() int {
		t.Helper()
		server.ResetStats()
		for range 3 {
			if _, err := readAll(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		return server.Stats().Reads
	}
	const explained = 3 * 20 // Explain checks that it may still read the configuration.
	if n := reads(); n != explained {
		t.Errorf("%d reads although nothing changed: %v", n, server.Stats().Ops)
	}
	b.Put(t, "j07/servers/10.0.0.1", "DISABLED", zk.Persistent)
	compare(t, "after a change", r, plain)
	b.Put(t, "j07/sharding/3/misfire", "", zk.Persistent)
	server.ResetStats()
	for deadline := time.Now().Add(10 * time.Second); ; {
		d, err := r.Job(t.Context(), "j07")
		if err != nil {
			t.Fatal(err)
		}
		if d.Shards[3].Misfire {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the change is not seen")
		}
	}
	if n := server.Stats().Reads; n < 1 || n > 2 {
		t.Errorf("%d reads for one changed node: %v", n, server.Stats().Ops)
	}
	compare(t, "after another change", r, plain)
	if n := reads(); n != explained {
		t.Errorf("%d reads although nothing changed any more: %v", n, server.Stats().Ops)
	}
}

func TestWatchingReaderAfterABrokenConnection(t *testing.T) {
	server, b := fakeBundle(t)
	b.Plant(t, healthy("j0", 3)+healthy("j1", 2))
	r, client := watching(t, b)
	plain := statistics.NewReader(b.Registry())
	random := rand.New(rand.NewPCG(5, 6))
	for n := range 4 {
		compare(t, fmt.Sprintf("before %d", n), r, plain)
		epoch := client.Session().Epoch
		if n%2 == 0 {
			server.DropConnection(client.Session().ID)
		} else {
			server.ExpireSession(client.Session().ID)
		}
		for range 5 {
			shake(t, b, random)
		}
		if err := client.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("after %d", n), r, plain)
		if expired := client.Session().Epoch != epoch; expired != (n%2 == 1) {
			t.Errorf("break %d: a new session is %v", n, expired)
		}
	}
}

func TestWatchingReaderWithoutAServer(t *testing.T) {
	server, b := fakeBundle(t)
	b.Plant(t, healthy("j0", 3))
	r, client := watching(t, b)
	compare(t, "at first", r, statistics.NewReader(b.Registry()))
	server.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	for client.State() == zk.Connected {
		if ctx.Err() != nil {
			t.Fatal("the client does not notice")
		}
		changed := make(chan struct{}, 1)
		stop := client.Subscribe(func(zk.Transition) { changed <- struct{}{} })
		if client.State() == zk.Connected {
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
		stop()
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if jobs, err := r.Jobs(short); !errors.Is(err, statistics.ErrUnavailable) || jobs != nil {
		t.Errorf("%v, %v; want no list but ErrUnavailable", jobs, err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	back, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	for _, c := range []*zk.Client{b.Client, client} {
		// A client may not have noticed yet that its connection is closed.
		for _, _, err := c.Exists(back, b.NS.Root()); err != nil; _, _, err = c.Exists(back, b.NS.Root()) {
			if err := c.AwaitConnected(back); err != nil {
				t.Fatal(err)
			}
		}
	}
	compare(t, "when it is back", r, statistics.NewReader(b.Registry()))
}

func TestWatchingReaderIsBounded(t *testing.T) {
	each(t, healthy("j0", 3)+healthy("j1", 2), func(t *testing.T, b bundle) {
		r, _ := watching(t, b.Bundle)
		r.SetLimit(10)
		random := rand.New(rand.NewPCG(7, 8))
		for n := range 40 {
			compare(t, fmt.Sprintf("after change %d", n), r, b.reader)
			if kept := r.Cached(); kept > 10 {
				t.Fatalf("%d nodes are kept", kept)
			}
			shake(t, b.Bundle, random)
		}
	})
}

// TestMemory: the nodes that a watching Reader has read must be available without a connection.
// Other Readers have no memory.
func TestMemory(t *testing.T) {
	t.Parallel()
	srv := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond})
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	bundle := treetest.New(t, addr.String())
	bundle.Plant(t, healthy("known", 2)+healthy("listed", 2))
	reader := statistics.NewWatchingReader(bundle.Registry())
	t.Cleanup(reader.Close)
	if statistics.NewReader(bundle.Registry()).Memory() != nil {
		t.Error("a Reader that keeps nothing has a memory")
	}
	want, err := readAll(t.Context(), reader)
	if err != nil {
		t.Fatal(err)
	}
	memory := reader.Memory()
	srv.Stop()
	got, err := readAll(t.Context(), memory)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(jobconfig.Config{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("what is remembered is not what was read (-read +remembered):\n%s", diff)
	}
	if _, err := memory.Job(t.Context(), "nobody"); !errors.Is(err, statistics.ErrUnavailable) && !errors.Is(err, statistics.ErrJobNotFound) {
		t.Errorf("a job that nobody read: %v", err)
	}
	empty := statistics.NewWatchingReader(treetest.Registry(bundle.Client, bundle.NS))
	t.Cleanup(empty.Close)
	if jobs, err := empty.Memory().Jobs(t.Context()); !errors.Is(err, statistics.ErrUnavailable) {
		t.Errorf("before anything was read: %v, %v", jobs, err)
	}
}
