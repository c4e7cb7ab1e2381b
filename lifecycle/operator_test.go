package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// config returns a stored configuration with a tagged block, as Java agents write it.
func config(job string, shards int) string {
	return fmt.Sprintf("cron: 0/5 * * * * ?\n"+
		"jobExtraConfigurations:\n- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration\n  type: RDB\n"+
		"jobName: %s\nshardingTotalCount: %d\n", job, shards)
}

func instanceNode(id, ip string) string {
	return fmt.Sprintf("jobInstanceId: %s\nserverIp: %s\n", id, ip)
}

// twoHosts is a job with one instance on each of two hosts with a common address prefix.
func twoHosts(job string) string {
	a, b := "10.0.0.1@-@7", "10.0.0.10@-@8"
	return fmt.Sprintf(`
		%[1]s = com.example.MyJob
		%[1]s/config = %[2]q
		%[1]s/servers/10.0.0.1 = ENABLED
		%[1]s/servers/10.0.0.10 = ENABLED
		%[1]s/instances/%[3]s [E] = %[4]q
		%[1]s/instances/%[5]s [E] = %[6]q
		%[1]s/leader/election/instance [E] = %[3]s
		%[1]s/sharding/0/instance = %[3]s
		%[1]s/sharding/1/instance = %[5]s
	`, job, config(job, 2), a, instanceNode(a, "10.0.0.1"), b, instanceNode(b, "10.0.0.10"))
}

type bundle struct {
	*treetest.Bundle
	operator *lifecycle.Operator
}

// each runs a test on a planted tree, against both servers.
func each(t *testing.T, tree string, fn func(t *testing.T, b bundle)) {
	t.Helper()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := treetest.New(t, srv.Addr)
		b.Plant(t, tree)
		fn(t, bundle{b, lifecycle.NewOperator(b.Registry())})
	})
}

func (b bundle) wantTree(t *testing.T, below, want string) {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(want, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	got := strings.TrimSpace(b.Dump(t, below))
	if diff := cmp.Diff(strings.Join(lines, "\n"), got); diff != "" {
		t.Errorf("below %q (-want +got):\n%s", below, diff)
	}
}

func wantOutcome(t *testing.T, got lifecycle.Outcome, err error, want lifecycle.Outcome) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
}

func wantError(t *testing.T, err error, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want %v", err, kind)
	}
	typed, ok := errors.AsType[*lifecycle.Error](err)
	if !ok || !errors.Is(typed.Kind, kind) {
		t.Fatalf("error %#v is not an *Error of kind %v", err, kind)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error()+typed.Hint, part) {
			t.Errorf("%q is not in %q, hint %q", part, err, typed.Hint)
		}
	}
}

func TestTriggerAsksEveryInstance(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		out, err := b.operator.Trigger(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{"10.0.0.10@-@8", "10.0.0.1@-@7"}})
		b.wantTree(t, "j/trigger", "j/trigger/10.0.0.10@-@8\nj/trigger/10.0.0.1@-@7")

		// Trigger again before the requests were taken, with a request of an instance that has
		// left: live instances get new nodes, the other node is removed.
		b.Plant(t, "j/trigger/10.0.0.3@-@9")
		before, _, err := b.Client.Exists(t.Context(), b.NS.Job("j").Trigger("10.0.0.1@-@7"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.operator.Trigger(t.Context(), "j"); err != nil {
			t.Fatal(err)
		}
		after, _, err := b.Client.Exists(t.Context(), b.NS.Job("j").Trigger("10.0.0.1@-@7"))
		if err != nil {
			t.Fatal(err)
		}
		if after.Czxid <= before.Czxid {
			t.Error("an agent that missed the first request would miss the second one as well")
		}
		b.wantTree(t, "j/trigger", "j/trigger/10.0.0.10@-@8\nj/trigger/10.0.0.1@-@7")
	})
}

func TestTriggerServerIsExact(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		out, err := b.operator.TriggerServer(t.Context(), "j", "10.0.0.1")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{"10.0.0.1@-@7"}})
		b.wantTree(t, "j/trigger", "j/trigger/10.0.0.1@-@7")
		_, err = b.operator.TriggerServer(t.Context(), "j", "10.0.0.2")
		wantError(t, err, lifecycle.ErrNoInstances)
		_, err = b.operator.TriggerServer(t.Context(), "j", "")
		wantError(t, err, lifecycle.ErrInvalid)
	})
}

