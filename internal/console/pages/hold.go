package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// holdChoice is one of what can be held, and how it is said.
type holdChoice struct{ label, note func(i18n.Lang) string }

var holdWords = map[jobrun.Held]holdChoice{
	jobrun.HeldSchedule: {i18n.Lang.HoldSchedule, i18n.Lang.HoldScheduleNote},
	jobrun.HeldRequests: {i18n.Lang.HoldRequests, i18n.Lang.HoldRequestsNote},
	jobrun.HeldAll:      {i18n.Lang.HoldAll, nil},
}

// heldState says in a list that a job is held, by whom and since when; nil if it is not.
func heldState(l i18n.Lang, h jobrun.Hold, now time.Time) *ui.State {
	if !slices.Contains(console.Holds, h.What) {
		return nil
	}
	tone, label := pageui.JobState(l, query.Held)
	short := h.By
	if !h.At.IsZero() { // A stranger's node may not say.
		short = l.HoldByShort(h.By, view.NearTime(l, h.At, now).Text)
	}
	return &ui.State{
		Tone: tone, Label: label, Reason: short,
		Title: view.Clip(pageui.HeldBy(l, h), mostSentence) + "\n" + health.Holds(l, h.What), TestID: "held",
	}
}

// heldTiles is the tile of the jobs that are held, none if none is: it stands beside those
// of their states, in which they are counted as well.
func heldTiles(l i18n.Lang, held int) []overview.Tile {
	if held == 0 {
		return nil
	}
	asked, _ := query.ParseJobsPage(nil)
	tone, label := pageui.JobState(l, query.Held)
	return []overview.Tile{{Label: label, Count: view.Thousands(held), Href: asked.WithState(query.Held).Href(), Tone: tone, TestID: "tile-held"}}
}

// holdChoices are what can be held, of which one is chosen.
func holdChoices(l i18n.Lang, chosen jobrun.Held) (list []jobs.RequestChoice) {
	for _, what := range console.Holds {
		choice := jobs.RequestChoice{Value: string(what), Label: holdWords[what].label(l), Chosen: what == chosen}
		if note := holdWords[what].note; note != nil {
			choice.Text = note(l)
		}
		list = append(list, choice)
	}
	return list
}

// holdPage asks what of a job is to stand still, and why.
func (s requestPages) holdPage(c *gin.Context) { s.askHold(c, http.StatusOK, jobs.HoldProps{}) }

// askHold shows the question, with what was chosen and typed, and what is wrong with it.
func (s requestPages) askHold(c *gin.Context, status int, p jobs.HoldProps) {
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if p.What == "" {
		p.What = jobrun.HeldSchedule
		if job.OneOff {
			p.What = jobrun.HeldRequests
		}
	}
	l := i18n.From(c.Request.Context())
	p.Heading, p.Job, p.JobHref = l.HoldTitle(job.Name), job.Name, console.JobPath("/jobs", job.Name)
	p.Post, p.ReasonMost = console.JobPath("/jobs", job.Name, console.Hold.Verb), strconv.Itoa(console.MaxReason)
	p.Choices = holdChoices(l, p.What)
	p.Effects = []string{l.HoldEffectRuns(), l.HoldEffectPerson(), l.HoldEffectAfter(), l.HoldEffectJava()}
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Curl = s.Curl(c, http.MethodPost, console.JobPath("/api/jobs", job.Name, console.Hold.Verb), nil, `{"what":`+strconv.Quote(string(p.What))+`,"reason":`+strconv.Quote(p.Reason.Value)+`}`)
	s.Render(c, status, jobs.HoldJob(p))
}

// hold is the target of the question's form.
func (s requestPages) hold(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	p := jobs.HoldProps{What: jobrun.Held(c.PostForm("what")), Reason: jobs.RequestField{Value: strings.TrimSpace(c.PostForm("reason"))}}
	if !slices.Contains(console.Holds, p.What) {
		p.WhatError = l.HoldWrongWhat()
	}
	if n := utf8.RuneCountInString(p.Reason.Value); n > console.MaxReason {
		p.Reason.Error = l.HoldWrongReason(strconv.Itoa(n), strconv.Itoa(console.MaxReason))
	}
	if p.WhatError != "" || p.Reason.Error != "" || console.Resumed(c) {
		console.Refused(c, "invalid")
		s.askHold(c, console.FormStatus(c), p)
		return
	}
	s.heldOrNot(c, job, l.HoldDid(job), s.requested().Hold(c, job, p.What, p.Reason.Value))
}

// release is the target of the button that ends a hold.
func (s requestPages) release(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.heldOrNot(c, job, i18n.From(c.Request.Context()).HoldDidRelease(job), s.requested().Release(c, job))
}

// heldOrNot goes to the job, with what became of an action as a message there.
func (s requestPages) heldOrNot(c *gin.Context, job, did string, err error) {
	flash := ui.Flash{Tone: ui.ToneOK, Title: did}
	if err != nil {
		flash = pageui.FailedFlash(s.Console, c, err)
	}
	s.SetFlash(c, flash)
	s.RedirectHere(c, console.JobPath("/jobs", job))
}
