package cloud

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// The bounds of documents that are applied together.
const (
	maxDocuments     = 1000
	maxDocumentsBody = 4 << 20
	// documentsTime bounds the check and the storing of many documents. A second request goes on
	// where the first one stopped.
	documentsTime = 15 * time.Second
)

// cloudResources is the group and version of the custom resources, which are accepted as documents.
const cloudResources = "cloud.elasticjob.dev/v1"

// What becomes of a document.
const (
	actionCreated   = "created"
	actionChanged   = "changed"
	actionUnchanged = "unchanged"
	actionRefused   = "refused" // an import leaves it out
)

// applied is a document with its result, or the planned one.
type applied struct {
	document
	action string
	fields []string // that changed, by their names
	was    document // the stored one
}

func (d applied) body() api.CloudApplied {
	return api.CloudApplied{Kind: string(d.kind), Name: d.name(), Action: d.action, Fields: append([]string{}, d.fields...)}
}

// planAll plans the changes that make all documents as wanted. It refuses all of them if one is
// wrong.
func (at *service) planAll(ctx context.Context, documents []document) ([]applied, error) {
	named := func(kind cloud.Kind, name string) func(document) bool {
		return func(d document) bool { return d.kind == kind && d.name() == name }
	}
	var plan []applied
	for i, d := range documents {
		if first := slices.IndexFunc(documents, named(d.kind, d.name())); first < i {
			return nil, inDocument(i, d, invalid(app.FieldBody{Field: string(d.kind) + "Name", Value: view.Clip(d.name(), 100), Want: "each one once; document " + strconv.Itoa(first+1) + " has the same"}))
		}
		one := applied{document: d}
		if err := at.plan(ctx, &one, !d.isApp() && slices.ContainsFunc(documents, named(cloud.KindApp, d.Job.AppName))); err != nil {
			return nil, inDocument(i, d, err)
		}
		plan = append(plan, one)
	}
	for i, one := range plan {
		application := slices.IndexFunc(plan, func(d applied) bool { return d.isApp() && d.name() == one.Job.AppName })
		if !one.isApp() && application >= 0 && plan[application].namespace() != one.namespace() {
			return nil, inDocument(i, one.document, errAppElsewhere(one.Job, plan[application].app))
		}
	}
	// A job needs its application.
	slices.SortStableFunc(plan, func(a, b applied) int { return cmp.Compare(a.kind, b.kind) })
	return plan, nil
}

// plan plans one document. made means that another document is about to create the application of
// the job.
func (at *service) plan(ctx context.Context, one *applied, made bool) error {
	stored, err := at.read(ctx, one.kind, one.name())
	one.app.Running = stored.app.Running // It's never part of a document.
	wanted := one.clone()
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		one.action = actionCreated
		one.put(at.place(one.namespace()))
		if wanted.put(one.namespace()); one.isApp() {
			wanted.disable(false) // Documents are switched after they were written.
		}
		return at.check(ctx, document{}, wanted, made)
	case err != nil:
		return err
	case at.several() && one.namespace() != "" && one.namespace() != stored.namespace():
		return invalid(app.FieldBody{Field: "namespace", Value: view.Clip(one.namespace(), 100), Want: stored.namespace() + ", which has it: nothing moves from one namespace to another; delete it there first"})
	}
	one.was, one.action, one.fields = stored, actionUnchanged, changedFields(stored.config(), one.config())
	if len(one.fields) > 0 {
		one.action = actionChanged
	}
	one.put(stored.namespace())
	wanted.put(stored.namespace())
	wanted.disable(stored.disabled())
	return at.check(ctx, stored, wanted, made)
}

// apply carries a plan out, applications first. It doesn't overwrite changes that were made since
// the plan. An error names the number of applied documents. Runs that go on finish.
func (at *service) apply(ctx context.Context, plan []applied, now time.Time, drop dropped) error {
	for i, one := range plan {
		if one.action == actionUnchanged {
			continue
		}
		var err error
		wanted := one.clone()
		switch {
		case one.action != actionCreated:
			wanted.disable(one.was.disabled())
			_, err = at.replace(ctx, one.was, wanted)
		case one.isApp():
			wanted.disable(false)
			fallthrough
		default:
			_, err = at.create(ctx, wanted)
		}
		if err == nil && wanted.disabled() != one.disabled() {
			_, err = at.setDisabled(ctx, one.kind, one.name(), one.disabled(), "", now, drop)
		}
		if err != nil {
			return fmt.Errorf("%d of %d documents are applied; %s %q is not: %w", i, len(plan), one.kind, one.name(), err)
		}
	}
	return nil
}