func TestTriggerInstancesAsksThemAlone(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		out, err := b.operator.TriggerInstances(t.Context(), "j", []string{"10.0.0.1@-@7", "10.0.0.3@-@9"})
		wantOutcome(t, out, err, lifecycle.Outcome{
			Job: "j", Affected: []string{"10.0.0.1@-@7"}, Skipped: []lifecycle.Skip{{Target: "10.0.0.3@-@9", Reason: "it has left", Why: lifecycle.SkipLeft}},
		})
		b.wantTree(t, "j/trigger", "j/trigger/10.0.0.1@-@7")
		_, err = b.operator.TriggerInstances(t.Context(), "j", []string{"10.0.0.3@-@9"})
		wantError(t, err, lifecycle.ErrNoInstances, "none of the named instances is registered")
		for _, wrong := range [][]string{nil, {""}, {"a/b"}, make([]string, 1001)} {
			_, err = b.operator.TriggerInstances(t.Context(), "j", wrong)
			wantError(t, err, lifecycle.ErrInvalid)
		}
		_, err = b.operator.TriggerInstances(t.Context(), "nope", []string{"10.0.0.1@-@7"})
		wantError(t, err, lifecycle.ErrNotFound)
	})
}

func TestTriggerSkipsServersThatAreNotEnabled(t *testing.T) {
	tree := twoHosts("j") + `
		j/servers/10.0.0.1 = DISABLED
		j/servers/10.0.0.3
		j/instances/10.0.0.3@-@1 [E]
		j/instances/10.0.0.4@-@1 [E] = TRIGGER
	`
	each(t, tree, func(t *testing.T, b bundle) {
		out, err := b.operator.Trigger(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{
			Job: "j", Affected: []string{"10.0.0.10@-@8"},
			Skipped: []lifecycle.Skip{
				{Target: "10.0.0.1@-@7", Reason: `its server 10.0.0.1 is "DISABLED" instead of enabled`, Why: lifecycle.SkipServerOff},
				{Target: "10.0.0.3@-@1", Reason: `its server 10.0.0.3 is "" instead of enabled`, Why: lifecycle.SkipServerOff},
				{Target: "10.0.0.4@-@1", Reason: "its server 10.0.0.4 is not registered; agents give it no shards", Why: lifecycle.SkipServerAbsent},
			},
		})
	})
}

func TestMS26TriggerRefusals(t *testing.T) {
	tree := `
		idle/config = "jobName: idle\nshardingTotalCount: 1\n"
		idle/servers/10.0.0.1 = ENABLED
		` + twoHosts("off") + `
		off/servers/10.0.0.1 = DISABLED
		off/servers/10.0.0.10 = DISABLED
	`
	each(t, tree, func(t *testing.T, b bundle) {
		before := b.Dump(t, "")
		_, err := b.operator.Trigger(t.Context(), "idle")
		wantError(t, err, lifecycle.ErrNoInstances, "start a process")
		out, err := b.operator.Trigger(t.Context(), "off")
		wantError(t, err, lifecycle.ErrConflict, "enable")
		if len(out.Skipped) != 2 || len(out.Affected) != 0 {
			t.Errorf("outcome %+v, want both skipped", out)
		}
		if diff := cmp.Diff(before, b.Dump(t, "")); diff != "" {
			t.Errorf("a refused action changed the tree:\n%s", diff)
		}
	})
}

func TestTriggerOf21x(t *testing.T) {
	legacy := `{"jobName":"old","jobClass":"x.Y","jobType":"SIMPLE","cron":"0 0 * * * ?","shardingTotalCount":1}`
	tree := fmt.Sprintf(`
		old/config = %q
		old/servers/10.0.0.1
		old/servers/10.0.0.2 = DISABLED
		old/instances/10.0.0.1@-@7 [E]
		old/instances/10.0.0.2@-@7 [E]
	`, legacy)
	each(t, tree, func(t *testing.T, b bundle) {
		out, err := b.operator.Trigger(t.Context(), "old")
		wantOutcome(t, out, err, lifecycle.Outcome{
			Job: "old", Affected: []string{"10.0.0.1@-@7"},
			Skipped: []lifecycle.Skip{{Target: "10.0.0.2@-@7", Reason: `its server 10.0.0.2 is "DISABLED" instead of enabled`, Why: lifecycle.SkipServerOff}},
		})
		b.wantTree(t, "old/instances", `
			old/instances/10.0.0.1@-@7 [E] = "TRIGGER"
			old/instances/10.0.0.2@-@7 [E]
		`)
		if _, err := b.operator.Enable(t.Context(), "old"); err != nil {
			t.Fatal(err)
		}
		b.wantTree(t, "old/servers", "old/servers/10.0.0.1\nold/servers/10.0.0.2")
	})
}

