package jobfile

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

func (b builder) job(name string, t *tree) (Job, bool) {
	before := len(b.problems)
	if err := jobconfig.ValidateName(name); err != nil {
		b.refuse(t.line, t.path, "the name of the job: %v", err)
	}
	if len(t.sub) == 0 {
		if b.within(t.path) {
			return Job{}, false
		}
		b.refuse(t.line, t.path, "the job has no settings; want at least elasticJobType and shardingTotalCount")
		return Job{}, false
	}
	j := Job{Line: t.line}
	j.Name = name
	b.identity(&j, t)
	j.Schedule.Cron = strings.TrimSpace(b.text(t, "cron"))
	if j.Schedule.Cron != "" {
		if _, err := quartz.Parse(j.Schedule.Cron); err != nil {
			b.bad(t.at("cron").value, "a Quartz expression of six or seven fields", err)
		}
	}
	b.zone(t)
	j.Schedule.Zone = cmp.Or(b.text(t, "scheduleZone"), b.text(t, "timeZone"))
	j.Schedule.From, j.Schedule.Until = b.moment(t, "scheduleFrom"), b.moment(t, "scheduleUntil")
	j.Schedule.Exclude = b.texts(t, "scheduleExclude")
	j.Schedule.Jitter = time.Duration(b.number(t, "scheduleJitterMilliseconds", 0, int(quartz.MostJitter/time.Millisecond), 0)) * time.Millisecond
	if t.has("shardingTotalCount") {
		j.Shards = b.number(t, "shardingTotalCount", 1, jobconfig.MaxShards, 1)
	} else {
		b.missing(t, "shardingTotalCount", "the number of shards, 1 to "+strconv.Itoa(jobconfig.MaxShards))
	}
	j.ShardParameters, j.Parameter = b.text(t, "shardingItemParameters"), b.text(t, "jobParameter")
	b.itemParameters(t, j.Shards)
	j.Title, j.Description = b.text(t, "title"), b.text(t, "description")
	b.oneLine(t, "elasticJobClass")
	b.execution(&j, t)
	b.requested(&j, t)
	b.kind(&j, t)
	return j, len(b.problems) == before
}

func (b builder) moment(t *tree, name string) time.Time {
	s := strings.TrimSpace(b.text(t, name))
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		b.bad(t.at(name).value, "a time such as 2026-12-24T08:00:00Z", nil)
	}
	return at
}

func (b builder) identity(j *Job, t *tree) {
	kind, class := strings.TrimSpace(b.text(t, "elasticJobType")), strings.TrimSpace(b.text(t, "elasticJobClass"))
	switch {
	case b.within(t.path + ".elasticJobType"), b.within(t.path + ".elasticJobClass"):
	case kind != "" && class != "":
		b.refuse(max(t.at("elasticJobType").line, t.at("elasticJobClass").line), t.path, "elasticJobClass and elasticJobType are both given; want one of them")
	case kind == "" && class == "":
		b.refuse(t.line, t.path, "elasticJobType is missing; want SCRIPT or HTTP, or elasticJobClass for a job with code")
	case class != "":
		j.Class = class
	case b.known.Types[kind] == nil && slices.Contains([]string{"SIMPLE", "DATAFLOW"}, strings.ToUpper(kind)):
		b.bad(t.at("elasticJobType").value, "", fmt.Errorf("%q is not a type in ElasticJob; declare a job with code by its elasticJobClass, and serve it from your own program. Without code, the types are SCRIPT and HTTP", kind))
	case kind != jobconfig.TypeScript && kind != jobconfig.TypeHTTP && slices.Contains([]string{jobconfig.TypeScript, jobconfig.TypeHTTP}, strings.ToUpper(kind)):
		b.bad(t.at("elasticJobType").value, strings.ToUpper(kind)+", in capitals", nil)
	default:
		j.Type = kind
		types := append([]string{jobconfig.TypeScript, jobconfig.TypeHTTP}, slices.Sorted(maps.Keys(b.known.Types))...)
		if !slices.Contains(types, kind) {
			b.bad(t.at("elasticJobType").value, "one of "+strings.Join(types, ", ")+", or elasticJobClass for a job with code", nil)
		}
	}
}

func (b builder) execution(j *Job, t *tree) {
	j.Unmonitored, j.Schedule.SkipMisfires = !b.flag(t, "monitorExecution", true), !b.flag(t, "misfire", true)
	j.Failover = b.flag(t, "failover", false)
	if j.Failover && j.Unmonitored {
		b.refuse(t.at("failover").line, t.path+".failover", "needs monitorExecution, which is off in line %d", t.at("monitorExecution").line)
	}
	j.MaxTimeDiff = time.Duration(max(b.number(t, "maxTimeDiffSeconds", -1, jobconfig.MaxTimeDiffSeconds, -1), 0)) * time.Second
	if t.has("reconcileIntervalMinutes") {
		minutes := b.number(t, "reconcileIntervalMinutes", -1, jobconfig.MaxReconcileMinutes, 10)
		if j.ReconcileInterval = time.Duration(minutes) * time.Minute; minutes <= 0 {
			j.ReconcileInterval = -1
		}
	}
	b.references(j, t)
	j.Disabled, j.Overwrite = b.flag(t, "disabled", false), b.flag(t, "overwrite", false)
	j.StaticSharding = b.flag(t, "staticSharding", false)
	if j.EagerFailover = b.flag(t, "eagerFailover", false); j.EagerFailover && !j.Failover {
		b.refuse(t.at("eagerFailover").line, t.at("eagerFailover").path, "needs failover, which is off")
	}
	j.Timeout = time.Duration(b.number(t, "timeoutMilliseconds", 0, jobconfig.MaxTimeoutMillis, 0)) * time.Millisecond
}

