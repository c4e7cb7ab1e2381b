package coreagent

import (
	"context"
	"net"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/snapshot"
)

// openDumps starts the snapshot service if it's configured. If the address is taken, it only logs
// an error, because jobs must not fail because of that.
func (a *Agent) openDumps(ctx context.Context) {
	if a.cfg.Dump.Port == 0 {
		return
	}
	server, err := snapshot.Listen(ctx, snapshot.Options{
		Host: a.cfg.Dump.Host, Port: max(a.cfg.Dump.Port, 0),
		Client: a.env.Client, Tree: a.tree, Cache: a.cached, Log: a.log, Limits: snapshot.DefaultLimits,
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

func (a *Agent) cached(job string) snapshot.Cache {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, known := a.jobs[job]; known && s.job != nil {
		return s.job.Cache
	}
	return nil
}

// DumpAddr returns the address of the snapshot service, nil if it's off. See [Config.Dump].
func (a *Agent) DumpAddr() net.Addr {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.dumps == nil {
		return nil
	}
	return a.dumps.Addr()
}
