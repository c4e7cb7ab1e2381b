package pages

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// triggerForm is what was typed.
type triggerForm struct {
	params, shards           string
	paramsError, shardsError string
	ignored                  []string // what the address says in vain
}

// mostShardsText is how much of an address is taken for the shards of the form.
const mostShardsText = 400

// triggerPage asks for the parameters and the shards of a run.
func (s cloudPages) triggerPage(c *gin.Context, at *console.Cloud) error {
	f := triggerForm{shards: view.Clip(c.Query("shards"), mostShardsText)}
	if new(jobtree.RunShards).UnmarshalText([]byte(f.shards)) != nil && f.shards != "" {
		f.ignored = []string{i18n.From(c.Request.Context()).AddressUnknown("shards", strconv.Quote(view.Clip(f.shards, 40)), "0,2-5")}
		f.shards = ""
	}
	return s.askTrigger(c, at, http.StatusOK, f)
}

func (s cloudPages) askTrigger(c *gin.Context, at *console.Cloud, status int, f triggerForm) error {
	j, err := s.readJob(c, at)
	if err != nil {
		return err
	}
	if j.daemon() {
		return fmt.Errorf("job %q is a DAEMON job, which has no requested runs: %w", j.Job.Name, cloud.ErrRefused)
	}
	l, name := i18n.From(c.Request.Context()), j.Job.Name
	p := cloudui.TriggerProps{
		Head: s.oneHead(c, at, l.CloudTriggerTitle(name), "jobs", l.FrameJobs(), layout.Crumb{Label: name, Href: cloudPath("jobs", name), Mono: true}),
		Post: cloudPath("jobs", name, "trigger"), Back: cloudPath("jobs", name), Params: f.params, ParamsError: f.paramsError, Shards: f.shards, ShardsError: f.shardsError,
		Last: strconv.Itoa(j.Job.Shards - 1), Effects: []string{l.CloudTriggerEffect(), l.CloudTriggerWaits(), l.CloudTriggerEnv()},
	}
	p.Head.Frame.Ignored = append(p.Head.Frame.Ignored, f.ignored...)
	body := "{}"
	if f.params != "" && json.Valid([]byte(f.params)) {
		body = `{"parameters":` + f.params + `}`
	}
	p.Curl = s.Curl(c, http.MethodPost, "/api"+cloudPath("jobs", name, "trigger"), nil, body)
	s.Render(c, status, cloudui.Trigger(p))
	return nil
}

