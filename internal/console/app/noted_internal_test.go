package app

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestNotedShards: the board remembers the shards that are off, also if another finding decides about the job.
// A shard that is switched off later isn't in the older obstacle.
func TestNotedShards(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	since := noon.Add(-time.Hour)
	off := func(items ...int) statistics.Finding {
		return statistics.Finding{Code: statistics.CodeItemDisabled, Effect: statistics.EffectShards, Items: items, Since: since}
	}
	stale := statistics.Finding{Code: statistics.CodeRunningStale, Effect: statistics.EffectShards, Items: []int{0}, Since: since}
	var b board
	for i, findings := range [][]statistics.Finding{{off(1)}, {stale, off(1)}, {off(1, 2)}, nil, {off(3)}} {
		jobs := []statistics.Job{{Name: "mail", Status: statistics.StatusOK, Shards: 4, Findings: findings}}
		now := noon.Add(time.Duration(i) * time.Second)
		b.note(unknownHealth(jobs, now, i18n.English), jobs, now)
	}
	type entry struct {
		items, from, until int
	}
	var got []entry
	for _, n := range b.noted {
		if n.finding.Code == statistics.CodeItemDisabled {
			got = append(got, entry{len(n.finding.Items), int(n.from.Sub(noon).Seconds()), int(n.until.Sub(noon).Seconds())})
		}
	}
	want := []entry{{1, -3600, 1}, {2, 2, 2}, {1, -3600, 4}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("noted %v, want %v", got, want)
	}
	on := noon.Add(3 * time.Second)
	if off := b.off["mail"]; !maps.Equal(off, map[int]time.Time{1: on, 2: on, 3: {}}) {
		t.Errorf("switched off: %v", off)
	}
}

// TestW88NotedSentences: each sentence of a finding is remembered for the time at which it held. A run that isn't on
// record stays one obstacle, although its fire time moves on.
func TestW88NotedSentences(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for code, want := range map[statistics.Code][][2]int{statistics.CodeScheduleEnded: {{-60, 1}, {2, 3}}, statistics.CodeNotRecorded: {{-60, 3}}} {
		b := board{open: make(map[notedKey]*noted)}
		for i, sentence := range []string{"none left", "none left", "ended", "ended"} {
			b.noteOne("mail", &statistics.Finding{Code: code, Since: noon.Add(-time.Minute), Sentence: sentence}, noon.Add(time.Duration(i)*time.Second))
		}
		var got [][2]int
		for _, n := range b.noted {
			got = append(got, [2]int{int(n.from.Sub(noon).Seconds()), int(n.until.Sub(noon).Seconds())})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: noted %v, want %v", code, got, want)
		}
	}
}
