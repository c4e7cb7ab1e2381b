package cloud

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// mostListedCells bounds the shards of a run in a list that has their cells, because the tasks
	// of each are looked up.
	mostListedCells = 64
	// mostReasons bounds the listed reasons that keep a run from going on.
	mostReasons = 20
)

// shardRun is a shard of a run with its attempts, in order.
type shardRun struct {
	number   int
	attempts []cloud.Task
}

func (s shardRun) last() cloud.Task { return s.attempts[len(s.attempts)-1] }

// shardsOf are the shards that have tasks.
func shardsOf(tasks []cloud.Task) (list []shardRun) {
	tasks = slices.SortedFunc(slices.Values(tasks), func(a, b cloud.Task) int { return cmp.Or(a.Shard-b.Shard, a.Attempt-b.Attempt) })
	for _, t := range tasks {
		if len(list) == 0 || list[len(list)-1].number != t.Shard {
			list = append(list, shardRun{number: t.Shard})
		}
		one := &list[len(list)-1]
		one.attempts = append(one.attempts, t)
	}
	return list
}

// runsPage lists the runs that the engine has.
func runsPage(r *call) error {
	p := cloudui.RunsProps{Head: r.head("runs"), Job: view.Clip(strings.TrimSpace(r.c.Query("job")), cloud.MaxName)}
	state := cloud.RunState(r.c.Query("state"))
	if state != "" && !slices.Contains(runStates, state) {
		r.ignored(&p.Head.Frame, "state", string(state), view.Join(runStates))
		state = ""
	}
	page := r.pageOf(&p.Head.Frame)
	all := r.Seen.Runs(p.Job)
	p.State, p.Views, p.ClearHref = string(state), r.runTabs(all, p.Job, state), runsHref("", state, 1)
	list := slices.DeleteFunc(slices.Clone(all), func(run cloud.RunStatus) bool { return state != "" && run.State != state })
	first := min((page-1)*query.ScreenRows, len(list))
	shown := list[first:min(first+query.ScreenRows, len(list))]
	p.Rows = r.runRows(shown)
	switch {
	case len(shown) == 0 && len(all) == 0 && p.Job == "":
		p.Empty = &ui.Empty{Heading: r.l.CloudRunsNone(), Text: r.l.CloudRunsNoneText(), TestID: "cloud-runs-empty"}
	case len(shown) == 0:
		p.Empty = &ui.Empty{Heading: r.l.CloudRunsNoneSuch(), Href: runsPath, Label: r.l.CloudToRuns(), TestID: "cloud-runs-empty"}
	}
	p.Pager = ui.Pager{Summary: r.l.CloudRunsCount(first+1, first+len(shown), len(list)), PrevLabel: r.l.RequestNewer(), NextLabel: r.l.RequestMore()}
	if page > 1 {
		p.Pager.Prev = runsHref(p.Job, state, page-1)
	}
	if first+len(shown) < len(list) {
		p.Pager.Next = runsHref(p.Job, state, page+1)
	}
	return r.render(http.StatusOK, cloudui.Runs(p))
}

