package main

import (
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
)

// localTaskCommand is the process that the local engine of ElasticJob-Cloud starts beside
// each program. It outlives the console.
type localTaskCommand struct {
	Folder string `arg:"" help:"The folder of the task's attempt."`
	Token  string `arg:"" help:"The token in the folder's task.json."`
}

func (c *localTaskCommand) run(*process) error {
	if code := local.Shim(c.Folder, c.Token); code != exitOK {
		return fail("The console starts this command by itself.", "local-task %s did not run", c.Folder)
	}
	return nil
}
