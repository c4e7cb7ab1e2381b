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
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// defaultRuns and mostRuns are the runs in a list, mostTasks the listed tasks of a run.
	defaultRuns = 50
	mostRuns    = 1000
	mostTasks   = 1000
	// defaultLogLines and mostLogLines are the last lines of a log in an answer.
	defaultLogLines = 1000
	mostLogLines    = 100_000
	// mostMaskedLog bounds the log for callers who only look, because it's masked as a whole.
	mostMaskedLog = 1 << 20
)

// runStates are the states of runs in the order of their views.
var runStates = []cloud.RunState{cloud.RunWaiting, cloud.RunRunning, cloud.RunSuspended, cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled}

// findRun is a run with its tasks.
func (at *service) findRun(name string) (cloud.RunStatus, []cloud.Task, error) {
	run, tasks, there := at.Seen.FindRun(name)
	switch {
	case there:
		return run, tasks, nil
	case !at.Seen.Synced():
		return run, nil, errNotSynced
	}
	return run, nil, fmt.Errorf("run %q: %w", view.Clip(name, 100), cloud.ErrNotFound)
}

// active is a run that hasn't ended. whole means that the action is about all of its processes,
// which the engine would restart if they belong to a DAEMON.
func (at *service) active(name string, whole bool) (cloud.RunStatus, error) {
	run, _, err := at.findRun(name)
	switch {
	case err != nil:
		return run, err
	case whole && run.Origin == cloud.OriginDaemon:
		return run, fmt.Errorf("the processes of a DAEMON are started again when they have ended; disable job %q to stop them, or kill the process of one shard: %w", run.JobName, cloud.ErrRefused)
	case run.State.Ended():
		return run, fmt.Errorf("run %q has ended, %s: %w", run.Name, run.State, cloud.ErrRefused)
	}
	return run, nil
}

