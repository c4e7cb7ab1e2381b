package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestV04ValidateChange: only new problems count.
func TestV04ValidateChange(t *testing.T) {
	t.Parallel()
	stored := jobconfig.New("j", 2)
	stored.ItemParameters, stored.TimeZone = "0=a,1=b,2=c", "GMT+25"
	for name, test := range map[string]struct {
		edit   func(*jobconfig.Config)
		fields []string
	}{
		"nothing":               {edit: func(*jobconfig.Config) {}},
		"another field":         {edit: func(c *jobconfig.Config) { c.Description = "d" }},
		"fewer shards yet":      {edit: func(c *jobconfig.Config) { c.Shards = 1 }},
		"enough shards":         {edit: func(c *jobconfig.Config) { c.Shards = 3 }},
		"the field itself":      {edit: func(c *jobconfig.Config) { c.ItemParameters = "7=x" }, fields: []string{"shardingItemParameters"}},
		"another bad field":     {edit: func(c *jobconfig.Config) { c.Cron = "x" }, fields: []string{"cron"}},
		"both, one of them new": {edit: func(c *jobconfig.Config) { c.TimeZone, c.Cron = "GMT+26", "0/5 * * * * ?" }, fields: []string{"timeZone"}},
	} {
		after := stored.Clone()
		test.edit(after)
		var fields []string
		for _, e := range FieldErrors(ValidateChange(stored, after)) {
			fields = append(fields, e.Field)
		}
		if diff := cmp.Diff(test.fields, fields); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	// A change that invalidates a valid field is refused: fewer shards than parameters.
	sound := jobconfig.New("j", 3)
	sound.ItemParameters = "0=a,1=b,2=c"
	after := sound.Clone()
	after.Shards = 2
	if err := ValidateChange(sound, after); err == nil {
		t.Error("fewer shards than parameters are taken")
	}
}

// TestEveryWrongScheduleRuleIsNamed: all invalid rules should be reported at once.
func TestEveryWrongScheduleRuleIsNamed(t *testing.T) {
	t.Parallel()
	c := jobconfig.New("j", 1)
	c.Cron = "0 * * * * ?"
	c.Props = map[string]string{"schedule.from": "tomorrow", "schedule.until": "later", "schedule.exclude": "Xmas", "schedule.jitter": "often"}
	var fields []string
	for _, e := range FieldErrors(ValidateConfig(c)) {
		fields = append(fields, e.Field)
	}
	if diff := cmp.Diff([]string{"props.schedule.from", "props.schedule.until", "props.schedule.exclude", "props.schedule.jitter"}, fields); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestScheduleRulesAreRefusedInTheWordsOfAgents: the text is the same as Agent.Add's, the field is
// the property.
func TestScheduleRulesAreRefusedInTheWordsOfAgents(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		props       map[string]string
		field, text string
	}{
		"end before the beginning": {
			map[string]string{"schedule.from": "2026-01-02T00:00:00Z", "schedule.until": "2026-01-01T00:00:00Z"},
			"props.schedule.until", "schedule.until: 2026-01-01T00:00:00Z is not later than schedule.from",
		},
		"jitter beyond the gap": {
			map[string]string{"schedule.jitter": "45s"},
			"props.schedule.jitter", "schedule.jitter: 45s is not allowed; want less than 30s, half the smallest gap between fires",
		},
		"no day": {
			map[string]string{"schedule.exclude": "MON TUE WED THU FRI SAT SUN"},
			"props.schedule.exclude", "schedule.exclude leaves no day",
		},
		"W11 two zones": {
			map[string]string{"schedule.zone": "Europe/Berlin"},
			"props.schedule.zone", `schedule.zone is "Europe/Berlin" and timeZone is "GMT"; set only one of them`,
		},
		"no time": {
			map[string]string{"schedule.from": "2026-01-02T00:00:00Z", "schedule.until": "2026-01-04T00:00:00Z", "schedule.exclude": "2026-01-01/2026-01-05"},
			"cron", "",
		},
	} {
		c := jobconfig.New("j", 1)
		c.Cron, c.TimeZone, c.Props = "0 * * * * ?", "GMT", test.props
		problems := FieldErrors(ValidateConfig(c))
		if len(problems) != 1 || problems[0].Field != test.field || test.text != "" && problems[0].Error() != test.text {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
