package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// serverCommand is `elasticjob server`.
type serverCommand struct {
	List     serverListCommand     `cmd:"" help:"List the servers."`
	Show     serverShowCommand     `cmd:"" help:"List the jobs of a server."`
	Trigger  serverTriggerCommand  `cmd:"" help:"Trigger a job on a server."`
	Enable   serverEnableCommand   `cmd:"" help:"Enable a server for all its jobs, or for one."`
	Disable  serverDisableCommand  `cmd:"" help:"Disable a server for all its jobs, or for one: its shards move to other servers."`
	Shutdown serverShutdownCommand `cmd:"" help:"Shut down the instances of a server, of all jobs or of one."`
	Drain    serverDrainCommand    `cmd:"" help:"Disable a server for all its jobs, and wait until nothing runs on it, at most for --timeout."`
	Lost     serverLostCommand     `cmd:"" help:"List the instances that were lost, or acknowledge some of them."`
	Dump     serverDumpCommand     `cmd:"" help:"Print the dump of a job from the dump service of a process."`
	Remove   serverRemoveCommand   `cmd:"" help:"Remove a server from all its jobs, or from one. Its live instances end."`
}

// serverListCommand is `elasticjob server list`.
type serverListCommand struct {
	jobAccess
	watching
}

func (c *serverListCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[[]api.Server]{
		path: "/api/servers", names: namesOf(func(s api.Server) string { return s.ServerIP }),
		text: func(w io.Writer, servers []api.Server) error {
			return table(w, "ADDRESS INSTANCES JOBS DISABLED NAMES", func(row func(...any)) {
				for _, s := range servers {
					row(s.ServerIP, s.Instances, s.Jobs, s.DisabledJobs, enumerate(s.JobNames, 5))
				}
			})
		},
	})
}

// ofServer is the server of a command.
type ofServer struct {
	jobAccess
	Server string `arg:"" name:"address" help:"The address of the server."`
}

// serverShowCommand is `elasticjob server show`.
type serverShowCommand struct {
	ofServer
	watching
}

func (c *serverShowCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[[]api.ServerJob]{
		path: api.Path("/api/servers", c.Server, "jobs"), names: namesOf(func(j api.ServerJob) string { return j.JobName }),
		text: func(w io.Writer, jobs []api.ServerJob) error {
			return table(w, "JOB STATUS INSTANCES SHARDS CRON DESCRIPTION", func(row func(...any)) {
				for _, j := range jobs {
					row(j.JobName, j.Status, j.InstanceCount, j.ShardingTotalCount, j.Cron, j.Description)
				}
			})
		},
	})
}

// ofServerJob is a server, or one job of it.
type ofServerJob struct {
	ofServer
	Job string `arg:"" optional:"" name:"job" help:"Only this job. Default: all jobs of the server."`
}

func (c *ofServerJob) act(p *cli.Process, method, verb, done string, query url.Values) error {
	parts, what := []string{c.Server}, "server "+c.Server
	if c.Job != "" {
		parts, what = append(parts, "jobs", c.Job), fmt.Sprintf("job %q on server %s", c.Job, c.Server)
	}
	if verb != "" {
		parts = append(parts, verb)
	}
	return c.do(p, c.Job, api.Call{Method: method, Path: api.Path("/api/servers", parts...), Query: query}, what+" "+done)
}

// serverTriggerCommand is `elasticjob server trigger`.
type serverTriggerCommand struct {
	ofServer
	Job string `arg:"" name:"job" help:"The job."`
}

func (c *serverTriggerCommand) Run(p *cli.Process) error {
	return (&ofServerJob{c.ofServer, c.Job}).act(p, http.MethodPost, "trigger", "is triggered", nil)
}

type (
	serverEnableCommand   struct{ ofServerJob }
	serverDisableCommand  struct{ ofServerJob }
	serverShutdownCommand struct {
		ofServerJob
		confirming
	}
	serverRemoveCommand struct {
		ofServerJob
		confirming
		Offline bool `help:"Only if no instance of it is live."`
	}
)

// Run implements [cli.Command].
func (c *serverEnableCommand) Run(p *cli.Process) error {
	return c.act(p, http.MethodPost, "enable", "is enabled", nil)
}

// Run implements [cli.Command].
func (c *serverDisableCommand) Run(p *cli.Process) error {
	return c.act(p, http.MethodPost, "disable", "is disabled", nil)
}

// Run implements [cli.Command].
func (c *serverShutdownCommand) Run(p *cli.Process) error {
	if err := ask(p, c.Yes, "Shut down the instances of server "+c.Server+"? They serve again only after a restart."); err != nil {
		return err
	}
	return c.act(p, http.MethodPost, "shutdown", "shuts down", nil)
}

// Run implements [cli.Command].
func (c *serverRemoveCommand) Run(p *cli.Process) error {
	if err := ask(p, c.Yes, "Remove server "+c.Server+"? Its live instances end."); err != nil {
		return err
	}
	asked := url.Values{}
	if c.Offline {
		asked.Set("offline", "true")
	}
	return c.act(p, http.MethodDelete, "", "is removed", asked)
}

// serverLostCommand is `elasticjob server lost`.
type serverLostCommand struct {
	jobAccess
	watching
	Acknowledge []string `placeholder:"INSTANCE,…" help:"Acknowledge that these instances were lost: they no longer need attention."`
}

func (c *serverLostCommand) Run(p *cli.Process) error {
	if len(c.Acknowledge) > 0 {
		call := api.Call{Method: http.MethodPost, Path: "/api/losses/acknowledge", Body: map[string][]string{"instances": c.Acknowledge}}
		return c.do(p, "", call, "acknowledged")
	}
	return show(p, c, c.watching, question[[]api.Loss]{
		path: "/api/losses", names: namesOf(func(l api.Loss) string { return l.Instance }),
		text: func(w io.Writer, losses []api.Loss) error {
			return table(w, "INSTANCE SERVER AT EXIT JOBS", func(row func(...any)) {
				for _, l := range losses {
					row(l.Instance, l.Server, moment(l.At), l.Exit, enumerate(namesOf(func(j api.LossJob) string { return j.JobName })(l.Jobs), 5))
				}
			})
		},
	})
}

// serverDumpCommand is `elasticjob server dump`.
type serverDumpCommand struct {
	ofServer
	Port int    `arg:"" name:"port" help:"The port of the dump service."`
	Job  string `arg:"" name:"job" help:"The job."`
}

func (c *serverDumpCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		text, err := client.Do(ctx, api.Call{Method: http.MethodPost, Path: api.Path("/api/servers", c.Server, strconv.Itoa(c.Port), "jobs", c.Job, "dump")})
		if err != nil {
			return err
		}
		for _, line := range plainLines(string(text)) {
			if _, err := fmt.Fprintln(p.Stdout, line); err != nil {
				return err
			}
		}
		return nil
	})
}
