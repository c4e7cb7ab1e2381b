package runs

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	runpages "github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	mostSteps  = 100 // steps on the page of a run
	mostEvents = 200 // events of the job's instances that are looked at
)

// runPage is the page of a run.
func (s *runs) runPage(c *gin.Context) error {
	run, err := s.read(c)
	if err != nil {
		return err
	}
	lacks, err := s.HistoryLacks(c)
	if err != nil {
		return err
	}
	f := s.Frame(c, "", app.AreaExecutions)
	if run.State == rdb.RunRunning || run.State == rdb.RunLost { // Another instance may continue it.
		f.LiveSeconds = app.LiveSeconds
	}
	d := drawing{
		RunTimeline: pageui.RunTimeline{Run: run.Run, Lang: i18n.From(c.Request.Context()), Now: s.Now()},
		one:         run, operates: !app.LooksOnly(c),
	}
	asked := c.Request.URL.Query()
	problems := d.ask(asked)
	more, err := s.readLog(c, &d, asked)
	if err != nil {
		return err
	}
	f.Ignored = append(f.Ignored, append(problems, more...).In(d.Lang)...)
	if log := s.Members(c); log != nil {
		d.departures(log.Of(run.JobName, mostEvents))
	}
	s.Render(c, http.StatusOK, runpages.Run(d.props(f, lacks)))
	return nil
}

// drawing makes the page of a run.
type drawing struct {
	pageui.RunTimeline
	one      oneRun
	operates bool              // shards can be run again
	log      pageui.RunLogView // of the opened shard
}

// ask reads the address, and chooses the shard that is opened: the shard in the address, else the first that failed or
// was lost, else the only shard.
func (d *drawing) ask(v url.Values) (problems query.Problems) {
	shards, asked := d.ByShard(), -1
	d.All, problems = query.ParseLanes(v)
	if text := v.Get("shard"); text != "" {
		n, err := strconv.Atoi(text)
		if err == nil && slices.ContainsFunc(shards, func(s pageui.ShardRun) bool { return s.Item == n }) {
			asked = n
		} else {
			problems = append(problems, query.About(text, i18n.Lang.RunNoShard))
		}
	}
	d.Opened = -1
	for _, yes := range []func(pageui.ShardRun) bool{
		func(s pageui.ShardRun) bool { return s.Item == asked },
		func(s pageui.ShardRun) bool { return s.State() == rdb.RunFailed },
		func(s pageui.ShardRun) bool { return s.State() == rdb.RunLost || len(shards) == 1 },
	} {
		if i := slices.IndexFunc(shards, yes); i >= 0 && d.Opened < 0 {
			d.Opened = shards[i].Item
		}
	}
	return problems
}

// readLog reads the log of the opened shard.
func (s *runs) readLog(c *gin.Context, d *drawing, v url.Values) (problems query.Problems, err error) {
	v = url.Values{"attempt": v["attempt"], "lines": v["lines"]}
	asked, problems := query.ParseRunLog(v, "shard", app.MostLogLines)
	d.log = pageui.RunLogView{
		Lang: d.Lang, Now: d.Now, Page: d.path(), Anchor: "#shard", Executions: d.Executions, Link: s.Options().LogLink,
		Asked: asked,
	}
	if d.Opened < 0 {
		return problems, nil
	}
	d.log.Log.Item = d.Opened
	if d.log.Logs, d.log.State = s.LogsOfRun(c, d.Run, d.Opened); d.log.State != app.Recorded {
		return problems, nil
	}
	asked.Shard, asked.Limit, asked.Last = d.Opened, pageui.LogLimit(asked, d.State == rdb.RunRunning), true
	d.log.Log, err = s.ReadLog(c, d.JobName, d.ID, d.log.Logs, asked)
	return problems, err
}

func (d *drawing) path() string { return pageui.RunPath(d.JobName, d.ID) }

