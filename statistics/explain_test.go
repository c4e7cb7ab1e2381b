package statistics_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// yearly has no fire time during the tests.
const yearly = `cron: 0 0 0 1 1 ? 2099\ntimeZone: GMT+8:00\n`

// The ids of sound's instances. The first is the leader and owns shard 1; the second owns shard 0.
const (
	leaderID = "10.0.0.1@-@7"
	secondID = "10.0.0.10@-@8"
)

// documentOf returns the configuration of sound with more lines.
func documentOf(more string) string {
	return `j/config = "jobName: j\nshardingTotalCount: 2\nmisfire: true\nmonitorExecution: true\nfailover: true\n` + more + `"` + "\n"
}

// without returns the lines that remove nodes.
func without(nodes []string) (lines string) {
	for _, node := range nodes {
		lines += "\n- " + node
	}
	return lines + "\n"
}

// sound returns a healthy job with two shards: a configuration, two servers with an instance each,
// two Go agents, a leader, and an owner for each shard.
func sound(config string) string {
	return documentOf(config) + `
		j/servers/10.0.0.1 = ENABLED
		j/servers/10.0.0.10 = ENABLED
		j/instances/10.0.0.1@-@7 [E] = "jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1\n"
		j/instances/10.0.0.10@-@8 [E] = "jobInstanceId: 10.0.0.10@-@8\nserverIp: 10.0.0.10\n"
		j/extension/runs/bell
		j/extension/agents/10.0.0.1@-@7 [E] = go
		j/extension/agents/10.0.0.10@-@8 [E] = go
		j/leader/election/instance [E] = 10.0.0.1@-@7
		j/sharding/0/instance = 10.0.0.10@-@8
		j/sharding/1/instance = 10.0.0.1@-@7
	`
}

// ourAgents are the nodes of sound's Go agents. Without them its instances are Java agents.
var ourAgents = []string{"j/extension/agents/" + leaderID, "j/extension/agents/" + secondID}

// line returns a finding in one line, without its sentences.
func line(f statistics.Finding, root string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", f.Code, f.Effect, strings.TrimPrefix(f.Node, root))
	if f.Field != "" {
		b.WriteString(" " + f.Field)
	}
	if f.Value != "" {
		fmt.Fprintf(&b, "=%q", f.Value)
	}
	if f.Server != "" {
		b.WriteString(" server " + f.Server)
	}
	if f.Instance != "" {
		b.WriteString(" instance " + f.Instance)
	}
	if len(f.Items) > 0 {
		fmt.Fprintf(&b, " shards %v", f.Items)
	}
	if !f.Since.IsZero() {
		b.WriteString(" since")
	}
	return b.String()
}

// broken is a tree and the expected findings.
type broken struct {
	tree    string   // added to sound, or used instead of it
	alone   bool     // use tree instead of sound
	without []string // nodes removed from sound
	late    time.Duration
	want    []string
	says    string // expected in the sentence of the first finding, or in the summary
}

func (b *broken) planted() string {
	tree := b.tree + without(b.without)
	if b.alone {
		return tree
	}
	return sound(yearly) + tree
}

