package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The most that --cloud-local-cpu and --cloud-local-memory may say.
const (
	mostCloudCPU    = 10_000
	mostCloudMemory = 1 << 30
)

// localOptions are those of the engine that starts processes on this host.
type localOptions struct {
	// dir is the folder of the engine, apps the one below which programs lie.
	dir, apps string
	// account is the user of programs, nil for the console's own.
	account *local.Account
	// cpu and memory are what runs may declare together, 0 for what the machine has.
	cpu, memory float64
	// hosts are those that archives are fetched from.
	hosts archive.Hosts
}

func (f *cloudFlags) localOptions(data string) (*localOptions, error) {
	switch {
	case f.CloudLocalCPU < 0 || f.CloudLocalCPU > mostCloudCPU:
		return nil, cli.Usage("Give a number of processors up to 10000, or leave it out for what the machine has.", "--cloud-local-cpu %g is out of range", f.CloudLocalCPU)
	case f.CloudLocalMemory < 0 || f.CloudLocalMemory > mostCloudMemory:
		return nil, cli.Usage("Give megabytes, or leave it out for what the machine has.", "--cloud-local-memory %g is out of range", f.CloudLocalMemory)
	}
	info, err := os.Stat(f.CloudLocalApps)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return nil, cli.Usage("Make the folder and put programs into it first; only its owner should be able to write there.", "--cloud-local-apps %s: %w", f.CloudLocalApps, err)
	}
	account, err := localAccount(f.CloudLocalUser)
	if err != nil {
		return nil, err
	}
	return &localOptions{dir: filepath.Join(data, "cloud"), apps: f.CloudLocalApps, account: account, cpu: f.CloudLocalCPU, memory: f.CloudLocalMemory}, nil
}

// localAccount is the user that programs run as, nil for the console's own.
func localAccount(name string) (*local.Account, error) {
	own := strconv.Itoa(os.Geteuid())
	hint := "Name a user of their own, such as jobs; the console must be root then. If programs may read\n" +
		"all that this console has, such as its settings.key, name its own user: --cloud-local-user " + own + "."
	const known = "Name a user of this machine, or a number with its group: 1000:1000."
	if name == "" {
		return nil, cli.Usage(hint, "--cloud-local-user doesn't name the user that programs of --cloud local run as")
	}
	uid, gid, numeric := strings.Cut(name, ":")
	var groups []string
	if named, err := user.Lookup(name); err == nil {
		uid, gid = named.Uid, named.Gid
		if groups, err = named.GroupIds(); err != nil {
			return nil, cli.Fail("", "--cloud-local-user %s: its groups: %w", name, err)
		}
	} else if !numeric && uid != own {
		return nil, cli.Usage(known, "--cloud-local-user %s: %w", name, err)
	}
	if uid == own {
		return nil, nil
	}
	var a local.Account
	for _, id := range []struct {
		into *uint32
		text string
	}{{&a.UID, uid}, {&a.GID, gid}} {
		n, err := strconv.ParseUint(id.text, 10, 32)
		if err != nil {
			return nil, cli.Usage(known, "--cloud-local-user %s: %w", name, err)
		}
		*id.into = uint32(n)
	}
	for _, group := range groups {
		n, err := strconv.ParseUint(group, 10, 32)
		if err != nil {
			return nil, cli.Fail("", "--cloud-local-user %s: group %s: %w", name, group, err)
		}
		a.Groups = append(a.Groups, uint32(n))
	}
	if os.Geteuid() != 0 {
		return nil, cli.Usage(hint, "--cloud-local-user %s: only root can start programs as another user, "+
			"and this console is user %s", name, own)
	}
	return &a, nil
}

// openData lets another user's programs pass through the data folder to their own folders below
// it, and closes the files in it, which only the mode of the folder may have protected.
func openData(data string) error {
	failed := func(err error) error {
		return cli.Fail("Programs of --cloud-local-user work in folders below --data.", "--data %s: %w", data, err)
	}
	full, err := filepath.Abs(data)
	if err != nil {
		return failed(err)
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return failed(err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || !info.Mode().IsRegular() {
			continue
		} else if err := os.Chmod(filepath.Join(full, entry.Name()), info.Mode().Perm()&^0o077); err != nil {
			return failed(err)
		}
	}
	for above := filepath.Dir(full); ; above = filepath.Dir(above) {
		if info, err := os.Stat(above); err != nil {
			return failed(err)
		} else if info.Mode()&0o001 == 0 {
			return cli.Fail("chmod o+x that folder, or name another one with --data.",
				"--data %s: programs of --cloud-local-user can't pass through %s", data, above)
		} else if above == filepath.Dir(above) {
			break
		}
	}
	if err := os.Chmod(full, 0o711); err != nil {
		return failed(err)
	}
	return nil
}

// openLocal opens the engine of this host, with applications and jobs in ZooKeeper in
// upstream's layout.
func (s *site) openLocal(o *localOptions, zone *time.Location) (*cloudParts, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start tasks with: %w", err)
	}
	namespace, err := jobtree.NewNamespace(zkstore.Namespace)
	if err != nil {
		return nil, err
	}
	// A client of its own: the store is the only one that may watch by it.
	client, err := zk.Open(s.opts.registry)
	if err != nil {
		return nil, fmt.Errorf("the registry of ElasticJob-Cloud: %w", err)
	}
	s.cleanups.Add("close the ZooKeeper session of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { return client.Close() })
	store := zkstore.New(client, namespace)
	s.cleanups.Add("close the store of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { store.Close(); return nil })
	if err := local.Seal(); err != nil {
		return nil, cli.Fail("", "%w", err)
	}
	if o.account != nil { // After the databases were made, which it closes.
		if err := openData(filepath.Dir(o.dir)); err != nil {
			return nil, err
		}
	}
	engine, err := local.Open(local.Config{
		Dir: o.dir, Apps: o.apps, Account: o.account, Archives: archive.Fetcher{Hosts: o.hosts}, CPU: o.cpu, MemoryMB: o.memory, Shim: []string{self, "local-task"}, Version: build.Get().Version, Logger: s.log,
		Zone: zone, EventsURL: s.fromHere() + s.opts.base + event.Path,
	})
	if err != nil {
		return nil, localFailure(err)
	}
	s.cleanups.Add("stop the engine of ElasticJob-Cloud", 10*time.Second, func(context.Context) error { return engine.Close() })
	s.log.Info("ElasticJob-Cloud started", slog.String("engine", engineLocal), slog.String("folder", o.dir), slog.String("apps", o.apps), slog.String("namespace", zkstore.Namespace))
	leadership := zkstore.NewLeadership(client, namespace, s.addr(), s.log)
	leadership.HandOver = func(ctx context.Context) {
		if err := engine.EndDaemons(ctx, "another console schedules from now on"); err != nil {
			s.log.WarnContext(ctx, "processes of DAEMON jobs may go on although another console leads", slog.Any("err", err))
		}
	}
	return &cloudParts{store: store, engine: engine, leadership: leadership, connected: client.AwaitConnected}, nil
}

func localFailure(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return cli.Fail("The local engine runs on Linux alone. Leave out --cloud, or start the console there.", "%w", err)
	}
	return cli.Fail("The folder of the engine belongs to one console at a time: stop the other one, or name another folder with --data.", "%w", err)
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
