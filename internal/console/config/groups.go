package config

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

// formGroups are the parts of the form in their order. Keys that the configuration of a job doesn't
// have are left out.
var formGroups = []struct {
	id    string
	title func(i18n.Lang) string
	keys  []jobs.FieldDef
	rest  bool // has the properties
	folds bool // is opened on demand unless something is set
}{
	{id: "schedule", title: i18n.Lang.ConfigGroupSchedule, keys: []jobs.FieldDef{
		{Name: "cron", Label: i18n.Lang.ConfigCron, Help: i18n.Lang.ConfigCronHelp, Mono: true},
		{Name: "timeZone", Label: i18n.Lang.ConfigTimeZone, Help: i18n.Lang.ConfigTimeZoneHelp, Suggest: []string{"GMT", "GMT+1", "GMT+8", "GMT+9", "GMT-5", "GMT-8"}},
		{Name: prop(quartz.ZoneProp), Label: i18n.Lang.ConfigZone, Help: i18n.Lang.ConfigZoneHelp, Suggest: []string{"Europe/Berlin", "Europe/London", "America/New_York", "Asia/Shanghai", "Asia/Tokyo"}},
		{Name: prop(quartz.FromProp), Label: i18n.Lang.ConfigFrom, Help: i18n.Lang.ConfigFromHelp, Mono: true},
		{Name: prop(quartz.UntilProp), Label: i18n.Lang.ConfigUntil, Help: i18n.Lang.ConfigUntilHelp, Mono: true},
		{Name: prop(quartz.ExcludeProp), Label: i18n.Lang.ConfigExclude, Help: i18n.Lang.ConfigExcludeHelp, Mono: true, Wide: true, Area: true},
		{Name: prop(quartz.JitterProp), Label: i18n.Lang.ConfigJitter, Help: i18n.Lang.ConfigJitterHelp, Mono: true},
		{Name: prop(quartz.ClockChangeProp), Label: i18n.Lang.ConfigClockChange, Help: i18n.Lang.ConfigClockChangeHelp, Choices: []string{quartz.ClockChangeQuartz, quartz.ClockChangeOnce}},
	}},
	{id: "shards", title: i18n.Lang.ConfigGroupShards, keys: []jobs.FieldDef{
		{Name: "shardingTotalCount", Label: i18n.Lang.ConfigShards},
		{Name: "jobShardingStrategyType", Label: i18n.Lang.ConfigStrategy, Help: i18n.Lang.ConfigStrategyHelp, Suggest: []string{"AVG_ALLOCATION", "ODEVITY", "ROUND_ROBIN", "SINGLE_SHARDING_BALANCE"}},
		{Name: "jobShardingStrategyClass", Label: i18n.Lang.ConfigStrategy, Mono: true},
		{Name: "shardingItemParameters", Label: i18n.Lang.ConfigItemParameters, Help: i18n.Lang.ConfigItemParametersHelp, Wide: true, Mono: true},
		{Name: "jobParameter", Label: i18n.Lang.ConfigParameter, Help: i18n.Lang.ConfigParameterHelp, Wide: true, Mono: true},
	}},
	{id: "behaviour", title: i18n.Lang.ConfigGroupBehaviour, keys: []jobs.FieldDef{
		{Name: "failover", Label: i18n.Lang.ConfigFailover, Help: i18n.Lang.ConfigFailoverHelp},
		{Name: "misfire", Label: i18n.Lang.ConfigMisfire, Help: i18n.Lang.ConfigMisfireHelp},
		{Name: "monitorExecution", Label: i18n.Lang.ConfigMonitor, Help: i18n.Lang.ConfigMonitorHelp},
		{Name: "disabled", Label: i18n.Lang.ConfigDisabled, Help: i18n.Lang.ConfigDisabledHelp},
		{Name: "overwrite", Label: i18n.Lang.ConfigOverwrite, Help: i18n.Lang.ConfigOverwriteHelp},
		{Name: "staticSharding", Label: i18n.Lang.ConfigStaticSharding, Help: i18n.Lang.ConfigStaticShardingHelp},
		{Name: "streamingProcess", Label: i18n.Lang.ConfigStreaming, Help: i18n.Lang.ConfigStreamingHelp},
	}},
	{id: "limits", title: i18n.Lang.ConfigGroupLimits, keys: []jobs.FieldDef{
		{Name: "maxTimeDiffSeconds", Label: i18n.Lang.ConfigMaxTimeDiff, Help: i18n.Lang.ConfigMaxTimeDiffHelp},
		{Name: "reconcileIntervalMinutes", Label: i18n.Lang.ConfigReconcile, Help: i18n.Lang.ConfigReconcileHelp},
		{Name: "jobErrorHandlerType", Label: i18n.Lang.ConfigErrorHandler, Help: i18n.Lang.ConfigErrorHandlerHelp, Suggest: []string{"LOG", "THROW", "IGNORE", "EMAIL", "WECHAT", "DINGTALK"}},
		{Name: jobconfig.Dialect304.ExecutorKey(), Label: i18n.Lang.ConfigExecutor, Help: i18n.Lang.ConfigExecutorHelp, Suggest: []string{"CPU", "SINGLE_THREAD"}},
		{Name: jobconfig.Dialect305.ExecutorKey(), Label: i18n.Lang.ConfigExecutor, Help: i18n.Lang.ConfigExecutorHelp, Suggest: []string{"CPU", "SINGLE_THREAD"}},
	}},
	{id: "runs", title: i18n.Lang.ConfigGroupRuns, folds: true, keys: []jobs.FieldDef{
		{Name: prop(runs.PropAssign), Label: i18n.Lang.ConfigAssign, Help: i18n.Lang.ConfigAssignHelp, Choices: []string{string(jobrun.AssignEach), string(jobrun.AssignOne)}},
		{Name: prop(runs.PropOverlap), Label: i18n.Lang.ConfigOverlap, Help: i18n.Lang.ConfigOverlapHelp, Choices: []string{"queue", "one", "skip", "cancel"}},
		{Name: prop(runs.PropRetries), Label: i18n.Lang.ConfigRetries, Help: usual("0"), Most: 100},
		{Name: prop(runs.PropTimeout), Label: i18n.Lang.ConfigTimeout, Help: i18n.Lang.ConfigTimeoutHelp, Mono: true},
		{Name: prop(runs.PropBackoff), Label: i18n.Lang.ConfigBackoff, Help: i18n.Lang.ConfigBackoffHelp, Mono: true},
		{Name: prop(runs.PropMost), Label: i18n.Lang.ConfigBackoffMost, Help: usual("1h"), Mono: true},
		{Name: prop(runs.PropLost), Label: i18n.Lang.ConfigLost, Help: i18n.Lang.ConfigLostHelp, Choices: []string{"again", "fail"}},
		{Name: prop(runs.PropExpiry), Label: i18n.Lang.ConfigExpiry, Help: i18n.Lang.ConfigExpiryHelp, Mono: true},
		{Name: prop(runs.PropKeep), Label: i18n.Lang.ConfigKeep, Help: usual("100"), Most: 1000},
		{Name: prop(runs.PropPause), Label: i18n.Lang.ConfigPauseAfter, Help: i18n.Lang.ConfigPauseAfterHelp, Most: 1000},
		{Name: prop(runs.PropLog), Label: i18n.Lang.ConfigRunLog, Help: i18n.Lang.ConfigRunLogHelp, Choices: []string{"on", "off"}},
	}},
	{id: "rest", title: i18n.Lang.ConfigGroupRest, rest: true, keys: []jobs.FieldDef{
		{Name: "description", Label: i18n.Lang.ConfigDescription, Wide: true},
		{Name: "label", Label: i18n.Lang.ConfigLabel},
		{Name: "scriptCommandLine", Label: i18n.Lang.ConfigScript, Mono: true, Wide: true},
		{Name: "jobListenerTypes", Label: i18n.Lang.ConfigListeners, Help: i18n.Lang.ConfigListenersHelp, Wide: true, Mono: true},
	}},
}