func TestDisableAndEnable(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		b.Plant(t, "j/servers/10.0.0.10 = DISABLED")
		out, err := b.operator.Disable(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{
			Job: "j", Affected: []string{"10.0.0.1"},
			Skipped: []lifecycle.Skip{{Target: "10.0.0.10", Reason: "it is DISABLED already", Why: lifecycle.SkipSame}},
		})
		b.wantTree(t, "j/servers", `
			j/servers/10.0.0.1 = "DISABLED"
			j/servers/10.0.0.10 = "DISABLED"
		`)
		out, err = b.operator.Enable(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{"10.0.0.1", "10.0.0.10"}})
		b.wantTree(t, "j/servers", `
			j/servers/10.0.0.1 = "ENABLED"
			j/servers/10.0.0.10 = "ENABLED"
		`)
	})
}

func TestServerActions(t *testing.T) {
	tree := twoHosts("a") + twoHosts("b") + `
		c/config = "jobName: c\nshardingTotalCount: 1\n"
		c/servers/10.0.0.10 = ENABLED
		orphan/servers/10.0.0.1 = ENABLED
	`
	each(t, tree, func(t *testing.T, b bundle) {
		ctx := t.Context()
		out, err := b.operator.DisableServer(ctx, "a", "10.0.0.1")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "a", Affected: []string{"10.0.0.1"}})
		out, err = b.operator.DisableServer(ctx, "", "10.0.0.1")
		wantOutcome(t, out, err, lifecycle.Outcome{
			Affected: []string{"b"}, Skipped: []lifecycle.Skip{{Target: "a", Reason: "10.0.0.1: it is DISABLED already", Why: lifecycle.SkipSame}},
		})
		b.wantTree(t, "orphan", "orphan/servers\norphan/servers/10.0.0.1 = \"ENABLED\"")
		b.wantTree(t, "c/servers", "c/servers/10.0.0.10 = \"ENABLED\"")
		out, err = b.operator.EnableServer(ctx, "", "10.0.0.1")
		wantOutcome(t, out, err, lifecycle.Outcome{Affected: []string{"a", "b"}})

		before := b.Dump(t, "")
		_, err = b.operator.DisableServer(ctx, "c", "10.0.0.1")
		wantError(t, err, lifecycle.ErrNotFound, "no server 10.0.0.1")
		_, err = b.operator.DisableServer(ctx, "", "9.9.9.9")
		wantError(t, err, lifecycle.ErrNotFound)
		_, err = b.operator.DisableServer(ctx, "c", "../config")
		wantError(t, err, lifecycle.ErrInvalid)
		if diff := cmp.Diff(before, b.Dump(t, "")); diff != "" {
			t.Errorf("refused actions changed the tree:\n%s", diff)
		}
	})
}

func TestDisableWithoutServers(t *testing.T) {
	each(t, `j/config = "jobName: j\nshardingTotalCount: 1\n"`, func(t *testing.T, b bundle) {
		_, err := b.operator.Disable(t.Context(), "j")
		wantError(t, err, lifecycle.ErrConflict, "no servers")
	})
}

func TestShutdown(t *testing.T) {
	tree := twoHosts("j") + `
		j/instances/10.0.0.1@-@empty [E]
		j/instances/10.0.0.1@-@text [E] = TRIGGER
		j/instances/10.0.0.1@-@broken [E] = "serverIp: ["
		j/instances/host-a@-@1 [E] = "jobInstanceId: host-a@-@1\nserverIp: 10.0.0.1\n"
	`
	each(t, tree, func(t *testing.T, b bundle) {
		out, err := b.operator.ShutdownServer(t.Context(), "j", "10.0.0.1")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{
			"10.0.0.1@-@7", "10.0.0.1@-@broken", "10.0.0.1@-@empty", "10.0.0.1@-@text", "host-a@-@1",
		}})
		_, err = b.operator.ShutdownServer(t.Context(), "j", "10.0.0.1")
		wantError(t, err, lifecycle.ErrNoInstances)
		_, err = b.operator.ShutdownServer(t.Context(), "j", "10.0.0")
		wantError(t, err, lifecycle.ErrNotFound)
		out, err = b.operator.Shutdown(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{"10.0.0.10@-@8"}})
		_, err = b.operator.Shutdown(t.Context(), "j")
		wantError(t, err, lifecycle.ErrNoInstances)
		b.wantTree(t, "j/instances", "")
		b.wantTree(t, "j/servers", "j/servers/10.0.0.1 = \"ENABLED\"\nj/servers/10.0.0.10 = \"ENABLED\"")
	})
}

