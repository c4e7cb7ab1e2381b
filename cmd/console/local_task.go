package main

import (
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
)

// localTaskCommand is the process that the local engine of ElasticJob-Cloud starts beside
// each program. It outlives the console.
type localTaskCommand struct {
	Folder string `arg:"" help:"The folder of the task's attempt."`
	Token  string `arg:"" help:"The token in the folder's task.json."`
}

func (c *localTaskCommand) Run(*cli.Process) error {
	if code := local.Shim(c.Folder, c.Token); code != cli.ExitOK {
		return cli.Fail("The console starts this command by itself.", "local-task %s did not run", c.Folder)
	}
	return nil
}
