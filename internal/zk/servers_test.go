package zk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestV08W17ParseServers(t *testing.T) {
	for _, tc := range []struct {
		in     []string
		hosts  []string
		chroot string
		wrong  string
	}{
		{in: []string{"a:2181"}, hosts: []string{"a:2181"}},
		{in: []string{"a:2181", "b:2181/elastic"}, hosts: []string{"a:2181", "b:2181"}, chroot: "/elastic"},
		{in: []string{"a:2181,b:2181/elastic/prod"}, hosts: []string{"a:2181", "b:2181"}, chroot: "/elastic/prod"},
		{in: []string{" a:2181", " [::1]:2181/"}, hosts: []string{"a:2181", "[::1]:2181"}},
		{in: []string{"a:2181/x", "b:2181/x"}, wrong: "write it once"},
		{in: []string{"a:2181/x/"}, wrong: "an element is empty"},
		{in: []string{"a:2181//x"}, wrong: "an element is empty"},
		{in: []string{"a:2181/.."}, wrong: "an element is empty"},
		{in: []string{"a:2181/a b"}, wrong: "a space"},
		{in: []string{"a:2181/" + strings.Repeat("x", 200)}, wrong: "more than 128"},
		{in: []string{"/elastic"}, wrong: "is not host:port"},
		{in: []string{"a:0"}, wrong: "1 to 65535"},
		{in: []string{"a:65536/x"}, wrong: "1 to 65535"},
		{in: []string{"a,b/elastic", "c"}, wrong: "write it once"},
		{in: []string{"a", "10.0.0.7,[::1]/elastic"}, hosts: []string{"a:2181", "10.0.0.7:2181", "[::1]:2181"}, chroot: "/elastic"},
		{in: []string{"a:"}, wrong: `"a:" is not host:port`},
		{in: []string{"::1"}, wrong: `"::1" is not host:port`},
		{in: []string{"[a"}, wrong: `"[a" is not host:port`},
		{in: []string{"[]"}, wrong: `"[]" is not host:port`},
		{in: []string{"a:2181，b:2181"}, wrong: `is not host:port; it has the full-width "，", write ","`},
		{in: []string{"a：2181"}, wrong: `"a：2181" is not host:port; it has the full-width "：", write ":"`},
		{in: []string{"user@a"}, wrong: "is not host:port"},
		{in: []string{"user@a:2181"}, wrong: "is not host:port"},
	} {
		hosts, chroot, err := ParseServers(tc.in)
		if tc.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("%q: %v, want %s", tc.in, err, tc.wrong)
			}
			continue
		}
		if err != nil || !slices.Equal(hosts, tc.hosts) || chroot != tc.chroot {
			t.Errorf("%q: %q %q %v", tc.in, hosts, chroot, err)
		}
	}
}

// A missing chroot is reported at once and logged once, and the client doesn't create it. Once it
// exists, the client connects by itself.
func TestV08MissingChroot(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		cfg := targetConfig(t, srv)
		outer := mustConnect(t, cfg)
		chroot := "/" + zktest.Namespace(t)
		cfg.Servers = []string{srv.Addr + chroot}
		ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
		defer cancel()
		c := mustOpen(t, cfg)
		err := c.AwaitConnected(ctx)
		if !errors.Is(err, ErrNoChroot) || !strings.Contains(err.Error(), "create "+chroot) || Retriable(err) {
			t.Fatalf("connect: %v", err)
		}
		if _, err := c.Create(ctx, "/a", nil, Persistent); err == nil || !strings.Contains(err.Error(), ErrNoChroot.Error()) {
			t.Errorf("create: %v", err)
		}
		if _, there, err := outer.Exists(ctx, chroot); there || err != nil {
			t.Errorf("the client made its chroot: %v", err)
		}
		mustCreate(t, outer, chroot, "", Persistent)
		for c.State() != Connected {
			_, changed := c.look()
			select {
			case <-changed:
			case <-ctx.Done():
				t.Fatalf("does not notice that it is there: %+v", c.Condition())
			}
		}
		mustCreate(t, c, "/a", "", Ephemeral)
		if names, _, err := outer.Children(ctx, chroot); err != nil || !slices.Equal(names, []string{"a"}) {
			t.Errorf("%v, %v", names, err)
		}
	})
}

// Within a chroot both kinds of watches survive a reconnection, with the caller's paths, and the
// client doesn't hammer a server for the chroot.
func TestV08WatchesWithinAChroot(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		outer := mustConnect(t, testConfig(t, w))
		cfg := testConfig(t, w)
		cfg.Servers = []string{testServer + "/elastic"}
		c := mustOpen(t, cfg)
		time.Sleep(10 * time.Minute)
		if n := len(w.dialled()); n < 100 || n > 700 {
			t.Errorf("%d dials in ten minutes", n)
		}
		mustCreate(t, outer, "/elastic/ns/data", "", Persistent)
		time.Sleep(10 * time.Second)
		if c.State() != Connected {
			t.Fatalf("%+v", c.Condition())
		}
		var got paths
		c.Route("/ns", got.add)
		if _, _, err := c.GetWatch(t.Context(), "/ns/data"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.ChildrenWatch(t.Context(), "/ns"); err != nil {
			t.Fatal(err)
		}
		if err := c.WatchAbsent(t.Context(), "/ns/flag"); err != nil {
			t.Fatal(err)
		}
		srv.Stop()
		time.Sleep(2 * time.Second)
		if err := srv.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if err := outer.Multi(t.Context(), SetOp("/elastic/ns/data", []byte("x"), AnyVersion), CreateOp("/elastic/ns/flag", nil, Persistent)); err != nil {
			t.Fatal(err)
		}
		if err := c.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		list := got.take()
		slices.Sort(list)
		if !slices.Equal(slices.Compact(list), []string{"/ns", "/ns/data", "/ns/flag"}) {
			t.Errorf("events %v", list)
		}
	})
}
