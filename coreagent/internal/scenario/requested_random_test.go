package scenario_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	zkwire "github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// randomRuns is how many histories a test run tries. RUN_SEEDS changes that number, and RUN_SEED
// selects one.
const randomRuns = 24

// TestR62RandomHistories: agents join, leave, die and lose their sessions; requests, answers and
// events are lost; and runs are requested, cancelled, retried and snoozed. Every run should end
// once with allowed executions only, and nothing should be left.
func TestR62RandomHistories(t *testing.T) {
	t.Parallel()
	first, many := uint64(time.Now().UnixNano())>>10<<10, randomRuns
	if underRace {
		many /= 4
	}
	if text := os.Getenv("RUN_SEEDS"); text != "" {
		many, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("RUN_SEED"); text != "" {
		first, _ = strconv.ParseUint(text, 10, 64)
		many = 1
	}
	for i := range many {
		seed := first + uint64(i)
		t.Run(fmt.Sprintf("RUN_SEED=%d", seed), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, srv *zkfake.Server) { newHistory(b, srv, seed).live() })
		})
	}
}

// history is a fleet, its faults, and the results of its runs.
type history struct {
	*workshop
	srv     *zkfake.Server
	random  *rand.Rand
	job     coreagent.Job
	props   map[string]string
	members []*member
	hosts   int
	retries int

	mu      sync.Mutex
	ended   map[string]int // outcomes by run, as written to the tree
	stops   int            // stopped agents, which give back their running shards
	losses  int            // ended sessions, for any reason
	lossy   bool           // requests, answers and events are lost
	due     map[string]time.Time
	wanted  map[string][]int // shards; nil means all
	byKey   map[string]string
	dropped int

	second time.Time // the second that recent counts requests for
	recent []zkfake.Request
}

// mostRequests is how many requests a fleet may send in a second of virtual time. A loop without a
// pause sends more. Time doesn't pass in it, so the test would never end.
const mostRequests = 20_000

func newHistory(b *fixture, srv *zkfake.Server, seed uint64) *history {
	h := &history{
		workshop: newWorkshop(b, nil), srv: srv, random: rand.New(rand.NewPCG(seed, 7)),
		ended: make(map[string]int), due: make(map[string]time.Time), wanted: make(map[string][]int), byKey: make(map[string]string),
	}
	b.session = 4 * time.Second
	h.retries = h.random.IntN(3)
	h.job = coreagent.Job{Name: "invoices", Shards: 1 + h.random.IntN(6), Failover: h.random.IntN(2) == 0, ReconcileInterval: time.Minute}
	h.props = map[string]string{runs.PropRetries: strconv.Itoa(h.retries), runs.PropBackoff: "500ms", runs.PropKeep: "1000"}
	if h.random.IntN(2) == 0 {
		h.props[runs.PropAssign] = string(jobrun.AssignOne)
	} else if h.random.IntN(2) == 0 {
		h.job.Schedule.Cron = "0/7 * * * * ?"
	}
	srv.SetObserver(h.observe)
	srv.SetFault(h.fault)
	srv.SetWatchFault(func(zkfake.WatchEvent) bool { return h.chance(50) })
	for range 2 + h.random.IntN(3) {
		h.join()
	}
	return h
}

func (h *history) chance(permille int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lossy && rand.IntN(1000) < permille
}

func (h *history) observe(c zkfake.Change) {
	rest, done := strings.CutPrefix(c.Path, h.workshop.job.RunsDone()+"/")
	if !done || c.Type != zkwire.NodeCreated {
		return
	}
	if _, id, ok := jobtree.ParseRunEnded(rest); ok {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ended[id]++
	}
}

func (h *history) fault(r zkfake.Request) zkfake.Fault {
	h.guard(r)
	if r.Op != "multi" {
		return zkfake.None
	}
	switch {
	case h.chance(15):
		return zkfake.LoseReply
	case h.chance(15):
		return zkfake.LoseRequest
	}
	return zkfake.None
}

// guard ends the test if the fleet keeps sending requests.
func (h *history) guard(r zkfake.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now().Truncate(time.Second); !now.Equal(h.second) {
		h.second, h.recent = now, h.recent[:0]
	}
	if h.recent = append(h.recent, r); len(h.recent) > mostRequests {
		var last strings.Builder
		for _, r := range h.recent[mostRequests-300:] {
			fmt.Fprintf(&last, "%x %s %s %s\n", r.Session, r.Op, r.Path, r.Paths)
		}
		panic("the agents make more than " + strconv.Itoa(mostRequests) + " requests in a second; the last ones:\n" + last.String())
	}
}

func (h *history) join() {
	h.hosts++
	m := h.agent(h.hosts)
	job := h.job
	job.Props = h.props
	m.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error { return h.execute(ctx, m, s) })
	m.start()
	h.members = append(h.members, m)
}

// execute works for a while, with a random result.
func (h *history) execute(ctx context.Context, m *member, s *coreagent.Shard) error {
	if m.killed() {
		return errKilled
	}
	began := h.enter(s.Item)
	err := m.work(time.Duration(rand.IntN(1500))*time.Millisecond)(ctx, s)
	if err == nil && s.Run.Requested {
		switch n := rand.IntN(20); {
		case n < 3:
			err = errPaper
		case n == 3 && s.Run.Snoozes < 3:
			err = coreagent.Snooze(time.Second)
		case n == 4:
			err = coreagent.SkipRun("nothing")
		}
	}
	h.workshop.mu.Lock()
	defer h.workshop.mu.Unlock()
	h.leave(s.Item, began)
	h.done = append(h.done, execution{requestedRun(s), s.Item, "", began, s.FencingToken, m.id, err})
	return err
}