// runsHref is the list of the runs of a job in a state, "" for any.
func runsHref(job string, state cloud.RunState, page int) string {
	v := url.Values{}
	if job != "" {
		v.Set("job", job)
	}
	if state != "" {
		v.Set("state", string(state))
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	return query.WithQuery(runsPath, v)
}

// runTabs are the states with the number of runs in each.
func (r *call) runTabs(all []cloud.RunStatus, job string, chosen cloud.RunState) []ui.Tab {
	count := make(map[cloud.RunState]int)
	for _, run := range all {
		count[run.State]++
	}
	tabs := []ui.Tab{{Label: r.l.RequestAll(), Href: runsHref(job, "", 1), Count: view.Thousands(len(all)), Active: chosen == "", TestID: "state-all"}}
	for _, state := range runStates {
		k := runLook(state)
		tabs = append(tabs, ui.Tab{Label: k.word(r.l), Tone: k.tone, Count: view.Thousands(count[state]), Href: runsHref(job, state, 1), Active: chosen == state, TestID: "state-" + string(state)})
	}
	return tabs
}

// runRows are runs as lines of a table.
func (r *call) runRows(list []cloud.RunStatus) []runs.Row {
	longest := time.Duration(1)
	for _, run := range list {
		took, _ := r.took(run.Started, run.Ended)
		longest = max(longest, took)
	}
	rows := make([]runs.Row, 0, len(list))
	for _, run := range list {
		k := runLook(run.State)
		took, _ := r.took(run.Started, run.Ended)
		row := runs.Row{
			Href: cloudui.RunPath(run.Name), Key: query.RowKey(run.Name), Start: view.ListTime(r.l, fireOf(run), r.now), Job: cloud.RunRef(run.Namespace, run.JobName), JobHref: cloudui.Path("jobs", run.JobName),
			State: k.state(r.l, "run-state"), Tone: k.tone, Trigger: originWord(r.l, run.Origin),
			Shards: r.l.RunSub(run.Count), Words: r.l.RunSub(run.Count), Took: r.tookWords(run.Started, run.Ended), Share: float64(took) / float64(longest),
		}
		message := r.text(run.Message)
		if run.State == cloud.RunFailed || run.State == cloud.RunKilled {
			row.Error, row.Title = view.FirstLine(message), view.Clip(message, 160)
		} else {
			row.State.Title = view.Clip(message, 160)
		}
		if run.Count <= mostListedCells {
			row.Cells = r.cells(run)
		}
		rows = append(rows, row)
	}
	return rows
}

// cells are the states of the shards of a run. A shard without a task waits.
func (r *call) cells(run cloud.RunStatus) (list []ui.Tone) {
	_, tasks, there := r.Seen.FindRun(run.Ref())
	if !there {
		return nil
	}
	for _, one := range shardsOf(tasks) {
		list = append(list, taskLook(one.last().State).tone)
	}
	for len(list) < run.Count {
		list = append(list, ui.ToneQuiet)
	}
	return pageui.Cells(list)
}

// processes are the shards of a run of a DAEMON, each with its newest process.
func (r *call) processes(run cloud.RunStatus, shards []shardRun, shared bool) *cloudui.Processes {
	p := &cloudui.Processes{Job: cmp.Or(run.JobName, r.name), Run: run.Name, Shared: shared}
	if len(shards) == 0 {
		p.None = &ui.Empty{Heading: r.l.CloudDaemonNone(), Text: r.l.CloudDaemonNoneText(), TestID: "cloud-processes-none"}
	}
	for _, one := range shards[:min(len(shards), mostRows)] {
		row := cloudui.Process{Task: one.last(), State: taskLook(one.last().State).state(r.l, "process-state")}
		row.Message = view.Clip(r.text(row.Message), 200)
		since := row.Created
		switch {
		case !row.Ended.IsZero():
			since = row.Ended
			if !run.State.Ended() {
				row.State.Label = r.l.CloudDaemonAgain()
			}
		case !row.Started.IsZero():
			since = row.Started
		}
		row.Since = r.near(since)
		p.Rows = append(p.Rows, row)
	}
	if more := len(shards) - len(p.Rows); more > 0 {
		p.More = r.l.CloudQueueMore(more)
	}
	return p
}

// runView is a run on its page.
type runView struct {
	*call
	cloud.RunStatus
	shards []shardRun // by number
	all    bool       // every lane
}

// runPage is one run.
func runPage(r *call) error {
	run, tasks, err := r.findRun(r.name)
	if err != nil {
		return err
	}
	d := runView{call: r, RunStatus: run, shards: shardsOf(tasks)}
	h := r.headOf(r.titleOf(run), parts[1], layout.Crumb{Label: run.JobName, Href: cloudui.Path("jobs", run.JobName), Mono: true})
	all, problems := query.ParseLanes(r.c.Request.URL.Query())
	d.all, h.Frame.Ignored = all, append(h.Frame.Ignored, problems.In(r.l)...)
	h.State = runLook(run.State).chip(r.l, "run-state")
	if !run.State.Ended() {
		h.Frame.LiveSeconds = runSeconds
	}
	if message := r.text(run.Message); message != "" {
		tone := ui.ToneWarn
		if run.State == cloud.RunFailed {
			tone = ui.ToneBad
		}
		h.Notices = append(h.Notices, ui.Notice{Tone: tone, Heading: view.FirstLine(message), TestID: "run-message"})
	}
	if !app.LooksOnly(r.c) {
		h.Actions = d.actions()
	}
	p := cloudui.RunProps{Head: h, Facts: d.facts(), Ended: run.State.Ended()}
	p.Cells, p.CellsSub = d.cellRows()
	if len(d.shards) > 0 {
		p.Timeline = d.timeline()
	}
	if run.Origin == cloud.OriginDaemon {
		shared := slices.ContainsFunc(r.Seen.Jobs(), func(d cloud.Definition) bool { return d.Job.Name == run.JobName && d.Job.Registry() })
		p.Processes = r.processes(run, d.shards, shared)
	}
	reasons, err := r.reasons(run)
	if err != nil { // The page has a notice about the engine.
		r.s.LogFailure(r.c, pageProblem(err))
	}
	for _, why := range reasons[:min(len(reasons), mostReasons)] {
		one := cloudui.Reason{Reason: why}
		one.Text = view.Clip(mask.Text(cmp.Or(why.Text, why.Code)), 400)
		if !why.Since.IsZero() {
			one.Since = view.ForTime(why.Since, r.now)
		}
		p.Reasons = append(p.Reasons, one)
	}
	return r.render(http.StatusOK, cloudui.Run(p))
}

// actions are what an operator can do with the run. After its end, the form of the job
// offers to run the shards again that did not succeed.
func (d runView) actions() []ui.Button {
	here := cloudui.RunPath(d.Name)
	switch {
	case d.Origin == cloud.OriginDaemon:
		return nil
	case d.State.Ended():
		_, shards, err := d.unfinished(d.Name)
		if err != nil || len(shards) == 0 {
			return nil
		}
		href := query.WithQuery(cloudui.Path("jobs", d.JobName, "trigger"), url.Values{"shards": {jobtree.RunShards(shards).String()}})
		return []ui.Button{{Icon: "play", Label: d.l.CloudAgain(len(shards)) + "…", Href: href, TestID: "rerun-run"}}
	}
	first := ui.Button{Icon: "pause", Label: d.l.CloudSuspend(), Post: here + "/suspend", TestID: "suspend-run"}
	if d.State == cloud.RunSuspended {
		first = ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: d.l.CloudResume(), Post: here + "/resume", TestID: "resume-run"}
	} else if !d.Engine.Capabilities().Suspend {
		first.Disabled = d.l.CloudCannotSuspend()
	}
	return []ui.Button{first, {Kind: ui.ButtonDanger, Label: d.l.CloudKill() + "…", Href: here + "/kill", TestID: "kill-run"}}
}

