package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

// consoleContext is a console that login remembers, and the token for it.
type consoleContext struct {
	Console string `json:"console"`
	User    string `json:"user,omitempty"`
	Token   string `json:"token,omitempty"`
	TLSCert string `json:"tlsCert,omitempty"`
}

// is reports whether the context is about the console at an address. Its token must not be sent to
// another one.
func (c consoleContext) is(console string) bool {
	return strings.TrimRight(c.Console, "/") == strings.TrimRight(console, "/")
}

// contexts are all that login remembers. They are in a file that only its owner can read.
type contexts struct {
	Current  string                    `json:"current,omitempty"`
	Contexts map[string]consoleContext `json:"contexts"`

	file string // empty if the environment names no place for it
}

const contextsHint = "Set XDG_CONFIG_HOME or HOME."

// readContexts reads the file of contexts; there are none if it doesn't exist.
func readContexts(env cli.Lookup) (*contexts, error) {
	c := &contexts{Contexts: map[string]consoleContext{}}
	folder, _ := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		if folder, _ = env("HOME"); !filepath.IsAbs(folder) {
			return c, nil
		}
		folder = filepath.Join(folder, ".config")
	}
	c.file = filepath.Join(folder, "elasticjob", "contexts.json")
	text, err := os.ReadFile(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err == nil:
		if err = json.Unmarshal(text, c); err != nil {
			err = fmt.Errorf("%s: %w", c.file, err)
		}
	}
	if err != nil {
		return nil, cli.Fail("Remove the file, and sign in again.", "read the contexts: %w", err)
	}
	return c, nil
}

// write replaces the file at once.
func (c *contexts) write() error {
	if c.file == "" {
		return cli.Fail(contextsHint, "there is no folder for the contexts")
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("write the contexts: %w", err)
	}
	folder := filepath.Dir(c.file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return cli.Fail("", "write the contexts: %w", err)
	}
	file, err := os.CreateTemp(folder, ".contexts-*") // with mode 0600
	if err != nil {
		return cli.Fail("", "write the contexts: %w", err)
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), c.file)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // If it stays, it does no harm.
		return cli.Fail("", "write the contexts: %w", err)
	}
	return nil
}

// choose returns a context by its name, or the current one, empty if there is none.
func (c *contexts) choose(name string) (consoleContext, error) {
	if name == "" {
		return c.Contexts[c.Current], nil
	}
	chosen, found := c.Contexts[name]
	if !found {
		hint := "`elasticjob context` lists the contexts, `elasticjob login --context=NAME` makes one."
		if nearest := spelling.Nearest(name, slices.Collect(maps.Keys(c.Contexts))); nearest != "" {
			hint = fmt.Sprintf("Did you mean %q? ", nearest) + hint
		}
		return chosen, cli.Usage(hint, "there is no context %q", name)
	}
	return chosen, nil
}

// loginCommand is `elasticjob login`.
type loginCommand struct{ access }

func (c *loginCommand) Run(p *cli.Process) error {
	known, err := readContexts(p.Env)
	if err != nil {
		return err
	}
	name := c.Context
	if name == "" {
		name = "default"
		if c.Console == "" && known.Current != "" {
			name = known.Current
		}
	}
	if strings.ContainsAny(name, "\r\n\t") {
		return cli.Usage("A name is a line of text.", "--context has characters that are not printed")
	}
	// The context that is about to be written counts, another one doesn't.
	before := known.Contexts[name]
	if c.Console == "" {
		c.Console = before.Console
	}
	if c.Console == "" {
		c.Console = defaultConsole
	}
	if c.TLSCert == "" && before.is(c.Console) {
		c.TLSCert = before.TLSCert
	}
	if c.TLSCert != "" {
		if c.TLSCert, err = filepath.Abs(c.TLSCert); err != nil {
			return cli.Fail("", "--tls-cert: %w", err)
		}
	}
	if c.TokenFile == "" {
		if err := c.ask(p); err != nil {
			return err
		}
	}
	c.Context = ""
	made := consoleContext{Console: strings.TrimRight(c.Console, "/"), User: c.User, TLSCert: c.TLSCert}
	err = c.session(p, &made)
	if err != nil {
		return err
	}
	known.Contexts[name], known.Current = made, name
	if err := known.write(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "signed in to %s as %s: context %s\n", made.Console, api.Plain(made.User), name)
	return err
}

