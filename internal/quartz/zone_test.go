package quartz

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// TestW11ZoneByName checks a named zone's fires on days of a clock change, for both values of
// cron.clock.change.
func TestW11ZoneByName(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after time.Time
		rule  string
		want  []string
	}{
		"spring":       {time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC), "", []string{"2026-03-30T02:30:00+02:00", "2026-03-31T02:30:00+02:00"}},
		"spring, once": {time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC), ClockChangeOnce, []string{"2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"}},
		"autumn":       {time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC), ClockChangeQuartz, []string{"2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00"}},
		"autumn, once": {time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC), ClockChangeOnce, []string{"2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}},
	} {
		rules := RulesOf("j", map[string]string{ZoneProp: "Europe/Berlin", ClockChangeProp: test.rule})
		zone, err := rules.Location("")
		if err != nil {
			t.Fatal(err)
		}
		e, err := rules.Parse("0 30 2 * * ?")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range e.NextN(test.after, zone, 2) {
			got = append(got, at.Format(time.RFC3339))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestW11LocationOfRules: the name should replace timeZone, and the error for an invalid one should
// list the allowed values.
func TestW11LocationOfRules(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Asia/Shanghai": "Asia/Shanghai", "UTC": "UTC", "Etc/GMT+8": "Etc/GMT+8", "": "GMT+08:00"} {
		timeZone := ""
		if name == "" {
			timeZone = "GMT+8"
		}
		if zone, err := (Rules{Zone: name}).Location(timeZone); err != nil || zone.String() != want {
			t.Errorf("%q: %v, %v", name, zone, err)
		}
	}
	const known = "; want an IANA name such as Europe/Berlin; a Go program without a zone database imports time/tzdata"
	for want, rules := range map[string]Rules{
		`schedule.zone: "Mars/Olympus" is not allowed` + known:  {Zone: "Mars/Olympus"},
		`schedule.zone: "GMT+8" is not allowed` + known:         {Zone: "GMT+8"},
		`schedule.zone: "Local" is not allowed` + known:         {Zone: "Local"},
		`schedule.zone: "localtime" is not allowed` + known:     {Zone: "localtime"},
		`schedule.zone: "../etc/passwd" is not allowed` + known: {Zone: "../etc/passwd"},
	} {
		_, err := rules.Location("")
		if rule := (*RuleError)(nil); !errors.As(err, &rule) || err.Error() != want || rule.Property != ZoneProp {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	_, err := Rules{Zone: "Europe/Berlin"}.Location("GMT+1")
	if err == nil || err.Error() != `schedule.zone is "Europe/Berlin" and timeZone is "GMT+1"; set only one of them` {
		t.Error(err)
	}
	_, err = Rules{}.Location("Asia/Shanghai")
	if want := "Invalid time zone specification 'Asia/Shanghai'. Allowed: GMT with an offset, such as GMT+8, GMT+08:00 or GMT-0330." +
		" IANA names such as Asia/Shanghai go into the property schedule.zone."; err == nil || err.Error() != want {
		t.Error(err)
	}
}