func (d runView) facts() (list []ui.Fact) {
	l := d.l
	add := func(label, value string) { list = append(list, ui.Fact{Label: label, Value: value}) }
	if !d.Fire.IsZero() {
		add(l.RunScheduled(), view.DateTime(d.Fire).Text)
	}
	if !d.Started.IsZero() {
		add(l.RunStarted(), d.near(d.Started).Text)
	}
	if !d.Ended.IsZero() {
		add(l.RunEnded(), d.near(d.Ended).Text)
	}
	add(l.RunDuration(), d.tookWords(d.Started, d.Ended))
	add(l.RunTrigger(), originWord(l, d.Origin))
	shards := l.RunSub(d.Count)
	if d.Count != d.Shards {
		shards = l.CloudShardsOf(d.Count, d.Shards)
	}
	list = append(list, ui.Fact{Label: l.RunsTableShards(), Value: shards, Note: d.shardWords()})
	attempts := 0
	for _, s := range d.shards {
		attempts += len(s.attempts)
	}
	add(l.RunAttempts(), strconv.Itoa(attempts))
	list = append(list, namespaceFact(l, d.Namespace)...)
	return append(list, ui.Fact{Label: l.CloudApp(), Value: d.AppName, Mono: true}, ui.Fact{Label: l.RunId(), Value: d.Name, Mono: true})
}

// byState are the numbers of the shards in each state of [taskLooks].
func (d runView) byState() [][]int {
	list := make([][]int, len(taskLooks))
	for _, s := range d.shards {
		rank := taskRank(s.last().State)
		list[rank] = append(list[rank], s.number)
	}
	return list
}

// shardWords count the shards in each state.
func (d runView) shardWords() string {
	var parts []string
	for rank, numbers := range d.byState() {
		if len(numbers) > 0 {
			parts = append(parts, view.Thousands(len(numbers))+" "+strings.ToLower(taskLooks[rank].word(d.l)))
		}
	}
	return strings.Join(parts, " · ")
}

