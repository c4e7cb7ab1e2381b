package quartz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func ruled(t *testing.T, cron, job string, props ...string) *Expression {
	t.Helper()
	e, err := ParseWith(cron, job, pairs(props...))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func pairs(list ...string) map[string]string {
	props := make(map[string]string)
	for i := 0; i+1 < len(list); i += 2 {
		props[list[i]] = list[i+1]
	}
	return props
}

// calendar is a simple model of the exclusions.
type calendar struct {
	from, until time.Time
	dates       []string
	weekdays    []time.Weekday
}

func (c *calendar) refuses(at time.Time) bool {
	if !c.from.IsZero() && at.Before(c.from) || !c.until.IsZero() && !at.Before(c.until) || slices.Contains(c.weekdays, at.Weekday()) {
		return true
	}
	day := at.Format(time.DateOnly)
	return slices.ContainsFunc(c.dates, func(entry string) bool {
		first, last, ranged := strings.Cut(entry, "/")
		if !ranged {
			last = first
		}
		return first <= day && day <= last
	})
}

// randomCalendar excludes random times within ninety days, and writes them into properties.
func randomCalendar(r *rand.Rand, start time.Time, zones []*time.Location, props map[string]string) *calendar {
	var c calendar
	moment := func() time.Time { return start.Add(time.Duration(r.Int64N(int64(90 * day))).Truncate(time.Minute)) }
	if r.IntN(2) == 0 {
		c.from = moment()
		props[FromProp] = c.from.In(zones[r.IntN(len(zones))]).Format(time.RFC3339)
	}
	if r.IntN(2) == 0 {
		if c.until = moment(); !c.from.IsZero() && !c.until.After(c.from) {
			c.until = c.from.Add(50 * time.Hour)
		}
		props[UntilProp] = c.until.Format(time.RFC3339)
	}
	for range r.IntN(4) {
		first := moment()
		entry := first.Format(time.DateOnly)
		if r.IntN(2) == 0 {
			entry += "/" + first.Add(time.Duration(r.IntN(20))*day).Format(time.DateOnly)
		}
		c.dates = append(c.dates, entry)
	}
	entries := slices.Clone(c.dates)
	for range r.IntN(3) {
		w := time.Weekday(r.IntN(7))
		c.weekdays, entries = append(c.weekdays, w), append(entries, strings.ToUpper(w.String()[:3]))
	}
	props[ExcludeProp] = strings.Join(entries, ", ")
	return &c
}

func TestR37RestrictedFireTimesAreThoseThatACalendarLeaves(t *testing.T) {
	t.Parallel()
	crons := []string{"0 0 0/6 * * ?", "0 30 2 * * ?", "0 0/20 * * * ?", "0 15 23 ? * MON-FRI", "0 0 12 1 * ?", "0 5 0 L * ?", "17 0 1 ? * SAT"}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	zones := []*time.Location{time.UTC, time.FixedZone("GMT+8", 8*3600), time.FixedZone("GMT-3:30", -12600), berlin}
	r := rand.New(rand.NewPCG(37, 1))
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for n := range 10_000 {
		cron, zone, props := crons[r.IntN(len(crons))], zones[r.IntN(len(zones))], make(map[string]string)
		if r.IntN(3) == 0 {
			props[ClockChangeProp] = ClockChangeOnce
		}
		c := randomCalendar(r, start, zones, props)
		plain, err := ParseWith(cron, "j", map[string]string{ClockChangeProp: props[ClockChangeProp]})
		if err != nil {
			t.Fatal(err)
		}
		restricted, err := ParseWith(cron, "j", props)
		if err != nil {
			t.Fatal(props, err)
		}
		after := start.Add(time.Duration(r.Int64N(int64(90*day))) - 10*day)
		var want, previewed []time.Time
		for at, ok := plain.Next(after, zone); ok && at.Before(start.Add(120*day)) && len(want) < 12; at, ok = plain.Next(at, zone) {
			if !c.refuses(at) {
				want = append(want, at)
			}
		}
		for fire := range restricted.Fires(after, zone) {
			if !fire.At.Before(start.Add(120*day)) || len(previewed) == 12 {
				break
			}
			if fire.Refused == "" {
				previewed = append(previewed, fire.At)
			}
		}
		var got []time.Time
		for at, ok := restricted.Next(after, zone); ok && at.Before(start.Add(120*day)) && len(got) < 12; at, ok = restricted.Next(at, zone) {
			got = append(got, at)
		}
		if !slices.EqualFunc(got, want, time.Time.Equal) || !slices.EqualFunc(previewed, want, time.Time.Equal) {
			t.Fatalf("schedule %d: %s %s %v after %v:\n got %v\nlist %v\nwant %v", n, cron, zone, props, after, got, previewed, want)
		}
	}
}

func TestJitterIsAFunctionOfNameAndTime(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	a, again, b := ruled(t, "0 * * * * ?", "a", JitterProp, "29s"), ruled(t, "0 * * * * ?", "a", JitterProp, "29s"), ruled(t, "0 * * * * ?", "b", JitterProp, "29s")
	seen := make(map[time.Duration]bool)
	after := from
	for minute := range 200 {
		at, _ := a.Next(after, time.UTC)
		nominal := from.Add(time.Duration(minute+1) * time.Minute)
		if minute == 0 && !at.After(nominal) {
			nominal = from // Midnight's was delayed until after it.
			from = from.Add(-time.Minute)
		}
		put := at.Sub(nominal)
		if put < 0 || put >= 29*time.Second {
			t.Fatalf("the fire time of %v is %v", nominal, at)
		}
		seen[put] = true
		for _, back := range []time.Duration{time.Millisecond, time.Second, 20 * time.Second} { // from any starting point
			if same, _ := again.Next(at.Add(-back), time.UTC); same.After(at) {
				t.Fatalf("after %v: %v, want at most %v", at.Add(-back), same, at)
			}
		}
		if same, _ := again.Next(at.Add(-time.Millisecond), time.UTC); !same.Equal(at) {
			t.Fatalf("another agent fires at %v, want %v", same, at)
		}
		after = at
	}
	if len(seen) < 150 {
		t.Errorf("only %d different delays", len(seen))
	}
	if x, y := a.NextN(from, time.UTC, 5), b.NextN(from, time.UTC, 5); slices.EqualFunc(x, y, time.Time.Equal) {
		t.Error("two jobs are put off alike")
	}
	// Agents of different versions must agree on this function, so we can never change it.
	if got := ruled(t, "0 0 0 * * ?", "invoices", JitterProp, "1h").NextN(time.Date(2026, 11, 24, 23, 59, 59, 0, time.UTC), time.UTC, 2); got[0].Format(time.RFC3339Nano)+" "+got[1].Format(time.RFC3339Nano) != wantJitter {
		t.Errorf("%s %s", got[0].Format(time.RFC3339Nano), got[1].Format(time.RFC3339Nano))
	}
}

// wantJitter was computed independently, in Python.
const wantJitter = "2026-11-25T00:25:58.526Z 2026-11-26T00:39:15.233Z"

func TestJitterLargerThanGapsIsTheSameForAll(t *testing.T) {
	t.Parallel()
	e := ruled(t, "0/10 * * * * ?", "crowd", JitterProp, "1m")
	start := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	all := e.NextN(start, time.UTC, 50)
	for i, at := range all[1:] {
		if !at.After(all[i]) {
			t.Fatalf("%v follows %v", at, all[i])
		}
		if next, _ := e.Next(at.Add(-time.Millisecond), time.UTC); !next.Equal(at) {
			t.Fatalf("just before %v the next one is %v", at, next)
		}
	}
}

func TestRulesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for want, props := range map[string][]string{
		`schedule.until: "soon" is not allowed; want a time such as 2026-12-24T08:00:00Z`:                                                                           {UntilProp, "soon"},
		`schedule.from: "2026-01-01" is not allowed; want a time such as 2026-12-24T08:00:00Z`:                                                                      {FromProp, "2026-01-01"},
		`schedule.until: 2026-01-01T00:00:00Z is not later than schedule.from`:                                                                                      {FromProp, "2026-01-01T08:00:00+08:00", UntilProp, "2026-01-01T00:00:00Z"},
		`schedule.exclude leaves no day`:                                                                                                                            {ExcludeProp, "MON-tue"},
		`schedule.exclude: "2027-01-02/2026-12-24" is not allowed; want a date such as 2026-12-25, a range such as 2026-12-24/2027-01-02, or a weekday such as SAT`: {ExcludeProp, "SAT,2027-01-02/2026-12-24"},
		`schedule.exclude: "2026-02-30" is not allowed; want a date such as 2026-12-25, a range such as 2026-12-24/2027-01-02, or a weekday such as SAT`:            {ExcludeProp, "2026-02-30"},
		`schedule.jitter: "often" is not allowed; want a duration from 0s to 1h0m0s, such as 30s`:                                                                   {JitterProp, "often"},
		`schedule.jitter: "-1s" is not allowed; want a duration from 0s to 1h0m0s, such as 30s`:                                                                     {JitterProp, "-1s"},
		`schedule.jitter: "61m" is not allowed; want a duration from 0s to 1h0m0s, such as 30s`:                                                                     {JitterProp, "61m"},
	} {
		if want == "schedule.exclude leaves no day" {
			props = []string{ExcludeProp, "MON,tue WED\nTHU,FRI, SAT,SUN"}
		}
		_, err := ParseWith("0 * * * * ?", "j", pairs(props...))
		rule := (*RuleError)(nil)
		if !errors.As(err, &rule) || err.Error() != want {
			t.Errorf("%q\n got %v\nwant %v", props, err, want)
		}
	}
	if _, err := ParseWith("0 * * * * ?", "j", pairs(ExcludeProp, strings.Repeat("2026-12-25,", 400))); err == nil {
		t.Error("more than 4 KiB are taken")
	}
	zone := time.FixedZone("GMT+8", 8*3600)
	now := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	if err := ruled(t, "0 * * * * ?", "j", JitterProp, "45s").CheckJitter(now, zone); fmt.Sprint(err) != "schedule.jitter: 45s is not allowed; want less than 30s, half the smallest gap between fires" {
		t.Error(err)
	}
	if err := ruled(t, "0 * * * * ?", "j", JitterProp, "29s").CheckJitter(now, zone); err != nil {
		t.Error(err)
	}
	if err := ruled(t, "0 0 12 1 1 ? 2020", "j", JitterProp, "1h").CheckJitter(now, zone); err != nil {
		t.Error(err)
	}
}

