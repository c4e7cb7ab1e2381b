package cloud

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// confirmed shows a question, unless its form was sent and confirms it.
func (r *call) confirmed(h cloudui.Head, q layout.Question) (bool, error) {
	q.BackLabel = r.l.CloudBack()
	switch {
	case !r.posted():
		return false, r.render(http.StatusOK, cloudui.Confirm(h, q))
	case !pageui.Confirmed(r.c):
		return false, r.render(app.FormStatus(r.c), cloudui.Confirm(h, q))
	}
	return true, nil
}

// killPage ends a run for good.
func killPage(r *call) error {
	run, _, err := r.findRun(r.name)
	if err != nil {
		return err
	}
	title, here := r.titleOf(run), cloudui.RunPath(r.name)
	head := r.headOf(r.l.CloudKillTitle(title), parts[1], layout.Crumb{Label: title, Href: here})
	p := layout.Question{
		Verb: r.l.CloudKill(), Action: here + "/kill", Back: here,
		Effects: []string{r.l.CloudKillEffect(run.Count), r.l.CloudKillFinal(), r.l.CloudKillNext()},
		Curl:    r.curl(http.MethodPost, here+"/kill", ""),
	}
	switch {
	case run.Origin == cloud.OriginDaemon:
		p.Refused = r.l.CloudDaemonNoKill()
	case run.State.Ended():
		p.Refused = r.l.CloudHasEnded()
	}
	if ok, err := r.confirmed(head, p); !ok {
		return err
	}
	return r.acted(here, r.l.CloudDidKill(), r.end(r.ctx, r.name, r.ending(cloud.EndKill)))
}

// killShardPage ends the process of one shard.
func killShardPage(r *call) error {
	a, err := r.askedShard()
	if err != nil {
		return err
	}
	here := cloudui.ShardPath(a.run.Name, a.number)
	head := r.headOf(r.l.CloudKillShardTitle(strconv.Itoa(a.number)), parts[1], layout.Crumb{Label: r.titleOf(a.run), Href: cloudui.RunPath(a.run.Name)})
	p := layout.Question{
		Verb: r.l.CloudKill(), Action: here + "/kill", Back: here,
		Effects: []string{r.l.CloudKillShardEffect(), r.l.CloudKillShardAgain()},
		Curl:    r.curl(http.MethodPost, here+"/kill", ""),
	}
	if a.run.Origin == cloud.OriginDaemon {
		p.Effects[1] = r.l.CloudDaemonKillAgain()
	}
	if a.run.State.Ended() {
		p.Refused = r.l.CloudHasEnded()
	}
	if ok, err := r.confirmed(head, p); !ok {
		return err
	}
	return r.acted(here, r.l.CloudDidKillShard(), r.killShard(r.ctx, a.run.Name, a.number, r.ending(cloud.EndKill)))
}

func suspendHere(r *call) error {
	return r.acted(cloudui.RunPath(r.name), r.l.CloudDidSuspend(), r.end(r.ctx, r.name, r.ending(cloud.EndSuspend)))
}

func resumeHere(r *call) error {
	return r.acted(cloudui.RunPath(r.name), r.l.CloudDidResume(), r.resume(r.ctx, r.name))
}

// triggerPage requests a run with parameters and shards.
func triggerPage(r *call) error {
	j, err := r.readJob()
	if err != nil {
		return err
	}
	if j.daemon() {
		return fmt.Errorf("job %q is a DAEMON job, which has no requested runs: %w", r.name, cloud.ErrRefused)
	}
	p := cloudui.TriggerProps{
		Head: r.headAbout(r.l.CloudTriggerTitle(r.name)), Job: j.Job, Shards: view.Clip(r.c.Query("shards"), 400),
		Effects: []string{r.l.CloudTriggerEffect(), r.l.CloudTriggerWaits(), r.l.CloudTriggerEnv()},
	}
	if !r.posted() {
		if new(jobtree.RunShards).UnmarshalText([]byte(p.Shards)) != nil && p.Shards != "" {
			r.ignored(&p.Head.Frame, "shards", p.Shards, "0,2-5")
			p.Shards = ""
		}
		return r.showTrigger(http.StatusOK, p)
	}
	p.Params, p.Shards = strings.TrimSpace(r.c.PostForm("params")), strings.TrimSpace(r.c.PostForm("shards"))
	asked := cloud.Request{Key: rand.Text(), Asked: r.now, By: app.Caller(r.c).Name}
	if p.Params != "" {
		asked.Parameters = json.RawMessage(p.Params)
		var object map[string]json.RawMessage
		if json.Unmarshal(asked.Parameters, &object) != nil {
			p.ParamsError = r.l.CloudWrongParams()
		}
	}
	if p.Shards != "" {
		var some jobtree.RunShards
		if some.UnmarshalText([]byte(p.Shards)) != nil {
			p.ShardsError = r.l.CloudWrongShards()
		}
		asked.Shards = some
	}
	if p.ParamsError+p.ShardsError != "" || app.Resumed(r.c) {
		app.Refused(r.c, "invalid")
		return r.showTrigger(app.FormStatus(r.c), p)
	}
	run, err := r.trigger(r.ctx, r.name, asked)
	for _, field := range lifecycle.FieldErrors(err) {
		if field.Field == "shards" {
			p.ShardsError = r.l.CloudWrongShards()
		} else {
			p.ParamsError = r.l.CloudWrongParams()
		}
	}
	if p.ParamsError+p.ShardsError != "" {
		app.Refused(r.c, "invalid")
		return r.showTrigger(http.StatusUnprocessableEntity, p)
	}
	if err == nil {
		r.note(slog.String("run", run))
	}
	return r.acted(r.path(r.name), r.l.CloudDidTrigger(run), err)
}

