package local

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// steady is how long a process must run to reset the restart pause.
	steady          = 10 * time.Minute
	maxRestartPause = 5 * time.Minute
	// firstRestart divides Config.Backoff to get the first pause.
	firstRestart = 10
	// keptAttempts is the number of attempts kept per shard of a DAEMON, enough to compute the longest pause.
	keptAttempts = 12
	// endingPause is the time until a retry while earlier processes are ending.
	endingPause = time.Second
)

func (r *run) daemon() bool { return r.file.Run.Origin == cloud.OriginDaemon }

// Daemon implements [cloud.Engine]. A new owner or number of shards makes another run. The previous
// one ends first, so that no two processes work on the same part. Any other change restarts the
// processes one after the other.
func (e *Engine) Daemon(ctx context.Context, d cloud.Daemon) error {
	wanted := cloud.Run{Name: cloud.DaemonRunName(d.Job.Name), Job: d.Job, App: d.App, Owner: d.Owner, Origin: cloud.OriginDaemon}
	fail := func(err error) error { return fmt.Errorf("daemon %s: %w", wanted.Name, err) }
	if err := e.usable(ctx); err != nil {
		return fail(err)
	}
	if d.Count == 0 {
		if err := e.stopDaemon(wanted); err != nil {
			return fail(err)
		}
		return nil
	}
	shards, err := checkRun(wanted)
	switch {
	case err != nil:
		return fail(err)
	case d.Job.Registry():
		return fail(fmt.Errorf("props: %s is %s, which is only for clusters, because the processes on one machine end together; remove it: %w", cloud.PropDaemon, cloud.DaemonRegistry, cloud.ErrRefused))
	case d.Job.Type != cloud.TypeDaemon || d.Count != d.Job.Shards:
		return fail(fmt.Errorf("%d processes of a %s job of %d shards, want a DAEMON with one per shard: %w", d.Count, d.Job.Type, d.Job.Shards, cloud.ErrRefused))
	}
	if _, err := e.checkProgram(d.Job, d.App); err != nil {
		return fail(err) // The running ones continue.
	}
	e.launching.Lock()
	defer e.launching.Unlock()
	there, err := e.adjust(wanted)
	if err == nil && !there {
		err = e.create(wanted, shards)
	}
	if err != nil {
		return fail(err)
	}
	return nil
}

// adjust updates the existing run. It returns false if a new run is needed.
func (e *Engine) adjust(wanted cloud.Run) (there bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[wanted.Name]
	switch {
	case r == nil && len(e.runs) >= maxRuns:
		return false, tooMany()
	case r == nil:
		return false, nil
	case r.status.State.Ended():
		return false, e.remove(r)
	case r.state.Stop == nil && r.file.Run.Owner == wanted.Owner && len(r.shards) == wanted.Job.Shards:
		return true, e.change(r, wanted)
	}
	if err := e.endDaemon(r, "the job was changed"); err != nil {
		return true, err
	}
	if r.status.State.Ended() { // None of its processes had started.
		return false, e.remove(r)
	}
	return true, &cloud.RetryAfterError{After: endingPause, Err: fmt.Errorf("the previous processes have not ended yet")}
}

func (e *Engine) change(r *run, wanted cloud.Run) error {
	file := r.file
	file.Run = wanted
	if file.Version = e.version(file); file.Version == r.file.Version {
		return nil
	}
	if err := writeFile(filepath.Join(r.folder, runName), file); err != nil {
		return err
	}
	r.file, r.status.AppName = file, wanted.App.Name
	e.changed(r, nil)
	e.again()
	return nil
}

// stopDaemon ends the run for good, unless it has another owner.
func (e *Engine) stopDaemon(wanted cloud.Run) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[wanted.Name]
	if r == nil || r.status.State.Ended() || wanted.Owner != "" && r.file.Run.Owner != wanted.Owner {
		return nil
	}
	return e.endDaemon(r, "the job should have no processes: it is disabled, deleted, or not a DAEMON job")
}

// EndDaemons ends the processes of all DAEMON jobs, because another engine takes over. It returns
// when they have ended, or with ctx.
func (e *Engine) EndDaemons(ctx context.Context, why string) error {
	look := time.NewTicker(lookPause)
	defer look.Stop()
	for {
		left, err := e.endDaemons(why)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-look.C:
		case <-e.ctx.Done():
			return fmt.Errorf("end the processes of %d DAEMON jobs: %w", left, ErrClosed)
		case <-ctx.Done():
			return fmt.Errorf("end the processes of %d DAEMON jobs: %w", left, context.Cause(ctx))
		}
	}
}

func (e *Engine) endDaemons(why string) (left int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.runs {
		if !r.daemon() || r.status.State.Ended() {
			continue
		}
		if left++; r.state.Stop == nil {
			err = errors.Join(err, e.endDaemon(r, why))
		}
	}
	return left, err
}

