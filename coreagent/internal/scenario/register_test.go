package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestK08K09K25FirstStart checks which nodes a first start creates in an empty namespace, and in
// which order. Java assigns the shards at the first trigger, but our leader does it as soon as the
// flag is set. So the flag is removed and the assignments exist.
func TestK08K09K25FirstStart(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 3, Class: "com.example.Job", ShardParameters: "0=a"}, nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		b.awaitTidy("job")
		nodes, err := zktest.Collect(b.ctx(), b.tree.Job("job").Root(), b.fetch)
		b.must(err)
		f := zktest.Formatter{Data: func(path string, data []byte) string {
			if strings.Contains(path, b.tree.Job("job").Extension()) {
				return "" // Only we write it, and it's full of times.
			}
			return string(data)
		}}
		got := strings.Replace(f.Format(nodes), b.tree.Root(), "/ns", 1)
		if diff := cmp.Diff(firstStart, got); diff != "" {
			b.Errorf("-want +got\n%s", diff)
		}
		// They should all be created by one transaction, in Java's order.
		b.wantOrder("job", "+ /, + config, + servers, + servers/10.0.0.1, + instances, +e instances/"+m.id+
			", + leader, + leader/election, +e leader/election/instance, + leader/sharding"+
			", + sharding, + sharding/0, + sharding/0/instance, + sharding/1, + sharding/1/instance, + sharding/2, + sharding/2/instance")
		if n := b.runs.count("job", -1); n > 0 {
			b.Errorf("a one-off job ran %d times by itself", n)
		}
	})
}

// firstStart is the final tree of K25 without the empty latch. The agent that creates a job needs
// no latch, and the server removes an empty one anyway.
const firstStart = `/ns/job = com.example.Job
  config =
      | description: ''
      | disabled: false
      | failover: false
      | jobName: job
      | jobParameter: ''
      | maxTimeDiffSeconds: -1
      | misfire: true
      | monitorExecution: true
      | overwrite: false
      | reconcileIntervalMinutes: 10
      | shardingItemParameters: 0=a
      | shardingTotalCount: 3
      | staticSharding: false
  extension
    agents
      10.0.0.1@-@1 [a1]
  instances
    10.0.0.1@-@1 [a1] =
        | jobInstanceId: 10.0.0.1@-@1
        | serverIp: 10.0.0.1
  leader
    election
      instance [a1] = 10.0.0.1@-@1
    sharding
  servers
    10.0.0.1 = ENABLED
  sharding
    0
      instance = 10.0.0.1@-@1
    1
      instance = 10.0.0.1@-@1
    2
      instance = 10.0.0.1@-@1
`

// TestK25FirstAssignment checks the order of the steps of a stored job's first agent.
func TestK25FirstAssignment(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.store(jobconfig.New("job", 3), "job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 3}, nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		b.awaitTidy("job")
		b.wantOrder("job",
			"+ servers/10.0.0.1", "+e instances/"+m.id, "+e leader/election/latch/*", "+e leader/election/instance, - leader/election/latch/*",
			"+ leader/sharding/necessary", "+e leader/sharding/processing, + sharding/0, + sharding/1, + sharding/2",
			"+ sharding/0/instance, + sharding/1/instance, + sharding/2/instance, - leader/sharding/necessary, - leader/sharding/processing")
	})
}

// TestK10K11Overwrite: the stored configuration should apply, unless the job has Overwrite.
func TestK10K11Overwrite(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		b.store(jobconfig.New("job", 5), "stored.Class")
		before := b.stat(tree.Config())
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 3}, nil).start()
		b.awaitOwners("job", slices.Repeat([]string{m.id}, 5)...)
		if after := b.stat(tree.Config()); after.Version != before.Version {
			b.Errorf("the stored configuration was written: version %d, was %d", after.Version, before.Version)
		}
		m.triggerHere("job")
		b.await("five runs", func() bool { return b.runs.count("job", -1) == 5 })
		if r := b.nthRun("job", 4, 0); r.shard.Total != 5 {
			b.Errorf("total %d, want the stored 5", r.shard.Total)
		}

		// Another instance starts with a different configuration.
		root := b.stat(tree.Root())
		b.wire.forget()
		b.agent(2).serve(coreagent.Job{Name: "job", Shards: 3, Overwrite: true, Class: "stored.Class"}, nil).start()
		b.awaitOwners("job", "10.0.0.2@-@2", m.id, "10.0.0.2@-@2")
		if config := b.config("job"); config.Shards != 3 {
			b.Errorf("%d shards are stored", config.Shards)
		}
		if after := b.stat(tree.Root()); after.Version == root.Version {
			b.Error("the class was not written again")
		}
		b.wantOrder("job", "~ config, ~ /", "+ leader/sharding/necessary")
		b.awaitTidy("job")
	})
}

