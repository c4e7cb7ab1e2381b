package coreagent

import (
	"context"
	"net"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/snapshot"
)

// openDumps starts the snapshot service if it is configured. A job must not
// fail for the lack of it, so an address that is taken is only reported.
func (a *Agent) openDumps(ctx context.Context) {
	if a.cfg.Dump.Port == 0 {
		return
	}
	server, err := snapshot.Listen(ctx, snapshot.Options{
		Host: a.cfg.Dump.Host, Port: max(a.cfg.Dump.Port, 0),
		Client: a.env.Client, Tree: a.tree, Cache: a.cached, Log: a.log,
	})
	if err != nil {
		a.log.ErrorContext(ctx, "the dump service is off", "err", err)
		return
	}
	a.mu.Lock()
	a.dumps = server
	a.mu.Unlock()
	a.log.InfoContext(ctx, "dump service", "address", server.Addr().String())
}

// cached returns what this process has in memory of a job.
func (a *Agent) cached(job string) snapshot.Cache {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, known := a.jobs[job]; known && s.job != nil {
		return s.job
	}
	return nil
}

// DumpAddr is where the snapshot service listens; nil while it is off. See
// [Config.Dump].
func (a *Agent) DumpAddr() net.Addr {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dumps == nil {
		return nil
	}
	return a.dumps.Addr()
}
