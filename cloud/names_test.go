package cloud

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestSlugIsALabel: every name should have a unique slug that Kubernetes accepts even with the longest suffix.
func TestSlugIsALabel(t *testing.T) {
	t.Parallel()
	label := regexp.MustCompile(`\A[a-z0-9]([a-z0-9-]*[a-z0-9])?\z`)
	slugs := make(map[string]string)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(
			rapid.StringN(1, MaxName, -1),
			rapid.StringMatching(`[a-zA-Z0-9._-]{1,100}`),
			rapid.StringMatching(`[a-c-]{1,3}-[0-9a-f]{8}`),
		).Draw(t, "name")
		slug := Slug(name)
		if !label.MatchString(slug) || len(slug) > maxSlug {
			t.Fatalf("slug %q of %q is not a label of at most %d characters", slug, name, maxSlug)
		}
		if other, used := slugs[slug]; used && other != name {
			t.Fatalf("%q and %q have the slug %q", name, other, slug)
		}
		slugs[slug] = name
		// The slug may also be the name of another job.
		if slug != name && Slug(slug) == slug {
			t.Fatalf("the slug of %q is the slug of %q too", name, slug)
		}
		run := RunName(name, time.Unix(1795514400, 0))
		if pod := run + "-99999"; len(pod) > 58 || !label.MatchString(pod) {
			t.Fatalf("%q is not a pod name", pod)
		}
	})
}

// TestRunNames: a run's name contains the fire time, except for manual runs.
func TestRunNames(t *testing.T) {
	t.Parallel()
	fire := time.Unix(1795514400, 0).UTC()
	run := RunName("settlement.daily", fire)
	if at, ok := FireOf(run); !ok || !at.Equal(fire) {
		t.Errorf("FireOf(%q) = %v, %v", run, at, ok)
	}
	if got := RowRunID(run); got != "cloud-1795514400" {
		t.Errorf("RowRunID(%q) = %q", run, got)
	}
	if at, ok := FireOf(CollisionName(run)); !ok || !at.Equal(fire) || CollisionName(run) == run {
		t.Errorf("FireOf(%q) = %v, %v", CollisionName(run), at, ok)
	}
	manual := ManualRunName("settlement", "key 1")
	if _, ok := FireOf(manual); ok {
		t.Errorf("FireOf(%q) finds a fire time", manual)
	}
	if manual == ManualRunName("settlement", "key 2") || manual != ManualRunName("settlement", "key 1") {
		t.Errorf("the name %q does not depend on the key alone", manual)
	}
	if len(RowRunID(manual)) > 40 || len(RowRunID(RunName("a", time.Unix(1<<40, 0)))) > 40 {
		t.Errorf("a run's id is too long for its column")
	}
	for _, name := range []string{"", "a", "a-", "-1795514400", "a-b", "a-" + strconv.Itoa(12)} {
		if at, ok := FireOf(name); ok {
			t.Errorf("FireOf(%q) = %v", name, at)
		}
	}
}
