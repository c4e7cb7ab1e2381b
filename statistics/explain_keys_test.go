package statistics_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

const (
	key304    = `jobExecutorServiceHandlerType: CPU\n`
	key305    = `jobExecutorThreadPoolSizeProviderType: CPU\n`
	traces305 = `jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration\n  type: RDB\n`
)

// neighbour returns the nodes of another job, with these keys in its configuration.
func neighbour(name, words string) string {
	return name + `/config = "jobName: ` + name + `\nshardingTotalCount: 1\n` + words + `"` + "\n"
}

// brokenKeys are configurations, leaders and shards with which some agents can't run the job.
var brokenKeys = map[string]broken{
	"an unknown key, all of Java": {
		tree: sound(yearly + `whatever: 1\n`), alone: true, without: ourAgents, says: "namely not whatever",
		want: []string{"CONFIG_KEY_UNKNOWN JOB config whatever since"},
	},
	"an unknown key, one of Java": {
		tree: sound(yearly + `whatever: 1\n`), alone: true, without: ourAgents[:1], says: "(10.0.0.1@-@7) fail at every fire time",
		want: []string{"CONFIG_KEY_UNKNOWN ITEMS config whatever server 10.0.0.1 instance 10.0.0.1@-@7 shards [1] since"},
	},
	"an unknown key, none of Java": {
		tree: sound(yearly + `whatever: 1\n`), alone: true, says: "a Java agent would fail",
		want: []string{"CONFIG_KEY_UNKNOWN NOTHING config whatever since"},
	},
	"the thread pools of both releases": {
		tree: sound(yearly + key304 + key305), alone: true, without: ourAgents, says: "jobExecutorServiceHandlerType, jobExecutorThreadPoolSizeProviderType",
		want: []string{"CONFIG_KEY_UNKNOWN JOB config jobExecutorServiceHandlerType since"},
	},
	"a thread pool and tracing of different releases": {
		tree: sound(yearly + key304 + traces305), alone: true, without: ourAgents, says: "no release reads both",
		want: []string{"CONFIG_KEY_UNKNOWN JOB config jobExecutorServiceHandlerType since"},
	},
	"words of 3.0.5 throughout": {
		tree: sound(yearly+key305+traces305) + neighbour("k", key305), alone: true, without: ourAgents, says: "Nothing prevents the job from running",
	},
	"the neighbours speak for another release": {
		tree: sound(yearly+key304) + neighbour("k", key305) + neighbour("l", ""), alone: true, without: ourAgents, says: "Perhaps the job starts no runs",
		want: []string{"CONFIG_OTHER_RELEASE NOTHING config jobExecutorServiceHandlerType since"},
	},
	"the neighbours do, and no agent is of Java": {
		tree: sound(yearly+key304) + neighbour("k", key305), alone: true, says: "Nothing prevents the job from running",
	},
	"the neighbours disagree": {
		tree: sound(yearly+key304) + neighbour("k", key305) + neighbour("l", key304), alone: true, without: ourAgents, says: "Nothing prevents the job from running",
	},
	"every shard is switched off": {
		tree: "j/sharding/0/disabled\nj/sharding/1/disabled", says: "The job starts no runs. Shards 0, 1: switched off by an operator, one by one",
		want: []string{"ITEM_DISABLED JOB sharding/0/disabled shards [0 1] since"},
	},
	"one of two, and one beyond": {
		tree: "j/sharding/0/disabled\nj/sharding/2/disabled", says: "A part of the job starts no runs",
		want: []string{"ITEM_DISABLED ITEMS sharding/0/disabled shards [0] since", "ITEM_DISABLED NOTHING sharding/2/disabled shards [2] since", "ITEM_BEYOND NOTHING sharding/2 shards [2]"},
	},
	"a leader's node without a session": {
		tree: ledBy("10.0.0.1@-@7"), alone: true, says: "by a node that no session holds",
		want: []string{`LEADER_GONE NOTHING leader/election/instance="10.0.0.1@-@7" instance 10.0.0.1@-@7 since`},
	},
	"one that names nobody there": {
		tree: ledBy("10.0.0.9@-@1") + "j/sharding/1/instance = 10.0.0.1@-@70", alone: true, says: "which is not registered",
		want: []string{
			`LEADER_GONE ITEMS leader/election/instance="10.0.0.9@-@1" instance 10.0.0.9@-@1 shards [1] since`,
			`ITEM_OWNER_GONE ITEMS sharding/1/instance="10.0.0.1@-@70" server 10.0.0.1 instance 10.0.0.1@-@70 shards [1]`,
		},
	},
	"an empty one": {
		tree: ledBy(`""`), alone: true, says: "Nothing prevents the job from running",
		want: []string{"NO_LEADER NOTHING leader/election/instance"},
	},
	"a marker of resharding without a session": {
		tree: "j/leader/sharding/processing", says: "no process holds it, and agents written in Go wait",
		want: []string{"RESHARDING_PROCESSING JOB leader/sharding/processing since"},
	},
	"one among agents of Java": {
		tree: "j/leader/sharding/processing", without: ourAgents, says: "Nothing prevents the job from running",
		want: []string{"RESHARDING_PROCESSING NOTHING leader/sharding/processing since"},
	},
}

