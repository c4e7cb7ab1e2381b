package console

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// RequestedRuns are the runs of jobs that somebody requested, with parameters or
// without, as the registry has them: pages and the REST interface submit, read and
// cancel them here. What ran, for whatever reason, is in the history; see
// [Console.ReadRuns].
type RequestedRuns struct{ *Console }

// Where a request for a run comes from, as the run says.
const (
	FromAPI   = "api"
	FromPage  = "page"
	FromAgain = "again" // the run repeats another one
)

// fromConsole begins where a request comes from that was sent through a console.
const fromConsole = "console "

// RunQueueFullRetry is after how many seconds a request may be tried again for which
// the job had no room.
const RunQueueFullRetry = 10

// by is the caller, for the run.
func (s RequestedRuns) by(c *gin.Context, kind string) jobrun.By {
	return jobrun.By{Kind: kind, Name: Caller(c).Name, From: fromConsole + Remote(c)}
}

// OpenRuns counts the requested runs of a job that haven't ended: removing the job cancels them.
func (s *Console) OpenRuns(c *gin.Context, job string) (int, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Operator.LiveRuns(ctx, job, 0)
	if err != nil {
		return 0, RequestedRuns{s}.unread(c, Target{Job: job}, err)
	}
	return list.WaitingCount + len(list.Active), nil
}

// act carries an action on runs out. It ends with the time of a read: a caller learns
// within five seconds that the registry does not answer.
func (s RequestedRuns) act(c *gin.Context, o Action, t Target, do func(context.Context, Operator) error) error {
	o.Call = func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		ctx, cancel := context.WithTimeout(ctx, s.opts.ReadTimeout)
		defer cancel()
		out := lifecycle.Outcome{Job: t.Job}
		err := do(ctx, op)
		if err == nil {
			out.Affected = []string{cmp.Or(t.Run, t.Job)}
		}
		return out, err
	}
	_, err := s.Console.Submit(c, o, t)
	return err
}

// Submit requests a run of a job. Kind is one of [FromAPI] and its like. The audit has
// how large the parameters are and which keys they have, never a value.
func (s RequestedRuns) Submit(c *gin.Context, job, kind string, r jobrun.Request) (ticket jobrun.Ticket, err error) {
	r.By = s.by(c, kind)
	s.Note(c, slog.Int("params_bytes", len(r.Params)), slog.String("params_keys", keysOf(r.Params)))
	if r.Parent != "" {
		s.Note(c, slog.String("parent", r.Parent))
	}
	if r.Note != "" {
		s.Note(c, slog.String("note", view.Clip(r.Note, MaxReason)))
	}
	err = s.act(c, RequestRun, Target{Job: job}, func(ctx context.Context, op Operator) (err error) {
		ticket, err = op.SubmitRun(ctx, job, r)
		return err
	})
	if ticket.ID != "" {
		s.Note(c, slog.String("run", ticket.ID))
	}
	if ticket.Repeated {
		s.Note(c, slog.Bool("repeated", true))
	}
	return ticket, err
}

// Cancel ends a run, or asks those that run it to end it. The state is
// [jobrun.Running] while they have not.
func (s RequestedRuns) Cancel(c *gin.Context, job, id, reason string) (state jobrun.State, err error) {
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
	err = s.act(c, CancelRun, Target{Job: job, Run: id}, func(ctx context.Context, op Operator) (err error) {
		state, err = op.CancelRun(ctx, job, id, s.by(c, ""), reason)
		return err
	})
	return state, s.over(c, job, id, err)
}

// Start has a run that waits for its time begin now.
func (s RequestedRuns) Start(c *gin.Context, job, id string) error {
	return s.over(c, job, id, s.act(c, StartRun, Target{Job: job, Run: id}, func(ctx context.Context, op Operator) error {
		return op.StartRun(ctx, job, id)
	}))
}

