package cloud

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// importOptions are the options of an import.
type importOptions struct {
	// disabled creates jobs disabled, and leaves the switches of existing documents alone.
	disabled bool
	// namespace of a cluster for new documents.
	namespace string
}

// imported is the planned result for an application or a job of a tree.
type imported struct {
	applied
	refused *app.Problem   // why it's left out
	notes   []zkstore.Note // fields that aren't imported as they are, or have no effect here
}

// planImport plans the changes that make applications and jobs as a tree has them, applications
// first. Documents that can't be imported are left out with the reason; the error means that this
// can't be decided now. Existing documents keep the fields that the tree doesn't know, and an
// existing application keeps its program.
func (at *service) planImport(ctx context.Context, tree zkstore.Tree, o importOptions) ([]imported, error) {
	var plan []imported
	apps := make(map[string]bool)
	for _, d := range tree.Documents() {
		one := imported{notes: d.Notes}
		one.kind, one.app, one.Job = d.Kind, d.App, d.Job
		err := d.Err
		if err != nil {
			one.app.Name, one.Job.Name = d.Name, d.Name
			err = invalid(app.FieldBody{Field: "document", Want: view.Clip(err.Error(), 300)})
		} else if err = at.planOne(ctx, &one, d.Whole, apps[d.Job.AppName], o); err == nil && one.isApp() {
			apps[d.Name] = true
		}
		if err != nil {
			problem := problemOf(err)
			if problem.Kind == app.KindUnavailable {
				return nil, err
			}
			one.action, one.applied.fields, one.refused = actionRefused, nil, problem
		}
		for _, u := range at.unused(one.document) {
			if !slices.ContainsFunc(one.notes, func(n zkstore.Note) bool { return n.Field == u.Field }) {
				one.notes = append(one.notes, zkstore.Note{Field: u.Field, Value: u.Value, Text: "it is kept, and has no effect here"})
			}
		}
		plan = append(plan, one)
	}
	return plan, nil
}

// planOne plans one document. whole means that the tree has our own fields of it, and made that
// another document is about to create the application of the job.
func (at *service) planOne(ctx context.Context, one *imported, whole, made bool, o importOptions) error {
	one.put(o.namespace)
	stored, err := at.read(ctx, one.kind, one.name())
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		one.Job.Disabled = one.Job.Disabled || o.disabled
		return at.plan(ctx, &one.applied, made)
	case err != nil:
		return err
	case whole:
	case one.isApp():
		one.keepApp(stored.app)
	default:
		one.keepJob(stored.Job)
	}
	if o.disabled {
		one.disable(stored.disabled())
	}
	return at.plan(ctx, &one.applied, made)
}

// keepApp keeps the program of an existing application, and its fields that the tree doesn't know.
func (one *imported) keepApp(here cloud.App) {
	tree := one.app
	for _, made := range []struct{ field, tree, here string }{
		{"appURL", tree.URL, here.URL}, {"bootstrapScript", tree.BootstrapScript, here.BootstrapScript},
	} {
		if made.tree != made.here {
			one.notes = append(one.notes, zkstore.Note{Field: made.field, Value: made.tree, Text: "it is not imported: the application is here already, and keeps what its processes are made of"})
		}
	}
	one.app = here.Clone()
	one.app.CPU, one.app.MemoryMB, one.app.CacheEnable, one.app.EventSampling = tree.CPU, tree.MemoryMB, tree.CacheEnable, tree.EventSampling
	one.app.Disabled, one.app.Namespace = tree.Disabled, tree.Namespace
}

// keepJob keeps the fields of an existing job that the tree doesn't know.
func (one *imported) keepJob(here cloud.Job) {
	j := &one.Job
	j.TimeZone, j.StartTime, j.EndTime, j.ClockChange = here.TimeZone, here.StartTime, here.EndTime, here.ClockChange
	for key, value := range here.Props {
		if _, known := j.Props[key]; !known && strings.HasPrefix(key, "cloud.") {
			if j.Props == nil {
				j.Props = make(map[string]string)
			}
			j.Props[key] = value
		}
	}
}

// runImport carries a plan out, without the refused documents. If a scheduler of the tree fires the
// jobs too and some would be enabled, it refuses all of them, because they would run twice.
func (at *service) runImport(ctx context.Context, plan []imported, scheduler bool, now time.Time, drop dropped) error {
	var list []applied
	for _, one := range plan {
		if one.refused == nil {
			list = append(list, one.applied)
		}
	}
	enables := func(d applied) bool {
		return !d.disabled() && (d.action == actionChanged && d.was.disabled() || d.action == actionCreated && !d.isApp())
	}
	if i := slices.IndexFunc(list, enables); scheduler && i >= 0 {
		return &app.Problem{
			Kind: app.KindConflict, Code: "scheduler_alive", Message: fmt.Sprintf("A scheduler stands for election in the tree, and %s %s would be enabled here as well: jobs would run twice.", list[i].kind, strconv.Quote(view.Clip(list[i].name(), 100))),
			Hint: "Stop that scheduler, or import with disabled and enable the jobs here later. Nothing was changed.",
		}
	}
	return at.apply(ctx, list, now, drop)
}

