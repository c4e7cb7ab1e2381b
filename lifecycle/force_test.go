package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/lifecycle"
)

func TestForceRemove(t *testing.T) {
	each(t, twoHosts("j")+twoHosts("k"), func(t *testing.T, b bundle) {
		before := b.Dump(t, "k")
		_, err := b.operator.Remove(t.Context(), "j")
		wantError(t, err, lifecycle.ErrConflict, "2 instances are live")
		out, err := b.operator.ForceRemove(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j"})
		b.wantTree(t, "j", "")
		if after := b.Dump(t, "k"); after != before {
			t.Errorf("another job was touched:\n%s", after)
		}
		_, err = b.operator.ForceRemove(t.Context(), "j")
		wantError(t, err, lifecycle.ErrNotFound)
	})
}

func TestForceRemoveServer(t *testing.T) {
	each(t, twoHosts("j")+twoHosts("k"), func(t *testing.T, b bundle) {
		_, err := b.operator.RemoveServer(t.Context(), "j", "10.0.0.1")
		wantError(t, err, lifecycle.ErrConflict, "is live")
		out, err := b.operator.ForceRemoveServer(t.Context(), "", "10.0.0.1")
		wantOutcome(t, out, err, lifecycle.Outcome{Affected: []string{"j", "k"}})
		for _, job := range []string{"j", "k"} {
			b.wantTree(t, job+"/servers", job+"/servers/10.0.0.10 = \"ENABLED\"")
			if live := b.Dump(t, job+"/instances"); strings.Contains(live, "10.0.0.1@") || !strings.Contains(live, "10.0.0.10@") {
				t.Errorf("instances:\n%s", live)
			}
		}
		_, err = b.operator.ForceRemoveServer(t.Context(), "", "10.0.0.1")
		wantError(t, err, lifecycle.ErrNotFound)
	})
}

func TestDisableForGood(t *testing.T) {
	each(t, twoHosts("j")+"\nempty/config = "+`"jobName: empty\nshardingTotalCount: 1\n"`, func(t *testing.T, b bundle) {
		out, err := b.operator.DisableForGood(t.Context(), "j")
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", Affected: []string{"10.0.0.1", "10.0.0.10"}})
		stored, err := b.operator.StoredConfig(t.Context(), "j")
		if want := strings.Replace(config("j", 2), "jobExtra", "disabled: true\njobExtra", 1); err != nil || string(stored.Raw) != want {
			t.Errorf("stored %q, want %q, %v", stored.Raw, want, err)
		}
		// A server that has rejoined since makes no difference.
		out, err = b.operator.DisableForGood(t.Context(), "j")
		if err != nil || len(out.Affected) != 0 || len(out.Skipped) != 2 {
			t.Errorf("again: %+v, %v", out, err)
		}
		if _, err := b.operator.EnableForGood(t.Context(), "j"); err != nil {
			t.Fatal(err)
		}
		b.wantTree(t, "j/servers", "j/servers/10.0.0.1 = \"ENABLED\"\nj/servers/10.0.0.10 = \"ENABLED\"")
		if _, err := b.operator.DisableForGood(t.Context(), "empty"); err != nil {
			t.Errorf("without servers: %v", err)
		}
		if c, _, err := b.operator.Config(t.Context(), "empty"); err != nil || !c.Disabled {
			t.Errorf("configuration %+v, %v", c, err)
		}
		_, err = b.operator.DisableForGood(t.Context(), "nope")
		wantError(t, err, lifecycle.ErrNotFound)
	})
}
