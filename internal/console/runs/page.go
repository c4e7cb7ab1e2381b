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

	"github.com/elasticjob-go/elasticjob/internal/console"
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

// runPage is one run.
func (s *runs) runPage(c *gin.Context) error {
	run, err := s.read(c)
	if err != nil {
		return err
	}
	lacks, err := s.HistoryLacks(c)
	if err != nil {
		return err
	}
	f := s.Frame(c, "", console.AreaExecutions)
	if run.State == rdb.RunRunning || run.State == rdb.RunLost { // Another instance may go on with it.
		f.LiveSeconds = console.LiveSeconds
	}
	d := runDrawing{RunTimeline: pageui.RunTimeline{Run: run.Run, Lang: i18n.From(c.Request.Context()), Now: s.Now()}, one: run, operates: !console.LooksOnly(c)}
	asked := c.Request.URL.Query()
	f.Ignored = append(f.Ignored, d.ask(asked)...)
	problems, err := s.readLogOfShard(c, &d, asked)
	if err != nil {
		return err
	}
	f.Ignored = append(f.Ignored, problems.In(d.Lang)...)
	if log := s.Members(c); log != nil {
		d.departures(log.Of(run.JobName, mostEvents))
	}
	s.Render(c, http.StatusOK, runpages.Run(d.props(f, lacks)))
	return nil
}

// readLogOfShard chooses the shard that is shown in full, and reads its log.
func (s *runs) readLogOfShard(c *gin.Context, d *runDrawing, v url.Values) (problems query.Problems, err error) {
	d.log = pageui.RunLogView{Lang: d.Lang, Now: d.Now, Page: pageui.RunPath(d.JobName, d.ID), Anchor: "#shard", Executions: d.Executions, Link: s.Options().LogLink}
	d.log.Asked, problems = query.ParseRunLog(url.Values{"attempt": v["attempt"], "lines": v["lines"]}, "shard", console.MostLogLines)
	if d.Opened = d.shardToOpen(d.ByShard()); d.Opened < 0 {
		return problems, nil
	}
	d.log.Log.Item = d.Opened
	if d.log.Logs, d.log.State = s.LogsOfRun(c, d.Run, d.Opened); d.log.State != console.Recorded {
		return problems, nil
	}
	asked := d.log.Asked
	asked.Shard, asked.Limit, asked.Last = d.Opened, pageui.LogLimit(asked, d.State == rdb.RunRunning), true
	d.log.Log, err = s.ReadLog(c, d.JobName, d.ID, d.log.Logs, asked)
	return problems, err
}

// ask reads the address. What it does not know is said, and the rest applied.
func (d *runDrawing) ask(v url.Values) (hints []string) {
	d.Opened = -1
	if text := v.Get("shard"); text != "" {
		n, err := strconv.Atoi(text)
		if err == nil && slices.ContainsFunc(d.Executions, func(e tracing.Execution) bool { return e.Item == n }) {
			d.Opened = n
		} else {
			hints = append(hints, d.Lang.RunNoShard(strconv.Quote(view.Clip(text, 40))))
		}
	}
	switch lanes := v.Get("lanes"); lanes {
	case "", "all":
		d.All = lanes != ""
	default:
		hints = append(hints, d.Lang.RunNoLanes(strconv.Quote(view.Clip(lanes, 40))))
	}
	return hints
}

// runDrawing makes the page of a run.
type runDrawing struct {
	pageui.RunTimeline
	one      oneRun
	operates bool              // shards can be run again
	log      pageui.RunLogView // of the opened shard
}

// departures notes which of the events, the newest first, are about the run: instances that ran
// shards of it and left while it went on, or were lost with a shard.
func (d *runDrawing) departures(events []members.Event) {
	end := d.Until()
	for _, e := range slices.Backward(events) {
		same := func(other members.Event) bool { return other.Instance == e.Instance }
		if e.Kind == members.Left && !slices.ContainsFunc(d.Left, same) && slices.ContainsFunc(d.Executions, func(x tracing.Execution) bool {
			return pageui.RanOn(x, e.Instance) && !x.StartTime.After(e.At) && (x.Lost || !e.At.After(end))
		}) {
			d.Left = append(d.Left, e)
		}
	}
}

func stateChip(l i18n.Lang, state rdb.RunState) ui.Chip {
	return ui.Chip{Tone: pageui.RunTone(state), Label: pageui.RunState(l, state), TestID: "run-state"}
}

