package query

import (
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// AuditWord is the name of an action in a reader's language.
type AuditWord = func(i18n.Lang) string

// auditWords are the names of recorded requests, by method and end of the route; the longest end
// that matches wins. Pages and the REST interface share them.
var auditWords = []struct {
	words   AuditWord
	actions []string
}{
	{i18n.Lang.AuditDidSignIn, []string{"POST /login", "GET /login/oidc/callback"}},
	{i18n.Lang.AuditDidSignOut, []string{"POST /logout"}},
	{i18n.Lang.AuditDidRefresh, []string{"POST /refresh"}},
	{i18n.Lang.AuditDidTrigger, []string{"POST /trigger", "POST /rerun"}},
	{i18n.Lang.AuditDidRequest, []string{"POST /requested-runs", "POST /requested-runs/:request/again"}},
	{i18n.Lang.AuditDidAddApp, []string{
		"POST /cloud/apps", "POST /cloud/add-app", "POST /api/app", "POST /api/app/register",
	}},
	{i18n.Lang.AuditDidChangeApp, []string{
		"PUT /cloud/apps/:app", "POST /cloud/apps/:app/edit", "PUT /api/app", "POST /api/app/update",
	}},
	{i18n.Lang.AuditDidDeleteApp, []string{
		"DELETE /cloud/apps/:app", "POST /cloud/apps/:app/remove", "DELETE /api/app/:app",
	}},
	{i18n.Lang.AuditDidCreate, []string{
		"POST /cloud/jobs", "POST /cloud/add-job", "POST /api/job/register", "POST /jobs/config", "POST /jobs/new",
	}},
	{i18n.Lang.AuditDidConfigure, []string{
		"POST /cloud/apply", "POST /cloud/import", "PUT /cloud/jobs/:job", "POST /cloud/jobs/:job/edit",
		"PUT /api/job/update", "POST /api/job/update", "PUT /jobs/config", "POST /jobs/:job/config",
	}},
	{i18n.Lang.AuditDidDeleteJob, []string{
		"DELETE /cloud/jobs/:job", "DELETE /deregister", "POST /jobs/:job/remove", "DELETE /jobs/config/:job",
	}},
	{i18n.Lang.AuditDidSuspendRun, []string{"POST /cloud/runs/:run/suspend"}},
	{i18n.Lang.AuditDidResumeRun, []string{"POST /cloud/runs/:run/resume"}},
	{i18n.Lang.AuditDidKillRun, []string{"POST /cloud/runs/:run/kill"}},
	{i18n.Lang.AuditDidKillShard, []string{"POST /cloud/runs/:run/items/:item/kill"}},
	{i18n.Lang.AuditDidReconcile, []string{"POST /reconcile/explicit", "POST /reconcile/implicit"}},
	{i18n.Lang.AuditDidRequestMany, []string{"POST /requested-runs/batch"}},
	{i18n.Lang.AuditDidCancelWaiting, []string{"DELETE /requested-runs"}},
	{i18n.Lang.AuditDidCancelRun, []string{"POST /requested-runs/:request/cancel"}},
	{i18n.Lang.AuditDidStartRun, []string{"POST /requested-runs/:request/start"}},
	{i18n.Lang.AuditDidBackfill, []string{"POST /backfill"}},
	{i18n.Lang.AuditDidCancelBackfill, []string{"POST /:backfill/cancel"}},
	{i18n.Lang.AuditDidHold, []string{"POST /hold"}},
	{i18n.Lang.AuditDidAcknowledge, []string{"POST /losses/acknowledge"}},
	{i18n.Lang.AuditDidRelease, []string{"POST /release"}},
	{i18n.Lang.AuditDidDisable, []string{"POST /disable"}},
	{i18n.Lang.AuditDidEnable, []string{"DELETE /disable", "POST /enable"}},
	{i18n.Lang.AuditDidStop, []string{"POST /shutdown", "PUT /shutdown"}},
	{i18n.Lang.AuditDidPreview, []string{"POST /new/preview", "POST /config/preview"}},
	{i18n.Lang.AuditDidDisableShard, []string{"POST /shards/disable", "POST /sharding/:item/disable"}},
	{i18n.Lang.AuditDidEnableShard, []string{
		"POST /shards/enable", "DELETE /sharding/:item/disable", "POST /sharding/:item/enable",
	}},
	{i18n.Lang.AuditDidClearRunning, []string{"DELETE /sharding/:item/running"}},
	{i18n.Lang.AuditDidRemoveServer, []string{
		"DELETE /servers/:ip", "DELETE /servers/:ip/jobs/:job", "POST /servers/cleanup", "POST /servers/:ip/remove",
		"POST /servers/:ip/jobs/:job/remove",
	}},
	{i18n.Lang.AuditDidDump, []string{"POST /dump"}},
	{i18n.Lang.AuditDidBulk, []string{"POST /bulk"}},
	{i18n.Lang.AuditDidUndo, []string{"POST /jobs/bulk/:id/undo"}},
	{i18n.Lang.AuditDidStayDisabled, []string{"POST /stay-disabled"}},
	{i18n.Lang.AuditDidAddRegistry, []string{
		"POST /registries", "POST /api/registry-center", "POST /api/registry-center/add",
	}},
	{i18n.Lang.AuditDidTestRegistry, []string{
		"POST /api/registry-center/connectTest", "POST /registries/test", "POST /registries/:name/test",
	}},
	{i18n.Lang.AuditDidOpenRegistry, []string{"POST /api/registry-center/connect"}},
	{i18n.Lang.AuditDidChangeRegistry, []string{"PUT /api/registry-center/:name", "POST /registries/:name/edit"}},
	{i18n.Lang.AuditDidRemoveRegistry, []string{
		"DELETE /api/registry-center", "DELETE /api/registry-center/:name", "POST /registries/:name/remove",
	}},
	{i18n.Lang.AuditDidAddSource, []string{"POST /sources", "POST /data-source", "POST /data-source/add"}},
	{i18n.Lang.AuditDidTestSource, []string{
		"POST /sources/test", "POST /sources/:name/test", "POST /data-source/connectTest",
	}},
	{i18n.Lang.AuditDidChangeSource, []string{"POST /sources/:name/edit", "PUT /data-source/:name"}},
	{i18n.Lang.AuditDidRemoveSource, []string{
		"POST /sources/:name/remove", "DELETE /data-source", "DELETE /data-source/:name",
	}},
	{i18n.Lang.AuditDidOpenSource, []string{"POST /data-source/connect"}},
	{i18n.Lang.AuditDidImport, []string{"POST /import"}},
	{i18n.Lang.AuditDidCreateToken, []string{"POST /tokens"}},
	{i18n.Lang.AuditDidRevokeToken, []string{"POST /tokens/:token/revoke", "DELETE /tokens/:token"}},
	{i18n.Lang.AuditDidSaveView, []string{"POST /views"}},
	{i18n.Lang.AuditDidRemoveView, []string{"POST /views/remove", "DELETE /views/:area/:name"}},
}

// ActionWords is the name of a recorded request; empty if it has none.
func ActionWords(action string, l i18n.Lang) string {
	method, route, _ := strings.Cut(action, " ")
	words, longest := "", 0
	for _, known := range auditWords {
		for _, other := range known.actions {
			verb, end, _ := strings.Cut(other, " ")
			if verb == method && strings.HasSuffix(route, end) && len(end) > longest {
				words, longest = known.words(l), len(end)
			}
		}
	}
	return words
}

// AuditAction is an action with its name.
type AuditAction struct {
	Action string
	Words  AuditWord
}

// AuditActions are the names of actions, each with the first action that has it.
func AuditActions() (list []AuditAction) {
	for _, known := range auditWords {
		list = append(list, AuditAction{known.actions[0], known.words})
	}
	return list
}

// ActionsOf are the actions with the chosen names.
func ActionsOf(chosen func(AuditWord) bool) (list []settings.ActionLike) {
	for i, known := range auditWords {
		if !chosen(known.words) {
			continue
		}
		for _, action := range known.actions {
			method, end, _ := strings.Cut(action, " ")
			like := settings.ActionLike{Method: method, End: end}
			for j, other := range auditWords {
				for _, action := range other.actions {
					verb, longer, _ := strings.Cut(action, " ")
					if i != j && verb == method && len(longer) > len(end) && strings.HasSuffix(longer, end) {
						like.But = append(like.But, longer)
					}
				}
			}
			list = append(list, like)
		}
	}
	return list
}

// actionsNamed are the actions that a name selects: an action of the table selects all with its
// name, and an action as it is recorded only itself. Nil if there is no such action.
func actionsNamed(name string) []settings.ActionLike {
	for _, known := range auditWords {
		if slices.Contains(known.actions, name) {
			words := known.words(i18n.English)
			return ActionsOf(func(other AuditWord) bool { return other(i18n.English) == words })
		}
	}
	if method, route, _ := strings.Cut(name, " "); ActionWords(name, i18n.English) != "" {
		return []settings.ActionLike{{Method: method, End: route}}
	}
	return nil
}

// outcomes are the words for the ends of requests by their codes.
var outcomes = []struct {
	word  AuditWord
	codes string
}{
	{i18n.Lang.AuditDone, settings.EndedDone},
	{i18n.Lang.AuditBegun, settings.OutcomeBegun},
	{i18n.Lang.AuditNotAllowed, "address_not_allowed command_changes_off cross_origin fixed forbidden registry_forbidden token_scope"},
	{i18n.Lang.AuditNotFound, "no_backfill no_run no_such_data_source no_such_registry no_such_tree not_found"},
	{i18n.Lang.AuditInvalid, "invalid malformed method_not_allowed params too_large unpredictable unsupported"},
	{i18n.Lang.AuditNoSignIn, "oidc_denied oidc_no_flow oidc_no_group oidc_refused oidc_replayed oidc_wrong_state " +
		"token_expired token_invalid token_missing token_revoked wrong_key wrong_password"},
	{i18n.Lang.AuditTooOften, "busy queue_full too_many_attempts too_many_streams too_often"},
	{i18n.Lang.AuditConflict, "backfilling conflict ended exists held key_in_use not_ended repeated scheduler_alive stale_config taken"},
	{i18n.Lang.AuditNotConfirmed, "not_confirmed"},
	{i18n.Lang.AuditTestFailed, "test_failed"},
	{i18n.Lang.AuditTooLate, "too_late"},
	{i18n.Lang.AuditUnavailable, "audit_unavailable cloud_unavailable database_unavailable internal no_answer " +
		"oidc_unavailable registry_unavailable settings_unavailable unavailable"},
	{i18n.Lang.AuditRefused, "cloud_off config_unreadable no_database no_history no_schedule no_settings not_go not_scheduled refused"},
}

// AuditOutcomes are the codes of the ends of requests.
func AuditOutcomes() (codes []string) {
	for _, known := range outcomes {
		codes = append(codes, strings.Fields(known.codes)...)
	}
	return codes
}

// OutcomeWords is the word for the end of a request.
func OutcomeWords(outcome string, l i18n.Lang) string {
	for _, known := range outcomes {
		if slices.Contains(strings.Fields(known.codes), outcome) {
			return known.word(l)
		}
	}
	return l.AuditRefused()
}
