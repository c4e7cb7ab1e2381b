package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// known is a process's memory, by path below the namespace. A nil value is a node cached as
// missing.
type known struct {
	root  string
	nodes map[string]*string
}

func (k known) Cached(path string) (data []byte, exists, isKnown bool) {
	text, ok := k.nodes[strings.TrimPrefix(path, k.root)]
	if !ok || text == nil {
		return nil, false, ok
	}
	return []byte(*text), true, true
}

// invoices creates a job's tree as agents leave it.
func (b fixture) invoices() {
	b.t.Helper()
	b.create("/invoices", "com.example.Invoices")
	b.create("/invoices/config", "cron: 0/5 * * * * ?\njobName: invoices\nprops:\n  email.password: s3cr3t\nshardingTotalCount: 11\n")
	b.create("/invoices/instances/10.0.0.1@-@7938", "jobInstanceId: 10.0.0.1@-@7938\nserverIp: 10.0.0.1\n")
	b.create("/invoices/instances/10.0.0.10@-@8", "jobInstanceId: 10.0.0.10@-@8\nserverIp: 10.0.0.10\n")
	b.create("/invoices/leader/election/instance", "10.0.0.10@-@8")
	b.create("/invoices/leader/election/latch", "")
	b.create("/invoices/leader/sharding/necessary", "")
	b.create("/invoices/servers/10.0.0.10", "ENABLED")
	b.create("/invoices/servers/10.0.0.1", "DISABLED")
	b.create("/invoices/servers/2001:db8::7", "ENABLED")
	for _, n := range []int{2, 10, 0} {
		b.create(fmt.Sprintf("/invoices/sharding/%d/instance", n), "10.0.0.10@-@8")
	}
}

const invoicesText = `/invoices/sharding | 
/invoices/sharding/2 | 
/invoices/sharding/2/instance | ip1@-@8
/invoices/sharding/10 | 
/invoices/sharding/10/instance | ip1@-@8
/invoices/sharding/0 | 
/invoices/sharding/0/instance | ip1@-@8
/invoices/servers | 
/invoices/servers/ip2 | ENABLED
/invoices/servers/ip1 | ENABLED
/invoices/servers/ip3 | DISABLED
/invoices/leader | 
/invoices/leader/sharding | 
/invoices/leader/sharding/necessary | 
/invoices/leader/election | 
/invoices/leader/election/latch | 
/invoices/leader/election/instance | ip1@-@8
/invoices/instances | 
/invoices/instances/ip3@-@7938 | jobInstanceId: ip3@-@7938
serverIp: ip3

/invoices/instances/ip1@-@8 | jobInstanceId: ip1@-@8
serverIp: ip1

/invoices/config | cron: 0/5 * * * * ?
jobName: invoices
props:
  email.password: ***
shardingTotalCount: 11

`

func TestK59Dump(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newFixture(t, srv.Addr)
		b.invoices()
		b.create("/payments", "another job")
		b.create("/payments/config", "cron: 0 0 0 * * ?")
		s := b.listen(nil)
		if diff := cmp.Diff(invoicesText, ask(t, s, "dump@invoices\n")); diff != "" {
			t.Errorf("dump (-want +got):\n%s", diff)
		}
		if got := ask(t, s, "dump@payments\n"); got != "/payments/config | cron: 0 0 0 * * ?\n" {
			t.Errorf("got %q", got)
		}
		if got := ask(t, s, "dump@none\n"); got != "\n" {
			t.Errorf("an unknown job: got %q", got)
		}
		b.create("/childless", "x")
		if got := ask(t, s, "dump@childless\n"); got != "\n" {
			t.Errorf("a job node alone: got %q", got)
		}
	})
}

