package lifecycle

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// ValidateConfig returns everything that is wrong with a configuration, joined: values that agents
// would refuse or fail on, and obvious mistakes, such as a parameter for a shard that the job
// doesn't have. Each problem is a *jobconfig.FieldError with the field and the allowed values.
// [FieldErrors] lists them.
func ValidateConfig(c *jobconfig.Config) error {
	_, ignored := runs.SettingsOf(c) // agents ignore invalid properties for requested runs, so the author wouldn't notice
	return errors.Join(c.Validate(), validateSchedule(c), validateItems(c), errors.Join(ignored...), validateGeneration(c))
}

// ValidateChange is [ValidateConfig] for a replacement of a stored configuration. It ignores
// existing problems that stay the same. Java agents accept many strange values, such as a parameter
// for a shard that the job doesn't have, and an operator must still be able to change that job's
// description.
func ValidateChange(before, after *jobconfig.Config) error {
	type stored struct{ field, value string }
	known := make(map[stored]bool)
	for _, e := range FieldErrors(ValidateConfig(before)) {
		known[stored{e.Field, e.Value}] = true
	}
	var problems []error
	for _, e := range FieldErrors(ValidateConfig(after)) {
		if !known[stored{e.Field, e.Value}] {
			problems = append(problems, e)
		}
	}
	return errors.Join(problems...)
}

// ConfigWarnings returns the unusual parts of a stored configuration: fields that [ValidateConfig]
// would refuse, and a cron expression that Java agents with Quartz 2.5 interpret differently.
func ConfigWarnings(c *jobconfig.Config) []*jobconfig.FieldError {
	warnings := FieldErrors(ValidateConfig(c))
	if expr, err := quartz.Parse(c.Cron); err == nil {
		for _, difference := range expr.Quartz25() {
			warnings = append(warnings, &jobconfig.FieldError{Field: "cron", Value: c.Cron, Want: "an expression with the same meaning in all versions of Quartz: " + difference})
		}
	}
	return warnings
}

// FieldErrors returns the field errors in err.
func FieldErrors(err error) []*jobconfig.FieldError {
	switch e := err.(type) { //nolint:errorlint // walks the tree of errors itself
	case nil:
		return nil
	case *jobconfig.FieldError:
		return []*jobconfig.FieldError{e}
	case interface{ Unwrap() []error }:
		var all []*jobconfig.FieldError
		for _, each := range e.Unwrap() {
			all = append(all, FieldErrors(each)...)
		}
		return all
	}
	return FieldErrors(errors.Unwrap(err))
}

func refused(field, value, format string, args ...any) error {
	return &jobconfig.FieldError{Field: field, Value: value, Want: fmt.Sprintf(format, args...)}
}

// validateSchedule checks the parts that every agent's scheduler parses, and the parts for Go
// agents only.
func validateSchedule(c *jobconfig.Config) error {
	var problems []error
	expr, err := quartz.Parse(c.Cron)
	possible := false
	if c.Cron != "" {
		switch {
		case err != nil:
			problems = append(problems, refused("cron", c.Cron, "six or seven fields of Quartz, seconds first (%v)", err))
		case !expr.Possible():
			problems = append(problems, refused("cron", c.Cron, "an expression that fires at some time"))
		default:
			possible = true
		}
	}
	if !quartz.IsTimeZone(c.TimeZone) {
		problems = append(problems, refused("timeZone", c.TimeZone, "GMT with an offset, such as GMT+8 or GMT-03:30, or nothing; names such as Europe/Berlin go into props.schedule.zone"))
	}
	switch rule := c.Props[quartz.ClockChangeProp]; rule {
	case "", quartz.ClockChangeQuartz, quartz.ClockChangeOnce:
	default:
		problems = append(problems, refused("props."+quartz.ClockChangeProp, rule, "%s or %s", quartz.ClockChangeQuartz, quartz.ClockChangeOnce))
		possible = false
	}
	return errors.Join(append(problems, validateRules(c, expr, possible))...)
}

// validateRules checks the properties that restrict and delay the schedule. If possible is set, the
// expression is valid, and it also checks their combination.
func validateRules(c *jobconfig.Config, expr *quartz.Expression, possible bool) error {
	all := quartz.RulesOf(c.Name, c.Props)
	rules := all
	rules.ClockChange = ""
	err := rules.Check()
	zone, zoneErr := rules.Location(c.TimeZone)
	if rules.Zone != "" {
		err = errors.Join(err, zoneErr)
	}
	if err == nil && possible && zoneErr == nil {
		if expr, err = expr.With(all); err == nil {
			err = expr.CheckJitter(time.Now(), zone)
		}
		if err == nil && expr.Never() != nil {
			return &jobconfig.FieldError{Field: "cron", Value: c.Cron, Want: "an expression that fires at some time within schedule.from, schedule.until and schedule.exclude"}
		}
	}
	return fieldOfRule(err)
}

func fieldOfRule(err error) error {
	switch e := err.(type) { //nolint:errorlint // walks the tree of errors itself
	case *quartz.RuleError:
		return &jobconfig.FieldError{Field: "props." + e.Property, Value: e.Value, Want: e.Want, Text: e.Error()}
	case interface{ Unwrap() []error }:
		var all []error
		for _, each := range e.Unwrap() {
			all = append(all, fieldOfRule(each))
		}
		return errors.Join(all...)
	}
	return err
}

func validateItems(c *jobconfig.Config) error {
	parameters, err := jobconfig.ParseItemParameters(c.ItemParameters)
	if err != nil || c.Shards <= 0 {
		return nil // Validate has reported it
	}
	for _, item := range slices.Sorted(maps.Keys(parameters)) {
		if item < 0 || item >= c.Shards {
			return refused("shardingItemParameters", c.ItemParameters, "shards from 0 to %d, below shardingTotalCount; there is no shard %d", c.Shards-1, item)
		}
	}
	return nil
}

// validateGeneration refuses values without a key in the format of 2.1.x.
func validateGeneration(c *jobconfig.Config) error {
	if c.Generation != jobconfig.Generation2x {
		return nil
	}
	var problems []error
	lacks := func(set bool, field, value string) {
		if set {
			problems = append(problems, refused(field, value, "nothing: ElasticJob 2.1.x does not have it"))
		}
	}
	lacks(c.TimeZone != "", "timeZone", c.TimeZone)
	lacks(c.Label != "", "label", c.Label)
	lacks(c.StaticSharding, "staticSharding", "true")
	lacks(len(c.ListenerTypes) > 0, "jobListenerTypes", fmt.Sprint(c.ListenerTypes))
	if c.Cron == "" {
		problems = append(problems, refused("cron", "", "an expression: ElasticJob 2.1.x has no jobs without one"))
	}
	return errors.Join(problems...)
}
