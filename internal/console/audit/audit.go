// Package audit is the part of the console that shows the audit log: its page, its exports and
// its REST route. The console itself writes the records.
package audit

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	auditpage "github.com/elasticjob-go/elasticjob/web/templates/audit"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

type audit struct{ *app.Console }

// Routes are the REST route and the page of the audit log. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	const configures, own = app.Configures, app.TheSettings
	a := audit{s}
	return []app.Route{
		app.Get("/api/audit", configures, own, a.get).Documented(app.Operation{
			Summary: "Who changed what, or was refused: when, from where, with what outcome. Newest first. Strangers' refused requests are recorded up to one a second, the rest counted.",
			Query: [][2]string{
				{"from", "From this instant on, RFC 3339."}, {"to", "Before this instant."},
				{"user", "Only of this account."}, {"target", "Only about this job, server or setting."},
				{"outcome", "done, or the code of a refusal such as forbidden."},
				{"q", "Only with this part in the account, the address, the target or the detail, in any case."},
				{"kind", "changes, refused, sign-ins or all."},
				{"action", "Only this action: as rows have it, or the end of its route for all of its kind, such as POST /disable."},
				{"registry", "Only about this registry."}, {"last", "24h, 7d, 30d or all, up to now."},
				{"limit", "Rows of the answer, at most 200."}, {"cursor", "The nextCursor of the answer before."},
			},
			Answer: api.Page[api.AuditRecord]{}, Refusals: []int{422},
		}),
		app.Get("/audit", configures, own, a.page).Asks(query.AuditNames...),
		app.Get("/audit/export", configures, own, a.export),
	}
}

// get answers with a page of the audit.
func (s audit) get(c *gin.Context) error {
	asked, problems := query.ParseAudit(c.Request.URL.Query(), s.Now(), app.DefaultRegistry)
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	page, err := s.ReadAudit(c, asked.AuditFilter)
	return app.Answer(c, api.Page[api.AuditRecord]{Rows: bodies(page.Records), NextCursor: page.NextCursor}, err)
}

// bodies are records as callers see them.
func bodies(records []settings.Record) []api.AuditRecord {
	list := make([]api.AuditRecord, len(records))
	for i, r := range records {
		list[i] = api.AuditRecord{
			ID: r.ID, At: view.IsoTime(r.At), User: r.User, Role: r.Role, Remote: r.Remote, Action: r.Action,
			Registry: r.Registry, Target: r.Target, Outcome: r.Outcome, Status: r.Status, RequestID: r.RequestID,
			Detail: r.Detail,
		}
	}
	return list
}

// asked reads the filter of a page's address. Without a kind, an outcome or an action it selects
// the changes, because sign-ins would fill the page.
func (s audit) asked(c *gin.Context) (query.Audit, query.Problems) {
	v, l := c.Request.URL.Query(), i18n.From(c.Request.Context())
	if v.Get("kind") == "" && v.Get("outcome") == "" && v.Get("action") == "" {
		v.Set("kind", query.AuditChanges)
	}
	asked, problems := query.ParseAudit(v, s.Now(), app.DefaultRegistry)
	if text := strings.ToLower(asked.Text); text != "" {
		asked.Meant = query.ActionsOf(func(word query.AuditWord) bool {
			return strings.Contains(strings.ToLower(word(l)), text)
		})
	}
	return asked, problems
}

// export answers with the records of a filter as a file, CSV or JSON: at most
// [app.MostExported]. The header X-Complete is true if these are all.
func (s audit) export(c *gin.Context) error {
	asked, problems := s.asked(c)
	format := c.DefaultQuery("format", "csv")
	if format != "json" && format != "csv" {
		problems = append(problems, query.Neither("format", format, "csv", "json"))
	}
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	list, f, complete := []api.AuditRecord{}, asked.AuditFilter, false
	for f.Limit, f.Cursor = settings.MaxAuditPage, ""; !complete && len(list) < app.MostExported; {
		page, err := s.ReadAudit(c, f)
		if err != nil {
			return err
		}
		list = append(list, bodies(page.Records)...)
		f.Cursor, complete = page.NextCursor, page.NextCursor == ""
	}
	c.Header("Content-Disposition", `attachment; filename="audit.`+format+`"`)
	c.Header("X-Complete", strconv.FormatBool(complete))
	if format == "json" {
		body, err := json.Marshal(list)
		c.Data(http.StatusOK, "application/json; charset=utf-8", body)
		return err
	}
	rows := [][]string{strings.Fields("id at user role remote action registry target outcome status request detail")}
	for _, r := range list {
		rows = append(rows, []string{
			strconv.FormatInt(r.ID, 10), r.At, r.User, r.Role, r.Remote, r.Action, r.Registry, r.Target, r.Outcome,
			strconv.Itoa(r.Status), r.RequestID, r.Detail,
		})
	}
	return app.WriteRows(c, rows)
}

