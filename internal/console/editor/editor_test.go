package editor_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

const stored = `# ours
cron: 0 0 2 * * ?
jobName: j
misfire: true
monitorExecution: true
shardingTotalCount: 2
props:
  a: "1"
  b: "2"
`

func config(t *testing.T, text string) *jobconfig.Config {
	t.Helper()
	c, err := jobconfig.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func change(t *testing.T, old, now string) *jobconfig.Config {
	t.Helper()
	text := strings.Replace(stored, old, now, 1)
	if text == stored {
		t.Fatalf("%q is not in the document", old)
	}
	return config(t, text)
}

// TestMergeKeepsBoth: what two people changed apart is in the result, each property
// by itself; what both changed is a conflict with both values.
func TestMergeKeepsBoth(t *testing.T) {
	t.Parallel()
	base := config(t, stored)
	merged, conflicts, err := editor.Merge(base, change(t, `a: "1"`, `a: "9"`), change(t, `b: "2"`, "c: \"3\""), nil)
	if want := map[string]string{"a": "9", "c": "3"}; err != nil || len(conflicts) > 0 || !cmp.Equal(merged.Props, want) {
		t.Errorf("%v, conflicts %v", merged.Props, conflicts)
	}
	mine, theirs := change(t, "0 0 2 *", "0 0 3 *"), change(t, "0 0 2 *", "0 0 4 *")
	mine.Shards, theirs.Failover = 5, true
	for pick, cron := range map[bool]string{false: mine.Cron, true: theirs.Cron} {
		merged, conflicts, err = editor.Merge(base, mine, theirs, map[string]bool{"cron": pick})
		want := []editor.Conflict{{Key: "cron", Base: base.Cron, Mine: mine.Cron, Theirs: theirs.Cron}}
		if err != nil || !cmp.Equal(conflicts, want) || merged.Cron != cron || merged.Shards != 5 || !merged.Failover {
			t.Errorf("picking theirs %v: %+v, conflicts %+v", pick, merged, conflicts)
		}
	}
	if _, conflicts, err = editor.Merge(base, mine, mine.Clone(), nil); err != nil || len(conflicts) > 0 {
		t.Errorf("the same change of both is a conflict: %v", conflicts)
	}
	if got := editor.Changed(base, mine); !slices.Equal(got, []string{"cron", "shardingTotalCount"}) {
		t.Errorf("changed: %v", got)
	}
}

// TestFormLeavesAlone: keys that a form does not have, values that are sent as they
// were shown, and switches that are off.
func TestFormLeavesAlone(t *testing.T) {
	t.Parallel()
	base := config(t, stored)
	base.Parameter, base.Description = "x\u202ey", "one\ntwo"
	seen := func(s string) string { return strings.ReplaceAll(s, "\u202e", "[U+202E]") }
	edited, err := editor.FromForm(base, url.Values{
		"jobParameter": {"x[U+202E]y"}, "description": {"one\r\ntwo"}, "shardingTotalCount": {" 3 "},
		editor.FlagField: {"misfire", "failover"}, "failover": {"true"},
		editor.PropKeyField: {"a", "", "c"}, editor.PropValueField: {"1", "", "new"},
	}, seen)
	if err != nil {
		t.Fatal(err)
	}
	want := base.Clone()
	want.Shards, want.Misfire, want.Failover, want.Props = 3, false, true, map[string]string{"a": "1", "c": "new"}
	if !edited.Equal(want) {
		t.Errorf("changed %v; parameter %q, description %q", editor.Changed(want, edited), edited.Parameter, edited.Description)
	}
	for name, bad := range map[string]url.Values{
		"no number":         {"shardingTotalCount": {"many"}},
		"a key twice":       {editor.PropKeyField: {"a", "a"}, editor.PropValueField: {"1", "2"}},
		"a value alone":     {editor.PropKeyField: {""}, editor.PropValueField: {"1"}},
		"keys, but no pair": {editor.PropKeyField: {"a"}},
	} {
		if _, err := editor.FromForm(base, bad, seen); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
