package requested

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// takesRuns reports whether the job's agents accept requested runs. Java agents don't, so their
// jobs are triggered instead.
func takesRuns(job statistics.JobDetail) bool {
	assign := jobrun.AssignEach
	if job.Config != nil {
		if job.Config.Generation == jobconfig.Generation2x {
			return false
		}
		settings, _ := runs.SettingsOf(job.Config)
		assign = settings.Assign
	}
	takes := func(i statistics.Instance) bool { return i.Agent.TakesRuns }
	if assign == jobrun.AssignOne && slices.ContainsFunc(job.Instances, takes) {
		return true
	}
	return !slices.ContainsFunc(job.Instances, func(i statistics.Instance) bool { return !takes(i) })
}

// trigger is the content of the page's address or of its form: a trigger of the job, or of the
// instances that own some of its shards.
type trigger struct {
	job    statistics.JobDetail
	lang   i18n.Lang
	shards []int
	plan   rerunPlan
	whole  bool   // no shards are named
	run    string // the run in which the shards failed; empty if they weren't chosen there
	back   string
	reason ui.Field
	once   string
	moved  bool
}

func readTrigger(l i18n.Lang, job statistics.JobDetail, v url.Values) trigger {
	r := trigger{job: job, lang: l, whole: !v.Has("item"), run: view.Clip(v.Get("run"), 100), once: pageui.FormID(v)}
	r.reason.Value = strings.TrimSpace(v.Get("reason"))
	r.shards, _ = pageui.ShardItems(v["item"])
	if r.whole {
		for _, s := range job.Shards {
			r.shards = append(r.shards, s.Item)
		}
	}
	r.plan = planRerun(l, job, r.shards)
	switch {
	case v.Get("return") != "":
		r.back = app.SafeNext(v.Get("return"))
	case r.run != "":
		r.back = pageui.RunPath(job.Name, r.run)
	case r.whole:
		r.back = app.JobPath("/jobs", job.Name)
	default:
		r.back = app.JobPath("/jobs", job.Name, "shards")
	}
	return r
}

// showTrigger asks before a trigger, with a list of the shards that run and where.
func (s pages) showTrigger(c *gin.Context, r trigger, status int) error {
	last, _ := s.ReadLastRuns(c, []string{r.job.Name}, pageui.LastExecutions(r.job.Job)) // without them the usual duration is unknown
	p := r.props(last[r.job.Name])
	p.Frame = s.Frame(c, p.Heading, app.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, pageui.UnknownItems(c, r.lang)...)
	if p.Once = r.once; p.Once == "" || r.moved {
		p.Once = ui.NewFormID()
	}
	if p.Button != "" {
		body := ""
		if r.whole {
			p.Fields = append(p.Fields, [2]string{ui.FormField, ui.NewFormID()})
		} else {
			text, err := json.Marshal(api.TriggerRequest{Instances: r.plan.instances(), Reason: r.reason.Value})
			if err != nil {
				panic(fmt.Sprintf("requested: JSON of strings: %v", err)) // strings always marshal
			}
			body = string(text)
		}
		p.Curl = s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", r.job.Name, "trigger"), nil, body)
	}
	s.Render(c, status, jobs.Bulk(p))
	return nil
}

