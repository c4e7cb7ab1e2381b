package pages

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// newJobRoute is where a job is created.
const newJobRoute = "/jobs/new"

// newJobPage is the editor of a job that is not there yet: empty, or filled with the
// configuration of another one.
func (s *Pages) newJobPage(c *gin.Context) {
	config := jobconfig.New("", 1)
	if from := c.Query("from"); from != "" {
		stored, problem := s.storedConfig(c, from)
		if problem != nil {
			s.Fail(c, problem)
			return
		}
		if stored.Config.Generation == jobconfig.Generation3x {
			config = stored.Config.Clone()
			config.Name = ""
		}
	}
	raw, err := config.Encode()
	if err != nil {
		s.Fail(c, err)
		return
	}
	d := &draft{fresh: true, base: config, baseRaw: raw, mine: config, text: string(raw)}
	s.showEditor(c, http.StatusOK, d, nil, askedView(c, d)...)
}

// previewNewJob answers the form of a new job with the next page. It stores nothing.
func (s *Pages) previewNewJob(c *gin.Context) {
	d, err := readDraft(c, "")
	if err != nil {
		s.Fail(c, err)
		return
	}
	d.fresh = true
	if c.PostForm("go") == "beside" {
		s.configRegion(c, d)
		return
	}
	s.answerDraft(c, d, nil)
}

// createJob stores what was reviewed.
func (s *Pages) createJob(c *gin.Context) {
	d, err := readDraft(c, "")
	if err != nil {
		s.Fail(c, err)
		return
	}
	d.fresh = true
	if d.err != nil || console.Resumed(c) {
		console.Refused(c, "invalid")
		s.answerDraft(c, d, nil)
		return
	}
	_, err = s.CreateJob(c, d.mine, d.class, d.reason)
	switch {
	case err == nil:
		s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).ConfigCreated(d.mine.Name)})
		s.RedirectHere(c, console.JobPath("/jobs", d.mine.Name))
	case len(lifecycle.FieldErrors(err)) > 0:
		console.Refused(c, "invalid")
		d.err = err
		s.showEditor(c, http.StatusUnprocessableEntity, d, nil)
	default:
		s.keepTyped(c, d, s.ConfigProblem(c, d.mine.Name, false, lifecycle.StoredConfig{}, err))
	}
}

// check says what of a draft cannot be taken.
func (s *Pages) check(d *draft) error {
	if d.fresh {
		return errors.Join(d.err, lifecycle.ValidateConfig(d.mine), s.MayChange(jobconfig.New("", 1), d.mine))
	}
	return errors.Join(d.err, lifecycle.ValidateChange(d.base, d.mine), s.MayChange(d.base, d.mine))
}

// at is the address of a page of the draft's editor.
func (d *draft) at(part ...string) string {
	if d.fresh {
		return strings.Join(append([]string{newJobRoute}, part...), "/")
	}
	return console.JobPath("/jobs", d.job, append([]string{"config"}, part...)...)
}

// newJobGroup are the fields that only a new job has.
func newJobGroup(l i18n.Lang, d *draft, wrong map[string]string) jobs.ConfigGroup {
	name := d.mine.Name
	if d.form != nil {
		name = d.form.Get("jobName")
	}
	return jobs.ConfigGroup{ID: "job", Title: l.ConfigGroupJob(), Fields: []jobs.ConfigField{
		{Kind: jobs.FieldText, Name: "jobName", Label: l.ConfigName(), Help: l.ConfigNameHelp(), Value: name, Error: wrong["jobName"], Mono: true},
		{Kind: jobs.FieldText, Name: "class", Label: l.ConfigClass(), Help: l.ConfigClassHelp(), Value: d.class, Mono: true},
	}}
}

// newJobEffects say what a creation does.
func newJobEffects(l i18n.Lang, config *jobconfig.Config) []jobs.EffectRow {
	tone, text := console.EffectWords(l, editor.Effect{Code: editor.ReadersOf(config)})
	return []jobs.EffectRow{
		{Tone: ui.ToneWarn, Text: l.ConfigCreateDown(), Code: "down"},
		{Tone: ui.ToneRun, Text: l.ConfigCreateTaken(), Code: "taken"},
		{Tone: tone, Text: text, Code: "readable"},
	}
}
