package jobpage

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/audit"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Activity is what operators did to a job, and what its instances did: the newest n lines, the newest
// first, and notes on gaps in the knowledge.
func Activity(s *app.Console, c *gin.Context, detail statistics.JobDetail, runs []tracing.Execution, n int) (list []jobs.Happened, notes []string) {
	rows, notes := happenedTo(s, c, detail, runs, n)
	slices.SortStableFunc(rows, func(a, b datedRow) int { return b.at.Compare(a.at) })
	for _, r := range rows[:min(n, len(rows))] {
		list = append(list, r.row)
	}
	return list, notes
}

func happenedTo(s *app.Console, c *gin.Context, detail statistics.JobDetail, runs []tracing.Execution, n int) (rows []datedRow, notes []string) {
	l, job := i18n.From(c.Request.Context()), detail.Name
	if log := s.Members(c); log == nil {
		notes = append(notes, l.ActivityNoInstances())
	} else {
		events := EventsOf(detail, log.Of(job, n), runs)
		for _, e := range events {
			rows = append(rows, datedRow{e.At, Happened(l, e, events)})
		}
		if since := log.Known(); !since.IsZero() {
			notes = append(notes, l.ActivityKnown(view.DateTime(since).Text))
		}
		if gaps := log.Gaps(); len(gaps) > 0 {
			if last := gaps[len(gaps)-1]; last.Until.IsZero() {
				notes = append(notes, l.PastGapSince(view.DateTime(last.From).Text))
			} else {
				notes = append(notes, l.PastGap(view.DateTime(last.From).Text, view.DateTime(last.Until).Text))
			}
		}
	}
	if !app.May(c, app.Configures) {
		return rows, append(notes, l.ActivityGuest())
	}
	records, down := RecordsOf(s, c, settings.AuditFilter{Target: job, Limit: n})
	if down {
		notes = append(notes, l.ActivityAuditDown())
	}
	for _, r := range records {
		rows = append(rows, datedRow{r.At, RecordLine(l, pageui.ChangeOf(l, r))})
	}
	together, down := RecordsOf(s, c, settings.AuditFilter{Text: job, Actions: onSeveral, From: s.Now().Add(-togetherSince), Limit: n})
	if down && len(notes) == 0 {
		notes = append(notes, l.ActivityAuditDown())
	}
	for _, r := range together {
		if names := strings.Split(r.Target, ", "); len(names) > 1 && slices.Contains(names, job) && !strings.Contains(r.Detail, "preview=true") {
			row := RecordLine(l, pageui.ChangeOf(l, r))
			row.Note = pageui.JoinNotes(l.ActivityTogether(len(names)-1), row.Note)
			rows = append(rows, datedRow{r.At, row})
		}
	}
	return rows, notes
}

// onSeveral are the actions on several jobs, with records that name all of them, and
// togetherSince how far back those are looked for.
var onSeveral = []settings.ActionLike{{Method: http.MethodPost, End: "/bulk"}, {Method: http.MethodPost, End: "/jobs/bulk/:id/undo"}}

const togetherSince = 30 * 24 * time.Hour

// datedRow is a line with its time, so that lists can be merged.
type datedRow struct {
	at  time.Time
	row jobs.Happened
}

// RecordsOf are records of the registry that the request is about.
func RecordsOf(s *app.Console, c *gin.Context, f settings.AuditFilter) (records []settings.Record, down bool) {
	page, err := s.ReadRecordsHere(c, f)
	if err != nil {
		s.LogFailure(c, app.AsProblem(err))
		return nil, true
	}
	return page.Records, false
}

// RecordLine is a record of the audit as a line.
func RecordLine(l i18n.Lang, ch audit.Change) jobs.Happened {
	text := l.ActivityBy(cmp.Or(ch.User, l.AuditSignedOut()), ch.Did)
	row := jobs.Happened{At: view.DateTime(ch.At), Tone: ui.ToneQuiet, Text: text, Note: ch.Notes, Kind: "action"}
	if ch.Reason != "" {
		row.Note = pageui.JoinNotes(l.AuditQuoted(ch.Reason), ch.Notes)
	}
	if ch.Tone != ui.ToneOK {
		row.Tone, row.Note = ui.ToneWarn, l.ActivityRefused(ch.End)
	}
	return row
}