// TestK69OverwriteKeepsTaggedBlocks: if an agent overwrites the configuration, it should keep the
// parts that belong to Java agents.
func TestK69OverwriteKeepsTaggedBlocks(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		const block = `jobExtraConfigurations:
- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration
  tracingStorageConfiguration: !!org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration
    dataSourceClassName: org.h2.jdbcx.JdbcDataSource
    props: {url: 'jdbc:h2:mem:t', user: sa, password: ''}
  type: RDB
`
		b.store(jobconfig.New("job", 5), "job")
		plain, _ := b.get(tree.Config())
		stored := strings.Replace(plain, "jobName:", block+"jobExecutorThreadPoolSizeProviderType: CPU\nunknown: [1]\njobName:", 1)
		b.put(tree.Config(), stored)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 3, Overwrite: true, Executor: coreagent.SingleThread, Class: "job"}, nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		want := strings.NewReplacer("TotalCount: 5", "TotalCount: 3", "overwrite: false", "overwrite: true", "ProviderType: CPU", "ProviderType: SINGLE_THREAD").Replace(stored)
		if diff := cmp.Diff(want, first(b.get(tree.Config()))); diff != "" {
			b.Errorf("configuration (-want +got)\n%s", diff)
		}
	})
}

// TestK12Conflict: a job of another class should be refused without writing anything.
func TestK12Conflict(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.store(jobconfig.New("job", 1), "A")
		before := b.dump(b.tree.Root())
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Class: "B", Overwrite: true}, nil)
		err := m.Start(b.ctx())
		if !errors.Is(err, coreagent.ErrJobConflict) {
			b.Fatalf("start: %v", err)
		}
		const want = "Job conflict with register center. The job 'job' in register center's class is 'A', your job class is 'B'"
		if !strings.Contains(err.Error(), want) {
			b.Errorf("error %q lacks %q", err, want)
		}
		if typed := (*coreagent.JobError)(nil); !errors.As(err, &typed) || typed.Job != "job" || typed.Op != "start" {
			b.Errorf("error %#v", typed)
		}
		b.delete(b.tree.Job("job").Refusals()) // Go agents store the reason there while they live.
		b.delete(b.tree.Job("job").Extension())
		if diff := cmp.Diff(before, b.dump(b.tree.Root())); diff != "" {
			b.Errorf("the refused start wrote (-before +after)\n%s", diff)
		}
		select {
		case <-m.Done():
		default:
			b.Error("the agent is not stopped after a failed start")
		}
		if err := m.Start(b.ctx()); !errors.Is(err, coreagent.ErrAgentClosed) {
			b.Errorf("second start: %v", err)
		}
	})
}

// TestK13EmptyClass: if a job's node has no data, it should get the class of the agent that writes
// the configuration. An empty Job.Class should accept any stored class.
func TestK13EmptyClass(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.put(b.tree.Job("blank").Root(), "")
		b.store(jobconfig.New("java", 1), "com.example.Java")
		b.agent(1).
			serve(coreagent.Job{Name: "blank", Shards: 1, Class: "own.Class"}, nil).
			serve(coreagent.Job{Name: "java", Shards: 1, Overwrite: true, Parameter: "new"}, nil).
			serve(coreagent.Job{Name: "plain", Shards: 1}, nil).start()
		for job, want := range map[string]string{"blank": "own.Class", "java": "com.example.Java", "plain": "plain"} {
			if class, _ := b.get(b.tree.Job(job).Root()); class != want {
				b.Errorf("job %s has class %q, want %q", job, class, want)
			}
		}
		if got := b.config("java").Parameter; got != "new" {
			b.Errorf("the configuration was not overwritten: parameter %q", got)
		}
	})
}

