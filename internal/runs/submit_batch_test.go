package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// keyedRequests returns requests with a key each, due at once.
func keyedRequests(n int) []jobrun.Request {
	list := make([]jobrun.Request, n)
	for i := range list {
		list[i] = jobrun.Request{Key: fmt.Sprintf("key %d", i), Params: fmt.Appendf(nil, `{"n":%d}`, i)}
	}
	return list
}

// submitMany places requests and fails if any is refused.
func (b *bundle) submitMany(t *testing.T, list []jobrun.Request) []jobrun.Ticket {
	t.Helper()
	tickets, err := b.SubmitMany(t.Context(), list)
	if err != nil || len(tickets) != len(list) {
		t.Fatalf("%d tickets for %d requests, %v", len(tickets), len(list), err)
	}
	return tickets
}

// TestW07RequestsToZooKeeper counts requests: due or keyed runs are placed a hundred per
// transaction, and so are the runs of a backfill.
func TestW07RequestsToZooKeeper(t *testing.T) {
	t.Parallel()
	srv, addr := fakeServer(t)
	b := newBundle(t, addr, nil)
	b.submitMany(t, keyedRequests(500)) // creates all folders
	var all, transactions atomic.Int32
	srv.SetFault(func(r zkfake.Request) (none zkfake.Fault) {
		all.Add(1)
		if r.Op == "multi" {
			transactions.Add(1)
		}
		return none
	})
	times := make([]time.Time, 1000)
	for i := range times {
		times[i] = b.now.Add(time.Duration(i-len(times)) * time.Minute)
	}
	keyed := keyedRequests(1500)
	for _, test := range []struct {
		name               string
		place              func()
		most, transactions int32
	}{
		{"due at once", func() { b.submitMany(t, make([]jobrun.Request, 1000)) }, 400, 10},
		{"keys", func() { b.submitMany(t, keyed[500:]) }, 600, 10},
		{"first backfill", func() { // Three of the transactions create folders.
			if p, err := b.StartBackfill(t.Context(), times, jobrun.Backfill{}); err != nil || p.Total != 1000 {
				t.Errorf("%+v, %v", p, err)
			}
		}, 60, 4},
		// Ten transactions are refused, and then the keys are read.
		{"again", func() { b.submitMany(t, keyed[500:]) }, 2100, 10},
	} {
		all.Store(0)
		transactions.Store(0)
		if test.place(); all.Load() > test.most || transactions.Load() != test.transactions {
			t.Errorf("%s: %d requests, want at most %d; %d transactions, want %d", test.name, all.Load(), test.most, transactions.Load(), test.transactions)
		}
	}
}

// TestW07Order: due runs begin in the order of their requests. The first ones fill the queue, and
// none overtakes the others when the queue has room again.
func TestW07Order(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		now := b.clock()
		list := make([]jobrun.Request, 3*maxBatch)
		asked, call := newTickets(list, now), b.submission(now)
		var queued, waiting []string
		for len(waiting) < len(list) {
			n := len(waiting)
			if _, err := call.placeSome(t.Context(), list[n:], asked[n:]); err != nil {
				t.Fatal(err)
			}
			names, err := b.Children(t.Context(), b.Tree.RunsQueue())
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names { // They begin.
				if err := b.Store.Client.Delete(t.Context(), b.Tree.RunsQueued(name), zk.AnyVersion); err != nil {
					t.Fatal(err)
				}
			}
			queued = append(queued, names...)
			paths, err := b.waitingPaths(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			waiting = slices.Clone(queued)
			for _, path := range paths {
				waiting = append(waiting, path[len(parent(path))+1:])
			}
		}
		if len(queued) != maxQueue {
			t.Errorf("%d went to the queue, want %d", len(queued), maxQueue)
		}
		for i, name := range waiting {
			if want := jobtree.RunName(asked[i].Due, asked[i].ID); name != want {
				t.Fatalf("run %d is %s, want %s", i, name, want)
			}
		}
	})
}

