package console

import (
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// MostAtOnce bounds the jobs of one action on many.
const MostAtOnce = 200

// MaxReason bounds the reason of an action, in characters.
const MaxReason = view.MaxReason

// Bulk is one action on several jobs, job by job: one that refuses does not keep
// it from the others. Pages and the REST interface submit it.
type Bulk struct {
	Action Action
	Jobs   []string
	// Reason is why, for the audit; at most [MaxReason] characters.
	Reason string
	// Preview changes nothing: the results say what would happen.
	Preview bool
	// EnableAt is when disabled jobs are enabled again by the console; zero for
	// never.
	EnableAt time.Time
	// Label is the one that [Label] gives the jobs; empty removes it.
	Label string
	// What is what [Hold] has stand still, one of [Holds].
	What jobrun.Held
	// Change is the id of the form: with it the action is carried out once, can be
	// looked at afterwards and taken back; see [Console.UndoChange]. Empty for none,
	// and in a console without a database of its own.
	Change string
}

// BulkResult is what became of one of the jobs, or would become.
type BulkResult struct {
	lifecycle.Outcome
	// Refused is why nothing happened; nil if it was carried out, or would be.
	Refused *Problem
	had     string // the label before [Label]
}

// Had is the label that the job has, or had before it was given another.
func (r BulkResult) Had() string { return r.had }

// ActionNamed returns the action on several jobs with a verb.
func ActionNamed(verb string) (o Action, ok bool) {
	i := slices.IndexFunc(Actions, func(o Action) bool { return o.Verb == verb })
	switch {
	case i >= 0:
		return Actions[i], true
	case verb == Label.Verb:
		return Label, true
	}
	for _, o := range []Action{Hold, Release, CancelWaiting} {
		if o.Verb == verb {
			return o, true
		}
	}
	return Action{}, false
}

// CheckReason says what is wrong with a reason; nil if nothing is.
func CheckReason(reason string) *Problem {
	if n := utf8.RuneCountInString(reason); n > MaxReason {
		return Invalid("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemReasonLong(strconv.Itoa(n), strconv.Itoa(MaxReason)), l.ProblemReasonLongHint()
		})
	}
	return nil
}

// ErrRepeated is the error of an action whose form was sent before: it is not
// carried out again.
var ErrRepeated = errors.New("console: the form was sent before")

// SubmitBulk carries the action out, or says what it would do. It fails only if
// nothing can be read or changed for any job, or with [ErrRepeated].
func (s *Console) SubmitBulk(c *gin.Context, b Bulk) ([]BulkResult, error) {
	if b.Preview {
		return s.submitEach(c, b)
	}
	before, err := s.beginChange(c, b)
	if err != nil {
		return nil, err
	}
	c.Set(whyKey, b)
	results, err := s.submitEach(c, b)
	s.finishChange(c, b, before, results, err)
	return results, err
}

func (s *Console) submitEach(c *gin.Context, b Bulk) ([]BulkResult, error) {
	var results []BulkResult
	done := 0
	for _, name := range b.Jobs {
		carryOut := submitOne
		if b.Preview {
			carryOut = foresee
		}
		out, had, p := carryOut(s, c, b, name)
		switch {
		case p == nil:
			done++
		case p.Status() >= 500 && done == 0:
			return nil, p
		default:
			out = lifecycle.Outcome{}
		}
		out.Job = view.Clip(name, 100)
		results = append(results, BulkResult{Outcome: out, Refused: p, had: had})
	}
	Refused(c, "") // single refusals are in the record
	s.Note(c, slog.String("order", "bulk "+b.Action.Verb), slog.String("target", strings.Join(b.Jobs, ", ")), slog.Bool("preview", b.Preview),
		slog.Int("done", done), slog.Int("refused", len(results)-done))
	if b.Action.Verb == Label.Verb {
		s.Note(c, slog.String("label", b.Label))
	}
	if b.Reason != "" {
		s.Note(c, slog.String("reason", b.Reason))
	}
	return results, nil
}

func submitOne(s *Console, c *gin.Context, b Bulk, name string) (out lifecycle.Outcome, had string, p *Problem) {
	if jobtree.ValidateNodeName(name) != nil {
		return out, "", NoSuchJob(view.Clip(name, 100))
	}
	if p := b.Action.Forbidden(c, name); p != nil {
		return out, "", p
	}
	if b.Action.Verb == Label.Verb {
		return submitLabel(s, c, b, name)
	}
	if OfRuns(b.Action.Verb) {
		out, p = submitRuns(s, c, b, name)
		return out, "", p
	}
	out, err := s.Submit(c, b.Action, Target{Job: name})
	if err != nil {
		return lifecycle.Outcome{}, "", AsProblem(err)
	}
	return out, "", nil
}

// foresee says what an action would do to a job as it stands.
func foresee(s *Console, c *gin.Context, b Bulk, name string) (out lifecycle.Outcome, had string, p *Problem) {
	if jobtree.ValidateNodeName(name) != nil {
		return out, "", NoSuchJob(view.Clip(name, 100))
	}
	if p := b.Action.Forbidden(c, name); p != nil {
		return out, "", p
	}
	job, err := s.LookUp(c, name)
	if err != nil {
		return out, "", AsProblem(err)
	}
	if b.Action.Verb == Label.Verb {
		out, p = foreseeLabel(job, b.Label)
		return out, job.Label, p
	}
	if OfRuns(b.Action.Verb) {
		out, p = foreseeRuns(s, c, b, job)
		return out, "", p
	}
	if out, p = foreseen(b.Action, job); p == nil && b.Action.Verb == Remove.Verb {
		if out.CancelledRuns, err = s.OpenRuns(c, name); err != nil {
			p = AsProblem(err)
		}
	}
	return out, "", p
}

// noHint is the hint of a problem that has none.
func noHint(i18n.Lang) string { return "" }

// foreseen says what an action would do to a job.
func foreseen(o Action, job statistics.JobDetail) (out lifecycle.Outcome, p *Problem) {
	refuse := func(code string, why func(i18n.Lang) string) (lifecycle.Outcome, *Problem) {
		return lifecycle.Outcome{}, Problem{Kind: KindConflict, Code: code}.SaidAs(why, noHint)
	}
	add := func(id string, yes bool, why lifecycle.SkipWhy, otherwise string) {
		if yes {
			out.Affected = append(out.Affected, id)
		} else {
			out.Skipped = append(out.Skipped, lifecycle.Skip{Target: id, Reason: otherwise, Why: why})
		}
	}
	switch o.Verb {
	case Trigger.Verb, Shutdown.Verb:
		for _, i := range job.Instances {
			add(i.ID, i.Enabled || o.Verb == Shutdown.Verb, lifecycle.SkipServerOff, i18n.English.ProblemServerOff())
		}
		switch {
		case len(job.Instances) == 0:
			return refuse("no_instances", func(l i18n.Lang) string { return l.ProblemNoLive(job.Name) })
		case len(out.Affected) == 0:
			return refuse("conflict", i18n.Lang.ProblemAllOff)
		}
	case Disable.Verb, Enable.Verb:
		for _, srv := range job.Servers {
			add(srv.IP, srv.Enabled == (o.Verb == Disable.Verb), lifecycle.SkipSame, i18n.English.ProblemSoAlready())
		}
		if len(job.Servers) == 0 {
			return refuse("conflict", i18n.Lang.ProblemNoServers)
		}
	case Remove.Verb:
		if n := len(job.Instances); n > 0 {
			return refuse("conflict", func(l i18n.Lang) string { return l.ProblemAlive(n) })
		}
	}
	return out, nil
}
