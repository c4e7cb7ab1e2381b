package console

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

func TestSpan(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 0: "0 s", 999 * time.Millisecond: "0 s", 59 * time.Second: "59 s", time.Minute: "1 min",
		133 * time.Second: "2 min 13 s", time.Hour: "1 h", 3*time.Hour + 5*time.Minute: "3 h 5 min",
		24 * time.Hour: "1 d", 76*time.Hour + 59*time.Minute: "3 d 4 h",
	} {
		if got := span(d); got != want {
			t.Errorf("span(%s) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{-1: "0 ms", 1500 * time.Microsecond: "1 ms", 1234 * time.Millisecond: "1.2 s", 12 * time.Second: "12 s"} {
		if got := took(d); got != want {
			t.Errorf("took(%s) = %q, want %q", d, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{plural(1, "shard"), "1 shard"}, {plural(0, "server"), "0 servers"}, {plural(12345, "job"), "12,345 jobs"},
		{plural(2, "entry"), "2 entries"}, {isAre(1, "shard"), "1 shard is"}, {isAre(2, "shard"), "2 shards are"},
		{thousands(999), "999"}, {thousands(1000000), "1,000,000"},
		{itemsText(nil), "no shard"}, {itemsText([]int{3}), "shard 3"}, {itemsText([]int{7, 0, 1, 2}), "shards 0–2, 7"},
		{clip("作业作业", 3), "作业…"}, {clip("abc", 3), "abc"},
		{headline("\n first \n second"), "first"}, {enumerate([]string{"a", "b", "c"}, 2), "a, b and 1 more"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func run(item int, at, length time.Duration, ok bool) tracing.Execution {
	e := tracing.Execution{Item: item, StartTime: noon.Add(at), Success: ok}
	if length > 0 {
		e.CompleteTime = e.StartTime.Add(length)
	}
	return e
}

func TestFiresAreGrouped(t *testing.T) {
	t.Parallel()
	const s, ms = time.Second, time.Millisecond
	fires := groupFires([]tracing.Execution{
		run(1, 10*s+40*ms, s, true), run(0, 10*s, 2*s, false), // one fire, one shard failed
		run(0, 0, s, true), run(1, 30*ms, s, true), // the fire before
		run(0, 20*s, 0, false), run(0, 21*s, 0, false), // an item again is another fire
	})
	var got []string
	for _, f := range fires {
		got = append(got, string(f.kind())+" "+plural(f.shards, "shard"))
	}
	if diff := cmp.Diff([]string{"ok 2 shards", "failed 2 shards", "running 1 shard", "running 1 shard"}, got); diff != "" {
		t.Errorf("fires (-want +got):\n%s", diff)
	}
}

// Whatever the executions, every one is in exactly one fire, and a strip stays
// within its frame.
func TestStripFitsItsFrame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var runs []tracing.Execution
		for range rapid.IntRange(0, 80).Draw(rt, "n") {
			runs = append(runs, run(rapid.IntRange(0, 5).Draw(rt, "item"), time.Duration(rapid.IntRange(0, 600_000).Draw(rt, "at"))*time.Millisecond,
				time.Duration(rapid.IntRange(-5, 1_000_000).Draw(rt, "length"))*time.Millisecond, rapid.Bool().Draw(rt, "ok")))
		}
		fires, shards := groupFires(runs), 0
		for _, f := range fires {
			shards += f.shards
		}
		if shards != len(runs) {
			rt.Fatalf("%d executions in fires, want %d", shards, len(runs))
		}
		strip := stripOf(fires, noon.Add(time.Hour), "/executions")
		if len(strip.Bars) > stripRuns || len(strip.Bars) < min(len(fires), stripRuns) {
			rt.Fatalf("%d bars for %d fires", len(strip.Bars), len(fires))
		}
		for _, b := range strip.Bars {
			if b.Height < 2 || b.Height > ui.MaxBar {
				rt.Fatalf("bar of height %d", b.Height)
			}
		}
	})
}

func TestPlanOfJobsThatDoNotFire(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		job  statistics.Job
		note string
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
		p := planOf(c.job, noon, 1)
		if p.note != c.note || (p.err != nil) != c.err || p.next().IsZero() != (c.note != "") {
			t.Errorf("%s: note %q, error %v, next %s", name, p.note, p.err, p.next())
		}
	}
}

func TestPlanKeepsToTheRuleForClockChanges(t *testing.T) {
	t.Parallel()
	for rule, good := range map[string]bool{"": true, "quartz": true, "once": true, "sometimes": false} {
		p := planOf(statistics.Job{Status: statistics.StatusOK, Cron: "0 30 2 * * ?", ClockChange: rule, Servers: 1}, noon, 1)
		if (p.err == nil) != good {
			t.Errorf("rule %q: error %v", rule, p.err)
		}
	}
}

func TestIPsAreOrderedByNumber(t *testing.T) {
	t.Parallel()
	ordered := []string{"10.0.0.9", "10.0.0.10", "10.0.1.1", "::1", "fe80::1", "host-a", "host-b"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareIPs(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compareIPs(%s, %s) = %d", a, b, got)
			}
		}
	}
}

func TestSecretsOfAConfigurationAreHiddenFromGuests(t *testing.T) {
	t.Parallel()
	const raw = "jobName: token-rotation\nprops:\n  db.password: hunter2\n  API_KEY: 'k'\n  plain: value\n  accessToken: t\n  robot.webhook: https://r.example/send?key=k\n" +
		"  # old.secret: 'k1'\n  mail.password: |\n    two\n\n    lines\n  url: http://x/?token=t\nextra:\n- !!x.Y {user: u, password: p}\n{\"jobName\":\"x\",\"props\":{\"db.passwd\":\"p\"}}\ncron: c"
	const hidden = "***\n"
	const want = "jobName: token-rotation\nprops:\n  db.password: " + hidden + "  API_KEY: " + hidden + "  plain: value\n  accessToken: " + hidden + "  robot.webhook: " + hidden +
		"  # old.secret: " + hidden + "  mail.password: " + hidden + "  url: " + hidden + "extra:\n" + hidden + hidden + "cron: c"
	if diff := cmp.Diff(want, configText([]byte(raw), false)); diff != "" {
		t.Errorf("as a guest (-want +got):\n%s", diff)
	}
	if got := configText([]byte(raw), true); got != raw {
		t.Errorf("as root: %q", got)
	}
}
