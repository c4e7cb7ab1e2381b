package query

import (
	"net/url"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// ParseAudit reads the filter of the audit.
func ParseAudit(v url.Values) (f settings.AuditFilter, problems []string) {
	f.User, f.Target, f.Outcome = strings.TrimSpace(v.Get("user")), strings.TrimSpace(v.Get("target")), strings.TrimSpace(v.Get("outcome"))
	f.Cursor = v.Get("cursor")
	f.From, f.To, problems = ParseRange(v.Get("from"), v.Get("to"), problems)
	f.Limit, problems = parseLimit(v.Get("limit"), problems)
	return f, problems
}

// AuditValues is the query string of a filter.
func AuditValues(f settings.AuditFilter) url.Values {
	v := url.Values{}
	for _, field := range [][2]string{
		{"user", f.User}, {"target", f.Target}, {"outcome", f.Outcome}, {"from", InputTime(f.From)}, {"to", InputTime(f.To)}, {"cursor", f.Cursor},
	} {
		if field[1] != "" {
			v.Set(field[0], field[1])
		}
	}
	return v
}
