package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/elasticjob-go/elasticjob/internal/build"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
	// How a run ended that a command has waited for.
	exitRunFailed    = 3
	exitRunCancelled = 4
	exitRunSkipped   = 5 // or expired
)

// commandLine is every setting of the program. Each flag can also be
// given in the environment, as ELASTICJOB_ and its name in capitals.
type commandLine struct {
	LogFormat string `enum:"text,json" default:"text" help:"How log lines look: text or json." group:"log"`
	LogLevel  string `enum:",debug,info,warn,error" default:"" help:"The least level that is logged: debug, info, warn or error. Default: info; warn for the demo, whose notices would drown." group:"log"`

	Serve     serveCommand         `cmd:"" help:"Serve the console for a ZooKeeper ensemble and a database."`
	Demo      demoCommand          `cmd:"" help:"Run a whole fleet in this terminal: registry, database, console and three agents."`
	DemoAgent demoAgentCommand     `cmd:"" hidden:"" help:"One agent of the demo; the demo starts three."`
	DemoHeart demoHeartbeatCommand `cmd:"" name:"demo-heartbeat" hidden:"" help:"A process of the demo's DAEMON job of ElasticJob-Cloud."`
	LocalTask localTaskCommand     `cmd:"" hidden:"" help:"The process beside a program of the local engine of ElasticJob-Cloud."`
	Agent     agentCommand         `cmd:"" help:"Serve the SCRIPT and HTTP jobs of a YAML file, without any code."`
	Migrate   migrateCommand       `cmd:"" help:"Bring the trace tables of a database up to date, or tell how they are."`
	Prune     pruneCommand         `cmd:"" help:"Delete old executions from a database, in small steps."`
	Job       jobCommand           `cmd:"" help:"Request runs of a job at a running console, wait for them, look at them and cancel them; hold and release a job."`
	Cloud     cloudCommand         `cmd:"" help:"Look at applications, jobs and runs of ElasticJob-Cloud at a running console, run a job, read logs, end runs."`
	Doctor    doctorCommand        `cmd:"" help:"Check trace tables, ZooKeeper, a job file and the settings of a console. Exit code 1 with errors or warnings."`
	Health    healthCommand        `cmd:"" help:"Ask a running console whether it is ready; the exit code is the answer."`
	Storybook storybookCommand     `cmd:"" help:"Show every component of the pages with sample data, for those who change how the console looks."`
	Licenses  licensesCommand      `cmd:"" help:"Print the licences of everything that is linked into this binary."`
	Version   versionCommand       `cmd:"" help:"Print what this binary is."`
}

// process is what a command has of its surroundings.
type process struct {
	ctx            context.Context // ends with the first signal
	stdin          io.Reader
	stdout, stderr io.Writer
	env            lookup
	log            *slog.Logger
}

// command is what each sub-command implements. A nil error is exit code 0.
type command interface{ run(p *process) error }

// failure is an error with its remedy, as people see it.
type failure struct {
	err  error
	hint string
	code int
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// fail is a failure while running, usage one on the command line.
func fail(hint string, format string, args ...any) error {
	return &failure{err: fmt.Errorf(format, args...), hint: hint, code: exitFailure}
}

func usage(hint string, format string, args ...any) error {
	return &failure{err: fmt.Errorf(format, args...), hint: hint, code: exitUsage}
}

// run is the program: it returns the exit code and leaves nothing behind. ctx
// ends when the program shall stop; env looks up the environment.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, env lookup) int {
	var cli commandLine
	selected, done, err := parse(&cli, args, stdout, stderr, env)
	if done {
		return exitOK
	}
	p := &process{ctx: ctx, stdin: os.Stdin, stdout: stdout, stderr: stderr, env: env}
	if err == nil {
		level := cli.LogLevel
		if _, quiet := selected.(*demoCommand); quiet && level == "" {
			level = "warn"
		}
		p.log = newLogger(stderr, cli.LogFormat, level)
		err = selected.run(p)
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "console: %s\n", err)
	if f, ok := errors.AsType[*failure](err); ok {
		if f.hint != "" {
			fmt.Fprintf(stderr, "  %s\n", strings.ReplaceAll(f.hint, "\n", "\n  "))
		}
		return f.code
	}
	return exitFailure
}

// parse fills cli and returns the command it selects; done says that there is
// nothing left to do because help was printed.
func parse(cli *commandLine, args []string, stdout, stderr io.Writer, env lookup) (selected command, done bool, err error) {
	parser, err := kong.New(cli,
		kong.Name("console"),
		kong.Description("The web console of ElasticJob for Go. Each flag can be given in the environment too: --log-format is "+envName("log-format")+"."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { panic(helpPrinted{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups([]kong.Group{{Key: "log", Title: "Log:"}}),
		kong.Resolvers(environment(env)),
	)
	if err != nil {
		return nil, false, fmt.Errorf("command line: %w", err)
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case helpPrinted:
			selected, done, err = nil, true, nil
		default:
			panic(v)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return nil, false, usage("`console --help` lists the commands, `console <command> --help` the flags of one.", "%w", err)
	}
	selected, ok := parsed.Selected().Target.Addr().Interface().(command)
	if !ok {
		return nil, false, fmt.Errorf("command line: %s is no command", parsed.Command())
	}
	return selected, false, checkEmpty(parsed)
}

// checkEmpty refuses flags of `console job` and `console cloud` that are given and empty: a
// variable of the shell isn't set, and a run without it would be another one.
func checkEmpty(parsed *kong.Context) error {
	if group, _, _ := strings.Cut(parsed.Command(), " "); group != "job" && group != "cloud" {
		return nil
	}
	for _, at := range parsed.Path {
		if at.Flag == nil || at.Resolved {
			continue
		}
		switch v := at.Flag.Target; v.Kind() {
		case reflect.String, reflect.Slice, reflect.Map:
			if v.Len() == 0 {
				return usage("Leave it out, or give it a value. Is a variable of the shell not set?", "--%s is empty", at.Flag.Name)
			}
		}
	}
	return nil
}

// helpPrinted unwinds the parser, which expects the process to end once it has
// printed its help.
type helpPrinted struct{}

type versionCommand struct{}

func (versionCommand) run(p *process) error {
	_, err := fmt.Fprintln(p.stdout, build.Get())
	return err
}
