package statistics_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// The owners C, B and A are in the order that strategies use: descending as text.
const ownerA, ownerB, ownerC = "10.0.0.10@-@8", "10.0.0.1@-@7", "10.0.0.2@-@1"

// assigned gives each of the tree's two shards an owner.
func assigned(tree string) string {
	return tree + "j/sharding/0/instance = " + ownerB + "\nj/sharding/1/instance = " + ownerA + "\n"
}

var staticTree = assigned(strings.Replace(sound(""), "failover: true", "staticSharding: true", 1))

// ledByJava adds a third instance: a Java agent that is the leader.
const ledByJava = "j/servers/10.0.0.2 = ENABLED\nj/leader/election/instance [E] = " + ownerC + "\n" +
	"j/instances/" + ownerC + ` [E] = "jobInstanceId: ` + ownerC + `\nserverIp: 10.0.0.2\n"`

// membershipChanged is the usual reason for a resharding.
const membershipChanged = "instances, servers, the strategy or the number of shards changed"

// reshardPlans are changes with the expected plans.
var reshardPlans = map[string]struct {
	tree   string
	change statistics.Change
	want   statistics.ReshardPlan
	err    error
}{
	"no change": {want: statistics.ReshardPlan{Reason: "the shards are where they would be assigned", Owners: []string{ownerB, ownerA}, Instances: []string{ownerB, ownerA}}},
	"one leaves": {
		change: statistics.Change{Leave: []string{ownerB}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the owner of shard 0, " + ownerB + ", has left or is disabled",
			Moves: []statistics.Move{{0, ownerB, ownerA}}, Owners: []string{ownerA, ownerA}, Instances: []string{ownerA},
		},
	},
	"one that runs leaves": {
		tree: "j/sharding/0/running = " + ownerB + "\nj/sharding/1/running = " + ownerA, change: statistics.Change{Leave: []string{ownerB}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the owner of shard 0, " + ownerB + ", has left or is disabled", Waits: []int{0},
			Moves: []statistics.Move{{0, ownerB, ownerA}}, Owners: []string{ownerA, ownerA}, Instances: []string{ownerA},
		},
	},
	"all leave": {
		change: statistics.Change{Leave: []string{ownerA, ownerB}},
		want:   statistics.ReshardPlan{Reason: "no instance would be there to get shards", Owners: []string{ownerB, ownerA}},
	},
	"one comes": {
		change: statistics.Change{Join: []string{ownerC}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: membershipChanged,
			Moves: []statistics.Move{{0, ownerB, ownerC}, {1, ownerA, ownerB}}, Owners: []string{ownerC, ownerB}, Instances: []string{ownerC, ownerB, ownerA},
		},
	},
	"one comes to a disabled server": {
		tree: "j/servers/10.0.0.2 = DISABLED", change: statistics.Change{Join: []string{ownerC}},
		want: statistics.ReshardPlan{Reason: "the shards are where they would be assigned", Owners: []string{ownerB, ownerA}, Instances: []string{ownerB, ownerA}},
	},
	"a server is disabled": {
		change: statistics.Change{Disable: []string{"10.0.0.10"}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the owner of shard 1, " + ownerA + ", has left or is disabled",
			Moves: []statistics.Move{{1, ownerA, ownerB}}, Owners: []string{ownerB, ownerB}, Instances: []string{ownerB},
		},
	},
	"a server is enabled": {
		tree: "j/servers/10.0.0.10 = DISABLED\nj/sharding/1/instance = " + ownerB, change: statistics.Change{Enable: []string{"10.0.0.10"}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: membershipChanged,
			Moves: []statistics.Move{{1, ownerB, ownerA}}, Owners: []string{ownerB, ownerA}, Instances: []string{ownerB, ownerA},
		},
	},
	"fewer shards": {
		change: statistics.Change{Shards: 1},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the registry has 2 shards, the configuration has 1",
			Moves: []statistics.Move{{1, ownerA, ""}}, Owners: []string{ownerB}, Instances: []string{ownerB, ownerA},
		},
	},
	"more shards": {
		change: statistics.Change{Shards: 3},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the registry has 2 shards, the configuration has 3",
			Moves: []statistics.Move{{2, "", ownerB}}, Owners: []string{ownerB, ownerA, ownerB}, Instances: []string{ownerB, ownerA},
		},
	},
	"another strategy": {
		change: statistics.Change{Strategy: sharding.NameOdevity}, // The hash of "j" is 106.
		want: statistics.ReshardPlan{
			Reshards: true, Reason: membershipChanged,
			Moves: []statistics.Move{{0, ownerB, ownerA}, {1, ownerA, ownerB}}, Owners: []string{ownerA, ownerB}, Instances: []string{ownerB, ownerA},
		},
	},
	"another strategy, beside a leader of Java's": {
		tree: ledByJava, change: statistics.Change{Strategy: sharding.NameOdevity},
		want: statistics.ReshardPlan{
			Reason: "the leader is an agent of Java's: it applies another strategy only when the instances, the servers or the number of shards change",
			Owners: []string{ownerB, ownerA}, Instances: []string{ownerC, ownerB, ownerA},
		},
	},
	"another strategy and more shards, beside a leader of Java's": {
		tree: ledByJava, change: statistics.Change{Strategy: sharding.NameOdevity, Shards: 3},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the registry has 2 shards, the configuration has 3",
			Moves: []statistics.Move{{0, ownerB, ownerA}, {1, ownerA, ownerB}, {2, "", ownerC}}, Owners: []string{ownerA, ownerB, ownerC}, Instances: []string{ownerC, ownerB, ownerA},
		},
	},
	"another strategy and one leaves, beside a leader of Java's": {
		tree: ledByJava, change: statistics.Change{Strategy: sharding.NameOdevity, Leave: []string{ownerC}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: membershipChanged,
			Moves: []statistics.Move{{0, ownerB, ownerA}, {1, ownerA, ownerB}}, Owners: []string{ownerA, ownerB}, Instances: []string{ownerB, ownerA},
		},
	},
	"static": {
		tree: staticTree, change: statistics.Change{Leave: []string{ownerB}},
		want: statistics.ReshardPlan{Reason: "staticSharding is on, so no leader reshards, although the owner of shard 0, " + ownerB + ", has left or is disabled", Owners: []string{ownerB, ownerA}, Instances: []string{ownerA}},
	},
	"static, announced": {
		tree: staticTree + "j/leader/sharding/necessary", change: statistics.Change{Leave: []string{ownerB}},
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "a resharding is announced already",
			Moves: []statistics.Move{{0, ownerB, ownerA}}, Owners: []string{ownerA, ownerA}, Instances: []string{ownerA},
		},
	},
	"no change, and assigned otherwise": {
		tree: "j/sharding/0/instance = " + ownerA + "\nj/sharding/1/instance = " + ownerB,
		want: statistics.ReshardPlan{
			Reshards: true, Reason: "the assignment differs from the strategy's result for the current instances",
			Moves: []statistics.Move{{0, ownerA, ownerB}, {1, ownerB, ownerA}}, Owners: []string{ownerB, ownerA}, Instances: []string{ownerB, ownerA},
		},
	},
	"broken": {
		tree: "j/config = x", change: statistics.Change{Leave: []string{ownerB}},
		want: statistics.ReshardPlan{Reason: "no leader reshards while the configuration cannot be used"},
	},
	"drawn by lot":       {change: statistics.Change{Strategy: sharding.NameSingleShardingBalance}, err: statistics.ErrUnpredictable},
	"the agents' own":    {change: statistics.Change{Strategy: "NEAREST"}, err: statistics.ErrUnpredictable},
	"nobody to leave":    {change: statistics.Change{Leave: []string{ownerC}}, err: statistics.ErrInvalidChange},
	"there already":      {change: statistics.Change{Join: []string{ownerA}}, err: statistics.ErrInvalidChange},
	"no instance id":     {change: statistics.Change{Join: []string{"10.0.0.9"}}, err: statistics.ErrInvalidChange},
	"no such server":     {change: statistics.Change{Disable: []string{"10.0.0.9"}}, err: statistics.ErrInvalidChange},
	"negative":           {change: statistics.Change{Shards: -1}, err: statistics.ErrInvalidChange},
	"a mistyped total":   {change: statistics.Change{Shards: 2_000_000_000}, err: statistics.ErrInvalidChange},
	"too many named":     {change: statistics.Change{Enable: slices.Repeat([]string{"10.0.0.1"}, 1001)}, err: statistics.ErrInvalidChange},
	"leaves and is back": {change: statistics.Change{Leave: []string{ownerA}, Join: []string{ownerA}}, want: statistics.ReshardPlan{Reason: "the shards are where they would be assigned", Owners: []string{ownerB, ownerA}, Instances: []string{ownerB, ownerA}}},
}

