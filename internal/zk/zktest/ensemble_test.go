//go:build servers

package zktest_test

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestEnsembleKeepsServing: an ensemble of three should work as one, survive without its leader,
// and accept it back.
func TestEnsembleKeepsServing(t *testing.T) {
	e, err := zktest.LaunchEnsemble(t.TempDir(), 3, zktest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Kill()
	client, err := zk.Connect(t.Context(), zk.Config{Servers: e.Servers()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Create(t.Context(), "/before", []byte("x"), zk.Persistent); err != nil {
		t.Fatal(err)
	}
	leader := e.Leader()
	if leader == nil {
		t.Fatal("no server leads")
	}
	leader.Kill()
	client.Close()
	client, err = zk.Connect(t.Context(), zk.Config{Servers: e.Servers()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if data, _, err := client.Get(t.Context(), "/before"); err != nil || string(data) != "x" {
		t.Errorf("without the leader: %q, %v", data, err)
	}
	if err := e.Start(leader); err != nil {
		t.Fatal(err)
	}
	if reply, err := zktest.FourLetterWord(leader.Addr(), "srvr"); err != nil || !strings.Contains(reply, "Mode: follower") {
		t.Errorf("the returned server answers %q, %v", reply, err)
	}
}
