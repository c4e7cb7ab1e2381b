package coreagent

import (
	"context"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Handler does the work of one shard.
type Handler interface {
	// Handle runs once per shard and run, in a goroutine of its own; it is
	// called for different shards at the same time. An error, or a panic,
	// fails this shard's run: the job's error handler is notified, which logs it
	// unless [Job.ErrorHandler] says otherwise, it is traced, and the next fire
	// time comes all the same. ctx ends when the run must end, and
	// context.Cause(ctx) says why: one of [ErrStopping], [ErrSessionLost],
	// [ErrTimeout], [ErrCancelled]. A handler that does not return then is waited for.
	Handle(ctx context.Context, s *Shard) error
}

// HandlerFunc makes a function a [Handler].
type HandlerFunc func(ctx context.Context, s *Shard) error

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, s *Shard) error { return f(ctx, s) }

// Shard is the part of a job that one call of a [Handler] works on.
type Shard struct {
	// Job is the job's name.
	Job string
	// Item is the shard's number, from 0; Total is how many there are, so that
	// "id modulo Total equals Shard" is a share of the work.
	Item, Total int
	// Parameter is the shard's own parameter, empty if it has none.
	Parameter string
	// JobParameter is the parameter of the whole job.
	JobParameter string
	// TaskID names the run of this instance's shards in ElasticJob's five-part
	// form; it is what trace rows carry. No two runs have the same: what makes it
	// unique follows the instance id after an underscore.
	TaskID string
	// ScheduledAt is the fire time, which may be a little past; for runs that
	// were triggered, when the trigger arrived. A failover has that of the run which was
	// interrupted. If the job rotates, a failover has the newest fire time, and if the
	// job has no schedule, the moment of the takeover.
	ScheduledAt time.Time
	// Source says what made the shard run: its schedule or a trigger, a fire
	// time that had been missed, or the death of the instance that ran it.
	Source tracing.Source
	// FencingToken grows with each change of the shard's owner. Store it with
	// results and refuse smaller ones, if a late writer would do harm.
	FencingToken int64
	// Props are the job's properties as stored. Read only.
	Props map[string]string
	// Log writes with job and shard attached, and to the run's log as well, which the
	// console shows; see [Config.RunLog].
	Log *slog.Logger
	// Run is the run that the shard belongs to. A run for a fire time or a trigger has an ID
	// and an Attempt, the defaults of [Job.RunParameters] as Params, and the rest is empty; a
	// requested run has its parameters.
	Run RunInfo

	hasParameter bool
	ending       func() bool
	scriptEnv    []string // of Config
	stream       *runhistory.Stream
	setResult    func(jobtree.RunResult) // nil for a fire time or a trigger
}

// kind is what the built-in handlers tell beyond [Handler].
type kind interface {
	jobType() string             // data of the job node, "" for a class of the user's
	jobProps() map[string]string // properties the kind is configured by
	check() error                // what is wrong with the handler itself
}

// newShard adds the defaults of a schema, which may be nil, to the parameters.
func newShard(s engine.Shard, log *slog.Logger, scriptEnv []string, schema *runparams.Schema) *Shard {
	shard := &Shard{
		Job: s.Job, Item: s.Item, Total: s.Total, Parameter: s.Parameter, JobParameter: s.JobParameter,
		TaskID: s.TaskID, ScheduledAt: s.ScheduledAt, Source: s.Source, FencingToken: s.FencingToken,
		Props: s.Props, Run: runInfo(s), Log: slog.New(&shardHandler{Handler: log.Handler(), job: s.Job, shard: s.Item, stream: s.Stream}),
		hasParameter: s.HasParameter, ending: s.Ending, scriptEnv: scriptEnv,
		stream: s.Stream, setResult: s.SetResult,
	}
	shard.Run.Params = schema.Defaults(shard.Run.Params)
	return shard
}

// shardHandler names the job and the shard in what a handler logs. Most handlers log
// nothing, so it does that when they do and not before each run.
type shardHandler struct {
	slog.Handler
	job    string
	shard  int
	stream *runhistory.Stream
}

func (h *shardHandler) named() slog.Handler {
	attrs := []slog.Attr{slog.String("job", h.job), slog.Int("shard", h.shard)}
	if h.stream == nil {
		return h.Handler.WithAttrs(attrs)
	}
	return runhistory.ForStream(h.Handler, h.stream, attrs)
}

func (h *shardHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.stream.Takes(level) || h.Handler.Enabled(ctx, level)
}

func (h *shardHandler) Handle(ctx context.Context, r slog.Record) error {
	return h.named().Handle(ctx, r)
}

func (h *shardHandler) WithAttrs(attrs []slog.Attr) slog.Handler { return h.named().WithAttrs(attrs) }

func (h *shardHandler) WithGroup(name string) slog.Handler { return h.named().WithGroup(name) }
