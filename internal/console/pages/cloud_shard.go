package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How many lines and bytes of a log the page has. Of a process that runs as many lines as
// are seen without scrolling, so that the last one stays in sight.
const (
	shownLogLines = 300
	shownLogBytes = 512 << 10
)

// cloudShardAsked is the shard of a run that an address is about.
type cloudShardAsked struct {
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
func (s cloudPages) shardOf(c *gin.Context, at *console.Cloud) (a cloudShardAsked, err error) {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return a, err
	}
	var tasks []cloud.Task
	if a.run, tasks, err = at.FindRun(name); err != nil {
		return a, err
	}
	a.number, err = strconv.Atoi(c.Param("item"))
	if err != nil || a.number < 0 || a.number >= a.run.Shards {
		return a, fmt.Errorf("shard %q of run %q: %w", view.Clip(c.Param("item"), 20), name, cloud.ErrNotFound)
	}
	for _, one := range cloudShards(tasks) {
		if one.number == a.number {
			a.attempts = one.attempts
		}
	}
	a.ask(c)
	return a, nil
}

// ask reads which attempt and how much of its log is asked for.
func (a *cloudShardAsked) ask(c *gin.Context) {
	l := i18n.From(c.Request.Context())
	if len(a.attempts) > 0 {
		a.shown = &a.attempts[len(a.attempts)-1]
	}
	if text := c.Query("attempt"); text != "" {
		n, err := strconv.Atoi(text)
		known := false
		for i := range a.attempts {
			if err == nil && a.attempts[i].Attempt == n {
				a.shown, known = &a.attempts[i], true
			}
		}
		if !known {
			a.hints = append(a.hints, l.CloudNoAttempt(strconv.Quote(view.Clip(text, 40))))
		}
	}
	switch lines := c.Query("lines"); lines {
	case "", "all":
		a.lines = lines
	default:
		a.hints = append(a.hints, l.AddressUnknown("lines", strconv.Quote(view.Clip(lines, 40)), "all"))
	}
}

// href is the page of an attempt at the shard.
func (a *cloudShardAsked) href(attempt int, lines string) string {
	v := url.Values{}
	if attempt > 0 && attempt != a.attempts[len(a.attempts)-1].Attempt {
		v.Set("attempt", strconv.Itoa(attempt))
	}
	if lines != "" {
		v.Set("lines", lines)
	}
	return query.WithQuery(cloudShardPath(a.run.Name, a.number), v)
}

// shardPage is a shard of a run: its attempts, and the log of one of them.
func (s cloudPages) shardPage(c *gin.Context, at *console.Cloud) error {
	a, err := s.shardOf(c, at)
	if err != nil {
		return err
	}
	l, now := i18n.From(c.Request.Context()), s.Now()
	title := cloudRunTitle(l, a.run, now)
	h := s.oneHead(c, at, l.CloudShardTitle(strconv.Itoa(a.number)), "runs", l.FrameRuns(),
		layout.Crumb{Label: a.run.JobName, Href: cloudPath("jobs", a.run.JobName), Mono: true}, layout.Crumb{Label: title, Href: cloudPath("runs", a.run.Name)})
	h.Frame.Title = h.Heading + " · " + title
	h.Frame.Ignored = append(h.Frame.Ignored, a.hints...)
	look := cloudTaskLook(tracing.StateStaging)
	p := cloudui.ShardProps{Ended: a.run.State.Ended()}
	if n := len(a.attempts); n > 0 {
		look = cloudTaskLook(a.attempts[n-1].State)
		p.Facts = shardFacts(l, a.run, *a.shown)
	}
	if !p.Ended {
		h.Frame.LiveSeconds = cloudRunSeconds
		if n := len(a.attempts); n > 0 && !cloud.Ended(a.attempts[n-1].State) && !console.LooksOnly(c) {
			h.Actions = []ui.Button{{Kind: ui.ButtonDanger, Label: l.CloudKill() + "…", Href: cloudShardPath(a.run.Name, a.number, "kill"), TestID: "kill-shard"}}
		}
	}
	h.State = &ui.Chip{Tone: look.tone, Label: look.word(l), TestID: "shard-state"}
	for _, t := range a.attempts {
		look := cloudTaskLook(t.State)
		row := cloudui.Attempt{
			Number: strconv.Itoa(t.Attempt), Href: a.href(t.Attempt, ""), Shown: t.UID == a.shown.UID, State: ui.State{Tone: look.tone, Label: look.word(l), Title: string(t.State)},
			Node: t.Node, Took: cloudTookIn(l, t.Started, t.Ended, now), Message: view.Clip(cloudText(c, t.Message), 300),
		}
		if !t.Started.IsZero() {
			row.Start = view.NearTime(l, t.Started, now)
		}
		p.Attempts = append(p.Attempts, row)
	}
	p.Log, p.Head = s.logOf(c, at, &a), h
	s.Render(c, http.StatusOK, cloudui.Shard(p))
	return nil
}

