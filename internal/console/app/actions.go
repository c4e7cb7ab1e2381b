package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// MostAtOnce bounds the jobs, or the shards, of one action on many.
const MostAtOnce = 200

// MaxReason bounds the reason of an action, in characters.
const MaxReason = view.MaxReason

// ErrRepeated is the error of an action whose form was sent before: it is not
// carried out again.
var ErrRepeated = errors.New("console: the form was sent before")

// CheckReason returns the problem of a reason; nil if it has none.
func CheckReason(reason string) *Problem {
	if n := utf8.RuneCountInString(reason); n > MaxReason {
		return Invalid("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemReasonLong(strconv.Itoa(n), strconv.Itoa(MaxReason)), l.ProblemReasonLongHint()
		})
	}
	return nil
}

// Action is what an operator can do with a job. The table below drives
// the pages, the REST interface and the log.
type Action struct {
	Verb  string                 // of addresses and logs
	Label func(i18n.Lang) string // of the button
	// Did is the sentence about an action that reached n servers or instances of a
	// job, by their names.
	Did  func(l i18n.Lang, job string, n int, names string) string
	Call call
	// Needs is the access of its callers. VariantNeeds is the access for its second
	// form; 0 if that needs no more.
	Needs, VariantNeeds Access
	// Variant is the word of the query string that asks for the action's second
	// form; empty if it has none.
	Variant     string
	CallVariant call
	// Asks: a page asks before, because it cannot be taken back.
	Asks bool
	// Typed: the page wants the job's name typed.
	Typed bool
	// Applies reports whether there is anything to do for a job; why says why
	// not, or is empty if the button has no business there at all.
	Applies func(l i18n.Lang, j statistics.Job) (ok bool, why string)
}

var (
	Trigger = Action{
		Verb: "trigger", Needs: Operates, Label: i18n.Lang.ActionTrigger,
		Did:  func(l i18n.Lang, job string, n int, names string) string { return l.ActionDidTrigger(job, n, names) },
		Call: onJob(Operator.Trigger),
		Applies: func(l i18n.Lang, j statistics.Job) (bool, string) {
			switch {
			case j.Instances == 0:
				return false, l.ActionNoInstance()
			case j.Status == statistics.StatusBroken:
				return false, l.ActionUnreadable()
			case j.Servers > 0 && j.DisabledServers == j.Servers:
				return false, l.ActionAllDisabled()
			}
			return true, ""
		},
	}
	Disable = Action{
		Verb: "disable", Needs: Operates, Label: i18n.Lang.ActionDisable,
		Did:     func(l i18n.Lang, job string, n int, names string) string { return l.ActionDidDisable(job, n, names) },
		Call:    onJob(Operator.Disable),
		Variant: "persistent", VariantNeeds: Configures, CallVariant: onJob(Operator.DisableForGood),
		Applies: func(_ i18n.Lang, j statistics.Job) (bool, string) { return j.Servers > j.DisabledServers, "" },
	}
	Enable = Action{
		Verb: "enable", Needs: Operates, Label: i18n.Lang.ActionEnable,
		Did:     func(l i18n.Lang, job string, n int, names string) string { return l.ActionDidEnable(job, n, names) },
		Call:    onJob(Operator.Enable),
		Variant: "persistent", VariantNeeds: Configures, CallVariant: onJob(Operator.EnableForGood),
		Applies: func(_ i18n.Lang, j statistics.Job) (bool, string) { return j.DisabledServers > 0, "" },
	}
	Shutdown = Action{
		Verb: "shutdown", Needs: Operates, Label: i18n.Lang.ActionShutdown, Asks: true,
		Did:     func(l i18n.Lang, job string, n int, names string) string { return l.ActionDidShutdown(n, job, names) },
		Call:    onJob(Operator.Shutdown),
		Applies: func(_ i18n.Lang, j statistics.Job) (bool, string) { return j.Instances > 0, "" },
	}
	Remove = Action{
		Verb: "remove", Needs: Configures, Label: i18n.Lang.ActionRemove, Asks: true, Typed: true,
		Did:     func(l i18n.Lang, job string, _ int, _ string) string { return l.ActionDidRemove(job) },
		Call:    removeJob(false),
		Variant: "force", CallVariant: removeJob(true),
		Applies: func(_ i18n.Lang, j statistics.Job) (bool, string) { return j.Instances == 0, "" },
	}

	// TriggerInstances is a trigger of those that own some shards: the wire has none
	// for a single shard.
	TriggerInstances = Action{Verb: "trigger", Needs: Operates, Call: func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		return op.TriggerInstances(ctx, t.Job, t.Instances)
	}}

	// The actions on a server, or on one job of it.
	TriggerServer  = Action{Verb: "trigger", Needs: Operates, Call: onServer(Operator.TriggerServer)}
	DisableServer  = Action{Verb: "disable", Needs: Operates, Call: onServer(Operator.DisableServer)}
	EnableServer   = Action{Verb: "enable", Needs: Operates, Call: onServer(Operator.EnableServer)}
	ShutdownServer = Action{Verb: "shutdown", Needs: Operates, Call: onServer(Operator.ShutdownServer)}
	// RemoveServer ends the live instances of the server; its variant refuses while
	// there are any.
	RemoveServer = Action{
		Verb: "remove", Needs: Configures, Call: onServer(Operator.ForceRemoveServer),
		Variant: "offline", CallVariant: onServer(Operator.RemoveServer),
	}

	// The actions on single shards.
	DisableShard = Action{Verb: "disable", Needs: Operates, Call: onShard(Operator.DisableShard)}
	EnableShard  = Action{Verb: "enable", Needs: Operates, Call: onShard(Operator.EnableShard)}
	ClearRunning = Action{Verb: "clear the running marker of", Needs: Operates, Call: func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		return onShard(func(op Operator, ctx context.Context, job string, item int) error {
			return op.ClearRunning(ctx, job, item, t.Instance)
		})(op, ctx, t)
	}}

	// The actions on runs that were requested. Package requested carries them out.
	RequestRun = Action{Verb: "run", Needs: Operates, Label: i18n.Lang.RequestRun}
	CancelRun  = Action{Verb: "cancel", Needs: Operates, Label: i18n.Lang.RequestCancel, Asks: true}
	StartRun   = Action{Verb: "start", Needs: Operates, Label: i18n.Lang.RequestStart}

	// Hold has a job stand still, and Release ends that.
	Hold    = Action{Verb: "hold", Needs: Operates, Label: i18n.Lang.HoldLabel}
	Release = Action{Verb: "release", Needs: Operates, Label: i18n.Lang.HoldRelease}

	// CancelWaiting cancels the requested runs of a job that wait.
	CancelWaiting = Action{Verb: "cancel-waiting", Needs: Operates, Label: i18n.Lang.BulkCancelWaiting}

	// Label writes a label into the configuration of jobs.
	Label = Action{Verb: "label", Needs: Configures, Label: i18n.Lang.BulkLabel}

	// Backfill requests a run for each fire time between two moments that are past.
	Backfill = Action{Verb: "backfill", Needs: Operates, Label: i18n.Lang.BackfillLabel, Asks: true}

	// Actions are all of them that a job has, in the order of the buttons.
	Actions = []Action{Trigger, Disable, Enable, Shutdown, Remove}
)

