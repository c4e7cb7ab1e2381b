package main

import (
	"encoding/json"
	"io"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// configCommand is `elasticjob config`.
type configCommand struct {
	Get configGetCommand `cmd:"" help:"Print the configuration of a job as YAML."`
}

// configGetCommand is `elasticjob config get`.
type configGetCommand struct {
	ofJob
	watching
}

func (c *configGetCommand) Run(p *cli.Process) error {
	return show(p, c, c.watching, question[json.RawMessage]{
		job: c.Job, path: api.JobPath("/api/jobs/config", c.Job), names: just[json.RawMessage](c.Job),
		text: func(w io.Writer, config json.RawMessage) error { return printYAML(w, config) },
	})
}
