package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Configure changes the configuration of a job, and has no Call: what to change is
// no matter of the table. [Console.Configure] carries it out, for pages and REST.
var Configure = Action{Verb: "configure", Needs: Configures, Label: i18n.Lang.ConfigSave}

// ConfigChange is a change of a job's configuration: of the revision, or of
// whatever stands there if it is empty.
type ConfigChange struct {
	Job, Revision string
	// Reason is why, for the audit and the versions; at most [MaxReason] characters.
	Reason string
	// Edit changes a copy of what is stored. It may be called more than once.
	Edit func(*jobconfig.Config) error
}

// Configure carries a change of a configuration out and notes it for the audit
// record: the keys that changed, never their values, which may be secrets. Its
// error is for [Console.ConfigProblem].
func (s *Console) Configure(c *gin.Context, change ConfigChange) (before, after lifecycle.StoredConfig, err error) {
	ctx, cancel, err := s.configuring(c, Configure, change.Job, change.Reason)
	if err != nil {
		return before, after, err
	}
	defer cancel()
	before, after, err = s.RegistryOf(c).Operator.EditConfig(ctx, change.Job, change.Revision, func(config *jobconfig.Config) error {
		stored := config.Clone()
		if err := change.Edit(config); err != nil {
			return err
		}
		return s.MayChange(stored, config)
	})
	if err != nil {
		return before, after, err
	}
	s.Note(c, slog.String("before", before.Revision()), slog.String("after", after.Revision()),
		slog.Any("changed", editor.ChangedKeys(before.Config, after.Config)))
	s.keepVersion(c, change.Job, change.Reason, before, after)
	return before, after, nil
}

// configuring begins a change: it notes the change for the audit, checks it, and bounds its time. The
// change goes on without the browser, as actions do.
func (s *Console) configuring(c *gin.Context, o Action, job, reason string) (context.Context, context.CancelFunc, error) {
	s.Note(c, slog.String("order", o.Verb), slog.String("target", view.Clip(job, 100)))
	if p := cmp.Or(o.Forbidden(c, job), CheckReason(reason)); p != nil {
		return nil, nil, p
	}
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.opts.ActionTimeout)
	return ctx, cancel, nil
}

// MayChange refuses a change of what agents execute, unless the console was
// started with the right to. Stored values that stay as they are pass.
func (s *Console) MayChange(before, after *jobconfig.Config) error {
	if s.opts.CommandChanges {
		return nil
	}
	var fields []FieldBody
	for _, key := range editor.ChangedCommands(before, after) {
		// Not its value: that may be a secret.
		fields = append(fields, FieldBody{Field: "props." + view.Clip(key, 100), Want: "the stored value"})
	}
	if len(fields) == 0 {
		return nil
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Field
	}
	return Problem{Kind: KindForbidden, Code: "command_changes_off", Fields: fields}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemCommandsOff(view.Join(names)), l.ProblemCommandsOffHint()
	})
}

// ConfigBody is a configuration for an answer, as the caller may see it.
func ConfigBody(c *gin.Context, config *jobconfig.Config) editor.Body {
	if !May(c, Configures) {
		config = MaskedConfig(config)
	}
	return editor.BodyOf(config)
}

// ConfigProblem translates an error about a configuration. based tells whether the
// change was based on a revision.
func (s *Console) ConfigProblem(c *gin.Context, job string, based bool, stored lifecycle.StoredConfig, err error) *Problem {
	if refused, ok := errors.AsType[*Problem](err); ok { // of our own, in what edited the configuration
		return refused
	}
	stale, isStale := errors.AsType[*lifecycle.StaleConfigError](err)
	switch {
	case isStale && based:
		p := Problem{Kind: KindStale, Code: "stale_config", Cause: err}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemStaleConfig(job), l.ProblemStaleConfigHint()
		})
		if stale.Stored.Config != nil {
			p.Stored = ConfigBody(c, stale.Stored.Config)
		}
		return p
	case errors.Is(err, lifecycle.ErrInvalid) && len(lifecycle.FieldErrors(err)) > 0:
		return InvalidConfig(job, err)
	case errors.Is(err, lifecycle.ErrInvalid) && stored.Raw != nil && stored.Config == nil:
		return Problem{Kind: KindConflict, Code: "config_unreadable", Cause: err}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemConfigUnread(job, Because(err)), l.ProblemConfigUnreadHint(JobPath("/api/jobs", job))
		})
	}
	return s.ActionProblem(c, Configure, Target{Job: job}, err)
}

// InvalidConfig names every field that cannot be taken.
func InvalidConfig(job string, err error) *Problem {
	p := Invalid("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemConfigInvalid(strconv.Quote(view.Clip(job, 100))), l.ProblemConfigInvalidHint()
	})
	p.Cause = err
	p.Fields = FieldBodies(lifecycle.FieldErrors(err))
	return p
}

// Create stores the configuration of a job that nobody has registered yet. Like
// [Configure] it has no Call.
var Create = Action{Verb: "create", Needs: Configures, Label: i18n.Lang.ConfigCreate}

// CreateJob carries a creation out and notes it for the audit record. Its error is
// for [Console.ConfigProblem].
func (s *Console) CreateJob(c *gin.Context, config *jobconfig.Config, class, reason string) (lifecycle.StoredConfig, error) {
	ctx, cancel, err := s.configuring(c, Create, config.Name, reason)
	if err != nil {
		return lifecycle.StoredConfig{}, err
	}
	defer cancel()
	if err := s.MayChange(jobconfig.New(config.Name, 1), config); err != nil {
		return lifecycle.StoredConfig{}, err
	}
	stored, err := s.RegistryOf(c).Operator.CreateJob(ctx, config, class)
	if err != nil {
		return stored, err
	}
	s.Note(c, slog.String("after", stored.Revision()))
	s.keepVersion(c, config.Name, reason, lifecycle.StoredConfig{}, stored)
	return stored, nil
}
