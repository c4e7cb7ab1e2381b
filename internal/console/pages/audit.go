package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/audit"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// askedAudit reads what the address asks of the audit. Without a kind or an outcome it
// is the changes: sign-ins would fill it.
func askedAudit(c *gin.Context, now time.Time) (query.Audit, query.Problems) {
	v, l := c.Request.URL.Query(), i18n.From(c.Request.Context())
	if v.Get("kind") == "" && v.Get("outcome") == "" && v.Get("action") == "" {
		v.Set("kind", query.AuditChanges)
	}
	asked, problems := query.ParseAudit(v, now, console.DefaultRegistry)
	if asked.Text != "" {
		text := strings.ToLower(asked.Text)
		asked.Meant = query.ActionsOf(l, func(words string) bool { return strings.Contains(strings.ToLower(words), text) })
	}
	return asked, problems
}

// auditPage is the list of who changed what.
func (s *Pages) auditPage(c *gin.Context) {
	asked, problems := askedAudit(c, s.Now())
	records, err := s.ReadAudit(c, asked.AuditFilter)
	l := i18n.From(c.Request.Context())
	props := auditProps(s.Frame(c, "", console.AreaAudit), asked, records, l, s.Now())
	diffs := auditDiffs(s, c, records.Records)
	for i, r := range records.Records {
		if d, ok := diffs[r.ID]; ok {
			props.Rows[i].Diff = &d
		}
	}
	props.Frame.Ignored = append(props.Frame.Ignored, problems.In(l)...)
	if list, err := s.RegistryList(c); err == nil { // without them there is no such choice
		props.Registries = auditRegistries(l, list, asked.Registry)
	}
	status := http.StatusOK
	if err != nil {
		props.Empty, status = pageui.Unread(s.Console, c, &props.Frame, err, "audit-unavailable")
	}
	s.Render(c, status, audit.List(props))
}

// exportAudit answers with the records that the address asks for as a file.
func (s *Pages) exportAudit(c *gin.Context) {
	asked, problems := askedAudit(c, s.Now())
	if err := console.ExportAudit(s.Console, c, asked.AuditFilter, problems); err != nil {
		s.Fail(c, err)
	}
}

// auditRegistries are the registries that there are records of; none if there is but
// one.
func auditRegistries(l i18n.Lang, list []settings.Registry, chosen string) []ui.Choice {
	if len(list) < 2 && chosen == "" {
		return nil
	}
	choices := []ui.Choice{{Label: l.AuditAny(), Selected: chosen == ""}}
	for _, r := range list {
		choices = append(choices, ui.Choice{Value: r.Name, Label: r.Name, Selected: r.Name == chosen})
	}
	if chosen != "" && !slices.ContainsFunc(choices, func(c ui.Choice) bool { return c.Selected }) {
		choices = append(choices, ui.Choice{Value: chosen, Label: view.Clip(chosen, 60), Selected: true})
	}
	return choices
}

