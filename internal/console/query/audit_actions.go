package query

import (
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// auditWord is what an action is called.
type auditWord struct {
	action string
	words  func(i18n.Lang) string
}

// auditWords are what a recorded request did, by its method and the end of its
// route; the longest end that fits wins. Pages and the REST interface share them.
var auditWords = []auditWord{
	{"POST /login", i18n.Lang.AuditDidSignIn},
	{"GET /login/oidc/callback", i18n.Lang.AuditDidSignIn},
	{"POST /logout", i18n.Lang.AuditDidSignOut},
	{"POST /refresh", i18n.Lang.AuditDidRefresh},
	{"POST /trigger", i18n.Lang.AuditDidTrigger},
	{"POST /rerun", i18n.Lang.AuditDidTrigger},
	{"POST /requested-runs", i18n.Lang.AuditDidRequest},
	{"POST /cloud/apps", i18n.Lang.AuditDidAddApp},
	{"POST /cloud/add-app", i18n.Lang.AuditDidAddApp},
	{"PUT /cloud/apps/:app", i18n.Lang.AuditDidChangeApp},
	{"POST /cloud/apps/:app/edit", i18n.Lang.AuditDidChangeApp},
	{"DELETE /cloud/apps/:app", i18n.Lang.AuditDidDeleteApp},
	{"POST /cloud/apps/:app/remove", i18n.Lang.AuditDidDeleteApp},
	{"POST /cloud/jobs", i18n.Lang.AuditDidCreate},
	{"POST /cloud/apply", i18n.Lang.AuditDidConfigure},
	{"POST /cloud/import", i18n.Lang.AuditDidConfigure},
	{"POST /cloud/add-job", i18n.Lang.AuditDidCreate},
	{"PUT /cloud/jobs/:job", i18n.Lang.AuditDidConfigure},
	{"POST /cloud/jobs/:job/edit", i18n.Lang.AuditDidConfigure},
	{"DELETE /cloud/jobs/:job", i18n.Lang.AuditDidDeleteJob},
	{"POST /cloud/runs/:run/suspend", i18n.Lang.AuditDidSuspendRun},
	{"POST /cloud/runs/:run/resume", i18n.Lang.AuditDidResumeRun},
	{"POST /cloud/runs/:run/kill", i18n.Lang.AuditDidKillRun},
	{"POST /cloud/runs/:run/items/:item/kill", i18n.Lang.AuditDidKillShard},
	{"POST /api/app", i18n.Lang.AuditDidAddApp},
	{"POST /api/app/register", i18n.Lang.AuditDidAddApp},
	{"PUT /api/app", i18n.Lang.AuditDidChangeApp},
	{"POST /api/app/update", i18n.Lang.AuditDidChangeApp},
	{"DELETE /api/app/:app", i18n.Lang.AuditDidDeleteApp},
	{"POST /api/job/register", i18n.Lang.AuditDidCreate},
	{"PUT /api/job/update", i18n.Lang.AuditDidConfigure},
	{"POST /api/job/update", i18n.Lang.AuditDidConfigure},
	{"DELETE /deregister", i18n.Lang.AuditDidDeleteJob},
	{"POST /reconcile/explicit", i18n.Lang.AuditDidReconcile},
	{"POST /reconcile/implicit", i18n.Lang.AuditDidReconcile},
	{"POST /requested-runs/batch", i18n.Lang.AuditDidRequestMany},
	{"DELETE /requested-runs", i18n.Lang.AuditDidCancelWaiting},
	{"POST /requested-runs/:request/again", i18n.Lang.AuditDidRequest},
	{"POST /requested-runs/:request/cancel", i18n.Lang.AuditDidCancelRun},
	{"POST /requested-runs/:request/start", i18n.Lang.AuditDidStartRun},
	{"POST /backfill", i18n.Lang.AuditDidBackfill},
	{"POST /:backfill/cancel", i18n.Lang.AuditDidCancelBackfill},
	{"POST /hold", i18n.Lang.AuditDidHold},
	{"POST /losses/acknowledge", i18n.Lang.AuditDidAcknowledge},
	{"POST /release", i18n.Lang.AuditDidRelease},
	{"POST /disable", i18n.Lang.AuditDidDisable},
	{"DELETE /disable", i18n.Lang.AuditDidEnable},
	{"POST /enable", i18n.Lang.AuditDidEnable},
	{"POST /shutdown", i18n.Lang.AuditDidStop},
	{"PUT /shutdown", i18n.Lang.AuditDidStop},
	{"POST /jobs/:job/remove", i18n.Lang.AuditDidDeleteJob},
	{"DELETE /jobs/config/:job", i18n.Lang.AuditDidDeleteJob},
	{"PUT /jobs/config", i18n.Lang.AuditDidConfigure},
	{"POST /jobs/:job/config", i18n.Lang.AuditDidConfigure},
	{"POST /jobs/config", i18n.Lang.AuditDidCreate},
	{"POST /jobs/new", i18n.Lang.AuditDidCreate},
	{"POST /new/preview", i18n.Lang.AuditDidPreview},
	{"POST /config/preview", i18n.Lang.AuditDidPreview},
	{"POST /shards/disable", i18n.Lang.AuditDidDisableShard},
	{"POST /shards/enable", i18n.Lang.AuditDidEnableShard},
	{"POST /sharding/:item/disable", i18n.Lang.AuditDidDisableShard},
	{"DELETE /sharding/:item/disable", i18n.Lang.AuditDidEnableShard},
	{"POST /sharding/:item/enable", i18n.Lang.AuditDidEnableShard},
	{"DELETE /sharding/:item/running", i18n.Lang.AuditDidClearRunning},
	{"DELETE /servers/:ip", i18n.Lang.AuditDidRemoveServer},
	{"DELETE /servers/:ip/jobs/:job", i18n.Lang.AuditDidRemoveServer},
	{"POST /servers/cleanup", i18n.Lang.AuditDidRemoveServer},
	{"POST /servers/:ip/remove", i18n.Lang.AuditDidRemoveServer},
	{"POST /servers/:ip/jobs/:job/remove", i18n.Lang.AuditDidRemoveServer},
	{"POST /dump", i18n.Lang.AuditDidDump},
	{"POST /bulk", i18n.Lang.AuditDidBulk},
	{"POST /jobs/bulk/:id/undo", i18n.Lang.AuditDidUndo},
	{"POST /stay-disabled", i18n.Lang.AuditDidStayDisabled},
	{"POST /registries", i18n.Lang.AuditDidAddRegistry},
	{"POST /api/registry-center", i18n.Lang.AuditDidAddRegistry},
	{"POST /api/registry-center/add", i18n.Lang.AuditDidAddRegistry},
	{"POST /api/registry-center/connectTest", i18n.Lang.AuditDidTestRegistry},
	{"POST /api/registry-center/connect", i18n.Lang.AuditDidOpenRegistry},
	{"PUT /api/registry-center/:name", i18n.Lang.AuditDidChangeRegistry},
	{"DELETE /api/registry-center", i18n.Lang.AuditDidRemoveRegistry},
	{"DELETE /api/registry-center/:name", i18n.Lang.AuditDidRemoveRegistry},
	{"POST /registries/test", i18n.Lang.AuditDidTestRegistry},
	{"POST /registries/:name/test", i18n.Lang.AuditDidTestRegistry},
	{"POST /registries/:name/edit", i18n.Lang.AuditDidChangeRegistry},
	{"POST /registries/:name/remove", i18n.Lang.AuditDidRemoveRegistry},
	{"POST /sources", i18n.Lang.AuditDidAddSource},
	{"POST /sources/test", i18n.Lang.AuditDidTestSource},
	{"POST /sources/:name/test", i18n.Lang.AuditDidTestSource},
	{"POST /sources/:name/edit", i18n.Lang.AuditDidChangeSource},
	{"POST /sources/:name/remove", i18n.Lang.AuditDidRemoveSource},
	{"POST /data-source", i18n.Lang.AuditDidAddSource},
	{"POST /data-source/add", i18n.Lang.AuditDidAddSource},
	{"POST /data-source/connectTest", i18n.Lang.AuditDidTestSource},
	{"POST /data-source/connect", i18n.Lang.AuditDidOpenSource},
	{"PUT /data-source/:name", i18n.Lang.AuditDidChangeSource},
	{"DELETE /data-source", i18n.Lang.AuditDidRemoveSource},
	{"DELETE /data-source/:name", i18n.Lang.AuditDidRemoveSource},
	{"POST /import", i18n.Lang.AuditDidImport},
	{"POST /tokens", i18n.Lang.AuditDidCreateToken},
	{"POST /tokens/:token/revoke", i18n.Lang.AuditDidRevokeToken},
	{"DELETE /tokens/:token", i18n.Lang.AuditDidRevokeToken},
	{"POST /views", i18n.Lang.AuditDidSaveView},
	{"POST /views/remove", i18n.Lang.AuditDidRemoveView},
	{"DELETE /views/:area/:name", i18n.Lang.AuditDidRemoveView},
}

// ActionWords says in words what a request did; empty for one without words.
func ActionWords(action string, l i18n.Lang) string {
	method, route, _ := strings.Cut(action, " ")
	words, longest := "", 0
	for _, known := range auditWords {
		verb, end, _ := strings.Cut(known.action, " ")
		if verb == method && strings.HasSuffix(route, end) && len(end) > longest {
			words, longest = known.words(l), len(end)
		}
	}
	return words
}

// AuditAction is an action with its words.
type AuditAction struct{ Action, Words string }

// AuditActions are the words for actions in their order, each with the first action
// that has them.
func AuditActions(l i18n.Lang) (list []AuditAction) {
	seen := make(map[string]bool)
	for _, known := range auditWords {
		if words := known.words(l); !seen[words] {
			seen[words] = true
			list = append(list, AuditAction{known.action, words})
		}
	}
	return list
}

// ActionsOf are the actions of the words that a reader means.
func ActionsOf(l i18n.Lang, meant func(words string) bool) (list []settings.ActionLike) {
	for _, known := range auditWords {
		if !meant(known.words(l)) {
			continue
		}
		method, end, _ := strings.Cut(known.action, " ")
		like := settings.ActionLike{Method: method, End: end}
		for _, other := range auditWords {
			verb, longer, _ := strings.Cut(other.action, " ")
			if verb == method && len(longer) > len(end) && strings.HasSuffix(longer, end) && other.words(l) != known.words(l) {
				like.But = append(like.But, longer)
			}
		}
		list = append(list, like)
	}
	return list
}

// actionsNamed are the actions that a name asks for: one of the table stands for all
// with its words, and one as it is recorded for itself. None: there is no such action.
func actionsNamed(name string) []settings.ActionLike {
	if i := slices.IndexFunc(auditWords, func(w auditWord) bool { return w.action == name }); i >= 0 {
		words := auditWords[i].words(i18n.English)
		return ActionsOf(i18n.English, func(other string) bool { return other == words })
	}
	if method, route, _ := strings.Cut(name, " "); ActionWords(name, i18n.English) != "" {
		return []settings.ActionLike{{Method: method, End: route}}
	}
	return nil
}
