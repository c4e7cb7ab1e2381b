package cloud

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// The addresses of upstream's own scheduler, for programs that were written for it: bodies and
// answers have its field names. Requests that it ignores silently, such as for an unknown name, are
// refused with the reason.

// yes is upstream's answer to a request that was carried out. It has no room for warnings, so the
// header Warning has them.
func (r *call) yes(warnings ...string) error {
	for _, text := range warnings {
		r.c.Writer.Header().Add("Warning", "299 - "+strconv.QuoteToASCII(text))
	}
	return r.answer(http.StatusOK, true)
}

// orElse answers clients of upstream's scheduler, whose header no other client sends, with a value
// if a document is unknown. Others get 404.
func (r *call) orElse(err error, otherwise any) error {
	if r.c.GetHeader("accessToken") == "" || !errors.Is(err, cloud.ErrNotFound) {
		return err
	}
	return r.answer(http.StatusOK, otherwise)
}

// readBody reads a whole body that needn't be JSON.
func (r *call) readBody() ([]byte, error) {
	body, err := io.ReadAll(r.c.Request.Body)
	if limit, exceeded := errors.AsType[*http.MaxBytesError](err); exceeded {
		return nil, app.TooLarge(limit.Limit)
	}
	if err != nil {
		return nil, app.Malformed("The body cannot be read.", err.Error())
	}
	if len(body) == 0 && len(r.c.Request.PostForm) == 1 {
		// A name that was sent as a form, which is the default of curl, was read as a field.
		for name, values := range r.c.Request.PostForm {
			if len(values) == 1 && values[0] == "" {
				return []byte(name), nil
			}
		}
	}
	return body, nil
}

// jobIn is the name of a job that is the whole body, with or without quotes.
func (r *call) jobIn(body []byte) (string, error) {
	name := strings.TrimSpace(string(body))
	var text *string
	if err := json.Unmarshal([]byte(name), &text); err == nil {
		name = ""
		if text != nil {
			name = *text
		}
	}
	if name == "" || strings.HasPrefix(name, "{") || strings.HasPrefix(name, "[") {
		return "", app.Malformed("The body is not the name of a job.", "Send the name alone, as it is or as a JSON text.")
	}
	return name, r.known(name)
}

// known makes sure that a job in a body exists. Only then the audit record has its name, because the
// body may be anything, and neither the record nor the answer should repeat it.
func (r *call) known(name string) error {
	err := cloud.ErrNotFound
	if jobtree.ValidateNodeName(name) == nil {
		_, err = r.stored(cloud.KindJob, name)
	}
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		return fmt.Errorf("the job that the body names: %w", cloud.ErrNotFound)
	case err == nil:
		r.note(slog.String("target", name))
	}
	return err
}

// upstreamBody reads a document from a client of upstream: null is an absent field, and forms send
// numbers and switches as texts. Unless the document creates a job, it doesn't switch anything,
// because clients read, change and write whole documents.
func (r *call) upstreamBody(creates bool) (map[string]json.RawMessage, error) {
	var body map[string]json.RawMessage
	if err := app.ReadJSON(r.c, &body); err != nil {
		return nil, err
	}
	if !creates || r.kind == cloud.KindApp {
		delete(body, "disabled")
		delete(body, "disabledRuns")
	}
	d := newDocument(r.kind)
	kinds := fieldKinds(d.config())
	for field, value := range body {
		if string(value) == "null" {
			delete(body, field)
			continue
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			continue
		}
		_, notNumber := strconv.ParseFloat(text, 64)
		_, notSwitch := strconv.ParseBool(text)
		switch kind := kinds[field]; {
		case (kind == reflect.Int || kind == reflect.Float64) && notNumber == nil, kind == reflect.Bool && notSwitch == nil:
			body[field] = json.RawMessage(strings.ToLower(text))
		}
	}
	return body, nil
}

// fieldKinds are the kinds of the fields of a configuration, by their JSON names.
func fieldKinds(config any) map[string]reflect.Kind {
	kinds := make(map[string]reflect.Kind)
	for f := range reflect.TypeOf(config).Elem().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			kinds[name] = f.Type.Kind()
		}
	}
	return kinds
}

// fill sets the fields of a document. The store keeps fields of 2.x without an effect here, such as
// jobClass, in compat.
func fill(d *document, body map[string]json.RawMessage) error {
	if !d.isApp() {
		known := fieldKinds(&d.Job)
		for field, value := range body {
			if _, ok := known[field]; ok {
				continue
			}
			delete(body, field)
			text := cmp.Or(textOf(map[string]json.RawMessage{field: value}, field), string(value))
			if text == `""` {
				text = ""
			}
			if d.Job.Compat == nil {
				d.Job.Compat = make(map[string]string)
			}
			d.Job.Compat[field] = text
		}
	}
	return putFields(body, d.config())
}

