package pages

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// change is a record of the audit in words. The overview, the activity of a job and the audit show
// the same.
type change struct {
	Who, Did, Target string
	// Notes are what else is known, and Reason is in somebody's own words.
	Notes, Reason string
	// Outcome is a word, and Tone its tone.
	Outcome string
	Tone    ui.Tone
}

// changeOf puts a record into words.
func changeOf(l i18n.Lang, r settings.Record) change {
	ch := change{Who: cmp.Or(r.User, l.AuditSignedOut()), Target: strings.ReplaceAll(r.Target, ",", ", "), Outcome: outcomeWord(l, r.Outcome), Tone: ui.ToneWarn}
	ch.Target = strings.Join(strings.Fields(ch.Target), " ")
	notes, text := notesOf(r.Detail)
	action := r.Action
	if verb, ok := strings.CutPrefix(notes["order"], "bulk "); ok { // the action, not to how many
		action = "POST /jobs/:job/" + verb
	}
	ch.Did = cmp.Or(query.ActionWords(action, l), query.ActionWords(r.Action, l), l.AuditDidOther())
	switch r.Action {
	case console.TimedEnable:
		ch.Did = l.AuditDidEnable()
	case console.AuditResumed:
		ch.Did = l.AuditDidResume()
	}
	ch.Notes, ch.Reason = cmp.Or(text, detailWords(l, notes)), cmp.Or(notes["reason"], notes["note"])
	switch r.Outcome {
	case settings.EndedDone:
		ch.Tone = ui.ToneOK
	case settings.OutcomeBegun:
		ch.Tone = ui.ToneRun
	}
	return ch
}

// outcomes are the words for the ends of requests by their codes. Codes that end in
// _unavailable and others have words of their own.
var outcomes = []struct {
	word  func(i18n.Lang) string
	codes string
}{
	{i18n.Lang.AuditDone, settings.EndedDone},
	{i18n.Lang.AuditBegun, settings.OutcomeBegun},
	{i18n.Lang.AuditNotAllowed, "forbidden cross_origin registry_forbidden token_scope address_not_allowed command_changes_off fixed"},
	{i18n.Lang.AuditNotFound, "not_found no_such_data_source no_such_registry no_such_tree no_run no_backfill"},
	{i18n.Lang.AuditInvalid, "invalid malformed params too_large unsupported unpredictable method_not_allowed"},
	{i18n.Lang.AuditNoSignIn, "wrong_password wrong_key token_expired token_invalid token_missing token_revoked oidc_denied oidc_no_flow oidc_no_group oidc_refused oidc_replayed oidc_wrong_state"},
	{i18n.Lang.AuditTooOften, "too_many_attempts too_often queue_full too_many_streams busy"},
	{i18n.Lang.AuditConflict, "conflict stale_config repeated exists taken key_in_use ended not_ended held backfilling scheduler_alive"},
	{i18n.Lang.AuditNotConfirmed, "not_confirmed"},
	{i18n.Lang.AuditTestFailed, "test_failed"},
	{i18n.Lang.AuditTooLate, "too_late"},
	{i18n.Lang.AuditUnavailable, "unavailable internal no_answer"},
}

// outcomeWord returns the word for the end of a request.
func outcomeWord(l i18n.Lang, outcome string) string {
	for _, known := range outcomes {
		if slices.Contains(strings.Fields(known.codes), outcome) {
			return known.word(l)
		}
	}
	if strings.HasSuffix(outcome, "_unavailable") {
		return l.AuditUnavailable()
	}
	return l.AuditRefused()
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