// TestW07Keys: a key is repeated, belongs to a waiting, active or ended run, or is free again.
func TestW07Keys(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		forgotten := b.submit(t, jobrun.Request{Key: "forgotten", KeyFor: time.Minute})
		b.begin(t, forgotten.ID)
		b.finish(t, map[int]Result{0: {}, 1: {}})
		b.later(2 * time.Minute)
		ended := b.submit(t, jobrun.Request{Key: "ended"})
		b.begin(t, ended.ID)
		b.finish(t, map[int]Result{0: {}, 1: {}})
		runs := b.submit(t, jobrun.Request{Key: "runs"})
		b.begin(t, runs.ID)
		waits := b.submit(t, jobrun.Request{Key: "waits", Delay: time.Hour})
		b.later(time.Second)

		list := []jobrun.Request{{Key: "new"}, {Key: "waits"}, {Key: "runs"}, {}, {Key: "ended"}, {Key: "forgotten"}, {Key: "new"}, {Delay: time.Hour}}
		tickets := b.submitMany(t, list)
		for i, first := range map[int]jobrun.Ticket{1: waits, 2: runs, 4: ended, 6: tickets[0]} {
			if got := tickets[i]; !got.Repeated || got.ID != first.ID || !got.Due.Equal(first.Due) {
				t.Errorf("%q: %+v, want the run of %+v", list[i].Key, got, first)
			}
		}
		for _, i := range []int{0, 3, 5, 7} {
			if got := tickets[i]; got.Repeated || got.ID == forgotten.ID || b.state(t, got.ID).Ended() {
				t.Errorf("request %d: %+v", i, got)
			}
		}
		for i, again := range b.submitMany(t, list[:3]) {
			if !again.Repeated || again.ID != tickets[i].ID {
				t.Errorf("%q again: %+v, want the run of %+v", list[i].Key, again, tickets[i])
			}
		}
		if all, err := b.List(t.Context(), 1); err != nil || all.WaitingCount != 5 {
			t.Errorf("%d runs wait, want 5; %v", all.WaitingCount, err)
		}
	})
}

// TestW07KeyInUse: a key with other parameters is refused, and the error is about that request.
func TestW07KeyInUse(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.submit(t, jobrun.Request{Key: "key 130", Params: []byte(`{"other":1}`)})
		list := keyedRequests(200)
		list[120].Key = "key 50"
		for _, want := range []int{120, 130} {
			tickets, err := b.SubmitMany(t.Context(), list)
			if len(tickets) != want || !errors.Is(err, jobrun.ErrKeyInUse) || !strings.Contains(err.Error(), list[want].Key) {
				t.Errorf("%d tickets, want %d; %v", len(tickets), want, err)
			}
			if all, err := b.List(t.Context(), 1); err != nil || all.WaitingCount != 1+want {
				t.Errorf("%d runs wait, want %d; %v", all.WaitingCount, 1+want, err)
			}
			list[120].Key = "key 120"
		}
	})
}

// TestW07WrongRequest: an invalid request is refused, and the earlier ones are placed.
func TestW07WrongRequest(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		list := keyedRequests(200)
		list[150].Note = "two\nlines"
		tickets, err := b.SubmitMany(t.Context(), list)
		if len(tickets) != 150 || !errors.Is(err, jobrun.ErrOptions) {
			t.Fatalf("%d tickets, %v", len(tickets), err)
		}
		placedOnce(t, b, list, tickets)
	})
}

// TestW07TwoCallers: if two callers place the same keys at once, each run exists once and both get
// it.
func TestW07TwoCallers(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		list := keyedRequests(350)
		var tickets [2][]jobrun.Ticket
		var group sync.WaitGroup
		for i := range tickets {
			group.Go(func() {
				var err error
				if tickets[i], err = b.SubmitMany(t.Context(), list); err != nil || len(tickets[i]) != len(list) {
					t.Errorf("%d tickets, %v", len(tickets[i]), err)
				}
			})
		}
		if group.Wait(); t.Failed() {
			return
		}
		for i := range list {
			if one, other := tickets[0][i], tickets[1][i]; one.ID != other.ID || one.Repeated == other.Repeated {
				t.Errorf("request %d: %+v and %+v", i, one, other)
			}
		}
		placedOnce(t, b, list, tickets[0])
	})
}

