package pages

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// detailKey finds where the notes of a record begin: by the names that the console
// gives them, since a reason may be any text.
var detailKey = regexp.MustCompile(`(?:^| )(via|order|preview|affected|skipped|reason|before|after|changed|shards|instances|account|subject|as|field|err|port|added|present|refused|version_kept|unrecorded_before|params_bytes|params_keys|note|parent|run|repeated)=`)

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
		case "via", "reason", "affected", "skipped", "before", "after", "shards", "instances", "account", "changed", "params_bytes", "params_keys", "note", "run":
			if _, said := notes[key]; !said {
				notes[key] = value
			}
		case "order", "preview":
		default:
			if key != "refused" || value != "0" {
				left = append(left, key+"="+value)
			}
		}
	}
	var parts []string
	add := func(words string) { parts = append(parts, words) }
	if notes["via"] != "" {
		add(l.AuditVia(notes["via"]))
	}
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
	parts = append(parts, requestNotes(l, notes)...)
	if keys := strings.Trim(notes["changed"], "[]"); keys != "" {
		add(l.ActivityChanged(strings.ReplaceAll(keys, " ", ", ")))
	}
	return strings.Join(append(parts, left...), " · "), cmp.Or(notes["reason"], notes["note"])
}

// requestNotes are those of a run that was requested: its parameters by size and key.
func requestNotes(l i18n.Lang, notes map[string]string) (parts []string) {
	if n, err := strconv.Atoi(notes["params_bytes"]); err == nil && n > 0 {
		parts = append(parts, l.AuditParams(n))
	}
	if keys := notes["params_keys"]; keys != "" {
		parts = append(parts, l.AuditParamsOf(strings.ReplaceAll(keys, ",", ", ")))
	}
	if id := notes["run"]; id != "" {
		parts = append(parts, l.AuditRun(id))
	}
	return parts
}