// register stores a document of upstream.
func register(r *call) error {
	body, err := r.upstreamBody(true)
	if err != nil {
		return err
	}
	d := newDocument(r.kind)
	if err := fill(&d, body); err != nil {
		return err
	}
	if !d.isApp() {
		if application, err := r.stored(cloud.KindApp, d.Job.AppName); err == nil && application.disabled() {
			return fmt.Errorf("application %q is disabled; enable it first: %w", application.name(), cloud.ErrRefused)
		}
	}
	made, err := r.add(d)
	if err != nil {
		return err
	}
	return r.yes(r.warningsOf(made)...)
}

// update changes the document that the body names. With replace=true, absent fields fall back to
// their defaults as in upstream, instead of staying.
func update(r *call) error {
	body, err := r.upstreamBody(false)
	if err != nil {
		return err
	}
	field := string(r.kind) + "Name"
	name := textOf(body, field)
	if name == "" {
		return invalid(app.FieldBody{Field: field, Want: "the name of what is to be changed"})
	}
	r.note(slog.String("target", name))
	replace := r.c.Query("replace")
	if replace != "" && replace != "true" && replace != "false" {
		return invalid(app.FieldBody{Field: "replace", Value: view.Clip(replace, 60), Want: "true or false"})
	}
	stored, err := r.stored(r.kind, name)
	if err != nil {
		return err
	}
	wanted := stored.clone()
	if replace == "true" {
		wanted = newDocument(r.kind)
		wanted.app.Name, wanted.Job.Name, wanted.app.Running = name, name, stored.app.Running
		wanted.disable(stored.disabled())
	}
	if err := fill(&wanted, body); err != nil {
		return err
	}
	changed, err := r.replace(r.ctx, stored, wanted)
	if err != nil {
		return err
	}
	return r.yes(r.warningsOf(changed)...)
}

func upstreamApp(r *call, d document) api.UpstreamApp {
	body := appBody(r, d)
	return api.UpstreamApp{CloudApp: body, URL: body.URL, BootstrapScript: body.BootstrapScript}
}

func jobConfig(r *call, d document) api.CloudJobConfig {
	j := r.shown(d).Job
	if j.Props == nil {
		j.Props = map[string]string{}
	}
	return api.CloudJobConfig{
		Job: j, Cron: j.Cron, ShardParameters: j.ShardParameters, Parameter: j.Parameter, StrategyType: j.StrategyType, ExecutorType: j.ExecutorType,
		ErrorHandlerType: j.ErrorHandlerType, Description: j.Description, Props: j.Props,
	}
}

// detail answers with one document.
func detail[T any](body func(*call, document) T) handler {
	return func(r *call) error {
		d, err := r.stored(r.kind, r.name)
		if err != nil {
			return r.orElse(err, nil)
		}
		if d.isApp() {
			r.tag(d)
		}
		return r.answer(http.StatusOK, body(r, d))
	}
}

// isDisabled reports whether a document is disabled. For upstream an unknown job is disabled.
func isDisabled(r *call) error {
	d, err := r.stored(r.kind, r.name)
	if err != nil {
		return r.orElse(err, r.kind == cloud.KindJob)
	}
	return r.answer(http.StatusOK, d.disabled())
}

// turned disables or enables a document and answers as upstream does.
func turned(disabled bool) handler {
	return func(r *call) error {
		if _, err := r.switched(disabled); err != nil {
			return err
		}
		return r.yes()
	}
}

// deregisterApp removes an application with its jobs, whose runs are killed.
func deregisterApp(r *call) error {
	if !r.Seen.Synced() {
		return errNotSynced
	}
	if _, err := r.stored(r.kind, r.name); err != nil {
		return err
	}
	for _, d := range r.jobsOf(r.name) {
		r.note(slog.String("job", d.Job.Name))
		if err := r.remove(r.ctx, cloud.KindJob, d.Job.Name, r.dropped); err != nil && !errors.Is(err, cloud.ErrNotFound) {
			return err
		}
	}
	if err := r.remove(r.ctx, r.kind, r.name, r.dropped); err != nil {
		return err
	}
	return r.yes()
}

// deregisterJob removes the job in the address or, as in 2.x, in the body.
func deregisterJob(r *call) error {
	name := r.name
	if name == "" {
		body, err := r.readBody()
		if err == nil {
			name, err = r.jobIn(body)
		}
		if err != nil {
			return err
		}
	}
	if err := r.remove(r.ctx, cloud.KindJob, name, r.dropped); err != nil {
		return err
	}
	return r.yes()
}

// triggerNamed runs the job in the body once. If the body is only the name, the answer is
// upstream's, else it has the run.
func triggerNamed(r *call) error {
	body, err := r.readBody()
	if err != nil {
		return err
	}
	var in api.NamedTriggerRequest
	object := bytes.HasPrefix(bytes.TrimSpace(body), []byte("{"))
	if object {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(body, &fields); err != nil {
			return app.Malformed("The body is not the JSON object expected here.", err.Error())
		}
		if err = putFields(fields, &in); err == nil {
			err = r.known(in.JobName)
		}
		if err != nil {
			return err
		}
	} else if in.JobName, err = r.jobIn(body); err != nil {
		return err
	}
	if in.Shards == nil {
		in.Shards = in.Items
	}
	run, err := r.ask(in.JobName, in.CloudTriggerRequest)
	switch {
	case err != nil:
		return err
	case object:
		return r.answer(http.StatusAccepted, api.CloudTrigger{Run: run})
	}
	return r.yes()
}

