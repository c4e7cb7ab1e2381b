package console

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// RecordOf is a record as it leaves the console.
func RecordOf(r settings.Record) api.AuditRecord {
	return api.AuditRecord{
		ID: r.ID, At: view.IsoTime(r.At), User: r.User, Role: r.Role, Remote: r.Remote, Action: r.Action, Registry: r.Registry,
		Target: r.Target, Outcome: r.Outcome, Status: r.Status, RequestID: r.RequestID, Detail: r.Detail,
	}
}

// ExportAudit answers with the records of a filter as a file, CSV or JSON: at most
// [MostExported]. The header X-Complete says if these are all.
func ExportAudit(s *Console, c *gin.Context, f settings.AuditFilter, problems query.Problems) error {
	format := c.DefaultQuery("format", "csv")
	if format != "json" && format != "csv" {
		problems = append(problems, func(l i18n.Lang) string {
			return l.AddressNeither("format", strconv.Quote(view.Clip(format, 40)), "csv", "json")
		})
	}
	if len(problems) > 0 {
		return Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	list, complete := []api.AuditRecord{}, false
	for f.Limit, f.Cursor = settings.MaxAuditPage, ""; !complete && len(list) < MostExported; {
		page, err := s.ReadAudit(c, f)
		if err != nil {
			return err
		}
		for _, r := range page.Records {
			list = append(list, RecordOf(r))
		}
		f.Cursor, complete = page.NextCursor, page.NextCursor == ""
	}
	c.Header("Content-Disposition", `attachment; filename="audit.`+format+`"`)
	c.Header("X-Complete", strconv.FormatBool(complete))
	if format == "json" {
		body, err := json.Marshal(list)
		if err != nil {
			return err
		}
		c.Data(http.StatusOK, "application/json; charset=utf-8", body)
		return nil
	}
	c.Header("Content-Type", "text/csv; charset=utf-8")
	c.Status(http.StatusOK)
	rows := [][]string{{"id", "at", "user", "role", "remote", "action", "registry", "target", "outcome", "status", "request", "detail"}}
	for _, r := range list {
		rows = append(rows, []string{strconv.FormatInt(r.ID, 10), r.At, r.User, r.Role, r.Remote, r.Action, r.Registry, r.Target, r.Outcome, strconv.Itoa(r.Status), r.RequestID, r.Detail})
	}
	return writeRows(c, rows)
}
