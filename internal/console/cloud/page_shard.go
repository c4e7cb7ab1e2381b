package cloud

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// The lines and bytes of a log on the page. For a process that goes on there are as many lines as
// are seen without scrolling, so that the last one stays in sight.
const (
	shownLogLines = 300
	shownLogBytes = 512 << 10
)

// askedShard is the shard of a run that an address is about.
type askedShard struct {
	run    cloud.RunStatus
	number int
	// attempts are none as long as the shard waits.
	attempts []cloud.Task
	// shown is the attempt whose log is asked for, nil for none.
	shown *cloud.Task
	lines string // "all", or empty for the last ones
	hints []string
}

// shardOf finds the shard of an address.
func (r *call) askedShard() (a askedShard, err error) {
	var tasks []cloud.Task
	if a.run, tasks, err = r.findRun(r.name); err != nil {
		return a, err
	}
	a.number, err = strconv.Atoi(r.c.Param("item"))
	if err != nil || a.number < 0 || a.number >= a.run.Shards {
		return a, fmt.Errorf("shard %q of run %q: %w", view.Clip(r.c.Param("item"), 20), r.name, cloud.ErrNotFound)
	}
	for _, one := range shardsOf(tasks) {
		if one.number == a.number {
			a.attempts = one.attempts
		}
	}
	r.readShard(&a)
	return a, nil
}

// readShard reads the attempt and the lines of its log in the address.
func (r *call) readShard(a *askedShard) {
	if len(a.attempts) > 0 {
		a.shown = &a.attempts[len(a.attempts)-1]
	}
	if text := r.c.Query("attempt"); text != "" {
		n, err := strconv.Atoi(text)
		known := false
		for i := range a.attempts {
			if err == nil && a.attempts[i].Attempt == n {
				a.shown, known = &a.attempts[i], true
			}
		}
		if !known {
			a.hints = append(a.hints, r.l.CloudNoAttempt(strconv.Quote(view.Clip(text, 40))))
		}
	}
	switch lines := r.c.Query("lines"); lines {
	case "", "all":
		a.lines = lines
	default:
		a.hints = append(a.hints, r.l.AddressUnknown("lines", strconv.Quote(view.Clip(lines, 40)), "all"))
	}
}

// href is the page of an attempt at the shard.
func (a *askedShard) href(attempt int, lines string) string {
	v := url.Values{}
	if attempt > 0 && attempt != a.attempts[len(a.attempts)-1].Attempt {
		v.Set("attempt", strconv.Itoa(attempt))
	}
	if lines != "" {
		v.Set("lines", lines)
	}
	return query.WithQuery(cloudui.ShardPath(a.run.Name, a.number), v)
}

// shardPage is a shard of a run: its attempts, and the log of one of them.
func shardPage(r *call) error {
	a, err := r.askedShard()
	if err != nil {
		return err
	}
	title := r.titleOf(a.run)
	h := r.headOf(r.l.CloudShardTitle(strconv.Itoa(a.number)), parts[1],
		layout.Crumb{Label: a.run.JobName, Href: cloudui.Path("jobs", a.run.JobName), Mono: true}, layout.Crumb{Label: title, Href: cloudui.RunPath(a.run.Name)})
	h.Frame.Title = h.Heading + " · " + title
	h.Frame.Ignored = append(h.Frame.Ignored, a.hints...)
	k := taskLook(tracing.StateStaging)
	p := cloudui.ShardProps{Ended: a.run.State.Ended()}
	if n := len(a.attempts); n > 0 {
		k = taskLook(a.attempts[n-1].State)
		p.Facts = r.shardFacts(a.run, *a.shown)
	}
	if !p.Ended {
		h.Frame.LiveSeconds = runSeconds
		if n := len(a.attempts); n > 0 && !cloud.Ended(a.attempts[n-1].State) && !app.LooksOnly(r.c) {
			h.Actions = []ui.Button{{Kind: ui.ButtonDanger, Label: r.l.CloudKill() + "…", Href: cloudui.ShardPath(a.run.Name, a.number) + "/kill", TestID: "kill-shard"}}
		}
	}
	h.State = k.chip(r.l, "shard-state")
	for _, t := range a.attempts {
		row := cloudui.Attempt{Task: t, Href: a.href(t.Attempt, ""), Shown: t.UID == a.shown.UID, State: taskLook(t.State).state(r.l, ""), Took: r.tookWords(t.Started, t.Ended)}
		row.State.Title, row.Message = string(t.State), view.Clip(r.text(t.Message), 300)
		if !t.Started.IsZero() {
			row.Start = r.near(t.Started)
		}
		p.Attempts = append(p.Attempts, row)
	}
	p.Log, p.Head = r.logOf(&a), h
	return r.render(http.StatusOK, cloudui.Shard(p))
}

