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
		for _, c := range changes(t.Context(), expr, now, berlin) {
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
	for _, c := range changes(t.Context(), expr, time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC), berlin) {
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