var brokenTrees = map[string]broken{
	"sound":   {says: "Nothing prevents the job from running: it fires next at 2099-01-01 00:00:00 (GMT+8:00)."},
	"one-off": {tree: sound(""), alone: true, says: "Nothing prevents the job from running: it runs when it is triggered."},
	"no configuration": {
		tree: "j/servers/10.0.0.1 = ENABLED", alone: true, says: "no configuration",
		want: []string{"CONFIG_ABSENT JOB config"},
	},
	"unreadable configuration": {
		tree: `j/config = "jobName: j\nshardingTotalCount: many\n"`, says: "shardingTotalCount",
		want: []string{"CONFIG_UNREADABLE JOB config shardingTotalCount since"},
	},
	"configuration that is no document": {
		tree: `j/config = "jobName: j\ncron: */5 * * * * ?\npassword: hush\n"`, says: "line 2",
		want: []string{"CONFIG_UNREADABLE JOB config since"},
	},
	"empty configuration": {tree: `j/config`, says: "the document is empty", want: []string{"CONFIG_UNREADABLE JOB config since"}},
	"no shards": {
		tree: `j/config = "jobName: j\nshardingTotalCount: 0\nmonitorExecution: true\n"`, says: "shardingTotalCount should larger than zero",
		want: []string{`CONFIG_UNUSABLE JOB config shardingTotalCount="0" since`},
	},
	"no name": {
		tree: `j/config = "shardingTotalCount: 2\nmonitorExecution: true\n"`, says: "jobName can not be empty",
		want: []string{"CONFIG_UNUSABLE JOB config jobName since"},
	},
	"bad shard parameters": {
		tree: sound(yearly + `shardingItemParameters: 0-a\n`), alone: true, says: "should be int=xx",
		want: []string{`CONFIG_UNUSABLE JOB config shardingItemParameters="0-a" since`},
	},
	"bad cron": {
		tree: sound(`cron: 0 0 25 * * ?\n`), alone: true, says: "cron cannot be used",
		want: []string{`CONFIG_UNUSABLE JOB config cron="0 0 25 * * ?" since`},
	},
	"bad zone": {
		tree: sound(`cron: 0 0 0 1 1 ? 2099\ntimeZone: Asia/Shanghai\n`), alone: true, says: "Asia/Shanghai",
		want: []string{`CONFIG_UNUSABLE JOB config timeZone="Asia/Shanghai" since`},
	},
	"bad clock change": {
		tree: sound(yearly + `props:\n  cron.clock.change: perhaps\n`), alone: true, says: "perhaps",
		want: []string{`CONFIG_UNUSABLE JOB config props.cron.clock.change="perhaps" since`},
	},
	"R67 bad end": {
		tree: sound(yearly + `props:\n  schedule.until: soon\n`), alone: true, says: "props.schedule.until cannot be used",
		want: []string{`CONFIG_UNUSABLE JOB config props.schedule.until="soon" since`},
	},
	"R37 ended": {
		tree: sound(`cron: 0 0 0 1 1 ?\ntimeZone: GMT\nprops:\n  schedule.until: 2020-06-01T00:00:00Z\n`), alone: true, says: "ended on 2020-06-01 00:00:00 +00:00",
		want: []string{`SCHEDULE_ENDED JOB config props.schedule.until="2020-06-01T00:00:00Z" since`},
	},
	"the end is before the next fire": {
		tree: sound(`cron: 0 0 0 1 1 ? 2020,2099\ntimeZone: GMT\nprops:\n  schedule.until: 2098-01-01T00:00:00Z\n`), alone: true, says: "where schedule.until ends it: the cron expression's next time is",
		want: []string{`SCHEDULE_ENDED JOB config props.schedule.until="2098-01-01T00:00:00Z" since`},
	},
	"all that is left is excluded": {
		tree: sound(`cron: 0 0 0 1 1 ? 2020,2090\ntimeZone: GMT\nprops:\n  schedule.exclude: 2090-01-01\n`), alone: true, says: "schedule.exclude leaves out all that are left",
		want: []string{`CRON_NEVER_AGAIN JOB config props.schedule.exclude="2090-01-01" since`},
	},
	"R37 not begun": {
		tree: sound(`cron: 0 0 0 1 1 ?\ntimeZone: GMT\nprops:\n  schedule.from: 2099-01-01T00:00:00Z\n`), says: "it fires next at 2099-01-01 00:00:00",
		want: []string{`SCHEDULE_NOT_BEGUN NOTHING config props.schedule.from="2099-01-01T00:00:00Z" since`},
	},
	"R37 excluded": {
		tree: sound(`cron: 0 0 0 1 1 ?\ntimeZone: GMT\nprops:\n  schedule.exclude: 2000-01-01/2098-12-31\n`), says: "it fires next at 2099-01-01 00:00:00",
		want: []string{`DAY_EXCLUDED NOTHING config props.schedule.exclude="2000-01-01/2098-12-31" since`},
	},
	"zone that is none": {
		tree: sound(`cron: 0 0 0 1 1 ? 2099\ntimeZone: GMT+25\n`), alone: true, says: "take it for GMT",
		want: []string{`TIME_ZONE_IGNORED NOTHING config timeZone="GMT+25" since`},
	},
	"W91 a jitter too large": {
		tree: sound(`cron: 0 0 * * * ?\ntimeZone: GMT\nprops:\n  schedule.jitter: 40m\n`), alone: true, says: "fire times can change places",
		want: []string{`NUMBER_OUT_OF_BOUNDS NOTHING config props.schedule.jitter="40m0s" since`},
	},
	"W11 zone by name": {
		tree: sound(`cron: 0 0 0 1 1 ? 2099\nprops:\n  schedule.zone: Asia/Shanghai\n`), alone: true, says: "it fires next at 2099-01-01 00:00:00 (Asia/Shanghai)",
	},
	"W11 unknown zone": {
		tree: sound(`cron: 0 0 0 1 1 ? 2099\nprops:\n  schedule.zone: Mars\n`), alone: true, says: "props.schedule.zone cannot be used",
		want: []string{`CONFIG_UNUSABLE JOB config props.schedule.zone="Mars" since`},
	},
	"W11 zone beside Java": {
		tree: sound(`cron: 0 0 0 1 1 ? 2099\nprops:\n  schedule.zone: Asia/Shanghai\n`), alone: true, without: ourAgents[:1], says: "Nothing prevents the job from running",
		want: []string{`ZONE_UNKNOWN_TO_JAVA NOTHING config props.schedule.zone="Asia/Shanghai" since`},
	},
	"last fire time past": {
		tree: sound(`cron: 0 0 0 1 1 ? 2020\ntimeZone: GMT\n`), alone: true, says: "its last one is past",
		want: []string{`CRON_NEVER_AGAIN JOB config cron="0 0 0 1 1 ? 2020" since`},
	},
	"no such date": {
		tree: sound(`cron: 0 0 0 30 2 ?\n`), alone: true, says: "there is no such date",
		want: []string{`CONFIG_UNUSABLE JOB config cron="0 0 0 30 2 ?" since`},
	},
	"nobody there": {
		without: []string{"j/instances/10.0.0.1@-@7", "j/instances/10.0.0.10@-@8", "j/leader/election/instance"}, says: "No process serves the job",
		want: []string{"NO_INSTANCE JOB instances"},
	},
	"nobody there and disabled": {
		without: []string{"j/instances/10.0.0.1@-@7", "j/instances/10.0.0.10@-@8", "j/leader/election/instance"},
		tree:    "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", says: "No process serves the job",
		want: []string{"NO_INSTANCE JOB instances", `JOB_DISABLED JOB servers/10.0.0.10="DISABLED" since`},
	},
	"disabled everywhere": {
		tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED", says: "of its 2 servers none is enabled",
		want: []string{`JOB_DISABLED JOB servers/10.0.0.10="DISABLED" since`},
	},
	"enabled where nobody is": {
		tree: "j/servers/10.0.0.1 = DISABLED\nj/servers/10.0.0.10 = DISABLED\nj/servers/10.0.0.2 = ENABLED", says: "No instance of the job may run shards.",
		want: []string{
			"NO_ENABLED_INSTANCE JOB instances",
			`SERVER_DISABLED SERVER servers/10.0.0.1="DISABLED" server 10.0.0.1 instance 10.0.0.1@-@7 since`,
			`SERVER_DISABLED SERVER servers/10.0.0.10="DISABLED" server 10.0.0.10 instance 10.0.0.10@-@8 since`,
		},
	},
	"server disabled, shards with it": {
		tree: "j/servers/10.0.0.10 = DISABLED", says: "A part of the job starts no runs",
		want: []string{
			`ITEM_OWNER_DISABLED ITEMS sharding/0/instance="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0]`,
			`SERVER_DISABLED SERVER servers/10.0.0.10="DISABLED" server 10.0.0.10 instance 10.0.0.10@-@8 since`,
			"ONE_INSTANCE NOTHING instances",
		},
	},
	"W24 one instance": {
		without: []string{"j/instances/10.0.0.10@-@8"}, tree: "j/sharding/0/instance = 10.0.0.1@-@7", says: "Nothing prevents the job from running",
		want: []string{"ONE_INSTANCE NOTHING instances"},
	},
	"W24 one instance, without failover": {
		without: []string{"j/instances/10.0.0.10@-@8"}, tree: "j/sharding/0/instance = 10.0.0.1@-@7\n" + `j/config = "jobName: j\nshardingTotalCount: 2\nmonitorExecution: true\n` + yearly + `"`,
		says: "Nothing prevents the job from running",
	},
	"server not registered": {
		without: []string{"j/servers/10.0.0.10"}, tree: "j/sharding/0/instance = 10.0.0.1@-@7", says: "is not registered",
		want: []string{"SERVER_ABSENT SERVER servers/10.0.0.10 server 10.0.0.10 instance 10.0.0.10@-@8 since", "ONE_INSTANCE NOTHING instances"},
	},
	"instance that does not parse": {
		tree: "j/instances/10.0.0.10@-@8 [E] = TRIGGER\nj/sharding/0/instance = 10.0.0.1@-@7", says: "does not name its instance",
		want: []string{`INSTANCE_UNREADABLE SERVER instances/10.0.0.10@-@8="TRIGGER" server 10.0.0.10 instance 10.0.0.10@-@8 since`, "ONE_INSTANCE NOTHING instances"},
	},
	"nobody leads": {
		without: []string{"j/leader/election/instance"}, says: "Nothing prevents the job from running",
		want: []string{"NO_LEADER NOTHING leader/election/instance"},
	},
	"W91 nobody leads, somebody is in line": {
		without: []string{"j/leader/election/instance"},
		tree:    "j/leader/election/latch/_c_b-latch-0000000007 [E]\nj/leader/election/latch/_c_a-latch-0000000009 [E]",
		says:    "is leader/election/latch/_c_b-latch-0000000007, of 10.0.0.1",
		want:    []string{"NO_LEADER NOTHING leader/election/instance"},
	},
	"nobody leads, which is needed": {
		without: []string{"j/leader/election/instance"}, tree: "j/sharding/1/instance = 10.0.0.1@-@70",
		says: "The shards have to be assigned again: the owner of shard 1, 10.0.0.1@-@70, has left or is disabled.",
		want: []string{
			"NO_LEADER ITEMS leader/election/instance shards [1]",
			`ITEM_OWNER_GONE ITEMS sharding/1/instance="10.0.0.1@-@70" server 10.0.0.1 instance 10.0.0.1@-@70 shards [1]`,
		},
	},
	"nobody leads a static job, of which no leader would assign anything": {
		without: []string{"j/leader/election/instance"}, alone: true, tree: sound(yearly+`staticSharding: true\n`) + "j/sharding/1/instance = 10.0.0.1@-@70",
		says: "the owner is 10.0.0.1@-@70, which is not there",
		want: []string{
			`ITEM_OWNER_GONE ITEMS sharding/1/instance="10.0.0.1@-@70" server 10.0.0.1 instance 10.0.0.1@-@70 shards [1]`,
			"NO_LEADER NOTHING leader/election/instance",
		},
	},
	"the leader is not registered": {
		tree: "j/leader/election/instance [E] = 10.0.0.9@-@1", says: "Nothing prevents the job from running",
		want: []string{`LEADER_GONE NOTHING leader/election/instance="10.0.0.9@-@1" instance 10.0.0.9@-@1 since`},
	},
	"resharding announced, waits": {
		tree: "j/leader/sharding/necessary\nj/sharding/0/running = 10.0.0.10@-@8", says: "waits until these running markers go: shard 0 of 10.0.0.10@-@8",
		want: []string{
			"RESHARDING_ANNOUNCED JOB leader/sharding/necessary shards [0] since",
			`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
		},
	},
	"resharding announced, idle": {
		tree: "j/leader/sharding/necessary", says: "before anything runs, announced 20",
		want: []string{"RESHARDING_ANNOUNCED JOB leader/sharding/necessary since"},
	},
	"Java's leader is to reshard": {
		without: append([]string{"j/sharding/1/instance"}, ourAgents...), tree: "j/leader/sharding/necessary\nj/sharding/0/instance = 10.0.0.2@-@1",
		says: "Nothing prevents the job from running",
		want: []string{
			"RESHARDING_ANNOUNCED NOTHING leader/sharding/necessary instance 10.0.0.1@-@7 since",
			`ITEM_OWNER_GONE NOTHING sharding/0/instance="10.0.0.2@-@1" server 10.0.0.2 instance 10.0.0.2@-@1 shards [0]`,
		},
	},
	"Java's leader is to reshard when triggered": {
		without: ourAgents, tree: sound("") + "j/leader/sharding/necessary", alone: true, says: "it runs when it is triggered",
		want: []string{"RESHARDING_ANNOUNCED NOTHING leader/sharding/necessary instance 10.0.0.1@-@7 since"},
	},
	"Java's leader has let a fire time pass": {
		without: ourAgents, tree: sound(`cron: 0 * * * * ?\n`) + "j/leader/sharding/necessary", alone: true, late: 2 * time.Minute,
		says: "before anything runs, announced 20", want: []string{"RESHARDING_ANNOUNCED JOB leader/sharding/necessary since"},
	},
	"Java's leader waits": {
		without: ourAgents, tree: "j/leader/sharding/necessary\nj/sharding/0/running = 10.0.0.10@-@8", says: "waits until these running markers go: shard 0 of 10.0.0.10@-@8",
		want: []string{
			"RESHARDING_ANNOUNCED JOB leader/sharding/necessary shards [0] since",
			`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
		},
	},
	"Java's leader is disabled": {
		without: ourAgents, tree: "j/leader/sharding/necessary\nj/servers/10.0.0.1 = DISABLED", says: ", because the owner of shard 1, 10.0.0.1@-@7, has left or is disabled",
		want: []string{
			"RESHARDING_ANNOUNCED JOB leader/sharding/necessary since",
			`ITEM_OWNER_DISABLED ITEMS sharding/1/instance="10.0.0.1@-@7" server 10.0.0.1 instance 10.0.0.1@-@7 shards [1]`,
			`SERVER_DISABLED SERVER servers/10.0.0.1="DISABLED" server 10.0.0.1 instance 10.0.0.1@-@7 since`,
			"ONE_INSTANCE NOTHING instances",
		},
	},
	"misfire waiting on Java's agent": {
		without: ourAgents, tree: "j/sharding/0/misfire", says: "after the next run",
		want: []string{"MISFIRE_WAITING NOTHING sharding/0/misfire shards [0] since"},
	},
	"Java's agent runs past a fire time": {
		without: ourAgents, tree: sound(`cron: 0 0 * * * ?\ntimeZone: GMT+8:00\n`) + "j/sharding/0/running = 10.0.0.10@-@8", alone: true, late: 2 * time.Hour,
		says: "made up for once, after the next run",
		want: []string{
			`OVERRUN NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
			`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
		},
	},
	"nothing assigned": {
		without: []string{"j/sharding/0/instance", "j/sharding/1/instance"}, says: "nothing was assigned yet",
		want: []string{"NOTHING_DEALT JOB sharding"},
	},
	"shard without owner": {
		without: []string{"j/sharding/1/instance"}, says: "Shard 1: without an owner",
		want: []string{"ITEM_WITHOUT_OWNER ITEMS sharding/1/instance shards [1]"},
	},
	"shard without a node": {
		without: []string{"j/sharding/1/instance", "j/sharding/1"}, says: "Shard 1: without an owner",
		want: []string{"ITEM_WITHOUT_OWNER ITEMS sharding/1 shards [1]"},
	},
	"owner gone": {
		tree: "j/sharding/0/instance = 10.0.0.2@-@1\nj/sharding/1/instance = 10.0.0.2@-@1", says: "Shards 0, 1: the owner is 10.0.0.2@-@1",
		want: []string{`ITEM_OWNER_GONE JOB sharding/0/instance="10.0.0.2@-@1" server 10.0.0.2 instance 10.0.0.2@-@1 shards [0 1]`},
	},
	"shard disabled": {
		tree: "j/sharding/1/disabled", says: "A part of the job starts no runs: it fires next at 2099-01-01 00:00:00 (GMT+8:00). Shard 1: switched off",
		want: []string{"ITEM_DISABLED ITEMS sharding/1/disabled shards [1] since"},
	},
	"stale running marker": {
		tree: "j/sharding/1/running = 10.0.0.2@-@1", says: "marked as running by 10.0.0.2@-@1, which is not there",
		want: []string{`RUNNING_STALE ITEMS sharding/1/running="10.0.0.2@-@1" server 10.0.0.2 instance 10.0.0.2@-@1 shards [1] since`},
	},
	"shut down while it ran": {
		without: []string{"j/instances/10.0.0.10@-@8"}, tree: "j/sharding/0/instance = 10.0.0.1@-@7\nj/sharding/0/running [E] = 10.0.0.10@-@8", says: "has left the registry",
		want: []string{`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`, "ONE_INSTANCE NOTHING instances"},
	},
	"stale failover marker": {
		tree: "j/sharding/1/failover [E] = 10.0.0.2@-@1\nj/sharding/1/failovering = 10.0.0.2@-@1", says: "failed over to 10.0.0.2@-@1, which is not there",
		want: []string{`FAILOVER_STALE ITEMS sharding/1/failover="10.0.0.2@-@1" server 10.0.0.2 instance 10.0.0.2@-@1 shards [1] since`},
	},
	"stale failovering mark": {
		tree: "j/sharding/1/failovering = 10.0.0.2@-@1", says: "Nothing prevents the job from running",
		want: []string{`FAILOVER_STALE NOTHING sharding/1/failovering="10.0.0.2@-@1" server 10.0.0.2 instance 10.0.0.2@-@1 shards [1] since`},
	},
	"failed over and not run": {
		tree: "j/sharding/1/failover [E] = 10.0.0.10@-@8\nj/sharding/1/failovering = 10.0.0.10@-@8", says: "does not run it yet",
		want: []string{`FAILOVER_TAKEN ITEMS sharding/1/failover="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [1] since`},
	},
	"failover offered to the idle": {
		tree: "j/leader/failover/items/1", says: "no instance has taken it yet",
		want: []string{"FAILOVER_OFFERED ITEMS leader/failover/items/1 shards [1] since"},
	},
	"failover offered to the busy": {
		tree: "j/leader/failover/items/1\nj/sharding/0/running = 10.0.0.10@-@8\nj/sharding/1/running = 10.0.0.1@-@7", says: "no instance has taken it yet",
		want: []string{
			"FAILOVER_OFFERED ITEMS leader/failover/items/1 shards [1] since",
			`RUNNING NOTHING sharding/1/running="10.0.0.1@-@7" server 10.0.0.1 instance 10.0.0.1@-@7 shards [1] since`,
			`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
		},
	},
	"failover offered and off": {
		tree: `j/config = "jobName: j\nshardingTotalCount: 2\nmonitorExecution: true\n` + yearly + `"` + "\nj/leader/failover/items/1",
		says: "Nothing prevents the job from running",
		want: []string{"FAILOVER_OFFERED NOTHING leader/failover/items/1 shards [1] since"},
	},
	"misfire waiting": {
		tree: "j/sharding/0/misfire", says: "Nothing prevents the job from running",
		want: []string{"MISFIRE_WAITING NOTHING sharding/0/misfire shards [0] since"},
	},
	"running past a fire time": {
		tree: sound(`cron: 0 0 * * * ?\ntimeZone: GMT+8:00\n`) + "j/sharding/0/running = 10.0.0.10@-@8", alone: true, late: 2 * time.Hour,
		says: "made up for once, when the run ends",
		want: []string{
			`OVERRUN NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
			`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`,
		},
	},
	"running": {
		tree: "j/sharding/0/running = 10.0.0.10@-@8", late: 2 * time.Hour, says: "Nothing prevents the job from running",
		want: []string{`RUNNING NOTHING sharding/0/running="10.0.0.10@-@8" server 10.0.0.10 instance 10.0.0.10@-@8 shards [0] since`},
	},
	"shard beyond the count": {
		tree: "j/sharding/2/instance = 10.0.0.1@-@7", says: "Nothing prevents the job from running",
		want: []string{"ITEM_BEYOND NOTHING sharding/2 shards [2]"},
	},
	"monitorExecution off": {
		tree: `j/config = "jobName: j\nshardingTotalCount: 2\nfailover: true\n` + yearly + `"`, says: "Nothing prevents the job from running",
		want: []string{`MONITOR_OFF NOTHING config monitorExecution="false" since`},
	},
	"trigger not taken": {
		tree: "j/trigger/10.0.0.10@-@8\nj/trigger/10.0.0.2@-@1", says: "10.0.0.10@-@8 was triggered",
		want: []string{
			"TRIGGER_WAITING SERVER trigger/10.0.0.10@-@8 server 10.0.0.10 instance 10.0.0.10@-@8 since",
			"TRIGGER_ORPHANED NOTHING trigger/10.0.0.2@-@1 server 10.0.0.2 instance 10.0.0.2@-@1 since",
		},
	},
	"clocks compared": {
		tree: sound(yearly+`maxTimeDiffSeconds: 5\n`) + "j/systemTime/current", alone: true, says: "Nothing prevents the job from running",
		want: []string{`CLOCK_CHECKED NOTHING systemTime/current maxTimeDiffSeconds="5" since`},
	},
	"clocks not compared yet": {
		tree: sound(yearly + `maxTimeDiffSeconds: 5\n`), alone: true, says: "Nothing prevents the job from running",
		want: []string{`CLOCK_CHECKED NOTHING systemTime/current maxTimeDiffSeconds="5"`},
	},
	"2.1.x": {
		tree: "j/config = " + legacyConfig + "\nj/servers/10.0.0.1\nj/instances/10.0.0.1@-@7 [E] = TRIGGER\nj/leader/election/instance [E] = 10.0.0.1@-@7\nj/sharding/0/instance = 10.0.0.1@-@7", alone: true,
		says: "triggered",
		want: []string{`TRIGGER_WAITING SERVER instances/10.0.0.1@-@7="TRIGGER" server 10.0.0.1 instance 10.0.0.1@-@7 since`},
	},
	"text with a percent sign": {
		tree: "j/sharding/1/instance = 100%d@-@1", says: "Shard 1: the owner is 100%d@-@1, which",
		want: []string{`ITEM_OWNER_GONE ITEMS sharding/1/instance="100%d@-@1" server 100%d instance 100%d@-@1 shards [1]`},
	},
}

