package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// demoHeartbeatCommand is a process of the demo's DAEMON job.
type demoHeartbeatCommand struct{}

func (c *demoHeartbeatCommand) Run(*cli.Process) error {
	cloudjob.Main(demo.Heartbeat())
	return nil
}

// demoStopLook is how often the demo looks whether its daemons have ended.
const demoStopLook = 50 * time.Millisecond

// stopDaemons stops the processes of the demo's DAEMON job, which would outlive it: nobody
// comes back to them.
func (s *site) stopDaemons(ctx context.Context) error {
	_, err := s.cloud.store.Change(ctx, demo.DaemonCloudJob, func(d *cloud.Definition) error {
		d.SetDisabled(true, cloud.EndKill, time.Now())
		return nil
	})
	if err != nil {
		return fmt.Errorf("disable the demo's DAEMON job: %w", err)
	}
	look := time.NewTicker(demoStopLook)
	defer look.Stop()
	for slices.ContainsFunc(s.cloud.scheduler.Runs(demo.DaemonCloudJob), func(r cloud.RunStatus) bool { return !r.State.Ended() }) {
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("processes of the demo's DAEMON job go on: %w", context.Cause(ctx))
		}
	}
	return nil
}
