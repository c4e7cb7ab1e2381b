package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

const (
	// promisesEvery is the pause between two looks for jobs that are to be enabled.
	promisesEvery = 5 * time.Second
	// promisesLease is how long one console may take to enable a job before another
	// tries, and the pause before the next try of one that could not be enabled.
	promisesLease = time.Minute
	// promisesAtOnce bounds the jobs of one look.
	promisesAtOnce = 50
	// EnableLate is how late a job is still enabled, if no console ran at the time.
	EnableLate = 24 * time.Hour
	// TimedEnable is the action of the record that enabling a job leaves.
	TimedEnable = "enable at a time"
)

// KeepPromises enables the jobs that were disabled until a time, when it has come,
// until the context ends. Of several consoles of one database one does. If none ran
// at the time, the next that starts does, up to a day late; after that the job stays
// disabled, and the audit says so.
func (s *Console) KeepPromises(ctx context.Context) {
	if s.opts.Settings == nil {
		return
	}
	ticker := time.NewTicker(promisesEvery)
	defer ticker.Stop()
	for failing := false; ; {
		err := s.EnableDue(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !failing { // once, not each time
			s.Log.WarnContext(ctx, "jobs that are to be enabled could not be looked for, the next try is in a moment", slog.Any("err", err))
		}
		failing = err != nil
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// EnableDue enables the jobs whose time has come.
func (s *Console) EnableDue(ctx context.Context) error {
	asking, cancel := context.WithTimeout(ctx, s.opts.ReadTimeout)
	defer cancel()
	due, err := s.opts.Settings.ClaimDue(asking, s.Now(), promisesLease, promisesAtOnce)
	for _, w := range due {
		promises{s}.enable(ctx, w)
	}
	return err
}

// promises are the jobs that the console is to enable at a time.
type promises struct{ *Console }

// enable enables a job, or gives it up, and records it. One that cannot be
// enabled now is tried again when the lease is over.
func (s promises) enable(ctx context.Context, w settings.Switch) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.ActionTimeout)
	defer cancel()
	late := s.Now().Sub(w.EnableAt)
	r := settings.Record{
		At: s.Now(), User: w.User, Action: TimedEnable, Target: w.Job, Outcome: "done", Detail: "due=" + view.IsoTime(w.EnableAt),
	}
	if w.Registry != DefaultRegistry {
		r.Registry = w.Registry
	}
	var err error
	if late > EnableLate {
		r.Outcome, r.Detail = "too_late", r.Detail+" late="+late.Round(time.Second).String()
		err = s.opts.Settings.StayDisabled(ctx, w.Registry, w.Job)
	} else {
		var out lifecycle.Outcome
		out, err = s.carryOut(ctx, w)
		r.Detail += fmt.Sprintf(" affected=%d skipped=%d", len(out.Affected), len(out.Skipped))
		switch {
		case errors.Is(err, lifecycle.ErrNotFound):
			r.Outcome, err = "not_found", s.opts.Settings.DropSwitch(ctx, w.Registry, w.Job)
		case err == nil:
			err = s.opts.Settings.DropSwitch(ctx, w.Registry, w.Job)
		}
	}
	attrs := []slog.Attr{slog.String("registry", w.Registry), slog.String("job", w.Job), slog.String("outcome", r.Outcome), slog.Time("due", w.EnableAt)}
	if err != nil {
		s.Log.LogAttrs(ctx, slog.LevelWarn, "a job could not be enabled at its time, the next try is in a minute", append(attrs, slog.Any("err", err))...)
		return
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "audit", append(attrs, slog.String("action", TimedEnable), slog.String("user", w.User))...)
	if _, err := s.opts.Settings.AddRecord(ctx, r); err != nil {
		s.opts.Metrics.auditFailed()
		s.missing.Add(1)
		s.Log.ErrorContext(ctx, "an audit record is in the log only", slog.Any("err", err))
	}
}

// carryOut enables the job in its registry.
func (s promises) carryOut(ctx context.Context, w settings.Switch) (lifecycle.Outcome, error) {
	if w.Registry == DefaultRegistry {
		return s.opts.Operator.Enable(ctx, w.Job)
	}
	stored, err := s.StoredRegistry(ctx, w.Registry)
	if err != nil {
		return lifecycle.Outcome{}, err
	}
	opened, release, err := s.opts.Registries.Use(ctx, stored)
	if err != nil {
		return lifecycle.Outcome{}, err
	}
	defer release()
	return opened.Operator.Enable(ctx, w.Job)
}
