package cloud

import (
	"maps"
	"slices"
	"strconv"
)

// The engines of this module, as in [Capabilities].
const (
	EngineLocal      = "local"
	EngineKubernetes = "kubernetes"
)

// Unused is a field of a document that is stored but has no effect.
type Unused struct{ Field, Value string }

type unusedFields []Unused

func (u *unusedFields) add(field, value string, unused bool) {
	if unused && value != "" {
		*u = append(*u, Unused{field, value})
	}
}

// Unused returns the fields of the job that have no effect with an engine.
func (j Job) Unused(engine string) []Unused {
	var u unusedFields
	usual, daemon, registry := NewJob("", "", 0), j.Type == TypeDaemon, j.Registry()
	if !registry { // Otherwise its processes are agents of ElasticJob-Lite, which use all of these.
		handlers := []string{"LOG", "THROW", "IGNORE"}
		u.add("failover", "true", j.Failover && daemon)
		u.add("monitorExecution", "false", !j.MonitorExecution)
		u.add("maxTimeDiffSeconds", strconv.Itoa(j.MaxTimeDiff), j.MaxTimeDiff > 0)
		u.add("reconcileIntervalMinutes", strconv.Itoa(j.ReconcileMinutes), j.ReconcileMinutes > 0 && j.ReconcileMinutes != usual.ReconcileMinutes)
		u.add("jobShardingStrategyType", j.StrategyType, true)
		u.add("jobExecutorServiceHandlerType", j.ExecutorType, true)
		u.add("jobErrorHandlerType", j.ErrorHandlerType, notifiers[j.ErrorHandlerType] == "" && !slices.Contains(handlers, j.ErrorHandlerType))
	}
	u.add("overwrite", "true", j.Overwrite)
	local := engine == EngineLocal
	for _, one := range []struct {
		unused bool
		props  []string
	}{
		{daemon, []string{PropOverlap, PropPendingMax, PropTimeout, PropStartDeadline, PropParallelism, PropFirePriority}},
		{daemon || !j.Failover, []string{PropFailoverMax, PropFailoverNever}},
		{daemon || local, []string{PropQueue}},
		{!daemon || local, []string{PropReadyPort}},
		{local, []string{PropPriority, PropCPULimit}},
	} {
		for _, prop := range one.props {
			u.add("props."+prop, j.Props[prop], one.unused)
		}
	}
	script, _ := j.scriptField()
	for _, field := range slices.Sorted(maps.Keys(j.Compat)) {
		u.add(field, j.Compat[field], script != compatScript || field != compatScript && field != compatJobType)
	}
	return u
}

// Unused returns the fields of the application that have no effect with an engine.
func (a App) Unused(engine string) []Unused {
	var u unusedFields
	local := engine == EngineLocal
	u.add("appURL", a.URL, !a.Fetched())
	u.add("appSHA256", a.SHA256, !a.Fetched())
	u.add("bootstrapScript", a.BootstrapScript, len(a.Command) > 0)
	u.add("shell", "true", a.Shell && (!local || len(a.Command) > 0 || a.BootstrapScript == ""))
	u.add("image", a.Image, local)
	u.add("pod", "{…}", local && a.Pod != nil)
	return u
}
