package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// askRunPath is the address of the page that asks before a job runs. It's also the Run… dialog.
func askRunPath(job string) string { return console.JobPath("/jobs", job, "run") }

// rerunPath is askRunPath with the shards that failed in a run chosen.
func rerunPath(job string, shards []int, run string) string {
	v := url.Values{}
	for _, n := range shards[:min(len(shards), console.MostAtOnce)] {
		v.Add("item", strconv.Itoa(n))
	}
	if run != "" {
		v.Set("run", run)
	}
	return query.WithQuery(askRunPath(job), v)
}

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

// triggerRequest is the content of the page's address or of its form: a trigger of the job, or of
// the instances that own some of its shards.
type triggerRequest struct {
	job    statistics.JobDetail
	shards []int
	plan   console.RerunPlan
	whole  bool   // no shards are named
	run    string // the run in which the shards failed; empty if they weren't chosen there
	back   string
	reason string
	once   string
	err    string
	moved  bool
}

func readTrigger(job statistics.JobDetail, v url.Values) triggerRequest {
	r := triggerRequest{job: job, whole: !v.Has("item"), run: view.Clip(v.Get("run"), 100), reason: strings.TrimSpace(v.Get("reason")), once: pageui.FormID(v)}
	r.shards, _ = itemsOf(v["item"])
	if r.whole {
		for _, s := range job.Shards {
			r.shards = append(r.shards, s.Item)
		}
	}
	r.plan = console.PlanRerun(job, r.shards)
	switch {
	case v.Get("return") != "":
		r.back = console.SafeNext(v.Get("return"))
	case r.run != "":
		r.back = pageui.RunPath(job.Name, r.run)
	case r.whole:
		r.back = console.JobPath("/jobs", job.Name)
	default:
		r.back = shardsPath(job.Name)
	}
	return r
}

// showTrigger asks before a trigger, with a list of the shards that run and where.
func (s *Pages) showTrigger(c *gin.Context, r triggerRequest, status int) {
	l := i18n.From(c.Request.Context())
	last, _ := s.ReadLastRuns(c, []string{r.job.Name}, lastExecutions(r.job.Job)) // without them the usual duration is unknown
	p := r.props(l, last[r.job.Name])
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, noItems(c, l)...)
	if p.Once = r.once; p.Once == "" || r.moved {
		p.Once = ui.NewFormID()
	}
	api := console.JobPath("/api/jobs", r.job.Name, "trigger")
	switch {
	case p.Button == "":
	case r.whole:
		p.Fields = append(p.Fields, [2]string{ui.FormField, ui.NewFormID()})
		p.Curl = s.Curl(c, http.MethodPost, api, nil, "")
	default:
		p.Curl = s.Curl(c, http.MethodPost, api, nil, rerunBody(r.plan.Instances(), r.reason))
	}
	s.Render(c, status, jobs.Bulk(p))
}

// rerunBody is the request of the REST interface that does the same.
func rerunBody(instances []string, reason string) string {
	text, err := json.Marshal(struct {
		Instances []string `json:"instances"`
		Reason    string   `json:"reason,omitempty"`
	}{instances, reason})
	if err != nil {
		panic(fmt.Sprintf("pages: JSON of strings: %v", err)) // strings always marshal
	}
	return string(text)
}

