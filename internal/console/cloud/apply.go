package cloud

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// CloudDocument is an application or a job as somebody wants it to be, all of it.
type Document struct {
	Kind cloud.Kind
	App  cloud.App
	Job  cloud.Job
}

// Name is that of the application or the job.
func (d Document) Name() string {
	if d.Kind == cloud.KindApp {
		return d.App.Name
	}
	return d.Job.Name
}

// What becomes of a document.
const (
	actionCreated   = "created"
	actionChanged   = "changed"
	actionUnchanged = "unchanged"
)

// CloudApplied is what became of a document, or would.
type Applied struct {
	Document
	Action string
	// Fields are those that changed, by their names.
	Fields []string
	// was is what is stored.
	was Document
}

// PlanDocuments says what has to be done so that all documents are as wanted. It refuses all
// of them if one cannot be. commands says that this console lets its callers change what a
// shell runs.
func (at *Cloud) PlanDocuments(ctx context.Context, documents []Document, commands bool) ([]Applied, error) {
	named := func(kind cloud.Kind, name string) func(Document) bool {
		return func(d Document) bool { return d.Kind == kind && d.Name() == name }
	}
	var plan []Applied
	for i, d := range documents {
		if first := slices.IndexFunc(documents, named(d.Kind, d.Name())); first < i {
			return nil, inDocument(i, d, invalid(console.FieldBody{Field: string(d.Kind) + "Name", Value: view.Clip(d.Name(), 100), Want: "each one once; document " + strconv.Itoa(first+1) + " has the same"}))
		}
		one := Applied{Document: d, Action: actionUnchanged}
		var err error
		if d.Kind == cloud.KindApp {
			err = at.planApp(ctx, &one, commands)
		} else {
			err = at.planJob(ctx, &one, slices.ContainsFunc(documents, named(cloud.KindApp, d.Job.AppName)))
		}
		if err != nil {
			return nil, inDocument(i, d, err)
		}
		plan = append(plan, one)
	}
	if err := together(plan); err != nil {
		return nil, err
	}
	// A job needs its application.
	slices.SortStableFunc(plan, func(a, b Applied) int { return rankOf(a.Kind) - rankOf(b.Kind) })
	return plan, nil
}

// together refuses a job whose application is to be made in another namespace.
func together(plan []Applied) error {
	for i, job := range plan {
		app := slices.IndexFunc(plan, func(d Applied) bool { return d.Kind == cloud.KindApp && d.Name() == job.Job.AppName })
		if job.Kind == cloud.KindJob && app >= 0 && plan[app].App.Namespace != job.Job.Namespace {
			return inDocument(i, job.Document, errAppElsewhere(job.Job, plan[app].App))
		}
	}
	return nil
}

// placed is the namespace of a document: that of what is stored, or else the wanted one.
func (at *Cloud) placed(wanted, stored string, exists bool) (string, error) {
	switch {
	case !exists:
		return at.Place(wanted), nil
	case at.Several() && wanted != "" && wanted != stored:
		return "", invalid(console.FieldBody{Field: "namespace", Value: view.Clip(wanted, 100), Want: stored + ", which has it: nothing moves from one namespace to another; delete it there first"})
	}
	return stored, nil
}

func rankOf(k cloud.Kind) int {
	if k == cloud.KindApp {
		return 0
	}
	return 1
}

func (at *Cloud) planApp(ctx context.Context, one *Applied, commands bool) error {
	stored, err := at.ReadApp(ctx, one.App.Name)
	one.App.Running = stored.Running // Nobody writes it into a document.
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		one.Action = actionCreated
	case err != nil:
		return err
	default:
		one.was = Document{Kind: one.Kind, App: stored}
		if one.Fields = changedFields(stored, one.App); len(one.Fields) > 0 {
			one.Action = actionChanged
		}
	}
	if one.App.Namespace, err = at.placed(one.App.Namespace, stored.Namespace, one.Action != actionCreated); err != nil {
		return err
	}
	wanted := one.App.Clone()
	wanted.Disabled = stored.Disabled // That is switched, and not written.
	return checkApp(stored, wanted, commands)
}

