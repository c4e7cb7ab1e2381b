package jobfile

import (
	"cmp"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

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