// references reads the names in the job: strategy, executor, error handler and listeners.
func (b builder) references(j *Job, t *tree) {
	if sub := t.at("props"); sub != nil {
		j.Props = make(map[string]string, len(sub.sub))
		for name, p := range sub.sub {
			j.Props[name] = p.value.text
		}
	}
	j.Strategy.Name = b.oneOf(t, "jobShardingStrategyType", sharding.Names(), namesOf(b.known.Strategies, func(s coreagent.Strategy) string { return s.Name }))
	const older, newer = "jobExecutorServiceHandlerType", "jobExecutorThreadPoolSizeProviderType"
	executors := namesOf(b.known.Executors, func(e coreagent.Executor) string { return e.Name })
	j.Executor.Name = cmp.Or(b.oneOf(t, older, host.ExecutorTypes(), executors), b.oneOf(t, newer, host.ExecutorTypes(), executors))
	if t.has(older) && t.has(newer) {
		b.refuse(t.at(newer).line, t.at(newer).path, "is the same as %s in line %d; want one of them", older, t.at(older).line)
	}
	j.ErrorHandler.Name = b.oneOf(t, "jobErrorHandlerType", errorhandler.Builtin(), namesOf(b.known.ErrorHandlers, func(h coreagent.ErrorHandler) string { return h.Name }))
	if slices.Contains(errorhandler.Builtin(), j.ErrorHandler.Name) {
		b.errorHandler(j, t.at("jobErrorHandlerType"))
	}
	listeners := namesOf(b.known.Listeners, func(l coreagent.Listener) string { return l.Name })
	for i, name := range b.texts(t, "jobListenerTypes") {
		j.Listeners = append(j.Listeners, coreagent.Listener{Name: name})
		if v := t.at("jobListenerTypes").list[i]; !slices.Contains(listeners, name) {
			b.bad(v, "a listener this program has registered ("+orNone(listeners)+"); listeners are code", nil)
		}
	}
}

func namesOf[V any](all []V, name func(V) string) []string {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = name(v)
	}
	return names
}

// oneOf returns a key's value, which must be in one of two lists.
func (b builder) oneOf(t *tree, name string, builtin, own []string) string {
	s := b.text(t, name)
	if s != "" && !slices.Contains(builtin, s) && !slices.Contains(own, s) {
		slices.Sort(own)
		b.bad(t.at(name).value, strings.Join(append(slices.Clone(builtin), own...), ", "), nil)
		return ""
	}
	return s
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "there are none"
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func (b builder) errorHandler(j *Job, t *tree) {
	_, err := errorhandler.NewSet(errorhandler.Options{}).New(j.ErrorHandler.Name, j.Props)
	if err == nil {
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		b.refuse(t.line, t.path, "%s: %s", j.ErrorHandler.Name, line)
	}
}

// itemParameters checks parameters like each run.
func (b builder) itemParameters(t *tree, shards int) {
	s := b.text(t, "shardingItemParameters")
	parameters, err := jobconfig.ParseItemParameters(s)
	if err != nil {
		b.bad(t.at("shardingItemParameters").value, "item=parameter pairs with commas, such as 0=Beijing,1=Shanghai", err)
		return
	}
	for item := range parameters {
		if v := t.at("shardingItemParameters").value; shards > 0 && (item < 0 || item >= shards) {
			b.note(v.line, v.path, "names a shard that does not exist; the job has the shards 0 to %d", shards-1)
			return
		}
	}
}

// oneLine refuses line breaks in names.
func (b builder) oneLine(t *tree, names ...string) {
	for _, name := range names {
		if s := b.text(t, name); strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			b.bad(t.at(name).value, "one line", nil)
		}
	}
}

