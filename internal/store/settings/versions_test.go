package settings_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestConfigVersions: what one console keeps, another lists, the newest first, each
// job of each registry by itself, and the oldest beyond the bound are forgotten.
func TestConfigVersions(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		ctx := t.Context()
		at := time.UnixMilli(1_795_000_000_123).UTC()
		version := func(registry, job string, n int) settings.ConfigVersion {
			return settings.ConfigVersion{
				At: at.Add(time.Duration(n) * time.Second), User: "root", Registry: registry, Job: job, Revision: fmt.Sprintf("%d-a", n),
				Reason: "INC-4821 作业", Document: "jobName: " + job + "\nprops:\n  password: " + canary + "\n",
			}
		}
		for n := range settings.MaxConfigVersions + 3 {
			if err := one.AddConfigVersion(ctx, version("", "作业 j", n)); err != nil {
				t.Fatal(err)
			}
		}
		if err := one.AddConfigVersion(ctx, version("blue", "作业 j", 7)); err != nil {
			t.Fatal(err)
		}
		list, err := other.ConfigVersions(ctx, "", "作业 j")
		if err != nil || len(list) != settings.MaxConfigVersions {
			t.Fatalf("%d versions, %v", len(list), err)
		}
		newest := version("", "作业 j", settings.MaxConfigVersions+2)
		if diff := cmp.Diff(newest, list[0], cmpopts.IgnoreFields(settings.ConfigVersion{}, "ID")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if list, err := other.ConfigVersions(ctx, "blue", "作业 j"); err != nil || len(list) != 1 || list[0].Revision != "7-a" {
			t.Errorf("of another registry: %v, %v", list, err)
		}
		names := []settings.VersionAt{{"blue", "作业 j", "7-a"}, {"", "作业 j", "50-a"}, {"", "作业 j", "0-a"}, {"", "k", "50-a"}}
		if list, err := other.ConfigVersionsAt(ctx, names); err != nil || len(list) != 2 || list[0].Registry != "blue" || list[1].Document != version("", "作业 j", 50).Document {
			t.Errorf("by name: %v, %v", list, err)
		}
		if list, err := other.ConfigVersionsAt(ctx, nil); err != nil || list != nil {
			t.Errorf("without names: %v, %v", list, err)
		}
		if list, err := other.ConfigVersions(ctx, "", "k"); err != nil || len(list) != 0 {
			t.Errorf("of another job: %v, %v", list, err)
		}
	})
}
