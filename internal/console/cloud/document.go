package cloud

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// document is an application or a job. A job that was read has its status, too.
type document struct {
	kind cloud.Kind
	app  cloud.App
	cloud.Definition
}

func appOf(a cloud.App) document { return document{kind: cloud.KindApp, app: a} }

func jobOf(d cloud.Definition) document { return document{kind: cloud.KindJob, Definition: d} }

// newDocument has the defaults of a kind.
func newDocument(kind cloud.Kind) document {
	if kind == cloud.KindApp {
		return appOf(cloud.NewApp(""))
	}
	return jobOf(cloud.Definition{Job: cloud.NewJob("", "", 0)})
}

func (d document) isApp() bool { return d.kind == cloud.KindApp }

// config points to the configuration: the application or the job.
func (d *document) config() any {
	if d.isApp() {
		return &d.app
	}
	return &d.Job
}

// common points to the fields that both kinds have.
func (d *document) common() (name, namespace *string, disabled *bool) {
	if d.isApp() {
		return &d.app.Name, &d.app.Namespace, &d.app.Disabled
	}
	return &d.Job.Name, &d.Job.Namespace, &d.Job.Disabled
}

func (d document) name() string      { name, _, _ := d.common(); return *name }
func (d document) namespace() string { _, namespace, _ := d.common(); return *namespace }
func (d document) disabled() bool    { _, _, disabled := d.common(); return *disabled }
func (d *document) put(in string)    { _, namespace, _ := d.common(); *namespace = in }
func (d *document) disable(to bool)  { _, _, disabled := d.common(); *disabled = to }
func (d document) same(as document) bool {
	a, b := d.clone(), as.clone()
	return reflect.DeepEqual(a.app, b.app) && reflect.DeepEqual(a.Job, b.Job)
}

func (d document) clone() document {
	d.app, d.Definition = d.app.Clone(), d.Definition.Clone()
	return d
}

