// Command elasticjob is the command line of ElasticJob for Go, for operators and for machines that
// run jobs. It has no pages and knows no Kubernetes.
//
//	elasticjob agent      an agent for the SCRIPT and HTTP jobs of a YAML file
//	elasticjob registry   a ZooKeeper for development, in this process
//	elasticjob doctor     looks for faults in a job file, its ZooKeeper and its trace tables
//	elasticjob login      remembers a console and a token for it
//	elasticjob job        shows, explains, triggers, switches, holds and runs jobs
//	elasticjob run        lists, shows, follows, cancels and repeats runs
//	elasticjob server     shows, switches and removes servers
//	elasticjob config     prints and exports configurations
//	elasticjob settings   lists and changes registries, data sources and views of the console
//	elasticjob audit      lists who changed what
//	elasticjob cloud      applications, jobs and runs of ElasticJob-Cloud
//	elasticjob api        any request to the REST interface
//
// The package has what belongs to a command line: flags, output, exit codes. Requests to a console go
// through internal/console/api; agents are coreagent with a job file.
//
//	main ── cli.Program ──▶ command ──▶ access ──▶ api.Client ──HTTP──▶ console
//	                           └──────▶ agent ─ jobfile ─▶ coreagent ─ events ─▶ database
//
// Exit codes: 0 is success, 1 a failure, 2 a wrong command line or job file. 3, 4 and 5 are the
// outcome of a run that a command waited for.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // Cron zones work on an image without a zone database.

	"github.com/alecthomas/kong"

	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/licenses"
)

// Exit codes of commands that waited for a run.
const (
	exitRunFailed    = 3
	exitRunCancelled = 4
	exitRunSkipped   = 5 // or expired
)

// commandLine has the flags of all commands, and the commands.
type commandLine struct {
	cli.LogFlags

	Agent      agentCommand      `cmd:"" variable:"" help:"Serve the SCRIPT and HTTP jobs of a YAML file, without any code."`
	Registry   registryCommand   `cmd:"" variable:"" help:"Run a ZooKeeper for development in this process. It keeps nothing and asks for no password."`
	Doctor     doctorCommand     `cmd:"" help:"Check a job file, its ZooKeeper and its trace tables. Exit code 1 with errors or warnings."`
	Login      loginCommand      `cmd:"" help:"Sign in to a console, and remember its address and the token as a context."`
	Logout     logoutCommand     `cmd:"" help:"End the session of a context, and forget its token."`
	Context    contextCommand    `cmd:"" help:"List the contexts, or choose the current one."`
	Whoami     whoamiCommand     `cmd:"" help:"Print the console and the user of commands."`
	Job        jobCommand        `cmd:"" help:"Jobs of agents: show, explain, trigger, switch and run them."`
	Server     serverCommand     `cmd:"" help:"Servers, and the jobs on them."`
	Config     configCommand     `cmd:"" help:"Configurations of jobs."`
	Token      tokenCommand      `cmd:"" help:"Tokens for programs."`
	Settings   settingsCommand   `cmd:"" help:"Settings of the console: registries, data sources, saved views."`
	Audit      auditCommand      `cmd:"" help:"List the audit records: who changed what, or was refused."`
	Run        runCommand        `cmd:"" help:"Runs of jobs: list and show them, follow their logs, cancel and repeat them."`
	Cloud      cloudCommand      `cmd:"" help:"Applications, jobs and runs of ElasticJob-Cloud."`
	API        apiCommand        `cmd:"" name:"api" help:"Send a request to the REST interface, and print the answer."`
	Completion completionCommand `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"The words that complete a command line; the script of completion calls it."`
	Licenses   licensesCommand   `cmd:"" help:"Print the licences of all modules in this program."`
	Version    versionCommand    `cmd:"" help:"Print the version of this program."`
}

var program = cli.Program{
	Name:        "elasticjob",
	Description: "The command line of ElasticJob for Go, for operators and agents.",
	Groups:      []kong.Group{{Key: "console", Title: "Console:"}},
}

func main() { os.Exit(program.Main(&commandLine{})) }

type licensesCommand struct{}

func (licensesCommand) Run(p *cli.Process) error {
	_, err := fmt.Fprint(p.Stdout, licenses.Text)
	return err
}

type versionCommand struct{}

func (versionCommand) Run(p *cli.Process) error {
	_, err := fmt.Fprintln(p.Stdout, build.Get().Of("elasticjob"))
	return err
}