func (d runDrawing) props(f layout.Frame, lacks []string) runpages.RunProps {
	l := d.Lang
	began := cmp.Or(d.ScheduledAt, d.Start)
	p := runpages.RunProps{
		Frame: f, Job: d.JobName, JobHref: console.JobPath("/jobs", d.JobName), ListHref: query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: d.JobName})),
		Heading: l.RunTitle(d.JobName, view.NearTime(l, began, d.Now).Text), Sub: d.sub(), State: stateChip(l, d.State), Notices: runNotices(l, d.Run, lacks), Facts: d.facts(), Again: d.againFailed(d.ByShard()),
	}
	p.Frame.Title = p.Heading
	p.Frame.Scripts = append(p.Frame.Scripts, "copy.js")
	if d.one.before != "" {
		p.Before = pageui.RunPath(d.JobName, d.one.before)
	}
	if d.one.after != "" {
		p.After = pageui.RunPath(d.JobName, d.one.after)
	}
	shards := d.ByShard()
	p.Label = l.RunTimelineLabel(len(shards), pageui.Took(d.Lang, d.Until().Sub(d.Start)))
	if d.Opened >= 0 {
		i := slices.IndexFunc(shards, func(s pageui.ShardRun) bool { return s.Item == d.Opened })
		p.Opened = d.shard(shards[i], shards)
	}
	p.Ticks = d.Axis().Ticks()
	for _, e := range d.Left {
		p.Losses = append(p.Losses, runpages.Tick{X: d.At(e.At), Label: l.LossLine(e.Instance, pageui.Took(l, e.At.Sub(d.Start)))})
	}
	p.Lanes, p.Others = d.Lanes(shards)
	p.AllHref = query.WithQuery(pageui.RunPath(d.JobName, d.ID), map[string][]string{"lanes": {"all"}})
	d.addTrail(&p)
	return p
}

// runNotices say what is not known of a run.
func runNotices(l i18n.Lang, r rdb.Run, lacks []string) (list []ui.Notice) {
	switch {
	case len(lacks) > 0:
		list = append(list, pageui.MissingColumns(l, lacks))
	case r.Grouped:
		list = append(list, ui.Notice{Tone: ui.ToneQuiet, Heading: l.RunGrouped(), Text: l.RunGroupedText(), TestID: "run-grouped"})
	}
	if r.Truncated {
		list = append(list, ui.Notice{Tone: ui.ToneWarn, Heading: l.RunTruncated(), Text: l.RunTruncatedText(rdb.MaxRunRows), TestID: "run-truncated"})
	}
	return list
}