// TestK14StartDisabled: a disabled server should neither lead nor run shards.
func TestK14StartDisabled(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Disabled: true}, nil).start()
		if status, _ := b.get(tree.Server("10.0.0.1")); status != jobtree.ServerDisabled {
			b.Errorf("server node %q", status)
		}
		b.await("no leader", func() bool { return !b.exists(tree.LeaderInstance()) })
		m.triggerHere("job")
		want := []string{"TASK_STAGING Job 'job' execute begin.", "TASK_FINISHED Sharding item for job 'job' is empty."}
		b.await("an empty run", func() bool { return len(m.trace.states("job")) == 2 })
		if diff := cmp.Diff(want, m.trace.states("job")); diff != "" {
			b.Errorf("trace (-want +got)\n%s", diff)
		}
		if b.exists(tree.LeaderInstance()) {
			b.Error("a disabled instance leads")
		}
		b.put(tree.Server("10.0.0.1"), jobtree.ServerEnabled)
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("a run after enabling", func() bool { return b.runs.count("job", 0) == 1 })
	})
}

// TestMS33MS35OperatorsDisabledSurvivesRestart: a restart shouldn't enable a server that an
// operator has disabled (MS-35).
func TestMS33MS35OperatorsDisabledSurvivesRestart(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		job := coreagent.Job{Name: "job", Shards: 1}
		server := b.tree.Job("job").Server("10.0.0.1")
		first := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", first.id)
		b.put(server, jobtree.ServerDisabled)
		b.must(first.Stop(b.ctx()))
		second := b.agent(1).serve(job, nil).start()
		second.triggerHere("job")
		b.await("an empty run", func() bool { return len(second.trace.states("job")) == 2 })
		if status, _ := b.get(server); status != jobtree.ServerDisabled || b.runs.count("job", -1) > 0 {
			b.Errorf("server node %q, %d runs", status, b.runs.count("job", -1))
		}
	})
}

// TestMS29InstanceIDTaken: two processes with the same address and process number should get
// different ids and share the shards (MS-29).
func TestMS29InstanceIDTaken(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		job := coreagent.Job{Name: "job", Shards: 4}
		b.agent(1).serve(job, nil).start()
		b.agent(1).serve(job, nil).start()
		tree := b.tree.Job("job")
		ids := b.children(tree.Instances())
		if len(ids) != 2 || ids[0] != "10.0.0.1@-@1" || !strings.HasPrefix(ids[1], "10.0.0.1@-@1-") {
			b.Fatalf("instances %q", ids)
		}
		if b.stat(tree.Instance(ids[0])).EphemeralOwner == b.stat(tree.Instance(ids[1])).EphemeralOwner {
			b.Error("one session owns both")
		}
		info, ok, err := jobtree.DecodeInstance([]byte(first(b.get(tree.Instance(ids[1])))))
		if !ok || err != nil || info.ID != ids[1] || info.ServerIP != "10.0.0.1" {
			b.Errorf("instance node %+v %v %v", info, ok, err)
		}
		b.awaitOwners("job", ids[1], ids[1], ids[0], ids[0])
	})
}

func first[A, B any](a A, _ B) A { return a }

// TestMS30AddressesThatArePrefixes: disabling 10.0.0.1 shouldn't affect 10.0.0.10 and 10.0.0.100
// (MS-30).
func TestMS30AddressesThatArePrefixes(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		job := coreagent.Job{Name: "job", Shards: 3}
		for _, n := range []int{1, 10, 100} {
			b.agent(n).serve(job, nil).start()
		}
		b.awaitOwners("job", "10.0.0.1@-@1", "10.0.0.10@-@10", "10.0.0.100@-@100")
		b.put(b.tree.Job("job").Server("10.0.0.1"), jobtree.ServerDisabled)
		b.awaitOwners("job", "10.0.0.10@-@10", "10.0.0.100@-@100", "10.0.0.10@-@10")
		b.put(b.tree.Job("job").Server("10.0.0.1"), jobtree.ServerEnabled)
		b.put(b.tree.Job("job").Server("10.0.0.100"), jobtree.ServerDisabled)
		b.awaitOwners("job", "10.0.0.1@-@1", "10.0.0.10@-@10", "10.0.0.1@-@1")
	})
}

