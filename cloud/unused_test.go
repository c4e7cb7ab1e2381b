package cloud

import (
	"strings"
	"testing"
)

// TestW39UnusedFields: a field should be listed if it has no effect for the type of the job and the engine.
func TestW39UnusedFields(t *testing.T) {
	t.Parallel()
	job := func(change func(*Job)) Job {
		j := NewJob("settle", "shop", 2)
		j.Props = map[string]string{"mine": "1"}
		change(&j)
		return j
	}
	every := func(j *Job) {
		j.Failover, j.MonitorExecution, j.MaxTimeDiff, j.ReconcileMinutes, j.Overwrite = true, false, 5, 3, true
		j.StrategyType, j.ExecutorType, j.ErrorHandlerType = "ODEVITY", "CPU", "org.example.Handler"
		for prop := range numericProps {
			j.Props[prop] = "1"
		}
		j.Props[PropQueue], j.Props[PropPriority], j.Props[PropTimeout] = "night", "high", "1h"
		delete(j.Props, PropProcesses)
	}
	const upstream = "monitorExecution maxTimeDiffSeconds reconcileIntervalMinutes jobShardingStrategyType jobExecutorServiceHandlerType jobErrorHandlerType overwrite"
	for name, one := range map[string]struct {
		job          Job
		engine, want string
	}{
		"the defaults":  {job(func(*Job) {}), EngineLocal, ""},
		"a TRANSIENT":   {job(every), EngineKubernetes, upstream + " props.cloud.ready.port"},
		"of this host":  {job(every), EngineLocal, upstream + " props.cloud.queue props.cloud.ready.port props.cloud.priority"},
		"without retry": {job(func(j *Job) { j.Props[PropFailoverMax] = "2" }), EngineKubernetes, "props.cloud.failover.max"},
		"LOG and EMAIL": {job(func(j *Job) { j.ErrorHandlerType = "EMAIL" }), EngineLocal, ""},
		"a script of 2.x": {job(func(j *Job) {
			j.Compat = map[string]string{"jobType": "SCRIPT", "scriptCommandLine": "a b", "jobClass": "c", "beanName": ""}
		}), EngineLocal, "jobClass"},
		"no script of 2.x": {job(func(j *Job) {
			j.Compat = map[string]string{"jobType": "SIMPLE", "scriptCommandLine": "a b"}
		}), EngineLocal, "jobType scriptCommandLine"},
		"both": {job(func(j *Job) {
			j.Compat, j.Props[PropScript] = map[string]string{"scriptCommandLine": "a b"}, "c"
		}), EngineLocal, "scriptCommandLine"},
		"a DAEMON": {job(func(j *Job) { every(j); j.Type, j.Cron = TypeDaemon, "0 * * * * ?" }), EngineKubernetes,
			"failover " + upstream + " props.cloud.pending.max props.cloud.timeout props.cloud.parallelism props.cloud.fire.priority props.cloud.failover.max props.cloud.queue"},
		"agents": {job(func(j *Job) {
			j.Type, j.Cron, j.StrategyType, j.Failover, j.Props[PropDaemon] = TypeDaemon, "0 * * * * ?", "ODEVITY", true, DaemonRegistry
		}), EngineKubernetes, ""},
	} {
		if got := names(one.job.Unused(one.engine)); got != one.want {
			t.Errorf("%s: %s\nwant %s", name, got, one.want)
		}
	}
	app := NewApp("shop")
	app.URL, app.BootstrapScript, app.Image, app.Shell, app.Pod = "file:///x", "a", "i", true, &PodSettings{}
	if got := names(app.Unused(EngineLocal)); got != "appURL image pod" {
		t.Errorf("an application of this host: %s", got)
	}
	app.Command = []string{"b"}
	if got := names(app.Unused(EngineKubernetes)); got != "appURL bootstrapScript shell" {
		t.Errorf("an application of a cluster: %s", got)
	}
}

func names(list []Unused) string {
	var fields []string
	for _, u := range list {
		fields = append(fields, u.Field)
	}
	return strings.Join(fields, " ")
}
