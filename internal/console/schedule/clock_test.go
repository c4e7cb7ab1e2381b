package schedule

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// TestChangesNameTheirDates: what Berlin skips in spring and shows twice in autumn,
// and how many fire times of a schedule that are.
func TestChangesNameTheirDates(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)
	for cron, want := range map[string]string{
		"0 30 2 * * ?":         "2027-03-28 forward 1 02:30, 2027-10-31 back 1 02:30",
		"0 0/20 * * * ?":       "2027-03-28 forward 3 02:00, 2027-10-31 back 3 02:00",
		"0 30 2 ? * MON-FRI":   "2027-03-28 forward 0, 2027-10-31 back 0",
		"0 30 3 * * ?":         "2027-03-28 forward 0, 2027-10-31 back 0",
		"0 30 2 28 3 ? *":      "2027-03-28 forward 1 02:30, 2027-10-31 back 0",
		"0/1 * 2 31 10 ? 2027": "2027-03-28 forward 0, 2027-10-31 back 3600 02:00",
	} {
		expr, err := quartz.Parse(cron)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes(t.Context(), expr, quartz.Rules{}, now, berlin) {
			text := c.At.In(berlin).Format(time.DateOnly) + map[bool]string{true: " forward ", false: " back "}[c.Forward()] + strconv.Itoa(c.Fires)
			if c.Fires > 0 {
				text += " " + c.First.Format("15:04")
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s, want %s", cron, text, want)
		}
	}
}

// TestExcludedTimesAreNotSkipped: what the properties leave out is no fire time, so a clock
// that is set then skips none and shows none twice.
func TestExcludedTimesAreNotSkipped(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)
	for name, c := range map[string]struct {
		rules          quartz.Rules
		spring, autumn int
	}{
		"none":           {quartz.Rules{}, 3, 3},
		"Sundays":        {quartz.Rules{Exclude: "SUN"}, 0, 0},
		"the day":        {quartz.Rules{Exclude: "2027-03-27/2027-03-28"}, 0, 3},
		"another day":    {quartz.Rules{Exclude: "2027-03-27", Jitter: "5m", Job: "j"}, 3, 3},
		"from":           {quartz.Rules{From: "2027-03-28T01:00:01Z"}, 0, 3},
		"until":          {quartz.Rules{Until: "2027-10-31T01:20:00Z"}, 3, 1},
		"until it is so": {quartz.Rules{Until: "2027-03-28T01:00:00Z"}, 0, 0},
	} {
		expr, err := c.rules.Parse("0 0/20 * * * ?")
		if err != nil {
			t.Fatal(err)
		}
		list := changes(t.Context(), expr, c.rules, now, berlin)
		if len(list) != 2 || list[0].Fires != c.spring || list[1].Fires != c.autumn {
			t.Errorf("%s: %+v, want %d and %d", name, list, c.spring, c.autumn)
		}
	}
}

// TestVerdictAgreesWithQuartz: what is said to be skipped does not fire, and what is
// said to come twice fires once.
func TestVerdictAgreesWithQuartz(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	expr, err := quartz.Parse("0 0/20 * * * ?")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes(t.Context(), expr, quartz.Rules{}, time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC), berlin) {
		seen := map[string]int{}
		for _, at := range expr.NextN(c.At.Add(-3*time.Hour), berlin, 24) {
			seen[at.Format("2006-01-02 15:04")]++
		}
		for fire := range 3 {
			at := c.First.Add(time.Duration(fire) * 20 * time.Minute).Format("2006-01-02 15:04")
			if want := map[bool]int{true: 0, false: 1}[c.Forward()]; seen[at] != want {
				t.Errorf("%s fires %d times, want %d", at, seen[at], want)
			}
		}
	}
}
