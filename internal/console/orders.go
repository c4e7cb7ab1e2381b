package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// order is something an operator can demand of a job. The table below drives
// the pages, the REST interface and the log.
type order struct {
	verb  string // of addresses and logs
	label string // of the button
	done  string // "Triggered": begins the sentence about the outcome
	noun  string // what it acts on
	call  call
	// variant is the word of the query string that asks for the order's second
	// form; empty if it has none.
	variant     string
	callVariant call
	// asks: a page asks before, because it cannot be taken back.
	asks bool
	// typed: the page wants the job's name typed.
	typed bool
	// applies reports whether there is anything to do for a job; why says why
	// not, or is empty if the button has no business there at all.
	applies func(statistics.Job) (ok bool, why string)
}

var (
	trigger = order{
		verb: "trigger", label: "Trigger", done: "Triggered", noun: "instance",
		call: onJob(Operator.Trigger),
		applies: func(j statistics.Job) (bool, string) {
			switch {
			case j.Instances == 0:
				return false, "no instance is alive to run it"
			case j.Status == statistics.StatusBroken:
				return false, "agents refuse to run it: its configuration cannot be read"
			case j.Servers > 0 && j.DisabledServers == j.Servers:
				return false, "every server is disabled, nothing would run; enable the job first"
			}
			return true, ""
		},
	}
	disable = order{
		verb: "disable", label: "Disable", done: "Disabled", noun: "server",
		call:    onJob(Operator.Disable),
		variant: "persistent", callVariant: onJob(Operator.DisableForGood),
		applies: func(j statistics.Job) (bool, string) { return j.Servers > j.DisabledServers, "" },
	}
	enable = order{
		verb: "enable", label: "Enable", done: "Enabled", noun: "server",
		call:    onJob(Operator.Enable),
		variant: "persistent", callVariant: onJob(Operator.EnableForGood),
		applies: func(j statistics.Job) (bool, string) { return j.DisabledServers > 0, "" },
	}
	shutdown = order{
		verb: "shutdown", label: "Shut down", done: "Shut down", noun: "instance", asks: true,
		call:    onJob(Operator.Shutdown),
		applies: func(j statistics.Job) (bool, string) { return j.Instances > 0, "" },
	}
	remove = order{
		verb: "remove", label: "Remove", done: "Removed", noun: "node", asks: true, typed: true,
		call:    onJob(Operator.Remove),
		variant: "force", callVariant: onJob(Operator.ForceRemove),
		applies: func(j statistics.Job) (bool, string) { return j.Instances == 0, "" },
	}

	// The orders that only the API gives: about servers and single items.
	triggerServer  = order{verb: "trigger", call: onServer(Operator.TriggerServer)}
	disableServer  = order{verb: "disable", call: onServer(Operator.DisableServer)}
	enableServer   = order{verb: "enable", call: onServer(Operator.EnableServer)}
	shutdownServer = order{verb: "shutdown", call: onServer(Operator.ShutdownServer)}
	removeServer   = order{verb: "remove", call: onServer(Operator.ForceRemoveServer)}
	disableItem    = order{verb: "disable", call: onItem(Operator.DisableItem)}
	enableItem     = order{verb: "enable", call: onItem(Operator.EnableItem)}
	clearRunning   = order{verb: "clear the running mark of", call: func(op Operator, ctx context.Context, t target) (lifecycle.Outcome, error) {
		return onItem(func(op Operator, ctx context.Context, job string, item int) error {
			return op.ClearRunning(ctx, job, item, t.instance)
		})(op, ctx, t)
	}}

	// orders are all of them that a job has, in the order of the buttons.
	orders = []order{trigger, disable, enable, shutdown, remove}
)

// target is what an order is about: a job, a server, a job on a server, or an
// item of a job.
type target struct {
	job, ip string
	item    int
	isItem  bool
	// instance is what the caller of an order about an item confirms.
	instance string
}

// String is the target in a sentence.
func (t target) String() string {
	switch {
	case t.isItem:
		return fmt.Sprintf("item %d of %s", t.item, t.job)
	case t.ip == "":
		return t.job
	case t.job == "":
		return "server " + t.ip
	}
	return fmt.Sprintf("%s on %s", t.job, t.ip)
}

// call carries an order out.
type call func(Operator, context.Context, target) (lifecycle.Outcome, error)

