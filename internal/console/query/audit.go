package query

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// The kinds of records.
const (
	// AuditChanges are actions that were carried out.
	AuditChanges = "changes"
	// AuditRefused are requests that changed nothing.
	AuditRefused = "refused"
	// AuditSignIns are about who comes and goes.
	AuditSignIns = "sign-ins"
	// AuditAll is every record.
	AuditAll = "all"
)

// AuditKinds are the kinds of records.
var AuditKinds = []string{AuditChanges, AuditRefused, AuditSignIns, AuditAll}

// AuditSpans are the lengths of time up to now that records are asked for, and "all".
var AuditSpans = []string{"24h", "7d", "30d", "all"}

// AuditNames are the parameters of the audit.
var AuditNames = []string{"q", "kind", "user", "action", "target", "registry", "outcome", "last", "from", "to", "limit", "cursor"}

// signIns are the actions of who comes and goes.
var signIns = []settings.ActionLike{{Method: "POST", End: "/login"}, {Method: "GET", End: "/login/oidc/callback"}, {Method: "POST", End: "/logout"}, {Method: "POST", End: "/refresh"}}

// Audit is what is asked of the audit.
type Audit struct {
	settings.AuditFilter
	// Text are words of a search, Kind one of the [AuditKinds] or "" for all, Action one
	// of the actions that the console has words for, or one as it is recorded, and
	// Registry a name.
	Text, Kind, Action, Registry string
	// Last is one of the [AuditSpans], "" if from or to were asked for.
	Last string
}

// ParseAudit reads what is asked of the audit; now is the end of a span, and local the
// name of the registry of the command line.
func ParseAudit(v url.Values, now time.Time, local string) (a Audit, problems Problems) {
	f := &a.AuditFilter
	f.User, f.Target, f.Outcome = strings.TrimSpace(v.Get("user")), strings.TrimSpace(v.Get("target")), strings.TrimSpace(v.Get("outcome"))
	if f.Outcome != "" && !slices.Contains(AuditOutcomes(), f.Outcome) {
		problems = append(problems, About(f.Outcome, i18n.Lang.AddressOutcome))
		f.Outcome = ""
	}
	a.Text, a.Action, a.Registry = view.Clip(strings.TrimSpace(v.Get("q")), 200), strings.TrimSpace(v.Get("action")), strings.TrimSpace(v.Get("registry"))
	f.Text = a.Text
	if a.Registry != "" {
		f.Here = true
		if a.Registry != local {
			f.Registry = a.Registry
		}
	}
	switch a.Kind = v.Get("kind"); a.Kind {
	case AuditChanges:
		f.Ended, f.Except = settings.EndedDone, signIns
	case AuditRefused:
		f.Ended = settings.EndedRefused
	case AuditSignIns:
		f.Actions = signIns
	case "", AuditAll:
	default:
		problems = append(problems, unknown("kind", a.Kind, view.Join(AuditKinds)))
		a.Kind = ""
	}
	if a.Action != "" {
		if f.Actions, f.Except = actionsNamed(a.Action), nil; f.Actions == nil {
			bad := view.Clip(a.Action, 40)
			problems = append(problems, func(l i18n.Lang) string { return l.AuditBadAction(bad) })
			a.Action = ""
		}
	}
	f.Cursor = v.Get("cursor")
	f.From, f.To, problems = ParseRange(v.Get("from"), v.Get("to"), problems)
	if a.Last = v.Get("last"); a.Last != "" && f.From.IsZero() && f.To.IsZero() {
		span, ok := spanOf(a.Last, AuditSpans)
		switch {
		case !ok:
			problems = append(problems, unknown("last", a.Last, view.Join(AuditSpans)))
			a.Last = ""
		case span > 0:
			f.From = now.Add(-span).Truncate(time.Second)
		}
	} else {
		a.Last = ""
	}
	f.Limit, problems = parseLimit(v.Get("limit"), DefaultPageSize, problems)
	return a, problems
}

// AuditValues is the query string of what is asked.
func AuditValues(a Audit) url.Values {
	v := url.Values{}
	f := a.AuditFilter
	if a.Last != "" {
		f.From = time.Time{}
	}
	for _, field := range [][2]string{
		{"q", a.Text}, {"kind", a.Kind}, {"action", a.Action}, {"registry", a.Registry}, {"last", a.Last},
		{"user", f.User}, {"target", f.Target}, {"outcome", f.Outcome}, {"from", InputTime(f.From)}, {"to", InputTime(f.To)}, {"cursor", f.Cursor},
	} {
		if field[1] != "" {
			v.Set(field[0], field[1])
		}
	}
	return v
}
