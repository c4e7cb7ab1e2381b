package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// jobListCommand is `elasticjob job list`.
type jobListCommand struct {
	jobAccess
	watching
	Query string `arg:"" optional:"" name:"query" help:"Only jobs with this part in their name or description."`
	State string `placeholder:"STATE" help:"Only jobs in this state, as the column HEALTH has it."`
	Limit int    `placeholder:"N" help:"How many at most. Default: all."`
}

func (c *jobListCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	set(asked, "q", c.Query)
	set(asked, "state", c.State)
	if c.Limit != 0 {
		asked.Set("page", "1")
		asked.Set("pageSize", strconv.Itoa(c.Limit))
	}
	return show(p, c, c.watching, question[[]api.Job]{
		path: "/api/jobs", query: asked, names: namesOf(func(j api.Job) string { return j.JobName }),
		text: func(w io.Writer, jobs []api.Job) error {
			head := "NAME HEALTH SHARDS INSTANCES NEXT REASON"
			if c.wide() {
				head = "NAME HEALTH SHARDS INSTANCES SERVERS TYPE CRON ZONE NEXT REASON"
			}
			return table(w, head, func(row func(...any)) {
				for _, j := range jobs {
					if c.wide() {
						row(j.JobName, j.Health, j.ShardingTotalCount, j.InstanceCount, j.ServerCount, j.Type, j.Cron, j.TimeZone, moment(j.NextFireTime), j.HealthReason)
						continue
					}
					row(j.JobName, j.Health, j.ShardingTotalCount, j.InstanceCount, moment(j.NextFireTime), j.HealthReason)
				}
			})
		},
	})
}

// set sets a parameter unless it is empty.
func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

// jobShowCommand is `elasticjob job show`.
type jobShowCommand struct {
	ofJob
	watching
}

func (c *jobShowCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[api.JobDetail]{job: c.Job, path: c.path(), text: printJob, names: just[api.JobDetail](c.Job)})
}

func printJob(w io.Writer, j api.JobDetail) error {
	line := liner(w)
	line("job", j.JobName)
	line("health", strings.TrimSuffix(j.Health+", "+j.HealthSentence, ", "))
	line("since", moment(j.HealthSince))
	if j.Held != nil {
		line("held", fmt.Sprintf("%s, by %s since %s: %s", j.Held.What, j.Held.By, moment(j.Held.At), j.Held.Reason))
	}
	line("description", j.Description)
	line("type", j.Type)
	line("cron", strings.TrimSpace(j.Cron+" "+j.TimeZone))
	line("next", strings.TrimSpace(moment(j.NextFireTime)+" "+j.NoFireReason))
	line("leader", j.Leader)
	for _, warning := range j.Warnings {
		line("warning", warning.Field+": want "+warning.Want)
	}
	fmt.Fprintln(w)
	if err := printShards(w, j.Shards); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return table(w, "INSTANCE ADDRESS ENABLED SINCE VERSION", func(row func(...any)) {
		for _, i := range j.Instances {
			version := "Java"
			if i.Agent != nil {
				version = i.Agent.Version
			}
			row(i.ID, i.IP, yes(i.Enabled), moment(i.Since), version)
		}
	})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// liner returns a function that prints a name and a value, unless the value is empty.
func liner(w io.Writer) func(name, value string) {
	return func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-11s %s\n", name, api.Plain(value))
		}
	}
}

// jobShardsCommand is `elasticjob job shards`.
type jobShardsCommand struct {
	ofJob
	watching
}

func (c *jobShardsCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[[]api.Shard]{
		job: c.Job, path: c.path("sharding"), text: printShards, names: namesOf(func(s api.Shard) string { return strconv.Itoa(s.Item) }),
	})
}

func printShards(w io.Writer, shards []api.Shard) error {
	return table(w, "SHARD STATUS INSTANCE RUNNING-ON SINCE PARAMETER REASON", func(row func(...any)) {
		for _, s := range shards {
			row(s.Item, s.Status, s.InstanceID, s.RunningOn, moment(s.RunningSince), s.Parameter, s.Reason)
		}
	})
}

// jobExplainCommand is `elasticjob job explain`.
type jobExplainCommand struct {
	ofJob
	watching
	At  instant `placeholder:"TIME" help:"Why it did not run at this time in the past, such as 'yesterday 03:00' or 2026-11-22T02:30:00Z."`
	All bool    `help:"Print the checks that found nothing, too."`
}

func (c *jobExplainCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	set(asked, "at", string(c.At))
	return show(p, c, c.watching, question[api.Explanation]{
		job: c.Job, path: c.path("explain"), query: asked, names: just[api.Explanation](c.Job), text: func(w io.Writer, e api.Explanation) error { return c.report(w, e) },
	})
}

