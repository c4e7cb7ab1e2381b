package cloud

import (
	"context"
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
	"github.com/elasticjob-go/elasticjob/internal/console/api"
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
var runStates = texts(cloud.RunWaiting, cloud.RunRunning, cloud.RunSuspended, cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled)

func cloudRunJSON(c *gin.Context, r cloud.RunStatus) api.CloudRun {
	body := api.CloudRun{
		Name: r.Name, RunID: cloud.RowRunID(r.Name), JobName: r.JobName, AppName: r.AppName, Namespace: r.Namespace, Origin: string(r.Origin), State: string(r.State),
		Message: r.Message, FireTime: console.OptionalTime(r.Fire), ShardCount: r.Shards, TaskCount: r.Count,
		CreatedAt: console.OptionalTime(r.Created), StartTime: console.OptionalTime(r.Started), CompleteTime: console.OptionalTime(r.Ended),
	}
	if r.Origin == cloud.OriginDaemon {
		body.RunID = ""
	}
	if console.LooksOnly(c) {
		body.Message = mask.Text(body.Message)
	}
	return body
}

func cloudTaskJSON(c *gin.Context, job string, t cloud.Task) api.CloudTask {
	body := api.CloudTask{
		UID: t.UID, TaskID: t.ID(job), Shard: t.Shard, Attempt: t.Attempt, Type: t.Type(), State: string(t.State), Message: t.Message, Node: t.Node,
		CreatedAt: console.OptionalTime(t.Created), StartTime: console.OptionalTime(t.Started), CompleteTime: console.OptionalTime(t.Ended),
	}
	if console.LooksOnly(c) {
		body.Message = mask.Text(body.Message)
	}
	return body
}

func (a cloudAPI) runs(c *gin.Context, at *Cloud) error {
	limit, err := boundedQuery(c, "limit", defaultCloudRuns, 1, mostCloudRuns)
	if err != nil {
		return err
	}
	state := c.Query("state")
	if state != "" && !slices.Contains(runStates, state) {
		return invalid(console.FieldBody{Field: "state", Value: view.Clip(state, 60), Want: "one of " + strings.Join(runStates, ", ")})
	}
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list, total := []api.CloudRun{}, 0
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
func findRun(c *gin.Context, at *Cloud) (cloud.RunStatus, []cloud.Task, error) {
	name, err := nameOf(c, "run")
	if err != nil {
		return cloud.RunStatus{}, nil, err
	}
	return at.FindRun(name)
}

func (a cloudAPI) run(c *gin.Context, at *Cloud) error {
	run, tasks, err := findRun(c, at)
	if err != nil {
		return err
	}
	body := api.CloudRunDetail{CloudRun: cloudRunJSON(c, run), Tasks: []api.CloudTask{}, Reasons: []api.CloudReason{}}
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
			body.Reasons = append(body.Reasons, api.CloudReason{Code: r.Code, Text: mask.Text(r.Text), Count: r.Count, Since: console.OptionalTime(r.Since)})
		}
	}
	c.Header("X-Total-Count", strconv.Itoa(len(tasks)))
	console.WriteJSON(c, http.StatusOK, body)
	return nil
}

func (a cloudAPI) suspendRun(c *gin.Context, at *Cloud) error {
	return a.onRun(c, func(ctx context.Context, run string) error { return at.SuspendRun(ctx, run, endingOf(c)) })
}

func (a cloudAPI) killRun(c *gin.Context, at *Cloud) error {
	return a.onRun(c, func(ctx context.Context, run string) error { return at.KillRun(ctx, run, endingOf(c)) })
}

// killShard ends the process of one shard.
func (a cloudAPI) killShard(c *gin.Context, at *Cloud) error {
	shard, err := strconv.Atoi(c.Param("item"))
	if err != nil || shard < 0 {
		return fmt.Errorf("shard %q: %w", view.Clip(c.Param("item"), 20), cloud.ErrNotFound)
	}
	return a.onRun(c, func(ctx context.Context, run string) error { return at.KillShard(ctx, run, shard, endingOf(c)) })
}

// rerun asks for a run of the shards that did not succeed.
func (a cloudAPI) rerun(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "run")
	if err != nil {
		return err
	}
	var in api.CloudRerunRequest
	if c.Request.ContentLength != 0 {
		if err := decodeFields(c, &in, func(string) {}); err != nil {
			return err
		}
	}
	r, err := a.requestIn(c, api.CloudTriggerRequest{Parameters: in.Parameters, Shards: in.Shards})
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
	console.WriteJSON(c, http.StatusAccepted, api.CloudTrigger{Run: run})
	return nil
}

func (a cloudAPI) resumeRun(c *gin.Context, at *Cloud) error {
	return a.onRun(c, at.ResumeRun)
}

// endingOf says who ends a run.
func endingOf(c *gin.Context) cloud.Ending {
	return cloud.Ending{By: console.Caller(c).Name, Reason: "by the REST interface"}
}

// onRun does something to the run of the address.
func (a cloudAPI) onRun(c *gin.Context, do func(ctx context.Context, run string) error) error {
	name, err := nameOf(c, "run")
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
func (a cloudAPI) log(c *gin.Context, at *Cloud) error {
	lines, err := boundedQuery(c, "tail", defaultLogLines, 1, mostLogLines)
	if err != nil {
		return err
	}
	follow := c.Query("follow")
	if follow != "" && follow != "true" && follow != "false" {
		return invalid(console.FieldBody{Field: "follow", Value: view.Clip(follow, 60), Want: "true or false"})
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
