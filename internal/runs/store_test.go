package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

const patience = waittest.Patience

// bundle is a job with one of our agents, and a clock that the test sets.
type bundle struct {
	*treetest.Bundle
	Store

	mu  sync.Mutex
	now time.Time
}

func (b *bundle) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bundle) later(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func newBundle(t *testing.T, addr string, props map[string]string) *bundle {
	t.Helper()
	b := &bundle{Bundle: treetest.New(t, addr), now: time.Now().Truncate(time.Millisecond)}
	config := jobconfig.New("job", 2)
	config.Props = props
	data, err := config.Encode()
	if err != nil {
		t.Fatal(err)
	}
	b.Plant(t, fmt.Sprintf(`
		job/config = %q
		job/instances/10.0.0.1@-@7 [E]
		job/extension/agents/10.0.0.1@-@7 [E] = go runs=1
		job/sharding/0/instance = 10.0.0.1@-@7
		job/sharding/1/instance = 10.0.0.1@-@7`, data))
	b.Store = Store{Client: b.Bundle.Client, Tree: b.NS.Job("job"), Now: b.clock}
	return b
}

func eachServer(t *testing.T, fn func(t *testing.T, b *bundle)) {
	t.Helper()
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		t.Parallel()
		fn(t, newBundle(t, srv.Addr, nil))
	})
}

func (b *bundle) submit(t *testing.T, r jobrun.Request) jobrun.Ticket {
	t.Helper()
	ticket, err := b.Submit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func (b *bundle) state(t *testing.T, id string) jobrun.State {
	t.Helper()
	status, err := b.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return status.State
}

// begin begins a queued request's run, like a steward and an agent.
func (b *bundle) begin(t *testing.T, id string) {
	t.Helper()
	status, err := b.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	record := Claim(*Open(*status.request, 2, nil, "a", b.clock()).Record, []int{0, 1}, jobtree.RunClaim{Instance: "a", Session: "1", Nonce: "n"})
	ops, err := b.Begin(b.Tree.RunsActiveAll(), record)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Store.Client.Multi(t.Context(), append(ops, zk.DeleteOp(status.path, status.version))...); err != nil {
		t.Fatal(err)
	}
}

// finish ends the active run.
func (b *bundle) finish(t *testing.T, results map[int]Result) {
	t.Helper()
	active, err := b.Active(t.Context())
	if err != nil || len(active) != 1 {
		t.Fatalf("%d runs are active, %v", len(active), err)
	}
	ops, err := b.Write(active[0].path, active[0].version, End(*active[0].record, "n", results, b.clock()))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Commit(t.Context(), ops...); err != nil {
		t.Fatal(err)
	}
}

// TestSnoozedForMilliseconds: a shard snoozed for three milliseconds waits for its time, because
// queued runs begin at once (fleet 685000675).
func TestSnoozedForMilliseconds(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		ticket := b.submit(t, jobrun.Request{})
		b.begin(t, ticket.ID)
		b.finish(t, map[int]Result{0: {Snooze: 3 * time.Millisecond}, 1: {}})
		queued, _, err := b.Store.Client.Children(t.Context(), b.Tree.RunsQueue())
		if err != nil || len(queued) > 0 {
			t.Errorf("queued before its time: %q, %v", queued, err)
		}
	})
}

