package statistics_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestExplainSaysWhatIsFine: each rule that holds must be listed with its node. Rules that can't be
// checked must be missing.
func TestExplainSaysWhatIsFine(t *testing.T) {
	for name, test := range map[string]struct {
		tree string
		want []string
	}{
		"sound": {sound(yearly), []string{
			"CONFIG_READABLE config 0 0", "JOB_ENABLED servers 2 2", "NOT_HELD extension/held 0 0", "INSTANCES_ALIVE instances 2 2", "LEADER_ELECTED leader/election/instance=10.0.0.1@-@7 0 0",
			"NO_RESHARDING leader/sharding/necessary 0 0", "SHARDS_OWNED sharding/*/instance 2 0", "SHARDS_ENABLED sharding/*/disabled 0 0",
			"NO_STALE_RUN sharding/*/running 0 0", "NO_FAILOVER_WAITS leader/failover/items 0 0", "NO_MISFIRE_WAITS sharding/*/misfire 0 0", "NO_TRIGGER_WAITS trigger 0 0",
			"NEXT_FIRE_KNOWN config=0 0 0 1 1 ? 2099 0 0",
		}},
		"a shard is disabled, another has no owner": {sound(yearly) + "j/sharding/0/disabled\nj/sharding/1/instance = 10.9.9.9@-@1\nj/servers/10.0.0.10 = DISABLED", []string{
			"CONFIG_READABLE config 0 0", "JOB_ENABLED servers 1 2", "NOT_HELD extension/held 0 0", "INSTANCES_ALIVE instances 1 2", "LEADER_ELECTED leader/election/instance=10.0.0.1@-@7 0 0",
			"NO_STALE_RUN sharding/*/running 0 0", "NO_FAILOVER_WAITS leader/failover/items 0 0", "NO_MISFIRE_WAITS sharding/*/misfire 0 0", "NO_TRIGGER_WAITS trigger 0 0",
			"NEXT_FIRE_KNOWN config=0 0 0 1 1 ? 2099 0 0",
		}},
		"unreadable": {sound("") + `j/config = "jobName: j\nshardingTotalCount: many\n"`, []string{"JOB_ENABLED servers 2 2", "NOT_HELD extension/held 0 0", "INSTANCES_ALIVE instances 2 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, test.tree, func(t *testing.T, b bundle) {
				e, err := b.reader.Explain(t.Context(), "j")
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, check := range e.Checks {
					what := string(check.Code) + " " + strings.TrimPrefix(check.Node, b.NS.Job("j").Root()+"/")
					if check.Value != "" {
						what += "=" + check.Value
					}
					got = append(got, fmt.Sprintf("%s %d %d", what, check.N, check.M))
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// noContradiction fails if a rule and a finding contradict each other.
func noContradiction(t *testing.T, e *statistics.Explanation) {
	t.Helper()
	for _, check := range e.Checks {
		if slices.ContainsFunc(e.Findings, func(f statistics.Finding) bool { return slices.Contains(statistics.Against[check.Code], f.Code) }) {
			t.Errorf("%s holds, and %+v", check.Code, e.Findings)
		}
	}
}
