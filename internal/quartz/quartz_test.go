package quartz

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustParse(tb testing.TB, text string) *Expression {
	tb.Helper()
	e, err := Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func mustLoad(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}

// Every error should name the expression, the field, the value and the allowed values.
func TestErrorsNameTheirCause(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, field, value, reason string }{
		{"", "", "", "has 0 fields"},
		{"0 0 12 * *", "", "", "has 5 fields"},
		{"@daily", "", "", "has 1 fields"},
		{"* * * * * *", "", "", "exactly one of day-of-month and day-of-week"},
		{"0 0 12 1 * MON", "", "", "exactly one of day-of-month and day-of-week"},
		{"0 0 12 ? * ?", "day-of-week", "?", "only possible in one of"},
		{"60 * * * * ?", "second", "60", "60 is out of range"},
		{"0 1-60 * * * ?", "minute", "1-60", "60 is out of range"},
		{"0 0/70 * * * ?", "minute", "0/70", "the step 70 is larger than 59"},
		{"0 0 24 * * ?", "hour", "24", "24 is out of range"},
		{"0 0 1,25 * * ?", "hour", "25", "25 is out of range"},
		{"0 0 MON * * ?", "hour", "MON", "names are not possible here"},
		{"0 0 0 32 * ?", "day-of-month", "32", "32 is out of range"},
		{"0 0 0 1,L * ?", "day-of-month", "1,L", "L cannot be part of a list"},
		{"0 0 0 L-31 * ?", "day-of-month", "L-31", "is 31, more than 30"},
		{"0 0 0 L- * ?", "day-of-month", "L-", "a number must follow L-"},
		{"0 0 0 0W * ?", "day-of-month", "0W", "0 is out of range"},
		{"0 0 0 1 JANUAR,FOO ?", "month", "FOO", `"FOO" is not the name of a month`},
		{"0 0 0 1 13 ?", "month", "13", "13 is out of range"},
		{"0 0 0 ? * 8", "day-of-week", "8", "8 is out of range"},
		{"0 0 0 ? * 6#6", "day-of-week", "6#6", "a number from 1 to 5 must follow #"},
		{"0 0 0 ? * 1#2,2#3", "day-of-week", "1#2,2#3", "only one # is possible"},
		{"0 0 0 ? * ,", "day-of-week", "", "selects nothing"},
		{", 0 0 ? * 1", "second", ",", "selects nothing"},
		{"0 0 0 1 1 ? 2030-2029", "year", "2030-2029", "the range ends in 2029 before it starts"},
		{"0 0 0 1 1 ? 99999999999", "year", "99999999999", "is not a number"},
		{"é 0 0 1 1 ?", "second", "?", "unexpected character"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		var parseError *ParseError
		if !errors.As(err, &parseError) {
			t.Errorf("Parse(%q): error %v, want *ParseError", tt.text, err)
			continue
		}
		if parseError.Expression != tt.text || parseError.Field != tt.field || parseError.Value != tt.value ||
			!strings.Contains(parseError.Reason, tt.reason) {
			t.Errorf("Parse(%q): %#v, want field %q, value %q, reason with %q",
				tt.text, parseError, tt.field, tt.value, tt.reason)
		}
		if (parseError.Allowed == "") != (tt.field == "") || !strings.Contains(err.Error(), parseError.Allowed) {
			t.Errorf("Parse(%q): %q does not name the allowed values", tt.text, err)
		}
	}
}

func TestStringIsTheTextAsWritten(t *testing.T) {
	t.Parallel()
	const text = "0 0  12 ? * mon-Fri"
	if got := mustParse(t, text).String(); got != text {
		t.Errorf("String() = %q, want %q", got, text)
	}
}

func TestMS37NextAroundChangesOfTheClock(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, zone, after string
		want                    []string
	}{
		{"a run in the gap is dropped", "0 30 2 * * ?", "America/New_York", "2026-03-07T12:00:00-05:00",
			[]string{"2026-03-09T02:30:00-04:00"}},
		{"hourly runs go on after the gap", "0 30 * * * ?", "America/New_York", "2026-03-08T01:30:00-05:00",
			[]string{"2026-03-08T03:30:00-04:00"}},
		{"a time shown twice means the second", "0 30 1 * * ?", "America/New_York", "2026-10-31T12:00:00-04:00",
			[]string{"2026-11-01T01:30:00-05:00", "2026-11-02T01:30:00-05:00"}},
		{"every minute pauses in the first pass", "0 * * * * ?", "America/New_York", "2026-11-01T00:59:00-04:00",
			[]string{"2026-11-01T01:00:00-05:00"}},
		{"a skipped midnight is dropped", "0 0 0 * * ?", "Africa/Cairo", "2026-04-23T00:00:00+02:00",
			[]string{"2026-04-25T00:00:00+03:00"}},
		{"half an hour", "0 45 2 * * ?", "Australia/Lord_Howe", "2026-10-04T01:00:00+10:30",
			[]string{"2026-10-04T02:45:00+11:00"}},
		{"half an hour loses 02:40, as in Quartz", "0 15,40 * * * ?", "Australia/Lord_Howe", "2026-10-04T01:50:00+10:30",
			[]string{"2026-10-04T03:15:00+11:00"}},
	}
	for _, tt := range tests {
		loc := mustLoad(t, tt.zone)
		after, err := time.Parse(time.RFC3339, tt.after)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range mustParse(t, tt.text).NextN(after, loc, len(tt.want)) {
			got = append(got, at.Format(time.RFC3339))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %q in %s (-want +got):\n%s", tt.name, tt.text, tt.zone, diff)
		}
	}
}

