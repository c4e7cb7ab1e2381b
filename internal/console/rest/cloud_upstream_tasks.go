package rest

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
)

// mostUpstreamTasks bounds the lists of tasks, which upstream does not part into pages.
const mostUpstreamTasks = 10_000

// The bodies of upstream's lists of tasks.
type (
	taskMetaBody struct {
		JobName       string `json:"jobName"`
		ShardingItems []int  `json:"shardingItems"`
	}
	runningTaskBody struct {
		ID       string       `json:"id"`
		MetaInfo taskMetaBody `json:"metaInfo"`
		Type     string       `json:"type"`
		SlaveID  string       `json:"slaveId"`
		Idle     bool         `json:"idle"`
	}
	// readyTaskBody says how many runs of a job are pending, as a text.
	readyTaskBody struct {
		JobName string `json:"jobName"`
		Times   string `json:"times"`
	}
	failoverTaskBody struct {
		TaskInfo       taskMetaBody `json:"taskInfo"`
		OriginalTaskID string       `json:"originalTaskId"`
	}
	sandboxBody struct {
		Hostname string `json:"hostname"`
		Path     string `json:"path"`
	}
)

// eachTask visits the tasks that go on, of runs that do, up to a bound.
func eachTask(at *console.Cloud, visit func(cloud.RunStatus, cloud.Task)) {
	left := mostUpstreamTasks
	for _, r := range at.Seen.Runs("") {
		if r.State.Ended() {
			continue
		}
		_, tasks, _ := at.Seen.FindRun(r.Ref())
		for _, t := range tasks {
			if cloud.Ended(t.State) {
				continue
			}
			if left--; left < 0 {
				return
			}
			visit(r, t)
		}
	}
}

func metaOf(r cloud.RunStatus, t cloud.Task) taskMetaBody {
	return taskMetaBody{JobName: r.JobName, ShardingItems: []int{t.Shard}}
}

func (a cloudAPI) runningTasks(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []runningTaskBody{}
	eachTask(at, func(r cloud.RunStatus, t cloud.Task) {
		list = append(list, runningTaskBody{ID: t.ID(r.JobName), MetaInfo: metaOf(r, t), Type: t.Type(), SlaveID: t.Node})
	})
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

// readyTasks answers with the jobs that have runs pending: fire times, requests, and runs
// none of whose shards has begun.
func (a cloudAPI) readyTasks(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []readyTaskBody{}
	for _, d := range at.Seen.Jobs() {
		times := len(d.Status.Pending) + len(d.Status.Requests)
		for _, r := range at.Seen.Runs(d.Job.Name) {
			if r.State == cloud.RunWaiting {
				times++
			}
		}
		if times > 0 {
			list = append(list, readyTaskBody{JobName: d.Job.Name, Times: strconv.Itoa(times)})
		}
	}
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

// failoverTasks answers with the shards that wait for a further attempt.
func (a cloudAPI) failoverTasks(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []failoverTaskBody{}
	for _, r := range at.Seen.Runs("") {
		_, tasks, _ := at.Seen.FindRun(r.Ref())
		for _, t := range cloud.NextAttempts(r, tasks) {
			list = append(list, failoverTaskBody{TaskInfo: metaOf(r, t), OriginalTaskID: cmp.Or(t.OriginalID(r.JobName), t.ID(r.JobName))})
		}
	}
	console.WriteJSON(c, http.StatusOK, list[:min(len(list), mostUpstreamTasks)])
	return nil
}

// sandbox answers where the tasks of an application, or of all, write: a machine, and the
// address of the log on this console.
func (a cloudAPI) sandbox(c *gin.Context, at *console.Cloud) error {
	app := c.Query("appName")
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []sandboxBody{}
	eachTask(at, func(r cloud.RunStatus, t cloud.Task) {
		if app == "" || r.AppName == app {
			list = append(list, sandboxBody{Hostname: t.Node, Path: strings.Replace(cloudRoute+"/tasks/:task/log", ":task", t.UID, 1)})
		}
	})
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

// reconcile has what the engine has be read anew, and with all what the store has too.
func (a cloudAPI) reconcile(all bool) cloudHandler {
	return func(c *gin.Context, at *console.Cloud) error {
		if !at.Seen.Synced() {
			return errNotSynced
		}
		if wait := at.Seen.Reconcile(all); wait > 0 {
			return &console.Problem{
				Kind: console.KindTooMany, Code: "too_often", Retry: int((wait + time.Second - 1) / time.Second),
				Message: "What runs was read anew a moment ago.", Hint: "At most once in ten seconds.",
			}
		}
		return yes(c)
	}
}

// The bodies of upstream's statistics of what is registered.
type (
	executionTypesBody struct {
		Transient int `json:"transientJobCount"`
		Daemon    int `json:"daemonJobCount"`
	}
	jobTypesBody struct {
		Script   int `json:"scriptJobCount"`
		Simple   int `json:"simpleJobCount"`
		Dataflow int `json:"dataflowJobCount"`
	}
)

func (a cloudAPI) executionTypes(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	var body executionTypesBody
	for _, d := range at.Seen.Jobs() {
		if d.Job.Type == cloud.TypeDaemon {
			body.Daemon++
		} else {
			body.Transient++
		}
	}
	console.WriteJSON(c, http.StatusOK, body)
	return nil
}

// jobTypes counts the types of jobs. A job of 3.x has no type: it counts as simple without a script.
func (a cloudAPI) jobTypes(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	var body jobTypesBody
	for _, d := range at.Seen.Jobs() {
		script, _ := d.Job.Script()
		switch kind := strings.ToUpper(d.Job.Compat["jobType"]); {
		case script != nil || kind == "SCRIPT":
			body.Script++
		case kind == "DATAFLOW":
			body.Dataflow++
		default:
			body.Simple++
		}
	}
	console.WriteJSON(c, http.StatusOK, body)
	return nil
}
