package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// fake returns a bundle on an in-process server with faults.
func fake(t *testing.T, tree string) (bundle, *zkfake.Server) {
	t.Helper()
	srv := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := treetest.New(t, addr.String())
	b.Plant(t, tree)
	return bundle{b, lifecycle.NewOperator(b.Registry())}, srv
}

func TestUnreachableIsUnavailable(t *testing.T) {
	b, srv := fake(t, twoHosts("j"))
	srv.Stop()
	for name, action := range actions(b.operator, "j") {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		err := action(ctx)
		cancel()
		if !errors.Is(err, lifecycle.ErrUnavailable) || errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("%s: %v, want ErrUnavailable", name, err)
		}
	}
	for name, action := range actions(b.operator, "") {
		if !strings.HasSuffix(name, "server") || name == "trigger server" {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		err := action(ctx)
		cancel()
		if !errors.Is(err, lifecycle.ErrUnavailable) {
			t.Errorf("%s in all jobs: %v, want ErrUnavailable", name, err)
		}
	}
}

func TestUnanswered(t *testing.T) {
	b, srv := fake(t, twoHosts("j"))
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op == "multi" {
			return zkfake.LoseReply
		}
		return zkfake.None
	})
	_, err := b.operator.Disable(t.Context(), "j")
	wantError(t, err, lifecycle.ErrUnavailable, "before repeating it")
}

func TestGivenUp(t *testing.T) {
	b, _ := fake(t, twoHosts("j"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.operator.Trigger(ctx, "j")
	wantError(t, err, lifecycle.ErrUnavailable)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestForbidden(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		owner := treetest.New(t, srv.Addr)
		ctx := t.Context()
		digest, err := zk.Connect(ctx, zk.Config{Servers: []string{srv.Addr}, Digest: "user:pw"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := digest.Close(); err != nil {
				t.Error(err)
			}
		})
		owner.Plant(t, "seed")
		planted := &treetest.Bundle{Client: digest, NS: owner.NS}
		planted.Plant(t, twoHosts("j"))
		stranger := lifecycle.NewOperator(owner.Registry())
		for name, action := range actions(stranger, "j") {
			if err := action(ctx); !errors.Is(err, lifecycle.ErrForbidden) {
				t.Errorf("%s: %v, want ErrForbidden", name, err)
			}
		}
		if _, err := lifecycle.NewOperator(treetest.Registry(digest, owner.NS)).Trigger(ctx, "j"); err != nil {
			t.Errorf("with the right credentials: %v", err)
		}
	})
}

// onceBefore changes the tree just before the operator's first transaction reaches the server, like
// a busy cluster.
func onceBefore(t *testing.T, b bundle, srv *zkfake.Server, ops map[string]bool, change func()) {
	t.Helper()
	session := b.Client.Session().ID
	var once sync.Once
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Session == session && ops[r.Op] {
			once.Do(change)
		}
		return zkfake.None
	})
}

var multis = map[string]bool{"multi": true}

func TestInstanceVanishesBeforeTheTrigger(t *testing.T) {
	b, srv := fake(t, twoHosts("j"))
	other := treetest.Connect(t, b.Addr)
	job := b.NS.Job("j")
	onceBefore(t, b, srv, multis, func() {
		if err := other.Delete(context.Background(), job.Instance("10.0.0.1@-@7"), zk.AnyVersion); err != nil {
			t.Error(err)
		}
	})
	out, err := b.operator.Trigger(t.Context(), "j")
	wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{"10.0.0.10@-@8"}})
	b.wantTree(t, "j/trigger", "j/trigger/10.0.0.10@-@8")
}

func TestServerChangesBeforeTheSwitch(t *testing.T) {
	b, srv := fake(t, twoHosts("j"))
	other := treetest.Connect(t, b.Addr)
	job := b.NS.Job("j")
	onceBefore(t, b, srv, multis, func() {
		if _, err := other.Set(context.Background(), job.Server("10.0.0.1"), []byte("DISABLED"), zk.AnyVersion); err != nil {
			t.Error(err)
		}
	})
	out, err := b.operator.Disable(t.Context(), "j")
	wantOutcome(t, out, err, lifecycle.Outcome{
		Job: "j", Affected: []string{"10.0.0.10"},
		Skipped: []lifecycle.Skip{{Target: "10.0.0.1", Reason: "it is DISABLED already", Why: lifecycle.SkipSame}},
	})
}