// prop is the name of the field of a property.
func prop(key string) string { return editor.PropField + key }

// usual is the help that names the value of an empty field.
func usual(value string) func(i18n.Lang) string {
	return func(l i18n.Lang) string { return l.ConfigUsual(value) }
}

// formKeys are the keys of a configuration that have a field: keys of the document, and properties.
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

// ask makes a field ask for its kind of value. A value that the field can't have stays as it is.
func ask(l i18n.Lang, field *jobs.ConfigField) {
	switch f := field.FieldDef; {
	case f.Area:
		field.Kind = jobs.FieldArea
	case f.Most > 0:
		if n, err := strconv.Atoi(field.Value); field.Value == "" || err == nil && n >= 0 {
			field.Kind, field.Highest = jobs.FieldNumber, f.Most
		}
	case len(f.Choices) > 0:
		field.Kind = jobs.FieldSelect
		field.Options = []ui.Choice{{Label: l.ConfigUsualChoice(f.Choices[0]), Selected: field.Value == ""}}
		known := f.Choices
		if field.Value != "" && !slices.Contains(known, field.Value) {
			known = append(slices.Clone(known), field.Value)
		}
		for _, value := range known {
			field.Options = append(field.Options, ui.Choice{Value: value, Label: value, Selected: value == field.Value})
		}
	}
}

// rowed reports whether a property with its own field was typed as a key with a value instead.
func (d *draft) rowed(key string) bool {
	own := strings.TrimPrefix(key, editor.PropField)
	return own != key && d.form != nil && strings.TrimSpace(d.form.Get(key)) == "" && slices.Contains(d.form[editor.PropKeyField], own)
}
