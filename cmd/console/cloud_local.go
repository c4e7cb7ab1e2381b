package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/cloudevent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// cloudNamespace is where ElasticJob-Cloud keeps its tree in ZooKeeper, as upstream does.
const cloudNamespace = "elasticjob-cloud"

// The most that --cloud-local-cpu and --cloud-local-memory may say.
const (
	mostCloudCPU    = 10_000
	mostCloudMemory = 1 << 30
)

// localOptions are those of the engine that starts processes on this host.
type localOptions struct {
	// dir is the folder of the engine, apps the one below which programs lie.
	dir, apps string
	// cpu and memory are what runs may declare together, 0 for what the machine has.
	cpu, memory float64
	// hosts are those that archives are fetched from.
	hosts archive.Hosts
}

func (f *cloudFlags) localOptions(data string) (*localOptions, error) {
	switch {
	case f.CloudLocalCPU < 0 || f.CloudLocalCPU > mostCloudCPU:
		return nil, usage("Give a number of processors up to 10000, or leave it out for what the machine has.", "--cloud-local-cpu %g is out of range", f.CloudLocalCPU)
	case f.CloudLocalMemory < 0 || f.CloudLocalMemory > mostCloudMemory:
		return nil, usage("Give megabytes, or leave it out for what the machine has.", "--cloud-local-memory %g is out of range", f.CloudLocalMemory)
	}
	info, err := os.Stat(f.CloudLocalApps)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return nil, usage("Make the folder and put programs into it first; only its owner should be able to write there.", "--cloud-local-apps %s: %w", f.CloudLocalApps, err)
	}
	return &localOptions{dir: filepath.Join(data, "cloud"), apps: f.CloudLocalApps, cpu: f.CloudLocalCPU, memory: f.CloudLocalMemory}, nil
}

// openLocal opens the engine of this host, with applications and jobs in ZooKeeper in
// upstream's layout.
func (s *site) openLocal(o *localOptions, zone *time.Location) (*cloudParts, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start tasks with: %w", err)
	}
	namespace, err := jobtree.NewNamespace(cloudNamespace)
	if err != nil {
		return nil, err
	}
	// A client of its own: the store is the only one that may watch by it.
	client, err := zk.Open(s.opts.registry)
	if err != nil {
		return nil, fmt.Errorf("the registry of ElasticJob-Cloud: %w", err)
	}
	s.cleanups.add("close the ZooKeeper session of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { return client.Close() })
	store := zkstore.New(client, namespace)
	s.cleanups.add("close the store of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { store.Close(); return nil })
	engine, err := local.Open(local.Config{
		Dir: o.dir, Apps: o.apps, Archives: archive.Fetcher{Hosts: o.hosts}, CPU: o.cpu, MemoryMB: o.memory, Shim: []string{self, "local-task"}, Version: build.Get().Version, Logger: s.log,
		Zone: zone, EventsURL: s.fromHere() + s.opts.base + cloudevent.Path,
	})
	if err != nil {
		return nil, localFailure(err)
	}
	s.cleanups.add("stop the engine of ElasticJob-Cloud", 10*time.Second, func(context.Context) error { return engine.Close() })
	s.log.Info("ElasticJob-Cloud started", slog.String("engine", engineLocal), slog.String("folder", o.dir), slog.String("apps", o.apps), slog.String("namespace", cloudNamespace))
	return &cloudParts{store: store, engine: engine, leadership: zkstore.NewLeadership(client, namespace, s.addr(), s.log), connected: client.AwaitConnected}, nil
}

func localFailure(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return fail("The local engine runs on Linux alone. Leave out --cloud, or start the console there.", "%w", err)
	}
	return fail("The folder of the engine belongs to one console at a time: stop the other one, or name another folder with --data.", "%w", err)
}

// fromHere is how a process on this machine reaches it: by loopback, unless it listens on
// one address alone.
func (s *site) fromHere() string {
	scheme := "http://"
	if s.opts.tls != nil {
		scheme = "https://"
	}
	at, err := netip.ParseAddrPort(s.addr())
	if err != nil || !at.Addr().IsUnspecified() {
		return scheme + s.addr()
	}
	// A listener of all addresses of IPv6 has those of IPv4 too.
	return scheme + net.JoinHostPort("127.0.0.1", strconv.Itoa(int(at.Port())))
}
