package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// showReview shows what a draft would change, what happens then, and the request
// that does it.
func (s *Pages) showReview(c *gin.Context, status int, d *draft, notices []ui.Notice) {
	l := i18n.From(c.Request.Context())
	text, err := d.document()
	if err != nil {
		d.err = err
		s.showEditor(c, http.StatusUnprocessableEntity, d, notices)
		return
	}
	p := jobs.ReviewProps{
		Frame: s.Frame(c, l.ConfigReviewTitle(d.job), console.AreaJobs), Heading: l.ConfigReviewTitle(d.job), Job: d.job,
		JobHref: console.JobPath("/jobs", d.job), Notices: notices, Preview: previewOf(s, c, d, string(text)),
		Hidden: d.hidden(true), Action: d.at(), Edit: d.at("preview"), Save: l.ConfigSave(), Reason: d.reason,
	}
	if d.fresh {
		p.Frame.Title, p.Heading, p.JobHref, p.Save = l.ConfigNew(), l.ConfigNew(), "", l.ConfigCreate()
	}
	s.Render(c, status, jobs.ConfigReview(p))
}

// previewOf is what a draft would do as the text that would be stored.
func previewOf(s *Pages, c *gin.Context, d *draft, text string) jobs.Preview {
	l := i18n.From(c.Request.Context())
	if d.fresh {
		return jobs.Preview{Fresh: true, Lines: pageui.DiffLines("", text), Effects: newJobEffects(l, d.mine), Curl: s.createCurl(c, d)}
	}
	p := jobs.Preview{Nothing: d.mine.Equal(d.base)}
	if p.Nothing {
		return p
	}
	p.Lines, p.Curl = pageui.DiffLines(string(d.baseRaw), text), s.configCurl(c, d)
	for _, e := range editor.Effects(d.base, d.mine, s.EffectFacts(c, d.job, d.base, d.mine)) {
		tone, text := console.EffectWords(l, e)
		p.Effects = append(p.Effects, jobs.EffectRow{Tone: tone, Text: text, Code: string(e.Code)})
	}
	return p
}

// configCurl is the request that makes the same change: what the body does not name
// stays as it is.
func (s *Pages) configCurl(c *gin.Context, d *draft) string {
	before, after := editor.BodyOf(d.base), editor.BodyOf(d.mine)
	change := editor.Body{"jobName": d.mine.Name}
	for key, value := range after {
		a, errA := json.Marshal(before[key])
		b, errB := json.Marshal(value)
		if errA != nil || errB != nil || string(a) != string(b) {
			change[key] = value
		}
	}
	body, err := json.Marshal(change)
	if err != nil {
		return ""
	}
	command := s.Curl(c, http.MethodPut, "/api/jobs/config", nil, string(body))
	head, rest, _ := strings.Cut(command, " \\\n")
	return head + " \\\n" + `  -H 'If-Match: "` + d.revision + `"'` + " \\\n" + rest
}

// showConflict asks which of two changes is meant.
func (s *Pages) showConflict(c *gin.Context, status int, d *draft, stored lifecycle.StoredConfig, conflicts []editor.Conflict) {
	l := i18n.From(c.Request.Context())
	p := jobs.ConflictProps{
		Frame: s.Frame(c, l.ConfigConflictTitle(d.job), console.AreaJobs), Job: d.job, JobHref: console.JobPath("/jobs", d.job),
		Text: l.ConfigConflict(s.savedBy(c, d.job, stored.Revision())), Action: console.JobPath("/jobs", d.job, "config", "preview"), Discard: console.JobPath("/jobs", d.job),
		Hidden: append(d.hidden(true), jobs.Hidden{Name: "theirs", Value: stored.Revision()}, jobs.Hidden{Name: "reason", Value: d.reason}),
	}
	for _, conflict := range conflicts {
		p.Rows = append(p.Rows, jobs.ConflictRow{Key: conflict.Key, Base: conflict.Base, Mine: conflict.Mine, Theirs: conflict.Theirs})
	}
	slices.SortFunc(p.Rows, func(a, b jobs.ConflictRow) int { return strings.Compare(a.Key, b.Key) })
	s.Render(c, status, jobs.ConfigConflict(p))
}

// createCurl is the request that creates the job.
func (s *Pages) createCurl(c *gin.Context, d *draft) string {
	body, err := json.Marshal(editor.BodyOf(d.mine))
	if err != nil {
		return ""
	}
	query := url.Values{}
	if d.class != "" {
		query.Set("class", d.class)
	}
	return s.Curl(c, http.MethodPost, "/api/jobs/config", query, string(body))
}