func TestShutdownServerInAllJobs(t *testing.T) {
	each(t, twoHosts("a")+twoHosts("b"), func(t *testing.T, b bundle) {
		out, err := b.operator.ShutdownServer(t.Context(), "", "10.0.0.10")
		wantOutcome(t, out, err, lifecycle.Outcome{Affected: []string{"a", "b"}})
		_, err = b.operator.ShutdownServer(t.Context(), "", "10.0.0.10")
		wantError(t, err, lifecycle.ErrNotFound)
	})
}

func TestItems(t *testing.T) {
	each(t, twoHosts("j")+"j/sharding/5/disabled", func(t *testing.T, b bundle) {
		ctx := t.Context()
		for range 2 { // repeating it isn't an error
			if err := b.operator.DisableShard(ctx, "j", 1); err != nil {
				t.Fatal(err)
			}
		}
		b.wantTree(t, "j/sharding/1", "j/sharding/1/disabled\nj/sharding/1/instance = \"10.0.0.10@-@8\"")
		for range 2 {
			if err := b.operator.EnableShard(ctx, "j", 1); err != nil {
				t.Fatal(err)
			}
		}
		before := b.Dump(t, "")
		wantError(t, b.operator.DisableShard(ctx, "j", 5), lifecycle.ErrNotFound, "shards 0 to 1")
		wantError(t, b.operator.DisableShard(ctx, "j", 99), lifecycle.ErrNotFound)
		wantError(t, b.operator.EnableShard(ctx, "j", 99), lifecycle.ErrNotFound)
		wantError(t, b.operator.DisableShard(ctx, "j", -1), lifecycle.ErrInvalid)
		if diff := cmp.Diff(before, b.Dump(t, "")); diff != "" {
			t.Errorf("refused actions changed the tree:\n%s", diff)
		}
		if err := b.operator.EnableShard(ctx, "j", 5); err != nil {
			t.Errorf("an old marker beyond the total cannot be cleared: %v", err)
		}
	})
}

// TestV34EnabledShardHasNothingPending: enabling a shard also moves its fire record forward in the
// same transaction. Completed stays unchanged.
func TestV34EnabledShardHasNothingPending(t *testing.T) {
	each(t, twoHosts("j")+"j/sharding/1/disabled\nj/sharding/1/misfire\nj/extension/fired/1 = \"1000 10.0.0.10@-@8\"", func(t *testing.T, b bundle) {
		before := time.Now()
		if err := b.operator.EnableShard(t.Context(), "j", 1); err != nil {
			t.Fatal(err)
		}
		dump := b.Dump(t, "j/extension/fired")
		_, data, _ := strings.Cut(strings.TrimSpace(dump), "fired/1 = ")
		text, err := strconv.Unquote(data)
		if err != nil {
			t.Fatalf("%v: %s", err, dump)
		}
		record, ok := jobtree.DecodeFireRecord([]byte(text))
		if !ok || !record.Completed.Equal(time.UnixMilli(1000)) || record.Owner != "10.0.0.10@-@8" || record.Through.Before(before.Truncate(time.Millisecond)) {
			t.Errorf("the record is %q, want the same one through now", text)
		}
		b.wantTree(t, "j/sharding/1", "j/sharding/1/instance = \"10.0.0.10@-@8\"")
	})
}

func TestItemOfAJobThatWasNeverSharded(t *testing.T) {
	each(t, `j/config = "jobName: j\nshardingTotalCount: 3\n"`, func(t *testing.T, b bundle) {
		wantError(t, b.operator.DisableShard(t.Context(), "j", 0), lifecycle.ErrNotFound, "trigger it first")
	})
}

