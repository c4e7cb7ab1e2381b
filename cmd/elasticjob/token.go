package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// tokenCommand is `elasticjob token`.
type tokenCommand struct {
	List   tokenListCommand   `cmd:"" help:"List your tokens; for an admin, the tokens of all accounts."`
	Create tokenCreateCommand `cmd:"" help:"Make a token for a program, and print it. It can't be printed again."`
	Revoke tokenRevokeCommand `cmd:"" help:"Revoke a token at once."`
}

// tokens is the address of the tokens for programs.
const tokens = "/api/tokens"

// tokenListCommand is `elasticjob token list`.
type tokenListCommand struct{ jobAccess }

func (c *tokenListCommand) Run(p *cli.Process) error {
	return show(p, c, watching{}, question[[]api.Token]{
		path: tokens, names: namesOf(func(t api.Token) string { return t.ID }),
		text: func(w io.Writer, list []api.Token) error {
			return table(w, "ID NAME SCOPE JOBS USER EXPIRES USED", func(row func(...any)) {
				for _, t := range list {
					expires := moment(t.ExpiresAt)
					if t.Expired {
						expires = "expired"
					}
					row(t.ID, t.Name, t.Scope, t.Jobs, t.User, expires, moment(t.LastUsedAt))
				}
			})
		},
	})
}

// tokenCreateCommand is `elasticjob token create`.
type tokenCreateCommand struct {
	jobAccess
	Name  string        `arg:"" help:"A name for the audit, such as nightly-report."`
	Scope string        `enum:"read,operate,configure" default:"read" help:"The scope: read, operate (includes read) or configure (includes both)."`
	Jobs  string        `placeholder:"PATTERN" help:"A pattern of job names, such as billing-*. Default: all jobs."`
	Valid time.Duration `placeholder:"DURATION" help:"How long it's valid, such as 720h, up to 366 days. Default: 90 days."`
}

func (c *tokenCreateCommand) Run(p *cli.Process) error {
	if c.Valid < 0 {
		return cli.Usage("Leave it out for 90 days.", "--valid %v is negative", c.Valid)
	}
	body := api.TokenRequest{Name: c.Name, Scope: c.Scope, Jobs: c.Jobs}
	if c.Valid > 0 {
		body.ExpiresAt = time.Now().Add(c.Valid).UTC().Format(time.RFC3339)
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		var made api.NewToken
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: tokens, Body: body}, &made)
		if err != nil {
			return err
		}
		if made.Warning != "" {
			fmt.Fprintln(p.Stderr, api.Plain(made.Warning))
		}
		return c.print(p, raw, func() error {
			fmt.Fprintf(p.Stderr, "Keep it: it's shown only now. It's valid until %s.\n", moment(made.ExpiresAt))
			_, err := fmt.Fprintln(p.Stdout, api.Plain(made.Text))
			return err
		}, made.ID)
	})
}

// tokenRevokeCommand is `elasticjob token revoke`.
type tokenRevokeCommand struct {
	jobAccess
	confirming
	ID string `arg:"" help:"Its id, as list prints it."`
}

func (c *tokenRevokeCommand) Run(p *cli.Process) error {
	if err := ask(p, c.Yes, fmt.Sprintf("Revoke token %s? Programs that use it are refused from now on.", c.ID)); err != nil {
		return err
	}
	return c.do(p, "", api.Call{Method: http.MethodDelete, Path: api.Path(tokens, c.ID)}, "token "+c.ID+" is revoked")
}
