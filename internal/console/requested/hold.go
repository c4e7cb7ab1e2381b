package requested

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// hold holds the schedule of a job, its requests, or both.
func (s service) hold(c *gin.Context, job string, what jobrun.Held, reason string) error {
	s.Note(c, slog.String("what", string(what)))
	s.noteReason(c, reason)
	_, err := acting(s, c, app.Hold, job, "", func(ctx context.Context, op app.Operator) (any, error) {
		return nil, op.Hold(ctx, job, what, app.RequestedBy(c, ""), reason)
	})
	return err
}

// release ends the hold of a job.
func (s service) release(c *gin.Context, job string) error {
	_, err := acting(s, c, app.Release, job, "", func(ctx context.Context, op app.Operator) (any, error) {
		return nil, op.Release(ctx, job)
	})
	return err
}

func (s rest) postHold(c *gin.Context, job string) error {
	var in api.HoldRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := app.CheckReason(in.Reason); p != nil {
		return p
	}
	if !slices.Contains(app.Holds, in.What) {
		p := app.Problem{Kind: app.KindInvalid, Code: "invalid", Fields: []app.FieldBody{{Field: "what", Value: view.Clip(string(in.What), 60), Want: "schedule, requests, all"}}}
		return p.SaidAs(i18n.Lang.HoldWrongWhat, i18n.Lang.HoldRefusedHint)
	}
	err := s.hold(c, job, in.What, in.Reason)
	return app.Answer(c, app.HoldBody(jobrun.Hold{What: in.What, By: app.Caller(c).Name, At: s.Now(), Reason: in.Reason}), err)
}

func (s rest) postRelease(c *gin.Context, job string) error {
	err := s.release(c, job)
	return app.Answer(c, api.Outcome{Job: job, Affected: []string{job}, Skipped: []api.Skip{}}, err)
}

// holdPage asks which part of a job to hold, and why.
func (s pages) holdPage(c *gin.Context) error { return s.askHold(c, http.StatusOK, jobs.HoldProps{}) }

// askHold shows the question with the values that were typed, and their errors.
func (s pages) askHold(c *gin.Context, status int, p jobs.HoldProps) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	if p.What == "" {
		p.What = jobrun.HeldSchedule
		if job.OneOff {
			p.What = jobrun.HeldRequests
		}
	}
	l := i18n.From(c.Request.Context())
	p.Job, p.Choices = job.Name, pageui.HoldChoices(l, p.What)
	p.Frame = s.Frame(c, l.HoldTitle(job.Name), app.AreaJobs)
	p.Curl = s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", job.Name, app.Hold.Verb), nil, `{"what":`+strconv.Quote(string(p.What))+`,"reason":`+strconv.Quote(p.Reason.Value)+`}`)
	s.Render(c, status, jobs.HoldJob(p))
	return nil
}

// holdFromPage is the target of the question's form.
func (s pages) holdFromPage(c *gin.Context, job string) error {
	l := i18n.From(c.Request.Context())
	p := jobs.HoldProps{What: jobrun.Held(c.PostForm("what")), Reason: ui.Field{Value: strings.TrimSpace(c.PostForm("reason"))}}
	if !slices.Contains(app.Holds, p.What) {
		p.WhatError = l.HoldWrongWhat()
	}
	if n := utf8.RuneCountInString(p.Reason.Value); n > app.MaxReason {
		p.Reason.Error = l.HoldWrongReason(strconv.Itoa(n), strconv.Itoa(app.MaxReason))
	}
	if p.WhatError != "" || p.Reason.Error != "" || app.Resumed(c) {
		app.Refused(c, "invalid")
		return s.askHold(c, app.FormStatus(c), p)
	}
	return pageui.Done(s.Console, c, app.JobPath("/jobs", job), ui.Flash{Title: l.HoldDid(job)}, s.hold(c, job, p.What, p.Reason.Value))
}

// releaseFromPage is the target of the button that ends a hold.
func (s pages) releaseFromPage(c *gin.Context, job string) error {
	return pageui.Done(s.Console, c, app.JobPath("/jobs", job), ui.Flash{Title: i18n.From(c.Request.Context()).HoldDidRelease(job)}, s.release(c, job))
}