func (e *Engine) endDaemon(r *run, why string) error {
	err := e.end(r, -1, cloud.Ending{Way: cloud.EndKill, By: "scheduler", Reason: why})
	e.settle(r, time.Now())
	return err
}

// version identifies the configuration that a DAEMON's processes are started with. It's "" for
// other runs, which never change.
func (e *Engine) version(f runFile) string {
	if f.Run.Origin != cloud.OriginDaemon {
		return ""
	}
	f.Run.Job.Description, f.Run.Job.Disabled = "", false
	f.Run.App.Disabled, f.Run.App.Running = false, ""
	text, err := json.Marshal([]any{f.Run.Job, f.Run.App, e.cfg.EventsURL, e.zone()})
	if err != nil {
		text = fmt.Appendf(nil, "%+v %+v", f.Run.Job, f.Run.App) // JSON can't express a number.
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func (e *Engine) zone() string {
	if e.cfg.Zone == nil {
		return ""
	}
	return e.cfg.Zone.String()
}

// renew restarts one process with an outdated configuration, unless another process is starting or
// ending. e.mu must be held.
func (e *Engine) renew(r *run) {
	if !r.daemon() || !r.admitted || r.state.Stop != nil {
		return
	}
	var old *shard
	for _, s := range r.shards {
		switch a := s.current(); {
		case a == nil: // It waits after a failure; others needn't wait for it.
		case a.phase == waiting || a.stop != nil || a.task.State != tracing.StateRunning:
			return
		case a.version != r.file.Version && old == nil:
			old = s
		}
	}
	if old == nil {
		return
	}
	how := cloud.Ending{Way: cloud.EndKill, By: "scheduler", Reason: "the job or its application was changed"}
	if err := e.endShard(r, old, how); err != nil {
		e.cfg.Logger.Error("could not replace a process of a changed job; kill its shard", "run", r.status.Name, "shard", old.number, "error", err)
	}
}

// restartPause returns how long a shard waits for its next process.
func (e *Engine) restartPause(s *shard, end endFile) time.Duration {
	if end.Stop != nil { // It was ended on purpose, so restart at once.
		return 0
	}
	pause := e.cfg.Backoff / firstRestart
	short := 0
	for _, a := range slices.Backward(s.attempts) {
		if a.task.State == tracing.StateKilled {
			continue
		}
		if !a.task.Started.IsZero() && a.task.Ended.Sub(a.task.Started) >= steady {
			break
		}
		if short++; short > 1 {
			pause *= 2
		}
		if pause >= maxRestartPause {
			return maxRestartPause
		}
	}
	return pause
}

// forgetOldest removes old attempts at a shard of a DAEMON. e.mu must be held.
func (e *Engine) forgetOldest(r *run, s *shard) {
	for len(s.attempts) > keptAttempts && s.attempts[0].phase == over {
		a := s.attempts[0]
		if err := e.discard(a.folder, fmt.Sprintf("%s-%d-%d", r.status.Name, s.number, a.task.Attempt)); err != nil {
			e.cfg.Logger.Warn("could not remove an old attempt's folder", "folder", a.folder, "error", err)
			return
		}
		a.removed = true
		s.attempts = slices.Delete(s.attempts, 0, 1)
		e.changed(r, a)
	}
}

// down returns a message about shards of a DAEMON without a process, or "".
func (r *run) down() string {
	count, first := 0, ""
	for _, s := range r.shards {
		if s.current() != nil || s.retryAt.IsZero() || len(s.attempts) == 0 {
			continue
		}
		last := s.attempts[len(s.attempts)-1].task
		if last.State == tracing.StateKilled {
			continue
		}
		if count++; first == "" {
			first = fmt.Sprintf("shard %d: %s", s.number, cmp.Or(last.Message, "it ended, with exit code 0"))
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d processes have ended and are started again; %s", count, len(r.shards), first)
}

// daemonEnvironment returns the additional variables of DAEMON jobs' processes. The token is in a
// file of the task that only the program's user may read.
func (e *Engine) daemonEnvironment(r cloud.Run, t cloud.Task, folder string) ([]string, error) {
	variables := cloud.DaemonVariables(r.Job, r.App, e.cfg.Zone)
	variables[task.ReadyPort] = "" // No readiness check, because all shards share one machine's ports.
	if e.cfg.EventsURL != "" {
		path := filepath.Join(folder, tokenName)
		token := []byte(e.token(r.Job.Name, r.Owner, t.Shard))
		if err := errors.Join(os.WriteFile(path, token, 0o600), e.give(path)); err != nil {
			return nil, fmt.Errorf("the token of shard %d: %w", t.Shard, err)
		}
		variables[task.EventsURL], variables[task.EventsTokenFile] = e.cfg.EventsURL, path
	}
	var list []string
	for name, value := range variables {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list, nil
}
