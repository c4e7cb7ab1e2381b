//go:build interop

package interop

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// awaitCandidates waits until a number of nodes stand in the election. Java makes
// the queue a container: ZooKeeper deletes it when it has been left empty.
func (f *fleet) awaitCandidates(n int) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		names, _, err := f.client.Children(ctx, f.job.ElectionLatch())
		if errors.Is(err, zk.ErrNoNode) {
			err = nil
		}
		if err == nil && len(names) != n {
			err = fmt.Errorf("%q stand in the election, want %d", names, n)
		}
		return err
	})
}

// TestK15K17ElectionQueue has both kinds wait for a candidate that came before
// them, whatever its name begins with, and the first in the queue win.
func TestK15K17ElectionQueue(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "queues first", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2")
			// The prefix sorts after everything that an agent could choose.
			first := f.plant(f.job.ElectionLatch()+"/_c_ffffffffffffffffffffffffffffffff-latch-", "", zk.EphemeralSequential)
			wins := f.launchSide(s)
			f.awaitCandidates(2)
			loses := f.launchSide(s.other())
			f.awaitCandidates(3)
			f.pass(time.Now().Add(moment))
			if leader := f.get(t.Context(), f.job.LeaderInstance()); f.exists(t.Context(), f.job.LeaderInstance()) {
				t.Errorf("%s leads although another candidate came first", leader)
			}
			f.remove(first)
			f.awaitReady(wins)
			f.awaitReady(loses)
			f.awaitLeader(wins)
			f.runOnce(2, wins, loses)
		})
	})
}

// TestK16ForeignLatchNodes has neither kind wait for nodes that are not named
// as Curator names candidates.
func TestK16ForeignLatchNodes(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2")
			f.plant(f.job.ElectionLatch()+"/_c_00000000000000000000000000000000-lock-", "", zk.EphemeralSequential)
			leader, follower := f.startLed(s)
			f.runOnce(2, leader, follower)
		})
	})
}

// TestK18OneLeader deletes the leader's node again and again: each time exactly
// one of the living agents makes it anew, and nobody stays in the queue.
func TestK18OneLeader(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=2")
		java, goAgent := f.startLed(java)
		won := make(map[string]int)
		for range 6 {
			before := f.stat(f.job.LeaderInstance()).Czxid
			f.remove(f.job.LeaderInstance())
			f.until(patience, func(ctx context.Context) error {
				data, stat, err := f.client.Get(ctx, f.job.LeaderInstance())
				if err == nil && stat.Czxid == before {
					err = errors.New("the old leader is still there")
				}
				if err == nil && (stat.EphemeralOwner == 0 || string(data) != java.id && string(data) != goAgent.id) {
					err = fmt.Errorf("the leader is %q, session %x", data, stat.EphemeralOwner)
				}
				if err == nil {
					won[string(data)]++
				}
				return err
			})
			f.awaitCandidates(0)
			elected := f.stat(f.job.LeaderInstance()).Czxid
			f.pass(time.Now().Add(moment / 2))
			if now := f.stat(f.job.LeaderInstance()).Czxid; now != elected {
				t.Error("another leader came after the elected one")
			}
		}
		t.Logf("elected: %v", won)
		f.runOnce(2, java, goAgent)
	})
}

// TestK14DisabledStart has agents start disabled: nobody leads and nothing
// runs, until an operator enables the job.
func TestK14DisabledStart(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=3", "--disabled=true")
		java, goAgent := f.start(java), f.start(golang)
		f.awaitAbsent(f.job.LeaderInstance())
		for _, p := range []*process{java, goAgent} {
			f.awaitData(f.job.Server(p.ip()), "DISABLED")
			f.put(f.job.Trigger(p.id), "")
			f.awaitAbsent(f.job.Trigger(p.id))
		}
		f.nothingRuns(time.Time{})
		f.awaitAbsent(f.job.LeaderInstance())
		f.obeyed(f.operator().Enable(t.Context(), f.job.Name()))
		f.awaitExists(f.job.LeaderInstance())
		f.runOnce(3, java, goAgent)
	})
}
