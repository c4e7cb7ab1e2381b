//go:build interop

package interop

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestLegacyTree has the console's two halves read and operate the job of a
// real agent of 2.1.5: its configuration is JSON, a trigger is a word in the
// instance's node, a server that says nothing is enabled. An agent of ours
// refuses the job and leaves it as it is.
func TestLegacyTree(t *testing.T) {
	t.Parallel()
	t.Run("java-"+legacy, func(t *testing.T) {
		t.Parallel()
		f := newFleet(t, legacy, neverFires, "--shards=3", "--item-parameters=0=a,1=b,2=c", "--parameter=p", "--description=old")
		agent := f.startJava("java")
		order, name := f.operator(), f.job.Name()

		before := f.get(t.Context(), f.job.Config())
		d := f.detail()
		if d.Generation != "2.x" || d.Job.Shards != 3 || d.Type != "SIMPLE" || d.Instances[0].ID != agent.id ||
			d.Class != javaClass || d.Description != "old" || "--cron="+d.Cron != neverFires || d.OneOff {
			t.Errorf("the job is read as %+v", d)
		}

		f.trigger()
		f.awaitLegacyRuns(time.Time{}, 3)
		f.awaitData(f.job.Instance(agent.id), "")
		d = f.detail()
		if d.Status != statistics.StatusOK || len(d.Shards) != 3 || d.Shards[2].Parameter != "c" || d.Shards[2].Instance != agent.id {
			t.Errorf("after a run the job is read as %+v", d)
		}

		disableLegacyItem(t, f)

		f.obeyed(order.Disable(t.Context(), name))
		if d = f.detail(); d.Status != statistics.StatusDisabled {
			t.Errorf("the disabled job is read as %+v", d.Job)
		}
		if _, err := order.Trigger(t.Context(), name); err == nil {
			t.Error("a disabled job was triggered")
		}
		f.obeyed(order.Enable(t.Context(), name))
		from := time.Now()
		f.trigger()
		f.awaitLegacyRuns(from, 3)

		editLegacy(t, f, before, agent)
		refusesOurs(t, f)

		f.obeyed(order.Shutdown(t.Context(), name))
		f.awaitDeparture(agent)
		if d = f.detail(); d.Status != statistics.StatusCrashed {
			t.Errorf("the job without instances is read as %+v", d.Job)
		}
		agent.kill()
		f.obeyed(order.Remove(t.Context(), name))
		f.awaitAbsent(f.job.Root())
	})
}

// disableLegacyItem: a disabled shard does not run and is shown so.
func disableLegacyItem(t *testing.T, f *fleet) {
	t.Helper()
	order, name := f.operator(), f.job.Name()
	if err := order.DisableShard(t.Context(), name, 1); err != nil {
		t.Fatal(err)
	}
	from := time.Now()
	f.trigger()
	for _, r := range f.awaitLegacyRuns(from, 2) {
		if r.item == 1 {
			t.Errorf("shard 1 is disabled, but %v", r)
		}
	}
	if d := f.detail(); d.Shards[1].Status != statistics.ShardDisabled {
		t.Errorf("shard 1 is read as %+v", d.Shards[1])
	}
	if err := order.EnableShard(t.Context(), name, 1); err != nil {
		t.Fatal(err)
	}
}

// refusesOurs: an agent of ours leaves such a tree as it is.
func refusesOurs(t *testing.T, f *fleet) {
	tree := f.dump()
	refused := f.launchGo("go", lowAddress)
	if reason := f.awaitRefused(refused); !strings.Contains(reason, "2.") {
		t.Errorf("ours was refused for another reason: %s", reason)
	}
	if now := f.dump(); now != tree {
		t.Errorf("the refused agent left\n%s\nof\n%s", now, tree)
	}
}

// editLegacy changes two keys of the configuration, and nothing else of it.
func editLegacy(t *testing.T, f *fleet, before string, agent *process) {
	t.Helper()
	f.configure(func(c *jobconfig.Config) { c.Shards, c.Parameter = 5, "q" })
	after := f.get(t.Context(), f.job.Config())
	want := strings.NewReplacer(`"shardingTotalCount":3`, `"shardingTotalCount":5`, `"jobParameter":"p"`, `"jobParameter":"q"`).Replace(before)
	if after != want {
		t.Errorf("the edited configuration is\n%s\nwant\n%s", after, want)
	}
	from := time.Now()
	f.trigger()
	for _, r := range f.awaitLegacyRuns(from, 5) {
		if !strings.HasSuffix(r.line, " job=q total=5") {
			t.Errorf("after the edit %s reported %q", agent.name, r.line)
		}
	}
}

