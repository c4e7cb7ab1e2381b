package pages

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// formKey is a key of the form: where it stands, its words, and how it is asked for.
type formKey struct {
	name        string
	label, help func(i18n.Lang) string
	wide, mono  bool
	lone        bool
	suggest     []string
	choices     []string // of a property: the first is the usual one
	most        int      // of a property that is a number
	area        bool
}

// formGroups are the parts of the form in their order. Keys that the configuration
// of a job does not have are left out.
var formGroups = []struct {
	id    string
	title func(i18n.Lang) string
	keys  []formKey
	rest  bool // has what no other group has, and the properties
	folds bool // is opened on demand unless something is set
}{
	{id: "schedule", title: i18n.Lang.ConfigGroupSchedule, keys: []formKey{
		{name: "cron", label: i18n.Lang.ConfigCron, help: i18n.Lang.ConfigCronHelp, mono: true},
		{name: "timeZone", label: i18n.Lang.ConfigTimeZone, help: i18n.Lang.ConfigTimeZoneHelp, suggest: []string{"GMT", "GMT+1", "GMT+8", "GMT+9", "GMT-5", "GMT-8"}},
		{name: prop(quartz.ZoneProp), label: i18n.Lang.ConfigZone, help: i18n.Lang.ConfigZoneHelp, suggest: []string{"Europe/Berlin", "Europe/London", "America/New_York", "Asia/Shanghai", "Asia/Tokyo"}},
		{name: prop(quartz.FromProp), label: i18n.Lang.ConfigFrom, help: i18n.Lang.ConfigFromHelp, mono: true},
		{name: prop(quartz.UntilProp), label: i18n.Lang.ConfigUntil, help: i18n.Lang.ConfigUntilHelp, mono: true},
		{name: prop(quartz.ExcludeProp), label: i18n.Lang.ConfigExclude, help: i18n.Lang.ConfigExcludeHelp, mono: true, wide: true, area: true},
		{name: prop(quartz.JitterProp), label: i18n.Lang.ConfigJitter, help: i18n.Lang.ConfigJitterHelp, mono: true},
		{name: prop(quartz.ClockChangeProp), label: i18n.Lang.ConfigClockChange, help: i18n.Lang.ConfigClockChangeHelp, choices: []string{quartz.ClockChangeQuartz, quartz.ClockChangeOnce}},
	}},
	{id: "shards", title: i18n.Lang.ConfigGroupShards, keys: []formKey{
		{name: "shardingTotalCount", label: i18n.Lang.ConfigShards},
		{name: "jobShardingStrategyType", label: i18n.Lang.ConfigStrategy, help: i18n.Lang.ConfigStrategyHelp, suggest: []string{"AVG_ALLOCATION", "ODEVITY", "ROUND_ROBIN", "SINGLE_SHARDING_BALANCE"}},
		{name: "jobShardingStrategyClass", label: i18n.Lang.ConfigStrategy, mono: true},
		{name: "shardingItemParameters", label: i18n.Lang.ConfigItemParameters, help: i18n.Lang.ConfigItemParametersHelp, wide: true, mono: true},
		{name: "jobParameter", label: i18n.Lang.ConfigParameter, help: i18n.Lang.ConfigParameterHelp, wide: true, mono: true},
	}},
	{id: "behaviour", title: i18n.Lang.ConfigGroupBehaviour, keys: []formKey{
		{name: "failover", label: i18n.Lang.ConfigFailover, help: i18n.Lang.ConfigFailoverHelp},
		{name: "misfire", label: i18n.Lang.ConfigMisfire, help: i18n.Lang.ConfigMisfireHelp},
		{name: "monitorExecution", label: i18n.Lang.ConfigMonitor, help: i18n.Lang.ConfigMonitorHelp},
		{name: "disabled", label: i18n.Lang.ConfigDisabled, help: i18n.Lang.ConfigDisabledHelp},
		{name: "overwrite", label: i18n.Lang.ConfigOverwrite, help: i18n.Lang.ConfigOverwriteHelp},
		{name: "staticSharding", label: i18n.Lang.ConfigStaticSharding, help: i18n.Lang.ConfigStaticShardingHelp},
		{name: "streamingProcess", label: i18n.Lang.ConfigStreaming, help: i18n.Lang.ConfigStreamingHelp},
	}},
	{id: "limits", title: i18n.Lang.ConfigGroupLimits, keys: []formKey{
		{name: "maxTimeDiffSeconds", label: i18n.Lang.ConfigMaxTimeDiff, help: i18n.Lang.ConfigMaxTimeDiffHelp},
		{name: "reconcileIntervalMinutes", label: i18n.Lang.ConfigReconcile, help: i18n.Lang.ConfigReconcileHelp},
		{name: "jobErrorHandlerType", label: i18n.Lang.ConfigErrorHandler, help: i18n.Lang.ConfigErrorHandlerHelp, suggest: []string{"LOG", "THROW", "IGNORE", "EMAIL", "WECHAT", "DINGTALK"}},
		{name: jobconfig.Dialect304.ExecutorKey(), label: i18n.Lang.ConfigExecutor, help: i18n.Lang.ConfigExecutorHelp, suggest: []string{"CPU", "SINGLE_THREAD"}},
		{name: jobconfig.Dialect305.ExecutorKey(), label: i18n.Lang.ConfigExecutor, help: i18n.Lang.ConfigExecutorHelp, suggest: []string{"CPU", "SINGLE_THREAD"}},
	}},
	{id: "runs", title: i18n.Lang.ConfigGroupRuns, folds: true, keys: []formKey{
		{name: prop(runs.PropAssign), label: i18n.Lang.ConfigAssign, help: i18n.Lang.ConfigAssignHelp, choices: []string{string(jobrun.AssignEach), string(jobrun.AssignOne)}},
		{name: prop(runs.PropOverlap), label: i18n.Lang.ConfigOverlap, help: i18n.Lang.ConfigOverlapHelp, choices: []string{"queue", "one", "skip", "cancel"}},
		{name: prop(runs.PropRetries), label: i18n.Lang.ConfigRetries, help: usual("0"), most: 100},
		{name: prop(runs.PropTimeout), label: i18n.Lang.ConfigTimeout, help: i18n.Lang.ConfigTimeoutHelp, mono: true},
		{name: prop(runs.PropBackoff), label: i18n.Lang.ConfigBackoff, help: i18n.Lang.ConfigBackoffHelp, mono: true},
		{name: prop(runs.PropMost), label: i18n.Lang.ConfigBackoffMost, help: usual("1h"), mono: true},
		{name: prop(runs.PropLost), label: i18n.Lang.ConfigLost, help: i18n.Lang.ConfigLostHelp, choices: []string{"again", "fail"}},
		{name: prop(runs.PropExpiry), label: i18n.Lang.ConfigExpiry, help: i18n.Lang.ConfigExpiryHelp, mono: true},
		{name: prop(runs.PropKeep), label: i18n.Lang.ConfigKeep, help: usual("100"), most: 1000},
		{name: prop(runs.PropPause), label: i18n.Lang.ConfigPauseAfter, help: i18n.Lang.ConfigPauseAfterHelp, most: 1000},
		{name: prop(runs.PropLog), label: i18n.Lang.ConfigRunLog, help: i18n.Lang.ConfigRunLogHelp, choices: []string{"on", "off"}},
	}},
	{id: "rest", title: i18n.Lang.ConfigGroupRest, rest: true, keys: []formKey{
		{name: "description", label: i18n.Lang.ConfigDescription, wide: true},
		{name: "label", label: i18n.Lang.ConfigLabel},
		{name: "scriptCommandLine", label: i18n.Lang.ConfigScript, mono: true, wide: true},
		{name: "jobListenerTypes", label: i18n.Lang.ConfigListeners, help: i18n.Lang.ConfigListenersHelp, wide: true, mono: true},
	}},
}