func (c *jobExplainCommand) report(w io.Writer, e api.Explanation) error {
	fmt.Fprintln(w, api.Plain(e.Summary))
	if e.Past != nil {
		fmt.Fprintf(w, "%s: %s\n", moment(e.Past.At), api.Plain(e.Past.Statement))
		for _, reason := range e.Past.Reasons {
			fmt.Fprintln(w, "  because "+api.Plain(reason))
		}
		for _, unknown := range e.Past.Unknown {
			fmt.Fprintln(w, "  not known: "+api.Plain(unknown))
		}
	}
	for _, f := range e.Findings {
		fmt.Fprintf(w, "- %s\n", api.Plain(f.Sentence))
		if f.Advice != "" {
			fmt.Fprintf(w, "  %s\n", api.Plain(f.Advice))
		}
	}
	if c.All {
		for _, check := range e.Checks {
			fmt.Fprintf(w, "  in order: %s\n", api.Plain(check.Sentence))
		}
	}
	_, err := fmt.Fprintf(w, "next fire time: %s\n", orDash(moment(e.NextFireTime)))
	return err
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// jobReshardPlanCommand is `elasticjob job reshard-plan`.
type jobReshardPlanCommand struct {
	ofJob
	Leave  []string `placeholder:"INSTANCE" help:"An instance that goes; may be repeated."`
	Join   []string `placeholder:"INSTANCE" help:"An instance that comes; may be repeated."`
	Shards int      `placeholder:"N" help:"The job has this many shards."`
}

func (c *jobReshardPlanCommand) Run(p *cli.Process) error {
	asked := url.Values{"leave": c.Leave, "join": c.Join}
	if c.Shards != 0 {
		asked.Set("shards", strconv.Itoa(c.Shards))
	}
	return show(p, c, watching{}, question[api.Reshard]{
		job: c.Job, path: c.path("reshard-plan"), query: asked, names: just[api.Reshard](c.Job),
		text: func(w io.Writer, plan api.Reshard) error {
			if plan.Reason != "" {
				fmt.Fprintln(w, api.Plain(plan.Reason))
			}
			fmt.Fprintf(w, "%d shards move, %d wait for an instance\n", plan.MoveCount, plan.WaitCount)
			return table(w, "SHARD FROM TO", func(row func(...any)) {
				for _, m := range plan.Moves {
					row(m.Item, m.From, m.To)
				}
			})
		},
	})
}

// ask asks a question on standard error, unless yes was given, and returns an error without a yes.
func ask(p *cli.Process, yes bool, question string) error {
	if yes {
		return nil
	}
	fmt.Fprintf(p.Stderr, "%s [yes/no] ", question)
	answer, _ := bufio.NewReader(p.Stdin).ReadString('\n') // Text before an error is the answer.
	if strings.TrimSpace(answer) == "yes" {
		return nil
	}
	return cli.Fail("Answer yes, or give --yes.", "nothing was changed")
}

// do sends a request that changes something, and prints its outcome.
func (a *jobAccess) do(p *cli.Process, job string, call api.Call, done string) error {
	return a.with(p, func(ctx context.Context, c *client) error {
		raw, err := c.Do(ctx, call)
		if err != nil {
			return c.mean(ctx, job, err)
		}
		var outcome api.Outcome
		if len(raw) == 0 {
			raw = []byte("true")
		} else if err := c.Decode(raw, &outcome); err != nil {
			return err
		}
		for _, s := range outcome.Skipped {
			fmt.Fprintf(p.Stderr, "left out: %s: %s\n", api.Plain(s.Target), api.Plain(s.Reason))
		}
		return a.print(p, raw, func() error {
			text := done
			if len(outcome.Affected) > 0 {
				text += ": " + enumerate(outcome.Affected, 10)
			}
			_, err := fmt.Fprintln(p.Stdout, api.Plain(text))
			return err
		}, outcome.Affected...)
	})
}

// jobTriggerCommand is `elasticjob job trigger`.
type jobTriggerCommand struct {
	jobs
	Instances []string `placeholder:"INSTANCE,…" help:"Only these instances. Default: all instances on enabled servers."`
	Reason    string   `placeholder:"TEXT" help:"Why, for the audit."`
}

func (c *jobTriggerCommand) Run(p *cli.Process) error {
	if len(c.Instances) > 0 && c.several() {
		return cli.Usage("Name one job, or leave it out.", "--instances is about one job")
	}
	return c.act(p, api.BulkRequest{Order: "trigger", Reason: c.Reason}, "", func(j *ofJob) error {
		return c.do(p, c.Job, api.Call{Method: http.MethodPost, Path: j.path("trigger"), Body: api.TriggerRequest{Instances: c.Instances, Reason: c.Reason}}, fmt.Sprintf("job %q is triggered", c.Job))
	})
}

// switching are the flags of enable and disable.
type switching struct {
	jobs
	Shard      int    `default:"-1" placeholder:"N" help:"Only this shard of the job."`
	Persistent bool   `help:"Also for servers that come later, until the opposite with this flag."`
	Reason     string `placeholder:"TEXT" help:"Why, for the audit."`
}

func (c *switching) turn(p *cli.Process, verb string, until instant) error {
	asked := url.Values{}
	set(asked, "reason", c.Reason)
	o := api.BulkRequest{Order: verb, Reason: c.Reason, EnableAt: string(until)}
	several := c.several() || until != ""
	switch {
	case c.Shard >= 0 && c.Persistent:
		return cli.Usage("Give one of them.", "--shard and --persistent are both given")
	case c.Shard >= 0 && several:
		return cli.Usage("Name one job, and leave out --until.", "--shard is about one job")
	case c.Persistent && (several || c.Reason != ""):
		return cli.Usage("Leave out --persistent or the others.", "--persistent is about one job, without --reason and --until")
	case c.Shard >= 0:
		return c.act(p, o, "", func(j *ofJob) error {
			path := j.path("sharding", strconv.Itoa(c.Shard), verb)
			return c.do(p, c.Job, api.Call{Method: http.MethodPost, Path: path, Query: asked}, fmt.Sprintf("shard %d of job %q is %sd", c.Shard, c.Job, verb))
		})
	case !several && c.Reason == "":
		if c.Persistent {
			asked.Set("persistent", "true")
		}
		return c.act(p, o, "", func(j *ofJob) error {
			return c.do(p, c.Job, api.Call{Method: http.MethodPost, Path: j.path(verb), Query: asked}, fmt.Sprintf("job %q is %sd", c.Job, verb))
		})
	}
	return c.act(p, o, "", nil)
}

type (
	jobEnableCommand  struct{ switching }
	jobDisableCommand struct {
		switching
		Until instant `placeholder:"TIME" help:"The console enables it again at this time, such as 18:00 or +2h."`
	}
)

// Run implements [cli.Command].
func (c *jobEnableCommand) Run(p *cli.Process) error { return c.turn(p, "enable", "") }

// Run implements [cli.Command].
func (c *jobDisableCommand) Run(p *cli.Process) error { return c.turn(p, "disable", c.Until) }

// confirming is the flag of commands that ask before they act.
type confirming struct {
	Yes bool `help:"Don't ask."`
}

// jobShutdownCommand is `elasticjob job shutdown`.
type jobShutdownCommand struct{ jobs }

func (c *jobShutdownCommand) Run(p *cli.Process) error {
	return c.act(p, api.BulkRequest{Order: "shutdown"}, fmt.Sprintf("Shut down all instances of job %q? They serve it again only after a restart.", c.Job), func(j *ofJob) error {
		return c.do(p, c.Job, api.Call{Method: http.MethodPost, Path: j.path("shutdown")}, fmt.Sprintf("job %q shuts down", c.Job))
	})
}

// jobRemoveCommand is `elasticjob job remove`.
type jobRemoveCommand struct {
	jobs
	Force bool `help:"Even if instances are registered or requested runs wait. For one job."`
}

func (c *jobRemoveCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	if c.Force {
		if c.several() {
			return cli.Usage("Name one job, or leave it out.", "--force is about one job")
		}
		asked.Set("force", "true")
	}
	return c.act(p, api.BulkRequest{Order: "remove"}, fmt.Sprintf("Remove job %q with its configuration from the registry? This can't be undone.", c.Job), func(*ofJob) error {
		return c.do(p, c.Job, api.Call{Method: http.MethodDelete, Path: api.JobPath("/api/jobs/config", c.Job), Query: asked}, fmt.Sprintf("job %q is removed", c.Job))
	})
}

// jobLabelCommand is `elasticjob job label`.
type jobLabelCommand struct {
	jobs
	Text   string `placeholder:"TEXT" help:"The new label of the job."`
	Remove bool   `help:"Remove the label."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit."`
}

func (c *jobLabelCommand) Run(p *cli.Process) error {
	if (c.Text != "") == c.Remove {
		return cli.Usage("Give one of them.", "want --text or --remove")
	}
	return c.act(p, api.BulkRequest{Order: "label", Label: &c.Text, Reason: c.Reason}, "", nil)
}

// jobClearRunningCommand is `elasticjob job clear-running`.
type jobClearRunningCommand struct {
	ofJob
	Shard    int    `arg:"" name:"shard" help:"The shard."`
	Instance string `required:"" placeholder:"INSTANCE" help:"The instance that the marker names. Make sure that it doesn't run the shard."`
}

func (c *jobClearRunningCommand) Run(p *cli.Process) error {
	call := api.Call{Method: http.MethodDelete, Path: c.path("sharding", strconv.Itoa(c.Shard), "running"), Query: url.Values{"instance": {c.Instance}}}
	return c.do(p, c.Job, call, fmt.Sprintf("the running marker of shard %d of job %q is removed", c.Shard, c.Job))
}
