package pages

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// shardWords are what an action on several shards is called, by its verb.
var shardWords = map[string]struct {
	one              func(l i18n.Lang, shard, job string) string
	many, done       func(l i18n.Lang, n int, job string) string
	submit, will, as func(l i18n.Lang, n int) string
}{
	console.DisableShard.Verb: {
		i18n.Lang.ShardsAskDisableOne, i18n.Lang.ShardsAskDisable, i18n.Lang.ShardsDoneDisable,
		i18n.Lang.ShardsSubmitDisable, i18n.Lang.BulkWillDisable, i18n.Lang.BulkAlreadyDisable,
	},
	console.EnableShard.Verb: {
		i18n.Lang.ShardsAskEnableOne, i18n.Lang.ShardsAskEnable, i18n.Lang.ShardsDoneEnable,
		i18n.Lang.ShardsSubmitEnable, i18n.Lang.BulkWillEnable, i18n.Lang.BulkAlreadyEnable,
	},
}

// shardRoutes are the pages that ask before shards are switched, and the targets of
// their forms.
func (s *Pages) shardRoutes() []console.Route {
	const reg = console.TheRegistry
	var list []console.Route
	for _, o := range []console.Action{console.DisableShard, console.EnableShard} {
		list = append(list,
			console.Get("/jobs/:job/shards/"+o.Verb, console.Operates, reg, s.askShards(o)).Asks("item", "reason", "once"),
			console.Post("/jobs/:job/shards/"+o.Verb, console.Operates, reg, s.switchFromPage(o)).Resumes())
	}
	return list
}

// shardRequest is what the address of the page, or its form, asks for.
type shardRequest struct {
	action console.Action
	job    statistics.JobDetail
	console.ShardSwitch
	asked int // how many shards were named; of more than are taken at once it is about the first
	err   string
}

// shardsPath is the table of a job's shards.
func shardsPath(job string, more ...string) string {
	return console.JobPath("/jobs", job, append([]string{"shards"}, more...)...)
}

// readShards reads it.
func (s *Pages) readShards(c *gin.Context, o console.Action, v url.Values) (r shardRequest, err error) {
	if r.job, err = s.ReadJob(c); err != nil {
		return r, err
	}
	r.action = o
	r.ShardSwitch = console.ShardSwitch{Job: r.job.Name, On: o.Verb == console.EnableShard.Verb, Reason: strings.TrimSpace(v.Get("reason")), Change: pageui.FormID(v)}
	r.Items, r.asked = pageui.ShardItems(v["item"])
	return r, nil
}

func (s *Pages) askShards(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		r, err := s.readShards(c, o, c.Request.URL.Query())
		if err != nil {
			s.Fail(c, err)
			return
		}
		s.showAskShards(c, r, http.StatusOK)
	}
}

func (s *Pages) showAskShards(c *gin.Context, r shardRequest, status int) {
	l := i18n.From(c.Request.Context())
	p := r.props(l)
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, pageui.UnknownItems(c, l)...)
	if p.Once = r.Change; p.Once == "" {
		p.Once = ui.NewFormID()
	}
	var curls []string
	for _, name := range p.Names {
		values := url.Values{}
		if r.Reason != "" {
			values.Set("reason", r.Reason)
		}
		curls = append(curls, s.Curl(c, http.MethodPost, console.JobPath("/api/jobs", r.Job, "sharding", name, r.action.Verb), values, ""))
	}
	p.Curl = pageui.Curls(l, curls)
	s.Render(c, status, jobs.Bulk(p))
}

// props builds the page's view model.
func (r shardRequest) props(l i18n.Lang) jobs.BulkProps {
	w := shardWords[r.action.Verb]
	p := jobs.BulkProps{
		Heading: w.many(l, len(r.Items), r.Job), Job: r.Job, JobHref: console.JobPath("/jobs", r.Job), RowLabel: l.ShardsRows(), Subject: l.JobShard(),
		Post: shardsPath(r.Job, r.action.Verb), Field: "item", Verb: r.action.Verb, Return: shardsPath(r.Job),
	}
	switch len(r.Items) {
	case 0:
		p.Empty = &ui.Empty{Heading: l.ShardsNone(), Text: l.ShardsNoneText(), Href: p.Return, Label: l.ShardsBack(), TestID: "bulk-none"}
		return p
	case 1:
		p.Heading = w.one(l, strconv.Itoa(r.Items[0]), r.Job)
	}
	if r.asked > len(r.Items) {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.ShardsTooMany(r.asked), Text: l.ShardsTooManyText(len(r.Items)), TestID: "bulk-too-many"})
	}
	already, cannot := 0, 0
	for i, result := range r.Foresee(r.job) {
		item := strconv.Itoa(r.Items[i])
		row := jobs.BulkRow{Name: l.ShardsOne(item)}
		switch {
		case result.Refused != nil:
			cannot++
			row.Tone, row.What, row.Note, row.Quiet = ui.ToneWarn, l.BulkImpossible(), pageui.ProblemText(l, result.Refused), true
		case len(result.Affected) == 0:
			already++
			row.Tone, row.What, row.How, row.Quiet = ui.ToneSkip, l.BulkSkip(), wordsOfBulk[r.action.Verb].how(l), true
		default:
			row.Tone, row.What = bulkTone(r.action), wordsOfBulk[r.action.Verb].label(l)
			r.describe(l, &row, r.Items[i])
			p.Names = append(p.Names, item)
		}
		p.Rows = append(p.Rows, row)
	}
	p.Counts = []jobs.BulkCount{
		{N: view.Thousands(len(p.Names)), Text: w.will(l, len(p.Names)), Tone: bulkTone(r.action)},
		{N: view.Thousands(already), Text: w.as(l, already), Tone: ui.ToneQuiet}, {N: view.Thousands(cannot), Text: l.BulkCannot(), Tone: ui.ToneWarn},
	}
	if len(p.Names) == 0 {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkNothing(), Text: l.ShardsNothingText(), TestID: "bulk-nothing"})
		return p
	}
	p.Sum, p.Button, p.Effects = l.ShardsWrites(len(p.Names)), w.submit(l, len(p.Names)), r.effects(l, len(p.Names))
	p.Reason = &jobs.BulkReason{Hint: l.ShardsReasonHint(), Value: r.Reason, Error: r.err, Required: !r.On, Most: strconv.Itoa(console.MaxReason)}
	return p
}