// Varied is the second form of the action.
func (o Action) Varied() Action {
	o.Call, o.Needs = o.CallVariant, max(o.Needs, o.VariantNeeds)
	return o
}

// Forbidden returns why the caller may not carry the action out on a job; nil if the
// caller may.
func (o Action) Forbidden(c *gin.Context, job string) *Problem {
	if p := refusedProgram(c, Route{Access: o.Needs, jobs: byHandler}, Caller(c)); p != nil {
		return p
	}
	if !May(c, o.Needs) {
		return forbidden(c, o.Needs)
	}
	return MayJob(c, job)
}

// Target is what an action acts on: a job, some instances of it, a server, a job on a server, a
// shard of a job, or a run of a job that was requested.
type Target struct {
	Job, IP string
	Run     string
	Item    int
	IsShard bool
	// Instance is what the caller of an action on a shard confirms.
	Instance string
	// Instances are those of the job that the action is about; empty for all.
	Instances []string
	removal   lifecycle.Removal // for [Remove]
}

// String is the target in a sentence.
func (t Target) String() string {
	switch {
	case len(t.Instances) > 0:
		return fmt.Sprintf("%s at %s", t.Job, view.Enumerate(t.Instances, 3))
	case t.IsShard:
		return fmt.Sprintf("shard %d of %s", t.Item, t.Job)
	case t.Run != "":
		return fmt.Sprintf("run %s of %s", t.Run, t.Job)
	case t.IP == "":
		return t.Job
	case t.Job == "":
		return "server " + t.IP
	}
	return fmt.Sprintf("%s on %s", t.Job, t.IP)
}

// call carries an action out.
type call func(Operator, context.Context, Target) (lifecycle.Outcome, error)

func onJob(do func(Operator, context.Context, string) (lifecycle.Outcome, error)) call {
	return func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) { return do(op, ctx, t.Job) }
}

func removeJob(force bool) call {
	return func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		t.removal.Force = force
		return op.RemoveWith(ctx, t.Job, t.removal)
	}
}

func onServer(do func(Operator, context.Context, string, string) (lifecycle.Outcome, error)) call {
	return func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		return do(op, ctx, t.Job, t.IP)
	}
}

func onShard(do func(Operator, context.Context, string, int) error) call {
	return func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		out := lifecycle.Outcome{Job: t.Job}
		err := do(op, ctx, t.Job, t.Item)
		if err == nil {
			out.Affected = []string{strconv.Itoa(t.Item)}
		}
		return out, err
	}
}

