package cloud

import (
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// daemon reports whether the processes of the job fire by themselves.
func (j cloudJob) daemon() bool { return j.Job.Type == cloud.TypeDaemon }

// isDaemon reports whether a job is one, as far as is known.
func isDaemon(at *Cloud, job string) bool {
	return slices.ContainsFunc(at.Seen.Jobs(), func(d cloud.Definition) bool { return d.Job.Name == job && d.Job.Type == cloud.TypeDaemon })
}

// unhealthy is what is wrong with the processes of a DAEMON that has some, "" if nothing is.
func (j cloudJob) unhealthy() string {
	run, _, there := j.processes()
	if !there || run.State != cloud.RunRunning {
		return ""
	}
	return run.Message
}

// processes are those of a DAEMON with their run; false if the engine has none.
func (j cloudJob) processes() (run cloud.RunStatus, shards []cloudShardRun, there bool) {
	if !j.daemon() {
		return run, nil, false
	}
	run, tasks, there := j.at.Seen.FindRun(cloud.RunRef(j.Job.Namespace, cloud.DaemonRunName(j.Job.Name)))
	return run, cloudShards(tasks), there
}

// daemonFacts are what there is to say of a DAEMON: nothing waits for a run of it.
func daemonFacts(l i18n.Lang, j cloudJob) []ui.Fact {
	run, shards, _ := j.processes()
	working, restarts := 0, 0
	for _, s := range shards {
		if s.last().State == tracing.StateRunning && !run.State.Ended() {
			working++
		}
		restarts += s.last().Attempt - 1
	}
	return append([]ui.Fact{
		{Label: l.CloudType(), Value: string(j.Job.Type)}, {Label: l.RunsTableShards(), Value: view.Thousands(j.Job.Shards)},
		{Label: l.CloudDaemonProcesses(), Value: l.CloudDaemonWorking(working, j.Job.Processes())}, {Label: l.CloudDaemonRestarts(), Value: view.Thousands(restarts)},
	}, namespaceFact(l, j.Job.Namespace)...)
}

// daemonProcesses are those of a job, or why there are none.
func (s cloudPages) daemonProcesses(c *gin.Context, j cloudJob) *cloudui.Processes {
	run, shards, there := j.processes()
	if there && len(shards) > 0 {
		p := s.processes(c, run, shards)
		p.Shared = j.Job.Registry()
		return p
	}
	l := i18n.From(c.Request.Context())
	text := l.CloudDaemonNoneText()
	if j.off() {
		text = l.CloudDaemonNoneOff()
	}
	return &cloudui.Processes{
		None:           &ui.Empty{Heading: l.CloudDaemonNone(), Text: text, TestID: "cloud-processes-none"},
		ExecutionsHref: query.ExecutionsHref(j.Job.Name),
	}
}

// processes are the shards of a run of a DAEMON, each with its newest process.
func (s cloudPages) processes(c *gin.Context, run cloud.RunStatus, shards []cloudShardRun) *cloudui.Processes {
	l, now := i18n.From(c.Request.Context()), s.Now()
	p := &cloudui.Processes{ExecutionsHref: query.ExecutionsHref(run.JobName)}
	if len(shards) == 0 {
		p.None = &ui.Empty{Heading: l.CloudDaemonNone(), Text: l.CloudDaemonNoneText(), TestID: "cloud-processes-none"}
	}
	for _, one := range shards[:min(len(shards), mostCloudRows)] {
		last := one.last()
		look, since := cloudTaskLook(last.State), last.Created
		row := cloudui.Process{
			Shard: strconv.Itoa(one.number), Href: cloudShardPath(run.Name, one.number), LogHref: cloudShardPath(run.Name, one.number) + "#log",
			State: ui.State{Tone: look.tone, Label: look.word(l), TestID: "process-state"}, Restarts: view.Thousands(last.Attempt - 1), Node: last.Node,
			Message: view.Clip(cloudText(c, last.Message), 200),
		}
		switch {
		case !last.Ended.IsZero():
			since = last.Ended
			if !run.State.Ended() {
				row.State.Label = l.CloudDaemonAgain()
			}
		case !last.Started.IsZero():
			since = last.Started
		}
		row.Since = view.NearTime(l, since, now)
		p.Rows = append(p.Rows, row)
	}
	if more := len(shards) - len(p.Rows); more > 0 {
		p.More = l.CloudQueueMore(more)
	}
	return p
}
