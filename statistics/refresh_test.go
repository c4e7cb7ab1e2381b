package statistics_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// inBubble runs fn in virtual time, with a server that has healthy jobs, and a client.
func inBubble(t *testing.T, jobs int, fn func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { srv.Close() })
		ns, err := jobtree.NewNamespace("refresher")
		if err != nil {
			t.Fatal(err)
		}
		operator := connectTo(t, srv)
		for n := range jobs {
			for line := range strings.Lines(healthy(fmt.Sprintf("j%03d", n), 2)) {
				path, data, _ := strings.Cut(strings.TrimSpace(line), " = ")
				path = strings.TrimSuffix(path, " [E]")
				if path == "" {
					continue
				}
				data = strings.NewReplacer(`"`, "", `\n`, "\n").Replace(data)
				if _, err := operator.CreateAll(t.Context(), ns.Root()+"/"+path, []byte(data), zk.Persistent); err != nil {
					t.Fatal(err)
				}
			}
		}
		fn(t, srv, operator, ns)
	})
}

func connectTo(t *testing.T, srv *zkfake.Server) *zk.Client {
	t.Helper()
	client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial, SessionTimeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// TestALostEventIsFound: if an event is lost on a live connection, the next comparison should find
// the change, and we can't see it earlier.
func TestALostEventIsFound(t *testing.T) {
	t.Parallel()
	inBubble(t, 3, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		r := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer r.Close()
		synctest.Wait()
		status := func() statistics.Job {
			jobs, err := r.Jobs(t.Context())
			if err != nil || len(jobs) != 3 {
				t.Fatalf("%d jobs, %v", len(jobs), err)
			}
			return jobs[1]
		}
		if before := status(); before.DisabledItems != 0 {
			t.Fatalf("%+v", before)
		}
		srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true })
		if _, err := operator.Create(t.Context(), ns.Job("j001").Item(1)+"/disabled", nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		if _, err := operator.Set(t.Context(), ns.Job("j001").Config(), []byte("jobName: j001\nshardingTotalCount: 2\ndescription: changed\n"), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if known := status(); known.DisabledItems != 0 || known.Description != "" {
			t.Fatal("the change is seen although its event was lost: the test checks nothing")
		}
		srv.SetWatchFault(nil)
		time.Sleep(12 * time.Minute)
		if found := status(); found.DisabledItems != 1 || found.Description != "changed" {
			t.Errorf("not found after 12 minutes: %+v", found)
		}
		if known := r.Known(); known.Repaired != 2 || time.Since(known.Since) > 4*time.Minute {
			t.Errorf("repaired %d, compared %v ago", known.Repaired, time.Since(known.Since))
		}
		// A node that was read again must be watched again.
		if err := operator.Delete(t.Context(), ns.Job("j001").Item(1)+"/disabled", zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if now := status(); now.DisabledItems != 0 {
			t.Error("the node is not watched any more")
		}
	})
}

// An agent that leaves cleanly is known as stopped, whichever request its departure comes before.
func TestStoppedIDsDuringADeparture(t *testing.T) {
	t.Parallel()
	const id = "10.0.0.1@-@7"
	for before := range 3 {
		inBubble(t, 1, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
			job := ns.Job("j000")
			for _, path := range []string{job.Agent(id), job.AllLeft()} {
				if _, err := operator.CreateAll(t.Context(), path, nil, zk.Persistent); err != nil {
					t.Fatal(err)
				}
			}
			reader := statistics.NewReader(treetest.Registry(connectTo(t, srv), ns))
			leave := func() {
				if err := operator.Multi(t.Context(), zk.DeleteOp(job.Agent(id), zk.AnyVersion), zk.CreateOp(job.Left(id), nil, zk.Persistent)); err != nil {
					t.Error(err)
				}
			}
			requests := 0
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Path == job.Agents() || r.Path == job.AllLeft() {
					if requests == before {
						leave()
					}
					requests++
				}
				return zkfake.None
			})
			ids, err := reader.StoppedIDs(t.Context(), "j000")
			if err != nil || !slices.Contains(ids, id) || requests != 2 {
				t.Errorf("it leaves before request %d of %d: %v, %v", before, requests, ids, err)
			}
		})
	}
}