// props builds the page's view model.
func (r trigger) props(last []tracing.Execution) jobs.BulkProps {
	l, name := r.lang, r.job.Name
	p := jobs.BulkProps{
		Heading: l.RerunAsk(len(r.shards), name), Job: name, JobHref: app.JobPath("/jobs", name), RowLabel: l.RerunRows(), Subject: l.RunInstance(),
		Post: app.JobPath("/jobs", name, app.Trigger.Verb), Fields: [][2]string{{"run", r.run}}, Field: "item", Verb: app.Trigger.Verb, Return: r.back,
	}
	warn := func(heading, text, id string) {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: heading, Text: text, TestID: id})
	}
	switch {
	case r.whole:
		p.Heading = l.RequestFormTitle(name)
	case len(r.shards) == 0:
		p.Empty = &ui.Empty{Heading: l.ShardsNone(), Text: l.RerunNoneText(), Href: app.JobPath("/jobs", name, "shards"), Label: l.ShardsBack(), TestID: "bulk-none"}
		return p
	case len(r.shards) == 1:
		p.Heading = l.RerunAskOne(strconv.Itoa(r.shards[0]), name)
	}
	if r.moved {
		warn(l.RerunMoved(), l.RerunMovedText(), "rerun-moved")
	}
	if held := pageui.HeldNote(l, r.job, false); held != nil {
		warn(held.Title, l.RequestHeld(), "run-held")
	}
	asked, with := 0, 0
	for _, at := range r.plan.at {
		asked, with = asked+len(at.asked), with+len(at.with)
		row := jobs.BulkRow{Name: at.instance, Tone: ui.ToneRun, What: l.RerunRuns(), How: pageui.ShardList(l, at.asked)}
		if len(at.with) > 0 {
			row.How = l.RerunWith(row.How, pageui.ShardList(l, at.with))
		}
		if at.busy {
			row.Tone, row.Note = ui.ToneWarn, l.RerunBusy()
		}
		if !r.whole {
			p.Fields = append(p.Fields, [2]string{"instance", at.instance})
		}
		p.Rows = append(p.Rows, row)
	}
	for _, no := range r.plan.cannot {
		p.Rows = append(p.Rows, jobs.BulkRow{Name: l.ShardsOne(strconv.Itoa(no.shard)), Tone: ui.ToneWarn, What: l.BulkImpossible(), Note: no.why, Quiet: true})
	}
	at, cannot := len(r.plan.at), len(r.plan.cannot)
	p.Counts = []jobs.BulkCount{
		{N: view.Thousands(at), Text: l.RerunAsked(at), Tone: ui.ToneRun}, {N: view.Thousands(asked), Text: l.RerunWanted(asked)},
		{N: view.Thousands(with), Text: l.RerunOthers(with), Tone: ui.ToneWarn}, {N: view.Thousands(cannot), Text: l.RerunCannot(cannot), Tone: ui.ToneWarn},
	}
	if ok, why := app.Trigger.Applies(l, r.job.Job); r.whole && !ok && why != "" {
		warn(l.BulkNothing(), why, "bulk-nothing")
		return p
	}
	if !r.whole && at == 0 {
		warn(l.BulkNothing(), l.RerunNothing(), "bulk-nothing")
		return p
	}
	p.Button = l.RerunSubmit(len(r.job.Instances))
	if !r.whole {
		p.Names, p.Button = jobtree.ItemNames(r.shards), l.RerunSubmit(at)
	}
	p.Effects = r.effects(last)
	p.Reason = &jobs.BulkReason{Hint: l.ShardsReasonHint(), Value: r.reason.Value, Error: r.reason.Error, Most: strconv.Itoa(app.MaxReason)}
	return p
}

// effects are the effects of the trigger, and its usual duration.
func (r trigger) effects(last []tracing.Execution) []string {
	l := r.lang
	effects := []string{l.RerunEffectInstance()}
	if r.whole {
		effects = []string{l.BulkEffectTrigger()}
	}
	if usual := r.plan.usualSpan(last); usual > 0 {
		effects = append(effects, l.RerunEffectUsual(pageui.Took(l, usual)))
	} else {
		effects = append(effects, l.RerunEffectUnknown())
	}
	if r.job.ReshardingNeeded || r.job.Resharding {
		effects = append(effects, l.RerunEffectReshard())
	}
	if r.whole {
		return effects
	}
	return append(effects, l.RerunEffectNew())
}

// triggerFromPage is the target of the form. It triggers the job, or the instances that the page
// named if they still own the shards.
func (s pages) triggerFromPage(c *gin.Context, job string) error {
	if err := c.Request.ParseForm(); err != nil {
		return app.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged)
	}
	v, l, reason := c.Request.PostForm, i18n.From(c.Request.Context()), typedReason(c)
	if !v.Has("item") && reason.Error == "" && !app.Resumed(c) {
		s.noteReason(c, reason.Value)
		out, err := s.Submit(c, app.Trigger, app.Target{Job: job})
		to := app.JobPath("/jobs", job)
		if back := v.Get("return"); back != "" {
			to = s.here(c, app.SafeNext(back))
		}
		return pageui.Done(s.Console, c, to, pageui.OutcomeFlash(l, app.Trigger, job, out), err)
	}
	detail, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	r := readTrigger(l, detail, v)
	r.reason = reason
	named := slices.Sorted(slices.Values(v["instance"]))
	r.moved = len(named) > 0 && !slices.Equal(named, r.plan.instances())
	if reason.Error != "" || r.moved || len(named) == 0 || len(r.plan.at) == 0 || app.Resumed(c) {
		app.Refused(c, "not_confirmed")
		return s.showTrigger(c, r, app.FormStatus(c))
	}
	out, err := app.Rerun{Job: job, Shards: r.shards, Instances: named, Reason: reason.Value, Change: r.once}.Submit(s.Console, c)
	switch {
	case errors.Is(err, app.ErrRepeated):
		return pageui.Done(s.Console, c, pageui.RunsPath(job), pageui.RepeatedFlash(l, r.once), nil)
	case err != nil:
		return pageui.Done(s.Console, c, s.here(c, r.back), ui.Flash{}, err)
	}
	flash := ui.Flash{Title: l.RerunDone(pageui.FirstNames(l, out.Affected, mostSpoken), job)}
	for _, skip := range out.Skipped {
		flash.Tone = ui.ToneWarn
		flash.Lines = append(flash.Lines, l.ActionSkipped(skip.Target, app.SkipReason(l, skip)))
	}
	return pageui.Done(s.Console, c, pageui.RunsPath(job), flash, nil)
}