// page lists the records.
func (s audit) page(c *gin.Context) error {
	l := i18n.From(c.Request.Context())
	asked, problems := s.asked(c)
	page, err := s.ReadAudit(c, asked.AuditFilter)
	p := s.list(c, l, asked)
	p.Frame.Ignored = append(p.Frame.Ignored, problems.In(l)...)
	diffs := s.diffs(c, page.Records)
	for _, r := range page.Records {
		p.Rows = append(p.Rows, row(l, r, view.NearTime(l, r.At, s.Now()), diffs[r.ID]))
	}
	p.Pager.Summary = l.AuditCount(len(p.Rows))
	if page.NextCursor != "" {
		p.Pager.Next = p.With("cursor", page.NextCursor)
	}
	status := http.StatusOK
	switch {
	case err != nil:
		p.Empty, status = pageui.Unread(s.Console, c, &p.Frame, err, "audit-unavailable")
	case len(p.Rows) == 0:
		p.Empty = &ui.Empty{
			Heading: l.AuditNoMatch(), Text: l.AuditNoMatchText(), Href: "/audit?kind=all", Label: l.AuditShowAll(),
			TestID: "audit-empty",
		}
	}
	s.Render(c, status, auditpage.List(p))
	return nil
}

// kinds are the tabs of the page.
var kinds = []struct {
	name string
	word query.AuditWord
}{
	{query.AuditChanges, i18n.Lang.AuditKindChanges}, {query.AuditRefused, i18n.Lang.AuditKindRefused},
	{query.AuditSignIns, i18n.Lang.AuditKindSignIns}, {query.AuditAll, i18n.Lang.AuditKindAll},
}

// list is the page with its filter and without its rows.
func (s audit) list(c *gin.Context, l i18n.Lang, asked query.Audit) auditpage.Props {
	p := auditpage.Props{Frame: s.Frame(c, "", app.AreaAudit), Asked: query.AuditValues(asked)}
	p.Pager = ui.Pager{PrevLabel: l.AuditNewest(), NextLabel: l.AuditOlder()}
	if asked.Cursor != "" {
		p.Asked.Del("cursor")
		p.Pager.Prev = p.With()
	}
	for _, kind := range kinds {
		p.Kinds = append(p.Kinds, ui.Tab{
			Label: kind.word(l), Active: asked.Kind == kind.name, TestID: "kind-" + kind.name,
			Href: p.With("kind", kind.name, "outcome", ""),
		})
	}
	for _, span := range query.AuditSpans {
		always := span == "all" && asked.Last == "" && asked.From.IsZero() && asked.To.IsZero()
		p.Ranges = append(p.Ranges, ui.Tab{
			Label: pageui.RangeLabel(l, span), Active: asked.Last == span || always,
			Href: p.With("last", span, "from", "", "to", ""),
		})
	}
	meant := query.ActionWords(asked.Action, l)
	for _, known := range query.AuditActions() {
		words := known.Words(l)
		p.Actions = append(p.Actions, ui.Choice{Value: known.Action, Label: words, Selected: words == meant})
	}
	for _, outcome := range query.AuditOutcomes() {
		label := query.OutcomeWords(outcome, l)
		if outcome != settings.EndedDone && outcome != settings.OutcomeBegun {
			label += " · " + outcome
		}
		p.Outcomes = append(p.Outcomes, ui.Choice{Value: outcome, Label: label, Selected: outcome == asked.Outcome})
	}
	registries, err := s.RegistryList(c)
	if err != nil || len(registries) < 2 && asked.Registry == "" {
		return p // without a choice of registries
	}
	chosen := func(r settings.Registry) bool { return r.Name == asked.Registry }
	if asked.Registry != "" && !slices.ContainsFunc(registries, chosen) {
		registries = append(registries, settings.Registry{Name: asked.Registry})
	}
	for _, r := range registries {
		p.Registries = append(p.Registries, ui.Choice{Value: r.Name, Label: view.Clip(r.Name, 60), Selected: chosen(r)})
	}
	return p
}

// row is a record with a link to its consequences.
func row(l i18n.Lang, r settings.Record, at ui.Time, diff *auditpage.Diff) auditpage.Row {
	row := auditpage.Row{Change: pageui.ChangeOf(l, r), When: at, Diff: diff}
	switch {
	case r.Target == "" || strings.Contains(r.Target, ","):
	case row.Did == l.AuditDidConfigure():
		row.Href, row.HrefLabel = app.JobPath("/jobs", r.Target, "config", "versions"), l.AuditOpenVersions()
	case row.Did == l.AuditDidTrigger():
		row.Href, row.HrefLabel = query.WithQuery("/runs", url.Values{"job": {r.Target}}), l.AuditOpenRuns()
	}
	if row.Href != "" && r.Registry != "" {
		row.Href = app.RegistryPath(r.Registry) + row.Href
	}
	return row
}
