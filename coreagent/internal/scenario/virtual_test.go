package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// bubble runs fn in virtual time against the in-process server, over pipes:
// hours pass in moments, and no machine is too slow for a deadline.
func bubble(t *testing.T, fn func(b *bed, srv *zkfake.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond, MinSessionTimeout: 200 * time.Millisecond, MaxSessionTimeout: time.Minute})
		t.Cleanup(func() { srv.Close() })
		b := newBedOver(t, "zookeeper:2181", srv.Dial)
		b.fake = srv
		fn(b, srv)
	})
}

// host makes the agent 10.0.0.n@-@suffix.
func (b *bed) host(n int, suffix string) *member {
	b.Helper()
	return b.agent(n, func(cfg *coreagent.Config) { cfg.InstanceSuffix = suffix })
}

// session returns the number of the session of a started agent.
func (m *member) session(job string) int64 {
	m.bed.Helper()
	return m.bed.stat(m.bed.tree.Job(job).Instance(m.id)).EphemeralOwner
}

// errKilled is what a body returns when its process has been killed under it.
var errKilled = errors.New("the process was killed")

// kill is kill -9: unlike after cut, the bodies stop where they are.
func (m *member) kill() {
	m.cut()        // First: what the bodies do now must not reach the server,
	m.killBodies() // which took them for finished.
}

// killBodies is a kill that leaves it to the server to cut the connection, as
// at the reply to a request. There will be no other.
func (m *member) killBodies() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isDead {
		m.isDead, m.isCut = true, true
		close(m.dead)
	}
}

// work is a body that takes d and ends with its context or its process.
func (m *member) work(d time.Duration) func(ctx context.Context, s *coreagent.Shard) error {
	return func(ctx context.Context, _ *coreagent.Shard) error {
		select {
		case <-m.dead:
			return errKilled
		default:
		}
		done := time.NewTimer(d)
		defer done.Stop()
		select {
		case <-done.C:
			return nil
		case <-m.dead:
			return errKilled
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// sleepUntilNext sleeps until the next whole multiple of period.
func sleepUntilNext(period time.Duration) time.Time {
	at := time.Now().Truncate(period).Add(period)
	time.Sleep(time.Until(at))
	return at
}

// all returns all runs by now.
func (j *journal) all() []run {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]run, len(j.list))
	for i, r := range j.list {
		list[i] = *r
	}
	return list
}

// between returns the runs of a job that started in [from, to).
func (j *journal) between(job string, from, to time.Time) []run {
	return slices.DeleteFunc(j.of(job, -1), func(r run) bool { return r.start.Before(from) || !r.start.Before(to) })
}

// completions counts the runs of each item that were begun in [from, to) and
// ended well.
func (j *journal) completions(job string, items int, from, to time.Time) []int {
	counts := make([]int, items)
	for _, r := range j.between(job, from, to) {
		if !r.end.IsZero() && r.err == nil {
			counts[r.shard.Item]++
		}
	}
	return counts
}

// starts counts the runs of each item that were begun in [from, to).
func (j *journal) starts(job string, items int, from, to time.Time) []int {
	counts := make([]int, items)
	for _, r := range j.between(job, from, to) {
		counts[r.shard.Item]++
	}
	return counts
}

// story describes runs, for whoever reads a failure.
func story(runs []run) string {
	var s strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&s, "\n    item %d on %s %s scheduled %s: %s to %s, %v", r.shard.Item, r.agent, r.shard.Source,
			r.shard.ScheduledAt.Format(time.TimeOnly), r.start.Format("15:04:05.000"), r.end.Format("15:04:05.000"), r.err)
	}
	return s.String()
}

// runsFrom returns the runs of an item but the first n; item -1 means all. A test
// that expects more than there are fails by itself: an index out of range would end
// the tests of the whole package.
func (b *bed) runsFrom(job string, item, n int) []run {
	b.Helper()
	runs := b.runs.of(job, item)
	if len(runs) < n {
		b.Fatalf("item %d of %s has run %d times, want at least %d:%s", item, job, len(runs), n, story(runs))
	}
	return runs[n:]
}