// actions returns every action on a job.
func actions(o *lifecycle.Operator, job string) map[string]func(context.Context) error {
	outcome := func(do func(context.Context, string) (lifecycle.Outcome, error)) func(context.Context) error {
		return func(ctx context.Context) error { _, err := do(ctx, job); return err }
	}
	server := func(do func(context.Context, string, string) (lifecycle.Outcome, error)) func(context.Context) error {
		return func(ctx context.Context) error { _, err := do(ctx, job, "10.0.0.1"); return err }
	}
	return map[string]func(context.Context) error{
		"trigger": outcome(o.Trigger), "disable": outcome(o.Disable), "enable": outcome(o.Enable),
		"shutdown": outcome(o.Shutdown), "remove": outcome(o.Remove),
		"trigger server": server(o.TriggerServer), "disable server": server(o.DisableServer), "enable server": server(o.EnableServer),
		"shutdown server": server(o.ShutdownServer), "remove server": server(o.RemoveServer),
		"disable shard": func(ctx context.Context) error { return o.DisableShard(ctx, job, 0) },
		"enable shard":  func(ctx context.Context) error { return o.EnableShard(ctx, job, 0) },
		"clear marker":  func(ctx context.Context) error { return o.ClearRunning(ctx, job, 0, "10.0.0.1@-@7") },
		"config":        func(ctx context.Context) error { _, _, err := o.Config(ctx, job); return err },
	}
}

func TestUnknownJob(t *testing.T) {
	each(t, twoHosts("j")+"orphan/servers/10.0.0.1 = ENABLED\norphan/sharding/0", func(t *testing.T, b bundle) {
		before := b.Dump(t, "")
		for _, job := range []string{"nope", "J", "j ", "orphan", "a@-@b"} {
			for name, action := range actions(b.operator, job) {
				if name == "remove" && job == "orphan" {
					continue // it can remove the rest of a job
				}
				if err := action(t.Context()); !errors.Is(err, lifecycle.ErrNotFound) {
					t.Errorf("%s of %q: %v, want ErrNotFound", name, job, err)
				}
			}
		}
		for _, job := range []string{"a/b", "..", "\x00"} {
			for name, action := range actions(b.operator, job) {
				if err := action(t.Context()); !errors.Is(err, lifecycle.ErrInvalid) {
					t.Errorf("%s of %q: %v, want ErrInvalid", name, job, err)
				}
			}
		}
		if diff := cmp.Diff(before, b.Dump(t, "")); diff != "" {
			t.Errorf("actions about unknown jobs changed the tree:\n%s", diff)
		}
	})
}

func TestUnusualJobNames(t *testing.T) {
	for _, name := range []string{"a.b", "a b", "作业", "50%", "config", "servers", "a=b"} {
		t.Run(name, func(t *testing.T) {
			each(t, "", func(t *testing.T, b bundle) {
				ctx := t.Context()
				b.Put(t, name+"/config", config(name, 1), zk.Persistent)
				b.Put(t, name+"/servers/10.0.0.1", "ENABLED", zk.Persistent)
				b.Put(t, name+"/sharding/0", "", zk.Persistent)
				b.Put(t, name+"/instances/10.0.0.1@-@7", instanceNode("10.0.0.1@-@7", "10.0.0.1"), zk.Ephemeral)
				all := actions(b.operator, name)
				for _, action := range []string{
					"config", "trigger", "disable", "enable server", "disable server", "enable",
					"disable shard", "enable shard", "shutdown", "remove server", "remove",
				} {
					if err := all[action](ctx); err != nil {
						t.Errorf("%s: %v", action, err)
					}
				}
				if left := b.Dump(t, ""); left != "" {
					t.Errorf("left behind:\n%s", left)
				}
			})
		})
	}
}

func TestBrokenConfigurationCanStillBeOperated(t *testing.T) {
	each(t, twoHosts("j")+`j/config = "cron: */5 * * * * ?"`, func(t *testing.T, b bundle) {
		ctx := t.Context()
		_, _, err := b.operator.Config(ctx, "j")
		wantError(t, err, lifecycle.ErrInvalid, "line 1")
		all := actions(b.operator, "j")
		for _, action := range []string{"trigger", "disable", "enable", "disable shard", "shutdown", "remove"} {
			if err := all[action](ctx); err != nil {
				t.Errorf("%s: %v", action, err)
			}
		}
	})
}