// kind checks the properties of a job without code, which ElasticJob only checks at each run.
func (b builder) kind(j *Job, t *tree) {
	all, _ := t.child("props", t.line)
	prop := func(name, want string) (value, bool) {
		p := all.sub[name]
		if p == nil || strings.TrimSpace(p.value.text) == "" {
			b.missing(all, name, want)
			return value{}, false
		}
		return p.value, p.set
	}
	switch j.Type {
	case jobconfig.TypeScript:
		prop(jobconfig.PropCommandLine, "the command to start, such as /usr/local/bin/cleanup --all")
	case jobconfig.TypeHTTP:
		if v, ok := prop(jobconfig.PropURI, "the address to call, http://… or https://…"); ok {
			if u, err := url.Parse(v.text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				v.secret = v.secret || strings.Contains(v.raw, "@")
				b.bad(v, "an address of the form http://… or https://…", nil)
			}
		}
		if v, ok := prop(jobconfig.PropMethod, strings.Join(core.HTTPMethods, ", ")); ok && !slices.Contains(core.HTTPMethods, v.text) {
			b.bad(v, strings.Join(core.HTTPMethods, ", "), nil)
		}
		for _, name := range []string{jobconfig.PropConnectTimeout, jobconfig.PropReadTimeout} {
			if p := all.sub[name]; p != nil && p.set && p.value.text != "" {
				bounds, _ := jobconfig.NumericProp(name)
				if n, err := strconv.Atoi(p.value.text); err != nil || !bounds.Has(n) {
					b.bad(p.value, bounds.String()+", in milliseconds", nil)
				}
			}
		}
	}
	for _, name := range all.order {
		if p := all.sub[name]; p.value.secret && p.value.text != "" && !p.value.looked {
			b.note(p.line, p.path, "is in the file in plain text, and everyone who may read the job's configuration in ZooKeeper can read it there")
		}
	}
}

const (
	maxBackoffMillis = 24 * 60 * 60 * 1000
	maxExpiryMinutes = 365 * 24 * 60
	maxParallel      = 100_000
	maxLogLines      = 100_000
	maxLogKilobytes  = 64 << 10
)

func (b builder) requested(j *Job, t *tree) {
	r := &j.Requests
	r.Assign = coreagent.Assign(b.oneOf(t, "runAssign", []string{"each", "one"}, nil))
	if r.Assign == coreagent.AssignOne && j.Schedule.Cron != "" {
		b.refuse(t.at("runAssign").line, t.at("runAssign").path, "one needs a job without cron")
	}
	if r.Assign == coreagent.AssignOne && j.Unmonitored {
		b.refuse(t.at("runAssign").line, t.at("runAssign").path, "one needs monitorExecution, which is off in line %d", t.at("monitorExecution").line)
	}
	r.Overlap = coreagent.Overlap(b.oneOf(t, "runOverlap", []string{"queue", "one", "skip", "cancel"}, nil))
	r.Lost = coreagent.Lost(b.oneOf(t, "runLost", []string{"again", "fail"}, nil))
	j.Retry.Retries = b.number(t, "runRetries", 0, 100, 0)
	j.Retry.Backoff = time.Duration(b.number(t, "runBackoffMilliseconds", 0, maxBackoffMillis, 0)) * time.Millisecond
	j.Retry.MaxBackoff = time.Duration(b.number(t, "runBackoffMaxMilliseconds", 0, maxBackoffMillis, 0)) * time.Millisecond
	r.Expiry = time.Duration(b.number(t, "runExpiryMinutes", -1, maxExpiryMinutes, 0)) * time.Minute
	if t.has("runKeep") {
		r.Keep = cmp.Or(b.number(t, "runKeep", 0, 1000, 0), -1)
	}
	j.Unlogged = !b.flag(t, "runLog", true)
	j.PauseAfter = b.number(t, "pauseAfterFailures", 0, 1000, 0)
	if text := strings.TrimSpace(b.text(t, "runParameters")); text != "" {
		r.Schema = []byte(text)
		if _, err := runparams.Parse(r.Schema); err != nil {
			b.refuse(t.at("runParameters").line, t.at("runParameters").path, "%v", err)
		}
	}
}

// executors returns the file's thread pools and the program's.
func (b builder) executors(t *tree) []coreagent.Executor {
	own, sub := slices.Clone(b.known.Executors), t.at("executors")
	if sub == nil {
		return own
	}
	for _, name := range sub.order {
		if slices.Contains(host.ExecutorTypes(), name) {
			b.refuse(sub.at(name).line, sub.at(name).path, "is ElasticJob's own; choose another name")
		}
		own = slices.DeleteFunc(own, func(e coreagent.Executor) bool { return e.Name == name })
		own = append(own, coreagent.Executor{Name: name, Parallel: b.number(sub, name, 1, maxParallel, 1)})
	}
	return own
}

// worker reads settings for the whole process.
func (b builder) worker(f *File, root *tree) {
	if sub := root.at("worker"); sub != nil {
		f.Config.MaxParallel = b.number(sub, "maxParallel", 0, maxParallel, 0)
		f.Config.Executors = b.executors(sub)
		f.Config.Debug = coreagent.Debug(b.oneOf(sub, "debug", []string{string(coreagent.DebugSchedule), string(coreagent.DebugRequests), string(coreagent.DebugAll)}, nil))
	}
	sub := root.at("runLog")
	if sub == nil {
		return
	}
	if level := b.oneOf(sub, "level", []string{"debug", "info", "warn", "error"}, nil); level != "" {
		if err := f.Config.RunLog.Level.UnmarshalText([]byte(level)); err != nil {
			f.Config.RunLog.Level = slog.LevelInfo
		}
	}
	f.Config.RunLog.Lines = b.number(sub, "lines", -1, maxLogLines, 0)
	f.Config.RunLog.Bytes = b.number(sub, "kilobytes", 0, maxLogKilobytes, 0) << 10
}