// mostSpoken bounds the names of instances in a sentence.
const mostSpoken = 5

// here is an address without the prefix of the registry that the request is about.
func (s pages) here(c *gin.Context, address string) string {
	return strings.TrimPrefix(address, app.PlaceOf(c).Prefix)
}

// rerunPlan is a plan to run some shards of a job again. Only whole instances can be triggered, so
// the other shards of an instance run, too.
type rerunPlan struct {
	at     []rerunAt
	cannot []rerunRefusal
}

// rerunAt is an instance that is triggered.
type rerunAt struct {
	instance string
	// asked are the shards that the user wants to run, with the others that run as well.
	asked, with []int
	// busy: a shard of the instance runs now. Agents drop a trigger that arrives while the job runs.
	busy bool
}

// rerunRefusal is a shard that can't run again now.
type rerunRefusal struct {
	shard int
	why   string
}

// planRerun plans a run of shards of a job.
func planRerun(l i18n.Lang, job statistics.JobDetail, shards []int) (p rerunPlan) {
	live := make(map[string]statistics.Instance, len(job.Instances))
	for _, i := range job.Instances {
		live[i.ID] = i
	}
	byNumber := make(map[int]statistics.Shard, len(job.Shards))
	for _, s := range job.Shards {
		byNumber[s.Item] = s
	}
	at := make(map[string]int)
	for _, n := range shards {
		s, exists := byNumber[n]
		owner, lives := live[s.Instance]
		why := ""
		switch {
		case !exists:
			why = l.RerunWhyMissing()
		case s.Disabled:
			why = l.RerunWhyDisabled()
		case s.Instance == "":
			why = l.RerunWhyNobody()
		case !lives:
			why = l.RerunWhyLeft(s.Instance)
		case !owner.Enabled:
			why = l.RerunWhyServer(s.Instance)
		}
		if why != "" {
			p.cannot = append(p.cannot, rerunRefusal{n, why})
			continue
		}
		i, known := at[s.Instance]
		if !known {
			i = len(p.at)
			at[s.Instance] = i
			p.at = append(p.at, rerunAt{instance: s.Instance})
		}
		p.at[i].asked = append(p.at[i].asked, n)
	}
	for _, s := range job.Shards {
		if i, asked := at[s.Instance]; asked && !s.Disabled && !slices.Contains(p.at[i].asked, s.Item) {
			p.at[i].with = append(p.at[i].with, s.Item)
		}
		if i, asked := at[s.RunningOn]; asked {
			p.at[i].busy = true
		}
	}
	return p
}

// instances are the triggered instances, in order.
func (p rerunPlan) instances() []string {
	var ids []string
	for _, at := range p.at {
		ids = append(ids, at.instance)
	}
	slices.Sort(ids)
	return ids
}

// usualSpan is the median duration of the last successful executions of the slowest shard that runs;
// 0 without any.
func (p rerunPlan) usualSpan(last []tracing.Execution) (slowest time.Duration) {
	took := make(map[int][]time.Duration)
	for _, e := range last {
		if !e.CompleteTime.IsZero() && rdb.StateOf(e) == rdb.RunSuccess {
			took[e.Item] = append(took[e.Item], e.CompleteTime.Sub(e.StartTime))
		}
	}
	for _, at := range p.at {
		for _, n := range slices.Concat(at.asked, at.with) {
			if spans := took[n]; len(spans) > 0 {
				slices.Sort(spans)
				slowest = max(slowest, spans[len(spans)/2])
			}
		}
	}
	return slowest
}
