package cloudjob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/internal/cloud/daemon"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	exitOK         = 0
	exitFailed     = 1
	exitTerminated = 128 + int(syscall.SIGTERM)
)

// Main runs the shard for which the process was started, and ends the process. For a DAEMON job it
// runs the shard at each fire time, until SIGTERM. It doesn't return.
func Main(h coreagent.Handler) {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-signals
		end(coreagent.ErrStopping)
		<-signals // even if the handler ignores its context
		os.Exit(exitTerminated)
	}()
	os.Exit(Run(ctx, os.Environ(), h))
}

// Run is [Main] with the caller's context and environment, and without signals. It writes to
// standard error, and returns the exit code. When ctx ends the handler must return; an error then
// has the code 143. A process of a DAEMON job runs until ctx ends, and its code is then 0.
func Run(ctx context.Context, env []string, h coreagent.Handler) (code int) {
	tail := new(task.Tail)
	out := io.MultiWriter(os.Stderr, tail)
	code, err := run(ctx, env, h, out)
	if code == exitOK {
		return code
	}
	if p, is := errors.AsType[*panicError](err); is {
		_, _ = out.Write(p.stack) // There's only standard error.
	}
	_, _ = fmt.Fprintln(out, mask.Text(err.Error()))
	if err := task.WriteMessage(env, tail); err != nil {
		_, _ = fmt.Fprintln(out, err)
	}
	return code
}

func run(ctx context.Context, env []string, h coreagent.Handler, out io.Writer) (code int, err error) {
	log := slog.New(mask.NewHandler(slog.NewTextHandler(out, nil)))
	switch a, err := task.ReadAgent(env); {
	case err != nil:
		return task.ExitCode(err), fmt.Errorf("cloudjob cannot share the shards of a job:\n%w", err)
	case a != nil:
		return share(ctx, a, h, log)
	}
	t, err := task.Read(env)
	if err != nil {
		return task.ExitCode(err), fmt.Errorf("cloudjob cannot run a shard:\n%w\nTo try a handler without a scheduler call cloudjob.RunLocal.", err)
	}
	if t.Daemon != nil {
		return runDaemon(ctx, t, h, log, out)
	}
	invalid, err := attempt(ctx, t, h, log)
	if err == nil {
		return exitOK, nil
	}
	failure := fmt.Errorf("job %q, shard %d, attempt %d: %w", t.Job, t.Item, t.Attempt, err)
	switch {
	case invalid:
		return task.ExitConfig, failure
	case ctx.Err() != nil:
		return exitTerminated, failure
	case coreagent.IsPermanent(err):
		return task.ExitConfig, failure
	}
	return exitFailed, failure
}

// attempt calls the handler once. invalid means that it was not called.
func attempt(ctx context.Context, t task.Task, h coreagent.Handler, log *slog.Logger) (invalid bool, err error) {
	own, err := coreagent.HandlerProps(h)
	if err != nil {
		return true, err
	}
	props := make(map[string]string)
	maps.Copy(props, own) // Initial values, which the job's own replace.
	maps.Copy(props, t.Props)
	s := core.Shard{
		Job: t.Job, TaskID: t.ID, JobParameter: t.JobParameter, Parameter: t.Parameter, Item: t.Item, Total: t.Total,
		ScheduledAt: t.ScheduledAt, Source: source(t), FencingToken: t.FencingToken(), Props: props,
		Run: core.RunInfo{ID: t.Run, Attempt: max(t.Attempt, 1)},
	}
	if t.Manual() {
		s.Run = core.Requested(jobtree.RunRequest{ID: t.Run, Params: t.RunParameters, Attempt: t.Attempt})
	}
	err = contain(func() error {
		err := h.Handle(ctx, core.New(s, core.Call{HasParameter: t.HasParameter}, log))
		return usererror.Freeze(fmt.Sprintf("handler of shard %d", t.Item), err)
	})
	if skip, is := errors.AsType[*core.SkipError](err); is {
		log.InfoContext(ctx, "skipped", "reason", skip.Reason)
		return false, nil
	}
	if _, is := errors.AsType[*core.SnoozeError](err); is {
		err = fmt.Errorf("%w: a process of ElasticJob-Cloud can't be snoozed; return an error and let failover retry it", err)
	}
	return false, err
}

// source returns the run's source. A process with its own schedule may be restarted for reasons
// unrelated to the run.
func source(t task.Task) tracing.Source {
	switch {
	case t.Misfired:
		return tracing.SourceMisfire
	case t.Attempt > 1 && t.Daemon == nil:
		return tracing.SourceFailover
	}
	return tracing.SourceNormal
}

type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return "panic: " + usererror.PanicText(e.value) }

// contain turns a panic, or the end of the handler's goroutine, into an error.
func contain(f func() error) error {
	done := make(chan error, 1)
	go func() {
		err := errors.New("the handler ended its goroutine with runtime.Goexit; return an error instead")
		defer func() {
			if value := recover(); value != nil {
				err = &panicError{value, debug.Stack()}
			}
			done <- err
		}()
		err = f()
	}()
	return <-done
}

// RunLocal runs one shard of a job here and now, without a scheduler and without an environment, for a
// debugger or to try a handler. It writes the shard's log to standard error and returns the handler's
// result, or the error in the job. A panic isn't recovered. For tests use package coreagenttest.
func RunLocal(ctx context.Context, h coreagent.Handler, job coreagent.Job, item int) error {
	s, h, err := job.NewShard(h, item)
	if err != nil {
		return fmt.Errorf("cloudjob cannot run the shard: %w", err)
	}
	if job.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, job.Timeout, coreagent.ErrTimeout)
		defer cancel()
	}
	s = core.New(*s, core.CallOf(s), slog.New(slog.NewTextHandler(os.Stderr, nil)))
	return usercode.Caused(ctx, h.Handle(ctx, s))
}

// runDaemon calls the handler at each fire time until ctx ends. A failed run doesn't end the
// process, because the next one may succeed.
func runDaemon(ctx context.Context, t task.Task, h coreagent.Handler, log *slog.Logger, out io.Writer) (code int, err error) {
	if _, err := coreagent.HandlerProps(h); err != nil {
		return task.ExitConfig, fmt.Errorf("job %q, shard %d: %w", t.Job, t.Item, err)
	}
	err = daemon.Loop(ctx, daemon.Config{Task: t, Log: log, Work: func(ctx context.Context, t task.Task) error {
		t.Run += "-" + strconv.FormatInt(t.ScheduledAt.Unix(), 10) // One process has many fire times.
		_, err := attempt(ctx, t, h, log)
		if p, is := errors.AsType[*panicError](err); is {
			_, _ = out.Write(p.stack) // There's only standard error.
			err = fmt.Errorf("%w\n%s", err, p.stack)
		}
		return err
	}})
	if err != nil {
		return task.ExitCode(err), fmt.Errorf("job %q, shard %d: %w", t.Job, t.Item, err)
	}
	return exitOK, nil
}
