package pages

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
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostSteps bounds the steps of a run on its page.
const mostSteps = 100

// runPage is one run.
func (s *Pages) runPage(c *gin.Context) {
	run, err := s.ReadRun(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	lacks, err := s.HistoryLacks(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, "", console.AreaExecutions)
	if run.State == rdb.RunRunning || run.State == rdb.RunLost { // Another instance may go on with it.
		f.LiveSeconds = console.LiveSeconds
	}
	d := runDrawing{OneRun: run, lang: i18n.From(c.Request.Context()), now: s.Now(), operates: !console.LooksOnly(c)}
	asked := c.Request.URL.Query()
	f.Ignored = append(f.Ignored, d.ask(asked)...)
	problems, err := s.readLogOfShard(c, &d, asked)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f.Ignored = append(f.Ignored, problems.In(d.lang)...)
	if log := s.Members(c); log != nil {
		d.departures(log.Of(run.JobName, jobpage.StoryEvents))
	}
	s.Render(c, http.StatusOK, runs.Run(d.props(f, lacks)))
}

// readLogOfShard chooses the shard that is shown in full, and reads its log.
func (s *Pages) readLogOfShard(c *gin.Context, d *runDrawing, v url.Values) (problems query.Problems, err error) {
	d.log = runLogView{lang: d.lang, now: d.now, page: pageui.RunPath(d.JobName, d.ID), anchor: "#shard", executions: d.Executions, link: s.Options().LogLink}
	d.log.asked, problems = query.ParseRunLog(url.Values{"attempt": v["attempt"], "lines": v["lines"]}, "shard", console.MostLogLines)
	if d.opened = d.shardToOpen(d.shards()); d.opened < 0 {
		return problems, nil
	}
	d.log.log.Item = d.opened
	if d.log.logs, d.log.state = s.LogsOfRun(c, d.Run, d.opened); d.log.state != console.Recorded {
		return problems, nil
	}
	d.log.log, err = s.ReadLog(c, d.JobName, d.ID, d.log.logs, console.LogAsked{
		Item: d.opened, Attempt: d.log.asked.Attempt, Limit: logLimit(d.log.asked, d.State == rdb.RunRunning), Last: true,
	})
	return problems, err
}

// ask reads the address. What it does not know is said, and the rest applied.
func (d *runDrawing) ask(v url.Values) (hints []string) {
	d.opened = -1
	if text := v.Get("shard"); text != "" {
		n, err := strconv.Atoi(text)
		if err == nil && slices.ContainsFunc(d.Executions, func(e tracing.Execution) bool { return e.Item == n }) {
			d.opened = n
		} else {
			hints = append(hints, d.lang.RunNoShard(strconv.Quote(view.Clip(text, 40))))
		}
	}
	switch lanes := v.Get("lanes"); lanes {
	case "", "all":
		d.all = lanes != ""
	default:
		hints = append(hints, d.lang.RunNoLanes(strconv.Quote(view.Clip(lanes, 40))))
	}
	return hints
}

// runDrawing makes the page of a run.
type runDrawing struct {
	console.OneRun
	lang          i18n.Lang
	now           time.Time
	opened        int             // the shard that was asked for, -1 for none
	all, operates bool            // every lane; shards can be run again
	left          []members.Event // instances of the run that left while it went on
	log           runLogView      // of the opened shard
	// laneHref is the address of a shard; nil for the page of the run.
	laneHref func(item int) string
}

// departures notes which of the events, the newest first, are about the run: instances that ran
// shards of it and left while it went on, or were lost with a shard.
func (d *runDrawing) departures(events []members.Event) {
	end := d.end()
	for _, e := range slices.Backward(events) {
		same := func(other members.Event) bool { return other.Instance == e.Instance }
		if e.Kind == members.Left && !slices.ContainsFunc(d.left, same) && slices.ContainsFunc(d.Executions, func(x tracing.Execution) bool {
			return pageui.RanOn(x, e.Instance) && !x.StartTime.After(e.At) && (x.Lost || !e.At.After(end))
		}) {
			d.left = append(d.left, e)
		}
	}
}

// lostAt is when the instance of an execution that was lost left, before the next
// attempt began; zero if nobody saw it.
func (d *runDrawing) lostAt(e tracing.Execution, next *tracing.Execution) (at time.Time) {
	for _, left := range d.left {
		if pageui.RanOn(e, left.Instance) && !left.At.Before(e.StartTime) && (next == nil || !left.At.After(next.StartTime)) {
			at = left.At
		}
	}
	return at
}

func stateChip(l i18n.Lang, state rdb.RunState) ui.Chip {
	return ui.Chip{Tone: pageui.RunTone(state), Label: pageui.RunState(l, state), TestID: "run-state"}
}

func (d runDrawing) props(f layout.Frame, lacks []string) runs.RunProps {
	l := d.lang
	began := cmp.Or(d.ScheduledAt, d.Start)
	p := runs.RunProps{
		Frame: f, Job: d.JobName, JobHref: console.JobPath("/jobs", d.JobName), ListHref: query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: d.JobName})),
		Heading: l.RunTitle(d.JobName, view.NearTime(l, began, d.now).Text), Sub: d.sub(), State: stateChip(l, d.State), Notices: runNotices(l, d.Run, lacks), Facts: d.facts(), Again: d.againFailed(d.shards()),
	}
	p.Frame.Title = p.Heading
	p.Frame.Scripts = append(p.Frame.Scripts, "copy.js")
	if d.Before != "" {
		p.Before = pageui.RunPath(d.JobName, d.Before)
	}
	if d.After != "" {
		p.After = pageui.RunPath(d.JobName, d.After)
	}
	shards := d.shards()
	p.Label = l.RunTimelineLabel(len(shards), pageui.Took(d.lang, d.end().Sub(d.Start)))
	if d.opened >= 0 {
		i := slices.IndexFunc(shards, func(s shardRun) bool { return s.item == d.opened })
		p.Opened = d.shard(shards[i], shards)
	}
	p.Ticks = d.axis().Ticks()
	for _, e := range d.left {
		p.Losses = append(p.Losses, runs.Tick{X: d.at(e.At), Label: l.LossLine(e.Instance, pageui.Took(l, e.At.Sub(d.Start)))})
	}
	p.Lanes, p.Others = d.lanes(shards)
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
		return d.lang.RunSubLeft(d.Running, d.Shards)
	case rdb.RunFailed:
		return d.lang.RunSubFailed(d.Failed, d.Shards)
	case rdb.RunLost:
		return d.lang.RunSubLost(d.Lost, d.Shards)
	case rdb.RunCancelled:
		return d.lang.RunSubCancelled(d.Cancelled, d.Shards)
	default:
		return d.lang.RunSub(d.Shards)
	}
}

