package runs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestW04Waits checks each reason for waiting on its own.
func TestW04Waits(t *testing.T) {
	t.Parallel()
	const server = "job/servers/10.0.0.1 = ENABLED"
	agent := func(b *bundle, words string) {
		if _, err := b.Store.Client.Set(t.Context(), b.Tree.Agent("10.0.0.1@-@7"), []byte(words), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
	}
	later := func(tree string) func(*testing.T, *bundle) { return func(t *testing.T, b *bundle) { b.Plant(t, tree) } }
	for name, c := range map[string]struct {
		plant   string
		props   map[string]string
		request jobrun.Request
		do      func(t *testing.T, b *bundle)
		want    jobrun.Wait // Sentence is a part of the text, Node the end of the path
	}{
		"its time": {server, nil, jobrun.Request{Delay: time.Hour}, nil, jobrun.Wait{Code: jobrun.WaitTime, Sentence: "It begins at its time, 20"}},
		"held": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			if err := b.Hold(t.Context(), jobtree.Hold{What: jobrun.HeldRequests, By: "anna", Reason: "migration"}); err != nil {
				t.Fatal(err)
			}
		}, jobrun.Wait{Code: jobrun.WaitHeld, Sentence: "held by anna since", Node: "/held"}},
		"no process": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			if err := b.Store.Client.Delete(t.Context(), b.Tree.Instance("10.0.0.1@-@7"), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
		}, jobrun.Wait{Code: jobrun.WaitNoProcess, Sentence: "No process serves the job.", Node: "/instances"}},
		"an older version": {
			server, nil, jobrun.Request{},
			func(_ *testing.T, b *bundle) { agent(b, "go") },
			jobrun.Wait{Code: jobrun.WaitNotGo, Sentence: "don't accept requested runs, like all Java processes: 10.0.0.1@-@7.", Node: "/agents"},
		},
		"a shard of Java": {
			server + "\njob/instances/10.0.0.9@-@4 [E]\njob/servers/10.0.0.9 = ENABLED", nil, jobrun.Request{},
			func(t *testing.T, b *bundle) {
				if _, err := b.Store.Client.Set(t.Context(), b.Tree.ItemInstance(1), []byte("10.0.0.9@-@4"), zk.AnyVersion); err != nil {
					t.Fatal(err)
				}
			},
			jobrun.Wait{Code: jobrun.WaitNotGo, Sentence: "Shards of the job belong to processes that don't accept requested runs, like all Java processes: 10.0.0.9@-@4.", Node: "/sharding"},
		},
		"disabled": {"job/servers/10.0.0.1 = DISABLED", nil, jobrun.Request{}, nil, jobrun.Wait{Code: jobrun.WaitDisabled, Sentence: "are disabled: 10.0.0.1@-@7.", Node: "/servers"}},
		"debug": {
			server, nil, jobrun.Request{},
			func(_ *testing.T, b *bundle) { agent(b, "go runs=1 debug=requests") },
			jobrun.Wait{Code: jobrun.WaitDebug, Sentence: "are in Debug", Node: "/agents"},
		},
		"debug, and a person asks": {
			server, nil, jobrun.Request{Manual: true},
			func(_ *testing.T, b *bundle) { agent(b, "go runs=1 debug=requests") },
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "Nothing blocks it"},
		},
		"another run": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.begin(t, b.submit(t, jobrun.Request{}).ID)
		}, jobrun.Wait{Code: jobrun.WaitRun, Sentence: " comes first.", Node: "/active/all"}},
		"an older request": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.later(-time.Minute)
			b.submit(t, jobrun.Request{})
			b.later(time.Minute)
		}, jobrun.Wait{Code: jobrun.WaitQueue, Sentence: "1 runs that were due earlier come first.", Node: "/queue"}},
		"resharding": {
			server + "\njob/leader/sharding/necessary", nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitResharding, Sentence: "being assigned", Node: "/necessary"},
		},
		"busy": {server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, func(t *testing.T, b *bundle) {
			for shard := range 2 {
				b.beginOne(t, b.submit(t, jobrun.Request{}).ID, shard)
			}
		}, jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "All 2 shards work on other runs.", Node: "/active"}},
		"no place": {server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, func(t *testing.T, b *bundle) {
			agent(b, "go runs=1 parallel=1")
			b.beginOne(t, b.submit(t, jobrun.Request{}).ID, 0)
		}, jobrun.Wait{Code: jobrun.WaitPlaces, Sentence: "as its MaxParallel allows: 10.0.0.1@-@7 (1).", Node: "/agents"}},
		"W89 no place, for other jobs": {
			server + `
job/extension/refused/10.0.0.1@-@7 [E] = "{\"code\":\"NO_PLACE\",\"text\":\"these jobs run: long\"}"`, nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitObstacle, Sentence: "10.0.0.1@-@7: these jobs run: long.", Node: "/refused"},
		},
		"W89 an old obstacle": {
			server + `
job/extension/refused/10.0.0.1@-@7 = "{\"code\":\"NO_PLACE\",\"text\":\"these jobs run: long\"}"`, nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "Nothing blocks it"},
		},
		"W89 a steward by hand": {
			server, nil, jobrun.Request{}, later("job/extension/runs/steward = 10.0.0.1@-@7"),
			jobrun.Wait{Code: jobrun.WaitNode, Sentence: "so no agent takes care of requested runs.", Node: "/runs/steward"},
		},
		"W89 a steward of another session": {
			server, nil, jobrun.Request{}, later("- job/extension/agents/10.0.0.1@-@7\njob/extension/agents/10.0.0.1@-@7 = go runs=1\njob/extension/runs/steward [E] = 10.0.0.1@-@7"),
			jobrun.Wait{Code: jobrun.WaitNode, Sentence: "so no agent takes care of requested runs.", Node: "/runs/steward"},
		},
		"W89 a steward by hand, not needed": {
			server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, later("job/extension/runs/steward = junk"),
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "Nothing blocks it"},
		},
		"W89 a steward by hand, and a delay": {
			server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{Delay: time.Minute},
			func(t *testing.T, b *bundle) {
				later("job/extension/runs/steward = junk")(t, b)
				b.later(time.Hour)
			},
			jobrun.Wait{Code: jobrun.WaitNode, Sentence: "so no agent takes care of requested runs.", Node: "/runs/steward"},
		},
		"W89 a record by hand": {
			server, nil, jobrun.Request{}, later("job/extension/runs/active/all = junk"),
			jobrun.Wait{Code: jobrun.WaitNode, Sentence: "isn't the record of a run", Node: "/active/all"},
		},
		"W89 records by hand, of every shard": {
			server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, later("job/extension/runs/active/0 = junk\njob/extension/runs/active/1 ="),
			jobrun.Wait{Code: jobrun.WaitNode, Sentence: "isn't the record of a run", Node: "/active/0"},
		},
		"W89 a record by hand, of one shard": {
			server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, later("job/extension/runs/active/0 = junk\njob/extension/runs/active/what = junk"),
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "Nothing blocks it"},
		},
		"W89 a node below a record": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.begin(t, b.submit(t, jobrun.Request{}).ID)
			b.Plant(t, "job/extension/runs/active/all/note")
		}, jobrun.Wait{Code: jobrun.WaitNode, Sentence: "has child nodes that agents don't create", Node: "/active/all"}},
		"nothing": {server, nil, jobrun.Request{}, nil, jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "Nothing blocks it"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zktest.Each(t, func(t *testing.T, srv zktest.Target) {
				b := newBundle(t, srv.Addr, c.props)
				b.Plant(t, c.plant)
				ticket := b.submit(t, c.request)
				if c.do != nil {
					c.do(t, b)
				}
				status, err := b.Explained(t.Context(), ticket.ID)
				if err != nil {
					t.Fatal(err)
				}
				got := status.Wait
				if got.Code != c.want.Code || !strings.Contains(got.Sentence, c.want.Sentence) || !strings.HasSuffix(got.Node, c.want.Node) || got.Node == "" {
					t.Errorf("%+v, want %+v", got, c.want)
				}
				if calm := got.Code == jobrun.WaitTime || got.Code == jobrun.WaitQueue || got.Code == jobrun.WaitAgent; (got.Remedy == "") != calm {
					t.Errorf("remedy %q", got.Remedy)
				}
			})
		})
	}
}