func (r *call) showTrigger(status int, p cloudui.TriggerProps) error {
	body := "{}"
	if p.Params != "" && json.Valid([]byte(p.Params)) {
		body = `{"parameters":` + p.Params + `}`
	}
	p.Curl = r.curl(http.MethodPost, r.path(r.name, "trigger"), body)
	return r.render(status, cloudui.Trigger(p))
}

// disablePage disables a document. The form chooses what becomes of runs that go on; the default is
// upstream's.
func disablePage(r *call) error {
	d, err := r.read(r.ctx, r.kind, r.name)
	if err != nil {
		return err
	}
	head := r.headAbout(r.l.CloudDisableTitle(r.name))
	p := layout.Question{
		Verb: r.l.CloudDisable(), Action: r.path(r.name, "disable"), Back: r.path(r.name),
		Effects: []string{r.l.CloudDisableJob(), r.l.CloudDisablePending(), r.l.CloudDisableNothing()},
		Curl:    r.curl(http.MethodPost, r.path(r.name, "disable")+"?running=kill", ""),
	}
	ways := []cloudui.Choice{
		{Value: "kill", Label: r.l.CloudWayKill(), Text: r.l.CloudWayKillText(), Chosen: true},
		{Value: "suspend", Label: r.l.CloudWaySuspend(), Text: r.l.CloudWaySuspendText()},
		{Value: "finish", Label: r.l.CloudWayFinish(), Text: r.l.CloudWayFinishText()},
	}
	switch {
	case d.isApp():
		p.Effects[0] = r.l.CloudDisableApp(len(r.jobsOf(r.name)))
	case d.Job.Type == cloud.TypeDaemon:
		p.Effects, ways = []string{r.l.CloudDaemonDisable(), r.l.CloudDisableNothing()}, ways[:1]
	}
	if len(ways) > 1 && !r.Engine.Capabilities().Suspend {
		ways[1].Off = r.l.CloudCannotSuspend()
	}
	p.Fields = cloudui.Ways(ways)
	if ok, err := r.confirmed(head, p); !ok {
		return err
	}
	way, err := r.way(r.c.PostForm("running"))
	if err != nil {
		app.Refused(r.c, pageProblem(err).Code)
		return r.render(http.StatusUnprocessableEntity, cloudui.Confirm(head, p))
	}
	r.note(slog.String("running", string(way)))
	_, err = r.setDisabled(r.ctx, r.kind, r.name, true, way, r.now, r.dropped)
	return r.acted(r.path(r.name), r.l.CloudDidDisable(r.name), err)
}

func enable(r *call) error {
	_, err := r.setDisabled(r.ctx, r.kind, r.name, false, "", r.now, r.dropped)
	return r.acted(r.path(r.name), r.l.CloudDidEnable(r.name), err)
}

// removePage removes a document after its name was typed.
func removePage(r *call) error {
	d, err := r.read(r.ctx, r.kind, r.name)
	if err != nil {
		return err
	}
	head := r.headAbout(r.l.CloudRemoveTitle(r.name))
	p := layout.Question{
		Verb: r.l.CloudRemove(), Action: r.path(r.name, "remove"), Back: r.path(r.name), TypeName: r.name,
		Effects: []string{r.l.CloudRemoveJob(), r.l.CloudRemoveRuns(), r.l.CloudRemoveHistory()},
		Curl:    r.curl(http.MethodDelete, r.path(r.name), ""),
	}
	if n := len(d.Status.Requests); n > 0 {
		p.Effects = append(p.Effects, r.l.CloudRemoveRequests(n))
	}
	if d.isApp() {
		p.Effects = []string{r.l.CloudRemoveApp()}
		if jobs := r.jobsOf(r.name); len(jobs) > 0 {
			p.Refused = r.l.CloudRemoveHasJobs(len(jobs), jobs[0].Job.Name)
		}
	}
	if p.Typed = r.c.PostForm("name"); p.Typed != "" {
		p.Error = r.l.ConfirmWrongName(r.name)
	}
	switch ok, err := r.confirmed(head, p); {
	case !ok:
		return err
	case !pageui.SameName(p.Typed, r.name):
		app.Refused(r.c, "not_confirmed")
		return r.render(app.FormStatus(r.c), cloudui.Confirm(head, p))
	}
	if d.isApp() {
		err = r.withoutJobs(r.name)
	}
	if err == nil {
		err = r.remove(r.ctx, r.kind, r.name, r.dropped)
	}
	if err != nil {
		return r.acted(r.path(r.name), "", err)
	}
	return r.acted(cloudui.Path(partOf(r.kind).name), r.l.CloudDidRemove(r.name), nil)
}
