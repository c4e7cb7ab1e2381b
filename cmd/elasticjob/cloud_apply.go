package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// mostDocuments bounds a file; the console takes as much for all files together.
const mostDocuments = 4 << 20

// cloudApplyCommand is `elasticjob cloud apply`.
type cloudApplyCommand struct {
	ofCloud
	Files  []string `arg:"" name:"file" help:"A file with applications and jobs as YAML or JSON, with --- between them; - is standard input."`
	DryRun bool     `help:"Print the changes, and make none."`
}

// cloudApplyBody is the body of the request.
type cloudApplyBody struct {
	Documents []any `json:"documents"`
	DryRun    bool  `json:"dryRun,omitempty"`
}

func (c *cloudApplyCommand) Run(p *cli.Process) error {
	body := cloudApplyBody{Documents: []any{}, DryRun: c.DryRun}
	for _, name := range c.Files {
		documents, err := readDocuments(p, name)
		if err != nil {
			return cli.Fail("A file has applications and jobs as YAML or JSON, with --- between them; see docs/cloud.md.", "%s: %w", name, err)
		}
		body.Documents = append(body.Documents, documents...)
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		var answer api.CloudApplyAnswer
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: cloudPath("apply"), Body: body}, &answer)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error { return printApplied(p.Stdout, answer) })
	})
}

// printApplied prints the outcome for each document.
func printApplied(to io.Writer, a api.CloudApplyAnswer) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, d := range a.Documents {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", d.Kind, d.Name, d.Action, strings.Join(d.Fields, ", "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, d := range a.Documents {
		for _, warning := range d.Warnings {
			if _, err := fmt.Fprintf(to, "%s: %s\n", d.Name, warning); err != nil {
				return err
			}
		}
	}
	return nil
}

// readDocuments reads the documents of a file. JSON is YAML. Empty ones are left out.
func readDocuments(p *cli.Process, name string) (documents []any, err error) {
	in := p.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := readAtMost(p.Ctx, in, mostDocuments)
	if err != nil {
		return nil, err
	}
	if len(text) > mostDocuments {
		return nil, fmt.Errorf("it has more than %d MiB", mostDocuments>>20)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var one map[string]any
		err := d.Decode(&one)
		switch {
		case errors.Is(err, io.EOF) && len(documents) == 0:
			return nil, errors.New("it has no document")
		case errors.Is(err, io.EOF):
			return documents, nil
		case err != nil:
			return nil, fmt.Errorf("document %d: %w", len(documents)+1, err)
		case len(one) > 0:
			documents = append(documents, one)
		}
	}
}
