package cloud

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
)

// CloudImportOptions say how a tree is imported.
type importOptions struct {
	// Disabled has jobs made that are disabled, and switches nothing that is here already.
	Disabled bool
	// Commands says that this console lets its callers change what a shell runs.
	Commands bool
	// Namespace is the one of a cluster that what is not here yet is made in.
	Namespace string
}

// CloudImported is what becomes of an application or a job of a tree.
type imported struct {
	Applied
	// Refused is why it is left out, nil if it is not.
	Refused *console.Problem
	// Notes are fields that do not come as they are, or have no effect here.
	Notes []zkstore.Note
}

// CloudRefused is the action for what is left out.
const actionRefused = "refused"

// PlanImport says what has to be done so that applications and jobs are as a tree has them,
// applications first. What cannot be imported is left out and says why; an error says that
// nobody can tell now. What is here already keeps the fields that the tree does not know, and
// an application what its processes are made of.
func (at *Cloud) PlanImport(ctx context.Context, tree zkstore.Tree, o importOptions) ([]imported, error) {
	var plan []imported
	apps := make(map[string]bool)
	for _, d := range tree.Documents() {
		one := imported{Notes: d.Notes}
		one.Kind, one.App, one.Job = d.Kind, d.App, d.Job
		err := d.Err
		switch {
		case err != nil:
			one.App.Name, one.Job.Name = d.Name, d.Name
			err = invalid(console.FieldBody{Field: "document", Want: view.Clip(err.Error(), 300)})
		case d.Kind == cloud.KindApp:
			if err = at.importApp(ctx, &one, d.Whole, o); err == nil {
				apps[d.Name] = true
			}
		default:
			err = at.importJob(ctx, &one, d.Whole, apps[d.Job.AppName], o)
		}
		if err != nil {
			problem := problemOf(err)
			if problem.Kind == console.KindUnavailable {
				return nil, err
			}
			one.Action, one.Fields, one.Refused = actionRefused, nil, problem
		}
		for _, u := range at.Unused(one.Document) {
			if !slices.ContainsFunc(one.Notes, func(n zkstore.Note) bool { return n.Field == u.Field }) {
				one.Notes = append(one.Notes, zkstore.Note{Field: u.Field, Value: u.Value, Text: "it is kept, and has no effect here"})
			}
		}
		plan = append(plan, one)
	}
	return plan, nil
}

// importApp plans an application. whole says that the tree has our own fields of it.
func (at *Cloud) importApp(ctx context.Context, one *imported, whole bool, o importOptions) error {
	one.Action = actionUnchanged
	stored, err := at.ReadApp(ctx, one.App.Name)
	one.App.Namespace = o.Namespace
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		return at.planApp(ctx, &one.Applied, o.Commands)
	case err != nil:
		return err
	}
	if !whole {
		for _, made := range []struct{ field, tree, here string }{
			{"appURL", one.App.URL, stored.URL}, {"bootstrapScript", one.App.BootstrapScript, stored.BootstrapScript},
		} {
			if made.tree != made.here {
				one.Notes = append(one.Notes, zkstore.Note{Field: made.field, Value: made.tree, Text: "it is not imported: the application is here already, and keeps what its processes are made of"})
			}
		}
		tree := one.App
		one.App = stored.Clone()
		one.App.CPU, one.App.MemoryMB, one.App.CacheEnable, one.App.EventSampling = tree.CPU, tree.MemoryMB, tree.CacheEnable, tree.EventSampling
		one.App.Disabled, one.App.Namespace = tree.Disabled, tree.Namespace
	}
	if o.Disabled {
		one.App.Disabled = stored.Disabled
	}
	return at.planApp(ctx, &one.Applied, o.Commands)
}

