package coreagent_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// repeated lists the items that were run for one fire time more than once.
func (j *journal) repeated(job string) []string {
	runs := make(map[string][]run)
	for _, r := range j.of(job, -1) {
		key := fmt.Sprintf("item %d %v", r.shard.Item, r.shard.ScheduledAt)
		runs[key] = append(runs[key], r)
	}
	var found []string
	for _, list := range runs {
		if len(list) > 1 {
			found = append(found, story(list))
		}
	}
	return found
}

// afterAbsence has one of three agents be cut off while three fire times pass,
// and come back, so that it is given items, some time after the last of them. No
// item may run twice for one fire time. lose says which of the requests of the
// agent about fire records are lost, by their number.
func afterAbsence(t *testing.T, back time.Duration, lose func(n int) bool) {
	const period = 10 * time.Second
	bubble(t, func(b *bed, srv *zkfake.Server) {
		b.session = 4 * time.Second
		job := coreagent.Job{Name: "job", Cron: "0/10 * * * * ?", Shards: 6}
		tree := b.tree.Job("job")
		leader := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", allOf(6, leader)...)
		second, victim := b.agent(2).serve(job, nil).start(), b.agent(3).serve(job, nil).start()
		b.awaitWhole(leader, second, victim)
		sessions := []int64{leader.session("job"), second.session("job")}
		victim.cut()
		last := time.Now().Truncate(period).Add(3 * period)
		time.Sleep(time.Until(last.Add(-time.Second)))
		victim.mend()
		var mu sync.Mutex
		delayed, looked := false, 0
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case !delayed && slices.Contains(r.Paths, tree.Instance(victim.id)):
				delayed = true
				return zkfake.DelayRequest(time.Until(last.Add(back)))
			case !slices.Contains(sessions, r.Session) && r.Op == "getData" && strings.HasPrefix(r.Path, tree.Extension()+"/fired/"):
				if looked++; lose(looked) {
					return zkfake.LoseRequest
				}
			}
			return zkfake.None
		})
		time.Sleep(time.Until(last.Add(period / 2)))
		srv.SetFault(nil)
		mu.Lock()
		proves := delayed && looked > 0
		mu.Unlock()
		if !proves {
			t.Fatalf("the return is not delayed, or nobody looks at a record: the test proves nothing")
		}
		if found := b.runs.repeated("job"); len(found) > 0 {
			t.Errorf("run twice:%s", found[0])
		}
		b.awaitWhole(leader, second, victim)
	})
}

// TestTwiceJustBeforeItMoved: the items come to an instance just after a fire
// time, for which the one before has run them.
func TestTwiceJustBeforeItMoved(t *testing.T) {
	for _, back := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		t.Run(back.String(), func(t *testing.T) {
			afterAbsence(t, back, func(int) bool { return false })
		})
	}
}

// TestTwiceWithoutAnAnswer: the request that asks whether a fire time was run is
// lost, and the next transaction passes.
func TestTwiceWithoutAnAnswer(t *testing.T) {
	for lost := 1; lost <= 6; lost++ {
		t.Run(strconv.Itoa(lost), func(t *testing.T) {
			afterAbsence(t, 4*time.Second, func(n int) bool { return n == lost })
		})
	}
}

// TestRecordOutlivesMark: an item's running mark is removed under it, by an
// operator say. What its run and those beside it were made for is recorded all
// the same, or it would be made up for later.
func TestRecordOutlivesMark(t *testing.T) {
	both(t, func(b *bed) {
		tree := b.tree.Job("job")
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Cron: "0 0 0 1 1 ? 2099", Shards: 3}, open.body).start()
		b.awaitOwners("job", allOf(3, m)...)
		before := time.Now()
		m.order("job")
		b.await("all run", func() bool { return len(b.runs.of("job", -1)) == 3 })
		b.delete(tree.ItemRunning(1))
		close(open)
		b.awaitTidy("job")
		for item := range 3 {
			b.await("the record of item "+strconv.Itoa(item), func() bool {
				record, _ := b.get(tree.Extension() + "/fired/" + strconv.Itoa(item))
				millis, owner, _ := strings.Cut(record, " ")
				at, err := strconv.ParseInt(millis, 10, 64)
				return err == nil && at >= before.UnixMilli() && owner == m.id
			})
		}
	})
}

// TestOfferAfterFailoverWasSwitchedOff: an instance loses its session in a run
// and comes back when failover was switched off, which it cannot know. It does
// not offer what it ran: nobody would take it, and nobody tidy it up.
func TestOfferAfterFailoverWasSwitchedOff(t *testing.T) {
	bubble(t, func(b *bed, srv *zkfake.Server) {
		survivor, victim := b.crashPair()
		tree := b.tree.Job("job")
		victim.cut()
		b.configure("job", func(c *jobtree.Config) { c.Failover = false })
		b.await("the session expires", func() bool { return !b.exists(tree.Instance(victim.id)) })
		victim.mend()
		b.await("the victim is back", func() bool { return b.exists(tree.Instance(victim.id)) })
		b.awaitOwners("job", victim.id, victim.id, survivor.id, survivor.id)
		b.awaitTidy("job")
	})
}