// TestW07EachReplyLost: no matter which transaction isn't answered, each run should exist once.
func TestW07EachReplyLost(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]zkfake.Fault{"lost reply": zkfake.LoseReply, "lost request": zkfake.LoseRequest} {
		for nth := range int32(3) {
			t.Run(fmt.Sprint(name, " ", nth), func(t *testing.T) {
				t.Parallel()
				srv, addr := fakeServer(t)
				b := newBundle(t, addr, nil)
				b.submitMany(t, keyedRequests(500)) // creates all folders
				if _, err := b.CancelWaiting(t.Context(), jobrun.Waiting{Most: 500}, jobtree.RunCancel{}); err != nil {
					t.Fatal(err)
				}
				list := keyedRequests(750)[500:]
				list[3].Key, list[120].Key = "", ""
				list[220] = list[210]
				var transactions atomic.Int32
				srv.SetFault(func(r zkfake.Request) (f zkfake.Fault) {
					if r.Op == "multi" && transactions.Add(1) == nth+1 {
						f = fault
					}
					return f
				})
				tickets := b.submitMany(t, list)
				for i, ticket := range tickets {
					if ticket.Repeated != (i == 220) || i == 220 && ticket.ID != tickets[210].ID {
						t.Errorf("request %d: %+v", i, ticket)
					}
				}
				placedOnce(t, b, slices.Delete(list, 220, 221), slices.Delete(tickets, 220, 221))
				if want := map[string]int32{"lost reply": 3, "lost request": 4}[name]; transactions.Load() != want {
					t.Errorf("%d transactions, want %d", transactions.Load(), want)
				}
			})
		}
	}
}

// TestW07GivenUp: the caller of Submit gives up and still gets the run's id.
func TestW07GivenUp(t *testing.T) {
	t.Parallel()
	srv, addr := fakeServer(t)
	b := newBundle(t, addr, nil)
	b.submit(t, jobrun.Request{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op != "multi" {
			return zkfake.Fault{}
		}
		cancel()
		return zkfake.LoseReply
	})
	ticket, err := b.Submit(ctx, jobrun.Request{})
	srv.SetFault(nil)
	if err == nil {
		t.Fatalf("%+v", ticket)
	}
	run, err := b.Get(t.Context(), ticket.ID)
	for zk.Retriable(err) && b.pause(t.Context(), err) == nil {
		run, err = b.Get(t.Context(), ticket.ID)
	}
	if err != nil || run.State != jobrun.Queued {
		t.Errorf("the run is %s, %v", run.State, err)
	}
}

// TestW07NoRoomForKeys: the first key without room is refused, and the earlier ones are placed.
func TestW07NoRoomForKeys(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		list := keyedRequests(200)
		b.submit(t, list[0])
		full, want := parent(b.Tree.RunsKey(list[0].Key)), 0
		ops := []zk.Op{}
		for i := range maxKeys - 3 { // one key and two more
			ops = append(ops, zk.CreateOp(fmt.Sprintf("%s/x%04d", full, i), nil, zk.Persistent))
		}
		if err := b.Store.Client.Multi(t.Context(), ops...); err != nil {
			t.Fatal(err)
		}
		for more := -1; want < len(list); want++ {
			if parent(b.Tree.RunsKey(list[want].Key)) == full {
				more++
			}
			if more == 3 {
				break
			}
		}
		tickets, err := b.SubmitMany(t.Context(), list)
		if len(tickets) != want || !errors.Is(err, jobrun.ErrQueueFull) || err.Error() != `job "job" remembers too many keys` {
			t.Errorf("%d tickets, want %d; %v", len(tickets), want, err)
		}
	})
}

// TestW07JavaAgents: any request is refused if its shards belong to an agent without runs, not
// only the first.
func TestW07JavaAgents(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.Plant(t, `job/instances/10.0.0.9@-@4711 [E]`)
		if _, err := b.Store.Client.Set(t.Context(), b.Tree.ItemInstance(1), []byte("10.0.0.9@-@4711"), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		ours, theirs := jobrun.Request{Delay: time.Hour, Shards: []int{0}}, jobrun.Request{Delay: time.Hour, Shards: []int{1}}
		tickets, err := b.SubmitMany(t.Context(), []jobrun.Request{ours, ours, theirs, ours})
		if len(tickets) != 2 || !errors.Is(err, jobrun.ErrNotGo) {
			t.Errorf("%d tickets, %v", len(tickets), err)
		}
	})
}