// revision names the stored configuration, so that a change doesn't undo another one. The status of
// a job isn't part of it.
func (d document) revision() string {
	text, err := json.Marshal(d.config())
	if err != nil {
		panic(fmt.Sprintf("cloud: a document as JSON: %v", err)) // It has no values that JSON cannot have.
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// masked is the document for callers who only look: no values of variables, no secrets.
func (d document) masked() document {
	d = d.clone()
	hide := func(texts ...*string) {
		for _, text := range texts {
			*text = mask.Text(*text)
		}
	}
	for name := range d.app.Env {
		d.app.Env[name] = mask.Hidden
	}
	for _, words := range [][]string{d.app.Command, d.app.Args} {
		for i := range words {
			hide(&words[i])
		}
	}
	j := &d.Job
	hide(&d.app.URL, &d.app.Image, &d.app.BootstrapScript, &j.Description, &j.Parameter, &j.ShardParameters)
	for _, props := range []*map[string]string{&j.Props, &j.Compat} {
		if *props != nil {
			*props = mask.Values(*props)
		}
	}
	for i := range d.Status.Conditions {
		hide(&d.Status.Conditions[i].Message)
	}
	return d
}

// unchanged is for calls of the store that only read.
func unchanged[T any](*T) error { return nil }

// read reads a document from the store.
func (at *service) read(ctx context.Context, kind cloud.Kind, name string) (document, error) {
	if kind == cloud.KindApp {
		application, err := at.Store.ChangeApp(ctx, name, unchanged)
		return appOf(application), err
	}
	d, err := at.Store.Change(ctx, name, unchanged)
	return jobOf(d), err
}

// reported are the documents of a kind in the last report of the store, by name.
func (at *service) reported(kind cloud.Kind) (list []document) {
	if kind == cloud.KindApp {
		for _, a := range at.Seen.Apps() {
			list = append(list, appOf(a))
		}
		return list
	}
	for _, d := range at.Seen.Jobs() {
		list = append(list, jobOf(d))
	}
	return list
}

// check refuses a document that is wrong, can't replace the stored one, or can't run on the engine.
// The kind of stored is empty for a new document. made means that the application of the job is
// about to be created.
func (at *service) check(ctx context.Context, stored, wanted document, made bool) error {
	if wanted.isApp() {
		if stored.app.Disabled != wanted.app.Disabled || stored.app.Running != wanted.app.Running {
			return invalid(app.FieldBody{Field: "disabled", Want: "the stored value; POST " + apiApp + "/disable and /enable change it"})
		}
		if err := wanted.app.Validate(); err != nil {
			return err
		}
		return at.mayRunShell(stored.app, wanted.app)
	}
	job, can := wanted.Job, at.Engine.Capabilities()
	if stored.kind != "" {
		if job.Disabled != stored.Job.Disabled {
			return invalid(app.FieldBody{Field: "disabled", Value: strconv.FormatBool(job.Disabled), Want: "the stored value; POST " + apiJob + "/disable and /enable change it"})
		}
		if err := keepsType(stored.Job, job); err != nil {
			return err
		}
	}
	if err := job.Validate(); err != nil {
		return err
	}
	switch {
	case job.Type == cloud.TypeDaemon && !can.Daemons:
		return fmt.Errorf("jobExecutionType DAEMON needs the capability daemons, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	case job.Shards > can.MaxShards:
		return invalid(app.FieldBody{Field: "shardingTotalCount", Value: strconv.Itoa(job.Shards), Want: fmt.Sprintf("a whole number from 1 to %d with the engine %s", can.MaxShards, can.Engine)})
	case made:
		return nil
	}
	switch application, err := at.Store.ChangeApp(ctx, job.AppName, unchanged); {
	case errors.Is(err, cloud.ErrNotFound):
		return invalid(app.FieldBody{Field: "appName", Value: view.Clip(job.AppName, 100), Want: "an application that is registered; POST " + apiRoute + "/apps registers one"})
	case err != nil:
		return err
	case application.Namespace != at.place(job.Namespace):
		job.Namespace = at.place(job.Namespace)
		return errAppElsewhere(job, application)
	}
	return nil
}

// errAppElsewhere refuses a job whose application is in another namespace.
func errAppElsewhere(job cloud.Job, application cloud.App) error {
	return invalid(app.FieldBody{Field: "appName", Value: view.Clip(job.AppName, 100), Want: fmt.Sprintf("an application of namespace %s, as the job is; this one is in %s", job.Namespace, application.Namespace)})
}

// mayRunShell refuses a new text for a shell, unless the console was started with the right to
// change commands. Without a shell, programs are below a folder that the host's administrator has
// filled.
func (at *service) mayRunShell(before, after cloud.App) error {
	same := before.Shell && before.BootstrapScript == after.BootstrapScript && slices.Equal(before.Args, after.Args) && slices.Equal(before.Command, after.Command)
	if !after.Shell || same || at.commands {
		return nil
	}
	return &app.Problem{
		Kind: app.KindForbidden, Code: "command_changes_off", Fields: []app.FieldBody{{Field: "shell", Value: "true", Want: "false"}},
		Message: "This console lets nobody set up a shell: whoever may would run anything on its machine.",
		Hint:    "Put the program below the folder of programs and name it in command, or start the console with --allow-command-changes.",
	}
}

// keepsType refuses to change the processes of an enabled job, because the old ones would work next
// to the new ones.
func keepsType(stored, wanted cloud.Job) error {
	field, value := "jobExecutionType", string(wanted.Type)
	if wanted.Type == stored.Type {
		field, value = "props."+cloud.PropDaemon, wanted.Props[cloud.PropDaemon]
	}
	if wanted.Type == stored.Type && value == stored.Props[cloud.PropDaemon] || stored.Disabled {
		return nil
	}
	return invalid(app.FieldBody{Field: field, Value: view.Clip(value, 60), Want: "the stored value while the job is enabled; disable it first"})
}

// create stores a new document.
func (at *service) create(ctx context.Context, d document) (document, error) {
	err := at.check(ctx, document{}, d, false)
	if err == nil && d.isApp() {
		d.app, err = at.Store.CreateApp(ctx, d.app)
	} else if err == nil {
		d.Definition, err = at.Store.Create(ctx, d.Job)
	}
	return d, err
}

// replace stores wanted if the stored document is still the one that the caller read. The namespace
// of a document can't change.
func (at *service) replace(ctx context.Context, stored, wanted document) (document, error) {
	wanted.put(stored.namespace())
	if err := at.check(ctx, stored, wanted, false); err != nil {
		return stored, err
	}
	wanted = wanted.clone()
	if wanted.isApp() {
		application, err := at.Store.ChangeApp(ctx, stored.name(), func(application *cloud.App) error {
			if !appOf(*application).same(stored) {
				return fmt.Errorf("application %q: %w", stored.name(), cloud.ErrConflict)
			}
			*application = wanted.app
			return nil
		})
		return appOf(application), err
	}
	d, err := at.Store.Change(ctx, stored.name(), func(d *cloud.Definition) error {
		if !jobOf(*d).same(stored) {
			return fmt.Errorf("job %q: %w", stored.name(), cloud.ErrConflict)
		}
		d.Job = wanted.Job
		return nil
	})
	return jobOf(d), err
}

// dropped is called with the requests of a job that were dropped before they were launched.
type dropped func(job string, list []cloud.Request)

// setDisabled disables or enables a document. way decides about runs that go on.
func (at *service) setDisabled(ctx context.Context, kind cloud.Kind, name string, disabled bool, way cloud.Way, now time.Time, drop dropped) (document, error) {
	if kind == cloud.KindApp {
		application, err := at.Store.ChangeApp(ctx, name, func(application *cloud.App) error {
			application.Disabled, application.Running = disabled, way
			return nil
		})
		return appOf(application), err
	}
	var requests []cloud.Request
	d, err := at.Store.Change(ctx, name, func(d *cloud.Definition) error {
		requests = slices.Clone(d.Status.Requests)
		d.SetDisabled(disabled, way, now)
		if len(d.Status.Requests) > 0 {
			requests = nil
		}
		return nil
	})
	if err == nil {
		drop(name, requests)
	}
	return jobOf(d), err
}

// remove deletes a document. The scheduler ends the runs of a deleted job. A request for a run that
// arrives now is either dropped or finds no job.
func (at *service) remove(ctx context.Context, kind cloud.Kind, name string, drop dropped) error {
	if kind == cloud.KindApp {
		return at.Store.Delete(ctx, kind, name, cloud.DeleteOptions{})
	}
	for {
		d, err := at.read(ctx, kind, name)
		if err != nil {
			return err
		}
		err = at.Store.Delete(ctx, kind, name, cloud.DeleteOptions{Version: d.Version})
		if err == nil {
			drop(name, d.Status.Requests)
		}
		if !errors.Is(err, cloud.ErrConflict) || ctx.Err() != nil {
			return err
		}
	}
}

// withoutJobs refuses to remove an application that has jobs.
func (at *service) withoutJobs(application string) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	if jobs := at.jobsOf(application); len(jobs) > 0 {
		return fmt.Errorf("application %s has jobs, such as %s; delete them first: %w", strconv.Quote(application), strconv.Quote(jobs[0].Job.Name), cloud.ErrRefused)
	}
	return nil
}

// jobsOf are the jobs of an application in its namespace.
func (at *service) jobsOf(application string) []cloud.Definition {
	apps := at.Seen.Apps()
	i := slices.IndexFunc(apps, func(a cloud.App) bool { return a.Name == application })
	return slices.DeleteFunc(at.Seen.Jobs(), func(d cloud.Definition) bool {
		return d.Job.AppName != application || i >= 0 && d.Job.Namespace != apps[i].Namespace
	})
}

// trigger requests a run of a job and returns the name of the run.
func (at *service) trigger(ctx context.Context, name string, r cloud.Request) (run string, err error) {
	stored, err := at.read(ctx, cloud.KindJob, name)
	if err != nil {
		return "", err
	}
	if application, err := at.read(ctx, cloud.KindApp, stored.Job.AppName); err != nil {
		return "", err
	} else if application.disabled() {
		return "", fmt.Errorf("application %q of job %q is disabled; enable it first: %w", application.name(), name, cloud.ErrRefused)
	}
	_, err = at.Store.Change(ctx, name, func(d *cloud.Definition) (err error) {
		run, err = d.Ask(r)
		return err
	})
	return run, err
}

// changedFields are the fields of two configurations that differ, by their names in JSON.
func changedFields(a, b any) (changed []string) {
	before, after := fieldsOf(a), fieldsOf(b)
	for field := range before {
		if !bytes.Equal(before[field], after[field]) {
			changed = append(changed, field)
		}
	}
	for field := range after {
		if _, had := before[field]; !had {
			changed = append(changed, field)
		}
	}
	slices.Sort(changed)
	return changed
}

func fieldsOf(config any) (fields map[string]json.RawMessage) {
	text, err := json.Marshal(config)
	if err = cmp.Or(err, json.Unmarshal(text, &fields)); err != nil {
		panic(fmt.Sprintf("cloud: a document as JSON: %v", err)) // It has no values that JSON cannot have.
	}
	return fields
}