// TestMS36RemovedJobStaysRemoved: an operator removes a job while it runs. No node of it should
// come back (MS-36), neither at the end of the run nor when the agent stops.
func TestMS36RemovedJobStaysRemoved(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true}, open.handle).start()
		other := b.agent(2).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true}, nil).start()
		b.await("both run", func() bool { return b.runs.count("job", 0) > 0 && b.runs.count("job", 1) > 0 })
		b.await("the job is deleted", func() bool { // The deletion is refused if agents write something in between.
			return b.client.DeleteAll(b.ctx(), tree.Root()) == nil
		})
		ran := b.runs.count("job", -1)
		b.while(1500*time.Millisecond, "the job stays removed", func() bool { return !b.exists(tree.Root()) })
		close(open)
		b.await("the run has ended", func() bool { return !b.nthRun("job", 1, 0).end.IsZero() })
		b.while(1500*time.Millisecond, "the job stays removed after its run", func() bool { return !b.exists(tree.Root()) })
		b.must(m.Stop(b.ctx()))
		b.must(other.Stop(b.ctx()))
		if b.exists(tree.Root()) {
			b.Errorf("the job came back:\n%s", b.dump(tree.Root()))
		}
		if now := b.runs.count("job", -1); now > ran+2 {
			b.Errorf("%d runs after the removal", now-ran)
		}
	})
}

// TestK43TriggerTextInInstance: the text that ElasticJob 2.x used as a trigger should do nothing,
// and not change the assignment.
func TestK43TriggerTextInInstance(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		b.put(tree.Instance(m.id), "TRIGGER")
		b.while(time.Second, "the text is left alone and nothing runs", func() bool {
			data, _ := b.get(tree.Instance(m.id))
			return data == "TRIGGER" && b.runs.count("job", -1) == 0
		})
	})
}

// TestK44K45ForeignInstances: instances without usable data should get no shards, and neither
// should instances on a server that isn't ENABLED.
func TestK44K45ForeignInstances(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		foreign := func(id, data, status string) {
			b.put(tree.Server(jobtree.InstanceIP(id)), status)
			_, err := b.client.CreateAll(b.ctx(), tree.Instance(id), []byte(data), zk.Ephemeral)
			b.must(err)
		}
		document := func(id string) string {
			return string(jobtree.EncodeInstance(jobtree.InstanceInfo{ID: id, ServerIP: jobtree.InstanceIP(id)}))
		}
		foreign("10.0.0.7@-@1", "", jobtree.ServerEnabled)
		foreign("10.0.0.8@-@1", "TRIGGER", jobtree.ServerEnabled)
		foreign("10.0.0.9@-@go-77", document("10.0.0.9@-@go-77"), "")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		b.put(tree.Server("10.0.0.9"), jobtree.ServerEnabled)
		b.awaitOwners("job", "10.0.0.9@-@go-77", m.id)
	})
}

// TestK47InstanceDeleted: an operator shuts the job down on one instance by deleting its node. The
// process and its other jobs should continue.
func TestK47InstanceDeleted(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		b.awaitOwners("other", m.id)
		b.delete(tree.Instance(m.id))
		b.await("no leader", func() bool { return !b.exists(tree.LeaderInstance()) })
		m.triggerHere("job")
		m.triggerHere("other")
		b.await("the other job runs", func() bool { return b.runs.count("other", 0) == 1 })
		b.while(time.Second, "the job stays shut down", func() bool {
			return b.runs.count("job", -1) == 0 && !b.exists(tree.Instance(m.id)) && !b.exists(tree.LeaderInstance())
		})
		b.must(m.Stop(b.ctx()))
	})
}

// TestSeveralAgentsInOneProcess: jobs with the same name in two namespaces should be independent.
func TestSeveralAgentsInOneProcess(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		other := newFixtureOver(b.T, b.addr, b.line)
		other.fake = b.fake
		beds := []*fixture{b, other}
		var members []*member
		for i, b := range beds {
			members = append(members, b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Parameter: fmt.Sprint(i)}, nil).start())
		}
		for i, b := range beds {
			b.awaitOwners("job", "10.0.0.1@-@1")
			b.must(members[i].Trigger(b.ctx(), "job"))
			b.await("a run", func() bool { return b.runs.count("job", 0) == 1 })
			if got := b.nthRun("job", 0, 0).shard.JobParameter; got != fmt.Sprint(i) {
				b.Errorf("namespace %d ran with parameter %q", i, got)
			}
		}
		b.must(members[0].Stop(b.ctx()))
		b.await("the other agent serves on", func() bool {
			// As in ElasticJob, a trigger is dropped while the previous run is cleaning up.
			if !beds[1].exists(beds[1].tree.Job("job").Trigger(members[1].id)) && len(beds[1].runs.of("job", 0)) == 1 {
				b.must(members[1].Trigger(b.ctx(), "job"))
			}
			return len(beds[1].runs.of("job", 0)) > 1
		})
	})
}

