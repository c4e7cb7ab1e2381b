package bulk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// The verbs of changes of shards, as [settings.Change] stores them.
const (
	shardsDisabled = "disable shards"
	shardsEnabled  = "enable shards"
)

// shardWords are the words of an action on several shards, by its verb. The other words are the same as for
// the action on jobs.
var shardWords = map[string]struct {
	one        func(l i18n.Lang, shard, job string) string
	many, done func(l i18n.Lang, n int, job string) string
	submit     func(l i18n.Lang, n int) string
}{
	app.DisableShard.Verb: {i18n.Lang.ShardsAskDisableOne, i18n.Lang.ShardsAskDisable, i18n.Lang.ShardsDoneDisable, i18n.Lang.ShardsSubmitDisable},
	app.EnableShard.Verb:  {i18n.Lang.ShardsAskEnableOne, i18n.Lang.ShardsAskEnable, i18n.Lang.ShardsDoneEnable, i18n.Lang.ShardsSubmitEnable},
}

// shards switches several shards of a job off or on.
type shards struct {
	action app.Action // [app.DisableShard] or [app.EnableShard]
	job    statistics.JobDetail
	items  []int // at most [app.MostAtOnce]
	asked  int   // the number of shards that were named
	reason string
	change string // the id of the form
	err    string // the error of the form
}

func (r shards) on() bool { return r.action.Verb == app.EnableShard.Verb }

func (r shards) verb() string {
	if r.on() {
		return shardsEnabled
	}
	return shardsDisabled
}

// foresee returns what switching would change for each shard.
func (r shards) foresee() []result {
	results := make([]result, 0, len(r.items))
	for _, item := range r.items {
		name := strconv.Itoa(item)
		one := changed(name)
		i := slices.IndexFunc(r.job.Shards, func(s statistics.Shard) bool { return s.Item == item })
		switch {
		case i < 0:
			one = refuse(app.NotFound(fmt.Sprintf("The job has no shard %d.", item), ""))
		case r.job.Shards[i].Disabled != r.on():
			one = result{Outcome: lifecycle.Outcome{Skipped: []lifecycle.Skip{{Target: name, Reason: "it is so already"}}}}
		}
		one.Job = r.job.Name
		results = append(results, one)
	}
	return results
}

// submitShards carries the switch out, shard by shard: a result for each. It fails if
// nothing can be read or changed, or with [app.ErrRepeated]. It is one record of the
// audit.
func (s service) submitShards(c *gin.Context, r shards) ([]result, error) {
	if err := s.BeginChange(c, settings.Change{ID: r.change, Verb: r.verb(), Reason: r.reason}); err != nil {
		return nil, err
	}
	results := r.foresee()
	err := s.switchShards(c, r, results)
	stored := make([]settings.ChangeResult, len(results))
	for i, one := range results {
		stored[i] = app.ChangeResult(r.job.Name, one.Outcome, one.refused)
	}
	s.FinishChange(c, r.change, stored, err)
	return results, err
}

// switchActions is how many times as long as one action a change of several shards may take.
const switchActions = 6

// switchShards switches the shards and adds the outcome to the results.
func (s service) switchShards(c *gin.Context, r shards, results []result) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), switchActions*s.Options().ActionTimeout)
	defer cancel()
	done, refused := 0, 0
	var down error
	for i := range results {
		one := &results[i]
		if len(one.Affected) == 0 {
			continue
		}
		t := app.Target{Job: r.job.Name, Item: r.items[i], IsShard: true}
		err := down
		if down == nil {
			_, err = r.action.Call(s.RegistryOf(c).Operator, ctx, t)
		}
		if err == nil {
			done++
			continue
		}
		refused++
		one.Outcome = lifecycle.Outcome{Job: r.job.Name, Skipped: []lifecycle.Skip{{Target: strconv.Itoa(t.Item), Reason: "it was refused"}}}
		one.refused = s.ActionProblem(c, r.action, t, err)
		if errors.Is(err, lifecycle.ErrUnavailable) || ctx.Err() != nil {
			down = err // the others would fail alike
		}
	}
	s.Note(c, slog.String("order", r.verb()), slog.String("target", r.job.Name),
		slog.String("shards", strings.Join(jobtree.ItemNames(r.items), ",")),
		slog.Int("affected", done), slog.Int("skipped", len(results)-done-refused), slog.Int("refused", refused))
	s.noteReason(c, r.reason)
	if down != nil && done == 0 {
		p := s.ActionProblem(c, r.action, app.Target{Job: r.job.Name}, down)
		app.Refused(c, p.Code)
		return p
	}
	return nil
}

// undoShards switches back the shards that a change switched.
func (s service) undoShards(c *gin.Context, change settings.Change) ([]result, error) {
	r := shards{action: app.DisableShard}
	if change.Verb == shardsDisabled {
		r.action = app.EnableShard
	}
	name := ""
	for _, one := range change.Results {
		name = one.Job
		for _, affected := range one.Affected {
			if item, err := strconv.Atoi(affected); err == nil && one.Code == "" {
				r.items = append(r.items, item)
			}
		}
	}
	var err error
	if r.job, err = s.LookUp(c, name); err != nil {
		return nil, err
	}
	results := r.foresee()
	return results, s.switchShards(c, r, results)
}

// shardOf is the shard of a stored result; empty for a result about a job.
func shardOf(verb string, r settings.ChangeResult) string {
	switch {
	case verb != shardsDisabled && verb != shardsEnabled:
	case len(r.Affected) > 0:
		return r.Affected[0]
	case len(r.Skipped) > 0:
		return r.Skipped[0].Target
	}
	return ""
}