// TestT1T2T3T4T7Waiting: a request waits for its time or can begin, and can be started at once or
// cancelled.
func TestT1T2T3T4T7Waiting(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		ctx := t.Context()
		now := b.submit(t, jobrun.Request{Params: json.RawMessage(`{"a":1}`), Note: "now"})
		later := b.submit(t, jobrun.Request{Delay: time.Hour, Note: "later"})
		if b.state(t, now.ID) != jobrun.Queued || b.state(t, later.ID) != jobrun.Scheduled || later.Due.Sub(now.Due) != time.Hour {
			t.Errorf("%+v, %+v", now, later)
		}
		list, err := b.List(ctx, 10)
		if err != nil || len(list.Waiting) != 2 || list.WaitingCount != 2 || list.Waiting[0].Note != "now" || string(list.Waiting[0].Params) != `{"a":1}` {
			t.Errorf("%+v, %v", list, err)
		}
		if err := b.Start(ctx, later.ID); err != nil || b.state(t, later.ID) != jobrun.Queued {
			t.Errorf("started: %v", err)
		}
		if err := b.Start(ctx, later.ID); !errors.Is(err, jobrun.ErrNotScheduled) {
			t.Errorf("started again: %v", err)
		}
		state, err := b.Cancel(ctx, later.ID, jobtree.RunCancel{By: "root", Reason: "why"})
		if err != nil || state != jobrun.Cancelled {
			t.Errorf("%s, %v", state, err)
		}
		if state, err := b.Cancel(ctx, later.ID, jobtree.RunCancel{By: "root"}); state != jobrun.Cancelled || !errors.Is(err, jobrun.ErrRunEnded) ||
			err.Error() != `run `+later.ID+` of job "job" has ended already: cancelled` {
			t.Errorf("%s, %v", state, err)
		}
		if _, err := b.Get(ctx, "nobody's"); !errors.Is(err, jobrun.ErrUnknownRun) {
			t.Error(err)
		}
		b.begin(t, now.ID)
		if state, err := b.Cancel(ctx, now.ID, jobtree.RunCancel{By: "root"}); state != jobrun.Running || err != nil {
			t.Errorf("%s, %v", state, err)
		}
		b.finish(t, map[int]Result{0: {Err: "x", Cut: true}, 1: {}})
		if got, err := new(Awaiter).Await(ctx, b.Store, now.ID, false); err != nil || got.State != jobrun.Cancelled || got.Reason != "cancelled by root" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestW05AwaitWithoutAgents: waiters of two runs learn that one ended, and that the job was
// removed.
func TestW05AwaitWithoutAgents(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		awaiter := new(Awaiter)
		await := func(id string, placed bool) <-chan error {
			over := make(chan error, 1)
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				status, err := awaiter.Await(ctx, b.Store, id, placed)
				if err == nil && status.State != jobrun.Succeeded {
					err = fmt.Errorf("it is %s", status.State)
				}
				over <- err
			}()
			return over
		}
		ends, stays := b.submit(t, jobrun.Request{}), b.submit(t, jobrun.Request{Delay: time.Hour})
		ended, removed := await(ends.ID, false), await(stays.ID, true)
		b.begin(t, ends.ID)
		b.finish(t, map[int]Result{0: {}, 1: {}})
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := b.Bundle.Client.DeleteAll(t.Context(), b.Tree.Root()); err != nil {
			t.Fatal(err)
		}
		if err := <-removed; !errors.Is(err, jobrun.ErrNoSuchJob) {
			t.Error(err)
		}
	})
}

// TestR41KeyUsedAgain: until ten minutes after a run's end, a request with its key returns the same
// run, and is refused if the parameters differ.
func TestR41KeyUsedAgain(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		r := jobrun.Request{Key: "invoices 2026-10 ✓", Params: json.RawMessage(`{"a":1}`)}
		first := b.submit(t, r)
		same := func(when string) {
			t.Helper()
			if again := b.submit(t, r); again.ID != first.ID || !again.Repeated {
				t.Errorf("%s: %+v", when, again)
			}
		}
		same("while it waits")
		b.begin(t, first.ID)
		same("while it runs")
		other := r
		other.Params = json.RawMessage(`{"a":2}`)
		if _, err := b.Submit(t.Context(), other); !errors.Is(err, jobrun.ErrKeyInUse) || !strings.Contains(err.Error(), first.ID) {
			t.Error(err)
		}
		b.finish(t, map[int]Result{0: {}, 1: {}})
		b.later(5 * time.Minute)
		same("five minutes after its end")
		b.later(6 * time.Minute)
		if again := b.submit(t, r); again.ID == first.ID || again.Repeated {
			t.Errorf("eleven minutes after its end: %+v", again)
		}
		short := b.submit(t, jobrun.Request{Key: "short", KeyFor: -1})
		if _, err := b.Cancel(t.Context(), short.ID, jobtree.RunCancel{By: "root"}); err != nil {
			t.Fatal(err)
		}
		if again := b.submit(t, jobrun.Request{Key: "short"}); again.ID == short.ID {
			t.Error("a key that is remembered until the end only names its run afterwards")
		}
	})
}

