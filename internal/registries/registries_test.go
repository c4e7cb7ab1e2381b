package registries_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newPool(t *testing.T, idle time.Duration) *registries.Pool {
	t.Helper()
	allow, err := outbound.Parse([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	p := registries.NewPool(registries.Options{Allow: allow, Idle: idle, SessionTimeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(p.Close)
	return p
}

func use(t *testing.T, p *registries.Pool, r settings.Registry) (*registries.Connection, func()) {
	t.Helper()
	c, release, err := p.Use(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Jobs.Jobs(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c, release
}

// TestOneConnectionPerRegistry: users share it, a change or a removal closes it
// when its last user has left, and the next opens another.
func TestOneConnectionPerRegistry(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		p := newPool(t, 0)
		r := settings.Registry{Name: "a", Servers: []string{srv.Addr}, Namespace: "somewhere", Revision: 1}
		first, releaseFirst := use(t, p, r)
		again, releaseAgain := use(t, p, r)
		if first != again || p.Open() != 1 {
			t.Error("two users do not share a connection")
		}
		releaseAgain()
		releaseAgain() // twice is once

		r.Revision = 2
		changed, releaseChanged := use(t, p, r)
		if changed == first || p.Open() != 1 {
			t.Error("a changed registry keeps its connection")
		}
		if first.Client.State() != zk.Connected {
			t.Error("the connection ended under its user")
		}
		releaseFirst()
		waittest.Until(t, "the old connection closes", func() bool { return first.Client.State() == zk.Closed })

		p.Forget("a")
		p.Forget("a")
		if changed.Client.State() != zk.Connected || p.Open() != 0 {
			t.Error("the connection of a removed registry ended under its user, or is still there")
		}
		releaseChanged()
		waittest.Until(t, "the removed one closes", func() bool { return changed.Client.State() == zk.Closed })
	})
}

// TestW35OneSessionPerEnsembleAndIdentity: registries of one ensemble share a session, and each sees the
// changes of its namespace. Another identity, and a namespace within another one, have their own.
func TestW35OneSessionPerEnsembleAndIdentity(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		p := newPool(t, 0)
		a, b := treetest.New(t, srv.Addr), treetest.New(t, srv.Addr)
		registry := func(name, namespace, digest string) settings.Registry {
			return settings.Registry{Name: name, Servers: []string{srv.Addr}, Namespace: namespace, Digest: digest}
		}
		first, releaseFirst := use(t, p, registry("first", a.NS.String(), ""))
		second, releaseSecond := use(t, p, registry("second", b.NS.String(), ""))
		if first.Client != second.Client {
			t.Error("two registries of one ensemble have two sessions")
		}
		for name, r := range map[string]settings.Registry{
			"another digest": registry("third", b.NS.String()+"-x", "user:secret"), "within": registry("fourth", a.NS.String()+"/x", ""), "the same": registry("fifth", a.NS.String(), ""),
		} {
			other, release := use(t, p, r)
			if other.Client == first.Client {
				t.Errorf("%s: the session is shared", name)
			}
			release()
			p.Forget(r.Name)
			waittest.Until(t, name+": the session ends", func() bool { return other.Client.State() == zk.Closed })
		}
		for c, tree := range map[*registries.Connection]*treetest.Bundle{first: a, second: b} {
			tree.Put(t, "job/config", "jobName: job\nshardingTotalCount: 1\n", zk.Persistent)
			waittest.Until(t, "the new job is listed", func() bool {
				jobs, err := c.Jobs.Jobs(t.Context())
				return err == nil && len(jobs) == 1
			})
		}
		releaseFirst()
		p.Forget("first")
		if jobs, err := second.Jobs.Jobs(t.Context()); err != nil || len(jobs) != 1 || second.Client.State() != zk.Connected {
			t.Errorf("the session ended with one of its registries: %v", err)
		}
		releaseSecond()
		p.Forget("second")
		waittest.Until(t, "the session ends", func() bool { return second.Client.State() == zk.Closed })
	})
}

// TestW63DumpOfAnEnteredRegistry: the tree of a registry can't have the console connect to an address
// that isn't on the list.
func TestW63DumpOfAnEnteredRegistry(t *testing.T) {
	t.Parallel()
	tree := treetest.New(t, zktest.Fake(t).Addr)
	tree.Plant(t, `
		j/config = "jobName: j\nshardingTotalCount: 1\n"
		j/instances/192.0.2.1@-@9 [E] = "jobInstanceId: 192.0.2.1@-@9\nserverIp: 192.0.2.1\n"
	`)
	c, release := use(t, newPool(t, 0), settings.Registry{Name: "a", Servers: []string{tree.Addr}, Namespace: tree.NS.String()})
	defer release()
	if _, err := c.Operator.Dump(t.Context(), "j", "192.0.2.1", 9888); !errors.Is(err, outbound.ErrForbidden) {
		t.Errorf("%v, want ErrForbidden", err)
	}
}

func TestUnusedConnectionsClose(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		p := newPool(t, 50*time.Millisecond)
		busy := settings.Registry{Name: "busy", Servers: []string{srv.Addr}, Namespace: "a"}
		idle := settings.Registry{Name: "idle", Servers: []string{srv.Addr}, Namespace: "b", Digest: "other:secret"} // so that it has a session of its own
		held, releaseHeld := use(t, p, busy)
		left, releaseLeft := use(t, p, idle)
		releaseLeft()
		waittest.Until(t, "the unused one closes", func() bool { return left.Client.State() == zk.Closed })
		if held.Client.State() != zk.Connected || p.Open() != 1 {
			t.Error("the used one is closed too")
		}
		releaseHeld()
	})
}

func TestTestLeavesNothing(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		p := newPool(t, 0)
		r := settings.Registry{Name: "a", Servers: []string{srv.Addr}, Namespace: zktest.Namespace(t)}
		if _, err := p.Probe(t.Context(), r); err != nil {
			t.Error(err)
		}
		r.Servers = []string{"169.254.169.254:80"}
		if _, err := p.Probe(t.Context(), r); !errors.Is(err, outbound.ErrForbidden) {
			t.Error(err)
		}
		if _, _, err := p.Use(t.Context(), r); !errors.Is(err, outbound.ErrForbidden) {
			t.Error(err)
		}
		if p.Open() != 0 {
			t.Error("a connection stays")
		}
		p.Close()
		r.Servers = []string{srv.Addr}
		if _, _, err := p.Use(t.Context(), r); !errors.Is(err, registries.ErrClosed) {
			t.Error(err)
		}
	})
}