// TestV05Explain: we should find causes that stop Java agents and aren't visible in the tree, and
// only give advice that can help.
func TestV05Explain(t *testing.T) {
	for name, test := range brokenKeys {
		t.Run(name, func(t *testing.T) {
			each(t, test.planted(), func(t *testing.T, b bundle) {
				e, err := b.reader.Explain(t.Context(), "j")
				if err != nil {
					t.Fatal(err)
				}
				checkExplanation(t, b, e, test)
				for _, f := range e.Findings {
					path := strings.TrimPrefix(f.Node, b.NS.Job("j").Root()+"/")
					if (path == "leader/election/instance" || path == "leader/sharding/processing") && !strings.Contains(f.Advice, "Delete it (deleteall "+f.Node+")") {
						t.Errorf("%s advises %q", f.Code, f.Advice)
					}
				}
			})
		})
	}
}

// ledBy returns a job. Its leader node has this data and no session.
func ledBy(data string) string {
	return strings.Replace(sound(yearly), "j/leader/election/instance [E] = 10.0.0.1@-@7", "j/leader/election/instance = "+data, 1)
}

// TestV11ExplainMarkOfAFailedItem: a marker left by a live Java agent looks like a long run. The
// advice should be in the finding that waits for it, and only there.
func TestV11ExplainMarkOfAFailedItem(t *testing.T) {
	for name, test := range map[string]struct {
		without []string
		says    bool
	}{"a Java agent": {ourAgents, true}, "one written in Go": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			tree := sound(`cron: 0/5 * * * * ?\n`) + "j/leader/sharding/necessary\nj/sharding/0/running = 10.0.0.10@-@8\n"
			each(t, tree+without(test.without), func(t *testing.T, b bundle) {
				now := time.Now().Add(time.Minute)
				b.reader.SetClock(func() time.Time { return now })
				e, err := b.reader.Explain(t.Context(), "j")
				if err != nil {
					t.Fatal(err)
				}
				advised := 0
				for _, f := range e.Findings {
					says := strings.Contains(f.Advice, "delete "+b.NS.Job("j").ItemRunning(0))
					if says {
						advised++
					}
					if says && f.Code != statistics.CodeOverrun && f.Code != statistics.CodeReshardingAnnounced {
						t.Errorf("%s advises %q", f.Code, f.Advice)
					}
				}
				if want := map[bool]int{true: 2, false: 0}[test.says]; advised != want {
					t.Errorf("%d findings advise to delete the marker, want %d: %+v", advised, want, e.Findings)
				}
			})
		})
	}
}
