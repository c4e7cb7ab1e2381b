package main

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/licenses"
)

// commandLine has the flags of all commands, and the commands.
type commandLine struct {
	cli.LogFlags

	Serve     serveCommand         `cmd:"" variable:"" help:"Serve the console for a ZooKeeper ensemble and a database."`
	Demo      demoCommand          `cmd:"" variable:"" help:"Run a whole fleet in this terminal: registry, database, console and three agents."`
	DemoAgent demoAgentCommand     `cmd:"" hidden:"" help:"One agent of the demo; the demo starts three."`
	DemoHeart demoHeartbeatCommand `cmd:"" name:"demo-heartbeat" hidden:"" help:"A process of the demo's DAEMON job of ElasticJob-Cloud."`
	LocalTask localTaskCommand     `cmd:"" hidden:"" help:"The process next to a program of the local engine of ElasticJob-Cloud."`
	Migrate   migrateCommand       `cmd:"" variable:"" help:"Bring the trace tables of a database up to date, or print how they are."`
	Prune     pruneCommand         `cmd:"" variable:"" help:"Delete old executions from a database, in small steps."`
	Doctor    doctorCommand        `cmd:"" variable:"" help:"Check the settings, the ZooKeeper and the databases of a console. Exit code 1 with errors or warnings."`
	Health    healthCommand        `cmd:"" help:"Ask a running console whether it is ready; the exit code is the answer."`
	Storybook storybookCommand     `cmd:"" help:"Show every component of the pages with sample data, for people who change the look of the console."`
	Licenses  licensesCommand      `cmd:"" help:"Print the licences of all modules in this program."`
	Version   versionCommand       `cmd:"" help:"Print the version of this program."`
}

var program = cli.Program{
	Name:        "console",
	Description: "The web console of ElasticJob for Go. Each flag of a server can be given in the environment too: --log-format is " + cli.EnvName("log-format") + ".",
}

// LogLevel makes the demo log warnings only, so that they don't hide its notices.
func (c *demoCommand) LogLevel() string { return "warn" }

type licensesCommand struct{}

func (licensesCommand) Run(p *cli.Process) error {
	_, err := fmt.Fprint(p.Stdout, licenses.Text)
	return err
}

type versionCommand struct{}

func (versionCommand) Run(p *cli.Process) error {
	_, err := fmt.Fprintln(p.Stdout, build.Get().Of("elasticjob console"))
	return err
}