// TestW60SameParametersWrittenDifferently: blanks, key order and escapes don't make parameters
// different, whether the run waits, runs or has ended, alone or in a batch.
func TestW60SameParametersWrittenDifferently(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		first := b.submit(t, jobrun.Request{Key: "k", Params: json.RawMessage(`{ "b": "<é>", "a": 1 }`)})
		same := func(when string) {
			t.Helper()
			for _, params := range []string{`{ "b": "<é>", "a": 1 }`, `{"a":1,"b":"<é>"}`, "{\n\"b\":\"\\u003c\\u00e9>\",\"a\":1}"} {
				r := jobrun.Request{Key: "k", Params: json.RawMessage(params)}
				if again, err := b.Submit(t.Context(), r); err != nil || again.ID != first.ID {
					t.Errorf("%s, %s: %+v, %v", when, params, again, err)
				}
				if again, err := b.SubmitMany(t.Context(), []jobrun.Request{r, r}); err != nil || again[1].ID != first.ID {
					t.Errorf("%s, %s, twice: %+v, %v", when, params, again, err)
				}
			}
		}
		same("while it waits")
		b.begin(t, first.ID)
		same("while it runs")
		b.finish(t, map[int]Result{0: {}, 1: {}})
		same("after its end")
	})
}

// TestR58OneKeyTwentyClients: one client should create the run, and nineteen should get the same.
func TestR58OneKeyTwentyClients(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		tickets := make([]jobrun.Ticket, 20)
		var group sync.WaitGroup
		for i := range tickets {
			group.Go(func() {
				var err error
				if tickets[i], err = b.Submit(t.Context(), jobrun.Request{Key: "k"}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		repeated := 0
		for _, one := range tickets {
			if one.Repeated {
				repeated++
			}
			if one.ID != tickets[0].ID {
				t.Errorf("%s and %s", one.ID, tickets[0].ID)
			}
		}
		if list, err := b.List(t.Context(), 10); err != nil || list.WaitingCount != 1 || repeated != 19 {
			t.Errorf("%d wait, %d repeat it, %v", list.WaitingCount, repeated, err)
		}
	})
}

// TestRemovedKey: a run can end without its key.
func TestRemovedKey(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		ticket := b.submit(t, jobrun.Request{Key: "k"})
		b.begin(t, ticket.ID)
		if err := b.Store.Client.Delete(t.Context(), b.Tree.RunsKey("k"), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		b.finish(t, map[int]Result{0: {}, 1: {}})
		if got := b.state(t, ticket.ID); got != jobrun.Succeeded {
			t.Errorf("it is %s", got)
		}
	})
}

// TestW89FolderThatWasRemoved: a request is placed although a required node was deleted by hand.
func TestW89FolderThatWasRemoved(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		if _, err := b.Submit(t.Context(), jobrun.Request{}); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{b.Tree.RunsSignal(), b.Tree.RunsQueue(), b.Tree.RunsKeys(), b.Tree.RunsDue()} {
			if err := b.Store.Client.DeleteAll(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			for _, r := range []jobrun.Request{{Key: path}, {Delay: time.Hour}} {
				if _, err := b.Submit(ctx, r); err != nil {
					t.Errorf("without %s: %v", path, err)
				}
			}
			cancel()
		}
	})
}

// TestOptionsRefused checks the text of each refusal.
func TestOptionsRefused(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for want, r := range map[string]jobrun.Request{
			"Delay and NotBefore exclude each other":                            {Delay: time.Second, NotBefore: b.now.Add(time.Hour)},
			"NotBefore: 2037-01-01T00:00:00Z is more than 365 days ahead":       {NotBefore: time.Date(2037, 1, 1, 0, 0, 0, 0, time.UTC)},
			"Delay: -5s is negative":                                            {Delay: -5 * time.Second},
			"Delay: 9000h0m0s is more than 365 days":                            {Delay: 9000 * time.Hour},
			"Shards: 7 is not one of 0 to 1":                                    {Shards: []int{7}},
			"Shards: -1 is not one of 0 to 1":                                   {Shards: []int{-1}},
			"Key: 214 characters; at most 200":                                  {Key: strings.Repeat("ä", 214)},
			"KeyFor: 25h0m0s is not allowed; want at most 24h0m0s":              {Key: "k", KeyFor: 25 * time.Hour},
			"Note: 201 characters; at most 200":                                 {Note: strings.Repeat("x", 201)},
			"Note: want one line of text":                                       {Note: "a\nb"},
			`Overlap: "never" is not allowed; want queue, one, skip or cancel`:  {Overlap: "never"},
			"Expiry: 1ms is not allowed; want 1s to 8760h0m0s, or -1 for never": {Expiry: time.Millisecond},
		} {
			if _, err := b.Submit(t.Context(), r); err == nil || err.Error() != want || !errors.Is(err, jobrun.ErrOptions) {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if list, err := b.List(t.Context(), 10); err != nil || list.WaitingCount != 0 {
			t.Errorf("%d wait, %v", list.WaitingCount, err)
		}
		if _, err := (Store{Client: b.Store.Client, Tree: b.NS.Job("nobody"), Now: b.clock}).Submit(t.Context(), jobrun.Request{}); !errors.Is(err, jobrun.ErrNoSuchJob) {
			t.Errorf("a job that is not there: %v", err)
		}
		b.Plant(t, "job/extension/runs = 2")
		if _, err := b.Submit(t.Context(), jobrun.Request{}); !errors.Is(err, jobrun.ErrFormat) {
			t.Errorf("runs of another format: %v", err)
		}
	})
}

