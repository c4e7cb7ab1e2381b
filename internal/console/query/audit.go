package query

import (
	"net/url"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// AuditOutcomes are how what is recorded can have ended: done, begun if nobody knows,
// else with the code of the refusal.
var AuditOutcomes = []string{
	"done", settings.OutcomeBegun,
	"address_not_allowed", "audit_unavailable", "busy", "command_changes_off", "config_unreadable", "conflict", "cross_origin", "database_unavailable",
	"exists", "fixed", "forbidden", "internal", "invalid", "malformed", "method_not_allowed", "no_answer", "no_database", "no_history", "no_settings",
	"no_such_data_source", "no_such_registry", "not_confirmed", "not_found", "oidc_denied", "oidc_no_flow", "oidc_no_group", "oidc_refused", "oidc_replayed",
	"oidc_unavailable", "oidc_wrong_state", "registry_forbidden", "repeated", "registry_unavailable", "settings_unavailable", "stale_config", "taken", "test_failed",
	"token_expired", "token_invalid", "token_missing", "token_revoked", "too_large", "too_many_attempts", "too_many_streams", "unavailable",
	"unpredictable", "wrong_key", "wrong_password",
}

// ParseAudit reads the filter of the audit.
func ParseAudit(v url.Values) (f settings.AuditFilter, problems Problems) {
	f.User, f.Target, f.Outcome = strings.TrimSpace(v.Get("user")), strings.TrimSpace(v.Get("target")), strings.TrimSpace(v.Get("outcome"))
	if f.Outcome != "" && !slices.Contains(AuditOutcomes, f.Outcome) {
		problems = append(problems, about(f.Outcome, i18n.Lang.AddressOutcome))
		f.Outcome = ""
	}
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
