package statistics

import (
	"context"
	"fmt"
)

// ServerJob is a job of a server.
type ServerJob struct {
	Name string
	// Cron, Description and Shards are from the configuration; empty and 0 if it can't be read.
	Cron, Description string
	Shards            int
	// Enabled is set if agents treat the server as enabled for this job.
	Enabled bool
	// Instances are the ids of the job's live instances on the server, sorted.
	Instances []string
}

// ServerJobs lists the jobs of a server, sorted by name: the jobs that list it, and the jobs that
// have a live instance there. The error wraps ErrServerNotFound if there are none.
func (r *Reader) ServerJobs(ctx context.Context, ip string) ([]ServerJob, error) {
	op := fmt.Sprintf("list jobs of server %q", ip)
	fleets, err := keptConclusions(ctx, r, r.newFetcher(), forServers, (*evidence).servedBy)
	if err != nil {
		return nil, wrap(op, err)
	}
	jobs := make([]ServerJob, 0, len(fleets))
	ids := make([]string, 0, len(fleets)) // of all jobs; each job gets a part of it
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
