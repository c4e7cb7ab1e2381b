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
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// cloudCommand is `console cloud`: applications, jobs and runs of ElasticJob-Cloud, through a
// console that is running somewhere.
type cloudCommand struct {
	consoleAccess

	Apps     cloudAppsCommand     `cmd:"" help:"List the applications, or print one as JSON."`
	Jobs     cloudJobsCommand     `cmd:"" help:"List the jobs, or print one as JSON."`
	Runs     cloudRunsCommand     `cmd:"" help:"List the runs of a job, or of all jobs."`
	Show     cloudShowCommand     `cmd:"" help:"Show a run with its shards, and what keeps it from going on."`
	Logs     cloudLogsCommand     `cmd:"" help:"Print what the processes of a run wrote: of each shard its last attempt."`
	Trigger  cloudTriggerCommand  `cmd:"" help:"Run a job once; the name of the run is printed. With --wait the exit code says how it ended."`
	Kill     cloudKillCommand     `cmd:"" help:"End a run."`
	Suspend  cloudSuspendCommand  `cmd:"" help:"End the processes of a run, to go on later with the shards that have not finished."`
	Resume   cloudResumeCommand   `cmd:"" help:"Go on with a run that was suspended."`
	Apply    cloudApplyCommand    `cmd:"" help:"Make applications and jobs what files say, such as those that kubectl applies."`
	Import   cloudImportCommand   `cmd:"" help:"Import applications and jobs of another scheduler of ElasticJob-Cloud, such as upstream's, from its tree in ZooKeeper. The tree is only read."`
	Manifest cloudManifestCommand `cmd:"" help:"Print what the engine would make of the next run of a job, as YAML, such as the Job of Kubernetes."`
	Disable  cloudDisableCommand  `cmd:"" help:"Stop a job, or with --app the jobs of an application."`
	Enable   cloudEnableCommand   `cmd:"" help:"Go on with a job, or with --app with the jobs of an application."`
	Install  cloudInstallCommand  `cmd:"" help:"Print what an administrator installs on a cluster before a console schedules there: custom resources, policies, and the rights of the scheduler. It asks no console."`
	Fetch    cloudFetchCommand    `cmd:"" help:"Fetch the archive of an application and unpack it, as pods do before its program begins. It asks no console. Exit code 78: trying again is useless."`
}

// AfterApply hands the flags of all these commands to each of them; kong calls it.
func (c *cloudCommand) AfterApply() error { //nolint:unparam // kong wants an error
	for _, of := range []*ofCloud{
		&c.Apps.ofCloud, &c.Jobs.ofCloud, &c.Runs.ofCloud, &c.Show.ofCloud, &c.Logs.ofCloud, &c.Trigger.ofCloud,
		&c.Apply.ofCloud, &c.Import.ofCloud, &c.Manifest.ofCloud, &c.Kill.ofCloud, &c.Suspend.ofCloud, &c.Resume.ofCloud, &c.Disable.ofCloud, &c.Enable.ofCloud, &c.Install.ofCloud, &c.Fetch.ofCloud,
	} {
		of.access = &c.consoleAccess
	}
	return nil
}

// ofCloud is how a command reaches the console.
type ofCloud struct{ access *consoleAccess }

// cloudPath is an address of ElasticJob-Cloud in the REST interface.
func cloudPath(parts ...string) string {
	path := "/api/cloud"
	for _, part := range parts {
		path += "/" + url.PathEscape(part)
	}
	return path
}

// with calls do with a client, within the time that the command has.
func (o ofCloud) with(p *process, do func(context.Context, *jobClient) error) error {
	c, err := o.access.connect()
	if err != nil {
		return err
	}
	c.look = "console cloud runs"
	return o.access.within(p, c, do)
}

// get prints what is at an address: as it is, or in the words of text.
func (o ofCloud) get(p *process, path string, query url.Values, into any, text func() error) error {
	return o.with(p, func(ctx context.Context, c *jobClient) error {
		raw, err := c.call(ctx, jobCall{method: http.MethodGet, path: path, query: query})
		if err != nil {
			return err
		}
		if err := c.decode(raw, into); err != nil {
			return err
		}
		return o.access.print(p, raw, text)
	})
}

// cloudAppsCommand is `console cloud apps`.
type cloudAppsCommand struct {
	ofCloud
	App string `arg:"" optional:"" name:"app" help:"The application. Default: all."`
}

func (c *cloudAppsCommand) run(p *process) error {
	if c.App != "" {
		var document any
		return c.get(p, cloudPath("apps", c.App), nil, &document, func() error { return printDocument(p.stdout, document) })
	}
	var apps []cloud.App
	return c.get(p, cloudPath("apps"), nil, &apps, func() error { return printCloudApps(p.stdout, apps) })
}