// prop is the name of the field of a property.
func prop(key string) string { return editor.PropField + key }

// usual says what an empty field stands for.
func usual(value string) func(i18n.Lang) string {
	return func(l i18n.Lang) string { return l.ConfigUsual(value) }
}

// formKeys are the keys of a configuration that have a field: those of the document, and
// properties by themselves.
func formKeys(c *jobconfig.Config) map[string]editor.Key {
	keys := make(map[string]editor.Key)
	for _, k := range editor.KeysOf(c) {
		if k.Read(c) != nil {
			keys[k.Name] = k
		}
	}
	if c.Generation == jobconfig.Generation3x {
		for _, p := range editor.OwnProps {
			k := editor.PropKey(p)
			keys[k.Name] = k
		}
	}
	return keys
}

// propField makes the field of a property ask for what it takes. A value that the field
// cannot have stays as it is.
func propField(l i18n.Lang, f formKey, field *jobs.ConfigField) {
	switch {
	case f.area:
		field.Kind = jobs.FieldArea
	case f.most > 0:
		if n, err := strconv.Atoi(field.Value); field.Value == "" || err == nil && n >= 0 {
			field.Kind, field.Least, field.Most = jobs.FieldNumber, 0, f.most
		}
	case len(f.choices) > 0:
		field.Kind = jobs.FieldSelect
		field.Choices = []ui.Choice{{Label: l.ConfigUsualChoice(f.choices[0]), Selected: field.Value == ""}}
		known := f.choices
		if field.Value != "" && !slices.Contains(known, field.Value) {
			known = append(slices.Clone(known), field.Value)
		}
		for _, value := range known {
			field.Choices = append(field.Choices, ui.Choice{Value: value, Label: value, Selected: value == field.Value})
		}
	}
}

// rowed reports whether somebody typed a property that has a field of its own as a key
// with a value, and left the field empty.
func (d *draft) rowed(key string) bool {
	own := strings.TrimPrefix(key, editor.PropField)
	return own != key && d.form != nil && strings.TrimSpace(d.form.Get(key)) == "" && slices.Contains(d.form[editor.PropKeyField], own)
}
