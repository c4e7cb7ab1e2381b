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

// sleepUntilNext sleeps until the next whole multiple of period.
func sleepUntilNext(period time.Duration) time.Time {
	at := time.Now().Truncate(period).Add(period)
	time.Sleep(time.Until(at))
	return at
}

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
