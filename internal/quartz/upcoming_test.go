package quartz

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestUpcomingAgreesWithNext: for any properties, the accepted times should be the agents' fire
// times, and refused times should have a reason and be combined into one row if there are many.
func TestUpcomingAgreesWithNext(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 23, 22, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name, cron string
		props      map[string]string
		want       []string // the rows: time of day, reason, count
	}{
		{"plain", "0 0 * * * ?", nil, []string{"23 23:00", "24 00:00", "24 01:00"}},
		{"a day", "0 0 12 * * ?", map[string]string{ExcludeProp: "2026-12-25"}, []string{"24 12:00", "25 12:00 schedule.exclude", "26 12:00"}},
		{"hours of a day", "0 0 * * * ?", map[string]string{ExcludeProp: "2026-12-24"}, []string{"23 23:00", "24 00:00 schedule.exclude 24", "25 00:00"}},
		{"seconds of a day", "* * * * * ?", map[string]string{ExcludeProp: "2026-12-23/2026-12-25"}, []string{"23 22:30 schedule.exclude 1000", "26 00:00", "26 00:00"}},
		{"from", "0 0 * * * ?", map[string]string{FromProp: "2026-12-24T00:30:00Z", ExcludeProp: "2026-12-24"}, []string{"23 23:00 schedule.from", "24 00:00 schedule.from", "24 01:00 schedule.exclude 23"}},
		{"far", "* * * * * ?", map[string]string{FromProp: "2026-12-31T00:00:00Z"}, []string{"23 22:30 schedule.from 1000", "31 00:00", "31 00:00"}},
		{"until", "0 0 * * * ?", map[string]string{UntilProp: "2026-12-24T00:30:00Z"}, []string{"23 23:00", "24 00:00"}},
		{"over", "0 0 * * * ?", map[string]string{UntilProp: "2026-12-22T00:30:00Z"}, nil},
		{"never", "0 0 0 ? * SAT", map[string]string{ExcludeProp: "SAT"}, []string{"26 00:00 schedule.exclude 1000"}},
		{"jitter", "0 0/2 * * * ?", map[string]string{JitterProp: "59s", ExcludeProp: "THU"}, []string{"23 22:30", "23 22:32", "23 22:34"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expr, err := ParseWith(c.cron, "j", c.props)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			var fires []time.Time
			for _, u := range expr.Upcoming(now, time.UTC, 3) {
				text := u.Nominal.Format("02 15:04")
				if u.Refused != "" {
					text += " " + u.Refused
					if u.Count > 1 {
						text += " " + strconv.Itoa(u.Count)
					}
				} else {
					fires = append(fires, u.At)
				}
				if u.Count > 1 && u.Last.IsZero() != (u.Count == refusedCounted) {
					t.Errorf("%+v: the last counted one", u)
				}
				got = append(got, text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if want := expr.NextN(now, time.UTC, len(fires)); !slices.EqualFunc(fires, want, time.Time.Equal) {
				t.Errorf("fires %v; agents fire at %v", fires, want)
			}
		})
	}
}