// importJob plans a job. made says that a document is about to make its application.
func (at *Cloud) importJob(ctx context.Context, one *imported, whole, made bool, o importOptions) error {
	one.Action = actionUnchanged
	stored, err := at.ReadJob(ctx, one.Job.Name)
	one.Job.Namespace = o.Namespace
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		one.Job.Disabled = one.Job.Disabled || o.Disabled
		return at.planJob(ctx, &one.Applied, made)
	case err != nil:
		return err
	}
	if here := stored.Job; !whole {
		one.Job.TimeZone, one.Job.StartTime, one.Job.EndTime, one.Job.ClockChange = here.TimeZone, here.StartTime, here.EndTime, here.ClockChange
		for key, value := range here.Props {
			if _, said := one.Job.Props[key]; !said && strings.HasPrefix(key, "cloud.") {
				if one.Job.Props == nil {
					one.Job.Props = make(map[string]string)
				}
				one.Job.Props[key] = value
			}
		}
	}
	if o.Disabled {
		one.Job.Disabled = stored.Job.Disabled
	}
	return at.planJob(ctx, &one.Applied, made)
}

// Import does what a plan says, without what it leaves out. Jobs that a scheduler in the tree
// fires too are refused, all of them, if they are enabled: they would run twice.
func (at *Cloud) Import(ctx context.Context, plan []imported, scheduler bool, commands bool, now time.Time, dropped Dropped) error {
	var applied []Applied
	for _, one := range plan {
		if one.Refused == nil {
			applied = append(applied, one.Applied)
		}
	}
	enables := func(one Applied) bool {
		if one.Kind == cloud.KindApp {
			return one.Action == actionChanged && !one.App.Disabled && one.was.App.Disabled
		}
		return one.Action == actionCreated && !one.Job.Disabled || one.Action == actionChanged && !one.Job.Disabled && one.was.Job.Disabled
	}
	if i := slices.IndexFunc(applied, enables); scheduler && i >= 0 {
		return &console.Problem{
			Kind: console.KindConflict, Code: "scheduler_alive", Message: fmt.Sprintf("A scheduler stands for election in the tree, and %s %s would be enabled here as well: jobs would run twice.", applied[i].Kind, strconv.Quote(view.Clip(applied[i].Name(), 100))),
			Hint: "Stop that scheduler, or import with disabled and enable the jobs here later. Nothing was changed.",
		}
	}
	return at.Apply(ctx, applied, commands, now, dropped)
}

// CloudTreeProblem is an error of reading the tree of a registry as the caller may see it.
func treeProblem(registry, namespace string, err error) *console.Problem {
	where := fmt.Sprintf("Namespace %s of registry %s", strconv.Quote(view.Clip(namespace, 100)), strconv.Quote(view.Clip(registry, 100)))
	switch {
	case errors.Is(err, outbound.ErrForbidden):
		return console.AddressForbidden(err)
	case errors.Is(err, zkstore.ErrNoTree), errors.Is(err, console.ErrNoSuchChroot):
		p := console.NotFound(where+" has no ElasticJob-Cloud tree: "+view.Clip(mask.Text(strings.TrimPrefix(err.Error(), zkstore.ErrNoTree.Error()+": ")), 300)+".", "Name the namespace of the scheduler, which is elasticjob-cloud unless it was set up otherwise (zk_namespace).")
		p.Code = "no_such_tree"
		return p
	case errors.Is(err, zkstore.ErrTreeForbidden):
		return &console.Problem{
			Kind: console.KindForbidden, Code: "registry_forbidden", Message: where + " is not shown to this console: " + view.Clip(mask.Text(strings.TrimPrefix(err.Error(), zkstore.ErrTreeForbidden.Error()+": ")), 300) + ".",
			Hint: "Enter the registry with the digest that the scheduler has (zk_digest).", Cause: err,
		}
	case errors.Is(err, zkstore.ErrTreeTooLarge):
		return invalid(console.FieldBody{Field: "namespace", Value: view.Clip(namespace, 100), Want: view.Clip(err.Error(), 300)})
	}
	return &console.Problem{
		Kind: console.KindUnavailable, Code: console.CodeRegistryDown, Message: where + " cannot be read: " + view.Clip(mask.Text(err.Error()), 300) + ".",
		Hint: "Check the address of the registry, and ask again in a moment.", Retry: console.ReloadSeconds, Cause: err,
	}
}
