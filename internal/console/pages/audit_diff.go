package pages

import (
	"regexp"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/web/templates/audit"
)

const (
	// mostDiffs bounds the changes of configurations whose values a page of the audit
	// shows: the newest of it.
	mostDiffs = 25
	// mostDiffLines bounds the lines of each, and mostFieldText the characters of a value.
	mostDiffLines = 60
	mostFieldText = 200
)

// revisions finds what a change of a configuration led from and to. The console writes
// them after the reason, which may be any text: the last ones count.
var revisions = regexp.MustCompile(`(?s)^order=configure .*\bbefore=([0-9a-f-]+) after=([0-9a-f-]+) changed=`)

// configChange names the two versions of a record about a change of a configuration.
func configChange(r settings.Record) (before, after settings.VersionAt, ok bool) {
	m := revisions.FindStringSubmatch(r.Detail)
	if m == nil || r.Outcome != settings.EndedDone || query.ActionWords(r.Action, i18n.English) != i18n.English.AuditDidConfigure() {
		return before, after, false
	}
	return settings.VersionAt{Registry: r.Registry, Job: r.Target, Revision: m[1]}, settings.VersionAt{Registry: r.Registry, Job: r.Target, Revision: m[2]}, true
}

// auditDiffs are what the records changed in configurations, by their ids. Secrets are
// masked for everybody: a list is read over a shoulder.
func auditDiffs(s *Pages, c *gin.Context, records []settings.Record) map[int64]audit.Diff {
	var names []settings.VersionAt
	asked := make(map[int64][2]settings.VersionAt)
	for _, r := range records {
		if before, after, ok := configChange(r); ok && len(asked) < mostDiffs {
			asked[r.ID] = [2]settings.VersionAt{before, after}
			names = append(names, before, after)
		}
	}
	list, err := console.VersionsAt(s.Console, c, names)
	if err != nil { // the records say what they say without it
		s.LogFailure(c, console.AsProblem(err))
		return nil
	}
	kept := make(map[settings.VersionAt]string)
	for _, v := range slices.Backward(list) { // the newest of a name stays
		kept[settings.VersionAt{Registry: v.Registry, Job: v.Job, Revision: v.Revision}] = v.Document
	}
	diffs := make(map[int64]audit.Diff)
	for id, at := range asked {
		before, okB := kept[at[0]]
		after, okA := kept[at[1]]
		if okB && okA {
			diffs[id] = auditDiff(before, after)
		}
	}
	return diffs
}

// auditDiff is what changed between two documents, with secrets masked.
func auditDiff(before, after string) audit.Diff {
	var d audit.Diff
	a, errA := jobconfig.Decode([]byte(before))
	b, errB := jobconfig.Decode([]byte(after))
	if errA == nil && errB == nil {
		for _, change := range editor.Changes(a, b, console.MaskedConfig) {
			d.Fields = append(d.Fields, audit.Field{Name: change.Key, Before: view.Clip(change.Before, mostFieldText), After: view.Clip(change.After, mostFieldText)})
		}
	}
	d.Lines = pageui.DiffLines(console.ConfigText([]byte(before), false), console.ConfigText([]byte(after), false))
	if len(d.Lines) > mostDiffLines {
		d.Lines, d.More = d.Lines[:mostDiffLines], len(d.Lines)-mostDiffLines
	}
	for i := range d.Lines {
		d.Lines[i].Text = view.Clip(d.Lines[i].Text, mostFieldText)
	}
	return d
}
