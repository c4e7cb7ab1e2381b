package pages

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
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// rerunPath is the page that asks before shards of a job run again.
func rerunPath(job string, shards []int, run string) string {
	v := url.Values{}
	for _, n := range shards[:min(len(shards), console.MostAtOnce)] {
		v.Add("item", strconv.Itoa(n))
	}
	if run != "" {
		v.Set("run", run)
	}
	return query.WithQuery(console.JobPath("/jobs", job, "rerun"), v)
}

// rerunRequest is what the address of the page, or its form, asks for.
type rerunRequest struct {
	job    statistics.JobDetail
	shards []int
	plan   console.RerunPlan
	// run is the one that failed, empty if the shards were not chosen there.
	run          string
	reason, once string
	err          string
	moved        bool
}

func (s *Pages) readRerun(c *gin.Context, v url.Values) (r rerunRequest, err error) {
	if r.job, err = s.ReadJob(c); err != nil {
		return r, err
	}
	r.shards, _ = itemsOf(v["item"])
	r.plan = console.PlanRerun(r.job, r.shards)
	r.run, r.reason, r.once = view.Clip(v.Get("run"), 100), strings.TrimSpace(v.Get("reason")), pageui.FormID(v)
	return r, nil
}

func (r rerunRequest) back() string {
	if r.run != "" {
		return pageui.RunPath(r.job.Name, r.run)
	}
	return shardsPath(r.job.Name)
}

// rerunPage says what runs where, and asks.
func (s *Pages) rerunPage(c *gin.Context) {
	r, err := s.readRerun(c, c.Request.URL.Query())
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.showRerun(c, r, http.StatusOK)
}

func (s *Pages) showRerun(c *gin.Context, r rerunRequest, status int) {
	l := i18n.From(c.Request.Context())
	runs, _ := s.ReadLastRuns(c, []string{r.job.Name}, lastExecutions(r.job.Job)) // without them nobody knows how long it takes
	p := r.props(l, runs[r.job.Name])
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, noItems(c, l)...)
	if p.Once = r.once; p.Once == "" || r.moved {
		p.Once = ui.NewFormID()
	}
	if ids := r.plan.Instances(); len(ids) > 0 {
		p.Curl = s.Curl(c, http.MethodPost, console.JobPath("/api/jobs", r.job.Name, "trigger"), nil, rerunBody(ids, r.reason))
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
func (r rerunRequest) props(l i18n.Lang, last []tracing.Execution) jobs.BulkProps {
	name := r.job.Name
	p := jobs.BulkProps{
		Heading: l.RerunAsk(len(r.shards), name), Job: name, JobHref: console.JobPath("/jobs", name), RowLabel: l.RerunRows(), Subject: l.RunInstance(),
		Post: console.JobPath("/jobs", name, "rerun"), Fields: [][2]string{{"run", r.run}}, Field: "item", Verb: console.TriggerInstances.Verb, Return: r.back(),
	}
	switch len(r.shards) {
	case 0:
		p.Empty = &ui.Empty{Heading: l.ShardsNone(), Text: l.RerunNoneText(), Href: shardsPath(name), Label: l.ShardsBack(), TestID: "bulk-none"}
		return p
	case 1:
		p.Heading = l.RerunAskOne(strconv.Itoa(r.shards[0]), name)
	}
	if r.moved {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.RerunMoved(), Text: l.RerunMovedText(), TestID: "rerun-moved"})
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
		p.Fields = append(p.Fields, [2]string{"instance", at.Instance})
		p.Rows = append(p.Rows, row)
	}
	for _, no := range r.plan.Cannot {
		p.Rows = append(p.Rows, jobs.BulkRow{
			Name: l.ShardsOne(strconv.Itoa(no.Shard)), Tone: ui.ToneWarn, What: l.BulkImpossible(), Note: rerunWhy(l, no), Quiet: true,
		})
	}
	p.Names = append(p.Names, jobtree.ItemNames(r.shards)...)
	p.Counts = bulkCounts([]jobs.BulkCount{
		{N: view.Thousands(len(r.plan.At)), Text: l.RerunAsked(len(r.plan.At)), Tone: ui.ToneRun}, {N: view.Thousands(asked), Text: l.RerunWanted(asked)},
		{N: view.Thousands(with), Text: l.RerunOthers(with), Tone: ui.ToneWarn}, {N: view.Thousands(len(r.plan.Cannot)), Text: l.RerunCannot(len(r.plan.Cannot)), Tone: ui.ToneWarn},
	})
	if len(r.plan.At) == 0 {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkNothing(), Text: l.RerunNothing(), TestID: "bulk-nothing"})
		return p
	}
	p.Effects = r.effects(l, last)
	p.Button = l.RerunSubmit(len(r.plan.At))
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
func (r rerunRequest) effects(l i18n.Lang, last []tracing.Execution) []string {
	effects := []string{l.RerunEffectInstance()}
	if usual := usualSpan(r.plan, last); usual > 0 {
		effects = append(effects, l.RerunEffectUsual(pageui.Took(l, usual)))
	} else {
		effects = append(effects, l.RerunEffectUnknown())
	}
	if r.job.ReshardingNeeded || r.job.Resharding {
		effects = append(effects, l.RerunEffectReshard())
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

// rerunFromPage is the target of the form. It triggers the instances that the page
// named, if they own the shards still.
func (s *Pages) rerunFromPage(c *gin.Context) {
	if err := c.Request.ParseForm(); err != nil {
		s.Fail(c, console.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged))
		return
	}
	form := c.Request.PostForm
	r, err := s.readRerun(c, form)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	if n := utf8.RuneCountInString(r.reason); n > console.MaxReason {
		r.err = l.BulkReasonLong(n, console.MaxReason)
	}
	named := slices.Sorted(slices.Values(form["instance"]))
	r.moved = len(named) > 0 && !slices.Equal(named, r.plan.Instances())
	if r.err != "" || r.moved || len(named) == 0 || len(r.plan.At) == 0 || console.Resumed(c) {
		console.Refused(c, "not_confirmed")
		s.showRerun(c, r, console.FormStatus(c))
		return
	}
	out, err := console.Rerun{Job: r.job.Name, Shards: r.shards, Instances: named, Reason: r.reason, Change: r.once}.Submit(s.Console, c)
	switch {
	case errors.Is(err, console.ErrRepeated):
		s.SetFlash(c, repeatedFlash(l, r.once))
	case err != nil:
		s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		s.RedirectHere(c, r.back())
		return
	default:
		s.SetFlash(c, r.flash(l, out))
	}
	s.RedirectHere(c, query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: r.job.Name})))
}

// flash tells which instances were asked.
func (r rerunRequest) flash(l i18n.Lang, out lifecycle.Outcome) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK, Title: l.RerunDone(pageui.FirstNames(l, out.Affected, spokenNames), r.job.Name)}
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
