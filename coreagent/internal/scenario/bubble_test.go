package scenario_test

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// lasts is the longest session timeout in a bubble. A client pings three times per timeout, and
// over days of virtual time that's nearly all of the work.
const lasts = 4 * time.Minute

// bubble runs fn in virtual time with the in-process server over pipes. Hours pass in moments, and
// a slow machine can't miss a deadline.
func bubble(t *testing.T, fn func(b *fixture, srv *zkfake.Server)) {
	t.Helper()
	bubbleFrom(t, time.Time{}, fn)
}

// bubbleFrom is like bubble, but the clock begins at a given time.
func bubbleFrom(t *testing.T, begin time.Time, fn func(b *fixture, srv *zkfake.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(begin))
		srv := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond, MinSessionTimeout: 200 * time.Millisecond, MaxSessionTimeout: lasts})
		t.Cleanup(func() { srv.Close() })
		b := newFixtureOver(t, "zookeeper:2181", srv.Dial)
		b.fake = srv
		fn(b, srv)
	})
}

// sleepUntilNext sleeps until the next whole multiple of period.
func sleepUntilNext(period time.Duration) time.Time {
	at := time.Now().Truncate(period).Add(period)
	time.Sleep(time.Until(at))
	return at
}

// assigned returns the owners of a job's shards, and whether agents may rely on them. It looks at
// the tree between two requests.
func assigned(srv *zkfake.Server, tree jobtree.Job) (owners map[int]string, reliable bool) {
	owners, reliable = make(map[int]string), true
	for _, n := range srv.Dump(tree.Root()) {
		switch rest := strings.TrimPrefix(n.Path, tree.Root()); {
		case n.Path == tree.Necessary() || n.Path == tree.Processing():
			reliable = false
		case strings.HasPrefix(rest, "/sharding/"):
			name, below, _ := strings.Cut(strings.TrimPrefix(rest, "/sharding/"), "/")
			shard, err := strconv.Atoi(name)
			if err != nil {
				continue
			}
			if _, known := owners[shard]; !known {
				owners[shard] = ""
			}
			if below == "instance" {
				owners[shard] = string(n.Data)
			}
		}
	}
	return owners, reliable
}

// watchAssignment fails the test if agents can mistake half an assignment for a complete one at any
// time, because a shard is missing or has no owner and no flag is set. The first assignment must be
// complete. It returns a hook for the server.
func (b *fixture) watchAssignment(srv *zkfake.Server, job string, shards int) func() {
	tree := b.tree.Job(job)
	var reported atomic.Bool
	return func() {
		owners, reliable := assigned(srv, tree)
		if !reliable || reported.Load() {
			return
		}
		whole := len(owners) == shards
		for _, owner := range owners {
			whole = whole && owner != ""
		}
		if !whole && reported.CompareAndSwap(false, true) {
			b.Errorf("%s: half an assignment is visible: %v", time.Now().Format("15:04:05.000"), owners)
		}
	}
}

// counter is a fault hook that triggers an action at the n-th request of a session, counted from
// when it was armed. Pings don't count.
type counter struct {
	mu      sync.Mutex
	writes  bool // count only writes
	session int64
	n       int
	action  func(r zkfake.Request) zkfake.Fault
	seen    []string // the requests in order
}

func (c *counter) arm(session int64, n int, action func(r zkfake.Request) zkfake.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.n, c.action, c.seen = session, n, action, nil
}

func isRead(op string) bool { return strings.HasPrefix(op, "get") || op == "exists" }

// disarm lets all requests pass, and reports whether the action has happened.
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

func childrenOf(srv *zkfake.Server, path string) []string {
	var names []string
	for _, n := range srv.Dump(path) {
		if name, below := strings.CutPrefix(n.Path, path+"/"); below && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}
