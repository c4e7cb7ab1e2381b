package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// apiCommand is `elasticjob api`.
type apiCommand struct {
	access
	Method string   `arg:"" name:"method" help:"The method: get, post, put or delete."`
	Path   string   `arg:"" name:"path" help:"The path, such as /api/jobs or /api/jobs?limit=10. /api/openapi.json describes all of them."`
	Body   string   `placeholder:"JSON|@FILE|-" help:"The body: a JSON text, @FILE for the content of a file, - for standard input."`
	Type   string   `default:"application/json" placeholder:"TYPE" help:"The Content-Type of the body."`
	Header []string `placeholder:"NAME:VALUE" sep:"none" help:"A header, such as 'If-Match: \"3\"'; may be repeated."`
}

// mostBody bounds the body of a request; the console takes less.
const mostBody = 16 << 20

func (c *apiCommand) Run(p *cli.Process) error {
	call := api.Call{Method: strings.ToUpper(c.Method), Path: c.Path, Header: http.Header{}}
	switch call.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete:
	default:
		return cli.Usage("Give get, post, put or delete.", "the method %q is unknown", c.Method)
	}
	if at, err := url.Parse(c.Path); err != nil || at.Host != "" || at.Scheme != "" || !strings.HasPrefix(c.Path, "/") {
		return cli.Usage("Give a path such as /api/jobs; --console has the address.", "%q is not a path", c.Path)
	}
	for _, header := range c.Header {
		name, value, found := strings.Cut(header, ":")
		if !found || strings.TrimSpace(name) == "" {
			return cli.Usage("Give a name, a colon and a value.", "--header %q has no name", header)
		}
		call.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if c.Body != "" {
		text, err := readText(p, c.Body, mostBody)
		if err != nil {
			return cli.Fail("--body takes a text, @FILE or - for standard input.", "read --body: %w", err)
		}
		call.Body = api.Text{Type: c.Type, Content: text}
	}
	return c.with(p, "", "elasticjob api get", func(ctx context.Context, client *client) error {
		raw, err := client.Do(ctx, call)
		if err != nil || len(raw) == 0 {
			return err
		}
		if c.Output == "yaml" {
			return printYAML(p.Stdout, raw)
		}
		if _, err = p.Stdout.Write(raw); err == nil && raw[len(raw)-1] != '\n' {
			_, err = fmt.Fprintln(p.Stdout)
		}
		return err
	})
}

// readText returns a text that is given directly, as @FILE, or as - for standard input.
func readText(p *cli.Process, given string, most int64) (text []byte, err error) {
	text = []byte(given)
	name, isFile := strings.CutPrefix(given, "@")
	switch {
	case isFile:
		var file *os.File
		if file, err = os.Open(name); err == nil {
			text, err = readAtMost(p.Ctx, file, most)
			file.Close()
		}
	case given == "-":
		text, err = readAtMost(p.Ctx, p.Stdin, most)
	}
	if err == nil && int64(len(text)) > most {
		err = errTooLong
	}
	return text, err
}

var errTooLong = errors.New("it is too long")

// readAtMost reads to the end, or one byte beyond the bound, unless ctx ends.
func readAtMost(ctx context.Context, r io.Reader, most int64) (text []byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = io.ReadAll(io.LimitReader(r, most+1))
	}()
	select {
	case <-done:
		return text, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