func TestRestrictionsThatLeaveNothing(t *testing.T) {
	t.Parallel()
	for name, props := range map[string][]string{
		"the weekday":         {ExcludeProp, "FRI"},
		"a window without it": {FromProp, "2026-11-29T00:00:00Z", UntilProp, "2026-12-02T00:00:00Z"},
	} {
		e := ruled(t, "0 0 12 ? * FRI", "j", props...)
		if at, ok := e.Next(time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC), time.UTC); ok {
			t.Errorf("%s: fires at %v", name, at)
		}
		if err := e.Never(); err == nil || !strings.Contains(err.Error(), "leave no fire time") {
			t.Errorf("%s: %v", name, err)
		}
	}
	over := ruled(t, "0 0 12 ? * FRI", "j", UntilProp, "2020-01-01T00:00:00Z")
	if err := over.Never(); err != nil {
		t.Errorf("a schedule that has ended was one: %v", err)
	}
	if err := ruled(t, "0 0 0 30 2 ?", "j", ExcludeProp, "SAT").Never(); fmt.Sprint(err) != `"0 0 0 30 2 ?" never fires: there is no such date` {
		t.Error(err)
	}
}

func TestExclusionsWhereMidnightIsSkippedOrComesTwice(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"America/Sao_Paulo", "America/Havana", "Africa/Cairo", "Asia/Beirut"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		e, plain := ruled(t, "0 0/15 * * * ?", "j", ExcludeProp, "SAT,FRI"), ruled(t, "0 0/15 * * * ?", "j")
		after := time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC)
		got := 0
		for at, ok := plain.Next(after, zone); ok && at.Year() < 2019; at, ok = plain.Next(at, zone) {
			if at.Weekday() == time.Friday || at.Weekday() == time.Saturday {
				continue
			}
			next, _ := e.Next(after, zone)
			if !next.Equal(at) {
				t.Fatalf("%s: after %v comes %v, want %v", name, after, next, at)
			}
			after, got = at, got+1
		}
		if got < 40_000 {
			t.Errorf("%s: %d fire times", name, got)
		}
	}
}

func BenchmarkNextWithAllItsDaysExcluded(b *testing.B) {
	e, err := ParseWith("0 0 12 ? * FRI", "j", map[string]string{ExcludeProp: "FRI"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		e.Next(time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC), time.UTC)
	}
}
