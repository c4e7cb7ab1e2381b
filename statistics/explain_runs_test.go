package statistics_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestR67ExplainNamesAWrongProperty: an invalid property for runs doesn't stop the schedule, but an
// invalid property of the schedule does. We should report both, with the allowed values.
func TestR67ExplainNamesAWrongProperty(t *testing.T) {
	for name, test := range map[string]struct {
		props     string
		fires     bool
		sentences []string
	}{
		"run.retries": {
			`  run.retries: many\n`, true,
			[]string{`NOTHING props.run.retries many: run.retries: "many" is not allowed; want a whole number from 0 to 100. Its default counts in its place.`},
		},
		"one beside cron": {
			"  " + runs.PropAssign + `: one\n`, true,
			[]string{"NOTHING props." + runs.PropAssign + " one: " + runs.PropAssign + ": one needs a job without cron. It counts all the same."},
		},
		"schedule.until, and several of runs": {
			`  schedule.until: soon\n  run.keep: -1\n  run.lost: never\n`, false,
			[]string{
				`JOB props.schedule.until soon: The configuration's props.schedule.until cannot be used: "soon" is not allowed; want a time such as 2026-12-24T08:00:00Z.`,
				`NOTHING props.run.lost never: run.lost: "never" is not allowed; want again or fail. Its default counts in its place.`,
				`NOTHING props.run.keep -1: run.keep: "-1" is not allowed; want a whole number from 0 to 1000. Its default counts in its place.`,
			},
		},
		"none": {`  run.retries: 3\n  run.expiry: -1\n`, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, sound(yearly+`props:\n`+test.props), func(t *testing.T, b bundle) {
				e, err := b.reader.Explain(t.Context(), "j")
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, f := range e.Findings {
					if f.Code == statistics.CodeRunPropertyWrong || f.Code == statistics.CodeConfigUnusable {
						got = append(got, string(f.Effect)+" "+f.Field+" "+f.Value+": "+f.Sentence)
					}
					if f.Advice == "" || f.Since.IsZero() {
						t.Errorf("finding %+v", f)
					}
				}
				if diff := cmp.Diff(test.sentences, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if e.NextFire.After(time.Time{}) != test.fires {
					t.Errorf("next fire %v", e.NextFire)
				}
				if !slices.ContainsFunc(e.Checks, func(c statistics.Check) bool { return c.Code == statistics.CheckNextFire }) && test.fires {
					t.Error("the next fire time is not among what is fine")
				}
			})
		})
	}
}

// TestW91ExplainNamesADelayedRequest: a delayed request waits for its time. If there are several,
// the first one should be reported.
func TestW91ExplainNamesADelayedRequest(t *testing.T) {
	due := time.Now().Add(time.Hour).Truncate(time.Second)
	node := func(id string, at time.Time) string {
		return "j/extension/runs/due/0" + id + "/" + jobtree.RunName(at, id) + fmt.Sprintf(` = "{\"v\":1,\"id\":\"%s\",\"deal\":\"each\",\"due\":%d}"`, id, at.UnixMilli()) + "\n"
	}
	each(t, sound(yearly)+"j/extension/runs/done\n"+node("1", due.Add(time.Minute))+node("2", due), func(t *testing.T, b bundle) {
		e, err := b.reader.Explain(t.Context(), "j")
		if err != nil {
			t.Fatal(err)
		}
		want := "Run 2 waits. It begins no earlier than " + due.UTC().Format(time.RFC3339) + "."
		if len(e.Findings) != 1 || e.Findings[0].Code != statistics.CodeRunWaits || e.Findings[0].Sentence != want || !e.Findings[0].Since.IsZero() {
			t.Errorf("findings %+v, want %q", e.Findings, want)
		}
	})
}

// TestW85LateNamesTheOwner: the finding should name the owners that should have run at the fire
// time, except owners that did run, by the registry's records.
func TestW85LateNamesTheOwner(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	for name, test := range map[string]struct {
		planted
		want []string
	}{
		"both":        {planted{runs: []string{"-2 ok,ok"}}, []string{secondID, leaderID}},
		"one":         {planted{runs: []string{"-2 ok,ok"}, fired: []int{-2, 0}}, []string{secondID}},
		"a shard off": {planted{runs: []string{"-2 ok,-"}, tree: "j/sharding/1/disabled"}, []string{secondID}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, server.Addr)
			test.plant(t, s)
			listed, answer := test.judge(t, s)
			if !slices.Equal(listed.Idle, test.want) || !slices.Equal(answer.Idle, test.want) {
				t.Errorf("the list names %v, Explain %v, want %v", listed.Idle, answer.Idle, test.want)
			}
			for _, id := range test.want {
				if !strings.Contains(answer.Summary, id) {
					t.Errorf("%s isn't in %q", id, answer.Summary)
				}
			}
		})
	}
}