// Submit carries an action out and notes its result for the audit record.
func (s *Console) Submit(c *gin.Context, o Action, t Target) (lifecycle.Outcome, error) {
	if Resumed(c) { // its page shows it again instead
		return lifecycle.Outcome{}, Malformed("A form that comes back after a sign-in is not carried out.", "Send it again. Nothing was changed.")
	}
	if t.Job != "" {
		if p := o.Forbidden(c, t.Job); p != nil {
			Refused(c, p.Code)
			return lifecycle.Outcome{}, p
		}
	}
	// The action outlives a browser that goes away: half an action is worse than
	// one nobody waits for.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.opts.ActionTimeout)
	defer cancel()
	if o.Verb == Remove.Verb && t.IP == "" {
		leave, err := s.recall(c)
		if err != nil {
			return lifecycle.Outcome{}, err
		}
		defer leave()
		t.removal.By = RequestedBy(c, "")
		if history := s.HistoryOf(c); history != nil {
			t.removal.History = history
		}
	}
	out, err := o.Call(s.RegistryOf(c).Operator, ctx, t)
	s.Note(c, slog.String("order", o.Verb), slog.String("target", t.String()),
		slog.Int("affected", len(out.Affected)), slog.Int("skipped", len(out.Skipped)))
	if n := len(out.Skipped) - len(slices.DeleteFunc(slices.Clone(out.Skipped), refused)); n > 0 {
		s.Note(c, slog.Int("refused", n))
	}
	if out.CancelledRuns > 0 {
		s.Note(c, slog.Int("cancelled_runs", out.CancelledRuns))
	}
	if err != nil {
		p := s.ActionProblem(c, o, t, err)
		// A page goes back to where it was, with a message, instead of failing.
		Refused(c, p.Code)
		s.Note(c, slog.Any("err", err))
		if len(out.Affected) > 0 {
			before := *p
			p = before.Said(func(l i18n.Lang) (string, string) {
				message, hint := before.In(l)
				return message + l.ProblemCarriedOut(view.Enumerate(out.Affected, 20)), hint
			})
		}
		return out, p
	}
	s.RememberSwitch(c, o, t, out)
	return out, nil
}

// refused reports whether an action on all jobs of a server failed for a job.
func refused(skip lifecycle.Skip) bool { return skip.Why == lifecycle.SkipRefused }

// ActionProblem translates an error of the operator into one for the caller.
func (s *Console) ActionProblem(c *gin.Context, o Action, t Target, err error) *Problem {
	if p := runProblem(t, err); p != nil {
		return p
	}
	p := Problem{Cause: err, GoTo: JobPath("/jobs", t.Job), GoToLabel: i18n.Lang.ProblemBackToJob}
	hint := func(l i18n.Lang) string { // which the reason is in another language
		if l == i18n.English {
			return advice(l, err)
		}
		return ""
	}
	said := func(kind kind, code string, message, hint func(i18n.Lang) string) *Problem {
		p.Kind, p.Code = kind, code
		return p.SaidAs(message, hint)
	}
	switch {
	case errors.Is(err, lifecycle.ErrNotFound):
		if t.IP == "" && !t.IsShard {
			return NoSuchJob(t.Job)
		}
		return said(KindNotFound, "not_found", func(l i18n.Lang) string { return l.ProblemNoTarget(t.in(l), because(l, err)) }, hint)
	case errors.Is(err, lifecycle.ErrNoInstances):
		return said(KindConflict, "no_instances", func(l i18n.Lang) string { return l.ProblemNoLive(t.in(l)) }, i18n.Lang.ProblemNoLiveHint)
	case errors.Is(err, lifecycle.ErrConflict):
		return said(KindConflict, "conflict", func(l i18n.Lang) string { return l.ProblemRefused(o.word(l), t.in(l), because(l, err)) }, hint)
	case errors.Is(err, lifecycle.ErrInvalid):
		return said(KindInvalid, "invalid", func(l i18n.Lang) string { return l.ProblemWrongCommand(o.word(l), t.in(l), because(l, err)) }, hint)
	case errors.Is(err, lifecycle.ErrForbidden):
		return said(KindForbidden, "registry_forbidden", func(l i18n.Lang) string { return l.ProblemNotLet(o.word(l), t.in(l)) }, i18n.Lang.ProblemDigest)
	case errors.Is(err, lifecycle.ErrHistory):
		return historyDown(err).Said(func(l i18n.Lang) (string, string) { return l.ProblemNotRecorded(t.in(l)), l.ProblemNotRecordedHint() })
	case errors.Is(err, lifecycle.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		down := s.RegistryDown(c, err)
		p.Retry = down.Retry
		return said(down.Kind, down.Code, func(l i18n.Lang) string { message, _ := down.In(l); return message },
			func(l i18n.Lang) string { return l.ProblemNotKnown(o.word(l), t.in(l)) })
	}
	return Internal(err)
}

// Because is the reason of an error without what was asked for, which the
// sentence in front of it has said.
func Because(err error) string {
	if e, ok := errors.AsType[*lifecycle.Error](err); ok && e.Err != nil {
		err = e.Err
	}
	return strings.TrimRight(err.Error(), ".") + "."
}

// Sentence is a hint of another package with a capital and a full stop.
func Sentence(hint string) string {
	r, size := utf8.DecodeRuneInString(hint)
	return string(unicode.ToUpper(r)) + strings.TrimRight(hint[size:], ".") + "."
}