// An instance with a node that was made by hand isn't live, with or without watches.
func TestW24InstanceIDsWithoutASession(t *testing.T) {
	t.Parallel()
	inBubble(t, 1, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		const alive, ghost = "10.0.0.8@-@7", "10.0.0.9@-@8"
		watching := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer watching.Close()
		plain := statistics.NewReader(treetest.Registry(operator, ns))
		want := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			for _, r := range []*statistics.Reader{plain, watching} {
				if ids, err := r.InstanceIDs(t.Context(), "j000"); err != nil || !slices.Equal(slices.Sorted(slices.Values(ids)), want) {
					t.Errorf("%s: %q, %v, want %q", when, ids, err, want)
				}
			}
		}
		job := ns.Job("j000")
		for _, id := range []string{alive, ghost} {
			if _, err := operator.CreateAll(t.Context(), job.Instance(id), nil, zk.Ephemeral); err != nil {
				t.Fatal(err)
			}
		}
		want("both have a session", alive, ghost)
		if err := operator.Multi(t.Context(), zk.DeleteOp(job.Instance(ghost), zk.AnyVersion), zk.CreateOp(job.Instance(ghost), nil, zk.Persistent)); err != nil {
			t.Fatal(err)
		}
		want("one was made again by hand", alive)
	})
}

// TestAColdListSaysWhatItKnows: if the namespace takes long to read, we should get a list of names
// after two seconds and a complete list in the end. No node should be read twice.
func TestAColdListSaysWhatItKnows(t *testing.T) {
	t.Parallel()
	inBubble(t, 100, func(t *testing.T, srv *zkfake.Server, _ *zk.Client, ns jobtree.Namespace) {
		client := connectTo(t, srv)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			return zkfake.DelayRequest(20 * time.Millisecond) // With one connection that's 50 requests a second.
		})
		srv.ResetStats()
		r := statistics.NewWatchingReader(treetest.Registry(client, ns))
		defer r.Close()
		time.Sleep(time.Millisecond)
		began := time.Now()
		jobs, err := r.Jobs(t.Context())
		if err != nil || len(jobs) != 100 {
			t.Fatalf("%d jobs, %v", len(jobs), err)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("the list took %v", took)
		}
		reading := func() int {
			return len(slices.DeleteFunc(slices.Clone(jobs), func(j statistics.Job) bool { return j.Status != statistics.StatusReading }))
		}
		if reading() == 0 {
			t.Error("every job is read after two seconds: the test checks nothing")
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if servers, err := r.Servers(short); !errors.Is(err, statistics.ErrStillReading) || !errors.Is(err, statistics.ErrUnavailable) {
			t.Errorf("%d servers, %v; want that they are still being read", len(servers), err)
		}
		time.Sleep(time.Minute)
		reads := srv.Stats().Reads
		if jobs, err = r.Jobs(t.Context()); err != nil || reading() != 0 {
			t.Errorf("%d jobs are not read in the end, %v", reading(), err)
		}
		if more := srv.Stats().Reads; more > reads+1 { // one request to check that the server still answers
			t.Errorf("%d reads for a warm list", more-reads)
		}
		if servers, err := r.Servers(t.Context()); err != nil || len(servers) == 0 {
			t.Errorf("%d servers in the end, %v", len(servers), err)
		}
		if more := srv.Stats().Reads; more > reads+1 { // one request to check that the server still answers
			t.Errorf("%d reads for a warm list of servers", more-reads)
		}
		if known := r.Known(); known.Jobs[statistics.StatusOK] != 100 || known.Since.IsZero() {
			t.Errorf("known: %+v", known)
		}
	})
}

// TestAServerThatHangsIsNoList: if the server stops answering, we must not get a list of only the
// names.
func TestAServerThatHangsIsNoList(t *testing.T) {
	t.Parallel()
	inBubble(t, 20, func(t *testing.T, srv *zkfake.Server, _ *zk.Client, ns jobtree.Namespace) {
		client := connectTo(t, srv)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Path == ns.Root() {
				return zkfake.None
			}
			return zkfake.Delay(time.Hour)
		})
		r := statistics.NewWatchingReader(treetest.Registry(client, ns))
		defer r.Close()
		time.Sleep(time.Millisecond)
		if jobs, err := r.Jobs(t.Context()); err == nil {
			t.Errorf("%d jobs of a server that does not answer", len(jobs))
		}
	})
}

// TestW90AClosedJobIsFound: ZooKeeper doesn't announce a change of an ACL, so the next comparison
// must find it and drop the job.
func TestW90AClosedJobIsFound(t *testing.T) {
	t.Parallel()
	for _, atOnce := range []bool{false, true} {
		testClosedJob(t, atOnce)
	}
}

