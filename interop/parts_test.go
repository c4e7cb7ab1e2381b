//go:build interop

package interop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// moment is how long a test watches that nothing happens.
const moment = 700 * time.Millisecond

// mortal has the server notice sooner than otherwise that an agent is dead. A
// machine that is busy for that long makes the living look dead as well.
const mortal = "--session-ms=5000"

func (s side) other() side {
	if s == java {
		return golang
	}
	return java
}

// start starts an agent of a side. The Go agent has a low address: it gets the
// last shards.
func (f *fleet) start(s side, args ...string) *process {
	f.t.Helper()
	if s == java {
		return f.startJava(string(s), args...)
	}
	return f.startGo(string(s), lowAddress, args...)
}

func (f *fleet) launchSide(s side, args ...string) *process {
	f.t.Helper()
	if s == java {
		return f.launchJava(string(s), args...)
	}
	return f.launchGo(string(s), lowAddress, args...)
}

// startLed starts an agent of each side, and first the one that is to lead.
func (f *fleet) startLed(s side, args ...string) (leader, follower *process) {
	f.t.Helper()
	leader = f.start(s, args...)
	f.awaitLeader(leader)
	f.awaitSettled()
	return leader, f.start(s.other(), args...)
}

// awaitSettled waits until the shards of a job with a schedule are assigned and
// nothing is announced. A Java leader assigns shards to those whom it saw before it
// waits for running shards, and then takes down the announcement of whoever came
// meanwhile: until it reconciles, after ten minutes, that one gets nothing. So
// nobody may come in that moment.
func (f *fleet) awaitSettled() {
	f.t.Helper()
	if !slices.Contains(f.common, everyTwoSeconds) {
		return
	}
	f.until(patience, func(ctx context.Context) error {
		if !f.exists(ctx, f.job.ItemInstance(0)) || f.exists(ctx, f.job.Necessary()) || f.exists(ctx, f.job.Processing()) {
			return errors.New("the shards are not assigned")
		}
		return nil
	})
}

// trigger triggers a run of everything.
func (f *fleet) trigger() {
	f.t.Helper()
	f.obeyed(f.operator().Trigger(f.t.Context(), f.job.Name()))
}

// triggerOnly triggers a run of what one agent owns.
func (f *fleet) triggerOnly(p *process) {
	f.t.Helper()
	f.obeyed(f.operator().TriggerServer(f.t.Context(), f.job.Name(), p.ip()))
}

// configure changes the stored configuration as the console does.
func (f *fleet) configure(change func(*jobconfig.Config)) {
	f.t.Helper()
	config, at, err := f.operator().Config(f.t.Context(), f.job.Name())
	if err == nil {
		change(config)
		_, err = f.operator().SetConfig(f.t.Context(), f.job.Name(), config, at)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// put writes a node as somebody does who knows no rules.
func (f *fleet) put(path, data string) {
	f.t.Helper()
	_, err := f.client.CreateAll(f.t.Context(), path, []byte(data), zk.Persistent)
	if errors.Is(err, zk.ErrNodeExists) {
		_, err = f.client.Set(f.t.Context(), path, []byte(data), -1)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// plant creates a node that ends with the test.
func (f *fleet) plant(path, data string, mode zk.CreateMode) string {
	f.t.Helper()
	created, err := f.client.CreateAll(f.t.Context(), path, []byte(data), mode)
	if err != nil {
		f.t.Fatal(err)
	}
	return created
}

func (f *fleet) remove(path string) {
	f.t.Helper()
	if err := f.client.Delete(f.t.Context(), path, -1); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fleet) stat(path string) zk.Stat {
	f.t.Helper()
	stat, exists, err := f.client.Exists(f.t.Context(), path)
	if err != nil || !exists {
		f.t.Fatalf("%s: exists %v, %v", path, exists, err)
	}
	return stat
}

// awaitRuns waits until a number of runs have ended since a moment.
func (f *fleet) awaitRuns(from time.Time, n int) []*run {
	f.t.Helper()
	f.await(patience, fmt.Sprintf("%d runs", n), func() bool {
		ended := 0
		for _, r := range f.runsSinceLocked(from) {
			if !r.end.IsZero() {
				ended++
			}
		}
		return ended >= n
	})
	return f.runsSince(from)
}

// awaitStarts waits until a number of runs have started since a moment.
func (f *fleet) awaitStarts(from time.Time, n int) {
	f.t.Helper()
	f.await(patience, fmt.Sprintf("%d runs to start", n), func() bool { return len(f.runsSinceLocked(from)) >= n })
}

// nothingRuns watches for a moment that nothing starts.
func (f *fleet) nothingRuns(from time.Time) {
	f.t.Helper()
	f.pass(time.Now().Add(moment))
	for _, r := range f.runsSince(from) {
		f.t.Errorf("nothing should run, but %v", r)
	}
}

// eachOnce checks that every shard ran exactly once since a moment, on its
// owner.
func (f *fleet) eachOnce(from time.Time, owners map[int]string) {
	f.t.Helper()
	f.awaitRuns(from, len(owners))
	f.pass(time.Now().Add(moment)) // For runs that should not be.
	seen := make(map[int]int)
	for _, r := range f.runsSince(from) {
		seen[r.item]++
		if owners[r.item] != r.agent.id {
			f.t.Errorf("%v: the owner is %s", r, owners[r.item])
		}
	}
	for n := range owners {
		if seen[n] != 1 {
			f.t.Errorf("shard %d ran %d times, want once", n, seen[n])
		}
		f.awaitAbsent(f.job.ItemRunning(n)) // Until then an agent drops the next order.
	}
}

// runOnce triggers the job and checks that every shard runs once, on its owner.
func (f *fleet) runOnce(items int, agents ...*process) {
	f.t.Helper()
	// A Java leader reshards when it is triggered; ours does so at once, and a
	// shard that is about to move then is not run by either.
	leader := f.get(f.t.Context(), f.job.LeaderInstance())
	if slices.ContainsFunc(agents, func(p *process) bool { return !p.java && p.id == leader }) {
		f.awaitAssigned(items, agents...)
	}
	from := time.Now()
	f.trigger()
	f.eachOnce(from, average(items, agents...))
}

// awaitData waits until a node holds what it should.
func (f *fleet) awaitData(path, want string) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		if got := f.get(ctx, path); got != want {
			return fmt.Errorf("%s holds %q, want %q", path, got, want)
		}
		return nil
	})
}

// instanceData is what the node of an instance holds.
func instanceData(id, ip string) string {
	return fmt.Sprintf("jobInstanceId: %s\nserverIp: %s\n", id, ip)
}

// mayComplain says of agents that the test makes them log errors.
func mayComplain(agents ...*process) {
	for _, p := range agents {
		p.mayComplain = true
	}
}
