package pages

import (
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// auditWords are what a recorded request did, by its method and the end of its
// route; the longest end that fits wins. Pages and the REST interface share them.
var auditWords = []struct {
	action string
	words  func(i18n.Lang) string
}{
	{"POST /login", i18n.Lang.AuditDidSignIn},
	{"GET /login/oidc/callback", i18n.Lang.AuditDidSignIn},
	{"POST /logout", i18n.Lang.AuditDidSignOut},
	{"POST /refresh", i18n.Lang.AuditDidRefresh},
	{"POST /trigger", i18n.Lang.AuditDidTrigger},
	{"POST /rerun", i18n.Lang.AuditDidTrigger},
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
}

// auditAction says in words what a request did; empty for one without words.
func auditAction(action string, l i18n.Lang) string {
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
