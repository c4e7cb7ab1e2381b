//go:build servers

package zk

import (
	"context"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// While a real server is frozen, our own clock declares LOST. When it resumes there's a new epoch,
// whether or not the session survived.
func TestFrozenRealServer(t *testing.T) {
	srv := zktest.StartZooKeeper(t)
	c := mustConnect(t, Config{Servers: []string{srv.Addr()}, SessionTimeout: 1500 * time.Millisecond, Logger: testLogger(t)})
	j := follow(c)
	mustCreate(t, c, "/mine", "x", Ephemeral)
	srv.Pause()
	lost := j.await(t, 1)
	if lost.State == Suspended {
		lost = j.await(t, 2)
	}
	if lost.State != Lost {
		t.Errorf("%+v", lost)
	}
	srv.Resume()
	if err := c.AwaitConnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := c.Session(); s.Epoch != lost.Session.Epoch+1 {
		t.Errorf("session %+v after %+v", s, lost.Session)
	}
	// It's killed and restarts with its data. The session may or may not survive.
	srv.Kill()
	if tr := j.await(t, len(j.all())+1); tr.State != Suspended && tr.State != Lost && tr.State != Connected {
		t.Errorf("transition %+v", tr)
	}
	srv.Restart(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.AwaitConnected(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateAll(ctx, "/after", nil, Persistent); err != nil && !Retriable(err) {
		t.Error(err)
	}
}