// planJob does not look for the application of a job if a document is about to make it.
func (at *Cloud) planJob(ctx context.Context, one *Applied, made bool) error {
	stored, err := at.ReadJob(ctx, one.Job.Name)
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		one.Action = actionCreated
	case err != nil:
		return err
	default:
		one.was = Document{Kind: one.Kind, Job: stored.Job}
		if one.Fields = changedFields(stored.Job, one.Job); len(one.Fields) > 0 {
			one.Action = actionChanged
		}
		if err := keepsType(stored.Job, one.Job); err != nil {
			return err
		}
	}
	if one.Job.Namespace, err = at.placed(one.Job.Namespace, stored.Job.Namespace, one.Action != actionCreated); err != nil {
		return err
	}
	if made {
		return at.checkAlone(one.Job)
	}
	return at.CheckJob(ctx, one.Job)
}

// Apply does what a plan says, applications first. An error says how far it came: what was
// changed since the plan was made is not written over. It calls dropped with the requests that
// a job drops because it is disabled.
func (at *Cloud) Apply(ctx context.Context, plan []Applied, commands bool, now time.Time, dropped Dropped) error {
	for i, one := range plan {
		if one.Action == actionUnchanged {
			continue
		}
		var err error
		if one.Kind == cloud.KindApp {
			err = at.applyApp(ctx, one, commands)
		} else {
			err = at.applyJob(ctx, one, now, dropped)
		}
		if err != nil {
			return fmt.Errorf("%d of %d documents are applied; %s %q is not: %w", i, len(plan), one.Kind, one.Name(), err)
		}
	}
	return nil
}

func (at *Cloud) applyApp(ctx context.Context, one Applied, commands bool) (err error) {
	wanted := one.App.Clone()
	wanted.Disabled = one.was.App.Disabled
	if one.Action == actionCreated {
		_, err = at.CreateApp(ctx, wanted, commands)
	} else {
		_, err = at.StoreApp(ctx, one.was.App, wanted, commands)
	}
	if err == nil && one.App.Disabled != wanted.Disabled {
		_, err = at.SwitchApp(ctx, wanted.Name, one.App.Disabled, "")
	}
	return err
}

// applyJob lets runs that go on finish.
func (at *Cloud) applyJob(ctx context.Context, one Applied, now time.Time, dropped Dropped) (err error) {
	wanted := one.Job.Clone()
	if one.Action == actionCreated {
		_, err = at.CreateJob(ctx, wanted)
		return err
	}
	wanted.Disabled = one.was.Job.Disabled
	if _, err = at.StoreJob(ctx, one.was.Job, wanted); err == nil && one.Job.Disabled != wanted.Disabled {
		var list []cloud.Request
		if _, list, err = at.SwitchJob(ctx, wanted.Name, one.Job.Disabled, "", now); err == nil {
			dropped(wanted.Name, list)
		}
	}
	return err
}

// InDocument says which document an error is about.
func inDocument(i int, d Document, err error) error {
	where := fmt.Sprintf("document %d (%s %q)", i+1, d.Kind, view.Clip(d.Name(), 100))
	p := *problemOf(err)
	p.Message = where + ": " + p.Message
	for k := range p.Fields {
		p.Fields[k].Field = fmt.Sprintf("documents[%d].%s", i, p.Fields[k].Field)
	}
	return &p
}

// changedFields are the fields of two documents that differ, by the names that they have in
// JSON.
func changedFields(a, b any) []string {
	before, after := fieldsOf(a), fieldsOf(b)
	var changed []string
	for _, field := range view.SortedKeys(after) {
		if !bytes.Equal(before[field], after[field]) {
			changed = append(changed, field)
		}
	}
	for _, field := range view.SortedKeys(before) {
		if _, stays := after[field]; !stays {
			changed = append(changed, field)
		}
	}
	slices.Sort(changed)
	return changed
}

func fieldsOf(document any) (fields map[string]json.RawMessage) {
	text, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic(fmt.Sprintf("console: a document as JSON: %v", err)) // It has no values that JSON cannot have.
	}
	return fields
}
