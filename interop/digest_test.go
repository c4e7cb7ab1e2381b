//go:build interop

package interop

import (
	"errors"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// TestK65Digest has both kinds share a job that is closed to everybody without
// their password: each reads and changes what the other has made, fails over
// from the other, and nothing of it is open, from the namespace down.
func TestK65Digest(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleetAt(t, version, place{digest: "user:pw"}, mortal, "--shards=4", "--failover=true", "--body-ms=2000")
			leader, follower := f.startLed(s)
			f.runOnce(4, leader, follower)
			f.trigger()
			f.awaitStarts(time.Time{}, 8)
			f.closedToOthers()
			died := time.Now()
			leader.kill()
			f.awaitDeparture(leader)
			interrupted := f.unfinishedOf(leader)
			f.await(patience, "the interrupted shards to be run again", func() bool { return f.finishedLocked(follower, interrupted) })
			f.awaitLeader(follower)
			f.awaitRuns(died, len(interrupted))
			f.runOnce(4, follower)
			f.closedToOthers()
		})
	})
}

// closedToOthers checks that somebody without the password reads no node.
func (f *fleet) closedToOthers() {
	f.t.Helper()
	stranger, err := zk.Connect(f.t.Context(), zk.Config{Servers: []string{f.addr}})
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() {
		if err := stranger.Close(); err != nil {
			f.t.Error(err)
		}
	}()
	paths := []string{f.tree.Root()}
	for _, n := range f.nodes() {
		paths = append(paths, n.Path)
	}
	for _, path := range paths {
		_, _, err := stranger.Get(f.t.Context(), path)
		if !errors.Is(err, zk.ErrNoAuth) && !errors.Is(err, zk.ErrNoNode) {
			f.t.Errorf("a stranger reads %s: %v", path, err)
		}
	}
}
