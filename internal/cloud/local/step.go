package local

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const idle = time.Minute

// slack is the tolerance for sums of declared fractions.
const slack = 1e-6

// step creates tasks, admits runs and starts shims. It returns the longest time until the next
// step. e.mu must be held.
func (e *Engine) step(now time.Time) time.Duration {
	wait := idle
	until := func(at time.Time) {
		if d := at.Sub(now); d > 0 && d < wait {
			wait = d
		}
	}
	for _, r := range slices.Clone(e.queue) {
		if deadline := r.deadline(); !deadline.IsZero() {
			if !deadline.After(now) {
				e.expire(r, now)
			}
			until(deadline)
		}
		e.makeTasks(r, now)
		for _, s := range r.shards {
			until(s.retryAt)
		}
		e.renew(r)
	}
	e.admit(now)
	for _, r := range e.queue {
		if !r.admitted || r.state.Suspended || r.state.Stop != nil {
			continue
		}
		for _, s := range r.shards {
			if a := s.current(); a != nil && a.phase == waiting && s.outcome == "" {
				a.phase = launched
				r.busy++
				e.group.Go(func() { e.start(r, s, a) })
			}
		}
	}
	return max(wait, time.Millisecond)
}

// deadline returns when the run's time is over, or zero.
func (r *run) deadline() time.Time {
	if timeout := r.file.Run.Job.Timeout(); timeout > 0 && !r.daemon() && !r.state.Started.IsZero() {
		return r.state.Started.Add(timeout)
	}
	return time.Time{}
}

func (r *run) timedOut() string {
	return fmt.Sprintf("deadline: the run took longer than %s", r.file.Run.Job.Timeout())
}

// expire fails the shards without a process at the run's deadline. Shims end the others.
func (e *Engine) expire(r *run, now time.Time) {
	for _, s := range r.shards {
		a := s.current()
		switch {
		case s.outcome != "" || a != nil && a.phase == launched:
		case a != nil:
			e.conclude(r, s, a, endFile{Ended: now, TimedOut: true})
		default:
			e.giveUp(r, s, tracing.StateFailed, r.timedOut())
		}
	}
	e.settle(r, now)
}

func (e *Engine) used() (cpu, memory float64) {
	for _, r := range e.queue {
		if r.admitted {
			c, m := r.need()
			cpu, memory = cpu+c, memory+m
		}
	}
	return cpu, memory
}

// admit admits runs that fit, oldest first. A run that doesn't fit now blocks later ones, otherwise
// it might wait forever; a run that can never fit doesn't.
func (e *Engine) admit(now time.Time) {
	cpu, memory := e.used()
	blocked := false
	for _, r := range e.queue {
		if r.admitted || r.state.Suspended || r.state.Stop != nil {
			continue
		}
		needCPU, needMemory := r.need()
		never := needCPU > e.cfg.CPU+slack || needMemory > e.cfg.MemoryMB+slack
		fits := cpu+needCPU <= e.cfg.CPU+slack && memory+needMemory <= e.cfg.MemoryMB+slack
		if fits && !blocked {
			r.admitted = true
			cpu, memory = cpu+needCPU, memory+needMemory
			if r.state.Started.IsZero() {
				r.state.Started = now
				e.keep(r)
			}
			e.setMessage(r, "")
			continue
		}
		blocked = blocked || !never
		e.setMessage(r, e.waitsFor(r, cpu, memory))
	}
}

// waitsFor returns what a run waits for, with the sums.
func (e *Engine) waitsFor(r *run, cpu, memory float64) string {
	needCPU, needMemory := r.need()
	var parts []string
	if cpu+needCPU > e.cfg.CPU+slack {
		parts = append(parts, fmt.Sprintf("CPU: needs %g, %g of %g are in use", needCPU, cpu, e.cfg.CPU))
	}
	if memory+needMemory > e.cfg.MemoryMB+slack {
		parts = append(parts, fmt.Sprintf("memory: needs %g MB, %g of %g MB are in use", needMemory, memory, e.cfg.MemoryMB))
	}
	if len(parts) == 0 {
		return "waits for an earlier run that needs more"
	}
	return "waits for " + strings.Join(parts, "; ")
}

func (e *Engine) setMessage(r *run, message string) {
	if r.status.Message != message {
		r.status.Message = message
		e.changed(r, nil)
	}
}

func (e *Engine) keep(r *run) {
	if err := writeFile(filepath.Join(r.folder, stateName), r.state); err != nil {
		e.cfg.Logger.Error("could not store the state of a run; it will be lost if the engine restarts", "run", r.status.Name, "error", err)
	}
}

// conclude ends an attempt without a process, and stores the result.
func (e *Engine) conclude(r *run, s *shard, a *attempt, end endFile) {
	err := e.makeAttempt(a.folder)
	if err == nil {
		err = noteFile(filepath.Join(a.folder, endName), end)
	}
	if err != nil {
		e.cfg.Logger.Error("could not store the end of a task", "task", a.folder, "error", err)
	}
	e.ended(r, s, a, end)
}

// ended handles the end of an attempt and its effect on the shard. e.mu must be held.
func (e *Engine) ended(r *run, s *shard, a *attempt, end endFile) {
	a.phase = over
	a.task.Ended = end.Ended
	if !end.Started.IsZero() {
		a.task.Started = end.Started
	}
	a.task.State, a.task.Message = r.outcomeOf(end)
	e.changed(r, a)
	why := r.stopOf(s)
	switch {
	case end.Stop != nil && end.Stop.Way == cloud.EndSuspend && why == nil:
		// Resume continues it.
	case end.Stop != nil && end.Stop.Way == cloud.EndSuspend:
		s.outcome, s.message = r.outcomeOf(endFile{Stop: why})
	case r.daemon() && why == nil:
		s.retryAt, a.task.Retry = end.Ended.Add(e.restartPause(s, end)), true
		e.forgetOldest(r, s)
	case r.again(s, a, end):
		s.retryAt, a.task.Retry = end.Ended.Add(e.backoff(s)), true
	default:
		s.outcome, s.message = a.task.State, a.task.Message
	}
}

