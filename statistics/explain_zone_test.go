package statistics_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestW85ZoneOfTheAgents: a job without a zone fires by the zone that its agents announce, so it's
// late by that zone. If the zone is unknown, it's only late if it's late in every zone.
func TestW85ZoneOfTheAgents(t *testing.T) {
	t.Parallel()
	server := zktest.Fake(t)
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := time.FixedZone("", -4*3600)
	for name, c := range map[string]struct {
		first, second string // the announced zones
		ranIn         *time.Location
		state         State
		zone          string
	}{
		"UTC":                {"zone=UTC", "zone=UTC", time.UTC, explain.Late, "UTC"},
		"New York":           {"zone=America/New_York", "zone=America/New_York", newYork, explain.Healthy, "America/New_York"},
		"they differ":        {"zone=UTC", "zone=America/New_York", elsewhere, explain.Healthy, ""},
		"one says nothing":   {"zone=UTC", "", elsewhere, explain.Healthy, ""},
		"no zone that it is": {"zone=Mars/Olympus", "zone=Mars/Olympus", elsewhere, explain.Healthy, ""},
		"of this host only":  {"zone=Local", "zone=Local", elsewhere, explain.Healthy, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := treetest.New(t, server.Addr)
			b.Plant(t, sound(`cron: 0 0 3 * * ?\n`)+fmt.Sprintf("\nj/extension/agents/%s [E] = go %s\nj/extension/agents/%s [E] = go %s\n", leaderID, c.first, secondID, c.second))
			day := time.Now().UTC().Truncate(24 * time.Hour).Add(72 * time.Hour)
			reader, now := statistics.NewReader(b.Registry()), day.Add(6*time.Hour+30*time.Minute)
			reader.SetClock(func() time.Time { return now })
			list, err := reader.Jobs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			why, err := reader.Explain(t.Context(), "j")
			if err != nil {
				t.Fatal(err)
			}
			y, m, d := day.Add(-24 * time.Hour).Date()
			at := time.Date(y, m, d, 3, 0, 0, 0, c.ranIn)
			run := explain.Run{ScheduledAt: at, Start: at, End: at.Add(time.Second), Trigger: tracing.TriggerSchedule, Shards: []explain.ShardRun{
				{Item: 0, Outcome: explain.Succeeded, Instance: leaderID}, {Item: 1, Outcome: explain.Succeeded, Instance: secondID},
			}}
			runs := explain.DigestOf([]explain.Run{run}, true)
			e := explain.Evidence{Job: &list[0], Runs: runs.Planned(&list[0]), Known: true, Now: now}
			if listed, told := explain.Judge(e), explain.Explain(why, e); listed.State != c.state || told.State != c.state {
				t.Errorf("the list says %s, Explain %s, want %s", listed.State, told.State, c.state)
			}
			if list[0].AgentZone != c.zone || why.Zone != c.zone || why.ZoneAssumed != (c.zone == "") {
				t.Errorf("the zone is %q, of Explain %q, assumed %v; want %q", list[0].AgentZone, why.Zone, why.ZoneAssumed, c.zone)
			}
			if c.zone != "" && why.NextFire.In(c.ranIn).Hour() != 3 {
				t.Errorf("it fires next at %v", why.NextFire)
			}
			differ := slices.IndexFunc(why.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeZonesDiffer })
			if want := name == "they differ"; (differ >= 0) != want || want && why.Findings[differ].Value != "UTC on "+leaderID+", America/New_York on "+secondID {
				t.Errorf("the zones that differ: %v", why.Findings)
			}
		})
	}
}

// TestW85HalfHours: if a job without a zone ran at 03:00 in India, it isn't due for a whole day. If
// we only knew zones with full hours, it would be due sooner.
func TestW85HalfHours(t *testing.T) {
	t.Parallel()
	j := statistics.Job{Name: "j", Cron: "0 0 3 * * ?", Shards: 1, Instances: 1, Status: statistics.StatusOK, Recorded: true, Owners: []string{leaderID}}
	ran := time.Date(2026, 11, 28, 21, 30, 0, 0, time.UTC)
	j.ReadySince = ran.Add(-time.Hour)
	j.OwnersSince = []time.Time{j.ReadySince}
	runs := explain.DigestOf([]explain.Run{{ScheduledAt: ran, Start: ran, End: ran.Add(time.Second), Shards: []explain.ShardRun{{Outcome: explain.Succeeded, Instance: leaderID}}}}, true)
	for late, want := range map[time.Duration]State{5 * time.Second: explain.Healthy, 50 * time.Minute: explain.Late} {
		got := explain.StateOf(explain.Evidence{Job: &j, Runs: runs.Planned(&j), Known: true, Now: ran.Add(24*time.Hour + late)})
		if got != want {
			t.Errorf("%v after the fire time in India: %s, want %s", late, got, want)
		}
	}
}

// TestW85RecordOfAClockAhead: an agent with a clock that is ahead accounts for fire times that haven't come.
// Without a run they don't count.
func TestW85RecordOfAClockAhead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	before, ahead := now.Add(-time.Hour), now.Add(45*time.Second)
	ns, err := jobtree.NewNamespace("ahead")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		record jobtree.FireRecord
		want   time.Time
	}{
		"accounted for": {jobtree.FireRecord{Completed: before, Through: ahead, Owner: leaderID}, now},
		"run":           {jobtree.FireRecord{Completed: ahead, Through: ahead, Owner: leaderID}, ahead},
		"a right clock": {jobtree.FireRecord{Completed: before, Through: now, Owner: leaderID}, now},
	} {
		tree := map[string]statistics.Node{"j/extension/fired/0": {Data: string(c.record.Encode()), At: now}}
		fired, err := statistics.NewMemory(ns, tree, func() time.Time { return now }).Fired(t.Context(), "j")
		if got := fired.Shards[0].Through; err != nil || !got.Equal(c.want) {
			t.Errorf("%s: through %v, %v, want %v", name, got, err, c.want)
		}
	}
}