func (f *fleet) detail() statistics.JobDetail {
	f.t.Helper()
	d, err := statistics.NewReader(treetest.Registry(f.client, f.tree)).Job(f.t.Context(), f.job.Name())
	if err != nil {
		f.t.Fatal(err)
	}
	return d
}

// awaitLegacyRuns is awaitRuns that watches a moment longer.
func (f *fleet) awaitLegacyRuns(from time.Time, n int) []*run {
	f.t.Helper()
	f.awaitRuns(from, n)
	f.pass(time.Now().Add(moment))
	runs := f.runsSince(from)
	if len(runs) != n {
		f.t.Errorf("%d runs, want %d: %v", len(runs), n, runs)
	}
	return runs
}

// config305 is a configuration as 3.0.5 writes it: its key for the pool and
// its class for tracing make every older agent fail.
const config305 = `description: ''
disabled: false
failover: false
jobExecutorThreadPoolSizeProviderType: SINGLE_THREAD
jobExtraConfigurations:
- !!org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration
  tracingStorageConfiguration: !!org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration
    dataSourceClassName: com.zaxxer.hikari.HikariDataSource
    props:
      jdbcUrl: jdbc:h2:mem:t
      password: ''
  type: RDB
jobName: job
jobParameter: p
maxTimeDiffSeconds: -1
misfire: true
monitorExecution: true
overwrite: false
reconcileIntervalMinutes: 10
shardingItemParameters: ''
shardingTotalCount: 3
staticSharding: false
`

// TestDialect305 has ours serve a job whose configuration is that of 3.0.5, by
// its settings, and write nothing that 3.0.5 would fail on, while 3.0.4 does
// not start on it. There is no 3.0.5 to fetch: what it writes is a fixture, and
// whoever has built one can name it in INTEROP_JAVA.
func TestDialect305(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--body-ms=300")
		f.store(config305)
		if !javaagent.ReleaseOf(version).Reads(config305) {
			reason := f.awaitRefused(f.launchJava("java"))
			if !strings.Contains(reason, "jobExecutorThreadPoolSizeProviderType") {
				t.Errorf("Java %s was refused for another reason: %s", version, reason)
			}
		}
		goAgent := f.start(golang)
		f.runOnce(3, goAgent)
		runs := f.runsSince(time.Time{})
		for k, r := range runs {
			for _, other := range runs[:k] {
				if r.start.Before(other.end) && other.start.Before(r.end) {
					t.Errorf("the pool has one thread, but %v ran beside %v", r, other)
				}
			}
		}
		f.configure(func(c *jobconfig.Config) { c.Parameter = "q" })
		if got, want := f.get(t.Context(), f.job.Config()), strings.Replace(config305, "jobParameter: p", "jobParameter: q", 1); got != want {
			t.Errorf("the edited configuration is\n%s", got)
		}
		f.runOnce(3, goAgent)
		d := f.detail()
		if d.Status != statistics.StatusOK || d.Config == nil || d.Config.Dialect != jobconfig.Dialect305 || d.Config.ExecutorType != "SINGLE_THREAD" {
			t.Errorf("the job is read as %+v", d)
		}

		goAgent.terminate()
		goAgent = f.start(golang, "--overwrite=true", "--shards=2", "--pool=SINGLE_THREAD")
		f.until(patience, func(ctx context.Context) error {
			got := f.get(ctx, f.job.Config())
			if !strings.Contains(got, "shardingTotalCount: 2\n") {
				return fmt.Errorf("the configuration is still\n%s", got)
			}
			for _, want := range []string{"jobExecutorThreadPoolSizeProviderType: SINGLE_THREAD\n", "kernel.tracing.yaml.YamlTracingConfiguration"} {
				if !strings.Contains(got, want) {
					t.Fatalf("the overwritten configuration lacks %s:\n%s", want, got)
				}
			}
			return nil
		})
		f.runOnce(2, goAgent)
	})
}
