package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// How long a handler of the crash tests takes, and when it begins.
const (
	crashHandler = 5 * time.Second
	crashPeriod  = time.Minute
)

// crashPoint is a moment of one run at which a process is killed, either at a time after the fire
// time or with a request of the run. The victim owns shards. If taker is set, the victim dies in
// the middle of its run, and the crash point applies to the agent that takes over its shards.
type crashPoint struct {
	name    string
	after   time.Duration // after the fire time, for kills by time
	request string        // a result of requestKind, or handler
	fault   zkfake.Fault
	taker   bool
	// finished is set if the shards were completed and the tree shows it.
	finished bool
}

var crashPoints = []crashPoint{
	{name: "idle before the fire", after: -100 * time.Millisecond},
	{name: "request that marks lost", request: "mark", fault: zkfake.LoseRequest},
	{name: "reply that it is marked lost", request: "mark", fault: zkfake.LoseReply},
	{name: "handlers have begun", after: time.Millisecond},
	{name: "in the middle of the handlers", after: crashHandler / 2},
	{name: "before the handlers end", after: crashHandler - time.Millisecond},
	{name: "request that clears lost", request: "clear", fault: zkfake.LoseRequest},
	{name: "reply that it is cleared lost", request: "clear", fault: zkfake.LoseReply, finished: true},
	{name: "idle after the run", after: crashHandler + 100*time.Millisecond, finished: true},
	{name: "taker's claim lost", request: "claim", fault: zkfake.LoseRequest, taker: true},
	{name: "reply to the taker's claim lost", request: "claim", fault: zkfake.LoseReply, taker: true},
	{name: "taker's marker lost", request: "mark taken", fault: zkfake.LoseRequest, taker: true},
	{name: "reply to the taker's marker lost", request: "mark taken", fault: zkfake.LoseReply, taker: true},
	{name: "in the middle of the taker's handler", request: "handler", taker: true},
	{name: "taker's clearing lost", request: "clear taken", fault: zkfake.LoseRequest, taker: true},
	{name: "reply to the taker's clearing lost", request: "clear taken", fault: zkfake.LoseReply, taker: true},
}

// crashFleet serves one job and kills its processes at crash points.
type crashFleet struct {
	*fixture
	job     coreagent.Job
	members []*member
	hosts   int

	mu       sync.Mutex
	sessions map[int64]*member
	trap     func(m *member, kind string) (zkfake.Fault, bool) // kills the sender if it returns true
	sprung   bool
}

func newCrashFleet(b *fixture, srv *zkfake.Server, n int, failover bool) *crashFleet {
	f := &crashFleet{fixture: b, sessions: make(map[int64]*member),
		job: coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?", Zone: "GMT"}, Shards: 2 * n, Failover: failover}}
	srv.SetFault(f.hook)
	for range n {
		f.join()
	}
	b.await("all agents own two shards each", func() bool {
		owners := slices.Sorted(slices.Values(b.owners("job")))
		return len(slices.Compact(owners)) == n && owners[0] != "" && len(b.leftovers("job")) == 0
	})
	return f
}

// join starts another process on a new host.
func (f *crashFleet) join() {
	f.hosts++
	m := f.agent(f.hosts)
	m.serve(f.job, m.work(crashHandler)).start()
	session := m.session("job")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = append(f.members, m)
	f.sessions[session] = m
}

// requestKind names the requests of a run by their nodes.
func requestKind(r zkfake.Request) string {
	runs := slices.ContainsFunc(r.Paths, func(path string) bool { return strings.HasSuffix(path, "/running") })
	switch {
	case len(r.Paths) < 2:
	case strings.HasSuffix(r.Paths[1], "/failovering") && strings.HasSuffix(r.Paths[0], "/failover"):
		return "claim"
	case strings.HasSuffix(r.Paths[0], "/running") && strings.HasSuffix(r.Paths[1], "/failover"):
		return "clear taken"
	case strings.HasSuffix(r.Paths[0], "/running"):
		return "clear"
	case strings.HasSuffix(r.Paths[0], "/failover") && runs:
		return "mark taken"
	case strings.HasSuffix(r.Paths[0], "/instance") && runs:
		return "mark"
	}
	return ""
}

func (f *crashFleet) hook(r zkfake.Request) zkfake.Fault {
	kind := requestKind(r)
	f.mu.Lock()
	m, trap := f.sessions[r.Session], f.trap
	if kind == "" || m == nil || trap == nil || f.sprung {
		f.mu.Unlock()
		return zkfake.None
	}
	fault, kill := trap(m, kind)
	f.sprung = kill
	f.mu.Unlock()
	if !kill {
		return zkfake.None
	}
	m.killHandlers() // The server cuts the connection at the right moment, so no later request gets through.
	return fault
}

func (f *crashFleet) setTrap(trap func(m *member, kind string) (zkfake.Fault, bool)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trap = trap
}

func (f *crashFleet) isSprung() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sprung
}

