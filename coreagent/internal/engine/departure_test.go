package engine

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestW92InstanceMadeByALateRequest: the server carries out a request of a job after the job's
// departure was confirmed. The check a minute later should remove the instance. It should keep an
// instance with the same id from another session, and an instance that another job of this agent is
// about to register.
func TestW92InstanceMadeByALateRequest(t *testing.T) {
	for _, maker := range []string{ownSession, anotherSession, nextJob} {
		t.Run(maker, func(t *testing.T) {
			served(t, func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, j *Job) {
				lateRequestInBubble(t, srv, n, j, maker)
			})
		})
	}
}

// Who creates the instance.
const ownSession, anotherSession, nextJob = "own session", "another session", "a job registers"

func lateRequestInBubble(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, j *Job, maker string) {
	if err := j.prepareRegistration(t.Context(), n.Client.Session()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{n.Tree.Instance(j.ID()), n.Agent(j.ID())} {
		if err := n.Create(t.Context(), path, nil, zk.Ephemeral); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	exists := func() bool {
		t.Helper()
		_, instance, err := n.Client.Exists(t.Context(), n.Tree.Instance(j.ID()))
		if err != nil {
			t.Fatal(err)
		}
		_, agent, err := n.Client.Exists(t.Context(), n.Agent(j.ID()))
		if err != nil || instance != agent {
			t.Fatalf("instance %v, its agent %v: %v", instance, agent, err)
		}
		return instance
	}
	if exists() {
		t.Fatal("the instance has not left")
	}
	by := n
	switch maker {
	case anotherSession:
		by = nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
	case nextJob:
		next := New(j.Host, j.Def)
		if err := next.prepareRegistration(t.Context(), n.Client.Session()); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{n.Tree.Instance(j.ID()), n.Agent(j.ID())} {
		if err := by.Create(t.Context(), path, nil, zk.Ephemeral); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(2 * departure.CheckAgain)
	if exists() != (maker != ownSession) {
		t.Errorf("made by %s: exists %v", maker, exists())
	}
	if j.Host.Departures.Open(n.Tree.Instance(j.ID())) {
		t.Error("the departure has not ended")
	}
}
