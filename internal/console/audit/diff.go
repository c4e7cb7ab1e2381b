package audit

import (
	"regexp"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	auditpage "github.com/elasticjob-go/elasticjob/web/templates/audit"
)

const (
	// mostDiffs bounds the changes of configurations that a page shows: the newest ones.
	mostDiffs = 25
	// mostDiffLines bounds the lines of each change, and mostFieldText the characters of a value.
	mostDiffLines = 60
	mostFieldText = 200
)

// revisions finds the revisions before and after a change of a configuration. The console writes
// them after the reason, which may be any text, so the last ones count.
var revisions = regexp.MustCompile(`(?s)^order=configure .*\bbefore=([0-9a-f-]+) after=([0-9a-f-]+) changed=`)

// diffs are the changes of configurations by the ids of their records. Secrets are masked for every
// caller, because a list is read over a shoulder.
func (s audit) diffs(c *gin.Context, records []settings.Record) map[int64]*auditpage.Diff {
	var names []settings.VersionAt // before and after, for each id
	var ids []int64
	for _, r := range records {
		m := revisions.FindStringSubmatch(r.Detail)
		configures := query.ActionWords(r.Action, i18n.English) == i18n.English.AuditDidConfigure()
		if m != nil && configures && r.Outcome == settings.EndedDone && len(ids) < mostDiffs {
			before := settings.VersionAt{Registry: r.Registry, Job: r.Target, Revision: m[1]}
			after := before
			after.Revision = m[2]
			ids, names = append(ids, r.ID), append(names, before, after)
		}
	}
	list, err := app.VersionsAt(s.Console, c, names)
	if err != nil { // the records are shown without their changes
		s.LogFailure(c, app.AsProblem(err))
		return nil
	}
	kept := make(map[settings.VersionAt]string)
	for _, v := range slices.Backward(list) { // the newest version of a name stays
		kept[settings.VersionAt{Registry: v.Registry, Job: v.Job, Revision: v.Revision}] = v.Document
	}
	diffs := make(map[int64]*auditpage.Diff)
	for i, id := range ids {
		before, hasBefore := kept[names[2*i]]
		after, hasAfter := kept[names[2*i+1]]
		if hasBefore && hasAfter {
			diffs[id] = diffOf([]byte(before), []byte(after))
		}
	}
	return diffs
}

// diffOf compares two documents, with secrets masked.
func diffOf(before, after []byte) *auditpage.Diff {
	d := &auditpage.Diff{Lines: pageui.DiffLines(app.ConfigText(before, false), app.ConfigText(after, false))}
	a, errA := jobconfig.Decode(before)
	b, errB := jobconfig.Decode(after)
	if errA == nil && errB == nil {
		d.Fields = editor.Changes(a, b, app.MaskedConfig)
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		f.Before, f.After = view.Clip(f.Before, mostFieldText), view.Clip(f.After, mostFieldText)
	}
	if len(d.Lines) > mostDiffLines {
		d.Lines, d.More = d.Lines[:mostDiffLines], len(d.Lines)-mostDiffLines
	}
	for i := range d.Lines {
		d.Lines[i].Text = view.Clip(d.Lines[i].Text, mostFieldText)
	}
	return d
}
