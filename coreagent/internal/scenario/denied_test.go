package scenario_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestMS07HalfDeniedTree: for some jobs the agent has no access to a part of their tree. Each
// should report the node, with growing pauses. The healthy job should keep running, and the others
// should run once they have access.
func TestMS07HalfDeniedTree(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		owner, err := zk.Connect(b.ctx(), zk.Config{Servers: []string{b.addr}, Dial: b.line, Digest: "somebody:else", Logger: slog.New(slog.DiscardHandler)})
		b.must(err)
		defer owner.Close()
		m := b.agent(1).serve(coreagent.Job{Name: "healthy", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}, nil).start()
		parts := []string{"servers", "leader", "sharding", "config"} // W86: config, as after a restart.
		for _, part := range parts {
			root := b.tree.Job(part + "-denied").Root()
			b.put(root, "")
			var data []byte
			if part == "config" {
				config := jobconfig.New(part+"-denied", 2)
				config.Cron = "* * * * * ?"
				encoded, err := config.Encode()
				b.must(err)
				data = encoded
			}
			_, err := owner.Create(b.ctx(), root+"/"+part, data, zk.Persistent)
			b.must(err)
			m.serve(coreagent.Job{Name: part + "-denied", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}, nil)
		}
		complaints := func(part string) int {
			n := 0
			for line := range strings.Lines(b.log.String()) {
				if strings.Contains(line, "job="+part+"-denied") && strings.Contains(line, "not permitted by the node's ACL") {
					n++
					if !strings.Contains(line, "/"+part) {
						b.Errorf("the complaint does not name the node: %s", line)
					}
				}
			}
			return n
		}
		b.await("each says what is denied", func() bool {
			for _, part := range parts {
				if complaints(part) == 0 {
					return false
				}
			}
			return true
		})
		n := b.runs.count("healthy", -1)
		b.await("the healthy job runs on", func() bool { return b.runs.count("healthy", -1) >= n+6 })
		for _, part := range parts {
			if n := complaints(part); n > 12 {
				b.Errorf("%s: %d complaints in a few seconds", part, n)
			}
			if n := b.runs.count(part+"-denied", -1); n > 0 {
				b.Errorf("%s: %d runs", part, n)
			}
		}
		for _, part := range parts { // W86: the agent announces the obstacle.
			refusal := b.tree.Job(part + "-denied").Refusal(m.id)
			b.await(part+" is told as forbidden", func() bool {
				data, exists := b.get(refusal)
				return exists && jobtree.DecodeObstacle([]byte(data)).Code == jobtree.ObstacleForbidden
			})
			if f := b.firstOf(owner, part+"-denied"); f.Code != statistics.CodeAgentObstacle || f.Effect != statistics.EffectJob || !strings.Contains(f.Sentence, "/"+part) {
				b.Errorf("%s is explained as %+v", part, f)
			}
		}
		for _, part := range parts {
			b.must(owner.DeleteAll(b.ctx(), b.tree.Job(part+"-denied").Root()+"/"+part))
		}
		for _, part := range parts {
			b.await(part+" is permitted and the job runs", func() bool {
				return b.runs.count(part+"-denied", 0) > 0 && b.runs.count(part+"-denied", 1) > 0
			})
			b.await(part+" is not told any more", func() bool { return !b.exists(b.tree.Job(part + "-denied").Refusal(m.id)) })
		}
		b.must(m.Stop(b.ctx()))
	})
}

// TestW86AnotherJobIsDenied: the agent may not read the configuration of another job. That
// shouldn't keep it from registering a new job that names its executor.
func TestW86AnotherJobIsDenied(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		owner, err := zk.Connect(b.ctx(), zk.Config{Servers: []string{b.addr}, Dial: b.line, Digest: "somebody:else", Logger: slog.New(slog.DiscardHandler)})
		b.must(err)
		defer owner.Close()
		root := b.tree.Job("denied").Root()
		b.put(root, "")
		_, err = owner.Create(b.ctx(), root+"/config", []byte("cron: 0 0 0 1 1 ?"), zk.Persistent)
		b.must(err)
		job := coreagent.Job{Name: "new", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1, Executor: coreagent.SingleThread}
		b.agent(1).serve(job, nil).start()
		b.await("the new job runs", func() bool { return b.runs.count("new", 0) > 0 })
	})
}
