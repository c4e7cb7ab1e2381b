package runs

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestR39PlanOfABackfill: both ends count, what the schedule leaves out is said apart, and
// what cannot be backfilled is refused with the reason.
func TestR39PlanOfABackfill(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC) // a Friday
	config := func(cron string, props map[string]string) *jobconfig.Config {
		c := jobconfig.New("job", 1)
		c.Cron, c.TimeZone, c.Props = cron, "GMT", props
		return c
	}
	hourly := config("0 0 * * * ?", map[string]string{"schedule.exclude": "SAT", "schedule.until": "2026-11-22T03:00:00Z", "schedule.jitter": "10m"})
	plan, err := PlanBackfill("job", hourly, jobrun.Backfill{From: day.Add(22 * time.Hour), To: day.Add(53 * time.Hour)}, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Times) != 2+3 || !plan.Times[0].Equal(day.Add(22*time.Hour)) || !plan.Times[4].Equal(day.Add(50*time.Hour)) {
		t.Errorf("times %v", plan.Times)
	}
	if plan.RefusedCount != 24+3 || plan.Refused[0].Property != "schedule.exclude" || !plan.Refused[26].At.Equal(day.Add(53*time.Hour)) || plan.Refused[26].Property != "schedule.until" {
		t.Errorf("%d refused: %v", plan.RefusedCount, plan.Refused)
	}
	for want, test := range map[string]struct {
		config   *jobconfig.Config
		from, to time.Time
		kind     error
	}{
		"4320 fire times; at most 1000 at once":              {config("0 * * * * ?", nil), day, day.Add(72*time.Hour - time.Second), jobrun.ErrOptions},
		"more than 1000 fire times":                          {config("* * * * * ?", nil), day.AddDate(-3, 0, 0), day, jobrun.ErrOptions},
		"has yet to come":                                    {hourly, day, now.Add(time.Second), jobrun.ErrOptions},
		"is before From":                                     {hourly, day, day.Add(-time.Second), jobrun.ErrOptions},
		"From: is missing":                                   {hourly, time.Time{}, day, jobrun.ErrOptions},
		`job "job" has no cron expression`:                   {config("", nil), day, day, jobrun.ErrNoSchedule},
		`schedule.until: "soon" is not allowed; want a time`: {config("0 * * * * ?", map[string]string{"schedule.until": "soon"}), day, day, jobrun.ErrNoSchedule},
	} {
		_, err := PlanBackfill("job", test.config, jobrun.Backfill{From: test.from, To: test.to}, now)
		if want == "more than 1000 fire times" {
			want = "more than 200000 fire times; at most 1000 at once"
		}
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}
