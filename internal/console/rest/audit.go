package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// auditBody is a record of the audit.
type auditBody api.AuditRecord

// audit answers with the audit, newest first.
func (s *API) audit(c *gin.Context) {
	asked, problems := query.ParseAudit(c.Request.URL.Query(), s.Now(), console.DefaultRegistry)
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	page, err := s.ReadAudit(c, asked.AuditFilter)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := pageBody[auditBody]{Rows: []auditBody{}, NextCursor: page.NextCursor}
	for _, r := range page.Records {
		body.Rows = append(body.Rows, auditBody(console.RecordOf(r)))
	}
	console.WriteJSON(c, http.StatusOK, body)
}
