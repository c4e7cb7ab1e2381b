package servers

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	serverpages "github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// shownJobs is how many jobs of a server a page lists. If it has at most countedJobs, the shards
	// of all are read.
	shownJobs, countedJobs = query.ScreenRows, 50
	// lastExecutions is how many executions of a job are searched for the last one on the server.
	lastExecutions = 60
)

// drawing makes the page of a server.
type drawing struct {
	server
	asked query.Server
	lang  i18n.Lang
	now   time.Time
	zone  *time.Location // of the page
	// operates and removes: the caller may carry out actions, and also remove the server.
	operates, removes bool
	// details are jobs as they were looked up: the jobs of the page, or all.
	details map[string]statistics.JobDetail
}

// page is the page of a server.
func (s servers) page(c *gin.Context) error {
	srv, err := s.read(c)
	if err != nil {
		return err
	}
	l, now := i18n.From(c.Request.Context()), s.Now()
	asked, hints := query.ParseServer(srv.ip, c.Request.URL.Query(), now)
	d := drawing{
		server: srv, asked: asked, lang: l, now: now, zone: ui.ZoneOf(c.Request.Context()),
		operates: app.May(c, app.Operates), removes: app.May(c, app.RemoveServer.Needs),
	}
	shown, page := pageOf(srv.jobs, asked.Page, shownJobs)
	lookedUp := shown
	if len(srv.jobs) <= countedJobs {
		lookedUp = srv.jobs
	}
	if d.details, err = s.lookUp(c, lookedUp); err != nil {
		return err
	}
	names := namesOf(shown)
	last, historyErr := s.ReadLastRuns(c, names, lastExecutions)
	if historyErr != nil {
		s.LogFailure(c, historyErr)
	}
	p := serverpages.ServerProps{
		Frame: s.Frame(c, srv.ip, app.AreaServers), Now: now, Operates: d.operates,
		Server: statistics.Server{
			IP: srv.ip, Jobs: len(srv.jobs), DisabledJobs: len(d.where(job.off)), Instances: len(srv.instances),
		},
		Instances: d.instanceRows(), Counted: len(srv.jobs) <= countedJobs,
		Pager: pager(l, page, shownJobs, len(srv.jobs), func(page int) string {
			other := asked
			other.Page = page
			return other.Href()
		}),
	}
	first := (page - 1) * shownJobs
	p.Pager.Summary = l.ServerFirstOf(first+1, first+len(shown), len(srv.jobs))
	p.Frame.LiveSeconds = app.LiveSeconds
	p.Frame.Ignored = append(p.Frame.Ignored, hints.In(l)...)
	if d.operates {
		p.Actions = d.buttons("", srv.jobs)
	}
	for _, j := range shown {
		p.Jobs = append(p.Jobs, d.jobRow(j, last[j.Name]))
	}
	p.Ran = s.ranOn(c, d)
	s.Render(c, http.StatusOK, serverpages.Server(p))
	return nil
}

// off reports whether the server is disabled for the job.
func (j job) off() bool { return !j.Enabled }

// live reports whether the job has an instance on the server.
func (j job) live() bool { return len(j.Instances) > 0 }

// where are the jobs of a server that have a property.
func (s server) where(is func(job) bool) []job {
	var list []job
	for _, j := range s.jobs {
		if is(j) {
			list = append(list, j)
		}
	}
	return list
}

func namesOf(list []job) []string {
	names := make([]string, len(list))
	for i, j := range list {
		names[i] = j.Name
	}
	return names
}

// jobRow is a row of the jobs, with the last execution on the server.
func (d drawing) jobRow(j job, executions []tracing.Execution) serverpages.JobRow {
	h := d.health.Of(*j.whole)
	tone, label := pageui.JobState(d.lang, h.State)
	r := serverpages.JobRow{
		ServerJob: *j.ServerJob, Assigned: -1, State: ui.State{Tone: tone, Label: label, Reason: h.Reason, Title: h.Sentence},
	}
	if detail, ok := d.details[j.Name]; ok {
		r.Assigned = shardsOn(detail, d.ip, nil)
	}
	for _, e := range executions {
		if e.IP == d.ip {
			state := rdb.StateOf(e)
			r.Last = view.AgoTime(e.StartTime, d.now)
			r.LastState = ui.State{Tone: pageui.RunTone(state), Label: pageui.RunState(d.lang, state)}
			break
		}
	}
	if d.operates {
		r.Actions = d.buttons(j.Name, []job{j})
	}
	return r
}

// shardsOn counts the shards that are assigned to live instances of an address; with counts only the
// shards that it accepts.
func shardsOn(detail statistics.JobDetail, ip string, counts func(statistics.Shard) bool) int {
	live := make(map[string]bool)
	for _, i := range detail.Instances {
		live[i.ID] = i.IP == ip
	}
	n := 0
	for _, sh := range detail.Shards {
		if live[sh.Instance] && (counts == nil || counts(sh)) {
			n++
		}
	}
	return n
}

// instanceRows are the live instances. Their shards are complete only if all jobs were looked up.
func (d drawing) instanceRows() []serverpages.Instance {
	rows, at := make([]serverpages.Instance, len(d.instances)), make(map[string]*serverpages.Instance)
	for i, id := range d.instances {
		rows[i].ID, at[id] = id, &rows[i]
	}
	for _, j := range d.jobs {
		for _, id := range j.Instances {
			at[id].Jobs++
		}
	}
	for _, detail := range d.details {
		for _, i := range detail.Instances {
			row := at[i.ID]
			if row == nil {
				continue
			}
			if i.Leader {
				row.Leads++
			}
			if row.Since.IsZero() || i.Since.Before(row.Since) {
				row.Since = i.Since
			}
		}
		for _, sh := range detail.Shards {
			if row := at[sh.Instance]; row != nil {
				row.Shards++
			}
		}
	}
	return rows
}