// ask asks for the user and the password that the flags don't name.
func (c *loginCommand) ask(p *cli.Process) error {
	terminal, _ := p.Stdin.(*os.File)
	if c.User == "" {
		fmt.Fprint(p.Stderr, "User: ")
		name, _ := bufio.NewReader(oneByte{p.Stdin}).ReadString('\n') // An empty name is refused below.
		if c.User = strings.TrimSpace(name); c.User == "" {
			return cli.Usage("Give --user and --password-file, or --token-file.", "no user is named")
		}
	}
	if c.PasswordFile != "" {
		return nil
	}
	fmt.Fprintf(p.Stderr, "Password of %s: ", api.Plain(c.User))
	var password string
	if terminal != nil && term.IsTerminal(int(terminal.Fd())) {
		text, err := term.ReadPassword(int(terminal.Fd()))
		fmt.Fprintln(p.Stderr)
		if err != nil {
			return cli.Fail("", "read the password: %w", err)
		}
		password = string(text)
	} else {
		line, _ := bufio.NewReader(oneByte{p.Stdin}).ReadString('\n')
		password = strings.TrimRight(line, "\r\n")
	}
	if password == "" {
		return cli.Usage("Type it, or give --password-file.", "no password is given")
	}
	c.password = password
	return nil
}

// oneByte makes a reader return single bytes, so that a buffer takes no more than a line.
type oneByte struct{ io.Reader }

func (r oneByte) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(len(b), 1)]) }

// session begins a session, or checks the token of --token-file, and fills in user and token.
func (c *loginCommand) session(p *cli.Process, made *consoleContext) error {
	o, err := c.options(p)
	if err != nil {
		return err
	}
	client, err := api.New(o)
	if err != nil {
		return cli.Usage("--console takes an address such as "+defaultConsole+".", "--console: %w", err)
	}
	made.Token = o.Token
	if made.Token == "" {
		if made.Token, err = client.Login(p.Ctx); err != nil {
			return err
		}
	}
	var me api.Me
	if _, err := client.Ask(p.Ctx, api.Call{Method: http.MethodGet, Path: "/api/me"}, &me); err != nil {
		return err
	}
	made.User = me.Username
	return nil
}

// logoutCommand is `elasticjob logout`.
type logoutCommand struct{ access }

func (c *logoutCommand) Run(p *cli.Process) error {
	known, err := readContexts(p.Env)
	if err != nil {
		return err
	}
	name := c.Context
	if name == "" {
		name = known.Current
	}
	chosen, err := known.choose(name)
	if err != nil {
		return err
	}
	if chosen.Token == "" {
		return cli.Fail("", "the context has no token")
	}
	c.Console = chosen.Console
	err = c.with(p, "", "elasticjob whoami", func(ctx context.Context, client *client) error { return client.Logout(ctx) })
	if refused, ok := errors.AsType[*api.Refusal](err); ok && refused.Status == http.StatusUnauthorized {
		err = nil // It has ended already.
	}
	chosen.Token = ""
	known.Contexts[name] = chosen
	if err := errors.Join(err, known.write()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "signed out of %s\n", chosen.Console)
	return err
}

// contextCommand is `elasticjob context`.
type contextCommand struct {
	Name   string `arg:"" optional:"" name:"name" help:"The context to choose. Default: list them."`
	Remove bool   `help:"Forget the context instead of choosing it. Its session ends by itself."`
	Output string `short:"o" placeholder:"FORMAT" enum:",json,yaml,name" default:"" help:"The output of the list: json, yaml, or name for names alone. Default: a table. No token is printed."`
}

func (c *contextCommand) Run(p *cli.Process) error {
	known, err := readContexts(p.Env)
	if err != nil {
		return err
	}
	if c.Name == "" {
		return c.list(p, known)
	}
	if _, err := known.choose(c.Name); err != nil {
		return err
	}
	known.Current = c.Name
	if c.Remove {
		delete(known.Contexts, c.Name)
		known.Current = ""
	}
	return known.write()
}

func (c *contextCommand) list(p *cli.Process, known *contexts) error {
	names := slices.Sorted(maps.Keys(known.Contexts))
	type entry struct {
		Name     string `json:"name"`
		Current  bool   `json:"current"`
		Console  string `json:"console"`
		User     string `json:"user,omitempty"`
		SignedIn bool   `json:"signedIn"`
	}
	entries := []entry{}
	for _, name := range names {
		one := known.Contexts[name]
		entries = append(entries, entry{name, name == known.Current, one.Console, one.User, one.Token != ""})
	}
	raw, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	return (&access{Output: c.Output}).print(p, raw, func() error {
		return table(p.Stdout, "CURRENT NAME CONSOLE USER SIGNED-IN", func(row func(...any)) {
			for _, e := range entries {
				current := ""
				if e.Current {
					current = "*"
				}
				row(current, e.Name, e.Console, e.User, yes(e.SignedIn))
			}
		})
	}, names...)
}

// whoamiCommand is `elasticjob whoami`.
type whoamiCommand struct{ access }

func (c *whoamiCommand) Run(p *cli.Process) error {
	return c.with(p, "", "elasticjob whoami", func(ctx context.Context, client *client) error {
		var me api.Me
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: "/api/me"}, &me)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.Stdout, "%s (%s) at %s, until %s\n", api.Plain(me.Username), api.Plain(me.Role), client.Base(), moment(me.ExpiresAt))
			return err
		}, me.Username)
	})
}
