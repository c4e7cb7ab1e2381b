package rest

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// cloudJobRequest makes or changes a job.
type cloudJobRequest struct{ cloud.Job }

// cloudJobBody is a job with upstream's field names, and what its scheduler says of it.
type cloudJobBody struct {
	cloud.Job
	Namespace string `json:"namespace,omitempty"`
	CreatedAt string `json:"createdAt,omitempty"`
	// LastFireTime is absent as long as there is none, or since the job was disabled, enabled
	// or given another schedule.
	LastFireTime string `json:"lastFireTime,omitempty"`
	NextFireTime string `json:"nextFireTime,omitempty"`
	// Pending are fire times and Requested requests that wait for a run.
	Pending    int                  `json:"pending"`
	Requested  int                  `json:"requested"`
	Missed     int64                `json:"missedTotal"`
	Merged     int64                `json:"mergedTotal"`
	LastRun    *cloudLastRunBody    `json:"lastRun,omitempty"`
	Conditions []cloudConditionBody `json:"conditions"`
	// Warnings name the fields without an effect.
	Warnings []string `json:"warnings,omitempty"`
}

type cloudLastRunBody struct {
	Name  string `json:"name"`
	State string `json:"state"`
	At    string `json:"completeTime"`
}

type cloudConditionBody struct {
	Type    string `json:"type"`
	OK      bool   `json:"ok"`
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
	Since   string `json:"since,omitempty"`
}

// jobJSON is a job as the answer may have it.
func (a cloudAPI) jobJSON(c *gin.Context, at *console.Cloud, d cloud.Definition) cloudJobBody {
	warnings := at.Warnings(i18n.English, console.CloudDocument{Kind: cloud.KindJob, Job: d.Job}, console.May(c, console.Configures))
	if hidesSecrets(c) {
		d = console.MaskedCloudJob(d)
	}
	st := d.Status
	body := cloudJobBody{
		Job: d.Job, Namespace: d.Job.Namespace, CreatedAt: optionalTime(d.Created), Pending: len(st.Pending), Requested: len(st.Requests),
		Missed: st.Missed, Merged: st.Merged, Conditions: []cloudConditionBody{},
		Warnings: warnings,
	}
	if schedule, err := at.Schedule(d.Job); err == nil {
		if last, ok := schedule.Fired(d); ok {
			body.LastFireTime = optionalTime(last)
		}
		if next, ok := schedule.Next(a.Now()); ok && !d.Job.Disabled {
			body.NextFireTime = optionalTime(next)
		}
	}
	if st.LastRun.Name != "" {
		body.LastRun = &cloudLastRunBody{st.LastRun.Name, string(jobtree.Known(string(st.LastRun.State), cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled)), optionalTime(st.LastRun.Ended)}
	}
	for _, one := range st.Conditions {
		body.Conditions = append(body.Conditions, cloudConditionBody{one.Type, one.OK, one.Reason, one.Message, optionalTime(one.Since)})
	}
	return body
}

func (a cloudAPI) jobs(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []cloudJobBody{}
	for _, d := range at.Seen.Jobs() {
		if !hidden(c, at, d.Job.Namespace) {
			list = append(list, a.jobJSON(c, at, d))
		}
	}
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

// readJob reads a job from the store, as new as it is.
func (a cloudAPI) readJob(c *gin.Context, at *console.Cloud, name string) (cloud.Definition, error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	d, err := at.ReadJob(ctx, name)
	if err == nil {
		err = elsewhere(c, at, cloud.KindJob, name, d.Job.Namespace)
	}
	return d, err
}

func (a cloudAPI) job(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
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

func (a cloudAPI) createJob(c *gin.Context, at *console.Cloud) error {
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
func (a cloudAPI) addJob(c *gin.Context, at *console.Cloud, job cloud.Job) (cloud.Definition, error) {
	a.Note(c, slog.String("target", job.Name))
	job.Namespace = at.Place(namespaceOf(c))
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.CreateJob(ctx, job)
}

func (a cloudAPI) changeJob(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
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
func (a cloudAPI) storeJob(c *gin.Context, at *console.Cloud, stored, wanted cloud.Job) (cloud.Definition, error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.StoreJob(ctx, stored, wanted)
}

func (a cloudAPI) disableJob(c *gin.Context, at *console.Cloud) error {
	return a.showJob(c, at, true)
}

func (a cloudAPI) enableJob(c *gin.Context, at *console.Cloud) error {
	return a.showJob(c, at, false)
}

// showJob switches a job and answers with it.
func (a cloudAPI) showJob(c *gin.Context, at *console.Cloud, disabled bool) error {
	d, err := a.switchJob(c, at, disabled)
	if err != nil {
		return err
	}
	console.WriteJSON(c, http.StatusOK, a.jobJSON(c, at, d))
	return nil
}

// switchJob switches the job of the address off or on.
func (a cloudAPI) switchJob(c *gin.Context, at *console.Cloud, disabled bool) (cloud.Definition, error) {
	way, err := a.wayOff(c, at, disabled)
	if err != nil {
		return cloud.Definition{}, err
	}
	name, err := console.CloudName(c, "job")
	if err != nil {
		return cloud.Definition{}, err
	}
	return a.SwitchCloudJob(c, at, name, disabled, way)
}

func (a cloudAPI) deleteJob(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
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
func (a cloudAPI) remove(c *gin.Context, at *console.Cloud, kind cloud.Kind, name string) error {
	if kind == cloud.KindJob {
		return a.DeleteCloudJob(c, at, name)
	}
	ctx, cancel := a.Reading(c)
	defer cancel()
	return at.Store.Delete(ctx, kind, name, cloud.DeleteOptions{})
}

// cloudTriggerRequest asks for a run; all of it may be absent, and so may the body.
type cloudTriggerRequest struct {
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Shards     []int           `json:"shards,omitempty"`
	NotBefore  string          `json:"notBefore,omitempty"`
}

// cloudTriggerBody names the run that will be.
type cloudTriggerBody struct {
	Run string `json:"run"`
}

// requestOf is the request for a run that a caller sends.
func (a cloudAPI) requestOf(c *gin.Context) (cloud.Request, error) {
	var in cloudTriggerRequest
	if c.Request.ContentLength != 0 {
		if err := decodeFields(c, &in, func(string) {}); err != nil {
			return cloud.Request{}, err
		}
	}
	return a.requestIn(c, in)
}

// requestIn is a request with who asks, when and by which key.
func (a cloudAPI) requestIn(c *gin.Context, in cloudTriggerRequest) (cloud.Request, error) {
	key, err := idempotencyKey(c)
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
			return r, console.CloudInvalid(console.FieldBody{Field: "notBefore", Value: view.Clip(in.NotBefore, 60), Want: "a moment as of RFC 3339, such as 2026-11-26T08:00:00Z"})
		}
		r.NotBefore = at
	}
	return r, nil
}

func (a cloudAPI) trigger(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
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
	console.WriteJSON(c, http.StatusAccepted, cloudTriggerBody{run})
	return nil
}

// ask puts a request to a job, and names the run that will be.
func (a cloudAPI) ask(c *gin.Context, at *console.Cloud, name string, r cloud.Request) (run string, err error) {
	ctx, cancel := a.Reading(c)
	defer cancel()
	if run, err = at.Trigger(ctx, name, r); err != nil {
		return "", err
	}
	a.Note(c, slog.String("run", run))
	return run, nil
}
