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
		"its time": {server, nil, jobrun.Request{Delay: time.Hour}, nil, jobrun.Wait{Code: jobrun.WaitTime, Sentence: "It begins no earlier than 20"}},
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
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"},
		},
		"another run": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.begin(t, b.submit(t, jobrun.Request{}).ID)
		}, jobrun.Wait{Code: jobrun.WaitRun, Sentence: " comes first.", Node: "/active/all"}},
		"an older request": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.later(-time.Minute)
			b.submit(t, jobrun.Request{})
			b.later(time.Minute)
		}, jobrun.Wait{Code: jobrun.WaitQueue, Sentence: "1 run that was due earlier comes first.", Node: "/queue"}},
		"resharding": {
			server + "\njob/leader/sharding/necessary\njob/leader/election/instance [E] = 10.0.0.1@-@7", nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitResharding, Sentence: "being assigned", Node: "/necessary"},
		},
		"no leader": {
			server + "\njob/leader/sharding/necessary", nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitNoLeader, Sentence: "no process leads", Node: "/instance"},
		},
		"a leader that is gone": {
			server + "\njob/leader/sharding/necessary\njob/leader/election/instance = 10.0.0.8@-@8", nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitNoLeader, Sentence: "the leader is 10.0.0.8@-@8, which isn't there", Node: "/instance"},
		},
		"a leader that can't assign": {
			server + `
job/leader/sharding/necessary
job/leader/election/instance [E] = 10.0.0.1@-@7
job/extension/refused/10.0.0.1@-@7 [E] = "{\"code\":\"ASSIGNING\",\"text\":\"panic: bug\"}"`, nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitObstacle, Sentence: "the leader announces why it can't: 10.0.0.1@-@7: panic: bug.", Node: "/refused"},
		},
		"an assignment by hand": {
			server + "\njob/leader/sharding/processing\njob/leader/election/instance [E] = 10.0.0.1@-@7", nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitNode, Sentence: "agents wait for an assignment that never comes", Node: "/processing"},
		},
		"a ghost": {server, nil, jobrun.Request{}, later("- job/instances/10.0.0.1@-@7\njob/instances/10.0.0.1@-@7"),
			jobrun.Wait{Code: jobrun.WaitNoProcess, Sentence: "No process serves the job.", Node: "/instances"}},
		"a shard of a ghost": {server, nil, jobrun.Request{}, later("job/instances/10.0.0.7@-@7\n- job/sharding/1/instance\njob/sharding/1/instance = 10.0.0.7@-@7"),
			jobrun.Wait{Code: jobrun.WaitNoOwner, Sentence: "No process that is there has these shards: 1.", Node: "/1/instance"}},
		"the job runs": {server, nil, jobrun.Request{}, later("job/sharding/0/running [E]\njob/sharding/1/running [E]"),
			jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "All shards that it needs run for a fire time or a trigger: 0-1.", Node: "/0/running"}},
		"W89 a shard waits for a place": {
			server + `
job/extension/refused/10.0.0.1@-@7 [E] = "{\"code\":\"NO_PLACE\",\"text\":\"a shard waits for a place\",\"shards\":\"0,1\"}"`, nil, jobrun.Request{},
			later("job/sharding/0/running [E] = 10.0.0.1@-@7\njob/sharding/1/running [E] = 10.0.0.1@-@7"),
			jobrun.Wait{Code: jobrun.WaitObstacle, Sentence: "can't run them: 10.0.0.1@-@7: a shard waits for a place.", Node: "/refused"},
		},
		"W89 one shard is needed, and all wait for a place": {
			server + `
job/extension/refused/10.0.0.1@-@7 [E] = "{\"code\":\"NO_PLACE\",\"text\":\"a shard waits for a place\",\"shards\":\"0,1\"}"`,
			map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{},
			later("job/sharding/0/running [E] = 10.0.0.1@-@7\njob/sharding/1/running [E] = 10.0.0.1@-@7"),
			jobrun.Wait{Code: jobrun.WaitObstacle, Sentence: "why some of them wait: 10.0.0.1@-@7: a shard waits for a place.", Node: "/refused"},
		},
		"W89 another run, which was cancelled": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			first := b.submit(t, jobrun.Request{}).ID
			b.begin(t, first)
			if _, err := b.Cancel(t.Context(), first, jobtree.RunCancel{By: "root"}); err != nil {
				t.Fatal(err)
			}
		}, jobrun.Wait{Code: jobrun.WaitRun, Sentence: " comes first.", Remedy: "some of its handlers haven't returned.", Node: "/active/all"}},
		"the job runs, and the run is skipped": {server, nil, jobrun.Request{Overlap: jobrun.OverlapSkip}, later("job/sharding/0/running [E]\njob/sharding/1/running [E]"),
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"}},
		"another run, and it is skipped": {server, nil, jobrun.Request{Overlap: jobrun.OverlapSkip}, func(t *testing.T, b *bundle) {
			b.begin(t, b.submit(t, jobrun.Request{}).ID)
		}, jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"}},
		"an older request, and it is skipped": {server, nil, jobrun.Request{Overlap: jobrun.OverlapOne}, func(t *testing.T, b *bundle) {
			b.later(-time.Minute)
			b.submit(t, jobrun.Request{})
			b.later(time.Minute)
		}, jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"}},
		"the last run failed before it began": {
			server + `
job/extension/refused/10.0.0.1@-@7 [E] = "{\"code\":\"NOT_BEGUN\",\"text\":\"no such script\"}"`, nil, jobrun.Request{}, nil,
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"},
		},
		"the owner of one shard can't": {
			server + `
job/instances/10.0.0.2@-@2 [E]
job/servers/10.0.0.2 = ENABLED
job/extension/agents/10.0.0.2@-@2 [E] = go runs=1
job/extension/refused/10.0.0.2@-@2 [E] = "{\"code\":\"EXECUTOR_UNKNOWN\",\"text\":\"type 'ex1'\"}"`, nil, jobrun.Request{},
			later("- job/sharding/1/instance\njob/sharding/1/instance = 10.0.0.2@-@2"),
			jobrun.Wait{Code: jobrun.WaitObstacle, Sentence: "Processes that have shards of the run announce why they can't run them: 10.0.0.2@-@2: type 'ex1'.", Node: "/refused"},
		},
		"busy": {server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, func(t *testing.T, b *bundle) {
			for shard := range 2 {
				b.beginOne(t, b.submit(t, jobrun.Request{}).ID, shard)
			}
		}, jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "All 2 shards work on other runs.", Node: "/active"}},
		"W91 the only shard is busy": {
			server + `
job/config = "jobName: job\nshardingTotalCount: 1\nmonitorExecution: true\nprops:\n  run.deal: one\n"`, nil, jobrun.Request{},
			func(t *testing.T, b *bundle) { b.beginOne(t, b.submit(t, jobrun.Request{}).ID, 0) },
			jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "The only shard works on another run.", Node: "/active"},
		},
		"W89 the enabled shard is busy": {server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.beginOne(t, b.submit(t, jobrun.Request{}).ID, 0)
			b.Plant(t, "job/sharding/1/disabled")
		}, jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "All enabled shards work on other runs: 0. Disabled shards begin no run: 1.", Node: "/active"}},
		"W89 a busy shard was disabled": {server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, func(t *testing.T, b *bundle) {
			for shard := range 2 {
				b.beginOne(t, b.submit(t, jobrun.Request{}).ID, shard)
			}
			b.Plant(t, "job/sharding/1/disabled")
		}, jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "All enabled shards work on other runs: 0. Disabled shards begin no run: 1.", Node: "/active"}},
		"W89 the enabled shard runs for a fire time": {
			server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{Overlap: jobrun.OverlapSkip}, later("job/sharding/0/running [E]\njob/sharding/1/disabled"),
			jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "All enabled shards work on other runs: 0. Disabled shards begin no run: 1.", Node: "/active"},
		},
		"W89 all shards are disabled": {
			server, map[string]string{PropAssign: string(jobrun.AssignOne)}, jobrun.Request{}, later("job/sharding/0/disabled\njob/sharding/1/disabled"),
			jobrun.Wait{Code: jobrun.WaitShardsOff, Sentence: "All shards are disabled: 0-1.", Node: "/0/disabled"},
		},
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
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"},
		},
		"W89 expired, and its server is disabled": {"", nil, jobrun.Request{Expiry: 20 * time.Second}, func(_ *testing.T, b *bundle) { b.later(23 * time.Second) }, jobrun.Wait{
			Code: jobrun.WaitExpired, Sentence: "It didn't begin before it expired at",
		}},
		"W89 not yet expired, and its server is disabled": {"", nil, jobrun.Request{Expiry: 20 * time.Second}, nil, jobrun.Wait{
			Code: jobrun.WaitDisabled, Sentence: "are disabled: 10.0.0.1@-@7.", Node: "/servers",
		}},
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
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"},
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
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"},
		},
		"W89 a node below a record": {server, nil, jobrun.Request{}, func(t *testing.T, b *bundle) {
			b.begin(t, b.submit(t, jobrun.Request{}).ID)
			b.Plant(t, "job/extension/runs/active/all/note")
		}, jobrun.Wait{Code: jobrun.WaitNode, Sentence: "has child nodes that agents don't create", Node: "/active/all"}},
		"nothing": {server, nil, jobrun.Request{}, nil, jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides about it next"}},
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
				if got.Code != c.want.Code || !strings.Contains(got.Sentence, c.want.Sentence) || !strings.Contains(got.Remedy, c.want.Remedy) ||
					!strings.HasSuffix(got.Node, c.want.Node) || got.Node == "" {
					t.Errorf("%+v, want %+v", got, c.want)
				}
				if calm := got.Code == jobrun.WaitTime || got.Code == jobrun.WaitQueue || got.Code == jobrun.WaitAgent; (got.Remedy == "") != calm {
					t.Errorf("remedy %q", got.Remedy)
				}
			})
		})
	}
}