// Quartz never returns from these searches. We leave out the days on which it hangs.
func TestMS38SearchesThatHangInQuartz(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, zone, after string
		want              []string
	}{
		// February never has a day 30 before its last one, and neither have the short months.
		{"0 0 0 L-30W * ?", "UTC", "2027-01-05T00:00:00Z", []string{"2027-03-01", "2027-05-03", "2027-07-01"}},
		// The last weekday of December 2011 is the day that Samoa skipped.
		{"0 0 0 LW * ?", "Pacific/Apia", "2011-12-29T20:00:00-10:00", []string{"2012-01-31", "2012-02-29"}},
		// Midnight of 24 April 2026, a Friday, does not exist in Cairo.
		{"0 0 0 24W 4 ?", "Africa/Cairo", "2026-01-01T00:00:00Z", []string{"2027-04-23"}},
	}
	for _, tt := range tests {
		after, err := time.Parse(time.RFC3339, tt.after)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range mustParse(t, tt.text).NextN(after, mustLoad(t, tt.zone), len(tt.want)) {
			got = append(got, at.Format(time.DateOnly))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q in %s (-want +got):\n%s", tt.text, tt.zone, diff)
		}
	}
}

func TestNextAtTheEdges(t *testing.T) {
	t.Parallel()
	every := mustParse(t, "* * * * * ?")
	at := time.Date(2026, 5, 1, 12, 0, 0, 999_999_999, time.UTC)
	if got, _ := every.Next(at, time.UTC); !got.Equal(time.Date(2026, 5, 1, 12, 0, 1, 0, time.UTC)) {
		t.Errorf("after a fraction of a second: %s", got)
	}
	if got, _ := every.Next(at.Truncate(time.Second), time.UTC); !got.Equal(time.Date(2026, 5, 1, 12, 0, 1, 0, time.UTC)) {
		t.Errorf("after a full second: %s", got)
	}
	if got, ok := every.Next(at, nil); !ok || got.Location() != time.Local {
		t.Errorf("a nil zone gives %s, %v, want a local time", got, ok)
	}
	if got, ok := every.Next(time.Time{}, time.UTC); !ok || got.Year() != 1970 {
		t.Errorf("after the zero time: %s, %v, want the first second of 1970", got, ok)
	}
	for _, far := range []time.Time{time.Unix(1<<62, 0), time.Unix(-1<<62, 0), at.AddDate(5000, 0, 0), at.AddDate(-5000, 0, 0)} {
		if got, ok := every.Next(far, time.UTC); ok && !got.After(far) {
			t.Errorf("after %s: %s", far, got)
		}
	}
	impossible := []string{"0 0 0 30 2 ?", "0 0 0 31 4,6,9,11 ?", "* * * 31 2 ?", "0 0 0 1 1 ? 2020", "0 0 0 29 2 ? 2027-2099/2", "0 0 0 ? * 9#2"}
	for _, text := range impossible {
		e := mustParse(t, text)
		if got, ok := e.Next(at, mustLoad(t, "America/New_York")); ok {
			t.Errorf("%q fires at %s", text, got)
		}
		if got := e.NextN(at, time.UTC, 3); got != nil {
			t.Errorf("%q fires at %s", text, got)
		}
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	loc := mustLoad(t, "America/New_York")
	after := time.Date(2026, 3, 7, 12, 0, 0, 0, loc)
	for _, text := range []string{"0/5 * * * * ?", "0 0 0 15W * ?", "0 0 0 ? * 6#3", "0 0 0 29 2 ?"} {
		e := mustParse(t, text)
		if allocs := testing.AllocsPerRun(20, func() { e.Next(after, loc) }); allocs > 0 {
			t.Errorf("Next of %q allocates %.0f times", text, allocs)
		}
	}
}

func TestTimeZoneOfOtherKind(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Asia/Shanghai", "UTC", "gmt+8", " GMT+8", "+8"} {
		_, err := ParseTimeZone(text)
		var zoneError *TimeZoneError
		if !errors.As(err, &zoneError) || zoneError.Zone != text ||
			!strings.HasPrefix(err.Error(), "Invalid time zone specification '"+text+"'.") {
			t.Errorf("ParseTimeZone(%q): %v", text, err)
		}
		if IsTimeZone(text) {
			t.Errorf("IsTimeZone(%q) is true", text)
		}
	}
	if loc, err := ParseTimeZone(""); err != nil || loc != time.Local {
		t.Errorf(`ParseTimeZone("") = %v, %v, want time.Local`, loc, err)
	}
	names := map[string]string{"GMT+8": "GMT+08:00", "GMT-0330": "GMT-03:30", "GMT": "GMT", "GMT+0": "GMT", "GMT+25": "GMT"}
	for text, want := range names {
		if loc, err := ParseTimeZone(text); err != nil || loc.String() != want {
			t.Errorf("ParseTimeZone(%q) = %v, %v, want %s", text, loc, err, want)
		}
	}
	for text, want := range map[string]bool{"": true, "GMT": true, "GMT0": true, "GMT+8": true, "GMT-23:59": true,
		"GMT+25": false, "GMTx": false, "GMT+8:60": false, "GMT+99999999999999999999": false} {
		if got := IsTimeZone(text); got != want {
			t.Errorf("IsTimeZone(%q) = %v", text, got)
		}
	}
}