// cloudJobsCommand is `console cloud jobs`.
type cloudJobsCommand struct {
	ofCloud
	Job string `arg:"" optional:"" name:"job" help:"The job. Default: all."`
}

func (c *cloudJobsCommand) run(p *process) error {
	if c.Job != "" {
		var document any
		return c.get(p, cloudPath("jobs", c.Job), nil, &document, func() error { return printDocument(p.stdout, document) })
	}
	var jobs []cloudJobAnswer
	return c.get(p, cloudPath("jobs"), nil, &jobs, func() error { return printCloudJobs(p.stdout, jobs) })
}

// cloudRunsCommand is `console cloud runs`.
type cloudRunsCommand struct {
	ofCloud
	Job   string `arg:"" optional:"" name:"job" help:"The job. Default: the runs of all jobs."`
	State string `placeholder:"STATE" help:"Only runs in this state: waiting, running, suspended, succeeded, failed or killed."`
	Limit int    `placeholder:"N" help:"How many at most, up to 1000. Default: 50."`
}

func (c *cloudRunsCommand) run(p *process) error {
	asked := url.Values{}
	for name, value := range map[string]string{"job": c.Job, "state": c.State} {
		if value != "" {
			asked.Set(name, value)
		}
	}
	if c.Limit != 0 {
		asked.Set("limit", strconv.Itoa(c.Limit))
	}
	var runs []cloudRunAnswer
	return c.get(p, cloudPath("runs"), asked, &runs, func() error { return printCloudRuns(p.stdout, runs) })
}

// cloudShowCommand is `console cloud show`.
type cloudShowCommand struct {
	ofCloud
	Run string `arg:"" name:"run" help:"The run."`
}

func (c *cloudShowCommand) run(p *process) error {
	var run cloudRunAnswer
	return c.get(p, cloudPath("runs", c.Run), nil, &run, func() error { return printCloudRun(p.stdout, run) })
}

// cloudLogsCommand is `console cloud logs`.
type cloudLogsCommand struct {
	ofCloud
	Run     string `arg:"" name:"run" help:"The run."`
	Shard   int    `arg:"" optional:"" name:"shard" default:"-1" help:"Only this shard. Default: all."`
	Attempt int    `placeholder:"N" help:"This attempt of each shard. Default: the last one."`
	Tail    int    `placeholder:"N" help:"So many last lines of each, up to 100000. Default: 1000."`
	Follow  bool   `short:"f" help:"Of one shard: print what comes, until its process ends."`
}

// cloudLogAnswer is the log of a shard, as --json prints it.
type cloudLogAnswer struct {
	Shard   int    `json:"shardingItem"`
	Attempt int    `json:"attempt"`
	UID     string `json:"uid"`
	Log     string `json:"log"`
}

func (c *cloudLogsCommand) run(p *process) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		run, _, err := client.cloudRun(ctx, c.Run)
		if err != nil {
			return err
		}
		chosen := run.chosen(c.Shard, c.Attempt)
		if len(chosen) == 0 {
			return fail("`console cloud show "+inShell(c.Run)+"` lists its shards and their attempts.", "run %s has no such shard or attempt", c.Run)
		}
		asked := url.Values{}
		if c.Tail != 0 {
			asked.Set("tail", strconv.Itoa(c.Tail))
		}
		if c.Follow {
			if len(chosen) != 1 || c.access.JSON {
				return usage("Name one shard, without --json: `console cloud logs "+inShell(c.Run)+" 0 --follow`.", "--follow prints the log of one shard as it is, and %d are meant", len(chosen))
			}
			asked.Set("follow", "true")
			return client.stream(ctx, jobCall{method: http.MethodGet, path: cloudPath("tasks", chosen[0].UID, "log"), query: asked}, p.stdout)
		}
		logs := []cloudLogAnswer{}
		for _, t := range chosen {
			raw, err := client.call(ctx, jobCall{method: http.MethodGet, path: cloudPath("tasks", t.UID, "log"), query: asked})
			if err != nil {
				return err
			}
			logs = append(logs, cloudLogAnswer{t.Shard, t.Attempt, t.UID, string(raw)})
			if !c.access.JSON {
				if err := printCloudLog(p.stdout, logs[len(logs)-1], len(chosen) > 1); err != nil {
					return err
				}
			}
		}
		if !c.access.JSON {
			return nil
		}
		return printDocument(p.stdout, logs)
	})
}

