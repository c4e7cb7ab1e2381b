//go:build interop

package interop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// submit asks for a run.
func (f *fleet) submit(r jobrun.Request) string {
	f.t.Helper()
	ticket, err := f.operator().SubmitRun(f.t.Context(), f.job.Name(), r)
	if err != nil {
		f.t.Fatal(err)
	}
	return ticket.ID
}

// awaitRun waits until a run is in a state.
func (f *fleet) awaitRun(id string, want jobrun.State) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		run, err := f.operator().Run(ctx, f.job.Name(), id)
		if err == nil && run.State != want {
			err = fmt.Errorf("run %s is %s, want %s: %+v", id, run.State, want, run)
		}
		return err
	})
}

// TestR49JavaOwnsAShard: a run that each shard takes part in is refused, with the shard
// and the agent. A run of the other shards works.
func TestR49JavaOwnsAShard(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, "--shards=2")
		java, goAgent := f.startJava("java"), f.startGo("go", lowAddress)
		f.trigger()
		f.awaitAssigned(2, java, goAgent)
		_, err := f.operator().SubmitRun(t.Context(), f.job.Name(), jobrun.Request{})
		if want := "shards 0 belong to agents that don't support parameters: " + java.id; !errors.Is(err, jobrun.ErrNotGo) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		f.awaitRun(f.submit(jobrun.Request{Shards: []int{1}, Params: json.RawMessage(`{"a":1}`)}), jobrun.Succeeded)
	})
}

// TestR50GoOwnerKilled: failover is on, the agent of ours that works at a run is killed,
// and an agent of Java survives: that one executes nothing, and the other agent of ours
// runs the shard again. No marker stays.
func TestR50GoOwnerKilled(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, "--failover=true", "--shards=1", "--body-ms=3000")
		java := f.startJava("java")
		first, second := f.startGo("first", highAddress), f.startGo("second", highAddress)
		f.trigger()
		f.await(patience, "the shard to be assigned and run", func() bool { return len(f.runs) == 1 && !f.runs[0].end.IsZero() })
		from := time.Now()
		id := f.submit(jobrun.Request{Params: json.RawMessage(`{"a":1}`)})
		f.await(patience, "the run to begin", func() bool { return len(f.runsSinceLocked(from)) == 1 })
		owner, other := first, second
		if f.runsSince(from)[0].agent == second {
			owner, other = second, first
		}
		owner.kill()
		f.awaitDeparture(owner)
		f.pass(time.Now().Add(2 * time.Second)) // For an execution that should not be.
		for _, r := range f.runsSince(from) {
			if r.agent == java {
				t.Errorf("Java has executed the shard of a requested run: %v", r)
			}
		}
		f.trigger() // A leader of Java reshards at the next one; it is dropped or runs the shard once more.
		f.awaitRun(id, jobrun.Succeeded)
		if f.read(func() bool { return !f.finishedLocked(other, []int{0}) }) {
			t.Errorf("%s has not run it", other.name)
		}
		f.awaitAbsent(f.job.ItemRunning(0), f.job.ItemFailover(0), f.job.ItemFailovering(0), f.job.FailoverItem(0), f.job.RunsActiveAll())
	})
}

var usedHeap = regexp.MustCompile(`used (\d+)K`)

// heap is how many bytes a Java agent keeps after a collection.
func heap(t *testing.T, p *process) int {
	t.Helper()
	pid := strconv.Itoa(p.cmd.Process.Pid)
	if out, err := exec.CommandContext(t.Context(), "jcmd", pid, "GC.run").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), "jcmd", pid, "GC.heap_info").CombinedOutput()
	generations, _, _ := strings.Cut(string(out), "Metaspace")
	found := usedHeap.FindAllStringSubmatch(generations, -1)
	if err != nil || found == nil {
		t.Fatalf("%v: %s", err, out)
	}
	used := 0
	for _, generation := range found {
		kilobytes, err := strconv.Atoi(generation[1])
		if err != nil {
			t.Fatal(err)
		}
		used += kilobytes << 10
	}
	return used
}