// departures notes the events about the run: its instances that left during the run or were lost with a shard. The
// events must be ordered with the newest first.
func (d *drawing) departures(events []members.Event) {
	end := d.Until()
	for _, e := range slices.Backward(events) {
		same := func(other members.Event) bool { return other.Instance == e.Instance }
		during := func(x tracing.Execution) bool {
			return pageui.RanOn(x, e.Instance) && !x.StartTime.After(e.At) && (x.Lost || !e.At.After(end))
		}
		if e.Kind == members.Left && !slices.ContainsFunc(d.Left, same) && slices.ContainsFunc(d.Executions, during) {
			d.Left = append(d.Left, e)
		}
	}
}

func (d *drawing) props(f layout.Frame, lacks []string) runpages.RunProps {
	l, shards := d.Lang, d.ByShard()
	began := view.NearTime(l, cmp.Or(d.ScheduledAt, d.Start), d.Now)
	p := runpages.RunProps{
		Frame: f, Job: d.JobName, Heading: l.RunTitle(d.JobName, began.Text),
		Sub: d.sub(), State: pageui.RunChip(l, d.State), Notices: notices(l, d.Run, lacks), Facts: d.facts(),
		Again: d.againFailed(shards), Timeline: d.Timeline(d.path()), TrailLeftOut: max(0, len(d.one.trail)-mostSteps),
	}
	p.Trail = d.one.trail[p.TrailLeftOut:]
	p.Frame.Title = p.Heading
	p.Frame.Scripts = append(p.Frame.Scripts, "copy.js")
	if d.one.before != "" {
		p.Before = pageui.RunPath(d.JobName, d.one.before)
	}
	if d.one.after != "" {
		p.After = pageui.RunPath(d.JobName, d.one.after)
	}
	if i := slices.IndexFunc(shards, func(s pageui.ShardRun) bool { return s.Item == d.Opened }); i >= 0 {
		p.Opened = d.shard(shards[i], shards)
	}
	return p
}

// notices explain the parts of a run that are unknown.
func notices(l i18n.Lang, r rdb.Run, lacks []string) (list []ui.Notice) {
	switch {
	case len(lacks) > 0:
		list = append(list, pageui.MissingColumns(l, lacks))
	case r.Grouped:
		n := ui.Notice{Tone: ui.ToneQuiet, Heading: l.RunGrouped(), Text: l.RunGroupedText(), TestID: "run-grouped"}
		list = append(list, n)
	}
	if r.Truncated {
		text := l.RunTruncatedText(rdb.MaxRunRows)
		list = append(list, ui.Notice{Tone: ui.ToneWarn, Heading: l.RunTruncated(), Text: text, TestID: "run-truncated"})
	}
	return list
}

// sub is the line below the heading.
func (d *drawing) sub() string {
	switch d.State {
	case rdb.RunRunning:
		return d.Lang.RunSubLeft(d.Running, d.Shards)
	case rdb.RunFailed:
		return d.Lang.RunSubFailed(d.Failed, d.Shards)
	case rdb.RunLost:
		return d.Lang.RunSubLost(d.Lost, d.Shards)
	case rdb.RunCancelled:
		return d.Lang.RunSubCancelled(d.Cancelled, d.Shards)
	default:
		return d.Lang.RunSub(d.Shards)
	}
}

func (d *drawing) facts() (list []ui.Fact) {
	l := d.Lang
	add := func(name, value string) { list = append(list, ui.Fact{Label: name, Value: value}) }
	started := view.DateTime(d.Start).Text
	if !d.ScheduledAt.IsZero() {
		add(l.RunScheduled(), view.DateTime(d.ScheduledAt).Text)
		if late := d.Start.Sub(d.ScheduledAt); late >= 0 && late < time.Minute {
			started = "+" + pageui.Took(l, late)
		}
	}
	add(l.RunStarted(), started)
	switch {
	case d.State == rdb.RunRunning:
		add(l.RunDuration(), l.RunSoFar(ui.Span(l, d.Now.Sub(d.Start))))
	case d.End.IsZero():
		add(l.RunDuration(), l.RunUnknown())
	default:
		add(l.RunEnded(), view.NearTime(l, d.End, d.Start).Text)
		add(l.RunDuration(), pageui.Took(l, d.End.Sub(d.Start)))
	}
	if skew := d.skew(); skew >= 1.5 {
		times := strconv.FormatFloat(skew, 'f', 1, 64)
		list = append(list, ui.Fact{Label: l.RunSkew(), Value: l.RunSkewValue(times), Warn: true})
	}
	add(l.RunTrigger(), pageui.RunTrigger(l, d.Trigger))
	if d.Lost > 0 {
		list = append(list, ui.Fact{Label: l.RunInstances(), Value: l.RunInstancesLost(len(d.IPs), d.Lost), Warn: true})
	} else {
		add(l.RunInstances(), strconv.Itoa(len(d.IPs)))
	}
	add(l.RunAttempts(), l.RunAttemptsValue(len(d.Executions), d.Shards))
	if d.FailedOver > 0 {
		add(l.RunFailedOver(), l.RunSub(d.FailedOver))
	}
	return append(list, ui.Fact{Label: l.RunId(), Value: d.ID, Mono: true})
}