// end is the end of the timeline: that of the run, or now.
func (d runDrawing) end() time.Time {
	end := d.End
	if d.State == rdb.RunRunning {
		end = d.now
	}
	for _, e := range d.Executions {
		for _, t := range []time.Time{e.StartTime, e.CompleteTime} {
			if t.After(end) {
				end = t
			}
		}
	}
	for _, left := range d.left {
		if left.At.After(end) {
			end = left.At
		}
	}
	if end.Sub(d.Start) < time.Millisecond {
		end = d.Start.Add(time.Millisecond)
	}
	return end
}

func (d runDrawing) facts() []runs.Fact {
	l := d.lang
	var list []runs.Fact
	add := func(name, value string) { list = append(list, runs.Fact{Name: name, Value: value}) }
	started := view.DateTime(d.Start).Text
	if !d.ScheduledAt.IsZero() {
		add(l.RunScheduled(), view.DateTime(d.ScheduledAt).Text)
		if late := d.Start.Sub(d.ScheduledAt); late >= 0 && late < time.Minute {
			started = "+" + pageui.Took(d.lang, late)
		}
	}
	add(l.RunStarted(), started)
	switch {
	case d.State == rdb.RunRunning:
		add(l.RunDuration(), l.RunSoFar(ui.Span(d.lang, d.now.Sub(d.Start))))
	case d.End.IsZero():
		add(l.RunDuration(), l.RunUnknown())
	default:
		add(l.RunEnded(), view.NearTime(l, d.End, d.Start).Text)
		add(l.RunDuration(), pageui.Took(d.lang, d.End.Sub(d.Start)))
	}
	if skew := d.skew(); skew >= 1.5 {
		list = append(list, runs.Fact{Name: l.RunSkew(), Value: l.RunSkewValue(strconv.FormatFloat(skew, 'f', 1, 64)), Tone: ui.ToneWarn})
	}
	add(l.RunTrigger(), pageui.RunTrigger(l, d.Trigger))
	if d.Lost > 0 {
		list = append(list, runs.Fact{Name: l.RunInstances(), Value: l.RunInstancesLost(len(d.IPs), d.Lost), Tone: ui.ToneWarn})
	} else {
		add(l.RunInstances(), strconv.Itoa(len(d.IPs)))
	}
	add(l.RunAttempts(), l.RunAttemptsValue(len(d.Executions), d.Shards))
	if d.FailedOver > 0 {
		add(l.RunFailedOver(), l.RunSub(d.FailedOver))
	}
	return append(list, runs.Fact{Name: l.RunId(), Value: d.ID, Mono: true})
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

// shardRun is a shard with its executions, in their order.
type shardRun struct {
	item     int
	attempts []tracing.Execution
	took     time.Duration
}

func (s shardRun) last() tracing.Execution { return s.attempts[len(s.attempts)-1] }
func (s shardRun) state() rdb.RunState     { return rdb.StateOf(s.last()) }

// shards are those of the run: first the failed and the lost ones, then the slowest.
func (d runDrawing) shards() []shardRun {
	var list []shardRun
	for _, e := range d.Executions { // by shard
		if len(list) == 0 || list[len(list)-1].item != e.Item {
			list = append(list, shardRun{item: e.Item})
		}
		s := &list[len(list)-1]
		s.attempts = append(s.attempts, e)
	}
	for i := range list {
		s := &list[i]
		end := s.last().CompleteTime
		if end.IsZero() {
			end = s.last().StartTime
		}
		if s.state() == rdb.RunRunning {
			end = d.now
		}
		s.took = end.Sub(s.attempts[0].StartTime)
	}
	rank := map[rdb.RunState]int{rdb.RunFailed: 2, rdb.RunLost: 1}
	slices.SortStableFunc(list, func(a, b shardRun) int {
		return cmp.Or(rank[b.state()]-rank[a.state()], cmp.Compare(b.took, a.took))
	})
	return list
}

// shardToOpen is the shard that was asked for, else the first that failed or was lost, else the only one. It's -1 if
// there is none.
func (d runDrawing) shardToOpen(shards []shardRun) int {
	has := func(yes func(shardRun) bool) int {
		if i := slices.IndexFunc(shards, yes); i >= 0 {
			return shards[i].item
		}
		return -1
	}
	if found := has(func(s shardRun) bool { return s.item == d.opened }); found >= 0 {
		return found
	}
	if found := has(func(s shardRun) bool { return s.state() == rdb.RunFailed }); found >= 0 {
		return found
	}
	return has(func(s shardRun) bool { return s.state() == rdb.RunLost || len(shards) == 1 })
}

// shard is a shard in full.
func (d runDrawing) shard(s shardRun, all []shardRun) *runs.Shard {
	l := d.lang
	full := &runs.Shard{Number: strconv.Itoa(s.item), State: stateChip(l, s.state()), Lost: s.state() == rdb.RunLost, Again: d.again(l.RerunAgainShard(strconv.Itoa(s.item)), s.item)}
	if s.state() == rdb.RunFailed {
		full.Cause = strings.TrimSpace(s.last().FailureCause)
		full.CauseHead = cmp.Or(pageui.FirstLine(full.Cause), l.RunNoMessage())
		full.Cause = cmp.Or(full.Cause, full.CauseHead)
		cause, literal := rdb.CauseOf(full.Cause)
		for _, other := range all {
			if other.item == s.item || other.state() != rdb.RunFailed {
				continue
			}
			if same, _ := rdb.CauseOf(other.last().FailureCause); same == cause {
				full.Alike++
			}
		}
		if literal != "" && s.last().FailureCause != "" {
			full.AlikeHref = query.WithQuery("/runs", query.RunValues(rdb.RunFilter{State: rdb.RunFailed, FailureText: literal}))
		}
	}
	full.Log = d.log.box()
	for i, e := range s.attempts {
		state := rdb.StateOf(e)
		a := runs.Attempt{Number: attemptNumber(s.attempts, i), State: stateChip(l, state), Instance: e.IP, Host: e.Hostname, Start: view.ClockTime(e.StartTime),
			Took: l.RunUnknown(), Trigger: pageui.RunTrigger(l, rdb.TriggerOf(e)), TaskID: e.TaskID}
		switch {
		case !e.CompleteTime.IsZero():
			a.Took = pageui.Took(d.lang, e.CompleteTime.Sub(e.StartTime))
		case state == rdb.RunRunning:
			a.Took = l.RunSoFar(ui.Span(d.lang, d.now.Sub(e.StartTime)))
		}
		if i < len(s.attempts)-1 || state == rdb.RunCancelled { // the failure of the last one is above
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
func (d runDrawing) addTrail(p *runs.RunProps) {
	steps := d.Trail
	if p.TrailLeftOut = max(0, len(steps)-mostSteps); p.TrailLeftOut > 0 {
		steps = steps[p.TrailLeftOut:]
	}
	for _, st := range steps {
		p.Trail = append(p.Trail, runs.Step{
			At: view.ClockTime(st.CreationTime), State: strings.TrimPrefix(string(st.State), "TASK_"), Where: st.SlaveID, Message: view.Clip(st.Message, 300),
			Bad: badStep(st.State),
		})
	}
}