// describe says whose a shard is, and that it runs.
func (r shardRequest) describe(l i18n.Lang, row *jobs.BulkRow, item int) {
	i := slices.IndexFunc(r.job.Shards, func(s statistics.Shard) bool { return s.Item == item })
	if owner := r.job.Shards[i].Instance; owner != "" {
		row.How = l.JobOn() + " " + owner
	}
	if !r.On && r.job.Shards[i].RunningOn != "" {
		row.Note = l.BulkRunning()
	}
}

// effects says what n shards that are switched mean for the job.
func (r shardRequest) effects(l i18n.Lang, n int) []string {
	if r.On {
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

// switchFromPage is the target of the form.
func (s *Pages) switchFromPage(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := c.Request.ParseForm(); err != nil {
			s.Fail(c, console.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged))
			return
		}
		r, err := s.readShards(c, o, c.Request.PostForm)
		if err != nil {
			s.Fail(c, err)
			return
		}
		l := i18n.From(c.Request.Context())
		switch n := utf8.RuneCountInString(r.Reason); {
		case r.Reason == "" && !r.On:
			r.err = l.ShardsReasonMissing()
		case n > console.MaxReason:
			r.err = l.BulkReasonLong(n, console.MaxReason)
		}
		if r.err != "" || len(r.Items) == 0 || r.asked > len(r.Items) || console.Resumed(c) {
			console.Refused(c, "not_confirmed")
			s.showAskShards(c, r, console.FormStatus(c))
			return
		}
		results, err := r.Submit(s.Console, c)
		switch {
		case errors.Is(err, console.ErrRepeated):
			s.SetFlash(c, pageui.RepeatedFlash(l, r.Change))
		case err != nil:
			s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		default:
			f := r.flash(l, results)
			f.Links = s.changeLinks(l, r.Change, true)
			s.SetFlash(c, f)
		}
		s.RedirectHere(c, shardsPath(r.Job))
	}
}

// flash tells what became of the shards.
func (r shardRequest) flash(l i18n.Lang, results []console.BulkResult) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK}
	done := 0
	for i, result := range results {
		name := l.ShardsOne(strconv.Itoa(r.Items[i]))
		switch {
		case result.Refused != nil:
			f.Tone = ui.ToneWarn
			f.Lines = append(f.Lines, name+": "+pageui.ProblemText(l, result.Refused))
		case len(result.Affected) == 0:
			f.Lines = append(f.Lines, name+": "+wordsOfBulk[r.action.Verb].how(l))
		default:
			done++
		}
	}
	f.Title = shardWords[r.action.Verb].done(l, done, r.Job)
	return f
}

// shardOf is the shard that a result of a change is about; empty for a result about
// a job.
func shardOf(verb string, r settings.ChangeResult) string {
	switch {
	case verb != console.ShardsDisabled && verb != console.ShardsEnabled:
	case len(r.Affected) > 0:
		return r.Affected[0]
	case len(r.Skipped) > 0:
		return r.Skipped[0].Target
	}
	return ""
}

// addShardSwitch gives the rows of shards their boxes and buttons, and the table its
// bar.
func addShardSwitch(l i18n.Lang, p *jobs.ShardsProps, shards []statistics.Shard, job string) {
	p.Picks = &jobs.ShardPicks{Clear: shardsPath(job), Disable: shardsPath(job, console.DisableShard.Verb), Enable: shardsPath(job, console.EnableShard.Verb), Rerun: pageui.AskRunPath(job)}
	for i, s := range shards {
		o, label := console.DisableShard, l.BulkMenuDisable()
		if s.Disabled {
			o, label = console.EnableShard, l.BulkMenuEnable()
		}
		item := strconv.Itoa(s.Item)
		p.Rows[i].Key, p.Rows[i].Pick = "shard-"+item, l.ShardsPick(item)
		p.Rows[i].Buttons = []ui.Button{{
			Small: true, Label: label, Href: query.WithQuery(shardsPath(job, o.Verb), url.Values{"item": {item}}), Subject: l.ShardsOne(item), TestID: "shard-" + o.Verb,
		}}
		if !s.Disabled {
			again := ui.Button{Small: true, Label: l.RerunAgain(), Href: pageui.RerunPath(job, []int{s.Item}, ""), Subject: l.ShardsOne(item), TestID: "shard-rerun"}
			p.Rows[i].Buttons = append([]ui.Button{again}, p.Rows[i].Buttons...)
		}
	}
}
