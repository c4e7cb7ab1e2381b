package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// serverDrainCommand is `elasticjob server drain`.
type serverDrainCommand struct{ ofServer }

// Run disables the server, and waits until no shard runs on it.
func (c *serverDrainCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		jobs, err := client.jobsOn(ctx, c.Server)
		if err != nil {
			return err
		}
		raw, err := client.Do(ctx, api.Call{Method: http.MethodPost, Path: api.Path("/api/servers", c.Server, "disable")})
		if err != nil {
			return err
		}
		fmt.Fprintf(p.Stderr, "server %s is disabled for %s\n", api.Plain(c.Server), count(len(jobs), "job"))
		if err := c.await(ctx, p, client, jobs); err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.Stdout, "nothing runs on server %s\n", api.Plain(c.Server))
			return err
		}, c.Server)
	})
}

// jobsOn returns the names of the jobs of a server.
func (c *client) jobsOn(ctx context.Context, server string) ([]string, error) {
	var jobs []api.ServerJob
	if _, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: api.Path("/api/servers", server, "jobs")}, &jobs); err != nil {
		if !api.NotFound(err) {
			return nil, err
		}
		var servers []api.Server
		if _, failed := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: "/api/servers"}, &servers); failed != nil {
			return nil, err
		}
		return nil, didYouMean(err, server, namesOf(func(s api.Server) string { return s.ServerIP })(servers))
	}
	return namesOf(func(j api.ServerJob) string { return j.JobName })(jobs), nil
}

// await waits until no shard of the jobs runs on the server, and reports each change.
func (c *serverDrainCommand) await(ctx context.Context, p *cli.Process, client *client, jobs []string) error {
	reported, lapses, quiet := "", 0, 0
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return cli.Fail("The server stays disabled. Look with `elasticjob server show "+inShell(c.Server)+"`; `elasticjob server enable "+inShell(c.Server)+"` enables it again.",
				"shards still run on server %s: %w", c.Server, context.Cause(ctx))
		case <-pause.C:
		}
		running, err := client.runningOn(ctx, p, c.Server, jobs)
		switch {
		case ctx.Err() != nil:
			pause.Reset(0)
			continue
		case err != nil && !api.Passes(err):
			return cli.Fail("The server stays disabled.\n"+cli.Hint(err), "the wait for server %s ended: %w", c.Server, err)
		case err != nil:
			fmt.Fprintf(p.Stderr, "%v; it is asked again\n", err)
			pause.Reset(min(client.every<<min(lapses, 10), client.slowest))
			lapses++
			continue
		case len(running) == 0:
			// A shard may begin while the instances read that their server is disabled.
			if quiet++; quiet == 2 {
				return nil
			}
			pause.Reset(client.every)
			continue
		}
		quiet = 0
		if text := enumerate(running, 5); text != reported {
			fmt.Fprintf(p.Stderr, "running: %s\n", api.Plain(text))
			reported = text
		}
		lapses = 0
		pause.Reset(client.every)
	}
}

// runningOn returns the shards that run on a server, as words.
func (c *client) runningOn(ctx context.Context, p *cli.Process, server string, jobs []string) (running []string, err error) {
	var mu sync.Mutex
	err = eachOf(p, jobs, func(job string) error {
		var shards []api.Shard
		if _, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: ofJob{Job: job}.path("sharding")}, &shards); err != nil {
			if api.NotFound(err) {
				return nil // The job was removed.
			}
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for _, s := range shards {
			if ip, _, _ := strings.Cut(s.RunningOn, "@-@"); s.RunningOn != "" && ip == server {
				running = append(running, fmt.Sprintf("%s shard %d", job, s.Item))
			}
		}
		return nil
	})
	slices.Sort(running)
	return running, err
}
