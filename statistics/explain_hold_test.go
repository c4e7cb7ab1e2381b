package statistics_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestW96RestartingAgentIsNotJavas: a Go agent that leaves while we read the job must not count as
// a Java agent.
func TestW96RestartingAgentIsNotJavas(t *testing.T) {
	srv, b := fakeBundle(t)
	b.Plant(t, sound(yearly)+`j/extension/held = {"what":"schedule","by":"root"}`)
	job, session, other := b.NS.Job("j"), b.Client.Session().ID, treetest.Connect(t, b.Addr)
	var mu sync.Mutex
	listed, left := false, false
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Session != session {
			return zkfake.None
		}
		mu.Lock()
		defer mu.Unlock()
		listed = listed || r.Path == job.Instances()
		if r.Path == job.Agents() && listed && !left {
			left = true
			if err := other.Delete(context.Background(), job.Agent("10.0.0.10@-@8"), zk.AnyVersion); err != nil {
				t.Error(err)
			}
		}
		return zkfake.None
	})
	e, err := statistics.NewReader(b.Registry()).Explain(t.Context(), "j")
	if err != nil {
		t.Fatal(err)
	}
	if f := e.Findings[0]; !left || f.Code != statistics.CodeHeld || strings.Contains(f.Sentence, "Java agents") {
		t.Errorf("%+v", f)
	}
}

// TestExplainHold: a hold explains why a job doesn't run. The finding should have the user and the
// reason. Java agents ignore holds.
func TestExplainHold(t *testing.T) {
	for name, test := range map[string]struct {
		tree, sentence string
		effect         statistics.Effect
		hold           jobrun.Hold
	}{
		"schedule": {
			`j/extension/held = {"what":"schedule","by":"root","at":0,"reason":"migration"}`,
			"The job is held by root: its fire times pass without a run. The reason: migration.", statistics.EffectJob,
			jobrun.Hold{What: "schedule", By: "root", Reason: "migration"},
		},
		"requests": {
			`j/extension/held = {"what":"requests","by":"root"}`,
			"The job is held by root: requested runs that no person asked for wait.", statistics.EffectNothing,
			jobrun.Hold{What: "requests", By: "root"},
		},
		"all, beside Java": {
			`j/extension/held = {"what":"all","by":"agent 10.0.0.1@-@7"}`,
			"The job is held by agent 10.0.0.1@-@7: its fire times pass without a run, and requested runs that no person asked for wait. Java agents do not know of a hold and fire: 10.0.0.10@-@8.", statistics.EffectShards,
			jobrun.Hold{What: "all", By: "agent 10.0.0.1@-@7"},
		},
		"a stranger's": {
			`j/extension/held = no JSON`,
			"The job is held by somebody: its fire times pass without a run, and requested runs that no person asked for wait.", statistics.EffectJob,
			jobrun.Hold{What: "all", By: "somebody"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tree := sound(yearly) + test.tree
			if strings.Contains(name, "Java") {
				tree = strings.Replace(tree, ourAgents[1]+" [E] = go", "", 1)
			}
			each(t, tree, func(t *testing.T, b bundle) {
				e, err := b.reader.Explain(t.Context(), "j")
				if err != nil {
					t.Fatal(err)
				}
				if len(e.Findings) == 0 || e.Findings[0].Code != statistics.CodeHeld {
					t.Fatalf("findings %+v", e.Findings)
				}
				f := e.Findings[0]
				if f.Sentence != test.sentence || f.Effect != test.effect || f.Advice == "" || f.Since.IsZero() {
					t.Errorf("finding %+v", f)
				}
				if diff := cmp.Diff(test.hold, f.Hold); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				job, err := b.reader.Job(t.Context(), "j")
				if err != nil || job.Held != test.hold {
					t.Errorf("%v %+v", err, job.Held)
				}
			})
		})
	}
}
