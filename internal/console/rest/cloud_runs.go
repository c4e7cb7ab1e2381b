package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

const (
	// defaultCloudRuns and mostCloudRuns are how many runs a list has.
	defaultCloudRuns = 50
	mostCloudRuns    = 1000
	// mostCloudTasks is how many tasks of a run are listed.
	mostCloudTasks = 1000
	// defaultLogLines and mostLogLines are how many last lines of a log are answered.
	defaultLogLines = 1000
	mostLogLines    = 100_000
)

// cloudRunStates are the states of runs.
var cloudRunStates = texts(cloud.RunWaiting, cloud.RunRunning, cloud.RunSuspended, cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled)

// cloudRunBody is a run of a job. RunID is what rows of the history call it, empty for that
// of a DAEMON, whose processes have runs of their own.
type cloudRunBody struct {
	Name         string `json:"name"`
	RunID        string `json:"runId"`
	JobName      string `json:"jobName"`
	AppName      string `json:"appName"`
	Namespace    string `json:"namespace,omitempty"`
	Origin       string `json:"origin"`
	State        string `json:"state"`
	Message      string `json:"message,omitempty"`
	FireTime     string `json:"fireTime,omitempty"`
	ShardCount   int    `json:"shardingTotalCount"`
	TaskCount    int    `json:"taskCount"`
	CreatedAt    string `json:"createdAt,omitempty"`
	StartTime    string `json:"startTime,omitempty"`
	CompleteTime string `json:"completeTime,omitempty"`
}

// cloudRunDetailBody is a run with its tasks: the first of them, by shard and attempt.
type cloudRunDetailBody struct {
	cloudRunBody
	Tasks []cloudTaskBody `json:"tasks"`
	// Reasons say what keeps it from going on.
	Reasons []cloudReasonBody `json:"reasons"`
}

// cloudTaskBody is an attempt at a shard. UID names it in the address of its log, and so
// does TaskID.
type cloudTaskBody struct {
	UID          string `json:"uid"`
	TaskID       string `json:"taskId"`
	Shard        int    `json:"shardingItem"`
	Attempt      int    `json:"attempt"`
	Type         string `json:"executionType"`
	State        string `json:"state"`
	Message      string `json:"message,omitempty"`
	Node         string `json:"node,omitempty"`
	CreatedAt    string `json:"createdAt,omitempty"`
	StartTime    string `json:"startTime,omitempty"`
	CompleteTime string `json:"completeTime,omitempty"`
}

type cloudReasonBody struct {
	Code  string `json:"code"`
	Text  string `json:"text"`
	Count int    `json:"count"`
	Since string `json:"since,omitempty"`
}

func cloudRunJSON(c *gin.Context, r cloud.RunStatus) cloudRunBody {
	body := cloudRunBody{
		Name: r.Name, RunID: cloud.RowRunID(r.Name), JobName: r.JobName, AppName: r.AppName, Namespace: r.Namespace, Origin: string(r.Origin), State: string(r.State),
		Message: r.Message, FireTime: optionalTime(r.Fire), ShardCount: r.Shards, TaskCount: r.Count,
		CreatedAt: optionalTime(r.Created), StartTime: optionalTime(r.Started), CompleteTime: optionalTime(r.Ended),
	}
	if r.Origin == cloud.OriginDaemon {
		body.RunID = ""
	}
	if console.LooksOnly(c) {
		body.Message = mask.Text(body.Message)
	}
	return body
}

func cloudTaskJSON(c *gin.Context, job string, t cloud.Task) cloudTaskBody {
	body := cloudTaskBody{
		UID: t.UID, TaskID: t.ID(job), Shard: t.Shard, Attempt: t.Attempt, Type: t.Type(), State: string(t.State), Message: t.Message, Node: t.Node,
		CreatedAt: optionalTime(t.Created), StartTime: optionalTime(t.Started), CompleteTime: optionalTime(t.Ended),
	}
	if console.LooksOnly(c) {
		body.Message = mask.Text(body.Message)
	}
	return body
}

func (a cloudAPI) runs(c *gin.Context, at *console.Cloud) error {
	limit, err := boundedQuery(c, "limit", defaultCloudRuns, 1, mostCloudRuns)
	if err != nil {
		return err
	}
	state := c.Query("state")
	if state != "" && !slices.Contains(cloudRunStates, state) {
		return console.CloudInvalid(console.FieldBody{Field: "state", Value: view.Clip(state, 60), Want: "one of " + strings.Join(cloudRunStates, ", ")})
	}
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list, total := []cloudRunBody{}, 0
	for _, r := range at.Seen.Runs(c.Query("job")) {
		if state != "" && string(r.State) != state || hidden(c, at, r.Namespace) {
			continue
		}
		if total++; len(list) < limit {
			list = append(list, cloudRunJSON(c, r))
		}
	}
	c.Header("X-Total-Count", strconv.Itoa(total))
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

// findRun is the run of an address with its tasks.
func findRun(c *gin.Context, at *console.Cloud) (cloud.RunStatus, []cloud.Task, error) {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return cloud.RunStatus{}, nil, err
	}
	return at.FindRun(name)
}

