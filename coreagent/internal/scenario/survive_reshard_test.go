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

// reshardSteps bounds how many requests of a leader the tests below look for: a
// resharding of six shards by three instances has fewer.
const reshardSteps = 90

// inBubbleAtEachStep lets a third agent come to a job that two serve, and
// does something to the leader at its n-th request, or its n-th write, after
// that, for each n until the resharding is done in fewer. It returns the requests at which the
// leader was hit.
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

// allOf is n times the id of an agent.
func allOf(n int, m *member) []string { return slices.Repeat([]string{m.id}, n) }

// awaitWhole waits until the shards are assigned over exactly these agents,
// and looks at one fire time afterwards.
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

// wantHit fails unless one of the requests was about a node.
func wantHit(t *testing.T, hits []string, node string) {
	t.Helper()
	if !slices.ContainsFunc(hits, func(hit string) bool { return strings.HasSuffix(hit, node) }) {
		t.Errorf("no request for %s was hit, the test proves nothing: %q", node, hits)
	}
}

// TestMS08MS09LeaderDiesAtEachStep: the leader dies at each of its requests
// after the arrival of an instance, before the resharding is announced, in
// the middle of it and after it. Each time the others assign the shards, and
// nobody ever sees half an assignment as the whole.
func TestMS08MS09LeaderDiesAtEachStep(t *testing.T) {
	for name, fault := range map[string]zkfake.Fault{"request lost": zkfake.LoseRequest, "reply lost": zkfake.LoseReply} {
		t.Run(name, func(t *testing.T) {
			hits := inBubbleAtEachStep(t, name == "reply lost", // To a read it is the next request lost.
				func(_ *fixture, _ *zkfake.Server, leader *member) zkfake.Fault { leader.killHandlers(); return fault },
				func(b *fixture, leader *member, agents []*member) {
					if leader.killed() {
						agents = agents[1:]
					}
					b.awaitWhole(agents...)
				})
			wantHit(t, hits, "/leader/election/instance") // The announcement and both transactions begin with it.
			t.Logf("%d steps", len(hits))
		})
	}
}

// TestMS03SessionExpiryDuringResharding: the leader's session expires at each of
// its requests; the leader rejoins under a new one, and in the end all
// three own their share.
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
