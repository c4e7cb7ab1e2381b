package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// reshardSteps is a limit for the number of requests of a leader that the tests below try. A
// resharding of six shards with three instances takes fewer.
const reshardSteps = 90

// inBubbleAtEachStep starts a third agent for a job, and then calls do at the leader's n-th request
// (or n-th write), for each n until the resharding needs fewer. It returns the requests at which do
// was called.
func inBubbleAtEachStep(t *testing.T, writes bool, do func(b *fixture, srv *zkfake.Server, leader *member) zkfake.Fault, after func(b *fixture, leader *member, agents []*member)) []string {
	t.Helper()
	var hits []string
	for n := 1; ; n++ {
		if n > reshardSteps {
			t.Fatalf("a resharding has more than %d requests: %q", reshardSteps, hits)
		}
		hit := false
		bubble(t, func(b *fixture, srv *zkfake.Server) {
			job := coreagent.Job{Name: "job", Shards: 6, Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}}
			agents := []*member{b.agent(1), b.agent(2), b.agent(3)}
			for _, m := range agents {
				m.serve(job, nil)
			}
			agents[0].start()
			b.awaitOwners("job", allOf(6, agents[0])...)
			agents[1].start()
			b.await("two own the shards", func() bool {
				return len(b.leftovers("job")) == 0 && !slices.Equal(b.owners("job"), allOf(6, agents[0]))
			})
			time.Sleep(time.Second)

			c := counter{writes: writes}
			look := b.watchAssignment(srv, "job", 6)
			leader := agents[0]
			c.arm(leader.session("job"), n, func(r zkfake.Request) zkfake.Fault { return do(b, srv, leader) })
			srv.SetFault(func(r zkfake.Request) zkfake.Fault { look(); return c.hook(r) })
			agents[2].start()
			time.Sleep(2 * time.Second)
			var last string
			if last, hit = c.disarm(); hit {
				hits = append(hits, last)
			}
			if after(b, leader, agents); b.Failed() {
				b.Errorf("hit at request %d, %s", n, last)
			}
		})
		if t.Failed() || !hit {
			return hits
		}
	}
}

// allOf returns n times the id of an agent.
func allOf(n int, m *member) []string { return slices.Repeat([]string{m.id}, n) }

// awaitWhole waits until the shards are assigned to exactly these agents, and checks the fire time
// after that.
func (b *fixture) awaitWhole(agents ...*member) {
	b.Helper()
	share := 6 / len(agents)
	b.await(fmt.Sprintf("%d agents own %d shards each", len(agents), share), func() bool {
		owned := make(map[string]int)
		for _, id := range b.owners("job") {
			owned[id]++
		}
		for _, m := range agents {
			if owned[m.id] != share {
				return false
			}
		}
		return len(owned) == len(agents) && len(b.leftovers("job")) == 0
	})
	at := sleepUntilNext(10 * time.Second)
	time.Sleep(5 * time.Second)
	if got := b.runs.completions("job", 6, at, time.Now()); !slices.Equal(got, times(6, 1)) {
		b.Errorf("the next fire time ran %v", got)
	}
	if found := b.leftovers("job"); len(found) > 0 {
		b.Errorf("stale: %q", found)
	}
}

// wantHit checks that one of the requests was for a node.
func wantHit(t *testing.T, hits []string, node string) {
	t.Helper()
	if !slices.ContainsFunc(hits, func(hit string) bool { return strings.HasSuffix(hit, node) }) {
		t.Errorf("no request for %s was hit, the test proves nothing: %q", node, hits)
	}
}

// TestMS08MS09LeaderDiesAtEachStep: the leader dies at each of its requests after an instance has
// joined: before the resharding is announced, in the middle of it, and after it. The others should
// assign the shards, and it should never be possible to mistake half an assignment for a complete
// one.
func TestMS08MS09LeaderDiesAtEachStep(t *testing.T) {
	for name, fault := range map[string]zkfake.Fault{"request lost": zkfake.LoseRequest, "reply lost": zkfake.LoseReply} {
		t.Run(name, func(t *testing.T) {
			hits := inBubbleAtEachStep(t, name == "reply lost", // For a read it's the next request.
				func(_ *fixture, _ *zkfake.Server, leader *member) zkfake.Fault { leader.killHandlers(); return fault },
				func(b *fixture, leader *member, agents []*member) {
					if leader.killed() {
						agents = agents[1:]
					}
					b.awaitWhole(agents...)
				})
			wantHit(t, hits, "/leader/election/instance") // First in the flag's and both other transactions.
			t.Logf("%d steps", len(hits))
		})
	}
}

// TestMS03SessionExpiryDuringResharding: the leader's session expires at each of its requests. It
// should join again in a new session, and in the end all three should own their share.
func TestMS03SessionExpiryDuringResharding(t *testing.T) {
	hits := inBubbleAtEachStep(t, true,
		func(b *fixture, srv *zkfake.Server, leader *member) zkfake.Fault {
			srv.ExpireSession(srv.Dump(b.tree.Job("job").Instance(leader.id))[0].Stat.EphemeralOwner)
			return zkfake.None
		},
		func(b *fixture, _ *member, agents []*member) { b.awaitWhole(agents...) })
	wantHit(t, hits, "/leader/election/instance")
	t.Logf("%d steps", len(hits))
}
