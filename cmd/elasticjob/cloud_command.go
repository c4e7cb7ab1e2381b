package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// cloudCommand is `elasticjob cloud`: applications, jobs and runs of ElasticJob-Cloud, through a
// console that is running somewhere.
type cloudCommand struct {
	Apps     cloudAppsCommand     `cmd:"" help:"List the applications, or print one as JSON."`
	Jobs     cloudJobsCommand     `cmd:"" help:"List the jobs, or print one as JSON."`
	Runs     cloudRunsCommand     `cmd:"" help:"List the runs of a job, or of all jobs."`
	Show     cloudShowCommand     `cmd:"" help:"Show a run with its shards, and what keeps it from going on."`
	Logs     cloudLogsCommand     `cmd:"" help:"Print the output of the processes of a run: the last attempt of each shard."`
	Trigger  cloudTriggerCommand  `cmd:"" help:"Run a job once, and print the name of the run. With --wait the exit code is its outcome."`
	Kill     cloudKillCommand     `cmd:"" help:"End a run, or the process of one shard of it."`
	Suspend  cloudSuspendCommand  `cmd:"" help:"End the processes of a run, to go on later with the shards that have not finished."`
	Resume   cloudResumeCommand   `cmd:"" help:"Go on with a run that was suspended."`
	Rerun    cloudRerunCommand    `cmd:"" help:"Run the shards of a run that has ended again, if they did not succeed, as a new run."`
	Remove   cloudRemoveCommand   `cmd:"" help:"Remove a job, or with --app an application that no job uses."`
	Apply    cloudApplyCommand    `cmd:"" help:"Store the applications and jobs in files, such as the files that kubectl applies."`
	Import   cloudImportCommand   `cmd:"" help:"Import applications and jobs of another scheduler of ElasticJob-Cloud, such as upstream's, from its tree in ZooKeeper. The tree is only read."`
	Manifest cloudManifestCommand `cmd:"" help:"Print the object that the engine would make for the next run of a job, as YAML, such as the Job of Kubernetes."`
	Disable  cloudDisableCommand  `cmd:"" help:"Stop a job, or with --app the jobs of an application."`
	Enable   cloudEnableCommand   `cmd:"" help:"Go on with a job, or with --app with the jobs of an application."`
	Install  cloudInstallCommand  `cmd:"" help:"Print what an administrator installs on a cluster before a console schedules there: custom resources, policies, and the rights of the scheduler. It asks no console."`
	Fetch    cloudFetchCommand    `cmd:"" help:"Fetch the archive of an application and unpack it, as pods do before its program begins. It asks no console. Exit code 78: trying again is useless."`
}

// ofCloud is how a command reaches the console.
type ofCloud struct{ access }

// cloudPath is an address of ElasticJob-Cloud in the REST interface.
func cloudPath(parts ...string) string {
	return api.Path("/api/cloud", parts...)
}

func (o *ofCloud) with(p *cli.Process, do func(context.Context, *client) error) error {
	return o.access.with(p, "", "elasticjob cloud runs", do)
}

// cloudAppsCommand is `elasticjob cloud apps`.
type cloudAppsCommand struct {
	ofCloud
	watching
	App string `arg:"" optional:"" name:"app" help:"The application. Default: all."`
}

func (c *cloudAppsCommand) Run(p *cli.Process) error {
	if c.App != "" {
		return show(p, c, c.watching, question[any]{path: cloudPath("apps", c.App), text: printDocument, names: just[any](c.App)})
	}
	return show(p, c, c.watching, question[[]cloud.App]{path: cloudPath("apps"), text: printCloudApps, names: namesOf(func(a cloud.App) string { return a.Name })})
}

// cloudJobsCommand is `elasticjob cloud jobs`.
type cloudJobsCommand struct {
	ofCloud
	watching
	Job string `arg:"" optional:"" name:"job" help:"The job. Default: all."`
}

func (c *cloudJobsCommand) Run(p *cli.Process) error {
	if c.Job != "" {
		return show(p, c, c.watching, question[any]{path: cloudPath("jobs", c.Job), text: printDocument, names: just[any](c.Job)})
	}
	return show(p, c, c.watching, question[[]cloudJobAnswer]{path: cloudPath("jobs"), text: printCloudJobs, names: namesOf(func(j cloudJobAnswer) string { return j.Name })})
}

// cloudRunsCommand is `elasticjob cloud runs`.
type cloudRunsCommand struct {
	ofCloud
	watching
	Job   string `arg:"" optional:"" name:"job" help:"The job. Default: the runs of all jobs."`
	State string `placeholder:"STATE" help:"Only runs in this state: waiting, running, suspended, succeeded, failed or killed."`
	Limit int    `placeholder:"N" help:"How many at most, up to 1000. Default: 50."`
}

func (c *cloudRunsCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	set(asked, "job", c.Job)
	set(asked, "state", c.State)
	if c.Limit != 0 {
		asked.Set("limit", strconv.Itoa(c.Limit))
	}
	return show(p, c, c.watching, question[[]cloudRunAnswer]{path: cloudPath("runs"), query: asked, text: printCloudRuns, names: namesOf(func(r cloudRunAnswer) string { return r.Name })})
}