// TestR43NoRoom: the 751st request of a bucket, the 17th large one and the 751st key don't fit.
func TestR43NoRoom(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.submit(t, jobrun.Request{Delay: time.Hour})
		fill := func(folder string, n int) {
			t.Helper()
			ops := []zk.Op{}
			if _, exists, err := b.Store.Client.Exists(t.Context(), folder); err != nil {
				t.Fatal(err)
			} else if !exists {
				ops = append(ops, zk.CreateOp(folder, nil, zk.Persistent))
			}
			for i := range n {
				ops = append(ops, zk.CreateOp(fmt.Sprintf("%s/x%04d", folder, i), nil, zk.Persistent))
			}
			if err := b.Store.Client.Multi(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
		}
		for bucket := range jobtree.RunBuckets {
			fill(b.Tree.RunsBucket(bucket), map[bool]int{true: maxBucket, false: maxLarge}[bucket < jobtree.RunBuckets/2])
		}
		for want, r := range map[string]jobrun.Request{
			`job "job" has no room for another waiting run; about 10000 wait`:               {Delay: time.Hour},
			`job "job" has no room for another run with more than 4096 bytes of parameters`: {Delay: time.Hour, Params: json.RawMessage(`{"a":"` + strings.Repeat("x", 5000) + `"}`)},
		} {
			if _, err := b.Submit(t.Context(), r); err == nil || err.Error() != want || !errors.Is(err, jobrun.ErrQueueFull) {
				t.Errorf("%v, want %s", err, want)
			}
		}
		fill(parent(b.Tree.RunsKey("k")), maxKeys)
		if _, err := b.Submit(t.Context(), jobrun.Request{Key: "k"}); err == nil || err.Error() != `job "job" remembers too many keys` || !errors.Is(err, jobrun.ErrQueueFull) {
			t.Errorf("%v", err)
		}
	})
}

// TestR47R49JavaAgents: a shard belongs to a Java agent, or to our agent from before runs.
func TestR47R49JavaAgents(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.Plant(t, `
			job/instances/10.0.0.9@-@4711 [E]
			job/instances/10.0.0.8@-@1 [E]
			job/extension/agents/10.0.0.8@-@1 [E] = go`)
		if _, err := b.Store.Client.Set(t.Context(), b.Tree.ItemInstance(1), []byte("10.0.0.9@-@4711"), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		_, err := b.Submit(t.Context(), jobrun.Request{})
		if err == nil || err.Error() != "shards 1 belong to agents that don't support parameters: 10.0.0.9@-@4711" || !errors.Is(err, jobrun.ErrNotGo) {
			t.Error(err)
		}
		b.submit(t, jobrun.Request{Shards: []int{0}})
		if _, err := b.Store.Client.Set(t.Context(), b.Tree.ItemInstance(0), []byte("10.0.0.8@-@1"), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Submit(t.Context(), jobrun.Request{Shards: []int{0}}); !errors.Is(err, jobrun.ErrNotGo) {
			t.Errorf("an agent from before: %v", err)
		}
		_, err = b.Submit(t.Context(), jobrun.Request{Params: json.RawMessage(`{"a":"` + strings.Repeat("x", 9000) + `"}`), Shards: []int{0}})
		if err == nil {
			t.Error("9,000 bytes are accepted although a Java agent serves the job")
		}
	})
}

// TestW96OwnerThatHasLeft: if a shard's owner has left or its agent restarts, it isn't a Java
// agent.
func TestW96OwnerThatHasLeft(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.Plant(t, `job/instances/10.0.0.9@-@4711 [E]`)
		for owner, want := range map[string]error{"10.0.0.8@-@1": nil, "10.0.0.9@-@4711": jobrun.ErrNotGo} {
			if _, err := b.Store.Client.Set(t.Context(), b.Tree.ItemInstance(0), []byte(owner), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Submit(t.Context(), jobrun.Request{Shards: []int{0}}); !errors.Is(err, want) {
				t.Errorf("a shard of %s: %v, want %v", owner, err, want)
			}
		}
	})
}

