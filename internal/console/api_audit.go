package console

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
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

// apiAudit answers with the audit, newest first.
func (s *Console) apiAudit(c *gin.Context) {
	filter, problems := parseAuditFilter(c.Request.URL.Query())
	if len(problems) > 0 {
		s.fail(c, invalid(strings.Join(problems, "; ")+".", "Correct the query string."))
		return
	}
	page, err := s.readAudit(c, filter)
	if err != nil {
		s.fail(c, err)
		return
	}
	body := pageBody[auditBody]{Rows: []auditBody{}, NextCursor: page.NextCursor}
	for _, r := range page.Records {
		body.Rows = append(body.Rows, auditBody{
			ID: r.ID, At: isoTime(r.At), User: r.User, Role: r.Role, Remote: r.Remote, Action: r.Action, Registry: r.Registry,
			Target: r.Target, Outcome: r.Outcome, Status: r.Status, RequestID: r.RequestID, Detail: r.Detail,
		})
	}
	writeJSON(c, http.StatusOK, body)
}

// readAudit reads a page of the audit.
func (s *Console) readAudit(c *gin.Context, f settings.AuditFilter) (settings.AuditPage, error) {
	if s.opts.Settings == nil {
		return settings.AuditPage{}, &problem{
			kind: kindUnavailable, code: "no_settings", message: "This console keeps its audit in the log only.",
			hint: "Look for lines with the message audit.",
		}
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	page, err := s.opts.Settings.Records(ctx, f)
	switch {
	case errors.Is(err, settings.ErrInvalidCursor):
		return page, invalid("The cursor is not one of this list.", "Start again without it.")
	case err != nil:
		return page, settingsDown(err)
	}
	return page, nil
}

// parseAuditFilter reads the filter of the audit.
func parseAuditFilter(v url.Values) (f settings.AuditFilter, problems []string) {
	f.User, f.Target, f.Outcome = strings.TrimSpace(v.Get("user")), strings.TrimSpace(v.Get("target")), strings.TrimSpace(v.Get("outcome"))
	f.Cursor = v.Get("cursor")
	f.From, f.To, problems = parseRange(v.Get("from"), v.Get("to"), problems)
	f.Limit, problems = parseLimit(v.Get("limit"), problems)
	return f, problems
}

// auditValues is the query string of a filter.
func auditValues(f settings.AuditFilter) url.Values {
	v := url.Values{}
	for _, field := range [][2]string{
		{"user", f.User}, {"target", f.Target}, {"outcome", f.Outcome}, {"from", inputTime(f.From)}, {"to", inputTime(f.To)}, {"cursor", f.Cursor},
	} {
		if field[1] != "" {
			v.Set(field[0], field[1])
		}
	}
	return v
}
