package requested

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// service reads, requests and cancels runs.
type service struct{ *app.Console }

// The origins of requests that come through a console.
const (
	fromAPI   = "api"
	fromPage  = "page"
	fromAgain = "again" // the run repeats another one
)

// ofJob calls a handler with the job that the address names.
func ofJob(handle func(c *gin.Context, job string) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		job, err := app.JobName(c)
		if err != nil {
			return err
		}
		return handle(c, job)
	}
}

// ofRun calls a handler with the job and the run that the address names. A text that can't be the
// id of a run is answered like a run that does not exist.
func ofRun(handle func(c *gin.Context, job, id string) error) func(*gin.Context) error {
	return ofJob(func(c *gin.Context, job string) error {
		id, err := url.PathUnescape(c.Param("request"))
		if err != nil {
			return app.MalformedAs(i18n.Lang.ProblemEscapedRun, i18n.Lang.ProblemEscapedHint)
		}
		if !isRunID(id) {
			return app.NoSuchRequest(job, id)
		}
		return handle(c, job, id)
	})
}

// isRunID reports whether a text has the form of the id of a requested run: a UUID.
func isRunID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, r := range text {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (r == '-') || !dash && !strings.ContainsRune("0123456789abcdef", r) {
			return false
		}
	}
	return true
}

// reading reads something about requested runs from the registry.
func reading[T any](s service, c *gin.Context, job, id string, read func(context.Context, app.Operator) (T, error)) (v T, err error) {
	if _, stale := app.SnapshotOf(c); stale {
		return v, s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if v, err = read(ctx, s.RegistryOf(c).Operator); err != nil {
		return v, app.RunsUnread(s.Console, c, app.Target{Job: job, Run: id}, err)
	}
	return v, nil
}

// acting carries an action out; id names the run, or is empty.
func acting[T any](s service, c *gin.Context, o app.Action, job, id string, act func(context.Context, app.Operator) (T, error)) (v T, err error) {
	err = app.ActOnRuns(s.Console, c, o, app.Target{Job: job, Run: id}, func(ctx context.Context, op app.Operator) (err error) {
		v, err = act(ctx, op)
		return err
	})
	return v, err
}

// noteReason adds a reason to the audit record.
func (s service) noteReason(c *gin.Context, reason string) {
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
}

// submit requests a run of a job. The audit has the size of the parameters and their keys, and
// never a value.
func (s service) submit(c *gin.Context, job, kind string, r jobrun.Request) (jobrun.Ticket, error) {
	r.By = app.RequestedBy(c, kind)
	s.noteParams(c, r.Params)
	if r.Parent != "" {
		s.Note(c, slog.String("parent", r.Parent))
	}
	if r.Note != "" {
		s.Note(c, slog.String("note", view.Clip(r.Note, app.MaxReason)))
	}
	ticket, err := acting(s, c, app.RequestRun, job, "", func(ctx context.Context, op app.Operator) (jobrun.Ticket, error) {
		return op.SubmitRun(ctx, job, r)
	})
	if ticket.ID != "" {
		s.Note(c, slog.String("run", ticket.ID))
	}
	if ticket.Repeated {
		s.Note(c, slog.Bool("repeated", true))
	}
	return ticket, err
}

// noteParams adds the size and the keys of parameters to the audit record.
func (s service) noteParams(c *gin.Context, params json.RawMessage) {
	var object map[string]json.RawMessage
	_ = json.Unmarshal(params, &object) // Parameters that are no object have no keys.
	keys := view.SortedKeys(object)
	for i := range keys {
		keys[i] = view.Clip(keys[i], 40)
	}
	s.Note(c, slog.Int("params_bytes", len(params)), slog.String("params_keys", view.Clip(strings.Join(slices.Compact(keys), ","), 300)))
}

// cancel ends a run, or asks its handlers to return. The state is [jobrun.Running] until they have.
func (s service) cancel(c *gin.Context, job, id, reason string) (jobrun.State, error) {
	s.noteReason(c, reason)
	state, err := acting(s, c, app.CancelRun, job, id, func(ctx context.Context, op app.Operator) (jobrun.State, error) {
		return op.CancelRun(ctx, job, id, app.RequestedBy(c, ""), reason)
	})
	return state, s.over(c, job, id, err)
}

// start has a run that waits for its time begin now.
func (s service) start(c *gin.Context, job, id string) error {
	_, err := acting(s, c, app.StartRun, job, id, func(ctx context.Context, op app.Operator) (any, error) {
		return nil, op.StartRun(ctx, job, id)
	})
	return s.over(c, job, id, err)
}

// schema is the schema of a job's parameters; its zero value allows any.
func (s service) schema(c *gin.Context, job string) (jobrun.Schema, error) {
	schema, err := reading(s, c, job, "", func(ctx context.Context, op app.Operator) (jobrun.Schema, error) { return op.RunSchema(ctx, job) })
	if app.LooksOnly(c) && len(schema.Text) > 0 {
		schema.Text = runparams.WithoutSecrets(schema.Text)
	}
	return schema, err
}

// secrets is the schema with the secret parameters of a job; nil if there is none.
func (s service) secrets(ctx context.Context, c *gin.Context, job string) *runparams.Schema {
	stored, err := s.RegistryOf(c).Operator.RunSchema(ctx, job)
	if err != nil || len(stored.Text) == 0 {
		return nil
	}
	schema, err := runparams.Parse(stored.Text)
	if err != nil {
		return nil
	}
	return schema
}

// masked is a run for callers who may only look. Without a schema all parameters are secret.
func masked(r Found, schema *runparams.Schema) Found {
	hidden := []byte(strconv.Quote(mask.Hidden))
	switch {
	case !r.HasParams:
	case schema == nil || len(r.Params) == 0:
		r.Params = hidden
	default:
		r.Params = schema.Mask(r.Params)
	}
	r.Reason, r.Note, r.Error = mask.Text(r.Reason), mask.Text(r.Note), mask.Text(r.Error)
	if strings.HasPrefix(r.By.From, app.FromConsole) { // the address of an operator
		r.By.From = strings.TrimSpace(app.FromConsole)
	}
	failures := make(map[int]string, len(r.Errors))
	for n, text := range r.Errors {
		failures[n] = mask.Text(text)
	}
	results := make(map[int]jobtree.RunResult, len(r.Results))
	for n := range r.Results {
		results[n] = hidden
	}
	r.Errors, r.Results = failures, results
	if r.Cancelled != nil {
		cancelled := *r.Cancelled
		cancelled.Reason = mask.Text(cancelled.Reason)
		r.Cancelled = &cancelled
	}
	return r
}