// Named returns the job and the run that the address names. What cannot be the id of a
// run is answered like one that does not exist.
func (s RequestedRuns) Named(c *gin.Context) (job, id string, err error) {
	if job, err = JobName(c); err != nil {
		return "", "", err
	}
	if id, err = url.PathUnescape(c.Param("request")); err != nil {
		return "", "", MalformedAs(i18n.Lang.ProblemEscapedRun, i18n.Lang.ProblemEscapedHint)
	}
	if !isRunID(id) {
		return "", "", noSuchRequest(job, id)
	}
	return job, id, nil
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

// read reads a run that the registry has.
func (s RequestedRuns) read(ctx context.Context, c *gin.Context, job, id string) (jobrun.Run, error) {
	if _, stale := SnapshotOf(c); stale {
		return jobrun.Run{}, s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	run, err := s.RegistryOf(c).Operator.Run(ctx, job, id)
	if err != nil {
		return run, s.unread(c, Target{Job: job, Run: id}, err)
	}
	return run, nil
}

// Schema is what parameters a job takes; its zero value is anything.
func (s RequestedRuns) Schema(c *gin.Context, job string) (jobrun.Schema, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	schema, err := s.RegistryOf(c).Operator.RunSchema(ctx, job)
	if err != nil {
		return schema, s.unread(c, Target{Job: job}, err)
	}
	if LooksOnly(c) && len(schema.Text) > 0 {
		schema.Text = runparams.WithoutSecrets(schema.Text)
	}
	return schema, nil
}

// schemaOf says which parameters of a job are secret; nil if nobody has said.
func (s RequestedRuns) schemaOf(ctx context.Context, c *gin.Context, job string) *runparams.Schema {
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

// unread is the answer while runs cannot be read.
func (s RequestedRuns) unread(c *gin.Context, t Target, err error) *Problem {
	if errors.Is(err, lifecycle.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		return s.RegistryDown(c, err)
	}
	return s.ActionProblem(c, RequestRun, t, err)
}

// requestedPlace is where a run stands in the list of its job. It changes only when the
// run begins or ends, so that a page is found again among others.
type requestedPlace struct {
	rank int // 0 runs, 1 waits, 2 ended
	ms   int64
	id   string
}

func requestedPlaceOf(r jobrun.Run) requestedPlace {
	switch {
	case r.State.Ended():
		return requestedPlace{2, r.Ended.UnixMilli(), r.ID}
	case r.State == jobrun.Running:
		return requestedPlace{0, r.Due.UnixMilli(), r.ID}
	}
	return requestedPlace{1, r.Due.UnixMilli(), r.ID}
}

func (p requestedPlace) compare(q requestedPlace) int {
	switch {
	case p.rank != q.rank:
		return p.rank - q.rank
	case p.rank == 2: // the last first
		p, q = q, p
	}
	if p.ms != q.ms {
		return time.UnixMilli(p.ms).Compare(time.UnixMilli(q.ms))
	}
	return strings.Compare(p.id, q.id)
}

// String is the place as a cursor.
func (p requestedPlace) String() string {
	return strconv.Itoa(p.rank) + "." + strconv.FormatInt(p.ms, 10) + "." + p.id
}

func parseRequestedPlace(text string) (p requestedPlace, ok bool) {
	if text == "" {
		return p, true
	}
	parts := strings.SplitN(text, ".", 3)
	if len(parts) != 3 || !isRunID(parts[2]) {
		return p, false
	}
	rank, err1 := strconv.Atoi(parts[0])
	ms, err2 := strconv.ParseInt(parts[1], 10, 64)
	return requestedPlace{rank, ms, parts[2]}, err1 == nil && err2 == nil && rank >= 0 && rank <= 2
}

// maskedRequest is a run as whoever may only look sees it. Where nobody has said which of
// its parameters are secret, all of them are.
func maskedRequest(r jobrun.Run, schema *runparams.Schema) jobrun.Run {
	hidden := []byte(strconv.Quote(mask.Hidden))
	switch {
	case !r.HasParams:
	case schema == nil || len(r.Params) == 0:
		r.Params = hidden
	default:
		r.Params = schema.Mask(r.Params)
	}
	r.Reason, r.Note = mask.Text(r.Reason), mask.Text(r.Note)
	if strings.HasPrefix(r.By.From, fromConsole) { // the address of an operator
		r.By.From = strings.TrimSpace(fromConsole)
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
