package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// versionsPage lists the saved configurations of a job, each with what it changed.
func (s *Pages) versionsPage(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	list, err := s.ReadVersions(c, job)
	if err != nil {
		s.Fail(c, err)
		return
	}
	stored, problem := s.storedConfig(c, job)
	if problem != nil && stored.Raw == nil {
		s.Fail(c, problem)
		return
	}
	l := i18n.From(c.Request.Context())
	p := jobs.VersionsProps{
		Frame: s.Frame(c, l.ConfigVersionsTitle(job), console.AreaJobs), Job: job, JobHref: console.JobPath("/jobs", job),
		Tabs: jobTabs(l, job, 0, "config"), Operates: edits(c),
	}
	for i, v := range list {
		row := jobs.VersionRow{
			At: view.DateTime(v.At), User: v.User, Reason: v.Reason, Revision: v.Revision, Current: v.Revision == stored.Revision(),
			Restore: console.JobPath("/jobs", job, "config") + "?version=" + strconv.FormatInt(v.ID, 10),
		}
		if i+1 < len(list) {
			row.Lines = pageui.DiffLines(list[i+1].Document, v.Document)
			row.Changed = strings.Join(changedBetween(list[i+1].Document, v.Document), ", ")
		}
		p.Rows = append(p.Rows, row)
	}
	if len(list) > 0 && list[0].Revision != stored.Revision() {
		p.Elsewhere = l.ConfigVersionsElsewhere(stored.Revision())
	}
	s.Render(c, http.StatusOK, jobs.ConfigVersions(p))
}

// changedBetween names the keys in which two documents differ.
func changedBetween(before, after string) []string {
	a, errA := jobconfig.Decode([]byte(before))
	b, errB := jobconfig.Decode([]byte(after))
	if errA != nil || errB != nil {
		return nil
	}
	return editor.Changed(a, b)
}

// restore fills a draft with an earlier version: what is stored now is the base, and
// so the review says what going back changes.
func (s *Pages) restore(c *gin.Context, d *draft, stored lifecycle.StoredConfig) (ui.Notice, error) {
	l := i18n.From(c.Request.Context())
	list, err := s.ReadVersions(c, d.job)
	if err != nil {
		return ui.Notice{}, err
	}
	i := slices.IndexFunc(list, func(v settings.ConfigVersion) bool { return strconv.FormatInt(v.ID, 10) == c.Query("version") })
	if i < 0 {
		return ui.Notice{Tone: ui.ToneWarn, Heading: l.ConfigVersionMissing(view.Clip(c.Query("version"), 40)), TestID: "version-missing"}, nil
	}
	old, err := jobconfig.Decode([]byte(list[i].Document))
	if err != nil || old.Generation != stored.Config.Generation {
		return ui.Notice{Tone: ui.ToneBad, Heading: l.ConfigVersionUnreadable(), TestID: "version-missing"}, nil
	}
	d.mine = editor.Onto(old, stored.Config)
	if text, err := d.document(); err == nil {
		d.text = string(text)
	}
	return ui.Notice{Tone: ui.ToneRun, Heading: l.ConfigVersionOf(view.DateTime(list[i].At).Text), Text: l.ConfigVersionText(), TestID: "version-restored"}, nil
}