// TestAddAfterStart: Add should register in the background, and refuse a name that the agent
// already has.
func TestAddAfterStart(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "early", Shards: 1}, nil)
		if err := m.Trigger(b.ctx(), "early"); !errors.Is(err, coreagent.ErrNotStarted) {
			b.Errorf("trigger before start: %v", err)
		}
		m.start()
		m.serve(coreagent.Job{Name: "late", Shards: 1}, nil)
		b.awaitOwners("late", m.id)
		b.must(m.Trigger(b.ctx(), "late"))
		b.await("the late job runs", func() bool { return b.runs.count("late", 0) == 1 })

		nop := coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil })
		if err := m.Add(coreagent.Job{Name: "late", Shards: 1}, nop); !errors.Is(err, coreagent.ErrDuplicateJob) {
			b.Errorf("duplicate: %v", err)
		}
		if err := m.Trigger(b.ctx(), "none"); !errors.Is(err, coreagent.ErrUnknownJob) {
			b.Errorf("unknown job: %v", err)
		}
		b.must(m.Start(b.ctx())) // A second start does nothing.
		b.must(m.Stop(b.ctx()))
		b.must(m.Stop(b.ctx()))
		if err := m.Add(coreagent.Job{Name: "never", Shards: 1}, nop); !errors.Is(err, coreagent.ErrAgentClosed) {
			b.Errorf("add after stop: %v", err)
		}
		if err := m.Trigger(b.ctx(), "late"); !errors.Is(err, coreagent.ErrAgentClosed) {
			b.Errorf("trigger after stop: %v", err)
		}
	})
}

// TestExecutorInTheWordsOfTheTree: the configuration's key for the thread pool has a new name in
// 3.0.5, and agents of each release fail on the other's. If a job needs the key, we should use the
// name that's used in the namespace, and otherwise leave it out.
func TestExecutorInTheWordsOfTheTree(t *testing.T) {
	const older, newer = "jobExecutorServiceHandlerType", "jobExecutorThreadPoolSizeProviderType"
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).
			serve(coreagent.Job{Name: "plain", Shards: 1}, nil).
			serve(coreagent.Job{Name: "default", Shards: 1, Executor: coreagent.CPU}, nil).
			serve(coreagent.Job{Name: "first", Shards: 1, Executor: coreagent.SingleThread}, nil).start()
		for job, key := range map[string]string{"plain": "", "default": "", "first": older} {
			text, _ := b.get(b.tree.Job(job).Config())
			if strings.Contains(text, older) != (key == older) || strings.Contains(text, newer) {
				b.Errorf("%s is written as\n%s", job, text)
			}
		}
		// Now agents of 3.0.5 use the namespace.
		for _, job := range []string{"java1", "java2"} {
			b.store(jobconfig.New(job, 1), job)
			text, _ := b.get(b.tree.Job(job).Config())
			b.put(b.tree.Job(job).Config(), newer+": CPU\n"+text)
		}
		m.serve(coreagent.Job{Name: "second", Shards: 1, Executor: coreagent.SingleThread}, nil)
		b.await("it is written", func() bool { return b.exists(b.tree.Job("second").Config()) })
		if text, _ := b.get(b.tree.Job("second").Config()); !strings.Contains(text, newer+": SINGLE_THREAD\n") || strings.Contains(text, older) {
			b.Errorf("written as\n%s", text)
		}
		// A stored job should keep its name of the key, no matter what other jobs use.
		b.agent(2).serve(coreagent.Job{Name: "first", Shards: 2, Executor: coreagent.SingleThread, Overwrite: true}, nil).start()
		if text, _ := b.get(b.tree.Job("first").Config()); !strings.Contains(text, older+": SINGLE_THREAD\n") || strings.Contains(text, newer) || !strings.Contains(text, "shardingTotalCount: 2") {
			b.Errorf("rewritten as\n%s", text)
		}
	})
}
