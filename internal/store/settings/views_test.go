package settings_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestViews: what one console saves another lists: everybody's first, then the owner's,
// each list by itself and a name once; nobody has more than there may be.
func TestViews(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		ctx := t.Context()
		at := time.UnixMilli(1_795_000_000_123).UTC()
		view := func(owner, area, name string) settings.View {
			return settings.View{Owner: owner, Area: area, Name: name, Query: "q=" + name + "&state=failing", User: "root", At: at}
		}
		mine, shared, upper := view("root", "jobs", "夜间 mine"), view("", "jobs", "nightly"), view("", "jobs", "Nightly")
		for _, v := range []settings.View{mine, shared, upper, view("other", "jobs", "theirs"), view("root", "runs", "nightly")} {
			if err := one.AddView(ctx, v); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.AddView(ctx, shared); !errors.Is(err, settings.ErrExists) {
			t.Errorf("a second of a name: %v", err)
		}
		list := func(owner, area string) []settings.View {
			t.Helper()
			views, err := other.Views(ctx, owner, area)
			if err != nil {
				t.Fatal(err)
			}
			return views
		}
		if diff := cmp.Diff([]settings.View{upper, shared, mine}, list("root", "jobs")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]settings.View{upper, shared}, list("", "jobs")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if err := other.RemoveView(ctx, "root", "jobs", "nightly"); !errors.Is(err, settings.ErrNotFound) {
			t.Errorf("everybody's is removed as one's own: %v", err)
		}
		if err := other.RemoveView(ctx, "", "jobs", "nightly"); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]settings.View{upper, mine}, list("root", "jobs")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for n := range settings.MaxViews {
			if err := one.AddView(ctx, view("root", "audit", fmt.Sprint(n))); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.AddView(ctx, view("root", "audit", "more")); !errors.Is(err, settings.ErrTooMany) {
			t.Errorf("one more than there may be: %v", err)
		}
		long := view("long", "jobs", strings.Repeat("业", settings.MaxViewName))
		long.Query = strings.Repeat("x", settings.MaxViewQuery)
		if err := one.AddView(ctx, long); err != nil {
			t.Fatal(err)
		}
		if got := list("long", "jobs"); got[len(got)-1] != long {
			t.Errorf("cut: %+v", got)
		}
	})
}
