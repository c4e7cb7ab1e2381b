package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// planning are the flags of commands that compare files with the registry.
type planning struct {
	jobAccess
	Paths []string `arg:"" name:"path" help:"Job files, and folders of them; - is standard input."`
	Prune bool     `help:"Remove jobs of the registry that no file declares."`
}

// change is what apply does to a job.
type change struct {
	Job    string `json:"job"`
	Action string `json:"action"` // create, change, remove or none
	// Fields are the fields that differ, by name.
	Fields []fieldChange `json:"fields,omitempty"`
	// InCode: agents write their own declaration over the stored one at their start.
	InCode  bool     `json:"declaredInCode,omitempty"`
	Effects []string `json:"effects,omitempty"`

	declared *declared
	revision string
}

type fieldChange struct {
	Field  string `json:"field"`
	Stored string `json:"stored"`
	Wanted string `json:"wanted"`
}

// plan compares the declarations with the registry. It returns all refusals together.
func (c *planning) plan(ctx context.Context, p *cli.Process, client *client, d *declarations) ([]*change, error) {
	if c.Prune && len(d.jobs) == 0 {
		return nil, cli.Usage("Is it the right folder? To remove jobs, use `elasticjob job remove`.", "no file declares a job, so --prune would remove all jobs")
	}
	byName := map[string]*declared{}
	for _, job := range d.jobs {
		byName[job.job] = job
	}
	names := slices.Sorted(maps.Keys(byName))
	changes := make([]*change, len(names))
	refused := make([][]string, len(names))
	index := map[string]int{}
	for i, name := range names {
		index[name] = i
	}
	err := eachOf(p, names, func(name string) error {
		i := index[name]
		one, problems, err := client.compare(ctx, byName[name])
		changes[i], refused[i] = one, problems
		return err
	})
	if err != nil {
		return nil, err
	}
	if problems := slices.Concat(refused...); len(problems) > 0 {
		return nil, cli.Fail("Nothing was written. Correct the files.", "%s:\n%s", count(len(problems), "mistake"), firstOf(problems))
	}
	if c.Prune {
		var jobs []api.Job
		if _, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: "/api/jobs"}, &jobs); err != nil {
			return nil, err
		}
		for _, j := range jobs {
			if byName[j.JobName] == nil {
				changes = append(changes, &change{Job: j.JobName, Action: "remove"})
			}
		}
	}
	return slices.DeleteFunc(changes, func(one *change) bool { return one.Action == "none" }), nil
}

// compare returns the change that a declaration makes, or the problems of its fields.
func (c *client) compare(ctx context.Context, d *declared) (*change, []string, error) {
	one := &change{Job: d.job, Action: "none", declared: d}
	var preview api.ConfigPreview
	// Most jobs are as declared. Their configuration alone costs the console much less than a preview.
	var stored map[string]any
	_, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: configPath(d.job)}, &stored)
	if err == nil && d.stored(stored) {
		return one, nil, nil
	}
	_, err = c.Ask(ctx, api.Call{Method: http.MethodPost, Path: ofJob{Job: d.job}.path("config", "preview"), Body: d.json()}, &preview)
	switch refusal, refused := errors.AsType[*api.Refusal](err); {
	case api.NotFound(err):
		one.Action = "create"
		return one, nil, nil
	case refused && len(refusal.Body.Fields) > 0:
		return one, d.problems(refusal), nil
	case refused && refusal.Status == http.StatusForbidden || refused && refusal.Status == http.StatusUnprocessableEntity:
		return one, []string{fmt.Sprintf("%s: job %q: %s", d.at(""), d.job, api.Plain(refusal.Body.Message))}, nil
	case err != nil:
		return one, nil, fmt.Errorf("job %q: %w", d.job, err)
	case len(preview.Changed) == 0:
		return one, nil, nil
	}
	one.Action, one.revision = "change", preview.Revision
	for _, effect := range preview.Effects {
		one.Effects = append(one.Effects, effect.Text)
	}
	one.InCode = stored["overwrite"] == true
	for _, field := range preview.Changed {
		one.Fields = append(one.Fields, fieldChange{Field: field, Stored: valueOf(stored, field), Wanted: valueOf(d.json(), field)})
	}
	return one, nil, nil
}

// stored reports whether a stored configuration is as declared. False means that it may differ.
func (d *declared) stored(config map[string]any) bool {
	for key, wanted := range d.json() {
		is, err := json.Marshal(config[key])
		want, err2 := json.Marshal(wanted)
		if err != nil || err2 != nil || !bytes.Equal(is, want) {
			return false
		}
	}
	return true
}

// problems returns the refused fields with their places.
func (d *declared) problems(refusal *api.Refusal) (list []string) {
	for _, f := range refusal.Body.Fields {
		value := ""
		if f.Value != "" {
			value = fmt.Sprintf(" %q:", f.Value)
		}
		list = append(list, api.Plain(fmt.Sprintf("%s: job %q: %s:%s want %s", d.at(f.Field), d.job, f.Field, value, f.Want)))
	}
	return list
}