// zoneNames are zones with all kinds of clock changes.
var zoneNames = []string{
	"UTC", "Asia/Shanghai", "America/New_York", "Europe/Berlin", "Europe/Dublin", "Australia/Lord_Howe",
	"Antarctica/Troll", "Africa/Cairo", "Africa/Casablanca", "America/Havana", "America/Santiago", "Asia/Beirut",
	"America/St_Johns", "Pacific/Apia", "Asia/Pyongyang", "Asia/Kathmandu", "Asia/Gaza", "America/Caracas",
}

// A wall clock should show the time that it was set to. A skipped time moves on, and a repeated
// time means the later one.
func TestWallClockAgainstTheZone(t *testing.T) {
	t.Parallel()
	var locations []*time.Location
	for _, name := range zoneNames {
		locations = append(locations, mustLoad(t, name))
	}
	rapid.Check(t, func(t *rapid.T) {
		loc := rapid.SampledFrom(locations).Draw(t, "zone")
		unix := rapid.Int64Range(0, 4_000_000_000).Draw(t, "unix")
		if rapid.Bool().Draw(t, "near a change") {
			if start, _ := time.Unix(unix, 0).In(loc).ZoneBounds(); !start.IsZero() {
				unix = start.Unix() + rapid.Int64Range(-2*86400, 2*86400).Draw(t, "distance")
			}
		}
		_, offset := time.Unix(unix, 0).In(loc).Zone()
		wall := unix + int64(offset)
		got := instantOf(wall, loc)
		if got < unix {
			t.Fatalf("%s at %d: read as %d", loc, unix, got)
		}
		if _, again := time.Unix(got, 0).In(loc).Zone(); got+int64(again) != wall {
			t.Fatalf("%s at %d: a time that exists is read as another one", loc, unix)
		}
		// No wall time goes back by more than the gap.
		any := instantOf(unix, loc)
		_, shown := time.Unix(any, 0).In(loc).Zone()
		if any+int64(shown) < unix {
			t.Fatalf("%s: wall time %d is shown as %d", loc, unix, any+int64(shown))
		}
	})
}

// element draws one element of a field, usually a valid one.
func element(t *rapid.T, f fieldSpec) string {
	value := func() string { return rapid.StringMatching(`[0-9]{1,2}`).Draw(t, "value") }
	switch rapid.IntRange(0, 6).Draw(t, "form") {
	case 0:
		return "*"
	case 1:
		return value() + "-" + value()
	case 2:
		return value() + "/" + value()
	case 3:
		return "*/" + value()
	case 4:
		if f.names != nil {
			return rapid.SampledFrom(f.names).Draw(t, "name")
		}
	}
	return value()
}