// crash kills victim, or the taker of its shards, at p in the run of at. For each of them it starts
// a new process three seconds later.
func (f *crashFleet) crash(p crashPoint, victim *member, at time.Time) {
	switch {
	case p.taker:
		time.Sleep(time.Until(at.Add(time.Second)))
		if p.request != "handler" {
			f.setTrap(func(m *member, kind string) (zkfake.Fault, bool) { return p.fault, m != victim && kind == p.request })
		}
		victim.kill()
		time.Sleep(3 * time.Second)
		f.join()
		var taker *member
		f.await("somebody takes the shards over", func() bool {
			for _, r := range f.runs.of("job", -1) {
				if r.shard.Source == tracing.SourceFailover && p.request == "handler" && taker == nil {
					taker = f.byID(r.agent)
					time.Sleep(crashHandler / 2)
					taker.kill()
				}
			}
			return f.isSprung() || taker != nil
		})
	case p.request != "":
		f.setTrap(func(m *member, kind string) (zkfake.Fault, bool) { return p.fault, m == victim && kind == p.request })
		time.Sleep(time.Until(at))
		f.await("the victim died", f.isSprung)
	default:
		time.Sleep(time.Until(at.Add(p.after)))
		victim.kill()
	}
	time.Sleep(3 * time.Second)
	f.join()
}

func (f *crashFleet) byID(id string) *member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.members[slices.IndexFunc(f.members, func(m *member) bool { return m.id == id })]
}

// TestMS13MS14KilledAtEachStep: a process is killed at each step of one run. With failover, each
// shard of that fire time should be completed before the next one in at most three attempts. If the
// tree already showed it as completed, it shouldn't run again. Without failover, the next fire time
// should run normally.
func TestMS13MS14KilledAtEachStep(t *testing.T) {
	for _, failover := range []bool{true, false} {
		for _, n := range []int{2, 3, 5} {
			for i, p := range crashPoints {
				if p.taker && !failover {
					continue
				}
				// The first one is the leader; it's the victim every other time.
				victim := (i + n) % 2 * (n - 1)
				t.Run(fmt.Sprintf("failover %v/%d instances/%s", failover, n, p.name), func(t *testing.T) {
					bubble(t, func(b *fixture, srv *zkfake.Server) { killedAt(newCrashFleet(b, srv, n, failover), p, victim) })
				})
			}
		}
	}
}

func killedAt(f *crashFleet, p crashPoint, victim int) {
	at := time.Now().Truncate(crashPeriod).Add(crashPeriod)
	time.Sleep(time.Until(at.Add(-time.Second)))
	f.crash(p, f.members[victim], at)
	time.Sleep(time.Until(at.Add(3*crashPeriod - time.Second)))
	shards := f.job.Shards
	fires := func(k int) (from, to time.Time) {
		from = at.Add(time.Duration(k) * crashPeriod)
		return from, from.Add(crashPeriod)
	}
	from, to := fires(0)
	done, begun := f.runs.completions("job", shards, from, to), f.runs.starts("job", shards, from, to)
	for shard := range shards {
		if f.job.Failover && done[shard] == 0 {
			f.Errorf("shard %d was not completed", shard)
		}
		if p.finished && begun[shard] != 1 {
			f.Errorf("shard %d was completed and ran %d times", shard, begun[shard])
		}
		if begun[shard] > 3 {
			f.Errorf("shard %d was tried %d times", shard, begun[shard])
		}
	}
	for k := 1; k < 3; k++ {
		from, to := fires(k)
		if got := f.runs.completions("job", shards, from, to); !slices.Equal(got, times(shards, 1)) {
			f.Errorf("fire %d after: completed %v", k, got)
		}
	}
	if found := f.runs.overlaps("job", shards); len(found) > 0 {
		f.Errorf("overlaps: %s", found)
	}
	if found := f.leftovers("job"); len(found) > 0 {
		f.Errorf("stale: %q", found)
	}
	if f.Failed() {
		f.Logf("runs since the fire:%s", story(f.runs.between("job", at.Add(-time.Second), to.Add(time.Hour))))
	}
}
