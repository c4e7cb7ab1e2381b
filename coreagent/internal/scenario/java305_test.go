package scenario_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// There's no released build of Java agents 3.0.5 that these tests could run. So we observed one
// built from source, and the tests change the tree in the same way.

// forgetServers acts like a Java agent 3.0.5 at its start: it deletes every server node with data
// (ENABLED or DISABLED) that has no instance.
func (b *fixture) forgetServers(job string) (forgotten []string) {
	b.Helper()
	tree := b.tree.Job(job)
	live := make(map[string]bool)
	for _, id := range b.children(tree.Instances()) {
		live[jobtree.InstanceIP(id)] = true
	}
	for _, ip := range b.children(tree.Servers()) {
		if data, _ := b.get(tree.Server(ip)); data != "" && !live[ip] {
			b.delete(tree.Server(ip))
			forgotten = append(forgotten, ip)
		}
	}
	return forgotten
}

// TestV12ServersForgottenBy305: an agent was cut off while a Java agent 3.0.5 started, so its
// server node was deleted. It should create the node again when it returns, and get its shards
// back.
func TestV12ServersForgottenBy305(t *testing.T) {
	for _, status := range []string{jobtree.ServerEnabled, jobtree.ServerDisabled} {
		t.Run(status, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}
				server := b.tree.Job("job").Server("10.0.0.2")
				first, second := b.agent(1).serve(job, nil).start(), b.agent(2).serve(job, nil).start()
				b.awaitOwners("job", second.id, first.id)
				b.put(server, status)
				second.cut()
				time.Sleep(3 * b.session)
				if forgotten := b.forgetServers("job"); len(forgotten) != 1 || forgotten[0] != "10.0.0.2" {
					t.Fatalf("forgotten %q", forgotten)
				}
				b.awaitOwners("job", first.id, first.id)
				second.reconnect()
				b.awaitOwners("job", second.id, first.id)
				// A disabled server is enabled when it returns, as in a fleet of 3.0.5 alone,
				// because the tree no longer shows that it was disabled.
				if data, _ := b.get(server); data != jobtree.ServerEnabled {
					t.Errorf("the server node is %q", data)
				}
				b.runs.forget()
				time.Sleep(25 * time.Second)
				if n := b.runs.count("job", 0); n < 2 || b.runs.count("job", 1) != n {
					t.Errorf("%d runs of shard 0, %d of shard 1", n, b.runs.count("job", 1))
				}
			})
		})
	}
}

// TestV12LambdaClassNames: Java agents of both releases register lambdas under different names, and
// ours should accept them as the same job. It should keep the stored name, because Java agents
// compare every character.
func TestV12LambdaClassNames(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		const old, young = "com.example.Main$$Lambda$", "com.example.Main$$Lambda"
		m := b.agent(1)
		for name, classes := range map[string][2]string{"rolled-on": {young, old}, "rolled-back": {old, young}, "same": {young, young}} {
			b.store(jobconfig.New(name, 1), classes[0])
			m.serve(coreagent.Job{Name: name, Shards: 1, Class: classes[1], Overwrite: true, Parameter: "new"}, nil)
		}
		m.start()
		for name, want := range map[string]string{"rolled-on": young, "rolled-back": old, "same": young} {
			if class, _ := b.get(b.tree.Job(name).Root()); class != want || b.config(name).Parameter != "new" {
				b.Errorf("%s has the class %q and the parameter %q", name, class, b.config(name).Parameter)
			}
		}
	})
}
