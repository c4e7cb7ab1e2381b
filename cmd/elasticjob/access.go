package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// defaultConsole is the address of a console on this machine.
const defaultConsole = "http://127.0.0.1:8899"

// access are the flags of commands that ask a console.
type access struct {
	Console      string        `placeholder:"URL" group:"console" variable:"" help:"The address of the console, with the path that it is shown below, if there is one. Default: the one of the context, else http://127.0.0.1:8899."`
	Context      string        `placeholder:"NAME" group:"console" variable:"" help:"The context of login to use. Default: the current one."`
	User         string        `placeholder:"NAME" group:"console" variable:"" help:"Sign in with this name, for this command only."`
	PasswordFile string        `placeholder:"FILE" group:"console" variable:"" help:"A file with the password of --user."`
	TokenFile    string        `placeholder:"FILE" group:"console" variable:"" help:"A file with a token, in place of --user."`
	TLSCert      string        `name:"tls-cert" placeholder:"FILE" group:"console" variable:"" help:"The certificate of the console, as given to serve: trust this one alone. Default: the certificates that the machine trusts."`
	Timeout      time.Duration `placeholder:"DURATION" group:"console" help:"End after this time, waiting included. Default: no limit for --wait; a single request takes 20s at most."`
	Output       string        `short:"o" placeholder:"FORMAT" enum:",json,yaml,name,wide" default:"" group:"console" help:"The output: json for the answer as it is, yaml, name for names or ids alone, wide for more columns. Default: a table."`

	password string // from the terminal
}

// LogLevel makes these commands log warnings only.
func (a *access) LogLevel() string { return "warn" }

// jobAccess are the flags of commands about the jobs of agents.
type jobAccess struct {
	access
	Registry string `placeholder:"NAME" group:"console" help:"The registry of the job. Default: the one of the console's command line."`
}

func (a *jobAccess) with(p *cli.Process, do func(context.Context, *client) error) error {
	return a.access.with(p, a.Registry, "elasticjob job runs", do)
}

// client asks a console, again and again if a command waits.
type client struct {
	*api.Client
	// every is how often a run is looked at, slowest the longest pause while the console does not answer.
	every, slowest time.Duration
	// patience is how long a log is followed while the console does not answer.
	patience time.Duration
}

// options returns the address and the credentials of the flags, else of the context.
func (a *access) options(p *cli.Process) (api.Options, error) {
	o := api.Options{Console: a.Console, User: a.User}
	known, err := readContexts(p.Env)
	if err != nil {
		return o, err
	}
	chosen, err := known.choose(a.Context)
	if err != nil {
		return o, err
	}
	if o.Console == "" {
		o.Console = chosen.Console
	}
	if o.Console == "" {
		o.Console = defaultConsole
	}
	certificate := a.TLSCert
	if certificate == "" && chosen.is(o.Console) {
		certificate = chosen.TLSCert
	}
	if certificate != "" {
		if o.TLS, err = cli.Pinned(certificate); err != nil {
			return o, err
		}
	}
	switch given := a.User != "" || a.PasswordFile != ""; {
	case a.TokenFile != "" && given:
		return o, cli.Usage("Give one of them.", "--token-file and --user or --password-file are both given")
	case a.TokenFile != "":
		o.Renew = "Write a new token of POST /api/login to the file of --token-file: a token is good for eight hours."
		o.Token, err = cli.Secret("token", "", a.TokenFile)
	case a.password != "":
		o.Password = a.password
	case a.User != "" && a.PasswordFile != "":
		o.Password, err = cli.Secret("password", "", a.PasswordFile)
	case given:
		err = cli.Usage("Give --user and --password-file.", "--user and --password-file belong together")
	case chosen.Token != "" && chosen.is(o.Console):
		o.Renew = "Sign in again with `elasticjob login`."
		o.Token = chosen.Token
	default:
		err = cli.Usage("Sign in with `elasticjob login --console "+inShell(o.Console)+"`, or give --user and --password-file, or --token-file.", "no user and no token for %s", o.Console)
	}
	return o, err
}

// with calls do with a client, within the time of --timeout.
func (a *access) with(p *cli.Process, registry, look string, do func(context.Context, *client) error) error {
	if a.Timeout < 0 {
		return cli.Usage("Leave it out for no limit.", "--timeout %v is negative", a.Timeout)
	}
	o, err := a.options(p)
	if err != nil {
		return err
	}
	o.Registry, o.Look = registry, look
	c, err := api.New(o)
	if err != nil {
		return cli.Usage("--console takes an address such as "+defaultConsole+", without a name and a password in it.", "--console is not the address of a console")
	}
	ctx := p.Ctx
	if limit := a.Timeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("the %v of --timeout are over", limit))
		defer cancel()
	}
	defer c.Close(ctx)
	return do(ctx, &client{Client: c, every: time.Second, slowest: 10 * time.Second, patience: time.Minute})
}

// print prints an answer in the format of --output; text prints the table.
func (a *access) print(p *cli.Process, raw []byte, text func() error, names ...string) error {
	switch a.Output {
	case "json":
		_, err := fmt.Fprintf(p.Stdout, "%s\n", strings.TrimSpace(string(raw)))
		return err
	case "yaml":
		return printYAML(p.Stdout, raw)
	case "name":
		for _, name := range names {
			if _, err := fmt.Fprintln(p.Stdout, api.Plain(name)); err != nil {
				return err
			}
		}
		return nil
	}
	return text()
}

// wide reports whether tables have all columns.
func (a *access) wide() bool { return a.Output == "wide" }

// structured reports whether programs read the output.
func (a *access) structured() bool { return a.Output == "json" || a.Output == "yaml" }

// printYAML prints JSON as YAML, with the keys in their order.
func printYAML(w io.Writer, raw []byte) error {
	var document yaml.Node
	if err := yaml.Unmarshal(raw, &document); err != nil {
		return fmt.Errorf("print the answer as YAML: %w", err)
	}
	inBlocks(&document)
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	return e.Encode(&document)
}

func inBlocks(n *yaml.Node) {
	if n.Style &^= yaml.FlowStyle; n.Kind == yaml.ScalarNode && n.Style == yaml.DoubleQuotedStyle {
		n.Style = 0 // The encoder quotes texts that look like something else.
	}
	for _, c := range n.Content {
		inBlocks(c)
	}
}

// printValue prints a value that programs read.
func (a *access) printValue(p *cli.Process, value any) error {
	var raw bytes.Buffer
	if err := printDocument(&raw, value); err != nil {
		return err
	}
	return a.print(p, raw.Bytes(), func() error { return nil })
}

// printDocument prints a value as indented JSON.
func printDocument(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document)
}