const legacyConfig = `"{\"jobName\":\"j\",\"jobType\":\"SIMPLE\",\"jobClass\":\"a.B\",\"cron\":\"0 0 0 1 1 ? 2099\",\"shardingTotalCount\":1,\"monitorExecution\":true}"`

func TestExplainBrokenTrees(t *testing.T) {
	for name, test := range brokenTrees {
		t.Run(name, func(t *testing.T) {
			each(t, test.planted(), func(t *testing.T, b bundle) {
				now := time.Now().Add(test.late)
				b.reader.SetClock(func() time.Time { return now })
				e, err := b.reader.Explain(t.Context(), "j")
				if err != nil {
					t.Fatal(err)
				}
				checkExplanation(t, b, e, test)
			})
		})
	}
}

func checkExplanation(t *testing.T, b bundle, e *statistics.Explanation, test broken) {
	t.Helper()
	noContradiction(t, e)
	var got []string
	root := b.NS.Job("j").Root() + "/"
	for _, f := range e.Findings {
		got = append(got, line(f, root))
		if f.Sentence == "" || strings.Contains(f.Sentence, "%!") || strings.Contains(f.Sentence, "hush") {
			t.Errorf("%s says %q", f.Code, f.Sentence)
		}
		if f.Effect != statistics.EffectNothing && f.Advice == "" {
			t.Errorf("%s does not say what to do", f.Code)
		}
		if !f.Since.IsZero() && (f.Since.Before(started) || f.Since.After(time.Now())) {
			t.Errorf("%s is there since %v", f.Code, f.Since)
		}
	}
	if diff := cmp.Diff(test.want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	answer := answerOf(t, b, e)
	if !strings.Contains(answer.Summary, test.says) && (len(e.Findings) == 0 || !strings.Contains(e.Findings[0].Sentence, test.says)) {
		t.Errorf("the summary is %q, want %q in it or in the first finding: %+v", answer.Summary, test.says, e.Findings)
	}
	if blocked := len(test.want) > 0 && strings.Contains(test.want[0], " JOB "); e.Blocked() != blocked {
		t.Errorf("blocked is %v", e.Blocked())
	}
}

// answerOf judges a job without runs, and compares the answer with the list.
func answerOf(t *testing.T, b bundle, e *statistics.Explanation) explain.Answer {
	t.Helper()
	row := statistics.Job{Name: e.Job, Status: statistics.StatusBroken, Findings: e.Findings}
	listed, there := b.jobs(t)[e.Job]
	if there {
		row = listed
		row.Findings = e.Findings
	}
	evidence := explain.Evidence{Job: &row, Runs: &explain.Digest{}, Known: true, Now: e.At}
	answer := explain.Explain(e, evidence)
	evidence.Job = &listed
	if in := explain.Judge(evidence); there && (in.State != answer.State || codeOf(in.Finding) != codeOf(answer.Finding)) {
		t.Errorf("the list says %s by %s, Explain %s by %s", in.State, codeOf(in.Finding), answer.State, codeOf(answer.Finding))
	}
	return answer
}

func codeOf(f *statistics.Finding) statistics.Code {
	if f == nil {
		return ""
	}
	return f.Code
}

// TestExplainWhoReshards: the resharding marker has no data, so the instance must be found by its
// session.
func TestExplainWhoReshards(t *testing.T) {
	each(t, sound(yearly)+"j/leader/sharding/necessary\nj/sharding/1/running = 10.0.0.1@-@7", func(t *testing.T, b bundle) {
		leader := treetest.Connect(t, b.Addr)
		job := b.NS.Job("j")
		for path, data := range map[string]string{
			job.Instance("10.0.0.3@-@4"): "jobInstanceId: 10.0.0.3@-@4\nserverIp: 10.0.0.1\n", job.Processing(): "",
		} {
			if _, err := leader.CreateAll(t.Context(), path, []byte(data), zk.Ephemeral); err != nil {
				t.Fatal(err)
			}
		}
		e, err := b.reader.Explain(t.Context(), "j")
		if err != nil {
			t.Fatal(err)
		}
		checkExplanation(t, b, e, broken{
			says: "assigned again by 10.0.0.3@-@4, announced 20",
			want: []string{
				"RESHARDING_PROCESSING JOB leader/sharding/processing instance 10.0.0.3@-@4 shards [1] since",
				`RUNNING NOTHING sharding/1/running="10.0.0.1@-@7" server 10.0.0.1 instance 10.0.0.1@-@7 shards [1] since`,
			},
		})
	})
}

func TestExplainWhatIsNoJob(t *testing.T) {
	each(t, "team/billing/config = x\n"+sound(yearly), func(t *testing.T, b bundle) {
		for _, name := range []string{"nope", "a/b", "", "..", "team"} {
			if e, err := b.reader.Explain(t.Context(), name); !errors.Is(err, statistics.ErrJobNotFound) {
				t.Errorf("%q: %+v, %v", name, e, err)
			}
		}
	})
}

func TestExplainFiresInTheJobsZone(t *testing.T) {
	each(t, sound(`cron: 0 30 8 * * ?\ntimeZone: GMT+8:00\n`), func(t *testing.T, b bundle) {
		b.reader.SetClock(func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) })
		e, err := b.reader.Explain(t.Context(), "j")
		if err != nil {
			t.Fatal(err)
		}
		if got := e.NextFire.Format(time.RFC3339); got != "2026-11-21T08:30:00+08:00" || e.Zone != "GMT+8:00" || e.ZoneAssumed || e.Obstacle() {
			t.Errorf("fires next at %s in %q, %+v", got, e.Zone, e)
		}
	})
}
