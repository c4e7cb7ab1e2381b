package cloud

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// jobJSON is a job as the answer may have it.
func (a cloudAPI) jobJSON(c *gin.Context, at *Cloud, d cloud.Definition) api.CloudJob {
	warnings := at.Warnings(i18n.English, Document{Kind: cloud.KindJob, Job: d.Job}, console.May(c, console.Configures))
	if hidesSecrets(c) {
		d = maskedJob(d)
	}
	st := d.Status
	body := api.CloudJob{
		Job: d.Job, Namespace: d.Job.Namespace, CreatedAt: console.OptionalTime(d.Created), Pending: len(st.Pending), Requested: len(st.Requests),
		Missed: st.Missed, Merged: st.Merged, Conditions: []api.CloudCondition{},
		Warnings: warnings,
	}
	if schedule, err := at.Schedule(d.Job); err == nil {
		if last, ok := schedule.Fired(d); ok {
			body.LastFireTime = console.OptionalTime(last)
		}
		if next, ok := schedule.Next(a.Now()); ok && !d.Job.Disabled {
			body.NextFireTime = console.OptionalTime(next)
		}
	}
	if st.LastRun.Name != "" {
		body.LastRun = &api.CloudLastRun{Name: st.LastRun.Name, State: string(jobtree.Known(string(st.LastRun.State), cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled)), At: console.OptionalTime(st.LastRun.Ended)}
	}
	for _, one := range st.Conditions {
		body.Conditions = append(body.Conditions, api.CloudCondition{Type: one.Type, OK: one.OK, Reason: one.Reason, Message: one.Message, Since: console.OptionalTime(one.Since)})
	}
	return body
}

func (a cloudAPI) jobs(c *gin.Context, at *Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []api.CloudJob{}
	for _, d := range at.Seen.Jobs() {
		if !hidden(c, at, d.Job.Namespace) {
			list = append(list, a.jobJSON(c, at, d))
		}
	}
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

// readJob reads a job from the store, as new as it is.
func (a cloudAPI) readJob(c *gin.Context, at *Cloud, name string) (cloud.Definition, error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	d, err := at.ReadJob(ctx, name)
	if err == nil {
		err = elsewhere(c, at, cloud.KindJob, name, d.Job.Namespace)
	}
	return d, err
}

func (a cloudAPI) job(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	d, err := a.readJob(c, at, name)
	if err != nil {
		return err
	}
	tagCloud(c, d.Job)
	console.WriteJSON(c, http.StatusOK, a.jobJSON(c, at, d))
	return nil
}

// decodeJob reads a job over what is there.
func decodeJob(c *gin.Context, job *cloud.Job) error {
	return decodeFields(c, job, func(field string) {
		switch field {
		case "props":
			job.Props = nil
		case "compat":
			job.Compat = nil
		}
	})
}

func (a cloudAPI) createJob(c *gin.Context, at *Cloud) error {
	job := cloud.NewJob("", "", 0)
	if err := decodeJob(c, &job); err != nil {
		return err
	}
	made, err := a.addJob(c, at, job)
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusCreated, a.jobJSON(c, at, made))
	return nil
}

// addJob stores a new job.
func (a cloudAPI) addJob(c *gin.Context, at *Cloud, job cloud.Job) (cloud.Definition, error) {
	a.Note(c, slog.String("target", job.Name))
	job.Namespace = at.Place(namespaceOf(c))
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.CreateJob(ctx, job)
}

func (a cloudAPI) changeJob(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	stored, err := a.readJob(c, at, name)
	if err != nil {
		return err
	}
	if err := basedOn(c, stored.Job); err != nil {
		return err
	}
	wanted := stored.Job.Clone()
	if err := decodeJob(c, &wanted); err != nil {
		return err
	}
	if err := rename("jobName", wanted.Name, name); err != nil {
		return err
	}
	changed, err := a.storeJob(c, at, stored.Job, wanted)
	if err != nil {
		return err
	}
	tagCloud(c, changed.Job)
	console.WriteJSON(c, http.StatusOK, a.jobJSON(c, at, changed))
	return nil
}

// storeJob changes a job from what it was to what is wanted.
func (a cloudAPI) storeJob(c *gin.Context, at *Cloud, stored, wanted cloud.Job) (cloud.Definition, error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.StoreJob(ctx, stored, wanted)
}

func (a cloudAPI) disableJob(c *gin.Context, at *Cloud) error {
	return a.showJob(c, at, true)
}

func (a cloudAPI) enableJob(c *gin.Context, at *Cloud) error {
	return a.showJob(c, at, false)
}

// showJob switches a job and answers with it.
func (a cloudAPI) showJob(c *gin.Context, at *Cloud, disabled bool) error {
	d, err := a.switchJob(c, at, disabled)
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusOK, a.jobJSON(c, at, d))
	return nil
}

// switchJob switches the job of the address off or on.
func (a cloudAPI) switchJob(c *gin.Context, at *Cloud, disabled bool) (cloud.Definition, error) {
	way, err := a.wayOff(c, at, disabled)
	if err != nil {
		return cloud.Definition{}, err
	}
	name, err := nameOf(c, "job")
	if err != nil {
		return cloud.Definition{}, err
	}
	return switchJob(a.Console, c, at, name, disabled, way)
}

func (a cloudAPI) deleteJob(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	if err := a.remove(c, at, cloud.KindJob, name); err != nil {
		return err
	}
	console.Done(c)
	return nil
}

// remove deletes an application or a job from the store.
func (a cloudAPI) remove(c *gin.Context, at *Cloud, kind cloud.Kind, name string) error {
	if kind == cloud.KindJob {
		return deleteJob(a.Console, c, at, name)
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.Store.Delete(ctx, kind, name, cloud.DeleteOptions{})
}

// requestOf is the request for a run that a caller sends.
func (a cloudAPI) requestOf(c *gin.Context) (cloud.Request, error) {
	var in api.CloudTriggerRequest
	if c.Request.ContentLength != 0 {
		if err := decodeFields(c, &in, func(string) {}); err != nil {
			return cloud.Request{}, err
		}
	}
	return a.requestIn(c, in)
}

// requestIn is a request with who asks, when and by which key.
func (a cloudAPI) requestIn(c *gin.Context, in api.CloudTriggerRequest) (cloud.Request, error) {
	key, err := console.IdempotencyKey(c)
	if err != nil {
		return cloud.Request{}, err
	}
	r := cloud.Request{Key: key, Asked: a.Now(), Shards: in.Shards, Parameters: in.Parameters, By: console.Caller(c).Name}
	if r.Key == "" {
		r.Key = rand.Text()
	}
	if in.NotBefore != "" {
		at, err := time.Parse(time.RFC3339, in.NotBefore)
		if err != nil {
			return r, invalid(console.FieldBody{Field: "notBefore", Value: view.Clip(in.NotBefore, 60), Want: "a moment as of RFC 3339, such as 2026-11-26T08:00:00Z"})
		}
		r.NotBefore = at
	}
	return r, nil
}

func (a cloudAPI) trigger(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	r, err := a.requestOf(c)
	if err != nil {
		return err
	}
	run, err := a.ask(c, at, name, r)
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusAccepted, api.CloudTrigger{Run: run})
	return nil
}

// ask puts a request to a job, and names the run that will be.
func (a cloudAPI) ask(c *gin.Context, at *Cloud, name string, r cloud.Request) (run string, err error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	if run, err = at.Trigger(ctx, name, r); err != nil {
		return "", err
	}
	a.Note(c, slog.String("run", run))
	return run, nil
}
