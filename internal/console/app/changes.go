package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// MaxEnableIn bounds how far ahead the time is at which jobs are enabled again.
const MaxEnableIn = 90 * 24 * time.Hour

// switchKey is where a request keeps why its actions disable jobs.
const switchKey = "console.switch"

// SetSwitch sets the change, the reason and the time to enable again for the jobs that later actions
// of the request disable.
func SetSwitch(c *gin.Context, w settings.Switch) { c.Set(switchKey, w) }

// Storing bounds a change in the console's own database. It goes on if the browser goes away.
func (s *Console) Storing(c *gin.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.opts.ReadTimeout)
}

// BeginChange stores that the form with the id of the change is carried out. It fails with [ErrRepeated] if
// it was sent before. Without an id, or without a database of the console's own, it does nothing.
func (s *Console) BeginChange(c *gin.Context, change settings.Change) error {
	if change.ID == "" || s.opts.Settings == nil {
		return nil
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	change.At, change.User, change.Registry = s.Now(), Caller(c).Name, s.RegistryOf(c).name
	err := s.opts.Settings.BeginChange(ctx, change)
	switch {
	case errors.Is(err, settings.ErrExists):
		return ErrRepeated
	case err != nil:
		return SettingsDown(err)
	}
	return nil
}

// FinishChange stores the results of a change. An action that failed as a whole has one more result,
// without a job.
func (s *Console) FinishChange(c *gin.Context, id string, results []settings.ChangeResult, failure error) {
	if id == "" || s.opts.Settings == nil {
		return
	}
	if failure != nil {
		results = append(results, ChangeResult("", lifecycle.Outcome{}, AsProblem(failure)))
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	if err := s.opts.Settings.FinishChange(ctx, id, results); err != nil {
		s.Log.WarnContext(c, "what became of an action is in the audit only", slog.String("request_id", RequestID(c)), slog.Any("err", err))
	}
}

// ChangeResult is the outcome of an action on a job as it is stored. A refusal is stored in the words of
// each language, because its job may no longer exist when the result is read.
func ChangeResult(job string, out lifecycle.Outcome, refused *Problem) settings.ChangeResult {
	r := settings.ChangeResult{Job: job, Affected: out.Affected}
	for _, skip := range out.Skipped {
		r.Skipped = append(r.Skipped, settings.ChangeSkipped{Target: skip.Target, Reason: skip.Reason})
	}
	if refused == nil {
		return r
	}
	r.Code, r.Message = refused.Code, refused.Message
	for _, l := range i18n.Languages[1:] {
		if message, _ := refused.In(l); message != refused.Message {
			if r.Said == nil {
				r.Said = make(map[string]string)
			}
			r.Said[l.Tag()] = message
		}
	}
	return r
}

// RememberSwitch stores who disabled a job and why, until it is enabled or removed.
// The audit has it, too, so an action doesn't fail if it can't be stored.
func (s *Console) RememberSwitch(c *gin.Context, o Action, t Target, out lifecycle.Outcome) {
	if s.opts.Settings == nil || t.Job == "" || t.IP != "" || t.IsShard {
		return
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	var err error
	switch o.Verb {
	case Disable.Verb:
		if len(out.Affected) == 0 {
			return // it was disabled before
		}
		found, _ := c.Get(switchKey)
		w, _ := found.(settings.Switch)
		w.Registry, w.Job, w.User, w.At = s.RegistryOf(c).name, t.Job, Caller(c).Name, s.Now()
		err = s.opts.Settings.PutSwitch(ctx, w)
	case Enable.Verb, Remove.Verb:
		err = s.opts.Settings.DropSwitch(ctx, s.RegistryOf(c).name, t.Job)
	}
	if err != nil {
		s.Log.WarnContext(c, "who disabled a job is in the audit only", slog.String("request_id", RequestID(c)), slog.Any("err", err))
	}
}

// Switches are who disabled which of some jobs, and why; none if the console's own
// database cannot tell.
func (s *Console) Switches(c *gin.Context, jobs []string) map[string]settings.Switch {
	if s.opts.Settings == nil || len(jobs) == 0 {
		return nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.opts.Settings.Switches(ctx, s.RegistryOf(c).name, jobs)
	if err != nil && !callerLeft(c) {
		s.Log.WarnContext(c, "who disabled jobs could not be read", slog.String("request_id", RequestID(c)), slog.Any("err", err))
	}
	return list
}