// readShards reads the switch that the address of the page, or its form, asks for.
func (s service) readShards(c *gin.Context, o app.Action, v url.Values) (r shards, err error) {
	r = shards{action: o, reason: strings.TrimSpace(v.Get("reason")), change: pageui.FormID(v)}
	r.items, r.asked = pageui.ShardItems(v["item"])
	r.job, err = s.ReadJob(c)
	return r, err
}

// shardsPage asks before shards are switched.
func (s service) shardsPage(o app.Action) func(*gin.Context) error {
	return func(c *gin.Context) error {
		r, err := s.readShards(c, o, c.Request.URL.Query())
		if err != nil {
			return err
		}
		s.askShards(c, r, http.StatusOK)
		return nil
	}
}

func (s service) askShards(c *gin.Context, r shards, status int) {
	l := i18n.From(c.Request.Context())
	p := r.props(l)
	p.Frame = s.Frame(c, p.Heading, app.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, pageui.UnknownItems(c, l)...)
	if p.Once = r.change; p.Once == "" {
		p.Once = ui.NewFormID()
	}
	var curls []string
	for _, name := range p.Names {
		values := url.Values{}
		if r.reason != "" {
			values.Set("reason", r.reason)
		}
		curls = append(curls, s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", r.job.Name, "sharding", name, r.action.Verb), values, ""))
	}
	p.Curl = pageui.Curls(l, curls)
	s.Render(c, status, jobs.Bulk(p))
}

// props is the page's view model.
func (r shards) props(l i18n.Lang) jobs.BulkProps {
	words, w, job := shardWords[r.action.Verb], wordsOf[r.action.Verb], r.job.Name
	w.targets = nil
	p := jobs.BulkProps{
		Heading: words.many(l, len(r.items), job), Job: job, JobHref: app.JobPath("/jobs", job), RowLabel: l.ShardsRows(), Subject: l.JobShard(),
		Post: pageui.ShardsPath(job, r.action.Verb), Field: "item", Verb: r.action.Verb, Return: pageui.ShardsPath(job),
	}
	switch len(r.items) {
	case 0:
		p.Empty = &ui.Empty{Heading: l.ShardsNone(), Text: l.ShardsNoneText(), Href: p.Return, Label: l.ShardsBack(), TestID: "bulk-none"}
		return p
	case 1:
		p.Heading = words.one(l, strconv.Itoa(r.items[0]), job)
	}
	if r.asked > len(r.items) {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.ShardsTooMany(r.asked), Text: l.ShardsTooManyText(len(r.items)), TestID: "bulk-too-many"})
	}
	var sum counts
	for i, one := range r.foresee() {
		item := strconv.Itoa(r.items[i])
		row := jobs.BulkRow{Name: l.ShardsOne(item)}
		if sum.row(l, w, &row, one.refusal(l), len(one.Affected)) {
			r.describe(l, &row, r.items[i])
			p.Names = append(p.Names, item)
		}
		p.Rows = append(p.Rows, row)
	}
	if p.Counts = sum.preview(l, w); sum.will == 0 {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkNothing(), Text: l.ShardsNothingText(), TestID: "bulk-nothing"})
		return p
	}
	p.Sum, p.Button, p.Effects = l.ShardsWrites(sum.will), words.submit(l, sum.will), r.effects(l, sum.will)
	p.Reason = reasonField(l.ShardsReasonHint(), r.reason, r.err, !r.on())
	return p
}

// describe adds the owner of a shard, and that it runs.
func (r shards) describe(l i18n.Lang, row *jobs.BulkRow, item int) {
	i := slices.IndexFunc(r.job.Shards, func(s statistics.Shard) bool { return s.Item == item })
	if owner := r.job.Shards[i].Instance; owner != "" {
		row.How = l.JobOn() + " " + owner
	}
	if !r.on() && r.job.Shards[i].RunningOn != "" {
		row.Note = l.BulkRunning()
	}
}

// effects are the effects on the job if n shards are switched.
func (r shards) effects(l i18n.Lang, n int) []string {
	if r.on() {
		return []string{l.ShardsEffectOn()}
	}
	left := -n
	for _, s := range r.job.Shards {
		if !s.Disabled {
			left++
		}
	}
	if left == 0 {
		return []string{l.ShardsEffectOff(), l.ShardsEffectNoneLeft(), l.ShardsEffectStays()}
	}
	return []string{l.ShardsEffectOff(), l.ShardsEffectLeft(left, len(r.job.Shards)), l.ShardsEffectStays()}
}

// shardsFromPage is the target of the form.
func (s service) shardsFromPage(o app.Action) func(*gin.Context) error {
	return func(c *gin.Context) error {
		if err := c.Request.ParseForm(); err != nil {
			return app.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged)
		}
		r, err := s.readShards(c, o, c.Request.PostForm)
		if err != nil {
			return err
		}
		l, missing := i18n.From(c.Request.Context()), ""
		if !r.on() {
			missing = l.ShardsReasonMissing()
		}
		if r.err = wrongReason(l, r.reason, missing); r.err != "" || len(r.items) == 0 || r.asked > len(r.items) || app.Resumed(c) {
			app.Refused(c, "not_confirmed")
			s.askShards(c, r, app.FormStatus(c))
			return nil
		}
		to := pageui.ShardsPath(r.job.Name)
		results, err := s.submitShards(c, r)
		if errors.Is(err, app.ErrRepeated) {
			return pageui.Done(s.Console, c, to, pageui.RepeatedFlash(l, r.change), nil)
		}
		f, done := flashOf(l, results, wordsOf[o.Verb].how(l), func(i int) string { return l.ShardsOne(strconv.Itoa(r.items[i])) })
		f.Title, f.Links = shardWords[o.Verb].done(l, done, r.job.Name), s.changeLinks(l, r.change, true)
		return pageui.Done(s.Console, c, to, f, err)
	}
}