// live disturbs the fleet for a minute, waits until everything has settled, and judges it.
func (h *history) live() {
	time.Sleep(5 * time.Second)
	first := h.submit(jobrun.Request{})
	h.await("the first run has ended", func() bool { return h.status(first).State.Ended() })
	h.setLossy(true)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		time.Sleep(time.Duration(50+h.random.IntN(500)) * time.Millisecond)
		h.happen()
	}
	h.setLossy(false)
	h.settle()
	h.judge()
}

func (h *history) setLossy(is bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lossy = is
}

// happen makes a random event happen.
func (h *history) happen() {
	alive := h.alive()
	one := alive[h.random.IntN(len(alive))]
	switch n := h.random.IntN(30); {
	case n < 18:
		h.request()
	case n < 22:
		for id := range h.due {
			h.cancel(id)
			break
		}
	case n < 24:
		h.count(&h.losses)
		one.cut()
		time.Sleep(time.Duration(500+h.random.IntN(7000)) * time.Millisecond)
		one.reconnect()
	case n == 24 && len(alive) > 1:
		h.count(&h.losses)
		one.kill()
		h.join()
	case n == 25 && len(alive) > 1:
		h.count(&h.stops)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(h.random.IntN(2000))*time.Millisecond)
		_ = one.Stop(ctx) // Ignore cancelled handlers and unreachable servers.
		cancel()
		one.killHandlers()
		h.join()
	case n == 26:
		h.srv.DropConnections()
	case n == 27 && len(h.members) < 8:
		h.join()
	}
}

func (h *history) count(n *int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*n++
}

func (h *history) alive() []*member {
	var alive []*member
	for _, m := range h.members {
		if !m.killed() {
			alive = append(alive, m)
		}
	}
	return alive
}

// request requests a run, sometimes with the same key twice.
func (h *history) request() {
	r := jobrun.Request{Delay: time.Duration(h.random.IntN(3)) * time.Second, KeyFor: time.Hour}
	if h.random.IntN(3) == 0 {
		r.Key = fmt.Sprintf("key-%d", h.random.IntN(6))
	}
	if h.props[runs.PropAssign] == "" && h.random.IntN(3) == 0 {
		r.Shards = []int{h.random.IntN(h.job.Shards)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	ticket, err := h.store.Submit(ctx, r)
	if err != nil {
		h.dropped++
		return
	}
	if known := h.byKey[r.Key]; r.Key != "" && known != "" && known != ticket.ID {
		h.Errorf("key %s names run %s, and %s before", r.Key, ticket.ID, known)
	}
	if r.Key != "" {
		h.byKey[r.Key] = ticket.ID
	}
	if !ticket.Repeated {
		h.due[ticket.ID], h.wanted[ticket.ID] = ticket.Due, r.Shards
	}
}

func (h *history) cancel(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = h.store.Cancel(ctx, id, jobtree.RunCancel{By: "root"}) // Ignore the error, because we judge by the tree.
}

// settle waits until every run has ended. The next audit makes up for lost events.
func (h *history) settle() {
	h.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		h.mu.Lock()
		open := 0
		for id := range h.due {
			if h.ended[id] == 0 {
				open++
			}
		}
		h.mu.Unlock()
		if open == 0 && len(h.children(h.workshop.job.RunsActive()))+len(h.children(h.workshop.job.RunsQueue())) == 0 {
			return
		}
	}
	h.Errorf("runs have not ended:\n%s", h.dump(h.workshop.job.Runs()))
}

// judge checks the results of each run.
func (h *history) judge() {
	if len(h.due) < 15 {
		h.Errorf("only %d runs were requested, %d requests had no answer", len(h.due), h.dropped)
	}
	h.workshop.mu.Lock()
	overlap := h.overlap
	h.workshop.mu.Unlock()
	if overlap {
		h.Error("a shard was run twice at once")
	}
	for id, due := range h.due {
		if h.ended[id] != 1 {
			h.Errorf("run %s has ended %d times", id, h.ended[id])
			continue
		}
		h.judgeRun(id, due)
	}
	h.awaitNoRuns()
}

func (h *history) judgeRun(id string, due time.Time) {
	status := h.status(id)
	byShard, good := make(map[int]int), make(map[int]bool)
	for _, e := range h.executions(id) {
		byShard[e.shard]++
		good[e.shard] = good[e.shard] || e.err == nil || strings.HasPrefix(e.err.Error(), "skipped")
		if e.began.Before(due) {
			h.Errorf("run %s began %v before its time", id, due.Sub(e.began))
		}
	}
	most := status.Attempt + status.Losses + status.Snoozes + h.stops
	for shard, n := range byShard {
		if n > most {
			h.Errorf("run %s: shard %d was executed %d times, %d may be: %+v", id, shard, n, most, status)
		}
	}
	if status.Attempt > h.retries+1 {
		h.Errorf("run %s had %d attempts", id, status.Attempt)
	}
	if status.State != jobrun.Succeeded && status.State != jobrun.Skipped {
		return
	}
	wanted := h.wanted[id]
	if wanted == nil {
		for n := range h.job.Shards {
			wanted = append(wanted, n)
		}
	}
	if h.props[runs.PropAssign] == string(jobrun.AssignOne) {
		if len(good) == 0 {
			h.Errorf("run %s is %s, and nobody executed it", id, status.State)
		}
		return
	}
	for _, n := range wanted {
		if !good[n] {
			h.Errorf("run %s is %s, and shard %d was not executed to its end", id, status.State, n)
		}
	}
}
