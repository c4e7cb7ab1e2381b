//go:build interop

package interop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// fleet is the agents that serve one job in a test, and what they report.
type fleet struct {
	t         *testing.T
	version   string
	addr      string
	namespace string
	tree      jobtree.Namespace
	job       jobtree.Job
	client    *zk.Client
	common    []string // arguments of every agent

	mu        sync.Mutex
	changed   chan struct{} // closed at each change
	processes []*process
	lines     []reported
	runs      []*run
}

type reported struct {
	from *process
	line string
}

// place is where a fleet's job lives, if it matters.
type place struct {
	addr      string // of the server; the shared one without
	namespace string // one of its own without
	job       string // the name
	digest    string // the credentials of everybody
}

// newFleet returns an empty fleet with a namespace of its own. Every agent
// gets the arguments.
func newFleet(t *testing.T, version string, common ...string) *fleet {
	t.Helper()
	return newFleetAt(t, version, place{}, common...)
}

func newFleetAt(t *testing.T, version string, at place, common ...string) *fleet {
	t.Helper()
	at.addr, at.job = cmp.Or(at.addr, zktest.Real(t).Addr), cmp.Or(at.job, "job")
	if at.digest != "" {
		common = append(common, "--digest="+at.digest)
	}
	f := &fleet{
		t: t, version: version, addr: at.addr, namespace: cmp.Or(at.namespace, zktest.Namespace(t)),
		common: common, changed: make(chan struct{}),
	}
	var err error
	if f.tree, err = jobtree.NewNamespace(f.namespace); err != nil {
		t.Fatal(err)
	}
	f.job = f.tree.Job(at.job)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if f.client, err = zk.Connect(ctx, zk.Config{Servers: []string{f.addr}, Digest: at.digest}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	return f
}

// complaints matches what no agent may log, whatever a test does to the
// others: an exception that reached a log, or an error.
var complaints = regexp.MustCompile(`(?m)^.*(\bERROR\b|level=ERROR|Exception|panic:|DATA RACE).*$`)

// leaving matches what Java's own listener logs when an event comes after its job has
// been shut down: it looks for its instance, which is no longer registered.
var leaving = regexp.MustCompile(`(?m)^.*MappingListenerManager - Listener .* threw an exception\r?\n.*NullPointerException.*JobRegistry\.getJobInstance\(String\)" is null.*$`)

func (f *fleet) close() {
	f.t.Helper()
	for _, p := range f.processes {
		if !p.ended() {
			p.kill()
		}
		log := p.log.String()
		if found := complaints.FindAllString(leaving.ReplaceAllString(log, ""), 5); found != nil && !p.mayComplain {
			f.t.Errorf("%s complained:\n%s", p.name, strings.Join(found, "\n"))
		}
		if f.t.Failed() || os.Getenv("INTEROP_LOG") != "" {
			f.t.Logf("log of %s (%s):\n%s", p.name, p.id, log)
		}
	}
	if f.t.Failed() {
		for _, r := range f.runs {
			f.t.Log(r)
		}
		f.t.Logf("tree:\n%s", f.dump())
	}
	if err := f.client.Close(); err != nil {
		f.t.Error(err)
	}
}

func (f *fleet) signal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.signalLocked()
}

func (f *fleet) signalLocked() {
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fleet) read(get func() bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return get()
}

// await waits until the reports satisfy a condition, which runs under the
// fleet's lock.
func (f *fleet) await(limit time.Duration, what string, condition func() bool) {
	f.t.Helper()
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		f.mu.Lock()
		ok, changed := condition(), f.changed
		f.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-timeout.C:
			f.t.Fatalf("waited %v for %s", limit, what)
		}
	}
}

// until waits until the tree, or anything else that has to be asked, satisfies
// a condition; the last error says what is missing.
func (f *fleet) until(limit time.Duration, condition func(ctx context.Context) error) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), limit)
	defer cancel()
	again := time.NewTicker(30 * time.Millisecond)
	defer again.Stop()
	var last error
	for {
		err := condition(ctx)
		if err == nil {
			return
		}
		if last == nil || ctx.Err() == nil { // The end of the time says nothing about the condition.
			last = err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			f.t.Fatalf("after %v: %v", limit, last)
		}
	}
}

// pass lets a span of real time go by: agents of other processes know no other.
func (f *fleet) pass(until time.Time) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-f.t.Context().Done():
	}
}

// confirmed lists the reports of a process that begin with a word, under lock.
func (f *fleet) confirmed(p *process, word string) []string {
	var found []string
	for _, l := range f.lines {
		if l.from == p && strings.HasPrefix(l.line, word) {
			found = append(found, l.line)
		}
	}
	return found
}

func (f *fleet) linesOf(p *process, word string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.confirmed(p, word)
}

// runsSince lists the runs that started after a moment.
func (f *fleet) runsSince(from time.Time) []*run {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runsSinceLocked(from)
}

func (f *fleet) runsSinceLocked(from time.Time) []*run {
	var found []*run
	for _, r := range f.runs {
		if r.start.After(from) {
			copied := *r
			found = append(found, &copied)
		}
	}
	return found
}

// ---- the tree

func (f *fleet) get(ctx context.Context, path string) string {
	data, _, err := f.client.Get(ctx, path)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(data)
}

func (f *fleet) exists(ctx context.Context, path string) bool {
	_, exists, err := f.client.Exists(ctx, path)
	if err != nil {
		f.t.Fatal(err)
	}
	return exists
}

