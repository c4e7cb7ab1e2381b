package main

import (
	"context"
	"net/http"
)

// cloudManifestCommand is `console cloud manifest`.
type cloudManifestCommand struct {
	ofCloud
	Job string `arg:"" name:"job" help:"The job."`
}

func (c *cloudManifestCommand) run(p *process) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		text, err := client.call(ctx, jobCall{method: http.MethodGet, path: cloudPath("jobs", c.Job, "manifest")})
		if err != nil {
			return err
		}
		if c.access.JSON {
			return printDocument(p.stdout, map[string]string{"manifest": string(text)})
		}
		_, err = p.stdout.Write(text)
		return err
	})
}
