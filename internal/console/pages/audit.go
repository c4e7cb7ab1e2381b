package pages

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/audit"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// auditPage is the list of who changed what.
func (s *Pages) auditPage(c *gin.Context) {
	filter, hints := query.ParseAudit(c.Request.URL.Query())
	records, err := s.ReadAudit(c, filter)
	l := i18n.From(c.Request.Context())
	props := auditProps(s.Frame(c, "", console.AreaAudit), filter, records, l)
	props.Frame.Ignored = append(props.Frame.Ignored, hints.In(i18n.From(c.Request.Context()))...)
	status := http.StatusOK
	if err != nil {
		p := console.AsProblem(err)
		status = p.Status()
		s.LogFailure(c, p)
		props.Empty = problemEmpty(i18n.From(c.Request.Context()), p, "audit-unavailable")
	}
	s.Render(c, status, audit.List(props))
}

// auditProps builds the view model.
func auditProps(f layout.Frame, filter settings.AuditFilter, page settings.AuditPage, l i18n.Lang) audit.ListProps {
	p := audit.ListProps{
		Frame: f, User: filter.User, Target: filter.Target, Outcome: filter.Outcome, From: query.InputTime(filter.From), To: query.InputTime(filter.To),
		Pager: ui.Pager{PrevLabel: l.AuditNewest(), NextLabel: l.AuditOlder(), Summary: l.AuditCount(len(page.Records))},
	}
	for _, r := range page.Records {
		row := audit.Row{
			At: view.DateTime(r.At), User: r.User, Role: r.Role, Remote: r.Remote, Action: r.Action, Target: r.Target, Registry: r.Registry,
			Detail: r.Detail, RequestID: r.RequestID, Outcome: ui.Chip{Tone: ui.ToneOK, Label: r.Outcome, TestID: "audit-outcome"},
		}
		row.Words = auditAction(r.Action, l)
		if r.Outcome == "done" {
			row.Outcome.Label, row.Outcome.Title = l.AuditDone(), r.Outcome
		} else {
			row.Outcome.Tone = ui.ToneWarn
		}
		p.Rows = append(p.Rows, row)
	}
	start := filter
	start.Cursor = ""
	p.Active = len(query.AuditValues(start)) > 0
	if filter.Cursor != "" {
		p.Pager.Prev = query.WithQuery("/audit", query.AuditValues(start))
	}
	if page.NextCursor != "" {
		next := filter
		next.Cursor = page.NextCursor
		p.Pager.Next = query.WithQuery("/audit", query.AuditValues(next))
	}
	if len(p.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: l.AuditNoMatch(), Text: l.AuditNoMatchText(), Href: "/audit", Label: l.AuditShowAll(), TestID: "audit-empty"}
	}
	return p
}
