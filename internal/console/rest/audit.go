package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// auditBody is a record of the audit.
type auditBody struct {
	ID        int64  `json:"id"`
	At        string `json:"at"`
	User      string `json:"user"`
	Role      string `json:"role"`
	Remote    string `json:"remote"`
	Action    string `json:"action"`
	Registry  string `json:"registry,omitempty"`
	Target    string `json:"target,omitempty"`
	Outcome   string `json:"outcome"`
	Status    int    `json:"status"`
	RequestID string `json:"requestId"`
	Detail    string `json:"detail,omitempty"`
}

// audit answers with the audit, newest first.
func (s *API) audit(c *gin.Context) {
	filter, problems := query.ParseAudit(c.Request.URL.Query())
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	page, err := s.ReadAudit(c, filter)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := pageBody[auditBody]{Rows: []auditBody{}, NextCursor: page.NextCursor}
	for _, r := range page.Records {
		body.Rows = append(body.Rows, auditBody{
			ID: r.ID, At: view.IsoTime(r.At), User: r.User, Role: r.Role, Remote: r.Remote, Action: r.Action, Registry: r.Registry,
			Target: r.Target, Outcome: r.Outcome, Status: r.Status, RequestID: r.RequestID, Detail: r.Detail,
		})
	}
	writeModel(c, http.StatusOK, body)
}