// cloudTriggerCommand is `console cloud trigger`.
type cloudTriggerCommand struct {
	ofCloud
	Job    string            `arg:"" name:"job" help:"The job."`
	Param  map[string]string `placeholder:"NAME=TEXT" help:"A parameter, a text; may be repeated."`
	Params string            `placeholder:"JSON|@FILE|-" help:"The parameters: one JSON object, @FILE for the content of a file, - for standard input."`
	Shards []int             `placeholder:"NUMBERS" help:"The shards that run, such as 0,2. Default: all."`
	At     string            `placeholder:"TIME" help:"Not before this time, such as 2026-11-22T02:30:00Z."`
	Key    string            `placeholder:"KEY" help:"Run it once: another request with the key is the same run."`
	Wait   bool              `help:"Wait until the run has ended. Exit code 0: it succeeded, 3: it failed, 4: it was killed."`
}

// cloudTriggerBody is what the REST interface takes.
type cloudTriggerBody struct {
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Shards     []int           `json:"shards,omitempty"`
	NotBefore  string          `json:"notBefore,omitempty"`
}

func (c *cloudTriggerCommand) body(p *process) (body cloudTriggerBody, err error) {
	body = cloudTriggerBody{Shards: c.Shards, NotBefore: c.At}
	if len(c.Param) > 0 && c.Params != "" {
		return body, usage("Give one of them.", "--param and --params are both given")
	}
	if c.At != "" {
		if _, err := time.Parse(time.RFC3339, c.At); err != nil {
			return body, usage("--at takes a time with its zone, such as 2026-11-22T02:30:00Z or 2026-11-22T02:30:00+01:00.", "--at: %w", err)
		}
	}
	if strings.ContainsFunc(c.Key, unicode.IsControl) {
		return body, usage("A key is a line of text.", "--key has a character that is not printed")
	}
	if body.Parameters, err = readParams(p, c.Params); err == nil && len(c.Param) > 0 {
		body.Parameters, err = json.Marshal(c.Param)
	}
	return body, err
}

func (c *cloudTriggerCommand) run(p *process) error {
	body, err := c.body(p)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		raw, err := client.call(ctx, jobCall{method: http.MethodPost, path: cloudPath("jobs", c.Job, "trigger"), key: c.Key, body: body})
		if err != nil {
			return err
		}
		var asked struct{ Run string }
		if err := client.decode(raw, &asked); err != nil {
			return err
		}
		name := func() error { _, err := fmt.Fprintln(p.stdout, asked.Run); return err }
		if !c.Wait {
			return c.access.print(p, raw, name)
		}
		if !c.access.JSON {
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
		return errors.Join(err, c.access.print(p, raw, func() error { return nil }))
	})
}

// act has the console do something, and says that it is done.
func (o ofCloud) act(p *process, path string, query url.Values, done string) error {
	return o.with(p, func(ctx context.Context, c *jobClient) error {
		raw, err := c.call(ctx, jobCall{method: http.MethodPost, path: path, query: query})
		if err != nil {
			return err
		}
		if len(raw) == 0 {
			raw = []byte("true")
		}
		return o.access.print(p, raw, func() error { _, err := fmt.Fprintln(p.stdout, done); return err })
	})
}

// ofCloudRun is a run that a command is about.
type ofCloudRun struct {
	ofCloud
	Run string `arg:"" name:"run" help:"The run."`
}

type (
	cloudKillCommand    struct{ ofCloudRun }
	cloudSuspendCommand struct{ ofCloudRun }
	cloudResumeCommand  struct{ ofCloudRun }
)

func (c *cloudKillCommand) run(p *process) error {
	return c.act(p, cloudPath("runs", c.Run, "kill"), nil, "run "+c.Run+" is asked to end")
}

func (c *cloudSuspendCommand) run(p *process) error {
	return c.act(p, cloudPath("runs", c.Run, "suspend"), nil, "run "+c.Run+" is asked to stop for now")
}

func (c *cloudResumeCommand) run(p *process) error {
	return c.act(p, cloudPath("runs", c.Run, "resume"), nil, "run "+c.Run+" goes on")
}

// ofSwitch is a job or an application that is switched.
type ofSwitch struct {
	ofCloud
	Name string `arg:"" name:"name" help:"The job, or with --app the application."`
	App  bool   `help:"The name is that of an application."`
}

func (o ofSwitch) turn(p *process, verb string, query url.Values) error {
	kind, word := "jobs", "job"
	if o.App {
		kind, word = "apps", "application"
	}
	return o.act(p, cloudPath(kind, o.Name, verb), query, fmt.Sprintf("%s %q is %sd", word, o.Name, verb))
}

type cloudDisableCommand struct {
	ofSwitch
	Running string `default:"kill" enum:"kill,suspend,finish" help:"What becomes of runs that go on: kill, suspend or finish."`
}

func (c *cloudDisableCommand) run(p *process) error {
	return c.turn(p, "disable", url.Values{"running": {c.Running}})
}

type cloudEnableCommand struct{ ofSwitch }

func (c *cloudEnableCommand) run(p *process) error { return c.turn(p, "enable", nil) }