// If an agent starts during the removal, the whole job should stay.
func TestInstanceAppearsBeforeTheRemoval(t *testing.T) {
	b, srv := fake(t, fmt.Sprintf("j/config = %q\nj/servers/10.0.0.1 = ENABLED\nj/instances\nj/sharding/0/instance = x", config("j", 1)))
	other := treetest.Connect(t, b.Addr)
	before := b.Dump(t, "j")
	onceBefore(t, b, srv, multis, func() {
		if _, err := other.Create(context.Background(), b.NS.Job("j").Instance("10.0.0.1@-@7"), nil, zk.Ephemeral); err != nil {
			t.Error(err)
		}
	})
	_, err := b.operator.Remove(t.Context(), "j")
	wantError(t, err, lifecycle.ErrConflict, "10.0.0.1@-@7")
	want := strings.Replace(before, "j/instances\n", "j/instances\nj/instances/10.0.0.1@-@7 [E]\n", 1)
	if diff := cmp.Diff(want, b.Dump(t, "j")); diff != "" {
		t.Errorf("the job is damaged (-want +got):\n%s", diff)
	}
}

// A job that changes at every read must not keep an action busy forever.
func TestEndlessChangeIsAConflict(t *testing.T) {
	b, srv := fake(t, twoHosts("j"))
	other := treetest.Connect(t, b.Addr)
	session := b.Client.Session().ID
	value := 0
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Session == session && r.Op == "multi" {
			value++
			if _, err := other.Set(context.Background(), b.NS.Job("j").Server("10.0.0.1"), fmt.Appendf(nil, "%d", value), zk.AnyVersion); err != nil {
				t.Error(err)
			}
		}
		return zkfake.None
	})
	_, err := b.operator.Disable(t.Context(), "j")
	wantError(t, err, lifecycle.ErrConflict, "keeps changing")
}

// A hundred concurrent actions end in a state that one of them requested.
func TestConcurrentActions(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				do := b.operator.Enable
				if i%2 == 0 {
					do = b.operator.Disable
				}
				// Only a conflict is an acceptable error here.
				if _, err := do(t.Context(), "j"); err != nil && !errors.Is(err, lifecycle.ErrConflict) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		job := b.NS.Job("j")
		one, _, err := b.Client.Get(t.Context(), job.Server("10.0.0.1"))
		if err != nil {
			t.Fatal(err)
		}
		two, _, err := b.Client.Get(t.Context(), job.Server("10.0.0.10"))
		if err != nil {
			t.Fatal(err)
		}
		if string(one) != string(two) || string(one) != jobtree.ServerEnabled && string(one) != jobtree.ServerDisabled {
			t.Errorf("the servers are %q and %q: two actions were mixed", one, two)
		}
	})
}

// TestServerActionsSkipAForbiddenJob: an action on all jobs of a server reaches the jobs that the
// operator may change, and names the job that refused; with that one alone it fails.
func TestServerActionsSkipAForbiddenJob(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		owner := treetest.New(t, srv.Addr)
		digest, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}, Digest: "user:pw"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := digest.Close(); err != nil {
				t.Error(err)
			}
		})
		owner.Plant(t, "seed")
		(&treetest.Bundle{Client: digest, NS: owner.NS}).Plant(t, twoHosts("closed"))
		operator := lifecycle.NewOperator(owner.Registry())
		_, err = operator.DisableServer(t.Context(), "", "10.0.0.1")
		wantError(t, err, lifecycle.ErrForbidden)
		owner.Plant(t, twoHosts("a"))
		owner.Plant(t, twoHosts("b"))
		for _, c := range []struct {
			name string
			do   func(context.Context, string, string) (lifecycle.Outcome, error)
		}{
			{"disable", operator.DisableServer}, {"enable", operator.EnableServer}, {"shut down", operator.ShutdownServer}, {"remove", operator.RemoveServer},
		} {
			out, err := c.do(t.Context(), "", "10.0.0.1")
			if err != nil || !slices.Equal(out.Affected, []string{"a", "b"}) || len(out.Skipped) != 1 {
				t.Fatalf("%s: %+v, %v", c.name, out, err)
			}
			if s := out.Skipped[0]; s.Target != "closed" || s.Why != lifecycle.SkipRefused || !errors.Is(s.Err, lifecycle.ErrForbidden) || !strings.HasPrefix(s.Reason, "not permitted by ZooKeeper: ") {
				t.Errorf("%s skips %+v", c.name, s)
			}
		}
	})
}