func TestPlanReshard(t *testing.T) {
	for name, test := range reshardPlans {
		t.Run(name, func(t *testing.T) {
			each(t, assigned(sound(""))+test.tree, func(t *testing.T, b bundle) {
				got, err := b.reader.PlanReshard(t.Context(), "j", test.change)
				if test.err != nil {
					if !errors.Is(err, test.err) || got != nil {
						t.Errorf("%+v, %v; want %v", got, err, test.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				test.want.Job = "j"
				if diff := cmp.Diff(&test.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
	each(t, "j/servers/10.0.0.1 = ENABLED", func(t *testing.T, b bundle) {
		for _, name := range []string{"j", "nope", "a/b"} {
			if _, err := b.reader.PlanReshard(t.Context(), name, statistics.Change{}); !errors.Is(err, statistics.ErrJobNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestV20PlanIsBounded: an impossible number of shards, requested or stored, must not allocate
// memory.
func TestV20PlanIsBounded(t *testing.T) {
	t.Parallel()
	each(t, sound(""), func(t *testing.T, b bundle) {
		for shards, fits := range map[int]bool{jobconfig.MaxShards: true, jobconfig.MaxShards + 1: false, 1_000_000: false, 2_000_000_000: false} {
			plan, err := b.reader.PlanReshard(t.Context(), "j", statistics.Change{Shards: shards})
			switch {
			case fits && (err != nil || len(plan.Owners) != shards):
				t.Errorf("%d shards: %v", shards, err)
			case !fits && !errors.Is(err, statistics.ErrInvalidChange):
				t.Errorf("%d shards: %v", shards, err)
			}
		}
	})
	each(t, strings.Replace(sound(""), "shardingTotalCount: 2", "shardingTotalCount: 2000000000", 1), func(t *testing.T, b bundle) {
		plan, err := b.reader.PlanReshard(t.Context(), "j", statistics.Change{})
		if err != nil || len(plan.Owners) > 0 || !strings.Contains(plan.Reason, "cannot be used") {
			t.Errorf("%+v, %v", plan, err)
		}
	})
}

// ids are the instances that may join. Two are on the same server, and some addresses are prefixes
// of others.
var ids = []string{"10.0.0.1@-@100", "10.0.0.1@-@7", "10.0.0.12@-@1", "10.0.0.2@-@50", "10.0.0.3@-@3"}
