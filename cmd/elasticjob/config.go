package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// configCommand is `elasticjob config`.
type configCommand struct {
	Get      configGetCommand      `cmd:"" help:"Print the configuration of a job as YAML."`
	Edit     configEditCommand     `cmd:"" help:"Change the configuration of a job in your editor ($VISUAL, $EDITOR), look at the difference, and store it."`
	History  configHistoryCommand  `cmd:"" help:"List the saved versions of a configuration."`
	Rollback configRollbackCommand `cmd:"" help:"Store a saved version of a configuration again."`

	Export configExportCommand `cmd:"" help:"Write the configurations of jobs to a folder, a job file for each job."`
	Diff   configDiffCommand   `cmd:"" help:"Compare the configurations in files with the registry. Exit code 1 if they differ."`
	Apply  configApplyCommand  `cmd:"" help:"Store the configurations in files. Nothing is written unless all of them are valid."`
}

// configGetCommand is `elasticjob config get`.
type configGetCommand struct {
	ofJob
	watching
}

func (c *configGetCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[json.RawMessage]{
		job: c.Job, path: configPath(c.Job), names: just[json.RawMessage](c.Job),
		text: func(w io.Writer, config json.RawMessage) error { return printYAML(w, config) },
	})
}

func configPath(job string) string { return api.JobPath("/api/jobs/config", job) }

// configHistoryCommand is `elasticjob config history`.
type configHistoryCommand struct {
	ofJob
	watching
}

func (c *configHistoryCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[[]api.ConfigVersion]{
		path: c.path("versions"), names: namesOf(func(v api.ConfigVersion) string { return v.Revision }),
		text: func(w io.Writer, versions []api.ConfigVersion) error {
			return table(w, "REVISION AT USER REASON", func(row func(...any)) {
				for _, v := range versions {
					row(v.Revision, moment(v.At), v.User, v.Reason)
				}
			})
		},
	})
}

// configRollbackCommand is `elasticjob config rollback`.
type configRollbackCommand struct {
	ofJob
	confirming
	Revision string `arg:"" name:"revision" help:"The revision, as history has it; its beginning is enough if no other one begins so."`
	Reason   string `placeholder:"TEXT" help:"Why, for the audit and the versions."`
}

func (c *configRollbackCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		var versions []api.ConfigVersion
		if _, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: c.path("versions")}, &versions); err != nil {
			return err
		}
		chosen := slices.DeleteFunc(versions, func(v api.ConfigVersion) bool { return !strings.HasPrefix(v.Revision, c.Revision) })
		switch {
		case len(chosen) == 0:
			return cli.Fail("`elasticjob config history "+inShell(c.Job)+"` lists the revisions.", "job %q has no revision %s", c.Job, c.Revision)
		case slices.ContainsFunc(chosen, func(v api.ConfigVersion) bool { return v.Revision != chosen[0].Revision }):
			return cli.Fail("Give more of it.", "several revisions of job %q begin with %s", c.Job, c.Revision)
		case chosen[0].Config == nil:
			return cli.Fail("Store it with the pages of the console.", "revision %s of job %q can't be read", c.Revision, c.Job)
		}
		body := chosen[0].Config
		body["jobName"] = c.Job
		one, problems, err := client.compare(ctx, &declared{job: c.Job, file: "revision " + c.Revision, body: body, exact: true})
		switch {
		case err != nil:
			return err
		case len(problems) > 0:
			return cli.Fail("Nothing was written.", "%s", strings.Join(problems, "\n"))
		case one.Action == "none":
			_, err := fmt.Fprintf(p.Stdout, "job %q has this configuration already\n", c.Job)
			return err
		}
		if err := printPlan(p.Stderr, []*change{one}); err != nil {
			return err
		}
		if err := ask(p, c.Yes, "Store it?"); err != nil {
			return err
		}
		if err := client.apply(ctx, one, c.Reason); err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Stdout, "job %q has the configuration of revision %s\n", c.Job, chosen[0].Revision)
		return err
	})
}

// configExportCommand is `elasticjob config export`.
type configExportCommand struct {
	jobAccess
	Folder    string   `arg:"" name:"folder" help:"The folder. It is made if it doesn't exist."`
	Jobs      []string `arg:"" optional:"" name:"job" help:"Only these jobs. Default: all."`
	Overwrite bool     `help:"Replace files that exist."`
}