func onJob(do func(Operator, context.Context, string) (lifecycle.Outcome, error)) call {
	return func(op Operator, ctx context.Context, t target) (lifecycle.Outcome, error) { return do(op, ctx, t.job) }
}

func onServer(do func(Operator, context.Context, string, string) (lifecycle.Outcome, error)) call {
	return func(op Operator, ctx context.Context, t target) (lifecycle.Outcome, error) {
		return do(op, ctx, t.job, t.ip)
	}
}

func onItem(do func(Operator, context.Context, string, int) error) call {
	return func(op Operator, ctx context.Context, t target) (lifecycle.Outcome, error) {
		out := lifecycle.Outcome{Job: t.job}
		err := do(op, ctx, t.job, t.item)
		if err == nil {
			out.Affected = []string{strconv.Itoa(t.item)}
		}
		return out, err
	}
}

// give carries an order out and notes for the audit record what came of it.
func (s *Console) give(c *gin.Context, o order, t target) (lifecycle.Outcome, error) {
	// The order outlives a browser that goes away: half an order is worse than
	// one nobody waits for.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.opts.OrderTimeout)
	defer cancel()
	out, err := o.call(s.centreOf(c).Operator, ctx, t)
	s.note(c, slog.String("order", o.verb), slog.String("target", t.String()),
		slog.Int("affected", len(out.Affected)), slog.Int("skipped", len(out.Skipped)))
	if err != nil {
		p := s.orderProblem(c, o, t, err)
		// A page goes back to where it was, with a message, instead of failing.
		refused(c, p.code)
		s.note(c, slog.Any("err", err))
		if len(out.Affected) > 0 {
			p.message += fmt.Sprintf(" It was carried out for %s.", view.Enumerate(out.Affected, 20))
		}
		return out, p
	}
	return out, nil
}

// orderProblem translates an error of the operator into one for the caller.
func (s *Console) orderProblem(c *gin.Context, o order, t target, err error) *problem {
	p := &problem{cause: err, goTo: jobPath("/jobs", t.job), goToLabel: "Back to the job"}
	switch {
	case errors.Is(err, lifecycle.ErrNotFound):
		if t.ip != "" || t.isItem {
			p.kind, p.code = kindNotFound, "not_found"
			p.message = fmt.Sprintf("There is no %s: %s", t, because(err))
			break
		}
		return noSuchJob(t.job)
	case errors.Is(err, lifecycle.ErrNoInstances):
		p.kind, p.code = kindConflict, "no_instances"
		p.message = fmt.Sprintf("%s has no live instance.", t)
		p.hint = "Start a process that runs this job, then try again. Nothing was changed."
	case errors.Is(err, lifecycle.ErrConflict):
		p.kind, p.code = kindConflict, "conflict"
		p.message = fmt.Sprintf("The order to %s %s was refused: %s", o.verb, t, because(err))
	case errors.Is(err, lifecycle.ErrInvalid):
		p.kind, p.code = kindInvalid, "invalid"
		p.message = fmt.Sprintf("The order to %s %s is not valid: %s", o.verb, t, because(err))
	case errors.Is(err, lifecycle.ErrForbidden):
		p.kind, p.code = kindForbidden, "registry_forbidden"
		p.message = fmt.Sprintf("ZooKeeper did not let the console %s %s.", o.verb, t)
		p.hint = "The console's ZooKeeper account lacks the right; check its digest."
	case errors.Is(err, lifecycle.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		down := s.registryDown(c, err)
		p.kind, p.code, p.retry, p.message = down.kind, down.code, down.retry, down.message
		p.hint = fmt.Sprintf("Whether the order to %s %s arrived is not known. Look once the connection is back, then repeat it if need be.", o.verb, t)
	default:
		return internal(err)
	}
	if e, ok := errors.AsType[*lifecycle.Error](err); ok && e.Hint != "" && p.hint == "" {
		p.hint = sentence(e.Hint)
	}
	return p
}

// because is the reason of an error without what was asked for, which the
// sentence in front of it has said.
func because(err error) string {
	if e, ok := errors.AsType[*lifecycle.Error](err); ok && e.Err != nil {
		err = e.Err
	}
	return strings.TrimRight(err.Error(), ".") + "."
}

// sentence is a hint of another package with a capital and a full stop.
func sentence(hint string) string {
	r, size := utf8.DecodeRuneInString(hint)
	return string(unicode.ToUpper(r)) + strings.TrimRight(hint[size:], ".") + "."
}
