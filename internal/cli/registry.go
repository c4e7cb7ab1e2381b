package cli

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// Registry is a ZooKeeper for development, in this process.
type Registry struct {
	Addr net.Addr
	*zkfake.Server
}

// StartRegistry starts one at the address of a flag, which must be a loopback address.
func StartRegistry(ctx context.Context, flag, address string, tick time.Duration, log *slog.Logger) (*Registry, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, Usage(flag+" takes host:port, such as 127.0.0.1:2181; port 0 picks a free one.", "%s %q: %w", flag, address, err)
	}
	if !Loopback(host) {
		return nil, Usage("The in-process registry asks for no password: it is for this machine only. For a real fleet run\nZooKeeper and `console serve`.", "%s %s can be reached from other machines", flag, address)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	server := zkfake.New(zkfake.Options{TickTime: tick, Logger: log})
	addr, err := server.Listen(address)
	if err != nil {
		return nil, Fail("Another program may be using the address (perhaps a ZooKeeper server): choose another with "+flag+",\nor 127.0.0.1:0 for a free port.", "cannot listen on %s: %w", address, err)
	}
	return &Registry{Addr: addr, Server: server}, nil
}