func (a cloudAPI) run(c *gin.Context, at *console.Cloud) error {
	run, tasks, err := findRun(c, at)
	if err != nil {
		return err
	}
	body := cloudRunDetailBody{cloudRunBody: cloudRunJSON(c, run), Tasks: []cloudTaskBody{}, Reasons: []cloudReasonBody{}}
	for _, t := range tasks[:min(len(tasks), mostCloudTasks)] {
		body.Tasks = append(body.Tasks, cloudTaskJSON(c, run.JobName, t))
	}
	if !run.State.Ended() {
		ctx, cancel := a.Reading(c)
		defer cancel()
		reasons, err := at.Engine.Explain(ctx, run.Ref())
		if err != nil && !errors.Is(err, cloud.ErrNotFound) {
			return err
		}
		for _, r := range reasons {
			body.Reasons = append(body.Reasons, cloudReasonBody{r.Code, mask.Text(r.Text), r.Count, optionalTime(r.Since)})
		}
	}
	c.Header("X-Total-Count", strconv.Itoa(len(tasks)))
	console.WriteJSON(c, http.StatusOK, body)
	return nil
}

func (a cloudAPI) suspendRun(c *gin.Context, at *console.Cloud) error {
	return a.onRun(c, func(ctx context.Context, run string) error { return at.SuspendRun(ctx, run, endingOf(c)) })
}

func (a cloudAPI) killRun(c *gin.Context, at *console.Cloud) error {
	return a.onRun(c, func(ctx context.Context, run string) error { return at.KillRun(ctx, run, endingOf(c)) })
}

// killShard ends the process of one shard.
func (a cloudAPI) killShard(c *gin.Context, at *console.Cloud) error {
	shard, err := strconv.Atoi(c.Param("item"))
	if err != nil || shard < 0 {
		return fmt.Errorf("shard %q: %w", view.Clip(c.Param("item"), 20), cloud.ErrNotFound)
	}
	return a.onRun(c, func(ctx context.Context, run string) error { return at.KillShard(ctx, run, shard, endingOf(c)) })
}

// cloudRerunRequest says what is to run again; all of it may be absent, and so may the body.
type cloudRerunRequest struct {
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Shards     []int           `json:"shards,omitempty"`
}

// rerun asks for a run of the shards that did not succeed.
func (a cloudAPI) rerun(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	var in cloudRerunRequest
	if c.Request.ContentLength != 0 {
		if err := decodeFields(c, &in, func(string) {}); err != nil {
			return err
		}
	}
	r, err := a.requestIn(c, cloudTriggerRequest{Parameters: in.Parameters, Shards: in.Shards})
	if err != nil {
		return err
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	run, err := at.Rerun(ctx, name, r)
	if err != nil {
		return err
	}
	a.Note(c, slog.String("again", run))
	console.WriteJSON(c, http.StatusAccepted, cloudTriggerBody{run})
	return nil
}

func (a cloudAPI) resumeRun(c *gin.Context, at *console.Cloud) error {
	return a.onRun(c, at.ResumeRun)
}

// endingOf says who ends a run.
func endingOf(c *gin.Context) cloud.Ending {
	return cloud.Ending{By: console.Caller(c).Name, Reason: "by the REST interface"}
}

// onRun does something to the run of the address.
func (a cloudAPI) onRun(c *gin.Context, do func(ctx context.Context, run string) error) error {
	name, err := console.CloudName(c, "run")
	if err != nil {
		return err
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	if err := do(ctx, name); err != nil {
		return err
	}
	console.Done(c)
	return nil
}

// log answers with what the process of a task wrote, as plain text. The address has the
// task's UID, or its whole id, whose last part that is.
func (a cloudAPI) log(c *gin.Context, at *console.Cloud) error {
	lines, err := boundedQuery(c, "tail", defaultLogLines, 1, mostLogLines)
	if err != nil {
		return err
	}
	follow := c.Query("follow")
	if follow != "" && follow != "true" && follow != "false" {
		return console.CloudInvalid(console.FieldBody{Field: "follow", Value: view.Clip(follow, 60), Want: "true or false"})
	}
	name, err := url.PathUnescape(c.Param("task"))
	if err != nil {
		return console.Malformed("The task in the address is not escaped as addresses are.", "Escape it, or give the last part of its id.")
	}
	t, there := at.Seen.FindTask(name[strings.LastIndex(name, "@")+1:])
	switch {
	case !there && !at.Seen.Synced():
		return errNotSynced
	case !there:
		return fmt.Errorf("task %q: %w", view.Clip(name, 200), cloud.ErrNotFound)
	}
	if follow == "true" {
		return console.FollowLog(a.Console, c, func(ctx context.Context) (io.ReadCloser, error) {
			return at.OpenLog(ctx, t.TaskRef, cloud.LogOptions{Follow: true, Tail: lines})
		})
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	text, err := at.ReadLog(ctx, t.TaskRef, cloud.LogOptions{Tail: lines}, console.LooksOnly(c))
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(text))
	return nil
}