func (r *run) outcomeOf(end endFile) (cloud.State, string) {
	forced := ""
	if end.Forced {
		forced = cloud.IgnoredSIGTERM
	}
	switch {
	case end.Error != "":
		return tracing.StateError, "could not be started: " + end.Error
	case end.Unfetched != "":
		return tracing.StateFailed, "the archive was not fetched: " + end.Unfetched
	case end.Lost != "":
		return tracing.StateLost, end.Lost
	case end.Stop != nil && end.Stop.Way == cloud.EndError:
		return tracing.StateError, end.Stop.Reason + forced
	case end.Stop != nil:
		verb := "killed"
		if end.Stop.Way == cloud.EndSuspend {
			verb = "suspended"
		}
		message := verb + " by " + end.Stop.By
		if end.Stop.Reason != "" {
			message += ": " + end.Stop.Reason
		}
		return tracing.StateKilled, message + forced
	case end.TimedOut:
		return tracing.StateFailed, r.timedOut() + forced
	case end.Outside:
		return tracing.StateLost, "ended outside of ElasticJob" + forced
	case end.Signal != "":
		return tracing.StateFailed, withTail("signal "+end.Signal, end.Tail)
	case end.Exit != 0:
		return tracing.StateFailed, withTail(fmt.Sprintf("exit code %d (Error)", end.Exit), end.Tail)
	}
	return tracing.StateFinished, ""
}

func withTail(what, tail string) string {
	if tail == "" {
		return what
	}
	return what + ": " + tail
}

func (r *run) again(s *shard, a *attempt, end endFile) bool {
	state := a.task.State
	if state != tracing.StateFailed && state != tracing.StateLost || end.TimedOut || r.stopOf(s) != nil {
		return false
	}
	if state == tracing.StateFailed && end.Signal == "" && slices.Contains(r.file.Run.Job.FailoverNever(), end.Exit) {
		return false
	}
	return s.failures() <= r.file.Run.Job.FailoverMax()
}

// stopOf returns why a shard should be stopped for good, or nil.
func (r *run) stopOf(s *shard) *cloud.Ending {
	if r.state.Stop != nil {
		return r.state.Stop
	}
	if how, ok := r.state.Stopped[s.number]; ok {
		return &how
	}
	return nil
}

func (s *shard) failures() int {
	n := 0
	for _, a := range s.attempts {
		if a.phase == over && (a.task.State == tracing.StateFailed || a.task.State == tracing.StateLost) {
			n++
		}
	}
	return n
}

func (e *Engine) backoff(s *shard) time.Duration {
	pause := e.cfg.Backoff
	for range s.failures() - 1 {
		if pause *= 2; pause >= maxBackoff {
			return maxBackoff
		}
	}
	return pause
}

// settle ends the run if all its shards have an outcome, and reports changes.
func (e *Engine) settle(r *run, now time.Time) {
	if r.status.State.Ended() {
		return
	}
	if r.open() == 0 && r.busy == 0 {
		r.state.Ended = now
		r.state.State, r.state.Message = r.verdict()
		e.keep(r)
		r.finish()
		e.queue = slices.DeleteFunc(e.queue, func(other *run) bool { return other == r })
	} else {
		r.progress()
	}
	e.changed(r, nil)
	e.again()
}

func (r *run) finish() {
	r.status.State, r.status.Message, r.status.Ended = r.state.State, r.state.Message, r.state.Ended
	r.admitted = false
	r.started()
}

func (r *run) started() {
	for _, s := range r.shards {
		for _, a := range s.attempts {
			at := a.task.Started
			if !at.IsZero() && (r.status.Started.IsZero() || at.Before(r.status.Started)) {
				r.status.Started = at
			}
		}
	}
}

func (r *run) progress() {
	r.started()
	switch {
	case r.state.Suspended:
		r.status.State = cloud.RunSuspended
	case r.status.Started.IsZero():
		r.status.State = cloud.RunWaiting
	default:
		r.status.State = cloud.RunRunning
	}
	if r.daemon() && r.admitted {
		r.status.Message = r.down()
	}
}

func (r *run) verdict() (cloud.RunState, string) {
	counts := make(map[cloud.State]int)
	messages := make(map[cloud.State]string)
	for _, s := range r.shards {
		counts[s.outcome]++
		if messages[s.outcome] == "" {
			messages[s.outcome] = fmt.Sprintf("shard %d: %s", s.number, s.message)
		}
	}
	failed := counts[tracing.StateFailed] + counts[tracing.StateLost] + counts[tracing.StateError]
	switch {
	case r.state.Stop != nil && r.state.Stop.Way == cloud.EndKill && counts[tracing.StateKilled] > 0:
		return cloud.RunKilled, messages[tracing.StateKilled]
	case failed > 0:
		for _, state := range []cloud.State{tracing.StateFailed, tracing.StateError, tracing.StateLost} {
			if counts[state] > 0 {
				return cloud.RunFailed, fmt.Sprintf("%d of %d shards failed; %s", failed, len(r.shards), messages[state])
			}
		}
	case counts[tracing.StateKilled] > 0:
		return cloud.RunKilled, messages[tracing.StateKilled]
	}
	return cloud.RunSucceeded, ""
}
