// Package cli has the parts that the programs console and elasticjob share: flags and their
// environment variables, secrets in files, logs, errors with a remedy, exit codes, and cleaning up.
//
//	main ──▶ Program.Main ──▶ Parse ──▶ Command.Run(Process) ──▶ exit code
//
// Environment variables exist for processes and for connections only: for every flag of a command
// that has the tag variable, and for each other flag that has it itself.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	ExitOK      = 0
	ExitFailure = 1
	ExitUsage   = 2 // a wrong command line or file: another start won't help
)

// Program is a command line with its commands.
type Program struct {
	Name, Description string
	Groups            []kong.Group // of flags, in the help
}

// Flags are the flags of all commands, and the commands. [LogFlags] has the method.
type Flags interface {
	logger(w io.Writer, level string) *slog.Logger
}

// Process is a command's surroundings.
type Process struct {
	Ctx            context.Context // ends with the first signal
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            Lookup
	Log            *slog.Logger
}

// Command is a sub-command. A nil error is exit code 0.
type Command interface{ Run(p *Process) error }

// quiet is a command with a log level of its own, unless the user names one.
type quiet interface{ LogLevel() string }

// Failure is an error with its remedy and the exit code.
type Failure struct {
	Err    error
	Remedy string
	Code   int
}

// Error implements error.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the error without the remedy.
func (f *Failure) Unwrap() error { return f.Err }

// Hint returns the remedy.
func (f *Failure) Hint() string { return f.Remedy }

// Fail returns a failure while running.
func Fail(hint, format string, args ...any) error {
	return &Failure{Err: fmt.Errorf(format, args...), Remedy: hint, Code: ExitFailure}
}

// Usage returns a mistake on the command line.
func Usage(hint, format string, args ...any) error {
	return &Failure{Err: fmt.Errorf(format, args...), Remedy: hint, Code: ExitUsage}
}

// Hint returns the remedy of an error, empty if it has none.
func Hint(err error) string {
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		return h.Hint()
	}
	return ""
}

// Main runs the program with the arguments of this process and returns the exit code.
func (g Program) Main(flags Flags) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks the program to end. The handler is removed then, so the second one kills it.
	context.AfterFunc(ctx, stop)
	return g.Run(ctx, flags, os.Args[1:], os.Stdout, os.Stderr, os.LookupEnv)
}

// Run runs the program, and returns the exit code. It leaves nothing behind.
func (g Program) Run(ctx context.Context, flags Flags, args []string, stdout, stderr io.Writer, env Lookup) int {
	selected, done, err := g.Parse(flags, args, stdout, stderr, env)
	if done {
		return ExitOK
	}
	if err == nil {
		level := ""
		if q, ok := selected.(quiet); ok {
			level = q.LogLevel()
		}
		err = selected.Run(&Process{Ctx: ctx, Stdin: os.Stdin, Stdout: stdout, Stderr: stderr, Env: env, Log: flags.logger(stderr, level)})
	}
	if err == nil {
		return ExitOK
	}
	fmt.Fprintf(stderr, "%s: %s\n", g.Name, err)
	if hint := Hint(err); hint != "" {
		fmt.Fprintf(stderr, "  %s\n", strings.ReplaceAll(hint, "\n", "\n  "))
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return f.Code
	}
	return ExitFailure
}

// Parse fills in the flags, and returns the selected command. If it printed the help, done is true.
func (g Program) Parse(flags Flags, args []string, stdout, stderr io.Writer, env Lookup) (selected Command, done bool, err error) {
	parser, err := kong.New(flags,
		kong.Name(g.Name), kong.Description(g.Description),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { panic(helpPrinted{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups(append([]kong.Group{{Key: "log", Title: "Log:"}}, g.Groups...)),
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
		return nil, false, Usage(fmt.Sprintf("`%[1]s --help` lists the commands, `%[1]s <command> --help` the flags of one.", g.Name), "%w", err)
	}
	selected, ok := parsed.Selected().Target.Addr().Interface().(Command)
	if !ok {
		return nil, false, fmt.Errorf("command line: %s is no command", parsed.Command())
	}
	return selected, false, checkEmpty(parsed)
}

// checkEmpty refuses flags that are given and empty, except for processes: a variable of the
// shell isn't set, and the command would do something else without it.
func checkEmpty(parsed *kong.Context) error {
	for _, at := range parsed.Path {
		if at.Flag == nil || at.Resolved || isProcess(parsed.Selected()) {
			continue
		}
		switch v := at.Flag.Target; v.Kind() {
		case reflect.String, reflect.Slice, reflect.Map:
			if v.Len() == 0 {
				return Usage("Leave it out, or give it a value. Is a variable of the shell not set?", "--%s is empty", at.Flag.Name)
			}
		}
	}
	return nil
}

// helpPrinted unwinds the parser, which expects the process to end once it has printed its help.
type helpPrinted struct{}