// TestW04RunsThatHaveBegun: an active run waits for nothing, least of all for itself.
func TestW04RunsThatHaveBegun(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		id := b.submit(t, jobrun.Request{}).ID
		queued, err := b.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		b.begin(t, id)
		if wait, err := b.why(t.Context(), *queued.request, queued.path); err != nil || wait.Run != id {
			t.Errorf("a request that was read before its run began: %+v, %v; Explained relies on the run's id", wait, err)
		}
		if status, err := b.Explained(t.Context(), id); err != nil || status.State != jobrun.Running || status.Wait.Code != "" {
			t.Errorf("%s waits for %+v, %v", status.State, status.Wait, err)
		}
		b.finish(t, map[int]Result{0: {}, 1: {}})
		if status, err := b.Explained(t.Context(), id); err != nil || status.Wait.Code != "" {
			t.Errorf("%s waits for %+v, %v", status.State, status.Wait, err)
		}
	})
}

// beginOne claims a queued request for a shard, as an agent does.
func (b *bundle) beginOne(t *testing.T, id string, shard int) {
	t.Helper()
	status, err := b.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	const who = "10.0.0.1@-@7"
	record := Claim(OpenOne(*status.request, shard, 2, who, b.clock()), []int{shard}, jobtree.RunClaim{Instance: who, Session: "1", Nonce: fmt.Sprint(shard)})
	ops, err := b.Begin(b.Tree.RunsActiveShard(shard), record)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Store.Client.Multi(t.Context(), append(ops, zk.DeleteOp(status.path, status.version))...); err != nil {
		t.Fatal(err)
	}
}

// TestW04AgentData: an agent's data can be read back, by newer versions too.
func TestW04AgentData(t *testing.T) {
	for _, want := range []AgentData{{}, {TakesRuns: true}, {TakesRuns: true, Debug: "all", MaxParallel: 7}, {
		TakesRuns: true, NoRecorder: true, Zone: "Asia/Shanghai", Version: "v1.2.3", Started: time.UnixMilli(1_796_000_000_123).UTC(), Clock: time.UnixMilli(1_796_000_060_000).UTC(),
	}} {
		if got := ParseAgent(want.Encode()); got != want {
			t.Errorf("%+v became %+v", want, got)
		}
	}
	if got, want := ParseAgent([]byte("go runs=1 color=red parallel=-1 parallel=many start=soon new")), (AgentData{TakesRuns: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := ParseAgent([]byte{0xff}); got != (AgentData{}) {
		t.Errorf("%+v", got)
	}
}