// TestR51ThousandRunsWaitBesideJava: no session of a Java agent ends, it goes on
// firing, and it keeps less than 10 MB more.
func TestR51ThousandRunsWaitBesideJava(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, everyTwoSeconds, "--shards=2", "--misfire=false")
		java, goAgent := f.startJava("java"), f.startGo("go", lowAddress)
		f.awaitAssigned(2, java, goAgent)
		session := f.stat(f.job.Instance(java.id)).EphemeralOwner
		before := heap(t, java)
		from := time.Now()
		params := json.RawMessage(`{"text":"` + strings.Repeat("x", 1000) + `"}`)
		waiting := 0 // Of sixteen buckets one or two are full before there are a thousand.
		for range 1050 {
			_, err := f.operator().SubmitRun(t.Context(), f.job.Name(), jobrun.Request{Params: params, Delay: time.Hour, Shards: []int{1}})
			if err == nil {
				waiting++
			} else if !errors.Is(err, jobrun.ErrQueueFull) {
				t.Fatal(err)
			}
		}
		if waiting < 950 {
			t.Errorf("only %d runs wait", waiting)
		}
		f.pass(time.Now().Add(3 * time.Second))
		grown := heap(t, java) - before
		if got := f.stat(f.job.Instance(java.id)).EphemeralOwner; got != session || grown > 10<<20 {
			t.Errorf("its heap has grown by %d bytes, its session is %x, was %x", grown, got, session)
		}
		seen := 0
		for _, r := range f.runsSince(from) {
			if r.agent != java {
				continue
			}
			seen++
		}
		if seen == 0 {
			t.Error("Java has run nothing meanwhile")
		}
		t.Logf("heap of Java: %d bytes more, %d fires in %v", grown, seen, time.Since(from))
	})
}

// TestR52JavaLeaderReshards while a run works: it waits for the end of the run.
func TestR52JavaLeaderReshards(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, "--shards=2", "--body-ms=4000")
		java := f.startJava("java")
		f.awaitLeader(java)
		goAgent := f.startGo("go", lowAddress)
		f.trigger()
		f.awaitAssigned(2, java, goAgent)
		f.await(patience, "both shards to have run", func() bool { return len(f.runs) == 2 && !f.runs[0].end.IsZero() && !f.runs[1].end.IsZero() })
		from := time.Now()
		id := f.submit(jobrun.Request{Shards: []int{1}})
		f.await(patience, "the run to begin", func() bool { return len(f.runsSinceLocked(from)) == 1 })
		third := f.startGo("third", lowAddress)
		f.awaitExists(f.job.Necessary())
		f.triggerOnly(java)
		f.awaitRun(id, jobrun.Succeeded)
		f.awaitAbsent(f.job.Necessary(), f.job.Processing())
		f.awaitOwners(average(2, java, goAgent, third))
		for _, r := range f.runsSince(from) {
			if r.item == 1 && r.agent == goAgent && !r.clean {
				t.Errorf("the run was interrupted: %v", r)
			}
		}
	})
}

// TestR64ShutdownDuringARun: an agent of ours works at a run, failover is on and an
// agent of Java lives: the shutdown is refused unless it is forced.
func TestR64ShutdownDuringARun(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, "--failover=true", "--shards=1", "--body-ms=5000")
		f.startJava("java")
		goAgent := f.startGo("go", highAddress)
		f.trigger()
		f.await(patience, "the shard to have run", func() bool { return len(f.runs) == 1 && !f.runs[0].end.IsZero() })
		from := time.Now()
		f.submit(jobrun.Request{})
		f.await(patience, "the run to begin", func() bool { return len(f.runsSinceLocked(from)) == 1 })
		_, err := f.operator().ShutdownServer(t.Context(), f.job.Name(), goAgent.ip())
		if !errors.Is(err, lifecycle.ErrRunActive) || !errors.Is(err, lifecycle.ErrConflict) {
			t.Errorf("shut down: %v", err)
		}
		if !f.exists(t.Context(), f.job.Instance(goAgent.id)) {
			t.Error("the instance was shut down all the same")
		}
		f.obeyed(f.operator().ForceShutdown(t.Context(), f.job.Name(), goAgent.ip()))
		f.awaitAbsent(f.job.Instance(goAgent.id))
	})
}