// props builds the page's view model.
func (r triggerRequest) props(l i18n.Lang, last []tracing.Execution) jobs.BulkProps {
	name := r.job.Name
	p := jobs.BulkProps{
		Heading: l.RerunAsk(len(r.shards), name), Job: name, JobHref: console.JobPath("/jobs", name), RowLabel: l.RerunRows(), Subject: l.RunInstance(),
		Post: console.JobPath("/jobs", name, console.Trigger.Verb), Fields: [][2]string{{"run", r.run}}, Field: "item", Verb: console.Trigger.Verb, Return: r.back,
	}
	switch {
	case r.whole:
		p.Heading = l.RequestFormTitle(name)
	case len(r.shards) == 0:
		p.Empty = &ui.Empty{Heading: l.ShardsNone(), Text: l.RerunNoneText(), Href: shardsPath(name), Label: l.ShardsBack(), TestID: "bulk-none"}
		return p
	case len(r.shards) == 1:
		p.Heading = l.RerunAskOne(strconv.Itoa(r.shards[0]), name)
	}
	if r.moved {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.RerunMoved(), Text: l.RerunMovedText(), TestID: "rerun-moved"})
	}
	if held := heldNote(l, r.job, false); held != nil {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: held.Title, Text: l.RequestHeld(), TestID: "run-held"})
	}
	asked, with := 0, 0
	for _, at := range r.plan.At {
		asked, with = asked+len(at.Asked), with+len(at.With)
		row := jobs.BulkRow{Name: at.Instance, Tone: ui.ToneRun, What: l.RerunRuns(), How: pageui.ShardList(l, at.Asked)}
		if len(at.With) > 0 {
			row.How = l.RerunWith(pageui.ShardList(l, at.Asked), pageui.ShardList(l, at.With))
		}
		if at.Busy {
			row.Tone, row.Note = ui.ToneWarn, l.RerunBusy()
		}
		if !r.whole {
			p.Fields = append(p.Fields, [2]string{"instance", at.Instance})
		}
		p.Rows = append(p.Rows, row)
	}
	for _, no := range r.plan.Cannot {
		p.Rows = append(p.Rows, jobs.BulkRow{
			Name: l.ShardsOne(strconv.Itoa(no.Shard)), Tone: ui.ToneWarn, What: l.BulkImpossible(), Note: rerunWhy(l, no), Quiet: true,
		})
	}
	p.Counts = bulkCounts([]jobs.BulkCount{
		{N: view.Thousands(len(r.plan.At)), Text: l.RerunAsked(len(r.plan.At)), Tone: ui.ToneRun}, {N: view.Thousands(asked), Text: l.RerunWanted(asked)},
		{N: view.Thousands(with), Text: l.RerunOthers(with), Tone: ui.ToneWarn}, {N: view.Thousands(len(r.plan.Cannot)), Text: l.RerunCannot(len(r.plan.Cannot)), Tone: ui.ToneWarn},
	})
	why := ""
	if ok, refused := console.Trigger.Applies(l, r.job.Job); !ok {
		why = refused
	}
	switch {
	case r.whole && why != "":
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkNothing(), Text: why, TestID: "bulk-nothing"})
		return p
	case !r.whole && len(r.plan.At) == 0:
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkNothing(), Text: l.RerunNothing(), TestID: "bulk-nothing"})
		return p
	case !r.whole:
		p.Names = append(p.Names, jobtree.ItemNames(r.shards)...)
	}
	p.Effects = r.effects(l, last)
	p.Button = l.RerunSubmit(max(len(r.plan.At), 1))
	if r.whole {
		p.Button = l.RerunSubmit(len(r.job.Instances))
	}
	p.Reason = &jobs.BulkReason{Hint: l.ShardsReasonHint(), Value: r.reason, Error: r.err, Most: strconv.Itoa(console.MaxReason)}
	return p
}

// rerunWhy is why a shard cannot run.
func rerunWhy(l i18n.Lang, no console.RerunRefusal) string {
	switch no.Why {
	case console.RerunMissing:
		return l.RerunWhyMissing()
	case console.RerunDisabled:
		return l.RerunWhyDisabled()
	case console.RerunLeft:
		return l.RerunWhyLeft(no.Owner)
	case console.RerunServer:
		return l.RerunWhyServer(no.Owner)
	default:
		return l.RerunWhyNobody()
	}
}