// TestR60Unavailable: without ZooKeeper a call should fail in time and leave nothing half done.
func TestR60Unavailable(t *testing.T) {
	t.Parallel()
	srv := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := newBundle(t, addr.String(), nil)
	id := b.submit(t, jobrun.Request{}).ID
	srv.Stop()
	for name, call := range map[string]func(ctx context.Context) error{
		"submit":  func(ctx context.Context) error { _, err := b.Submit(ctx, jobrun.Request{}); return err },
		"cancel":  func(ctx context.Context) error { _, err := b.Cancel(ctx, id, jobtree.RunCancel{}); return err },
		"start":   func(ctx context.Context) error { return b.Start(ctx, id) },
		"list":    func(ctx context.Context) error { _, err := b.List(ctx, 1); return err },
		"hold":    func(ctx context.Context) error { return b.Hold(ctx, jobtree.Hold{What: jobrun.HeldAll}) },
		"release": b.Release,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		err := call(ctx)
		cancel()
		if err == nil || !zk.Retriable(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := srv.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := b.Store.Client.AwaitConnected(ctx); err != nil {
		t.Fatal(err)
	}
	if list, err := b.List(ctx, 10); err != nil || list.WaitingCount != 1 {
		t.Errorf("%d wait, %v", list.WaitingCount, err)
	}
}

// TestR22AnswersOfTheStoreLost: an unanswered request is placed once, and an unanswered cancel is a
// cancel.
func TestR22AnswersOfTheStoreLost(t *testing.T) {
	t.Parallel()
	srv := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := newBundle(t, addr.String(), nil)
	b.submit(t, jobrun.Request{})
	lose := func() {
		var once sync.Once
		srv.SetFault(func(r zkfake.Request) (fault zkfake.Fault) {
			if r.Op == "multi" {
				once.Do(func() { fault = zkfake.LoseReply })
			}
			return fault
		})
	}
	lose()
	plain := b.submit(t, jobrun.Request{})
	lose()
	keyed := b.submit(t, jobrun.Request{Key: "k"})
	if keyed.Repeated {
		t.Errorf("%+v", keyed)
	}
	lose()
	if state, err := b.Cancel(t.Context(), plain.ID, jobtree.RunCancel{By: "root"}); err != nil || state != jobrun.Cancelled {
		t.Errorf("%s, %v", state, err)
	}
	if list, err := b.List(t.Context(), 10); err != nil || list.WaitingCount != 2 || list.EndedCount != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestR68TwoPeople: if two people hold, release, cancel or start the same, one should win.
func TestR68TwoPeople(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		id := b.submit(t, jobrun.Request{Delay: time.Hour}).ID
		waits := b.submit(t, jobrun.Request{Delay: time.Hour}).ID
		for name, call := range map[string]func() error{
			"start":  func() error { return b.Start(t.Context(), id) },
			"cancel": func() error { _, err := b.Cancel(t.Context(), waits, jobtree.RunCancel{By: "root"}); return err },
			"hold":   func() error { return b.Hold(t.Context(), jobtree.Hold{What: jobrun.HeldAll, By: "root"}) },
		} {
			errs := make([]error, 2)
			var group sync.WaitGroup
			for i := range errs {
				group.Go(func() { errs[i] = call() })
			}
			group.Wait()
			lost := 0
			for _, err := range errs {
				if errors.Is(err, jobrun.ErrRunEnded) || errors.Is(err, jobrun.ErrNotScheduled) || errors.Is(err, jobrun.ErrHeld) {
					lost++
				} else if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if lost != 1 && name != "cancel" || lost > 1 {
				t.Errorf("%s: %d of two were refused", name, lost)
			}
		}
	})
}

// TestStrangersNodes: foreign nodes among the runs should be ignored and do no harm.
func TestStrangersNodes(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		id := b.submit(t, jobrun.Request{}).ID
		b.Plant(t, `
			job/extension/runs/queue/x = y
			job/extension/runs/queue/5-1795338000000-zz = {
			job/extension/runs/active/all = {"v":9}
			job/extension/runs/active/5 = {"v":1,"id":"x"}
			job/extension/runs/active/7x = y
			job/extension/runs/done/y = y
			job/extension/runs/due/77/5-1795338000000-zz = y`)
		list, err := b.List(t.Context(), 10)
		if err != nil || len(list.Waiting) != 1 || len(list.Active) > 0 || len(list.Ended) > 0 {
			t.Errorf("%+v, %v", list, err)
		}
		if b.state(t, id) != jobrun.Queued {
			t.Error("the run is not found")
		}
	})
}
