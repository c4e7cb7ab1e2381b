package cloud

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// What pages and the REST interface do with applications of ElasticJob-Cloud.

// MaskedCloudApp is an application as whoever only looks may see it: the names of its
// variables, and no values.
func maskedApp(app cloud.App) cloud.App {
	app = app.Clone()
	for name := range app.Env {
		app.Env[name] = mask.Hidden
	}
	for _, words := range [][]string{app.Command, app.Args} {
		for i := range words {
			words[i] = mask.Text(words[i])
		}
	}
	app.URL, app.Image, app.BootstrapScript = mask.Text(app.URL), mask.Text(app.Image), mask.Text(app.BootstrapScript)
	return app
}

// ReadApp reads an application from the store, as new as it is.
func (at *Cloud) ReadApp(ctx context.Context, name string) (cloud.App, error) {
	return at.Store.ChangeApp(ctx, name, func(*cloud.App) error { return nil })
}

// CheckApp refuses what is wrong with an application or may not be changed so; commands says
// that this console lets its callers change what a shell runs.
func checkApp(before, after cloud.App, commands bool) error {
	if before.Disabled != after.Disabled || before.Running != after.Running {
		return invalid(console.FieldBody{Field: "disabled", Want: "the stored value; POST " + apiApp + "/disable and /enable change it"})
	}
	if err := after.Validate(); err != nil {
		return err
	}
	return mayRunShell(before, after, commands)
}

// mayRunShell refuses to have a shell run other text than it runs already, unless the
// console was started with the right to. Without a shell, programs lie below a folder that
// the host's administrator has filled.
func mayRunShell(before, after cloud.App, commands bool) error {
	same := before.Shell && before.BootstrapScript == after.BootstrapScript && slices.Equal(before.Args, after.Args) && slices.Equal(before.Command, after.Command)
	if !after.Shell || same || commands {
		return nil
	}
	return &console.Problem{
		Kind: console.KindForbidden, Code: "command_changes_off", Fields: []console.FieldBody{{Field: "shell", Value: "true", Want: "false"}},
		Message: "This console lets nobody set up a shell: whoever may would run anything on its machine.",
		Hint:    "Put the program below the folder of programs and name it in command, or start the console with --allow-command-changes.",
	}
}

// CreateApp makes an application that there is not yet.
func (at *Cloud) CreateApp(ctx context.Context, app cloud.App, commands bool) (cloud.App, error) {
	if err := checkApp(cloud.App{}, app, commands); err != nil {
		return cloud.App{}, err
	}
	return at.Store.CreateApp(ctx, app)
}

// StoreApp stores what is wanted in the place of what was stored when somebody looked.
func (at *Cloud) StoreApp(ctx context.Context, stored, wanted cloud.App, commands bool) (cloud.App, error) {
	wanted.Namespace = stored.Namespace // It never changes.
	return at.Store.ChangeApp(ctx, stored.Name, func(app *cloud.App) error {
		if !reflect.DeepEqual(app.Clone(), stored.Clone()) {
			return fmt.Errorf("application %q: %w", stored.Name, cloud.ErrConflict)
		}
		if err := checkApp(*app, wanted, commands); err != nil {
			return err
		}
		*app = wanted.Clone()
		return nil
	})
}

// SwitchApp disables or enables an application, and with it the jobs that it runs.
func (at *Cloud) SwitchApp(ctx context.Context, name string, disabled bool, way cloud.Way) (cloud.App, error) {
	return at.Store.ChangeApp(ctx, name, func(app *cloud.App) error {
		app.Disabled, app.Running = disabled, way
		return nil
	})
}

// JobsOf are the jobs that an application runs: those of its namespace.
func (at *Cloud) JobsOf(app string) []cloud.Definition {
	apps := at.Seen.Apps()
	i := slices.IndexFunc(apps, func(a cloud.App) bool { return a.Name == app })
	return slices.DeleteFunc(at.Seen.Jobs(), func(d cloud.Definition) bool {
		return d.Job.AppName != app || i >= 0 && d.Job.Namespace != apps[i].Namespace
	})
}

// DeleteApp deletes an application that has no job.
func (at *Cloud) DeleteApp(ctx context.Context, name string) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	if jobs := at.JobsOf(name); len(jobs) > 0 {
		return fmt.Errorf("application %s has jobs, such as %s; delete them first: %w", strconv.Quote(name), strconv.Quote(jobs[0].Job.Name), cloud.ErrRefused)
	}
	return at.Store.Delete(ctx, cloud.KindApp, name, cloud.DeleteOptions{})
}
