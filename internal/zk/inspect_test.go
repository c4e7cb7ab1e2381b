package zk

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestDoctorServer: reading a four-letter word, the clock, ACLs and the packet limit should leave
// nothing behind.
func TestDoctorServer(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		cfg := targetConfig(t, srv)
		answer, err := cfg.Ask(t.Context(), srv.Addr, "srvr")
		if err != nil || !strings.HasPrefix(answer, "Zookeeper version: ") {
			t.Errorf("%q, %v", answer, err)
		}
		c := mustConnect(t, cfg)
		root := mustCreate(t, c, "/"+zktest.Namespace(t), "", Persistent)
		_, before, err := c.Get(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		at, err := c.ServerClock(t.Context(), root)
		if err != nil || at.Before(before.Ctime) {
			t.Error(at, err)
		}
		if names, after, err := c.Children(t.Context(),
			root); err != nil || len(names) > 0 || after.Cversion == before.Cversion {
			t.Errorf("children %v, record %+v, %v; want none left and a transaction", names, after, err)
		}
		if err := c.CheckPackets(t.Context()); err != nil {
			t.Error(err)
		}
		cfg.Digest = "agent:secret"
		closed := mustCreate(t, mustConnect(t, cfg), root+"/closed", "", Persistent)
		for path, want := range map[string]bool{root: true, closed: false} {
			if open, err := mustConnect(t, cfg).IsOpen(t.Context(), path); open != want || err != nil {
				t.Errorf("%s: open %v, %v; want %v", path, open, err, want)
			}
		}
	})
}

// TestDoctorServerRefuses: a word that isn't whitelisted, and a packet limit below the default.
func TestDoctorServerRefuses(t *testing.T) {
	t.Parallel()
	small := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond, MaxFrame: 100_000,
		Answers: map[string]string{"conf": "conf is not executed because it is not in the whitelist.\n"}})
	t.Cleanup(func() { small.Close() })
	addr, err := small.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := targetConfig(t, zktest.Target{Addr: addr.String()})
	if answer, err := cfg.Ask(t.Context(), addr.String(), "conf"); !errors.Is(err, ErrNotListed) {
		t.Errorf("%q, %v", answer, err)
	}
	if err := mustConnect(t, cfg).CheckPackets(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}
