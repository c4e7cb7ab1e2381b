package pages

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// endingHere says that the caller ends something on a page.
func endingHere(c *gin.Context) cloud.Ending {
	return cloud.Ending{By: console.Caller(c).Name, Reason: "on a page of the console"}
}

// acted goes to a page, with what became of an action as a message there.
func (s cloudPages) acted(c *gin.Context, to, did string, err error) error {
	flash := ui.Flash{Tone: ui.ToneOK, Title: did}
	if err != nil {
		flash = pageui.FailedFlash(s.Console, c, cloudProblem(err))
	}
	s.SetFlash(c, flash)
	s.Redirect(c, to)
	return nil
}

// killPage asks before a run is ended for good.
func (s cloudPages) killPage(c *gin.Context, at *console.Cloud) error {
	return s.askKill(c, at, http.StatusOK)
}

func (s cloudPages) askKill(c *gin.Context, at *console.Cloud, status int) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	run, _, err := at.FindRun(name)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	title := cloudRunTitle(l, run, s.Now())
	p := cloudui.ConfirmProps{
		Head: s.oneHead(c, at, l.CloudKillTitle(title), "runs", l.FrameRuns(), layout.Crumb{Label: title, Href: cloudPath("runs", name)}),
		Post: cloudPath("runs", name, "kill"), Verb: l.CloudKill(), Back: cloudPath("runs", name),
		Effects: []string{l.CloudKillEffect(run.Count), l.CloudKillFinal(), l.CloudKillNext()},
		Curl:    s.Curl(c, http.MethodPost, "/api"+cloudPath("runs", name, "kill"), nil, ""),
	}
	switch {
	case run.Origin == cloud.OriginDaemon:
		p.Refused = l.CloudDaemonNoKill()
	case run.State.Ended():
		p.Refused = l.CloudHasEnded()
	}
	s.Render(c, status, cloudui.Confirm(p))
	return nil
}

func (s cloudPages) kill(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	if !pageui.Confirmed(c) {
		return s.askKill(c, at, console.FormStatus(c))
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	err = at.KillRun(ctx, name, endingHere(c))
	return s.acted(c, cloudPath("runs", name), i18n.From(c.Request.Context()).CloudDidKill(), err)
}

// killShardPage asks before the process of a shard is ended.
func (s cloudPages) killShardPage(c *gin.Context, at *console.Cloud) error {
	return s.askKillShard(c, at, http.StatusOK)
}

func (s cloudPages) askKillShard(c *gin.Context, at *console.Cloud, status int) error {
	a, err := s.shardOf(c, at)
	if err != nil {
		return err
	}
	l, number := i18n.From(c.Request.Context()), strconv.Itoa(a.number)
	back := cloudShardPath(a.run.Name, a.number)
	p := cloudui.ConfirmProps{
		Head: s.oneHead(c, at, l.CloudKillShardTitle(number), "runs", l.FrameRuns(), layout.Crumb{Label: cloudRunTitle(l, a.run, s.Now()), Href: cloudPath("runs", a.run.Name)}),
		Post: cloudShardPath(a.run.Name, a.number, "kill"), Verb: l.CloudKill(), Back: back,
		Effects: []string{l.CloudKillShardEffect(), l.CloudKillShardAgain()},
		Curl:    s.Curl(c, http.MethodPost, "/api"+cloudShardPath(a.run.Name, a.number, "kill"), nil, ""),
	}
	if a.run.Origin == cloud.OriginDaemon {
		p.Effects[1] = l.CloudDaemonKillAgain()
	}
	if a.run.State.Ended() {
		p.Refused = l.CloudHasEnded()
	}
	s.Render(c, status, cloudui.Confirm(p))
	return nil
}

// killShard ends the process of one shard.
func (s cloudPages) killShard(c *gin.Context, at *console.Cloud) error {
	a, err := s.shardOf(c, at)
	if err != nil {
		return err
	}
	if !pageui.Confirmed(c) {
		return s.askKillShard(c, at, console.FormStatus(c))
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	err = at.KillShard(ctx, a.run.Name, a.number, endingHere(c))
	return s.acted(c, cloudShardPath(a.run.Name, a.number), i18n.From(c.Request.Context()).CloudDidKillShard(), err)
}

func (s cloudPages) suspend(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	err = at.SuspendRun(ctx, name, endingHere(c))
	return s.acted(c, cloudPath("runs", name), i18n.From(c.Request.Context()).CloudDidSuspend(), err)
}

func (s cloudPages) resume(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	err = at.ResumeRun(ctx, name)
	return s.acted(c, cloudPath("runs", name), i18n.From(c.Request.Context()).CloudDidResume(), err)
}