// treeProblem is an error of reading a tree for the caller.
func treeProblem(registry, namespace string, err error) *app.Problem {
	where := fmt.Sprintf("Namespace %s of registry %s", strconv.Quote(view.Clip(namespace, 100)), strconv.Quote(view.Clip(registry, 100)))
	switch {
	case errors.Is(err, outbound.ErrForbidden):
		return app.AddressForbidden(err)
	case errors.Is(err, zkstore.ErrNoTree), errors.Is(err, app.ErrNoSuchChroot):
		p := app.NotFound(where+" has no ElasticJob-Cloud tree: "+view.Clip(mask.Text(strings.TrimPrefix(err.Error(), zkstore.ErrNoTree.Error()+": ")), 300)+".", "Name the namespace of the scheduler, which is elasticjob-cloud unless it was set up otherwise (zk_namespace).")
		p.Code = "no_such_tree"
		return p
	case errors.Is(err, zkstore.ErrTreeForbidden):
		return &app.Problem{
			Kind: app.KindForbidden, Code: "registry_forbidden", Message: where + " is not shown to this console: " + view.Clip(mask.Text(strings.TrimPrefix(err.Error(), zkstore.ErrTreeForbidden.Error()+": ")), 300) + ".",
			Hint: "Enter the registry with the digest that the scheduler has (zk_digest).", Cause: err,
		}
	case errors.Is(err, zkstore.ErrTreeTooLarge):
		return invalid(app.FieldBody{Field: "namespace", Value: view.Clip(namespace, 100), Want: view.Clip(err.Error(), 300)})
	}
	return &app.Problem{
		Kind: app.KindUnavailable, Code: app.CodeRegistryDown, Message: where + " cannot be read: " + view.Clip(mask.Text(err.Error()), 300) + ".",
		Hint: "Check the address of the registry, and ask again in a moment.", Retry: app.ReloadSeconds, Cause: err,
	}
}

// importTree makes applications and jobs as a tree of ElasticJob-Cloud has them.
func importTree(r *call) error {
	var in api.CloudImportRequest
	if err := app.ReadJSON(r.c, &in); err != nil {
		return err
	}
	if len(in.Apps) > maxDocuments {
		return invalid(app.FieldBody{Field: "apps", Value: fmt.Sprint(len(in.Apps)), Want: fmt.Sprintf("at most %d names", maxDocuments)})
	}
	r.note(slog.String("target", view.Clip(in.Registry+" "+in.Namespace, 200)), slog.Bool("dry_run", in.DryRun))
	ctx, cancel := context.WithTimeout(r.c.Request.Context(), documentsTime)
	defer cancel()
	tree, err := r.treeOf(ctx, in)
	if err != nil {
		return err
	}
	tree, absent := tree.Only(in.Apps)
	if len(absent) > 0 {
		return invalid(app.FieldBody{Field: "apps", Value: view.Clip(strings.Join(absent, ", "), 200), Want: "names of applications that the tree has"})
	}
	if n := tree.Size(); n > maxDocuments {
		return invalid(app.FieldBody{Field: "apps", Value: strconv.Itoa(n) + " applications and jobs", Want: fmt.Sprintf("the names of applications that have at most %d jobs together; import one part after the other", maxDocuments)})
	}
	plan, err := r.planImport(ctx, tree, importOptions{disabled: in.Disabled, namespace: r.namespace()})
	if err == nil && !in.DryRun {
		err = r.runImport(ctx, plan, tree.Scheduler, r.now, r.dropped)
	}
	if err != nil {
		return err
	}
	answer := api.CloudImportAnswer{DryRun: in.DryRun, Scheduler: tree.Scheduler, Documents: []api.CloudImported{}}
	for _, one := range plan {
		d := api.CloudImported{CloudApplied: one.body(), Refused: []app.FieldBody{}, Notes: []api.CloudNote{}}
		if one.refused != nil {
			d.Reason, d.Refused = one.refused.Message, append(d.Refused, one.refused.Fields...)
		}
		for _, n := range one.notes {
			d.Notes = append(d.Notes, api.CloudNote{Field: n.Field, Value: mask.Value(n.Field, view.Clip(n.Value, 200)), Note: n.Text})
		}
		answer.Documents = append(answer.Documents, d)
	}
	return r.answer(http.StatusOK, answer)
}

// treeOf is the tree that a request is about.
func (r *call) treeOf(ctx context.Context, in api.CloudImportRequest) (tree zkstore.Tree, err error) {
	switch {
	case in.Tree != nil && (in.Registry != "" || in.Namespace != ""):
		return tree, invalid(app.FieldBody{Field: "tree", Want: "none beside registry and namespace: it is one or the other"})
	case in.Tree != nil:
		return *in.Tree, nil
	case in.Registry == "":
		return tree, invalid(app.FieldBody{Field: "registry", Want: "a registry that was entered, " + app.DefaultRegistry + " for that of the command line, or a tree in its place"})
	}
	var entered *settings.Registry
	if in.Registry != app.DefaultRegistry {
		stored, err := r.s.StoredRegistry(ctx, in.Registry)
		if err != nil {
			return tree, err
		}
		entered = &stored
		if in.Namespace == "" {
			in.Namespace = stored.Namespace
		}
	}
	if _, err := jobtree.NewNamespace(in.Namespace); err != nil {
		return tree, invalid(app.FieldBody{Field: "namespace", Value: view.Clip(in.Namespace, 100), Want: "the namespace of the scheduler, such as elasticjob-cloud"})
	}
	if tree, err = r.ReadTree(ctx, entered, in.Namespace); err != nil {
		return tree, treeProblem(in.Registry, in.Namespace, err)
	}
	return tree, nil
}
