package core

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Handler does the work of one shard.
type Handler interface {
	// Handle is called once per shard and run, in its own goroutine, and for several shards at
	// the same time. An error or a panic fails this shard's run: the job's error handler is
	// notified, which logs the failure unless Job.ErrorHandler is set, and a trace row is
	// written. The next fire time comes all the same. ctx ends when the run must end;
	// context.Cause(ctx) is then ErrStopping, ErrSessionLost, ErrTimeout or ErrCancelled. The
	// agent waits for a handler that doesn't return.
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
	// Item is the shard's number, from 0 to Total-1. A handler usually works on the records for
	// which id modulo Total is Item.
	Item, Total int
	// Parameter is the shard's own parameter, empty if it has none.
	Parameter string
	// JobParameter is the parameter of the whole job.
	JobParameter string
	// TaskID is the id of this instance's run in ElasticJob's five-part form, as in trace rows.
	// A suffix after the instance id makes it unique.
	TaskID string
	// ScheduledAt is the fire time, or when the trigger arrived. A failover has the time of the
	// interrupted run. If the job rotates, a failover has the newest fire time, and if the job
	// has no schedule, the moment of the takeover.
	ScheduledAt time.Time
	// Source is the reason for the run: the schedule or a trigger, a missed fire time, or the
	// death of the instance that ran the shard before.
	Source tracing.Source
	// FencingToken grows with each change of the shard's owner. If a late writer could do harm,
	// store the token with the results and refuse smaller ones.
	FencingToken int64
	// Props are the job's stored properties. They must not be changed.
	Props map[string]string
	// Log adds the job and the shard to each line. The lines also go to the run's log, which the
	// console shows; see Config.RunLog.
	Log *slog.Logger
	// Run is the shard's run. For a fire time or a trigger only ID, Attempt and Params are set,
	// the last to the defaults of Job.Requests.Schema.
	Run RunInfo

	call Call
}

// Call has the parts of a shard that its handler doesn't see. The zero value is a call without a
// history.
type Call struct {
	HasParameter bool // false if the job has no parameter for this shard, not even an empty one
	// Ending reports whether a streaming job should end its loop, because its shards are assigned
	// again or the job leaves this instance. Nil is never.
	Ending    func() bool
	ScriptEnv []string              // names of the variables that a script may have
	Stream    *runhistory.Stream    // of the log and the progress; nil without a history
	SetResult func(json.RawMessage) // stores the result; nil for a fire time or a trigger
}

// New returns a shard with a Log that writes to log and to the execution's stream.
func New(s Shard, c Call, log *slog.Logger) *Shard {
	s.call = c
	s.Log = slog.New(&shardHandler{Handler: log.Handler(), job: s.Job, shard: s.Item, stream: c.Stream})
	return &s
}

// CallOf returns the call that a shard was made with.
func CallOf(s *Shard) Call { return s.call }

// RunInfo describes the run for which a handler is called.
type RunInfo struct {
	// ID is the same for all shards and attempts of a run, and in its rows of the history.
	// Together with the job's name it can be the key under which a result is stored once. If a
	// run for a fire time is tried again, that's a requested run with its own id.
	ID string
	// Requested is true if a person or a program requested the run, and false for a fire time or
	// a trigger.
	Requested bool
	// Attempt counts from 1, and at most Retries attempts follow the first. Losses counts the
	// instances that died or lost their session while they worked on the run, and Snoozes how
	// often a handler put it off.
	Attempt, Retries, Losses, Snoozes int
	// Params is a JSON object with the parameters and the defaults of Job.Requests.Schema.
	// HasParams is true if the run was requested with parameters.
	Params    []byte
	HasParams bool
	Key, Note string // from the request
	By        RunBy
	FireTime  time.Time // of the fire time that the run makes up for or repeats, or zero
}

// RunBy is the origin of a requested run.
type RunBy struct {
	Kind string // code, page, api, cli, again or retry
	Name string // a person or a program
	From string // where
}

// LocalRun is the part of a run that this instance works on, for listeners.
type LocalRun struct {
	Job string
	// TaskID names the run in ElasticJob's five-part form.
	TaskID string
	// ID and Attempt are the same as in [Shard.Run].
	ID      string
	Attempt int
	// Total is how many shards the job has, on all instances.
	Total int
	// Items are this instance's shards, ascending. There may be none: then a Listener is still
	// called, as in ElasticJob, unless it's called once.
	Items []int
	// Parameters are the shards' own, by number. A shard without one is absent.
	Parameters map[int]string
	// JobParameter is the parameter of the whole job.
	JobParameter string
	// ScheduledAt is the fire time, or when the trigger arrived.
	ScheduledAt time.Time
	// Source is what made the shards run.
	Source tracing.Source
	// Props are the job's stored properties. Read only.
	Props map[string]string
	// Failures are the errors of the failed shards, by number; nil before the shards have run.
	Failures map[int]error
	// Log has the job attached.
	Log *slog.Logger
}

// Requested describes a run that was requested.
func Requested(r jobtree.RunRequest) RunInfo {
	info := RunInfo{
		ID: r.ID, Requested: true, Attempt: r.Attempt, Retries: r.Retries, Losses: r.Losses, Snoozes: r.Snoozes,
		Params: bytes.Clone(r.Params), HasParams: len(r.Params) > 0, Key: r.Key, Note: r.Note, By: RunBy(r.By),
	}
	if r.Fire != 0 {
		info.FireTime = time.UnixMilli(r.Fire)
	}
	return info
}

// Progress reports how far the shard is, from 0 to 1, with a few words or none. The run's page
// shows it. It's stored once a second at most, and the last report always. A fraction outside 0
// to 1 counts as 0 or 1, and NaN is logged and ignored. Progress can be called from any goroutine
// and doesn't block.
func (s *Shard) Progress(fraction float64, message string) {
	if !s.call.Stream.Progress(fraction, message) {
		s.Log.Warn("progress ignored: it is no number", "message", message)
	}
}

// maxResult bounds a result, in bytes.
const maxResult = 2 << 10

// Result stores v with the end of the run, as at most 2 KiB of JSON. The last result counts, even
// if the handler fails. Only requested runs keep results: for a fire time or a trigger v is checked
// and dropped.
func (s *Shard) Result(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("Result: %w", err)
	}
	if len(data) > maxResult {
		return fmt.Errorf("Result: %d bytes; at most %d are kept", len(data), maxResult)
	}
	if s.call.SetResult != nil {
		s.call.SetResult(data)
	}
	return nil
}

// shardHandler adds the job and the shard to a handler's log lines. It does so with the first
// line, because most handlers log nothing.
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

// PermanentError fails a run for good.
type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return e.Err.Error() }

func (e *PermanentError) Unwrap() error { return e.Err }

// RetryError fails an attempt and sets when the next one comes.
type RetryError struct {
	Err   error
	After time.Duration
}

func (e *RetryError) Error() string { return e.Err.Error() }

func (e *RetryError) Unwrap() error { return e.Err }

// SnoozeError puts a shard off, which is no failure.
type SnoozeError struct{ For time.Duration }

func (e *SnoozeError) Error() string { return fmt.Sprintf("snoozed for %v", e.For) }

// SkipError means that there was nothing to do.
type SkipError struct{ Reason string }

func (e *SkipError) Error() string { return "skipped: " + e.Reason }

// HTTPMethods are the methods that ElasticJob's HTTP job accepts, only in upper case.
var HTTPMethods = []string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete,
	http.MethodHead, http.MethodOptions, http.MethodTrace,
}
