package lifecycle_test

import (
	"strings"
	"testing"

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
		wantError(t, err, lifecycle.ErrConflict, "look at it again")
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