func TestDumpShowsWhatThisProcessBelieves(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newFixture(t, srv.Addr)
		b.create("/invoices/config", "cron: 1")
		b.create("/invoices/leader/sharding/necessary", "")
		b.create("/invoices/sharding/0/instance", "10.0.0.2@-@1")
		b.create("/invoices/sharding/0/misfire", "")
		same, old, empty := "cron: 1", "10.0.0.1@-@1", ""
		cache := known{root: b.tree.Root(), nodes: map[string]*string{
			"/invoices/config":                    &same,
			"/invoices/sharding/0/instance":       &old,
			"/invoices/leader/sharding/necessary": nil,
			"/invoices/sharding/0/misfire":        &empty,
		}}
		s := b.listen(func(o *Options) {
			o.Cache = func(job string) Cache {
				if job != "invoices" {
					return nil
				}
				return cache
			}
		})
		want := "/invoices/sharding | \n" +
			"/invoices/sharding/0 | \n" +
			"/invoices/sharding/0/misfire | \n" +
			"/invoices/sharding/0/instance | ip1@-@1 | /invoices/sharding/0/instance | ip2@-@1\n" +
			"/invoices/leader | \n" +
			"/invoices/leader/sharding | \n" +
			"/invoices/leader/sharding/necessary |  |  | \n" +
			"/invoices/config | cron: 1\n"
		if diff := cmp.Diff(want, ask(t, s, "dump@invoices\n")); diff != "" {
			t.Errorf("dump (-want +got):\n%s", diff)
		}
		b.create("/other/config", "x")
		if got := ask(t, s, "dump@other\n"); got != "/other/config | x\n" {
			t.Errorf("a job that is not served here: %q", got)
		}
	})
}

func TestDumpIsBounded(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newFixture(t, srv.Addr)
		for n := range 40 {
			b.create(fmt.Sprintf("/big/sharding/%02d", n), strings.Repeat("x", 100))
		}
		s := b.listen(func(o *Options) { o.Limits.Bytes = 1000 })
		got := ask(t, s, "dump@big\n")
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(got) > 1100 || len(lines) < 5 || lines[len(lines)-1] != "(cut: the dump is limited to 1000 bytes)" {
			t.Errorf("%d bytes:\n%s", len(got), got)
		}
		for i, line := range lines[1 : len(lines)-1] {
			if want := fmt.Sprintf("/big/sharding/%02d | ", 39-i); !strings.HasPrefix(line, want) {
				t.Errorf("line %d: got %.30q, want %q", i, line, want)
			}
		}
	})
}

// A node that vanishes while its tree is read is left out, no matter which read notices.
func TestDumpOfATreeThatChanges(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"getData", "getChildren2"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			fake := zkfake.New(zkfake.Options{})
			t.Cleanup(func() { fake.Close() })
			addr, err := fake.Listen("127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			b := newFixture(t, addr.String())
			b.create("/invoices/sharding/0/running", "x")
			b.create("/invoices/config", "cron: 1")
			other := newFixture(t, addr.String())
			var once sync.Once
			deleted := false
			fake.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Session == b.client.Session().ID && r.Path == b.tree.Root()+"/invoices/sharding/0" && r.Op == op {
					once.Do(func() {
						deleted = true
						if err := other.client.DeleteAll(t.Context(), r.Path); err != nil {
							t.Error(err)
						}
					})
				}
				return zkfake.None
			})
			text, err := Dump(t.Context(), b.client, b.tree.Job("invoices"), nil, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			fake.SetFault(nil)
			once.Do(func() {})
			if !deleted {
				t.Fatalf("no %s was seen: the test checks nothing", op)
			}
			want := "/invoices/sharding | \n/invoices/config | cron: 1\n"
			if op == "getChildren2" {
				want = "/invoices/sharding | \n/invoices/sharding/0 | \n/invoices/config | cron: 1\n" // It existed then.
			}
			if diff := cmp.Diff(want, string(text)); diff != "" {
				t.Errorf("dump (-want +got):\n%s", diff)
			}
		})
	}
}

// Without ZooKeeper there's no text, not even part of it.
func TestDumpWithoutZooKeeper(t *testing.T) {
	t.Parallel()
	fake := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { fake.Close() })
	addr, err := fake.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := newFixture(t, addr.String())
	b.invoices()
	s := b.listen(func(o *Options) { o.Limits.Dump = 2 * time.Second })
	var count atomic.Int32
	fake.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op != "getData" {
			return zkfake.None
		}
		if count.Add(1) < 10 {
			return zkfake.None
		}
		return zkfake.LoseRequest
	})
	if got := ask(t, s, "dump@invoices\n"); got != "" {
		t.Errorf("got %q", got)
	}
	if !strings.Contains(b.log.String(), "closed without an answer") {
		t.Errorf("not in the log:\n%s", b.log)
	}
	fake.SetFault(nil)

	fake.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := Dump(ctx, b.client, b.tree.Job("invoices"), nil, 1<<20); !errors.Is(err, zk.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