// nthRun returns a run of an item, counted from 0.
func (b *bed) nthRun(job string, item, n int) run {
	b.Helper()
	b.runsFrom(job, item, n+1)
	return b.runs.of(job, item)[n]
}

// overlaps returns the pairs of runs of one item at the same time.
func (j *journal) overlaps(job string, items int) []string {
	var found []string
	for item := range items {
		runs := j.of(job, item)
		slices.SortFunc(runs, func(a, b run) int { return a.start.Compare(b.start) })
		for i := 1; i < len(runs); i++ {
			if runs[i-1].end.IsZero() || runs[i].start.Before(runs[i-1].end) {
				found = append(found, story(runs[i-1:i+1]))
			}
		}
	}
	return found
}

// times is n times the same number.
func times(n, value int) []int { return slices.Repeat([]int{value}, n) }

// dealt looks at a job's items between two requests: who owns which, and
// whether everybody may rely on that.
func dealt(srv *zkfake.Server, tree jobtree.Job) (owners map[int]string, reliable bool) {
	owners, reliable = make(map[int]string), true
	for _, n := range srv.Dump(tree.Root()) {
		switch rest := strings.TrimPrefix(n.Path, tree.Root()); {
		case n.Path == tree.Necessary() || n.Path == tree.Processing():
			reliable = false
		case strings.HasPrefix(rest, "/sharding/"):
			name, below, _ := strings.Cut(strings.TrimPrefix(rest, "/sharding/"), "/")
			item, err := strconv.Atoi(name)
			if err != nil {
				continue
			}
			if _, known := owners[item]; !known {
				owners[item] = ""
			}
			if below == "instance" {
				owners[item] = string(n.Data)
			}
		}
	}
	return owners, reliable
}

// watchDealing fails if at any time somebody could take half a distribution
// for the whole: an item is missing or has no owner, and no flag says so. The
// first distribution must be done. It returns a hook for the server.
func (b *bed) watchDealing(srv *zkfake.Server, job string, items int) func() {
	tree := b.tree.Job(job)
	var told atomic.Bool
	return func() {
		owners, reliable := dealt(srv, tree)
		if !reliable || told.Load() {
			return
		}
		whole := len(owners) == items
		for _, owner := range owners {
			whole = whole && owner != ""
		}
		if !whole && told.CompareAndSwap(false, true) {
			b.Errorf("%s: half a distribution is visible: %v", time.Now().Format("15:04:05.000"), owners)
		}
	}
}

// counter is a fault hook that lets something happen at the n-th request of
// one session, counted from when it is armed. Pings do not count.
type counter struct {
	mu      sync.Mutex
	writes  bool // count no reads
	session int64
	n       int
	action  func(r zkfake.Request) zkfake.Fault
	seen    []string // what was asked, in order
}

func (c *counter) arm(session int64, n int, action func(r zkfake.Request) zkfake.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.n, c.action, c.seen = session, n, action, nil
}

func isRead(op string) bool { return strings.HasPrefix(op, "get") || op == "exists" }

// disarm lets everything pass, and tells whether the action was done.
func (c *counter) disarm() (last string, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) > 0 {
		last = c.seen[len(c.seen)-1]
	}
	done = c.action == nil
	c.action = nil
	return last, done
}

func (c *counter) hook(r zkfake.Request) zkfake.Fault {
	c.mu.Lock()
	if c.action == nil || r.Session != c.session || slices.Contains([]string{"ping", "connect"}, r.Op) || c.writes && isRead(r.Op) {
		c.mu.Unlock()
		return zkfake.None
	}
	c.seen = append(c.seen, r.Op+" "+r.Path)
	var action func(r zkfake.Request) zkfake.Fault
	if len(c.seen) == c.n {
		action, c.action = c.action, nil
	}
	c.mu.Unlock()
	if action == nil {
		return zkfake.None
	}
	return action(r)
}

// killed reports whether the process was.
func (m *member) killed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isDead
}

// childrenOf lists a node's children, sorted.
func childrenOf(srv *zkfake.Server, path string) []string {
	var names []string
	for _, n := range srv.Dump(path) {
		if name, below := strings.CutPrefix(n.Path, path+"/"); below && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}