// trigger is the target of the form.
func (s cloudPages) trigger(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	f := triggerForm{params: strings.TrimSpace(c.PostForm("params")), shards: strings.TrimSpace(c.PostForm("shards"))}
	r := cloud.Request{Key: rand.Text(), Asked: s.Now(), By: console.Caller(c).Name}
	if f.params != "" {
		r.Parameters = json.RawMessage(f.params)
		var object map[string]json.RawMessage
		if json.Unmarshal(r.Parameters, &object) != nil {
			f.paramsError = l.CloudWrongParams()
		}
	}
	if f.shards != "" {
		var some jobtree.RunShards
		if some.UnmarshalText([]byte(f.shards)) != nil {
			f.shardsError = l.CloudWrongShards()
		}
		r.Shards = some
	}
	if f.paramsError+f.shardsError != "" || console.Resumed(c) {
		console.Refused(c, "invalid")
		return s.askTrigger(c, at, console.FormStatus(c), f)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	run, err := at.Trigger(ctx, name, r)
	if wrong := lifecycle.FieldErrors(err); len(wrong) > 0 {
		for _, field := range wrong {
			if field.Field == "shards" {
				f.shardsError = l.CloudWrongShards()
			} else {
				f.paramsError = l.CloudWrongParams()
			}
		}
		console.Refused(c, "invalid")
		return s.askTrigger(c, at, http.StatusUnprocessableEntity, f)
	}
	if err == nil {
		s.Note(c, slog.String("run", run))
	}
	return s.acted(c, cloudPath("jobs", name), l.CloudDidTrigger(run), err)
}

func (s cloudPages) disableJobPage(c *gin.Context, at *console.Cloud) error {
	return s.askDisable(c, at, http.StatusOK, "jobs", "job")
}

func (s cloudPages) disableAppPage(c *gin.Context, at *console.Cloud) error {
	return s.askDisable(c, at, http.StatusOK, "apps", "app")
}

// usualWay is what becomes of runs that go on unless somebody chooses: what upstream does.
const usualWay = "kill"

// askDisable asks what becomes of the runs that go on.
func (s cloudPages) askDisable(c *gin.Context, at *console.Cloud, status int, part, what string) error {
	name, h, err := s.named(c, at, part, what, i18n.Lang.CloudDisableTitle)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	p := cloudui.ConfirmProps{
		Head: h, Post: cloudPath(part, name, "disable"), Verb: l.CloudDisable(), Back: cloudPath(part, name), ChoicesTitle: l.CloudDisableRuns(),
		Effects: []string{l.CloudDisableJob(), l.CloudDisablePending(), l.CloudDisableNothing()},
		Curl:    s.Curl(c, http.MethodPost, "/api"+cloudPath(part, name, "disable")+"?running="+usualWay, nil, ""),
	}
	ways := console.CloudWays
	switch {
	case part == "apps":
		p.Effects[0] = l.CloudDisableApp(len(at.JobsOf(name)))
	case isDaemon(at, name):
		p.Effects, ways = []string{l.CloudDaemonDisable(), l.CloudDisableNothing()}, []string{usualWay}
	}
	words := map[string][2]string{"kill": {l.CloudWayKill(), l.CloudWayKillText()}, "suspend": {l.CloudWaySuspend(), l.CloudWaySuspendText()}, "finish": {l.CloudWayFinish(), l.CloudWayFinishText()}}
	for _, way := range ways {
		one := cloudui.Choice{Value: way, Label: words[way][0], Text: words[way][1], Chosen: way == usualWay}
		if way == "suspend" && !at.Engine.Capabilities().Suspend {
			one.Off = l.CloudCannotSuspend()
		}
		p.Choices = append(p.Choices, one)
	}
	s.Render(c, status, cloudui.Confirm(p))
	return nil
}

// named is the app or the job of an address, which must be there, with the head of a
// question about it.
func (s cloudPages) named(c *gin.Context, at *console.Cloud, part, what string, title func(i18n.Lang, string) string) (name string, h cloudui.Head, err error) {
	if name, err = console.CloudName(c, what); err != nil {
		return "", h, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	l := i18n.From(c.Request.Context())
	label := l.FrameJobs()
	if part == "apps" {
		label = l.CloudApps()
		_, err = at.ReadApp(ctx, name)
	} else {
		_, err = at.ReadJob(ctx, name)
	}
	if err != nil {
		return "", h, err
	}
	return name, s.oneHead(c, at, title(l, name), part, label, layout.Crumb{Label: name, Href: cloudPath(part, name), Mono: true}), nil
}

func (s cloudPages) disableJob(c *gin.Context, at *console.Cloud) error {
	return s.switchTo(c, at, "jobs", "job", true)
}

func (s cloudPages) enableJob(c *gin.Context, at *console.Cloud) error {
	return s.switchTo(c, at, "jobs", "job", false)
}

func (s cloudPages) disableApp(c *gin.Context, at *console.Cloud) error {
	return s.switchTo(c, at, "apps", "app", true)
}

func (s cloudPages) enableApp(c *gin.Context, at *console.Cloud) error {
	return s.switchTo(c, at, "apps", "app", false)
}

// switchTo disables an app or a job once that was confirmed, or enables it.
func (s cloudPages) switchTo(c *gin.Context, at *console.Cloud, part, what string, disabled bool) (err error) {
	name, err := console.CloudName(c, what)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	did := l.CloudDidEnable(name)
	var way cloud.Way
	if disabled {
		did = l.CloudDidDisable(name)
		if !pageui.Confirmed(c) {
			return s.askDisable(c, at, console.FormStatus(c), part, what)
		}
		if way, err = at.Way(c.PostForm("running"), console.CloudWays); err != nil {
			console.Refused(c, cloudProblem(err).Code)
			return s.askDisable(c, at, http.StatusUnprocessableEntity, part, what)
		}
		s.Note(c, slog.String("running", string(way)))
	}
	if part == "apps" {
		ctx, cancel := s.Reading(c)
		defer cancel()
		_, err = at.SwitchApp(ctx, name, disabled, way)
	} else {
		_, err = s.SwitchCloudJob(c, at, name, disabled, way)
	}
	return s.acted(c, cloudPath(part, name), did, err)
}

func (s cloudPages) removeJobPage(c *gin.Context, at *console.Cloud) error {
	return s.askRemove(c, at, http.StatusOK, "jobs", "job", "")
}

func (s cloudPages) removeAppPage(c *gin.Context, at *console.Cloud) error {
	return s.askRemove(c, at, http.StatusOK, "apps", "app", "")
}

// askRemove asks for the name of what is to be removed; wrong is what was typed instead.
func (s cloudPages) askRemove(c *gin.Context, at *console.Cloud, status int, part, what, wrong string) error {
	name, h, err := s.named(c, at, part, what, i18n.Lang.CloudRemoveTitle)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	p := cloudui.ConfirmProps{
		Head: h, Post: cloudPath(part, name, "remove"), Verb: l.CloudRemove(), Back: cloudPath(part, name), Typed: name, Wrong: wrong,
		Effects: []string{l.CloudRemoveJob(), l.CloudRemoveRuns(), l.CloudRemoveHistory()},
		Curl:    s.Curl(c, http.MethodDelete, "/api"+cloudPath(part, name), nil, ""),
	}
	if part == "jobs" {
		ctx, cancel := s.Reading(c)
		defer cancel()
		d, err := at.ReadJob(ctx, name)
		if err != nil {
			return err
		}
		if n := len(d.Status.Requests); n > 0 {
			p.Effects = append(p.Effects, l.CloudRemoveRequests(n))
		}
	}
	if part == "apps" {
		p.Effects = []string{l.CloudRemoveApp()}
		if jobs := at.JobsOf(name); len(jobs) > 0 {
			p.Refused = l.CloudRemoveHasJobs(len(jobs), jobs[0].Job.Name)
		}
	}
	if wrong != "" {
		p.Error = l.ConfirmWrongName(name)
	}
	s.Render(c, status, cloudui.Confirm(p))
	return nil
}

func (s cloudPages) removeJob(c *gin.Context, at *console.Cloud) error {
	return s.remove(c, at, "jobs", "job", func(name string) error { return s.DeleteCloudJob(c, at, name) })
}

func (s cloudPages) removeApp(c *gin.Context, at *console.Cloud) error {
	return s.remove(c, at, "apps", "app", func(name string) error {
		ctx, cancel := s.Reading(c)
		defer cancel()
		return at.DeleteApp(ctx, name)
	})
}

// remove removes what was confirmed by its name.
func (s cloudPages) remove(c *gin.Context, at *console.Cloud, part, what string, do func(name string) error) error {
	name, err := console.CloudName(c, what)
	if err != nil {
		return err
	}
	typed := c.PostForm("name")
	if !pageui.Confirmed(c) || typed != name && typed != string(console.Inert([]byte(name))) {
		console.Refused(c, "not_confirmed")
		return s.askRemove(c, at, console.FormStatus(c), part, what, typed)
	}
	if err := do(name); err != nil {
		return s.acted(c, cloudPath(part, name), "", err)
	}
	return s.acted(c, cloudPath(part), i18n.From(c.Request.Context()).CloudDidRemove(name), nil)
}