// TestRunThatNoInstanceWorksOn: a run was opened, and its shards wait for the owners.
func TestRunThatNoInstanceWorksOn(t *testing.T) {
	t.Parallel()
	const server = "job/servers/10.0.0.1 = ENABLED"
	for name, c := range map[string]struct {
		plant string // after the run was opened
		want  jobrun.Wait
	}{
		"disabled":        {"- job/servers/10.0.0.1\njob/servers/10.0.0.1 = DISABLED", jobrun.Wait{Code: jobrun.WaitDisabled, Sentence: "are disabled: 10.0.0.1@-@7."}},
		"no process":      {"- job/instances/10.0.0.1@-@7", jobrun.Wait{Code: jobrun.WaitNoProcess, Sentence: "No process serves the job."}},
		"a wrong cron":    {"- job/config\njob/config = \"jobName: job\\nshardingTotalCount: 2\\ncron: 0/20 * * * *\\n\"", jobrun.Wait{Code: jobrun.WaitConfig, Sentence: "cron"}},
		"shards disabled": {"job/sharding/0/disabled", jobrun.Wait{Code: jobrun.WaitShardsOff, Sentence: "were disabled after it was opened: 0."}},
		"a leader that is gone": {
			"job/leader/sharding/necessary\njob/leader/election/instance = 10.0.0.8@-@8",
			jobrun.Wait{Code: jobrun.WaitNoLeader, Sentence: "the leader is 10.0.0.8@-@8"},
		},
		"an owner that is gone": {"- job/sharding/1/instance\njob/sharding/1/instance = 10.0.0.8@-@8", jobrun.Wait{Code: jobrun.WaitNoOwner, Sentence: "has these shards: 1."}},
		"an unknown executor": {
			`job/extension/refused/10.0.0.1@-@7 [E] = "{\"code\":\"EXECUTOR_UNKNOWN\",\"text\":\"type 'ex1'\"}"`,
			jobrun.Wait{Code: jobrun.WaitObstacle, Sentence: "10.0.0.1@-@7: type 'ex1'."},
		},
		"the job runs": {"job/sharding/0/running [E]\njob/sharding/1/running [E]", jobrun.Wait{Code: jobrun.WaitBusy, Sentence: "a fire time or a trigger: 0-1."}},
		"a node below": {"job/extension/runs/active/all/note", jobrun.Wait{Code: jobrun.WaitNode, Sentence: "child nodes that agents don't create"}},
		"held":         {`job/extension/held = "{\"what\":\"all\",\"by\":\"anna\"}"`, jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides"}},
		"debug": {
			"- job/extension/agents/10.0.0.1@-@7\njob/extension/agents/10.0.0.1@-@7 [E] = go runs=1 debug=all",
			jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides"},
		},
		"nothing": {"", jobrun.Wait{Code: jobrun.WaitAgent, Sentence: "an agent decides"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zktest.Each(t, func(t *testing.T, srv zktest.Target) {
				b := newBundle(t, srv.Addr, nil)
				b.Plant(t, server)
				id := b.submit(t, jobrun.Request{}).ID
				b.open(t, id)
				b.Plant(t, c.plant)
				status, err := b.Explained(t.Context(), id)
				got := status.Wait
				if err != nil || status.State != jobrun.Running || got.Code != c.want.Code || !strings.Contains(got.Sentence, c.want.Sentence) || got.Node == "" {
					t.Errorf("%s, %+v, %v, want %+v", status.State, got, err, c.want)
				}
				if first, waits, err := b.First(t.Context()); err != nil || !waits || first.ID != id || first.Wait.Code != c.want.Code {
					t.Errorf("the first: %+v, %v, %v", first.Wait, waits, err)
				}
			})
		})
	}
}

// TestUnusableConfigurations: agents begin no requested run by them. Item parameters fail the run instead.
func TestUnusableConfigurations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config string
		code   jobrun.WaitCode
	}{
		"fine":            {"jobName: job\nshardingTotalCount: 2\n", jobrun.WaitAgent},
		"item parameters": {"jobName: job\nshardingTotalCount: 2\nshardingItemParameters: '0=a,zz'\n", jobrun.WaitAgent},
		"a past cron":     {"jobName: job\nshardingTotalCount: 2\ncron: 0 0 0 1 1 ? 2020\n", jobrun.WaitAgent},
		"cron":            {"jobName: job\nshardingTotalCount: 2\ncron: 0/20 * * * *\n", jobrun.WaitConfig},
		"never":           {"jobName: job\nshardingTotalCount: 2\ncron: 0 0 0 30 2 ?\n", jobrun.WaitConfig},
		"zone":            {"jobName: job\nshardingTotalCount: 2\ntimeZone: Mars\n", jobrun.WaitConfig},
		"property zone":   {"jobName: job\nshardingTotalCount: 2\nprops:\n  schedule.zone: Mars\n", jobrun.WaitConfig},
		"until":           {"jobName: job\nshardingTotalCount: 2\ncron: 0 0 4 * * ?\nprops:\n  schedule.until: soon\n", jobrun.WaitConfig},
		"exclude":         {"jobName: job\nshardingTotalCount: 2\ncron: 0 0 4 * * ?\nprops:\n  schedule.exclude: 1-7\n", jobrun.WaitConfig},
		"jitter":          {"jobName: job\nshardingTotalCount: 2\ncron: 0 0 4 * * ?\nprops:\n  schedule.jitter: x\n", jobrun.WaitConfig},
		"clock change":    {"jobName: job\nshardingTotalCount: 2\ncron: 0 0 4 * * ?\nprops:\n  cron.clock.change: x\n", jobrun.WaitConfig},
		"no shards":       {"jobName: job\nshardingTotalCount: 0\n", jobrun.WaitConfig},
		"no name":         {"shardingTotalCount: 2\n", jobrun.WaitConfig},
		"no document":     {"a: [", jobrun.WaitConfig},
		"empty":           {"", jobrun.WaitConfig},
		"removed":         {"-", jobrun.WaitConfig},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zktest.Each(t, func(t *testing.T, srv zktest.Target) {
				b := newBundle(t, srv.Addr, nil)
				b.Plant(t, "job/servers/10.0.0.1 = ENABLED")
				ticket := b.submit(t, jobrun.Request{})
				b.Plant(t, "- job/config")
				if c.config != "-" {
					b.Plant(t, fmt.Sprintf("job/config = %q", c.config))
				}
				status, err := b.Explained(t.Context(), ticket.ID)
				if err != nil || status.Wait.Code != c.code || status.Wait.Sentence == "" {
					t.Errorf("%+v, %v, want %s", status.Wait, err, c.code)
				}
			})
		})
	}
}

// open opens a queued request's run for each shard, like a steward. No agent claims a shard.
func (b *bundle) open(t *testing.T, id string) {
	t.Helper()
	status, err := b.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	ops, err := b.Begin(b.Tree.RunsActiveAll(), *Open(*status.request, 2, nil, "a", b.clock()).Record)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Store.Client.Multi(t.Context(), append(ops, zk.DeleteOp(status.path, status.version))...); err != nil {
		t.Fatal(err)
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
		b.Plant(t, "job/instances/a [E]")
		if status, err := b.Explained(t.Context(), id); err != nil || status.State != jobrun.Running || status.Wait.Code != "" {
			t.Errorf("%s waits for %+v, %v", status.State, status.Wait, err)
		}
		for _, instance := range []string{"a", "10.0.0.1@-@7"} { // All processes are killed.
			if err := b.Store.Client.Delete(t.Context(), b.Tree.Instance(instance), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
		}
		if status, err := b.Explained(t.Context(), id); err != nil || status.State != jobrun.Running || status.Wait.Code != jobrun.WaitNoProcess {
			t.Errorf("%s waits for %+v, %v, although no process serves the job", status.State, status.Wait, err)
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
