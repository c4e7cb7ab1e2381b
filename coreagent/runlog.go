package coreagent

import (
	"log/slog"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
)

// RunLog limits the log of an execution, which is an attempt at a shard. Beyond the limit only the
// last 100 lines are stored, at the end, with the number of lines left out. A process stores at
// most 5,000 lines per second.
type RunLog struct {
	// Level is the lowest level that is stored. Defaults to [slog.LevelInfo].
	Level slog.Level
	// Lines and Bytes limit the stored log. They default to 1,000 and 256 KiB; Lines -1 stores
	// nothing. At most 100,000 and 64 MiB.
	Lines, Bytes int
}

// Limits of a [RunLog].
const (
	maxLogLines = 100_000
	maxLogBytes = 64 << 20
)

// history records the agent's requested runs; nil if Tracing keeps none.
func (a *Agent) history() *runhistory.History {
	var count func(runhistory.Move)
	if a.observing != nil {
		count = func(m runhistory.Move) {
			a.observing.add(host.Observation{Event: host.RunMoved, Job: m.Job, Move: m})
		}
	}
	return runhistory.New(a.cfg.Tracing, count, runhistory.Limits(a.cfg.RunLog), a.cfg.Now)
}

// LogHandler returns a handler in front of base: records with a handler's context, or one derived
// from it, go to base and to the log of the run, which the console shows. A program that logs with
// slog's functions and a context should make it the default:
//
//	slog.SetDefault(slog.New(coreagent.LogHandler(slog.Default().Handler())))
//
// [Shard.Log] needs no LogHandler. [Config.RunLog] limits the stored lines.
func LogHandler(base slog.Handler) slog.Handler { return runhistory.NewHandler(base) }
