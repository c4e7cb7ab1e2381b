package ui

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/audit"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ChangeOf puts a record of the audit into words. The overview, the activity of a job and the audit
// show the same.
func ChangeOf(l i18n.Lang, r settings.Record) audit.Change {
	notes, text := notesOf(r.Detail)
	action := r.Action
	if verb, ok := strings.CutPrefix(notes["order"], "bulk "); ok { // the action, not to how many
		action = "POST /jobs/:job/" + verb
	}
	ch := audit.Change{
		Record: r, Targets: strings.Join(strings.Fields(strings.ReplaceAll(r.Target, ",", ", ")), " "),
		Did:   cmp.Or(query.ActionWords(action, l), query.ActionWords(r.Action, l), l.AuditDidOther()),
		Notes: cmp.Or(text, detailWords(l, notes)), Reason: cmp.Or(notes["reason"], notes["note"]),
		End: query.OutcomeWords(r.Outcome, l), Tone: ui.ToneWarn,
	}
	switch r.Action {
	case app.TimedEnable:
		ch.Did = l.AuditDidEnable()
	case app.AuditResumed:
		ch.Did = l.AuditDidResume()
	}
	switch r.Outcome {
	case settings.EndedDone:
		ch.Tone = ui.ToneOK
	case settings.OutcomeBegun:
		ch.Tone = ui.ToneRun
	}
	return ch
}

// detailKey finds the notes of a record by the names that the console gives them, because a reason may
// be any text.
var detailKey = regexp.MustCompile(`(?:^| )(via|order|preview|affected|skipped|reason|before|after|changed|shards|instances|account|subject|as|field|fields|err|port|added|present|` +
	`refused|version_kept|unrecorded_before|in_the_log_only|params_bytes|params_keys|note|parent|run|again|repeated|requests|created|runs|cancelled_runs|backfill|from|to|label|what|` +
	`running|job|dry_run|shared|due|late|persistent|force|offline|role|scope|days)=`)

// notesOf returns the notes of a record by name; of several with a name, the first. A text without
// names is returned as it is.
func notesOf(detail string) (notes map[string]string, text string) {
	at := detailKey.FindAllStringSubmatchIndex(detail, -1)
	if len(at) == 0 || at[0][0] != 0 {
		return nil, detail
	}
	notes = make(map[string]string)
	for i, m := range at {
		end := len(detail)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		if key := detail[m[2]:m[3]]; notes[key] == "" {
			notes[key] = detail[m[1]:end]
		}
	}
	return notes, ""
}

// detailWords puts the notes of a record into words. Notes that other columns show, or that mean
// nothing to people, are left out.
func detailWords(l i18n.Lang, notes map[string]string) string {
	var parts []string
	text := func(word func(i18n.Lang, string) string, key string) {
		if value := strings.Trim(notes[key], "[]"); value != "" {
			list := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
			parts = append(parts, word(l, strings.Join(list, ", ")))
		}
	}
	count := func(word func(i18n.Lang, int) string, key string) {
		if n, err := strconv.Atoi(notes[key]); err == nil && n > 0 {
			parts = append(parts, word(l, n))
		}
	}
	flag := func(word func(i18n.Lang) string, key, value string) {
		if notes[key] == value {
			parts = append(parts, word(l))
		}
	}
	text(i18n.Lang.AuditVia, "via")
	if affected, err := strconv.Atoi(notes["affected"]); err == nil {
		skipped, _ := strconv.Atoi(notes["skipped"])
		parts = append(parts, l.AuditAffected(affected, skipped))
	}
	count(i18n.Lang.AuditNRefused, "refused")
	count(i18n.Lang.AuditNCreated, "created")
	count(i18n.Lang.AuditNAdded, "added")
	count(i18n.Lang.AuditNPresent, "present")
	count(i18n.Lang.AuditNRuns, "runs")
	count(i18n.Lang.AuditNCancelled, "cancelled_runs")
	text(i18n.Lang.AuditShards, "shards")
	text(i18n.Lang.AuditInstances, "instances")
	text(i18n.Lang.AuditAs, "account")
	text(i18n.Lang.AuditAs, "as")
	text(i18n.Lang.AuditLabel, "label")
	switch {
	case notes["before"] != "" && notes["after"] != "":
		parts = append(parts, l.AuditRevision(notes["before"], notes["after"]))
	case notes["after"] != "":
		parts = append(parts, l.ConfigVersion(notes["after"]))
	}
	if notes["from"] != "" && notes["to"] != "" {
		parts = append(parts, l.AuditSpan(notes["from"], notes["to"]))
	}
	count(i18n.Lang.AuditParams, "params_bytes")
	text(i18n.Lang.AuditParamsOf, "params_keys")
	text(i18n.Lang.AuditRun, "run")
	text(i18n.Lang.AuditRun, "again")
	text(i18n.Lang.AuditParent, "parent")
	text(i18n.Lang.ActivityChanged, "changed")
	text(i18n.Lang.AuditField, "field")
	text(i18n.Lang.AuditField, "fields")
	text(i18n.Lang.AuditDue, "due")
	text(i18n.Lang.AuditLate, "late")
	flag(i18n.Lang.AuditPersistent, "persistent", "true")
	flag(i18n.Lang.AuditForce, "force", "true")
	flag(i18n.Lang.AuditDryRun, "dry_run", "true")
	flag(i18n.Lang.AuditRepeated, "repeated", "true")
	flag(i18n.Lang.AuditVersionLost, "version_kept", "false")
	count(i18n.Lang.AuditUnrecorded, "unrecorded_before")
	count(i18n.Lang.AuditLogOnly, "in_the_log_only")
	if notes["err"] != "" {
		parts = append(parts, notes["err"])
	}
	return strings.Join(parts, " · ")
}
