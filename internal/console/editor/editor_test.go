package editor_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestLines: the lines that differ, with two around them; nothing for the same.
func TestLines(t *testing.T) {
	t.Parallel()
	show := func(before, after string) string {
		var all []string
		for _, l := range editor.Lines(strings.ReplaceAll(before, " ", "\n"), strings.ReplaceAll(after, " ", "\n")) {
			all = append(all, map[editor.LineKind]string{editor.Same: "", editor.Added: "+", editor.Removed: "-", editor.Gap: ""}[l.Kind]+l.Number()+l.Text)
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct{ before, after, want string }{
		{"a b c", "a b c", ""},
		{"a b c d e f g h", "a b c d X f g h", "… 3c 4d -5e +5X 6f 7g …"},
		{"", "a b", "+1a +2b"},
		{"a b", "", "-1a -2b"},
		{"a b c d", "b c d e", "-1a 1b 2c 3d +4e"},
	} {
		if got := show(c.before, c.after); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.before, c.after, got, c.want)
		}
	}
	long := strings.Repeat("x\n", 3000)
	if got := editor.Lines(long+"a", strings.Repeat("y\n", 3000)+"b"); len(got) != 6002 {
		t.Errorf("texts too long to compare have %d lines", len(got))
	}
}

// TestEffects: what happens at a save, by docs/guarantees.md.
func TestEffects(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	live := editor.Facts{Live: 3, Now: now}
	planned := editor.Facts{Live: 3, Now: now, Planned: true, Moves: 1, Waits: 1}
	for name, c := range map[string]struct {
		old, now string
		facts    editor.Facts
		want     string
	}{
		"nothing":               {"# ours", "# yours", live, "nothing"},
		"cron":                  {"0 0 2 *", "0 0 3 *", live, "reschedules fire_dropped not_made_up readable"},
		"cron that fires too":   {"0 0 2 * * ?", "0 0 * * * ?", live, "reschedules not_made_up readable"},
		"nobody lives":          {"0 0 2 *", "0 0 3 *", editor.Facts{Now: now}, "applies_later not_made_up readable"},
		"a parameter":           {"misfire: true", "misfire: true\njobParameter: x", live, "applies_at_once still_made_up readable"},
		"misfire":               {"misfire: true", "misfire: false", live, "applies_at_once no_misfire readable"},
		"monitorExecution":      {"monitorExecution: true", "monitorExecution: false", live, "applies_at_once not_made_up unmonitored readable"},
		"shards":                {"Count: 2", "Count: 4", planned, "applies_at_once still_made_up reshards shards_new readable"},
		"fewer shards, no plan": {"Count: 2", "Count: 1", live, "applies_at_once still_made_up reshards_somehow shards_fewer readable"},
		"parameters of some":    {"misfire: true", "misfire: true\nshardingItemParameters: 0=a", live, "applies_at_once still_made_up no_parameter readable"},
		"overwrite":             {"misfire: true", "misfire: true\noverwrite: true", live, "applies_at_once still_made_up overwritten readable"},
		"the thread pool":       {"misfire: true", "misfire: true\njobExecutorServiceHandlerType: CPU", live, "applies_at_once still_made_up readable_up_to_304"},
		"clock changes":         {`b: "2"`, "b: \"2\"\n  cron.clock.change: once", live, "reschedules not_made_up go_only readable"},
	} {
		var codes []string
		for _, e := range editor.Effects(config(t, stored), change(t, c.old, c.now), c.facts) {
			codes = append(codes, string(e.Code))
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
