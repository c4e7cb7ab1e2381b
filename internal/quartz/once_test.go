package quartz

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// changing are zones with many kinds of clock changes: by an hour, half an hour, a whole day, at
// midnight, and none any more.
var changing = []string{
	"America/New_York", "Europe/Berlin", "Europe/London", "Australia/Lord_Howe", "America/Sao_Paulo",
	"Asia/Shanghai", "Asia/Tehran", "Pacific/Apia", "Africa/Casablanca", "America/Havana", "Asia/Beirut",
	"Antarctica/Troll", "America/St_Johns", "Pacific/Chatham", "UTC",
}

func location(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// TestMS37BothPolicies compares the fires on days of a clock change by Quartz's rule and by ours.
func TestMS37BothPolicies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		zone, cron, day string // fire times of this day
		quartz, once    string
	}{
		{"America/New_York", "0 30 2 * * ?", "2024-03-10", "", "03:00-04:00"},
		{"America/New_York", "0 30 1 * * ?", "2024-11-03", "01:30-05:00", "01:30-04:00"},
		{"America/New_York", "0 0 3 * * ?", "2024-03-10", "03:00-04:00", "03:00-04:00"},
		{"America/New_York", "0 0 2,3 * * ?", "2024-03-10", "03:00-04:00", "03:00-04:00"},
		{"America/New_York", "0 0/20 2 * * ?", "2024-03-10", "", "03:00-04:00"},
		{"America/New_York", "0 0 0-3 * * ?", "2024-11-03", "00:00-04:00 01:00-05:00 02:00-05:00 03:00-05:00", "00:00-04:00 01:00-04:00 02:00-05:00 03:00-05:00"},
		{"Europe/Berlin", "0 30 2 * * ?", "2024-03-31", "", "03:00+02:00"},
		{"Europe/Berlin", "0 30 2 * * ?", "2024-10-27", "02:30+01:00", "02:30+02:00"},
		{"Australia/Lord_Howe", "0 15 2 * * ?", "2024-10-06", "", "02:30+11:00"},
		{"Australia/Lord_Howe", "0 45 1 * * ?", "2024-04-07", "01:45+10:30", "01:45+11:00"},
		{"America/Sao_Paulo", "0 0 0 * * ?", "2018-11-04", "", "01:00-02:00"},
		{"Asia/Shanghai", "0 30 2 * * ?", "2024-03-10", "02:30+08:00", "02:30+08:00"},
	} {
		loc := location(t, tt.zone)
		day, err := time.ParseInLocation(time.DateOnly, tt.day, loc)
		if err != nil {
			t.Fatal(err)
		}
		for policy, want := range map[string]string{ClockChangeQuartz: tt.quartz, ClockChangeOnce: tt.once} {
			e, err := ParseWith(tt.cron, "j", map[string]string{ClockChangeProp: policy})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for at := range fires(e, day.Add(-time.Second), loc) {
				if at.Format(time.DateOnly) != tt.day {
					break
				}
				got = append(got, at.Format("15:04Z07:00"))
			}
			if text := strings.Join(got, " "); text != want {
				t.Errorf("%s in %s on %s, %s: fires at %q, want %q", tt.cron, tt.zone, tt.day, policy, text, want)
			}
		}
	}
}

func fires(e *Expression, after time.Time, loc *time.Location) func(yield func(time.Time) bool) {
	return func(yield func(time.Time) bool) {
		for {
			next, ok := e.Next(after, loc)
			if !ok || !yield(next) {
				return
			}
			after = next
		}
	}
}

// TestMS37EveryWallTimeOnce: over all changes of ten years in all those zones, a daily job should
// run once a day, at its wall time or when the clock skips it, and no job should go back in time.
func TestMS37EveryWallTimeOnce(t *testing.T) {
	t.Parallel()
	for _, zone := range changing {
		loc := location(t, zone)
		for _, cron := range []string{"0 0 0 * * ?", "0 30 0 * * ?", "0 30 1 * * ?", "0 15 2 * * ?", "30 59 2 * * ?", "0 0 3 * * ?", "0 30 23 * * ?"} {
			e, err := Parse(cron)
			if err != nil {
				t.Fatal(err)
			}
			from := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)
			// The fires of a clock without changes, converted step by step.
			var want []int64
			for at := range fires(e, from, time.UTC) {
				if at.Year() == 2020 {
					break
				}
				want = append(want, byHand(at, loc))
			}
			var got []int64
			last := time.Date(2009, 12, 30, 0, 0, 0, 0, time.UTC)
			for at := range fires(e.OnceAtClockChanges(), last, loc) {
				if !at.After(last) {
					t.Fatalf("%s in %s: %v after %v", cron, zone, at, last)
				}
				last = at
				if wall := wallOf(at); wall >= time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC).Unix() {
					break
				}
				got = append(got, at.Unix())
			}
			want = slices.Compact(want)
			first := slices.Index(got, want[0])
			if first < 0 || len(got) < first+len(want) || !slices.Equal(got[first:first+len(want)], want) {
				t.Errorf("%s in %s: %d fire times, want %d", cron, zone, len(got), len(want))
			}
		}
	}
}

