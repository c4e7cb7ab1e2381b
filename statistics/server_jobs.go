package statistics

import (
	"context"
	"fmt"
)

// ServerJob is one job as a server has it.
type ServerJob struct {
	Name string
	// Cron, Description and Shards are those of the configuration; empty and 0
	// if it cannot be read.
	Cron, Description string
	Shards            int
	// Enabled tells what agents take the server's node for.
	Enabled bool
	// Instances are the ids of the live instances on the server, sorted.
	Instances []string
}

// ServerJobs lists the jobs that know the server, as one that registered or as
// the address of a live instance, sorted by name. The error wraps
// ErrServerNotFound if none does.
func (r *Reader) ServerJobs(ctx context.Context, ip string) ([]ServerJob, error) {
	op := fmt.Sprintf("list jobs of server %q", ip)
	fleets, err := keptConclusions(ctx, r, r.newFetcher(), forServers, (*evidence).servedBy)
	if err != nil {
		return nil, wrap(op, err)
	}
	jobs := make([]ServerJob, 0, len(fleets))
	ids := make([]string, 0, len(fleets)) // of all jobs: each has its part
	for _, f := range fleets {
		job, known := ServerJob{Name: f.name, Cron: f.cron, Description: f.about, Shards: f.shards}, false
		for _, server := range f.servers {
			if server.ip == ip {
				known, job.Enabled = true, server.enabled
			}
		}
		from := len(ids)
		for _, instance := range f.instances {
			if instance.ip == ip {
				ids = append(ids, instance.id)
			}
		}
		if len(ids) > from {
			known, job.Instances = true, ids[from:len(ids):len(ids)]
		}
		if known {
			jobs = append(jobs, job)
		}
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s: %w", op, ErrServerNotFound)
	}
	return jobs, nil
}
