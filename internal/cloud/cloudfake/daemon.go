package cloudfake

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Daemon starts or stops the run of a DAEMON job. A process that ends is restarted at once.
func (e *Engine) Daemon(ctx context.Context, d cloud.Daemon) error {
	return e.call(ctx, "daemon", d.Name, func() error {
		name := cloud.DaemonRunName(d.Job.Name)
		r := e.runs[name]
		if r != nil && d.Count == 0 && d.Owner != "" && d.Owner != r.spec.Owner {
			return nil // They belong to another job.
		}
		e.daemons[d.Name] = d
		switch {
		case r == nil:
		case !r.status.State.Ended() && (d.Count != len(r.tasks) || d.Owner != r.spec.Owner):
			e.stop(r)
		case !r.status.State.Ended():
			r.spec.Job, r.spec.App = d.Job, d.App
			return nil
		}
		if d.Count > 0 {
			if r != nil {
				e.remove(r)
			}
			e.begin(cloud.Run{Name: name, Job: d.Job, App: d.App, Owner: d.Owner, Origin: cloud.OriginDaemon})
		}
		return nil
	})
}

func (e *Engine) stop(r *run) {
	r.stopped = true
	e.finishEach(r, tracing.StateKilled, "stopped")
	if !r.status.State.Ended() {
		r.status.State, r.status.Ended = cloud.RunKilled, time.Now()
		e.publishRun(r)
	}
}

// DaemonOf returns the last requested state; false if there is none.
func (e *Engine) DaemonOf(name string) (cloud.Daemon, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, asked := e.daemons[name]
	return d, asked
}

func (e *Engine) SetRun(name string, change func(*cloud.RunStatus)) {
	e.with(name, func(r *run) {
		change(&r.status)
		e.publishRun(r)
	})
}

const tokens = "process-"

// Token is the token that a shard reports its runs with. It works for any job.
func Token(job string, shard int) string { return fmt.Sprintf("%s%d:%s", tokens, shard, job) }

func (e *Engine) Reporter(ctx context.Context, token string) (job string, shard int, err error) {
	err = e.inject(ctx, "reporter", "", func() error {
		text, ours := strings.CutPrefix(token, tokens)
		number, name, named := strings.Cut(text, ":")
		n, wrong := strconv.Atoi(number)
		if !ours || !named || wrong != nil {
			return fmt.Errorf("an invalid token: %w", cloud.ErrRefused)
		}
		job, shard = name, n
		return nil
	})
	return job, shard, err
}
