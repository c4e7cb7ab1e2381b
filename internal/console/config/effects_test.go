package config

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
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

func decoded(t *testing.T, text string) *jobconfig.Config {
	t.Helper()
	c, err := jobconfig.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEffects: what happens at a save, by docs/guarantees.md.
func TestEffects(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	live := facts{live: 3, now: now}
	planned := facts{live: 3, now: now, planned: true, moves: 1, waits: 1}
	for name, c := range map[string]struct {
		old, now string
		facts    facts
		want     string
	}{
		"nothing":               {"# ours", "# yours", live, "nothing"},
		"cron":                  {"0 0 2 *", "0 0 3 *", live, "reschedules fire_dropped not_made_up readable"},
		"cron that fires too":   {"0 0 2 * * ?", "0 0 * * * ?", live, "reschedules not_made_up readable"},
		"nobody lives":          {"0 0 2 *", "0 0 3 *", facts{now: now}, "applies_later not_made_up readable"},
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
		now := strings.Replace(stored, c.old, c.now, 1)
		for _, e := range effects(i18n.English, decoded(t, stored), decoded(t, now), c.facts) {
			codes = append(codes, e.Code)
		}
		if now == stored {
			t.Errorf("%s: %q isn't in the document", name, c.old)
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