// shardFacts are about the process whose log is shown.
func (r *call) shardFacts(run cloud.RunStatus, t cloud.Task) []ui.Fact {
	list := []ui.Fact{{Label: r.l.RunAttempt(), Value: strconv.Itoa(t.Attempt)}}
	for _, f := range []ui.Fact{{Label: r.l.CloudNode(), Value: t.Node, Mono: true}, {Label: r.l.CloudHost(), Value: pageui.JoinNotes(t.Host, t.IP), Mono: true}} {
		if f.Value != "" {
			list = append(list, f)
		}
	}
	return append(list, ui.Fact{Label: r.l.CloudTask(), Value: t.ID(run.JobName), Mono: true})
}

// logOf is what the process of the attempt wrote, as far as the page has room.
func (r *call) logOf(a *askedShard) (log cloudui.Log) {
	if a.shown == nil {
		return cloudui.Log{None: r.l.CloudLogNone()}
	}
	if !r.Engine.Capabilities().Logs {
		return cloudui.Log{None: r.l.CloudLogCannot()}
	}
	log.Label = r.l.RequestLogOf(strconv.Itoa(a.number), strconv.Itoa(a.shown.Attempt))
	most := shownLogLines
	switch {
	case a.lines == "all":
		most = pageui.AllLines
	case !cloud.Ended(a.shown.State):
		most = pageui.FollowedLines
	}
	text, err := r.readLog(r.ctx, a.shown.TaskRef, cloud.LogOptions{Tail: most + 1, MaxBytes: shownLogBytes}, app.LooksOnly(r.c))
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		log.None = r.l.CloudLogDropped()
		return log
	case err != nil:
		r.s.LogFailure(r.c, pageProblem(err))
		log.None = r.l.CloudLogAway()
		return log
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	cut := len(lines) > most
	if cut {
		lines = lines[len(lines)-most:]
	}
	if log.Text = terminal.ReplaceAllString(strings.Join(lines, "\n"), ""); strings.TrimSpace(log.Text) == "" {
		log.Text, log.None = "", r.l.CloudLogEmpty()
		return log
	}
	log.Sub = r.l.RequestLogLines(len(lines))
	if cut {
		log.Sub = r.l.CloudLogLast(len(lines))
	}
	switch {
	case a.lines == "all":
		log.More = &ui.Tab{Label: r.l.RequestLogTail(), Href: a.href(a.shown.Attempt, "") + "#log"}
	case cut:
		log.More = &ui.Tab{Label: r.l.CloudLogMore(), Href: a.href(a.shown.Attempt, "all") + "#log"}
	}
	log.Download = query.WithQuery(cloudui.ShardPath(a.run.Name, a.number)+"/log", url.Values{"attempt": {strconv.Itoa(a.shown.Attempt)}})
	return log
}

// terminal are the sequences by which programs colour what they write, and other control
// characters that a page has no use for.
var terminal = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]`)

// download is the log of an attempt as a file.
func download(r *call) error {
	a, err := r.askedShard()
	if err != nil {
		return err
	}
	if a.shown == nil || len(a.hints) > 0 {
		return fmt.Errorf("a log of shard %d of run %q: %w", a.number, a.run.Name, cloud.ErrNotFound)
	}
	text, err := r.readLog(r.ctx, a.shown.TaskRef, cloud.LogOptions{}, app.LooksOnly(r.c))
	if err != nil {
		return err
	}
	r.c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%d-%d.log"`, a.run.Name, a.number, a.shown.Attempt))
	return r.plain(text, nil)
}