// sub is the line below the heading.
func (d runDrawing) sub() string {
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

func (d runDrawing) facts() []runpages.Fact {
	l := d.Lang
	var list []runpages.Fact
	add := func(name, value string) { list = append(list, runpages.Fact{Name: name, Value: value}) }
	started := view.DateTime(d.Start).Text
	if !d.ScheduledAt.IsZero() {
		add(l.RunScheduled(), view.DateTime(d.ScheduledAt).Text)
		if late := d.Start.Sub(d.ScheduledAt); late >= 0 && late < time.Minute {
			started = "+" + pageui.Took(d.Lang, late)
		}
	}
	add(l.RunStarted(), started)
	switch {
	case d.State == rdb.RunRunning:
		add(l.RunDuration(), l.RunSoFar(ui.Span(d.Lang, d.Now.Sub(d.Start))))
	case d.End.IsZero():
		add(l.RunDuration(), l.RunUnknown())
	default:
		add(l.RunEnded(), view.NearTime(l, d.End, d.Start).Text)
		add(l.RunDuration(), pageui.Took(d.Lang, d.End.Sub(d.Start)))
	}
	if skew := d.skew(); skew >= 1.5 {
		list = append(list, runpages.Fact{Name: l.RunSkew(), Value: l.RunSkewValue(strconv.FormatFloat(skew, 'f', 1, 64)), Tone: ui.ToneWarn})
	}
	add(l.RunTrigger(), pageui.RunTrigger(l, d.Trigger))
	if d.Lost > 0 {
		list = append(list, runpages.Fact{Name: l.RunInstances(), Value: l.RunInstancesLost(len(d.IPs), d.Lost), Tone: ui.ToneWarn})
	} else {
		add(l.RunInstances(), strconv.Itoa(len(d.IPs)))
	}
	add(l.RunAttempts(), l.RunAttemptsValue(len(d.Executions), d.Shards))
	if d.FailedOver > 0 {
		add(l.RunFailedOver(), l.RunSub(d.FailedOver))
	}
	return append(list, runpages.Fact{Name: l.RunId(), Value: d.ID, Mono: true})
}

// skew is how many times longer the slowest execution took than the one in the
// middle; 0 if too few have ended to tell.
func (d runDrawing) skew() float64 {
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

// shardToOpen is the shard that was asked for, else the first that failed or was lost, else the only one. It's -1 if
// there is none.
func (d runDrawing) shardToOpen(shards []pageui.ShardRun) int {
	has := func(yes func(pageui.ShardRun) bool) int {
		if i := slices.IndexFunc(shards, yes); i >= 0 {
			return shards[i].Item
		}
		return -1
	}
	if found := has(func(s pageui.ShardRun) bool { return s.Item == d.Opened }); found >= 0 {
		return found
	}
	if found := has(func(s pageui.ShardRun) bool { return s.State() == rdb.RunFailed }); found >= 0 {
		return found
	}
	return has(func(s pageui.ShardRun) bool { return s.State() == rdb.RunLost || len(shards) == 1 })
}

// shard is a shard in full.
func (d runDrawing) shard(s pageui.ShardRun, all []pageui.ShardRun) *runpages.Shard {
	l := d.Lang
	full := &runpages.Shard{Number: strconv.Itoa(s.Item), State: stateChip(l, s.State()), Lost: s.State() == rdb.RunLost, Again: d.again(l.RerunAgainShard(strconv.Itoa(s.Item)), s.Item)}
	if s.State() == rdb.RunFailed {
		full.Cause = strings.TrimSpace(s.Last().FailureCause)
		full.CauseHead = cmp.Or(pageui.FirstLine(full.Cause), l.RunNoMessage())
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
			full.AlikeHref = query.WithQuery("/runs", query.RunValues(rdb.RunFilter{State: rdb.RunFailed, FailureText: literal}))
		}
	}
	full.Log = d.log.Box()
	for i, e := range s.Attempts {
		state := rdb.StateOf(e)
		a := runpages.Attempt{Number: pageui.AttemptNumber(s.Attempts, i), State: stateChip(l, state), Instance: e.IP, Host: e.Hostname, Start: view.ClockTime(e.StartTime),
			Took: l.RunUnknown(), Trigger: pageui.RunTrigger(l, rdb.TriggerOf(e)), TaskID: e.TaskID}
		switch {
		case !e.CompleteTime.IsZero():
			a.Took = pageui.Took(d.Lang, e.CompleteTime.Sub(e.StartTime))
		case state == rdb.RunRunning:
			a.Took = l.RunSoFar(ui.Span(d.Lang, d.Now.Sub(e.StartTime)))
		}
		if i < len(s.Attempts)-1 || state == rdb.RunCancelled { // the failure of the last one is above
			a.Cause = pageui.FirstLine(e.FailureCause)
		}
		if e.Hostname == e.IP {
			a.Host = ""
		}
		full.Attempts = append(full.Attempts, a)
	}
	return full
}

// addTrail adds the steps of the run's tasks.
func (d runDrawing) addTrail(p *runpages.RunProps) {
	steps := d.one.trail
	if p.TrailLeftOut = max(0, len(steps)-mostSteps); p.TrailLeftOut > 0 {
		steps = steps[p.TrailLeftOut:]
	}
	for _, st := range steps {
		p.Trail = append(p.Trail, runpages.Step{
			At: view.ClockTime(st.CreationTime), State: strings.TrimPrefix(string(st.State), "TASK_"), Where: st.SlaveID, Message: view.Clip(st.Message, 300),
			Bad: badStep(st.State),
		})
	}
}

// again leads from a run to the page that asks before shards of it run again; nil for
// those who may not, and while the run goes on.
func (d runDrawing) again(label string, shards ...int) *ui.Button {
	if !d.operates || d.State == rdb.RunRunning || len(shards) == 0 {
		return nil
	}
	return &ui.Button{Label: label, Href: pageui.RerunPath(d.JobName, shards, d.ID), TestID: "rerun"}
}

// againFailed is again for all shards of the run that failed or were lost.
func (d runDrawing) againFailed(shards []pageui.ShardRun) *ui.Button {
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
