package view

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// noon is the time in every test.
var noon = time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{Thousands(999), "999"}, {Thousands(1000000), "1,000,000"},
		{Clip("作业作业", 3), "作业…"}, {Clip("abc", 3), "abc"},
		{Enumerate([]string{"a", "b", "c"}, 2), "a, b and 1 more"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 0: "0 s", 999 * time.Millisecond: "0 s", 59 * time.Second: "59 s", time.Minute: "1 min",
		133 * time.Second: "2 min 13 s", time.Hour: "1 h", 3*time.Hour + 5*time.Minute: "3 h 5 min",
		24 * time.Hour: "1 d", 76*time.Hour + 59*time.Minute: "3 d 4 h",
	} {
		if got := Span(d); got != want {
			t.Errorf("span(%s) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{-1: "0 ms", 1500 * time.Microsecond: "1 ms", 1234 * time.Millisecond: "1.2 s", 12 * time.Second: "12 s"} {
		if got := Took(d); got != want {
			t.Errorf("took(%s) = %q, want %q", d, got, want)
		}
	}
}

func TestPlanOfJobsThatDoNotFire(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		job  statistics.Job
		note NoFire
		err  bool
	}{
		"runs":           {statistics.Job{Status: statistics.StatusOK, Cron: "0 0 * * * ?", Servers: 1}, "", false},
		"partly off":     {statistics.Job{Status: statistics.StatusOK, Cron: "0 0 * * * ?", Servers: 2, DisabledServers: 1}, "", false},
		"one-off":        {statistics.Job{Status: statistics.StatusOK}, "only when triggered", false},
		"all servers":    {statistics.Job{Status: statistics.StatusDisabled, Cron: "0 0 * * * ?", Servers: 2, DisabledServers: 2}, "disabled", false},
		"nobody there":   {statistics.Job{Status: statistics.StatusCrashed, Cron: "0 0 * * * ?"}, "no instance to run it", false},
		"unreadable":     {statistics.Job{Status: statistics.StatusBroken, Cron: "0 0 * * * ?"}, "unknown", false},
		"bad expression": {statistics.Job{Status: statistics.StatusOK, Cron: "every day"}, "cron unreadable", true},
		"bad zone":       {statistics.Job{Status: statistics.StatusOK, Cron: "0 0 * * * ?", TimeZone: "Mars/Olympus"}, "time zone unreadable", true},
		"in the past":    {statistics.Job{Status: statistics.StatusOK, Cron: "0 0 0 1 1 ? 2020", TimeZone: "GMT+0"}, "never again", false},
	} {
		p := PlanOf(c.job, noon, 1)
		if p.Why != c.note || (p.Err != nil) != c.err || p.Next().IsZero() != (c.note != "") {
			t.Errorf("%s: note %q, error %v, next %s", name, p.Why, p.Err, p.Next())
		}
	}
}

func TestPlanKeepsToTheRuleForClockChanges(t *testing.T) {
	t.Parallel()
	for rule, good := range map[string]bool{"": true, "quartz": true, "once": true, "sometimes": false} {
		p := PlanOf(statistics.Job{Status: statistics.StatusOK, Cron: "0 30 2 * * ?", ClockChange: rule, Servers: 1}, noon, 1)
		if (p.Err == nil) != good {
			t.Errorf("rule %q: error %v", rule, p.Err)
		}
	}
}

func TestIPsAreOrderedByNumber(t *testing.T) {
	t.Parallel()
	ordered := []string{"10.0.0.9", "10.0.0.10", "10.0.1.1", "::1", "fe80::1", "host-a", "host-b"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := CompareIPs(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compareIPs(%s, %s) = %d", a, b, got)
			}
		}
	}
}