// An accepted expression should fire strictly later, on a full second with matching fields, in
// order. The result should be the same from anywhere in the gap before a fire time, except for W
// rules, which depend on the start in Quartz too.
func TestPropertiesOfNext(t *testing.T) {
	t.Parallel()
	var locations []*time.Location
	for _, name := range zoneNames {
		locations = append(locations, mustLoad(t, name))
	}
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		byWeekday := rapid.Bool().Draw(t, "by weekday")
		texts := drawFields(byWeekday, t)
		text := strings.Join(texts, " ")
		e, err := Parse(text)
		if err != nil {
			return
		}
		accepted++
		loc := rapid.SampledFrom(locations).Draw(t, "zone")
		after := time.Unix(rapid.Int64Range(1_000_000_000, 2_500_000_000).Draw(t, "after"), 0)
		times := e.NextN(after, loc, 4)
		previous := after
		for _, at := range times {
			if !at.After(previous) || at.Nanosecond() != 0 {
				t.Fatalf("%q in %s: %s after %s", text, loc, at, previous)
			}
			for i, value := range []int{at.Second(), at.Minute(), at.Hour()} {
				if !e.sets[i].has(value) {
					t.Fatalf("%q in %s fires at %s: wrong %s", text, loc, at, fields[i].name)
				}
			}
			if !e.sets[month].has(int(at.Month())) {
				t.Fatalf("%q in %s fires at %s: wrong month", text, loc, at)
			}
			if e.byWeekday && !e.sets[dayOfWeek].has(int(at.Weekday())+1) {
				t.Fatalf("%q in %s fires at %s, a %s", text, loc, at, at.Weekday())
			}
			if e.nearestWeekday && (at.Weekday() == time.Saturday || at.Weekday() == time.Sunday) && loc.String() != "Pacific/Apia" {
				t.Fatalf("%q in %s fires at %s, a %s", text, loc, at, at.Weekday())
			}
			previous = at
		}
		if _, offset := after.In(loc).Zone(); len(times) > 0 && !e.nearestWeekday {
			// Without a clock change in between, a later start finds the same time.
			if _, then := times[0].Zone(); then == offset && times[0].Sub(after) < 24*time.Hour {
				middle := after.Add(times[0].Sub(after) / 2)
				if again, _ := e.Next(middle, loc); !again.Equal(times[0]) {
					t.Fatalf("%q in %s: %s after %s, but %s after %s", text, loc, times[0], after, again, middle)
				}
			}
		}
	})
	if accepted == 0 {
		t.Error("no expression was accepted, nothing was tested")
	}
}

func drawFields(byWeekday bool, t *rapid.T) []string {
	var texts []string
	for i, f := range fields[:year] {
		switch {
		case i == dayOfMonth && byWeekday, i == dayOfWeek && !byWeekday:
			texts = append(texts, "?")
		case i == dayOfMonth && rapid.IntRange(0, 3).Draw(t, "day rule") == 0:
			texts = append(texts, rapid.SampledFrom([]string{"L", "LW", "L-3", "1W", "15W", "31W", "L-30W"}).Draw(t, "rule"))
		case i == dayOfWeek && rapid.IntRange(0, 3).Draw(t, "weekday rule") == 0:
			texts = append(texts, rapid.SampledFrom([]string{"L", "6L", "1#5", "MON#1", "SATL"}).Draw(t, "rule"))
		default:
			texts = append(texts, element(t, f))
		}
	}
	return texts
}

func FuzzNext(f *testing.F) {
	c := loadCorpus(f)
	for i := 0; i < len(c.accepted); i += 7 {
		f.Add(c.accepted[i].text, uint8(i), int64(1_793_500_000+i*86_000))
	}
	for i := 0; i < len(c.refused); i += 7 {
		f.Add(c.refused[i], uint8(i), int64(i))
	}
	var locations []*time.Location
	for _, name := range zoneNames {
		locations = append(locations, mustLoad(f, name))
	}
	f.Fuzz(func(t *testing.T, text string, zone uint8, unix int64) {
		e, err := Parse(text)
		if err != nil {
			var parseError *ParseError
			if !errors.As(err, &parseError) || parseError.Reason == "" {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			return
		}
		after := time.Unix(unix, 0)
		times := e.NextN(after, locations[int(zone)%len(locations)], 3)
		checkForward(t, text, after, times)
	})
}

func BenchmarkNext(b *testing.B) {
	after := time.Date(2026, 3, 7, 12, 34, 56, 0, time.UTC)
	for _, zone := range []string{"UTC", "America/New_York"} {
		loc := mustLoad(b, zone)
		for _, text := range []string{
			"0/5 * * * * ?", "0 0 0 * * ?", "0 0 9-17 ? * MON-FRI", "0 0 0 LW * ?", "0 0 0 29 2 ?", "0 0 0 30 2 ?",
		} {
			e := mustParse(b, text)
			b.Run(zone+"/"+strings.ReplaceAll(text, " ", "_"), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e.Next(after, loc)
				}
			})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("0 0/15 9-17 ? * MON-FRI"); err != nil {
			b.Fatal(err)
		}
	}
}