// nodes reads the whole tree of the job.
func (f *fleet) nodes() []zktest.Node {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	nodes, err := zktest.Collect(ctx, f.job.Root(), func(ctx context.Context, path string) (zktest.Node, []string, bool, error) {
		data, stat, err := f.client.Get(ctx, path)
		if errors.Is(err, zk.ErrNoNode) {
			return zktest.Node{}, nil, false, nil
		}
		if err != nil {
			return zktest.Node{}, nil, false, err
		}
		children, _, err := f.client.Children(ctx, path)
		if errors.Is(err, zk.ErrNoNode) {
			return zktest.Node{}, nil, false, nil
		}
		return zktest.Node{Path: path, Data: data, Owner: stat.EphemeralOwner}, children, true, err
	})
	if err != nil {
		f.t.Error(err)
	}
	return nodes
}

func (f *fleet) dump() string { return new(zktest.Formatter).Format(f.nodes()) }

// operator carries out the actions of the console.
func (f *fleet) operator() *lifecycle.Operator {
	return lifecycle.NewOperator(treetest.Registry(f.client, f.tree))
}

// obeyed fails the test if an action was refused, or left out somebody.
func (f *fleet) obeyed(outcome lifecycle.Outcome, err error) {
	f.t.Helper()
	if err != nil || len(outcome.Skipped) > 0 {
		f.t.Fatalf("order: %+v, %v", outcome, err)
	}
}

// awaitAbsent waits until nodes no longer exist.
func (f *fleet) awaitAbsent(paths ...string) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		for _, path := range paths {
			if f.exists(ctx, path) {
				return fmt.Errorf("%s is still there", path)
			}
		}
		return nil
	})
}

// awaitExists waits until nodes are there.
func (f *fleet) awaitExists(paths ...string) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		for _, path := range paths {
			if !f.exists(ctx, path) {
				return fmt.Errorf("%s is not there", path)
			}
		}
		return nil
	})
}

// average is who owns what by the default strategy.
func average(items int, agents ...*process) map[int]string {
	return allocate(items, ranked(agents))
}

// ranked lists the ids of agents in the order in which they get shards.
func ranked(agents []*process) []string {
	var ids []string
	for _, p := range agents {
		ids = append(ids, p.id)
	}
	slices.SortFunc(ids, descending)
	return ids
}

func descending(a, b string) int { return strings.Compare(b, a) }

// allocate is ElasticJob's average allocation, written down once more: it must
// not be the code under test that says what is right.
func allocate(items int, ids []string) map[int]string {
	owners := make(map[int]string, items)
	each := items / len(ids)
	for n := range items {
		k := n - each*len(ids) // The rest goes to the first ones, one each.
		if n < each*len(ids) {
			k = n / each
		}
		owners[n] = ids[k]
	}
	return owners
}

// awaitAssigned waits until the shards are assigned to exactly these agents by
// average allocation, and no resharding is announced.
func (f *fleet) awaitAssigned(items int, agents ...*process) {
	f.t.Helper()
	want := average(items, agents...)
	f.until(patience, func(ctx context.Context) error {
		got := make(map[int]string, items)
		for n := range items {
			got[n] = f.get(ctx, f.job.ItemInstance(n))
		}
		switch {
		case !maps.Equal(got, want):
			return fmt.Errorf("shards are assigned as %v, want %v", got, want)
		case f.exists(ctx, f.job.Necessary()) || f.exists(ctx, f.job.Processing()):
			return errors.New("a resharding is announced")
		}
		return nil
	})
}

// leader waits until an agent leads.
func (f *fleet) awaitLeader(p *process) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		if leader := f.get(ctx, f.job.LeaderInstance()); leader != p.id {
			return fmt.Errorf("the leader is %s, want %s (%s)", leader, p.name, p.id)
		}
		return nil
	})
}

// awaitDeparture waits until the server has noticed that an agent has left.
func (f *fleet) awaitDeparture(p *process) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		if f.exists(ctx, f.job.Instance(p.id)) {
			return fmt.Errorf("%s is still registered", p.name)
		}
		return nil
	})
}

// ---- what ran

// quiet watches a number of fire times of a job that fires every period, in
// which nothing else happens, and checks that each shard runs exactly once at
// each of them, on the agent that owns it, with a parameter that is its own.
func (f *fleet) quiet(fires int, period time.Duration, items int, agents ...*process) {
	f.t.Helper()
	owners := average(items, agents...)
	first := time.Now().Truncate(period).Add(period)
	last := first.Add(time.Duration(fires) * period)
	f.pass(last.Add(-period / 4)) // Bodies are short, and 3/4 of a period is late enough.

	type key struct {
		at   int64
		item int
	}
	count := make(map[key]int)
	late := make(map[bool][]time.Duration)
	for _, r := range f.runsSince(first.Add(-period / 8)) {
		fire := r.start.Truncate(period)
		if !fire.Before(last) {
			continue
		}
		count[key{fire.Unix(), r.item}]++
		late[r.agent.java] = append(late[r.agent.java], r.start.Sub(fire))
		if owners[r.item] != r.agent.id {
			f.t.Errorf("%v: the owner is %s", r, owners[r.item])
		}
	}
	for at := first; at.Before(last); at = at.Add(period) {
		for n := range items {
			if runs := count[key{at.Unix(), n}]; runs != 1 {
				f.t.Errorf("shard %d ran %d times at %s", n, runs, at.Format(time.TimeOnly))
			}
		}
	}
	if f.t.Failed() {
		return
	}
	f.t.Logf("%d fire times x %d shards, each once; Java ran %d, at most %v late; Go ran %d, at most %v late",
		fires, items, len(late[true]), latest(late[true]), len(late[false]), latest(late[false]))
}

func latest(list []time.Duration) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return slices.Max(list)
}