func testClosedJob(t *testing.T, atOnce bool) {
	t.Helper()
	inBubble(t, 3, func(t *testing.T, srv *zkfake.Server, operator *zk.Client, ns jobtree.Namespace) {
		r := statistics.NewWatchingReader(treetest.Registry(connectTo(t, srv), ns))
		defer r.Close()
		synctest.Wait()
		if jobs, err := r.Jobs(t.Context()); err != nil || len(jobs) != 3 {
			t.Fatalf("%d jobs, %v", len(jobs), err)
		}
		owner, err := zk.Connect(t.Context(), zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial, SessionTimeout: 30 * time.Second, Digest: "user:pw"})
		if err != nil {
			t.Fatal(err)
		}
		defer owner.Close()
		srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true }) // as after a change of only the ACL
		path := ns.Job("j001").Config()
		data, _, err := operator.Get(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := operator.Delete(t.Context(), path, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if _, err := owner.Create(t.Context(), path, data, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		srv.SetWatchFault(nil)
		if atOnce { // Explain checks that it may read the configuration. After that, the list should agree.
			if _, err := r.Explain(t.Context(), "j001"); err != nil {
				t.Fatal(err)
			}
		} else {
			time.Sleep(12 * time.Minute)
		}
		jobs, err := r.Jobs(t.Context())
		if err != nil || len(jobs) != 3 {
			t.Fatalf("%d jobs, %v", len(jobs), err)
		}
		evidence := explain.Evidence{Job: &jobs[1], Runs: &explain.Digest{}, Known: true, Now: time.Now()}
		if j := explain.Judge(evidence); j.State != explain.Unknown || j.Finding.Code != statistics.CodeConfigForbidden {
			t.Errorf("%s: %+v", j.State, jobs[1])
		}
		why, err := r.Explain(t.Context(), "j001")
		if err != nil {
			t.Fatal(err)
		}
		if a := explain.Explain(why, evidence); a.State != explain.Unknown || len(a.Checks) > 0 {
			t.Errorf("%s %+v", a.State, a.Checks)
		}
		if known := r.Known(); !atOnce && time.Since(known.Since) > 4*time.Minute {
			t.Errorf("the others were compared %v ago", time.Since(known.Since))
		}
	})
}

// TestW90AFrozenServer: a stopped server keeps its connections open. A watching Reader should
// notice within moments that it doesn't answer, and must not answer from its cache then.
func TestW90AFrozenServer(t *testing.T) {
	t.Parallel()
	inBubble(t, 3, func(t *testing.T, srv *zkfake.Server, _ *zk.Client, ns jobtree.Namespace) {
		client := connectTo(t, srv)
		r := statistics.NewWatchingReader(treetest.Registry(client, ns))
		defer r.Close()
		time.Sleep(time.Minute)
		if jobs, err := r.Jobs(t.Context()); err != nil || len(jobs) != 3 || !client.SilentSince().IsZero() {
			t.Fatalf("%d jobs, %v, silent since %v", len(jobs), err, client.SilentSince())
		}
		frozen := time.Now()
		srv.SetFault(func(zkfake.Request) zkfake.Fault { return zkfake.Delay(time.Hour) })
		time.Sleep(3 * time.Second)
		for what, read := range map[string]func() error{
			"list":    func() error { _, err := r.Jobs(t.Context()); return err },
			"explain": func() error { _, err := r.Explain(t.Context(), "j001"); return err },
			"details": func() error { _, err := r.Job(t.Context(), "j001"); return err },
			"servers": func() error { _, err := r.Servers(t.Context()); return err },
		} {
			began := time.Now()
			if err := read(); !errors.Is(err, statistics.ErrUnavailable) || time.Since(began) > 3*time.Second {
				t.Errorf("%s: %v after %v", what, err, time.Since(began))
			}
		}
		if since := client.SilentSince(); since.Before(frozen.Add(-time.Second)) || since.After(frozen.Add(time.Second)) {
			t.Errorf("silent since %v, want %v", since, frozen)
		}
		srv.SetFault(nil)
		srv.DropConnections()
		time.Sleep(time.Minute)
		if jobs, err := r.Jobs(t.Context()); err != nil || len(jobs) != 3 || !client.SilentSince().IsZero() {
			t.Errorf("%d jobs, %v, silent since %v after it went on", len(jobs), err, client.SilentSince())
		}
	})
}