// cellRows are all shards by state, for a run with more shards than lanes are easy to read.
func (d runView) cellRows() (p *chart.Cells, sub string) {
	if len(d.shards) <= pageui.GridShards {
		return nil, ""
	}
	p = &chart.Cells{Label: d.shardWords()}
	drawn := 0
	for rank, numbers := range d.byState() {
		room := max(pageui.MostCells-drawn, 0)
		if len(numbers) == 0 || room == 0 {
			continue
		}
		k := taskLooks[rank]
		row := chart.CellRow{Label: k.word(d.l), Tone: k.tone, Note: pageui.ShardRanges(d.l, numbers), Cells: slices.Repeat([]ui.Tone{k.tone}, min(len(numbers), room))}
		drawn += len(row.Cells)
		p.Rows = append(p.Rows, row)
	}
	return p, d.l.RunSub(d.Count)
}

// axis goes from the launch to the end, or to now.
func (d runView) axis() pageui.TimeAxis {
	a := pageui.TimeAxis{Begin: d.Created, End: d.Ended, Lang: d.l}
	if a.Begin.IsZero() {
		a.Begin = fireOf(d.RunStatus)
	}
	if a.End.IsZero() {
		a.End = d.now
	}
	if a.End.Sub(a.Begin) < time.Second {
		a.End = a.Begin.Add(time.Second)
	}
	return a
}

// timeline is the shards over time, the slowest first. For many shards it has those that did not
// succeed and the slowest.
func (d runView) timeline() runs.Timeline {
	axis := d.axis()
	took := func(s shardRun) time.Duration {
		took, _ := d.took(s.attempts[0].Created, s.last().Ended)
		return took
	}
	p := runs.Timeline{Where: d.l.CloudNode(), Ticks: axis.Ticks(), Label: d.l.RunTimelineLabel(len(d.shards), pageui.Took(d.l, axis.End.Sub(axis.Begin)))}
	p.AllHref = query.WithQuery(cloudui.RunPath(d.Name), url.Values{"lanes": {"all"}})
	sorted := slices.SortedStableFunc(slices.Values(d.shards), func(a, b shardRun) int { return cmp.Compare(took(b), took(a)) })
	for i, s := range sorted {
		if len(p.Lanes) >= pageui.AllLanes || !pageui.LaneShown(i, len(sorted), s.last().State != tracing.StateFinished || d.all) {
			p.Others++
			continue
		}
		p.Lanes = append(p.Lanes, d.lane(s, axis))
	}
	return p
}

func (d runView) lane(s shardRun, axis pageui.TimeAxis) runs.Lane {
	k, number := taskLook(s.last().State), strconv.Itoa(s.number)
	lane := runs.Lane{
		Item: number, Tone: k.tone, Label: d.l.RunLane(number, k.word(d.l)), Href: cloudui.ShardPath(d.Name, s.number),
		Took: d.tookWords(s.attempts[0].Created, s.last().Ended), Instances: s.last().Node,
	}
	for _, t := range s.attempts {
		begin, end := t.Started, t.Ended
		if end.IsZero() {
			end = d.now
		}
		if begin.IsZero() {
			begin = end
		}
		if wait := axis.At(begin) - axis.At(t.Created); wait > 0 && !t.Created.IsZero() {
			lane.Bars = append(lane.Bars, runs.Bar{Tone: runs.Waiting, X: axis.At(t.Created), Width: wait, Title: d.l.RunLegendWait()})
		}
		if t.Started.IsZero() && t.Ended.IsZero() {
			continue
		}
		bar := runs.Bar{Tone: barTone(t.State), X: axis.At(begin), Width: max(axis.At(end)-axis.At(begin), pageui.NarrowestBar), Title: taskLook(t.State).word(d.l)}
		if len(s.attempts) > 1 {
			bar.Text = strconv.Itoa(t.Attempt)
		}
		lane.Bars = append(lane.Bars, bar)
	}
	return lane
}

// barTone is the look of a task on a lane.
func barTone(state cloud.State) ui.Tone {
	switch tone := taskLook(state).tone; tone {
	case ui.ToneQuiet:
		return ui.ToneRun
	case ui.ToneWarn:
		return ui.ToneLost
	default:
		return tone
	}
}