// valueOf returns the text of a field, such as cron or props.http.uri.
func valueOf(config map[string]any, field string) string {
	value := config[field]
	if name, isProp := strings.CutPrefix(field, "props."); isProp {
		switch props := config["props"].(type) {
		case map[string]any:
			value = props[name]
		case map[string]string:
			value = props[name]
		}
	}
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// mostProblems is how many mistakes are printed.
const mostProblems = 100

// firstOf returns the first mistakes, one a line.
func firstOf(problems []string) string {
	more := ""
	if n := len(problems) - mostProblems; n > 0 {
		more = fmt.Sprintf("\nand %d more", n)
	}
	return strings.Join(problems[:min(len(problems), mostProblems)], "\n") + more
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func printPlan(w io.Writer, changes []*change) error {
	for _, one := range changes {
		if _, err := fmt.Fprintf(w, "%s job %s\n", one.Action, api.Plain(one.Job)); err != nil {
			return err
		}
		for _, f := range one.Fields {
			fmt.Fprintf(w, "  %s: %s → %s\n", f.Field, orDash(api.Plain(f.Stored)), orDash(api.Plain(f.Wanted)))
		}
		for _, effect := range one.Effects {
			fmt.Fprintf(w, "  %s\n", api.Plain(effect))
		}
		if one.InCode {
			fmt.Fprintln(w, "  declared in code: overwrite is true, so an agent that starts writes its own declaration again")
		}
	}
	return nil
}

// configDiffCommand is `elasticjob config diff`.
type configDiffCommand struct{ planning }

func (c *configDiffCommand) Run(p *cli.Process) error {
	return c.withPlan(p, func(_ context.Context, _ *client, changes []*change) error {
		if err := c.printChanges(p, changes); err != nil {
			return err
		}
		if len(changes) > 0 {
			return cli.Fail("`elasticjob config apply` stores the files.", "%s not as declared", count(len(changes), "job"))
		}
		return nil
	})
}

func (c *planning) withPlan(p *cli.Process, do func(ctx context.Context, client *client, changes []*change) error) error {
	d, err := readDeclarations(p, c.Paths)
	if err != nil {
		return err
	}
	return c.access.with(p, c.Registry, "elasticjob config diff", func(ctx context.Context, client *client) error {
		changes, err := c.plan(ctx, p, client, d)
		if err != nil {
			return err
		}
		return do(ctx, client, changes)
	})
}

func (c *planning) printChanges(p *cli.Process, changes []*change) error {
	raw, err := json.Marshal(slices.Concat([]*change{}, changes))
	if err != nil {
		return err
	}
	return c.print(p, raw, func() error { return printPlan(p.Stdout, changes) }, namesOf(func(one *change) string { return one.Job })(changes)...)
}

// configApplyCommand is `elasticjob config apply`.
type configApplyCommand struct {
	planning
	confirming
	DryRun bool   `help:"Print the changes, and make none."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit and the versions of the configurations."`
}

func (c *configApplyCommand) Run(p *cli.Process) error {
	return c.withPlan(p, func(ctx context.Context, client *client, changes []*change) error {
		if err := c.printChanges(p, changes); err != nil || c.DryRun {
			return err
		}
		removed := 0
		for _, one := range changes {
			if one.Action == "remove" {
				removed++
			}
		}
		if removed > 0 {
			if err := ask(p, c.Yes, fmt.Sprintf("Remove %s that no file declares?", count(removed, "job"))); err != nil {
				return err
			}
		}
		var failed []error
		done := 0
		progress := newProgress(p.Stderr, "jobs", len(changes))
		for _, one := range changes {
			err := client.apply(ctx, one, c.Reason)
			progress.step(1)
			if err == nil {
				done++
				continue
			}
			failed = append(failed, fmt.Errorf("job %q: %w", one.Job, err))
			if refusal, refused := errors.AsType[*api.Refusal](err); !refused || refusal.Status == http.StatusUnauthorized {
				break // The next job fails as well.
			}
		}
		progress.end()
		fmt.Fprintf(p.Stderr, "%s changed\n", count(done, "job"))
		if err := errors.Join(failed...); err != nil {
			return cli.Fail(strings.TrimSpace(cli.Hint(failed[0])+"\nEach job was stored as a whole, or not at all. Run the command again when the cause is gone."), "%w", err)
		}
		return nil
	})
}

// apply makes a change, unless the stored configuration has changed since the comparison.
func (c *client) apply(ctx context.Context, one *change, reason string) error {
	asked := url.Values{}
	set(asked, "reason", reason)
	call := api.Call{Method: http.MethodPut, Path: "/api/jobs/config", Query: asked}
	switch one.Action {
	case "remove":
		call = api.Call{Method: http.MethodDelete, Path: configPath(one.Job)}
	case "create":
		call.Method = http.MethodPost
		set(asked, "class", one.declared.class)
		call.Body = one.declared.json()
	default:
		call.Header = http.Header{"If-Match": {`"` + one.revision + `"`}}
		call.Body = one.declared.json()
	}
	_, err := c.Do(ctx, call)
	return err
}