// atOnce is how many requests about configurations are under way at once.
const atOnce = 16

func (c *configExportCommand) Run(p *cli.Process) error {
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return cli.Fail("", "%w", err)
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		types := map[string]string{}
		var jobs []api.Job
		if _, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: "/api/jobs"}, &jobs); err != nil {
			return err
		}
		for _, j := range jobs {
			types[j.JobName] = j.Type
		}
		names := c.Jobs
		if len(names) == 0 {
			names = slices.Sorted(maps.Keys(types))
		}
		err := eachOf(p, names, func(name string) error {
			raw, err := client.Do(ctx, api.Call{Method: http.MethodGet, Path: configPath(name)})
			if err != nil {
				return client.mean(ctx, name, err)
			}
			text, err := jobFileOf(name, types[name], raw)
			if err != nil {
				return fmt.Errorf("job %q: %w", name, err)
			}
			return c.write(name, text)
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Stdout, "%d files in %s\n", len(names), c.Folder)
		return err
	})
}

// write writes a file that other users can't read, because properties may be secrets.
func (c *configExportCommand) write(job string, text []byte) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !c.Overwrite {
		flags |= os.O_EXCL
	}
	file, err := os.OpenFile(filepath.Join(c.Folder, url.PathEscape(job)+".yaml"), flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return cli.Fail("Give --overwrite, or another folder.", "%w", err)
	}
	if err != nil {
		return cli.Fail("", "%w", err)
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// eachOf calls do for each name, some at once, and returns the first error by the order of the names.
// After an error it begins no more.
func eachOf(p *cli.Process, names []string, do func(name string) error) error {
	progress := newProgress(p.Stderr, "jobs", len(names))
	defer progress.end()
	var stop atomic.Bool
	failed := make([]error, len(names))
	var group sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i, name := range names {
		if turns <- struct{}{}; stop.Load() {
			break
		}
		group.Go(func() {
			defer func() { <-turns }()
			if failed[i] = do(name); failed[i] != nil {
				stop.Store(true)
			}
			progress.step(1)
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// defaults are the keys that a stored configuration and a job file have, with the values that a file
// may leave out.
var defaults = map[string]any{
	"cron": "", "timeZone": "", "shardingTotalCount": 0, "shardingItemParameters": "", "jobParameter": "", "monitorExecution": true, "failover": false, "misfire": true,
	"maxTimeDiffSeconds": -1, "reconcileIntervalMinutes": 10, "jobShardingStrategyType": "", "jobExecutorServiceHandlerType": "", "jobErrorHandlerType": "",
	"jobListenerTypes": []string{}, "description": "", "props": map[string]string{}, "disabled": false, "overwrite": false, "staticSharding": false,
}

// jobFileOf makes a job file of a configuration: without defaults and keys that job files don't have.
func jobFileOf(name, kind string, raw []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(raw, &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("its configuration is no object")
	}
	inBlocks(&document)
	job := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string, value *yaml.Node) {
		job.Content = append(job.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
	if kind == "SCRIPT" || kind == "HTTP" {
		add("elasticJobType", &yaml.Node{Kind: yaml.ScalarNode, Value: kind})
	}
	for pair := range slices.Chunk(document.Content[0].Content, 2) {
		key, value := pair[0].Value, pair[1]
		empty := value.Kind != yaml.ScalarNode && len(value.Content) == 0 || value.Kind == yaml.ScalarNode && (value.Value == "" || value.Tag == "!!null")
		if _, known := defaults[key]; known && !empty && (value.Kind != yaml.ScalarNode || fmt.Sprint(defaults[key]) != value.Value) {
			add(key, value)
		}
	}
	tree := map[string]map[string]map[string]*yaml.Node{"elasticjob": {"jobs": {name: job}}}
	var text bytes.Buffer
	e := yaml.NewEncoder(&text)
	e.SetIndent(2)
	err := e.Encode(tree)
	return text.Bytes(), err
}

// unstoredKeys are keys of a job file that are not part of a stored configuration.
var unstoredKeys = []string{"elasticJobType", "elasticJobClass", "jobBootstrapBeanName", "maxWaitMillis", "label"}
