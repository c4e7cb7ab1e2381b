package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// configEditCommand is `elasticjob config edit`.
type configEditCommand struct {
	ofJob
	confirming
	Reason string `placeholder:"TEXT" help:"Why, for the audit and the versions."`
}

// Run opens the configuration as a job file. The file stays if its text can't be stored.
func (c *configEditCommand) Run(p *cli.Process) error {
	editor, err := chooseEditor(p)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		before, revision, err := c.opened(ctx, client)
		if err != nil {
			return client.mean(ctx, c.Job, err)
		}
		folder, err := os.MkdirTemp("", "elasticjob-*")
		if err != nil {
			return cli.Fail("", "%w", err)
		}
		file := filepath.Join(folder, url.PathEscape(c.Job)+".yaml")
		if err := os.WriteFile(file, before, 0o600); err != nil {
			return cli.Fail("", "%w", err)
		}
		done, err := c.edit(ctx, p, client, editor, file, string(before), revision)
		if err != nil {
			hint := strings.TrimPrefix(cli.Hint(err)+"\nYour text is in "+file+".", "\n")
			return cli.Fail(hint, "%w", err)
		}
		if err := os.RemoveAll(folder); err != nil {
			return cli.Fail("", "%w", err)
		}
		_, err = fmt.Fprintln(p.Stdout, done)
		return err
	})
}

// opened returns the configuration as a job file, and its revision.
func (c *configEditCommand) opened(ctx context.Context, client *client) (text []byte, revision string, err error) {
	raw, err := client.Do(ctx, api.Call{Method: http.MethodGet, Path: configPath(c.Job)})
	if err != nil {
		return nil, "", err
	}
	var job api.JobDetail
	if _, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: c.path()}, &job); err != nil {
		return nil, "", err
	}
	// The revision is the one of the text unless the configuration changed in between.
	var preview api.ConfigPreview
	if _, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: c.path("config", "preview"), Body: json.RawMessage(raw)}, &preview); err != nil {
		return nil, "", err
	}
	if len(preview.Changed) > 0 {
		return nil, "", cli.Fail("Try again.", "the configuration of job %q changes right now", c.Job)
	}
	text, err = jobFileOf(c.Job, job.Type, raw)
	return text, preview.Revision, err
}

// edit runs the editor, and stores the text. It returns the outcome in a line.
func (c *configEditCommand) edit(ctx context.Context, p *cli.Process, client *client, editor, file, before, revision string) (done string, err error) {
	run := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", file)
	run.Stdin, run.Stdout, run.Stderr = p.Stdin, p.Stderr, p.Stderr
	if err := run.Run(); err != nil {
		return "", cli.Fail("Set VISUAL or EDITOR to a program that ends when the file is closed, such as 'code --wait'.", "the editor %q failed: %w", editor, err)
	}
	after, err := os.ReadFile(file)
	if err != nil {
		return "", cli.Fail("", "%w", err)
	}
	if string(after) == before {
		return "nothing was changed", nil
	}
	d, err := readDeclarations(p, []string{file})
	if err != nil {
		return "", err
	}
	if len(d.jobs) != 1 || d.jobs[0].job != c.Job {
		return "", cli.Fail("Change its keys only. `elasticjob config apply` stores other jobs.", "the text isn't about job %q alone", c.Job)
	}
	one, problems, err := client.compare(ctx, d.jobs[0])
	switch {
	case err != nil:
		return "", err
	case len(problems) > 0:
		return "", cli.Fail("Nothing was written.", "%s", strings.Join(problems, "\n"))
	case one.Action == "none":
		return "nothing was changed", nil
	}
	if err := printPlan(p.Stderr, []*change{one}); err != nil {
		return "", err
	}
	if err := ask(p, c.Yes, "Store it?"); err != nil {
		return "", err
	}
	one.revision = revision // A change since the editor opened the text is refused.
	if err := client.apply(ctx, one, c.Reason); err != nil {
		return "", err
	}
	return fmt.Sprintf("job %q has the new configuration", c.Job), nil
}

// chooseEditor returns the command of the user's editor.
func chooseEditor(p *cli.Process) (string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor, _ := p.Env(name); editor != "" {
			return editor, nil
		}
	}
	if terminal, ok := p.Stdin.(*os.File); !ok || !fitsTerminal(terminal) {
		return "", cli.Usage("Set VISUAL or EDITOR. Without a terminal, `elasticjob config export` and `config apply` do the same.", "there is no terminal for an editor")
	}
	return "vi", nil
}