// effects says what the trigger means, and how long it usually takes.
func (r triggerRequest) effects(l i18n.Lang, last []tracing.Execution) []string {
	effects := []string{l.RerunEffectInstance()}
	if r.whole {
		effects = []string{l.BulkEffectTrigger()}
	}
	if usual := usualSpan(r.plan, last); usual > 0 {
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

// usualSpan is how long the slowest of the shards that run took in the middle of its
// last executions that succeeded; 0 if nobody knows.
func usualSpan(plan console.RerunPlan, last []tracing.Execution) (slowest time.Duration) {
	took := make(map[int][]time.Duration)
	for _, e := range last {
		if !e.CompleteTime.IsZero() && rdb.StateOf(e) == rdb.RunSuccess {
			took[e.Item] = append(took[e.Item], e.CompleteTime.Sub(e.StartTime))
		}
	}
	for _, at := range plan.At {
		for _, n := range slices.Concat(at.Asked, at.With) {
			if spans := took[n]; len(spans) > 0 {
				slices.Sort(spans)
				slowest = max(slowest, spans[len(spans)/2])
			}
		}
	}
	return slowest
}

// triggerFromPage is the target of the form. It triggers the job, or the instances that the page
// named if they still own the shards.
func (s *Pages) triggerFromPage(c *gin.Context) {
	if err := c.Request.ParseForm(); err != nil {
		s.Fail(c, console.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged))
		return
	}
	form := c.Request.PostForm
	l := i18n.From(c.Request.Context())
	reason := typedReason(c, l)
	if !form.Has("item") && reason.Error == "" && !console.Resumed(c) {
		if reason.Value != "" {
			s.Note(c, slog.String("reason", reason.Value))
		}
		if err := s.actionFromPage(console.Trigger)(c); err != nil {
			s.Fail(c, err)
		}
		return
	}
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	r := readTrigger(job, form)
	r.err = reason.Error
	named := slices.Sorted(slices.Values(form["instance"]))
	r.moved = len(named) > 0 && !slices.Equal(named, r.plan.Instances())
	if r.err != "" || r.moved || len(named) == 0 || len(r.plan.At) == 0 || console.Resumed(c) {
		console.Refused(c, "not_confirmed")
		s.showTrigger(c, r, console.FormStatus(c))
		return
	}
	out, err := console.Rerun{Job: r.job.Name, Shards: r.shards, Instances: named, Reason: r.reason, Change: r.once}.Submit(s.Console, c)
	switch {
	case errors.Is(err, console.ErrRepeated):
		s.SetFlash(c, repeatedFlash(l, r.once))
	case err != nil:
		s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		s.RedirectHere(c, strings.TrimPrefix(r.back, console.PlaceOf(c).Prefix))
		return
	default:
		s.SetFlash(c, r.flash(l, out))
	}
	s.RedirectHere(c, runsOf(r.job.Name))
}

// runsOf is the list of a job's runs.
func runsOf(job string) string {
	return query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job}))
}

// flash tells which instances were asked.
func (r triggerRequest) flash(l i18n.Lang, out lifecycle.Outcome) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK, Title: l.RerunDone(pageui.FirstNames(l, out.Affected, 5), r.job.Name)}
	for _, skip := range out.Skipped {
		f.Tone = ui.ToneWarn
		f.Lines = append(f.Lines, l.ActionSkipped(skip.Target, console.SkipReason(l, skip)))
	}
	return f
}

// again leads from a run to the page that asks before shards of it run again; nil for
// those who may not, and while the run goes on.
func (d runDrawing) again(label string, shards ...int) *ui.Button {
	if !d.operates || d.State == rdb.RunRunning || len(shards) == 0 {
		return nil
	}
	return &ui.Button{Label: label, Href: rerunPath(d.JobName, shards, d.ID), TestID: "rerun"}
}

// againFailed is again for all shards of the run that failed or were lost.
func (d runDrawing) againFailed(shards []shardRun) *ui.Button {
	var failed []int
	for _, s := range shards {
		if state := s.state(); state == rdb.RunFailed || state == rdb.RunLost {
			failed = append(failed, s.item)
		}
	}
	slices.Sort(failed)
	b := d.again(d.lang.RerunAgainFailed(len(failed)), failed...)
	if b != nil {
		b.Kind, b.TestID = ui.ButtonMain, "rerun-failed"
	}
	return b
}
