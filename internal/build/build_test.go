package build

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFill(t *testing.T) {
	t.Parallel()
	embedded := &debug.BuildInfo{
		Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef0123"},
			{Key: "vcs.modified", Value: "true"},
		},
	}
	for _, tt := range []struct {
		name     string
		linked   Info
		embedded *debug.BuildInfo
		want     Info
	}{
		{"nothing linked", Info{}, embedded, Info{Version: "v1.2.3", Commit: "0123456789ab-dirty"}},
		{"linked wins", Info{Version: "v9", Commit: "fff"}, embedded, Info{Version: "v9", Commit: "fff"}},
		{"a development build", Info{}, &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, Info{}},
	} {
		got := tt.linked
		fill(&got, tt.embedded)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: wrong info (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestGetIsNeverEmpty(t *testing.T) {
	t.Parallel()
	got := Get()
	if got.Version == "" || got.Commit == "" || !strings.HasPrefix(got.Go, "go") || !strings.Contains(got.Platform, "/") {
		t.Errorf("Get() = %+v: a field is empty or malformed", got)
	}
}
