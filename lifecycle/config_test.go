package lifecycle_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

func TestSetConfig(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		ctx := t.Context()
		c, version, err := b.operator.Config(ctx, "j")
		if err != nil {
			t.Fatal(err)
		}
		stale := c.Clone()
		c.Cron = "*/5 * * * * ?"
		next, err := b.operator.SetConfig(ctx, "j", c, version)
		if err != nil {
			t.Fatal(err)
		}
		if next != version+1 {
			t.Errorf("version %d, want %d", next, version+1)
		}
		data, _, err := b.Client.Get(ctx, b.NS.Job("j").Config())
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(config("j", 2), "0/5 * * * * ?", "'*/5 * * * * ?'", 1); string(data) != want {
			t.Errorf("stored %q, want %q", data, want)
		}

		stale.Shards = 7
		_, err = b.operator.SetConfig(ctx, "j", stale, version)
		wantError(t, err, lifecycle.ErrConflict, "reload it")
		bad := c.Clone()
		bad.Shards, bad.ItemParameters = 0, "x"
		_, err = b.operator.SetConfig(ctx, "j", bad, next)
		wantError(t, err, lifecycle.ErrInvalid, "shardingTotalCount", "shardingItemParameters")
		_, err = b.operator.SetConfig(ctx, "k", c, next)
		wantError(t, err, lifecycle.ErrInvalid, "renamed")
		other := c.Clone()
		other.Name = "nope"
		_, err = b.operator.SetConfig(ctx, "nope", other, next)
		wantError(t, err, lifecycle.ErrNotFound)
		after, _, err := b.Client.Get(ctx, b.NS.Job("j").Config())
		if err != nil || string(after) != string(data) {
			t.Errorf("refused changes were stored: %q, %v", after, err)
		}
	})
}

func TestEditConfig(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		ctx := t.Context()
		stored, err := b.operator.StoredConfig(ctx, "j")
		if err != nil {
			t.Fatal(err)
		}
		describe := func(text string) func(*jobconfig.Config) error {
			return func(c *jobconfig.Config) error { c.Description = text; return nil }
		}
		before, after, err := b.operator.EditConfig(ctx, "j", stored.Revision(), describe("first"))
		if err != nil || before.Revision() != stored.Revision() || after.Version != 1 || after.Created != stored.Created {
			t.Fatalf("from %s to %s: %v", before.Revision(), after.Revision(), err)
		}
		now, err := b.operator.StoredConfig(ctx, "j")
		if err != nil || string(now.Raw) != string(after.Raw) || now.Revision() != after.Revision() {
			t.Errorf("stored %s %q, returned %s %q, %v", now.Revision(), now.Raw, after.Revision(), after.Raw, err)
		}

		_, _, err = b.operator.EditConfig(ctx, "j", stored.Revision(), describe("second"))
		wantError(t, err, lifecycle.ErrConflict, "reload it")
		if stale, ok := errors.AsType[*lifecycle.StaleConfigError](err); !ok || stale.Stored.Config.Description != "first" {
			t.Errorf("the conflict does not have the stored configuration: %v", err)
		}
		_, same, err := b.operator.EditConfig(ctx, "j", "", describe("first"))
		if err != nil || same.Version != 1 {
			t.Errorf("no change wrote version %d, %v", same.Version, err)
		}

		// Another user is faster, once. Without a revision the change applies to the new
		// configuration.
		after = editAfterAnother(ctx, t, b, describe)

		_, _, err = b.operator.EditConfig(ctx, "j", "", func(c *jobconfig.Config) error {
			c.Shards, c.ItemParameters, c.Cron, c.TimeZone = 2, "5=x", "now", "UTC"
			return nil
		})
		wantError(t, err, lifecycle.ErrInvalid)
		var fields []string
		for _, f := range lifecycle.FieldErrors(err) {
			fields = append(fields, f.Field)
		}
		if diff := cmp.Diff([]string{"cron", "timeZone", "shardingItemParameters"}, fields); diff != "" {
			t.Errorf("fields (-want +got):\n%s", diff)
		}
		_, _, err = b.operator.EditConfig(ctx, "j", "", func(c *jobconfig.Config) error { c.Name = "k"; return nil })
		wantError(t, err, lifecycle.ErrInvalid, "renamed")
		_, _, err = b.operator.EditConfig(ctx, "j", "", describe(strings.Repeat("x", 2<<20)))
		wantError(t, err, lifecycle.ErrInvalid, "bytes")
		_, _, err = b.operator.EditConfig(ctx, "nope", "", describe("x"))
		wantError(t, err, lifecycle.ErrNotFound)
		if end, err := b.operator.StoredConfig(ctx, "j"); err != nil || end.Revision() != after.Revision() {
			t.Errorf("refused changes were stored: %q, %v", end.Raw, err)
		}
	})
}

// editAfterAnother: another user is faster, once. Without a revision the change applies to the new
// configuration.
func editAfterAnother(ctx context.Context, t *testing.T, b bundle, describe func(text string) func(*jobconfig.Config) error) lifecycle.StoredConfig {
	t.Helper()
	calls := 0
	_, after, err := b.operator.EditConfig(ctx, "j", "", func(c *jobconfig.Config) error {
		if calls++; calls == 1 {
			if _, _, err := b.operator.EditConfig(ctx, "j", "", describe("quick")); err != nil {
				return err
			}
		}
		c.Parameter = "mine"
		return nil
	})
	if err != nil || calls != 2 || after.Config.Description != "quick" || after.Config.Parameter != "mine" {
		t.Errorf("after %d calls %+v, %v", calls, after.Config, err)
	}
	return after
}

// TestW11ZoneBesideJava: a zone name is refused while Java agents serve the job. A stored name may
// stay, and with Go agents alone a new one is accepted.
func TestW11ZoneBesideJava(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		ctx := t.Context()
		zone := func(name string) func(*jobconfig.Config) error {
			return func(c *jobconfig.Config) error {
				c.Props = map[string]string{"schedule.zone": name}
				return nil
			}
		}
		ours := func(id string) {
			t.Helper()
			if _, err := b.Client.CreateAll(ctx, b.NS.Job("j").Agents()+"/"+id, runs.AgentData{TakesRuns: true}.Encode(), zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		ours("10.0.0.1@-@7")
		_, _, err := b.operator.EditConfig(ctx, "j", "", zone("Europe/Berlin"))
		wantError(t, err, lifecycle.ErrInvalid, "props.schedule.zone", "Java agents", "stop 10.0.0.10@-@8, or set timeZone")
		config, version, err := b.operator.Config(ctx, "j")
		if err != nil || len(config.Props) > 0 {
			t.Fatalf("stored %v, %v", config, err)
		}
		_ = zone("Europe/Berlin")(config)
		_, err = b.operator.SetConfig(ctx, "j", config, version)
		wantError(t, err, lifecycle.ErrInvalid, "props.schedule.zone", "Java agents")

		ours("10.0.0.10@-@8")
		if _, _, err := b.operator.EditConfig(ctx, "j", "", zone("Europe/Berlin")); err != nil {
			t.Fatal(err)
		}
		if err := b.Client.Delete(ctx, b.NS.Job("j").Agents()+"/10.0.0.10@-@8", zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.operator.EditConfig(ctx, "j", "", func(c *jobconfig.Config) error { c.Description = "theirs"; return nil }); err != nil {
			t.Errorf("an unchanged zone: %v", err)
		}
		_, _, err = b.operator.EditConfig(ctx, "j", "", zone("Asia/Shanghai"))
		wantError(t, err, lifecycle.ErrInvalid, "props.schedule.zone")
	})
}