// shardFacts are about the process whose log is shown.
func shardFacts(l i18n.Lang, r cloud.RunStatus, t cloud.Task) []ui.Fact {
	list := []ui.Fact{{Label: l.RunAttempt(), Value: strconv.Itoa(t.Attempt)}}
	for _, f := range []ui.Fact{{Label: l.CloudNode(), Value: t.Node, Mono: true}, {Label: l.CloudHost(), Value: pageui.JoinNotes(t.Host, t.IP), Mono: true}} {
		if f.Value != "" {
			list = append(list, f)
		}
	}
	return append(list, ui.Fact{Label: l.CloudTask(), Value: t.ID(r.JobName), Mono: true})
}

// logOf is what the process of the attempt wrote, as far as the page has room.
func (s cloudPages) logOf(c *gin.Context, at *console.Cloud, a *cloudShardAsked) (log cloudui.Log) {
	l := i18n.From(c.Request.Context())
	if a.shown == nil {
		return cloudui.Log{None: l.CloudLogNone()}
	}
	if !at.Engine.Capabilities().Logs {
		return cloudui.Log{None: l.CloudLogCannot()}
	}
	log.Label = l.RequestLogOf(strconv.Itoa(a.number), strconv.Itoa(a.shown.Attempt))
	most := shownLogLines
	switch {
	case a.lines == "all":
		most = allLines
	case !cloud.Ended(a.shown.State):
		most = followedLines
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	text, err := at.ReadLog(ctx, a.shown.TaskRef, cloud.LogOptions{Tail: most + 1, MaxBytes: shownLogBytes}, console.LooksOnly(c))
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		log.None = l.CloudLogDropped()
		return log
	case err != nil:
		s.LogFailure(c, cloudProblem(err))
		log.None = l.CloudLogAway()
		return log
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	cut := len(lines) > most
	if cut {
		lines = lines[len(lines)-most:]
	}
	if log.Text = terminal.ReplaceAllString(strings.Join(lines, "\n"), ""); strings.TrimSpace(log.Text) == "" {
		log.Text, log.None = "", l.CloudLogEmpty()
		return log
	}
	log.Sub = l.RequestLogLines(len(lines))
	if cut {
		log.Sub = l.CloudLogLast(len(lines))
	}
	switch {
	case a.lines == "all":
		log.More = &ui.Tab{Label: l.RequestLogTail(), Href: a.href(a.shown.Attempt, "") + "#log"}
	case cut:
		log.More = &ui.Tab{Label: l.CloudLogMore(), Href: a.href(a.shown.Attempt, "all") + "#log"}
	}
	log.Download = query.WithQuery(cloudShardPath(a.run.Name, a.number, "log"), url.Values{"attempt": {strconv.Itoa(a.shown.Attempt)}})
	return log
}

// terminal are the sequences by which programs colour what they write, and other control
// characters that a page has no use for.
var terminal = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]`)

// download is the log of an attempt as a file.
func (s cloudPages) download(c *gin.Context, at *console.Cloud) error {
	a, err := s.shardOf(c, at)
	if err != nil {
		return err
	}
	if a.shown == nil || len(a.hints) > 0 {
		return fmt.Errorf("a log of shard %d of run %q: %w", a.number, a.run.Name, cloud.ErrNotFound)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	text, err := at.ReadLog(ctx, a.shown.TaskRef, cloud.LogOptions{}, console.LooksOnly(c))
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%d-%d.log"`, a.run.Name, a.number, a.shown.Attempt))
	c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(text))
	return nil
}
