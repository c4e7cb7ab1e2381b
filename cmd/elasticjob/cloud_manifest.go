package main

import (
	"context"
	"net/http"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// cloudManifestCommand is `elasticjob cloud manifest`.
type cloudManifestCommand struct {
	ofCloud
	Job string `arg:"" name:"job" help:"The job."`
}

func (c *cloudManifestCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		text, err := client.Do(ctx, api.Call{Method: http.MethodGet, Path: cloudPath("jobs", c.Job, "manifest")})
		if err != nil {
			return err
		}
		if c.structured() {
			return c.printValue(p, map[string]string{"manifest": string(text)})
		}
		_, err = p.Stdout.Write(text)
		return err
	})
}