// end suspends or kills a run.
func (at *service) end(ctx context.Context, name string, how cloud.Ending) error {
	if can := at.Engine.Capabilities(); how.Way == cloud.EndSuspend && !can.Suspend {
		return fmt.Errorf("to suspend a run needs the capability suspend, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	run, err := at.active(name, true)
	if err != nil {
		return err
	}
	return at.Engine.End(ctx, run.Ref(), -1, how)
}

// killShard ends the process of one shard of a run.
func (at *service) killShard(ctx context.Context, name string, shard int, how cloud.Ending) error {
	run, err := at.active(name, false)
	if err != nil {
		return err
	}
	_, tasks, _ := at.Seen.FindRun(run.Ref())
	if !slices.ContainsFunc(tasks, func(t cloud.Task) bool { return t.Shard == shard && !cloud.Ended(t.State) }) {
		return fmt.Errorf("shard %d of run %q has no process that goes on: %w", shard, run.Ref(), cloud.ErrRefused)
	}
	return at.Engine.End(ctx, run.Ref(), shard, how)
}

// resume goes on with a suspended run.
func (at *service) resume(ctx context.Context, name string) error {
	run, err := at.active(name, false)
	if err != nil {
		return err
	}
	return at.Engine.Resume(ctx, run.Ref())
}

// unfinished are the shards of a run that has ended which did not succeed.
func (at *service) unfinished(name string) (run cloud.RunStatus, shards []int, err error) {
	run, tasks, err := at.findRun(name)
	switch {
	case err != nil:
		return run, nil, err
	case run.Origin == cloud.OriginDaemon:
		return run, nil, fmt.Errorf("job %q is a DAEMON and fires for itself; enable it: %w", run.JobName, cloud.ErrRefused)
	case !run.State.Ended():
		return run, nil, fmt.Errorf("run %q goes on: %w", run.Name, cloud.ErrRefused)
	}
	last := make(map[int]cloud.Task) // By shard, because attempts are in order.
	for _, t := range tasks {
		last[t.Shard] = t
	}
	for shard := range run.Shards {
		t, began := last[shard]
		if began && t.State != tracing.StateFinished || !began && run.Count == run.Shards {
			shards = append(shards, shard)
		}
	}
	return run, shards, nil
}

// rerun requests another run of the shards of a run that did not succeed. The engine keeps no
// parameters, so a requested run needs them again.
func (at *service) rerun(ctx context.Context, name string, r cloud.Request) (run string, err error) {
	before, shards, err := at.unfinished(name)
	switch {
	case err != nil:
		return "", err
	case before.Origin == cloud.OriginManual && r.Parameters == nil:
		return "", invalid(app.FieldBody{Field: "parameters", Want: "those of the run, or {}: it was asked for, and may have had some"})
	case r.Shards == nil && len(shards) == 0:
		return "", fmt.Errorf("every shard of run %q has finished: %w", before.Name, cloud.ErrRefused)
	case r.Shards == nil && len(shards) < before.Shards:
		r.Shards = shards
	}
	return at.trigger(ctx, before.JobName, r)
}

// readLog reads the output of a task. If masked, it's shorter and without secrets.
func (at *service) readLog(ctx context.Context, task cloud.TaskRef, o cloud.LogOptions, masked bool) (string, error) {
	if masked && (o.MaxBytes <= 0 || o.MaxBytes > mostMaskedLog) {
		o.MaxBytes = mostMaskedLog
	}
	log, err := at.openLog(ctx, task, o)
	if err != nil {
		return "", err
	}
	defer log.Close()
	text, err := io.ReadAll(io.LimitReader(log, cloud.MaxLogBytes))
	if masked {
		return mask.Text(string(text)), err
	}
	return string(text), err
}

// openLog opens the output of a task; with Follow it includes later output. The caller closes it.
func (at *service) openLog(ctx context.Context, task cloud.TaskRef, o cloud.LogOptions) (io.ReadCloser, error) {
	if can := at.Engine.Capabilities(); !can.Logs {
		return nil, fmt.Errorf("the log of a task needs the capability logs, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	return at.Engine.Logs(ctx, task, o)
}

// manifestKey is the key of the request whose run a manifest shows if the job has no fire time.
const manifestKey = "manifest"

// nextRun is the next run of a job after a moment: for its next fire time, or else for a request. A
// DAEMON has the run of its processes.
func (at *service) nextRun(d cloud.Definition, application cloud.App, now time.Time) cloud.Run {
	r := cloud.Run{Job: d.Job.Clone(), App: application.Clone(), Owner: d.UID, Fire: now.UTC().Truncate(time.Second), Origin: cloud.OriginManual, Name: cloud.ManualRunName(d.Job.Name, manifestKey)}
	if d.Job.Type == cloud.TypeDaemon {
		r.Origin, r.Name = cloud.OriginDaemon, cloud.DaemonRunName(d.Job.Name)
	} else if schedule, err := at.schedule(d.Job); err == nil {
		if next, ok := schedule.Next(now); ok {
			r.Origin, r.Fire, r.Name = cloud.OriginCron, next.UTC(), cloud.RunName(d.Job.Name, next)
		}
	}
	return r
}

// manifest is the object that the engine would create for the next run of a job, as YAML.
func (at *service) manifest(ctx context.Context, job string, masked bool, now time.Time) ([]byte, error) {
	engine, can := at.Engine.(cloud.Manifester)
	if !can {
		return nil, &app.Problem{
			Kind: app.KindUnsupported, Code: "no_manifest", Message: fmt.Sprintf("The engine %s starts processes itself: they have no manifest.", at.Engine.Capabilities().Engine),
			Hint: "A console with --cloud kubernetes has one for each job. GET /api/cloud/jobs/{job} and the job's page show what is started here.",
		}
	}
	d, err := at.read(ctx, cloud.KindJob, job)
	if err != nil {
		return nil, err
	}
	application, err := at.read(ctx, cloud.KindApp, d.Job.AppName)
	if errors.Is(err, cloud.ErrNotFound) {
		return nil, fmt.Errorf("job %q names application %q, which is not registered: %w", job, d.Job.AppName, cloud.ErrRefused)
	}
	if err != nil {
		return nil, err
	}
	if masked {
		d, application = d.masked(), application.masked()
	}
	text, err := engine.Manifest(at.nextRun(d.Definition, application.app, now))
	if err != nil && !errors.Is(err, cloud.ErrRefused) {
		return nil, fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	return text, err
}

// The answers of the REST interface about runs.

func (r *call) runBody(run cloud.RunStatus) api.CloudRun {
	body := api.CloudRun{
		Name: run.Name, RunID: cloud.RowRunID(run.Name), JobName: run.JobName, AppName: run.AppName, Namespace: run.Namespace, Origin: string(run.Origin), State: string(run.State),
		Message: r.text(run.Message), FireTime: app.OptionalTime(run.Fire), ShardCount: run.Shards, TaskCount: run.Count,
		CreatedAt: app.OptionalTime(run.Created), StartTime: app.OptionalTime(run.Started), CompleteTime: app.OptionalTime(run.Ended),
	}
	if run.Origin == cloud.OriginDaemon {
		body.RunID = ""
	}
	return body
}

func listRuns(r *call) error {
	limit, err := boundedIn(r.c.Request.URL.Query(), "limit", defaultRuns, 1, mostRuns)
	if err != nil {
		return err
	}
	state := cloud.RunState(r.c.Query("state"))
	if state != "" && !slices.Contains(runStates, state) {
		return invalid(app.FieldBody{Field: "state", Value: view.Clip(string(state), 60), Want: "one of " + view.Join(runStates)})
	}
	if !r.Seen.Synced() {
		return errNotSynced
	}
	list, total := []api.CloudRun{}, 0
	for _, run := range r.Seen.Runs(r.c.Query("job")) {
		if state != "" && run.State != state || r.hidden(run.Namespace) {
			continue
		}
		if total++; len(list) < limit {
			list = append(list, r.runBody(run))
		}
	}
	r.c.Header("X-Total-Count", strconv.Itoa(total))
	return r.answer(http.StatusOK, list)
}

func showRun(r *call) error {
	run, tasks, err := r.findRun(r.name)
	if err != nil {
		return err
	}
	body := api.CloudRunDetail{CloudRun: r.runBody(run), Tasks: []api.CloudTask{}, Reasons: []api.CloudReason{}}
	for _, t := range tasks[:min(len(tasks), mostTasks)] {
		body.Tasks = append(body.Tasks, api.CloudTask{
			UID: t.UID, TaskID: t.ID(run.JobName), Shard: t.Shard, Attempt: t.Attempt, Type: t.Type(), State: string(t.State), Message: r.text(t.Message), Node: t.Node,
			CreatedAt: app.OptionalTime(t.Created), StartTime: app.OptionalTime(t.Started), CompleteTime: app.OptionalTime(t.Ended),
		})
	}
	reasons, err := r.reasons(run)
	if err != nil {
		return err
	}
	for _, one := range reasons {
		body.Reasons = append(body.Reasons, api.CloudReason{Code: one.Code, Text: mask.Text(one.Text), Count: one.Count, Since: app.OptionalTime(one.Since)})
	}
	r.c.Header("X-Total-Count", strconv.Itoa(len(tasks)))
	return r.answer(http.StatusOK, body)
}

// reasons keep a run from going on; none if it has ended.
func (r *call) reasons(run cloud.RunStatus) ([]cloud.Reason, error) {
	if run.State.Ended() {
		return nil, nil
	}
	reasons, err := r.Engine.Explain(r.ctx, run.Ref())
	if errors.Is(err, cloud.ErrNotFound) {
		err = nil
	}
	return reasons, err
}

// onRun answers an action on the run in the address.
func onRun(act func(r *call, how cloud.Ending) error) handler {
	return func(r *call) error {
		if err := act(r, cloud.Ending{By: app.Caller(r.c).Name, Reason: "by the REST interface"}); err != nil {
			return err
		}
		app.Done(r.c)
		return nil
	}
}

func suspendRun(r *call, how cloud.Ending) error {
	how.Way = cloud.EndSuspend
	return r.end(r.ctx, r.name, how)
}

func killRun(r *call, how cloud.Ending) error {
	how.Way = cloud.EndKill
	return r.end(r.ctx, r.name, how)
}

func resumeRun(r *call, _ cloud.Ending) error { return r.resume(r.ctx, r.name) }

func killShard(r *call, how cloud.Ending) error {
	shard, err := strconv.Atoi(r.c.Param("item"))
	if err != nil || shard < 0 {
		return fmt.Errorf("shard %q: %w", view.Clip(r.c.Param("item"), 20), cloud.ErrNotFound)
	}
	how.Way = cloud.EndKill
	return r.killShard(r.ctx, r.name, shard, how)
}

// rerunRun requests a run of the shards that did not succeed.
func rerunRun(r *call) error {
	var in api.CloudRerunRequest
	if err := r.decodeOptional(&in); err != nil {
		return err
	}
	asked, err := r.request(api.CloudTriggerRequest{Parameters: in.Parameters, Shards: in.Shards})
	if err != nil {
		return err
	}
	run, err := r.rerun(r.ctx, r.name, asked)
	if err != nil {
		return err
	}
	r.note(slog.String("again", run))
	return r.answer(http.StatusAccepted, api.CloudTrigger{Run: run})
}

// showLog answers with the output of a task as plain text. The address has the task's UID, or its
// whole id, whose last part is the UID.
func showLog(r *call) error {
	lines, err := boundedIn(r.c.Request.URL.Query(), "tail", defaultLogLines, 1, mostLogLines)
	if err != nil {
		return err
	}
	follow := r.c.Query("follow")
	if follow != "" && follow != "true" && follow != "false" {
		return invalid(app.FieldBody{Field: "follow", Value: view.Clip(follow, 60), Want: "true or false"})
	}
	name, err := url.PathUnescape(r.c.Param("task"))
	if err != nil {
		return app.Malformed("The task in the address is not escaped as addresses are.", "Escape it, or give the last part of its id.")
	}
	t, there := r.Seen.FindTask(name[strings.LastIndex(name, "@")+1:])
	switch {
	case !there && !r.Seen.Synced():
		return errNotSynced
	case !there:
		return fmt.Errorf("task %q: %w", view.Clip(name, 200), cloud.ErrNotFound)
	case follow == "true":
		return app.FollowLog(r.s, r.c, func(ctx context.Context) (io.ReadCloser, error) {
			return r.openLog(ctx, t.TaskRef, cloud.LogOptions{Follow: true, Tail: lines})
		})
	}
	text, err := r.readLog(r.ctx, t.TaskRef, cloud.LogOptions{Tail: lines}, app.LooksOnly(r.c))
	return r.plain(text, err)
}

// showManifest answers with the object for the next run of a job.
func showManifest(r *call) error {
	text, err := r.manifest(r.ctx, r.name, r.hidesSecrets(), r.now)
	return r.plain(string(text), err)
}