// skew is how many times longer the slowest execution took than the median; 0 if fewer than three have ended.
func (d *drawing) skew() float64 {
	var took []time.Duration
	for _, e := range d.Executions {
		if !e.CompleteTime.IsZero() {
			took = append(took, e.CompleteTime.Sub(e.StartTime))
		}
	}
	if len(took) < 3 {
		return 0
	}
	slices.Sort(took)
	return float64(took[len(took)-1]) / float64(max(took[len(took)/2], time.Millisecond))
}

// shard is a shard in full.
func (d *drawing) shard(s pageui.ShardRun, all []pageui.ShardRun) *runpages.Shard {
	l, number := d.Lang, strconv.Itoa(s.Item)
	full := &runpages.Shard{
		Number: number, State: pageui.RunChip(l, s.State()), Lost: s.State() == rdb.RunLost, Log: d.log.Box(),
		Again: d.again(l.RerunAgainShard(number), s.Item),
	}
	if s.State() == rdb.RunFailed {
		full.Cause = strings.TrimSpace(s.Last().FailureCause)
		full.CauseHead = cmp.Or(view.FirstLine(full.Cause), l.RunNoMessage())
		full.Cause = cmp.Or(full.Cause, full.CauseHead)
		cause, literal := rdb.CauseOf(full.Cause)
		for _, other := range all {
			if other.Item == s.Item || other.State() != rdb.RunFailed {
				continue
			}
			if same, _ := rdb.CauseOf(other.Last().FailureCause); same == cause {
				full.Alike++
			}
		}
		if literal != "" && s.Last().FailureCause != "" {
			alike := rdb.RunFilter{State: rdb.RunFailed, FailureText: literal}
			full.AlikeHref = query.WithQuery("/runs", query.RunValues(alike))
		}
	}
	for i, e := range s.Attempts {
		a := runpages.Attempt{Execution: pageui.ExecutionOf(l, e, d.Now), Number: pageui.AttemptNumber(s.Attempts, i)}
		if i < len(s.Attempts)-1 || s.State() == rdb.RunCancelled {
			a.Cause = view.FirstLine(e.FailureCause)
		}
		full.Attempts = append(full.Attempts, a)
	}
	return full
}

// again leads to the page that asks before shards of the run run again; nil during the run and if the user may not.
func (d *drawing) again(label string, shards ...int) *ui.Button {
	if !d.operates || d.State == rdb.RunRunning || len(shards) == 0 {
		return nil
	}
	return &ui.Button{Label: label, Href: pageui.RerunPath(d.JobName, shards, d.ID), TestID: "rerun"}
}

// againFailed is again for all shards of the run that failed or were lost.
func (d *drawing) againFailed(shards []pageui.ShardRun) *ui.Button {
	var failed []int
	for _, s := range shards {
		if state := s.State(); state == rdb.RunFailed || state == rdb.RunLost {
			failed = append(failed, s.Item)
		}
	}
	slices.Sort(failed)
	b := d.again(d.Lang.RerunAgainFailed(len(failed)), failed...)
	if b != nil {
		b.Kind, b.TestID = ui.ButtonMain, "rerun-failed"
	}
	return b
}
