package pages

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
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
	{"POST /views", i18n.Lang.AuditDidSaveView},
	{"POST /views/remove", i18n.Lang.AuditDidRemoveView},
	{"DELETE /views/:area/:name", i18n.Lang.AuditDidRemoveView},
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

// auditActions are the words for actions in their order, each with the first action
// that has them.
func auditActions(l i18n.Lang) (list []ui.Choice) {
	seen := make(map[string]bool)
	for _, known := range auditWords {
		if words := known.words(l); !seen[words] {
			seen[words] = true
			list = append(list, ui.Choice{Value: known.action, Label: words})
		}
	}
	return list
}

// actionsOf are the actions of the words that a reader means.
func actionsOf(l i18n.Lang, meant func(words string) bool) (list []settings.ActionLike) {
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

// detailKey finds where the notes of a record begin: by the names that the console
// gives them, since a reason may be any text.
var detailKey = regexp.MustCompile(`(?:^| )(order|preview|affected|skipped|reason|before|after|changed|shards|instances|account|subject|as|field|err|port|added|present|refused|version_kept|unrecorded_before)=`)

// auditDetail says the notes of a record in words: why, how many, which. What has no
// words stays as it is; what the columns say already is left out.
func auditDetail(l i18n.Lang, detail string) (words, reason string) {
	at := detailKey.FindAllStringSubmatchIndex(detail, -1)
	if len(at) == 0 || at[0][0] != 0 {
		return detail, ""
	}
	notes := make(map[string]string)
	var left []string
	for i, m := range at {
		end := len(detail)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		key, value := detail[m[2]:m[3]], detail[m[1]:end]
		switch key {
		case "reason", "affected", "skipped", "before", "after", "shards", "instances", "account", "changed":
			if _, said := notes[key]; !said {
				notes[key] = value
			}
		case "order", "preview":
		default:
			left = append(left, key+"="+value)
		}
	}
	var parts []string
	add := func(words string) { parts = append(parts, words) }
	if notes["affected"] != "" {
		affected, errA := strconv.Atoi(notes["affected"])
		skipped, errS := strconv.Atoi(notes["skipped"])
		if errA == nil && errS == nil {
			add(l.AuditAffected(affected, skipped))
		}
	}
	if notes["shards"] != "" {
		add(l.AuditShards(notes["shards"]))
	}
	if notes["instances"] != "" {
		add(l.AuditInstances(notes["instances"]))
	}
	if notes["account"] != "" {
		add(l.AuditAs(notes["account"]))
	}
	switch {
	case notes["before"] != "" && notes["after"] != "":
		add(l.AuditRevision(notes["before"], notes["after"]))
	case notes["after"] != "":
		add(l.ConfigVersion(notes["after"]))
	}
	if notes["changed"] != "" {
		add(notes["changed"])
	}
	return strings.Join(append(parts, left...), " · "), notes["reason"]
}