// byHand searches step by step for the first instant at which a zone's clock shows at least a time.
func byHand(wall time.Time, loc *time.Location) int64 {
	_, before := wall.Add(-26 * time.Hour).In(loc).Zone()
	_, after := wall.Add(26 * time.Hour).In(loc).Zone()
	at := wall.Unix() - int64(max(before, after)) - 60 // It can't be earlier.
	for wallOf(time.Unix(at, 0).In(loc)) < wall.Unix() {
		at += 30
	}
	for wallOf(time.Unix(at-1, 0).In(loc)) >= wall.Unix() {
		at--
	}
	return at
}

// TestMS37StrictlyLater: for any expression, zone and instant, the next fire time should be later,
// should also be the next one from any instant before it, and should be found in bounded time.
func TestMS37StrictlyLater(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cron := rapid.SampledFrom([]string{
			"* * * * * ?", "0 * * * * ?", "0 0/7 * * * ?", "0 0 * * * ?", "0 30 1,2,3 * * ?", "0 0 2 L * ?", "0 15 2 ? * SUN",
			"0 0 0 1 1 ?", "0 0 2 29 2 ?", "17 17 1-3 ? * 1#2", "0 0 3 LW * ?", "0 30 2 * * ? 2010-2030",
		}).Draw(t, "cron")
		loc, err := time.LoadLocation(rapid.SampledFrom(changing).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		e, err := Parse(cron)
		if err != nil {
			t.Fatal(err)
		}
		e = e.OnceAtClockChanges()
		after := time.Unix(rapid.Int64Range(1_000_000_000, 2_000_000_000).Draw(t, "after"), 0)
		if rapid.Bool().Draw(t, "near a change") {
			if _, end := after.In(loc).ZoneBounds(); !end.IsZero() {
				after = end.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(t, "seconds")) * time.Second)
			}
		}
		next, ok := e.Next(after, loc)
		if !ok {
			if !strings.Contains(cron, "2030") {
				t.Fatalf("%s never fires after %v", cron, after)
			}
			return
		}
		if !next.After(after) {
			t.Fatalf("%s: %v after %v", cron, next, after)
		}
		between := after.Add(time.Duration(rapid.Int64Range(0, int64(next.Sub(after)/time.Second)-1).Draw(t, "between")) * time.Second)
		if again, _ := e.Next(between, loc); !again.Equal(next) {
			t.Fatalf("%s: %v after %v, but %v after %v", cron, next, after, again, between)
		}
	})
}

// TestMS38Impossible: both rules should detect an expression that never fires, and find a fire once
// in a century. maxSteps bounds each search.
func TestMS38Impossible(t *testing.T) {
	t.Parallel()
	for cron, possible := range map[string]bool{
		"0 0 0 30 2 ?": false, "0 0 0 31 2,4,6,9,11 ?": false, "30 2 2 31 11 ?": false,
		"0 0 0 29 2 ? 2023": false, "0 0 0 ? 2 6#5 2023": false, "0 0 0 29 2 ? 2001-2003": false,
		"0 0 0 29 2 ?": true, "0 0 0 29 2 ? 2096": true, "59 59 23 31 12 ? 2099": true, "0 0 0 1 1 ? 1970": true,
		"0 0 0 ? 2 1#5": true,
	} {
		e, err := Parse(cron)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Possible(); got != possible {
			t.Errorf("%s: possible %v, want %v", cron, got, possible)
		}
		for _, zone := range changing {
			loc := location(t, zone)
			_, quartz := e.Next(time.Unix(0, 0), loc)
			_, once := e.OnceAtClockChanges().Next(time.Unix(0, 0), loc)
			if quartz != once && possible && !strings.HasSuffix(cron, "1970") {
				t.Errorf("%s in %s: %v by Quartz's rule, %v by the other", cron, zone, quartz, once)
			}
		}
	}
}

func TestClockChangePropIsChecked(t *testing.T) {
	t.Parallel()
	_, err := ParseWith("0 0 2 * * ?", "j", map[string]string{ClockChangeProp: "twice"})
	for _, part := range []string{ClockChangeProp, `"twice"`, ClockChangeQuartz, ClockChangeOnce} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not contain %s", err, part)
		}
	}
	if _, err := ParseWith("nonsense", "j", nil); err == nil {
		t.Error("nonsense is accepted")
	}
}

func TestOnceAtTheEndOfLeapYears(t *testing.T) {
	t.Parallel()
	berlin := location(t, "Europe/Berlin")
	for year := 2036; year <= 2080; year += 4 {
		e, err := ParseWith("0 30 * * * ?", "j", map[string]string{ClockChangeProp: ClockChangeOnce})
		if err != nil {
			t.Fatal(err)
		}
		want := time.Date(year, 12, 30, 0, 30, 0, 0, time.UTC)
		for range 72 { // up to the second day of the next year, an hour at a time
			if next, _ := e.Next(want.Add(-time.Hour), berlin); !next.Equal(want) {
				t.Fatalf("after %v comes %v, want %v", want.Add(-time.Hour), next, want)
			}
			want = want.Add(time.Hour)
		}
	}
}