// cloudShowCommand is `elasticjob cloud show`.
type cloudShowCommand struct {
	ofCloud
	watching
	Name string `arg:"" name:"run" help:"The run."`
}

func (c *cloudShowCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[cloudRunAnswer]{path: cloudPath("runs", c.Name), text: printCloudRun, names: just[cloudRunAnswer](c.Name)})
}

// cloudLogsCommand is `elasticjob cloud logs`.
type cloudLogsCommand struct {
	ofCloud
	Name    string `arg:"" name:"run" help:"The run."`
	Shard   int    `arg:"" optional:"" name:"shard" default:"-1" help:"Only this shard. Default: all."`
	Attempt int    `placeholder:"N" help:"This attempt of each shard. Default: the last one."`
	Tail    int    `placeholder:"N" help:"So many last lines of each, up to 100000. Default: 1000."`
	Follow  bool   `short:"f" help:"Print new output of one shard too, until its process ends."`
}

// cloudLogAnswer is the log of a shard, as -o json prints it.
type cloudLogAnswer struct {
	Shard   int    `json:"shardingItem"`
	Attempt int    `json:"attempt"`
	UID     string `json:"uid"`
	Log     string `json:"log"`
}

func (c *cloudLogsCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		run, _, err := client.cloudRun(ctx, c.Name)
		if err != nil {
			return err
		}
		chosen := run.chosen(c.Shard, c.Attempt)
		if len(chosen) == 0 {
			return cli.Fail("`elasticjob cloud show "+inShell(c.Name)+"` lists its shards and their attempts.", "run %s has no such shard or attempt", c.Name)
		}
		asked := url.Values{}
		if c.Tail != 0 {
			asked.Set("tail", strconv.Itoa(c.Tail))
		}
		if c.Follow {
			if len(chosen) != 1 || c.structured() {
				return cli.Usage("Name one shard, without -o: `elasticjob cloud logs "+inShell(c.Name)+" 0 --follow`.", "--follow prints the log of one shard as it is, and %d are meant", len(chosen))
			}
			asked.Set("follow", "true")
			return client.Stream(ctx, api.Call{Method: http.MethodGet, Path: cloudPath("tasks", chosen[0].UID, "log"), Query: asked}, p.Stdout)
		}
		logs := []cloudLogAnswer{}
		for _, t := range chosen {
			raw, err := client.Do(ctx, api.Call{Method: http.MethodGet, Path: cloudPath("tasks", t.UID, "log"), Query: asked})
			if err != nil {
				return err
			}
			logs = append(logs, cloudLogAnswer{t.Shard, t.Attempt, t.UID, string(raw)})
			if !c.structured() {
				if err := printCloudLog(p.Stdout, logs[len(logs)-1], len(chosen) > 1); err != nil {
					return err
				}
			}
		}
		if !c.structured() {
			return nil
		}
		return c.printValue(p, logs)
	})
}

// cloudTriggerCommand is `elasticjob cloud trigger`.
type cloudTriggerCommand struct {
	ofCloud
	Job    string            `arg:"" name:"job" help:"The job."`
	Param  map[string]string `placeholder:"NAME=TEXT" help:"A parameter, a text; may be repeated."`
	Params string            `placeholder:"JSON|@FILE|-" help:"The parameters: one JSON object, @FILE for the content of a file, - for standard input."`
	Shards []int             `placeholder:"NUMBERS" help:"The shards that run, such as 0,2. Default: all."`
	At     instant           `placeholder:"TIME" help:"Not before this time, such as 03:00, +30m or 2026-11-22T02:30:00Z."`
	Key    string            `placeholder:"KEY" help:"Run it once: another request with the key is the same run."`
	Wait   bool              `help:"Wait until the run has ended. Exit code 0: it succeeded, 3: it failed, 4: it was killed."`
}

// cloudTriggerBody is the body of the request.
type cloudTriggerBody struct {
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Shards     []int           `json:"shards,omitempty"`
	NotBefore  string          `json:"notBefore,omitempty"`
}

func (c *cloudTriggerCommand) body(p *cli.Process) (body cloudTriggerBody, err error) {
	body = cloudTriggerBody{Shards: c.Shards, NotBefore: string(c.At)}
	if len(c.Param) > 0 && c.Params != "" {
		return body, cli.Usage("Give one of them.", "--param and --params are both given")
	}
	if strings.ContainsFunc(c.Key, unicode.IsControl) {
		return body, cli.Usage("A key is a line of text.", "--key has a character that is not printed")
	}
	if body.Parameters, err = readParams(p, c.Params); err == nil && len(c.Param) > 0 {
		body.Parameters, err = json.Marshal(c.Param)
	}
	return body, err
}