// auditProps builds the view model.
func auditProps(f layout.Frame, asked query.Audit, page settings.AuditPage, l i18n.Lang, now time.Time) audit.ListProps {
	p := audit.ListProps{
		Frame: f, Text: asked.Text, Kind: asked.Kind, User: asked.User, Target: asked.Target, Last: asked.Last, To: query.InputTime(asked.To),
		Pager: ui.Pager{PrevLabel: l.AuditNewest(), NextLabel: l.AuditOlder(), Summary: l.AuditCount(len(page.Records))},
	}
	if asked.Last == "" {
		p.From = query.InputTime(asked.From)
	}
	p.More = asked.User != "" || asked.Target != "" || asked.Outcome != "" || asked.Action != "" || asked.Registry != "" || p.From != "" || p.To != ""
	for _, r := range page.Records {
		p.Rows = append(p.Rows, auditRow(l, r, now))
	}
	start := asked
	start.Cursor = ""
	at := func(change func(*query.Audit)) string {
		other := start
		change(&other)
		return query.WithQuery("/audit", query.AuditValues(other))
	}
	for _, kind := range []struct {
		name string
		word func(i18n.Lang) string
	}{{query.AuditChanges, i18n.Lang.AuditKindChanges}, {query.AuditRefused, i18n.Lang.AuditKindRefused}, {query.AuditSignIns, i18n.Lang.AuditKindSignIns}, {query.AuditAll, i18n.Lang.AuditKindAll}} {
		p.Kinds = append(p.Kinds, ui.Tab{Label: kind.word(l), Active: asked.Kind == kind.name, TestID: "kind-" + kind.name, Href: at(func(a *query.Audit) { a.Kind, a.Outcome = kind.name, "" })})
	}
	for _, span := range query.AuditSpans {
		active := asked.Last == span || span == "all" && asked.Last == "" && asked.From.IsZero() && asked.To.IsZero()
		p.Ranges = append(p.Ranges, ui.Tab{Label: pageui.RangeLabel(l, span), Active: active, Href: at(func(a *query.Audit) { a.Last, a.From, a.To = span, time.Time{}, time.Time{} })})
	}
	p.Actions = []ui.Choice{{Label: l.AuditAny(), Selected: asked.Action == ""}}
	for _, known := range query.AuditActions(l) {
		p.Actions = append(p.Actions, ui.Choice{Value: known.Action, Label: known.Words, Selected: asked.Action != "" && query.ActionWords(asked.Action, l) == known.Words})
	}
	p.Outcomes = []ui.Choice{{Label: l.AuditAny(), Selected: asked.Outcome == ""}}
	for _, outcome := range query.AuditOutcomes {
		label := outcomeWord(l, outcome)
		if outcome != settings.EndedDone && outcome != settings.OutcomeBegun {
			label += " · " + outcome
		}
		p.Outcomes = append(p.Outcomes, ui.Choice{Value: outcome, Label: label, Selected: outcome == asked.Outcome})
	}
	exported := query.AuditValues(start)
	exported.Set("format", "csv")
	p.CSV = query.WithQuery("/audit/export", exported)
	exported.Set("format", "json")
	p.JSON = query.WithQuery("/audit/export", exported)
	p.Active = at(func(a *query.Audit) {}) != query.WithQuery("/audit", url.Values{"kind": {query.AuditChanges}})
	if asked.Cursor != "" {
		p.Pager.Prev = at(func(*query.Audit) {})
	}
	if page.NextCursor != "" {
		p.Pager.Next = at(func(a *query.Audit) { a.Cursor = page.NextCursor })
	}
	if len(p.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: l.AuditNoMatch(), Text: l.AuditNoMatchText(), Href: "/audit?kind=all", Label: l.AuditShowAll(), TestID: "audit-empty"}
	}
	return p
}

// auditRow is a record as a line.
func auditRow(l i18n.Lang, r settings.Record, now time.Time) audit.Row {
	ch := changeOf(l, r)
	row := audit.Row{
		At: view.NearTime(l, r.At, now), User: r.User, Role: r.Role, Remote: r.Remote, Action: r.Action, Words: ch.Did, Target: ch.Target, Registry: r.Registry,
		RequestID: r.RequestID, Outcome: ui.Chip{Tone: ch.Tone, Label: ch.Outcome, Title: r.Outcome, TestID: "audit-outcome"},
		Raw: r.Detail, Detail: ch.Notes, Reason: ch.Reason,
	}
	at := func(path string) string {
		if r.Registry != "" {
			return "/registry/" + url.PathEscape(r.Registry) + path
		}
		return path
	}
	switch {
	case r.Target == "" || strings.Contains(r.Target, ","):
	case row.Words == l.AuditDidConfigure():
		row.Href, row.HrefLabel = at(console.JobPath("/jobs", r.Target, "config", "versions")), l.AuditOpenVersions()
	case row.Words == l.AuditDidTrigger():
		row.Href, row.HrefLabel = at("/runs?"+url.Values{"job": {r.Target}}.Encode()), l.AuditOpenRuns()
	}
	return row
}