// mostUpstreamTasks bounds the lists of tasks, because upstream has no pages of them.
const mostUpstreamTasks = 10_000

// rows answers with rows of an upstream list. collect adds them.
func rows[T any](collect func(r *call, add func(T))) handler {
	return func(r *call) error {
		if !r.Seen.Synced() {
			return errNotSynced
		}
		list := []T{}
		collect(r, func(row T) { list = append(list, row) })
		return r.answer(http.StatusOK, list[:min(len(list), mostUpstreamTasks)])
	}
}

// tasks visits all tasks that haven't ended, of runs that haven't either, and the next attempts.
func (at *service) tasks(active, again func(cloud.RunStatus, cloud.Task)) {
	for _, run := range at.Seen.Runs("") {
		if run.State.Ended() {
			continue
		}
		_, tasks, _ := at.Seen.FindRun(run.Ref())
		for _, t := range tasks {
			if active != nil && !cloud.Ended(t.State) {
				active(run, t)
			}
		}
		if again == nil {
			continue
		}
		for _, t := range cloud.NextAttempts(run, tasks) {
			again(run, t)
		}
	}
}

func metaOf(run cloud.RunStatus, t cloud.Task) api.TaskMeta {
	return api.TaskMeta{JobName: run.JobName, ShardingItems: []int{t.Shard}}
}

var (
	activeTasks = rows(func(r *call, add func(api.RunningTask)) {
		r.tasks(func(run cloud.RunStatus, t cloud.Task) {
			add(api.RunningTask{ID: t.ID(run.JobName), MetaInfo: metaOf(run, t), Type: t.Type(), SlaveID: t.Node})
		}, nil)
	})
	// readyTasks are the jobs with pending runs: fire times, requests, and runs none of whose
	// shards has begun.
	readyTasks = rows(func(r *call, add func(api.ReadyTask)) {
		for _, d := range r.Seen.Jobs() {
			times := len(d.Status.Pending) + len(d.Status.Requests)
			for _, run := range r.Seen.Runs(d.Job.Name) {
				if run.State == cloud.RunWaiting {
					times++
				}
			}
			if times > 0 {
				add(api.ReadyTask{JobName: d.Job.Name, Times: strconv.Itoa(times)})
			}
		}
	})
	// failoverTasks are the shards that wait for a further attempt.
	failoverTasks = rows(func(r *call, add func(api.FailoverTask)) {
		r.tasks(nil, func(run cloud.RunStatus, t cloud.Task) {
			add(api.FailoverTask{TaskInfo: metaOf(run, t), OriginalTaskID: cmp.Or(t.OriginalID(run.JobName), t.ID(run.JobName))})
		})
	})
	// sandboxes are the machines of the tasks of an application, with the addresses of the logs on
	// this console.
	sandboxes = rows(func(r *call, add func(api.Sandbox)) {
		application := r.c.Query("appName")
		r.tasks(func(run cloud.RunStatus, t cloud.Task) {
			if application == "" || run.AppName == application {
				add(api.Sandbox{Hostname: t.Node, Path: apiRoute + "/tasks/" + t.UID + "/log"})
			}
		}, nil)
	})
)

// reconcile re-lists the tasks of the engine, and with all also the documents of the store.
func reconcile(all bool) handler {
	return func(r *call) error {
		if !r.Seen.Synced() {
			return errNotSynced
		}
		if wait := r.Seen.Reconcile(all); wait > 0 {
			return &app.Problem{
				Kind: app.KindTooMany, Code: "too_often", Retry: int((wait + time.Second - 1) / time.Second),
				Message: "What runs was read anew a moment ago.", Hint: "At most once in ten seconds.",
			}
		}
		return r.yes()
	}
}

// count answers with a number of jobs of each type.
func count[T any](add func(*T, cloud.Job)) handler {
	return func(r *call) error {
		if !r.Seen.Synced() {
			return errNotSynced
		}
		var body T
		for _, d := range r.Seen.Jobs() {
			add(&body, d.Job)
		}
		return r.answer(http.StatusOK, body)
	}
}

func addExecutionType(n *api.ExecutionTypes, j cloud.Job) {
	if j.Type == cloud.TypeDaemon {
		n.Daemon++
	} else {
		n.Transient++
	}
}

// addType counts a job of 3.x without a script as simple, because it has no type.
func addType(n *api.JobTypes, j cloud.Job) {
	script, _ := j.Script()
	switch kind := strings.ToUpper(j.Compat["jobType"]); {
	case script != nil || kind == "SCRIPT":
		n.Script++
	case kind == "DATAFLOW":
		n.Dataflow++
	default:
		n.Simple++
	}
}