func (c *cloudTriggerCommand) Run(p *cli.Process) error {
	body, err := c.body(p)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		var asked struct{ Run string }
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: cloudPath("jobs", c.Job, "trigger"), Key: c.Key, Body: body}, &asked)
		if err != nil {
			return err
		}
		name := func() error { _, err := fmt.Fprintln(p.Stdout, asked.Run); return err }
		if !c.Wait {
			return c.print(p, raw, name, asked.Run)
		}
		if !c.structured() {
			if err := name(); err != nil {
				return err
			}
		}
		run, last, err := client.awaitCloudRun(ctx, p, c.Job, asked.Run)
		if err == nil {
			err = run.result()
		}
		if last != nil {
			raw = last
		}
		return errors.Join(err, c.print(p, raw, func() error { return nil }))
	})
}

// act sends a request that changes something, and prints a line when it is done.
func (o *ofCloud) act(p *cli.Process, method, path string, query url.Values, done string) error {
	return o.with(p, func(ctx context.Context, c *client) error {
		raw, err := c.Do(ctx, api.Call{Method: method, Path: path, Query: query})
		if err != nil {
			return err
		}
		if len(raw) == 0 {
			raw = []byte("true")
		}
		return o.print(p, raw, func() error { _, err := fmt.Fprintln(p.Stdout, done); return err })
	})
}

// ofCloudRun is a run that a command is about.
type ofCloudRun struct {
	ofCloud
	Name string `arg:"" name:"run" help:"The run."`
}

type (
	cloudKillCommand struct {
		ofCloudRun
		Shard int `default:"-1" placeholder:"N" help:"Only the process of this shard."`
	}
	cloudSuspendCommand struct{ ofCloudRun }
	cloudResumeCommand  struct{ ofCloudRun }
)

func (c *cloudKillCommand) Run(p *cli.Process) error {
	if c.Shard >= 0 {
		return c.act(p, http.MethodPost, cloudPath("runs", c.Name, "items", strconv.Itoa(c.Shard), "kill"), nil, fmt.Sprintf("shard %d of run %s is asked to end", c.Shard, c.Name))
	}
	return c.act(p, http.MethodPost, cloudPath("runs", c.Name, "kill"), nil, "run "+c.Name+" is asked to end")
}

func (c *cloudSuspendCommand) Run(p *cli.Process) error {
	return c.act(p, http.MethodPost, cloudPath("runs", c.Name, "suspend"), nil, "run "+c.Name+" is asked to stop for now")
}

func (c *cloudResumeCommand) Run(p *cli.Process) error {
	return c.act(p, http.MethodPost, cloudPath("runs", c.Name, "resume"), nil, "run "+c.Name+" goes on")
}

// ofSwitch is a job or an application that is switched.
type ofSwitch struct {
	ofCloud
	Name string `arg:"" name:"name" help:"The job, or with --app the application."`
	App  bool   `help:"The name of an application is given."`
}

func (o *ofSwitch) turn(p *cli.Process, verb string, query url.Values) error {
	kind, word := "jobs", "job"
	if o.App {
		kind, word = "apps", "application"
	}
	return o.act(p, http.MethodPost, cloudPath(kind, o.Name, verb), query, fmt.Sprintf("%s %q is %sd", word, o.Name, verb))
}

type cloudDisableCommand struct {
	ofSwitch
	Running string `default:"kill" enum:"kill,suspend,finish" help:"What becomes of runs that go on: kill, suspend or finish."`
}

func (c *cloudDisableCommand) Run(p *cli.Process) error {
	return c.turn(p, "disable", url.Values{"running": {c.Running}})
}

type cloudEnableCommand struct{ ofSwitch }

func (c *cloudEnableCommand) Run(p *cli.Process) error { return c.turn(p, "enable", nil) }

// cloudRemoveCommand is `elasticjob cloud remove`.
type cloudRemoveCommand struct {
	ofSwitch
	confirming
}

func (c *cloudRemoveCommand) Run(p *cli.Process) error {
	kind, word := "jobs", "job"
	if c.App {
		kind, word = "apps", "application"
	}
	if err := ask(p, c.Yes, fmt.Sprintf("Remove %s %q? Its runs end.", word, c.Name)); err != nil {
		return err
	}
	return c.act(p, http.MethodDelete, cloudPath(kind, c.Name), nil, fmt.Sprintf("%s %q is removed", word, c.Name))
}

// cloudRerunCommand is `elasticjob cloud rerun`.
type cloudRerunCommand struct {
	ofCloudRun
	Params string `placeholder:"JSON|@FILE|-" help:"The parameters of the run, which the engine doesn't keep; {} for none."`
	Shards []int  `placeholder:"NUMBERS" help:"The shards that run, such as 0,2. Default: the shards that did not succeed."`
}

func (c *cloudRerunCommand) Run(p *cli.Process) error {
	params, err := readParams(p, c.Params)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		var asked struct{ Run string }
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: cloudPath("runs", c.Name, "rerun"), Body: cloudTriggerBody{Parameters: params, Shards: c.Shards}}, &asked)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error { _, err := fmt.Fprintln(p.Stdout, asked.Run); return err }, asked.Run)
	})
}