// inDocument adds to an error which document it is about.
func inDocument(i int, d document, err error) error {
	p := *problemOf(err)
	p.Message = fmt.Sprintf("document %d (%s %q): %s", i+1, d.kind, view.Clip(d.name(), 100), p.Message)
	for k := range p.Fields {
		p.Fields[k].Field = fmt.Sprintf("documents[%d].%s", i, p.Fields[k].Field)
	}
	return &p
}

// applyDocuments makes applications and jobs as documents have them.
func applyDocuments(r *call) error {
	var in api.CloudApplyRequest
	if err := app.ReadJSON(r.c, &in); err != nil {
		return err
	}
	if n := len(in.Documents); n == 0 || n > maxDocuments {
		return invalid(app.FieldBody{Field: "documents", Value: fmt.Sprint(n), Want: fmt.Sprintf("1 to %d documents", maxDocuments)})
	}
	var documents []document
	var names []string
	for i, one := range in.Documents {
		d, err := documentOf(one)
		if err == nil {
			err = r.putIn(&d, one)
		}
		if err != nil {
			return inDocument(i, d, err)
		}
		documents, names = append(documents, d), append(names, d.name())
	}
	r.note(slog.String("target", view.Clip(strings.Join(names, ","), 200)), slog.Bool("dry_run", in.DryRun))
	ctx, cancel := context.WithTimeout(r.c.Request.Context(), documentsTime)
	defer cancel()
	plan, err := r.planAll(ctx, documents)
	if err == nil && !in.DryRun {
		err = r.apply(ctx, plan, r.now, r.dropped)
	}
	if err != nil {
		return err
	}
	answer := api.CloudApplyAnswer{DryRun: in.DryRun, Documents: []api.CloudApplied{}}
	for _, one := range plan {
		body := one.body()
		body.Warnings = r.warningsOf(one.document)
		answer.Documents = append(answer.Documents, body)
	}
	return r.answer(http.StatusOK, answer)
}

// putIn sets the namespace of a document: the one of its resource, or else of the request. Without
// several namespaces, resources may name any.
func (r *call) putIn(d *document, fields map[string]json.RawMessage) error {
	var metadata struct {
		Namespace string `json:"namespace"`
	}
	if text := fields["metadata"]; r.several() && text != nil {
		if err := json.Unmarshal(text, &metadata); err != nil {
			return invalid(app.FieldBody{Field: "metadata", Want: "an object whose namespace is a text"})
		}
	}
	d.put(cmp.Or(metadata.Namespace, r.namespace()))
	return r.checkNamespace(d.namespace())
}

// documentOf reads an application or a job. Absent fields have their defaults.
func documentOf(fields map[string]json.RawMessage) (d document, err error) {
	kind := textOf(fields, "kind")
	if _, resource := fields["kind"]; resource {
		if version := textOf(fields, "apiVersion"); version != cloudResources {
			return d, invalid(app.FieldBody{Field: "apiVersion", Value: view.Clip(version, 60), Want: cloudResources})
		}
		var spec map[string]json.RawMessage
		if err := json.Unmarshal(fields["spec"], &spec); err != nil || spec == nil {
			return d, invalid(app.FieldBody{Field: "spec", Want: "an object"})
		}
		fields = spec
	} else if _, job := fields["jobName"]; job {
		kind = "ElasticJob"
	} else if _, application := fields["appName"]; application {
		kind = "ElasticJobApp"
	}
	switch kind {
	case "ElasticJob":
		d = newDocument(cloud.KindJob)
	case "ElasticJobApp":
		d = newDocument(cloud.KindApp)
	default:
		return d, invalid(app.FieldBody{Field: "kind", Value: view.Clip(kind, 60), Want: "ElasticJob or ElasticJobApp; without it a document has jobName or appName"})
	}
	err = putFields(fields, d.config())
	return d, err
}
