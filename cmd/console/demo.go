package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/demo"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The demo's fleet looks like three servers.
var demoAddresses = []string{"127.0.0.11", "127.0.0.12", "127.0.0.13"}

const (
	demoNamespace = "bookshop"
	// demoTick allows sessions of two seconds and more.
	demoTick = time.Second
	// demoRegisterLimit bounds how long the jobs of --cloud may take to be registered.
	demoRegisterLimit = 30 * time.Second
)

// demoCommand is `console demo`.
type demoCommand struct {
	Listen         string        `default:"127.0.0.1:8899" placeholder:"HOST:PORT" help:"Where the console listens."`
	Registry       string        `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where the in-process registry listens; port 0 picks a free one."`
	Data           string        `default:"data" placeholder:"DIR" help:"The folder of the database and the agents' logs."`
	Auth           string        `placeholder:"FILE" help:"The accounts. Default: conf/auth.properties, else root/root and guest/guest."`
	Doors          doorFlags     `embed:""`
	SessionTimeout time.Duration `default:"5s" help:"How soon a killed agent's shards move, in its ZooKeeper session timeout (2s to 20s)."`
	RestartAfter   time.Duration `default:"30s" help:"How long a killed agent stays away before the demo starts it again. 0s: for good."`
	Cloud          bool          `help:"Run jobs of ElasticJob-Cloud besides: their shards are processes of this machine, which it starts in the folder cloud of --data. Linux alone."`
}

func (c *demoCommand) Run(p *cli.Process) (err error) {
	opts, err := c.options(p.Log)
	if err != nil {
		return err
	}
	undo := cli.Cleanups{Log: p.Log}
	welcomed := false
	defer func() {
		if stopErr := undo.Run(); err == nil {
			err = stopErr
		}
		if welcomed {
			fmt.Fprintf(p.Stdout, "\n  The demo has ended; %s stays.\n", c.Data)
		}
	}()

	registry, err := c.startRegistry(p.Ctx, &undo, p.Log)
	if err != nil {
		return err
	}
	shop, err := startShop(p.Ctx, &undo, p.Log)
	if err != nil {
		return err
	}
	opts.registry.Servers = []string{registry}
	s := newSite(opts, p.Log)
	if err := s.start(p.Ctx); err != nil {
		return err
	}
	undo.Add("stop the console", 30*time.Second, func(context.Context) error { return s.stop() })

	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program to start the agents with: %w", err)
	}
	if err := c.startCloudJobs(p.Ctx, s); err != nil {
		return err
	}
	if s.cloud != nil {
		s.cleanups.Add("stop the daemons", 10*time.Second, s.stopDaemons)
	}
	board := noticeBoard{cloud: c.Cloud, out: p.Stdout, site: "http://" + s.addr(), data: c.Data, away: c.RestartAfter, moves: c.SessionTimeout}
	board.welcome()
	welcomed = true
	fleet := demo.StartFleet(demo.FleetOptions{
		Addresses: demoAddresses,
		Command: func(address string) []string {
			return []string{self, "demo-agent", "--zookeeper=" + registry, "--namespace=" + demoNamespace,
				"--session-timeout=" + c.SessionTimeout.String(), "--address=" + address, "--dsn=" + opts.dsn, "--shop=" + shop}
		},
		LogFolder: c.Data, RestartAfter: c.RestartAfter, Report: board.post,
	})
	// The console closes the database after them: two processes that close it at once leave its journal.
	s.cleanups.Add("stop the agents", 20*time.Second, func(context.Context) error { fleet.Stop(); return nil })

	return s.run(p.Ctx)
}

func (c *demoCommand) options(log *slog.Logger) (siteOptions, error) {
	if c.SessionTimeout < 2*demoTick || c.SessionTimeout > 20*demoTick {
		return siteOptions{}, cli.Usage("Choose a value from 2s to 20s.", "--session-timeout %v is out of range", c.SessionTimeout)
	}
	hosts, err := c.Doors.hosts(c.Listen)
	if err != nil {
		return siteOptions{}, err
	}
	dsn, err := databaseName("dsn", "", "", c.Data, "demo.db")
	if err != nil {
		return siteOptions{}, err
	}
	own, err := databaseName("settings-dsn", "", "", c.Data, "demo-settings.db")
	if err != nil {
		return siteOptions{}, err
	}
	key, err := settingsKey("", "", c.Data)
	if err != nil {
		return siteOptions{}, err
	}
	loopback, err := outbound.Parse([]string{"127.0.0.0/8", "localhost"}) // the demo's own registry, and others to try
	if err != nil {
		return siteOptions{}, err
	}
	options := siteOptions{
		hosts: hosts, commandChanges: c.Doors.AllowCommandChanges, basicAuth: c.Doors.APIBasicAuth,
		listen: c.Listen, accounts: c.Auth, dsn: dsn, settings: own, settingsKey: key, data: c.Data, namespace: demoNamespace,
		allow:    loopback,
		registry: zk.Config{SessionTimeout: c.SessionTimeout, Logger: log, ACL: zk.ACLOpen},
	}
	if c.Cloud {
		folder := filepath.Join(c.Data, "cloud")
		options.cloud = &cloudOptions{zone: time.UTC, local: &localOptions{dir: folder, apps: filepath.Join(folder, "apps")}}
		self, err := os.Executable()
		if err == nil {
			err = demo.WriteCloudPrograms(options.cloud.local.apps, self)
		}
		if err != nil {
			return siteOptions{}, cli.Fail("Name a folder that this user may write with --data.", "--cloud: %w", err)
		}
	}
	return options, nil
}

// startCloudJobs registers the demo's applications and jobs of ElasticJob-Cloud, if there
// are to be some.
func (c *demoCommand) startCloudJobs(ctx context.Context, s *site) error {
	if s.cloud == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, demoRegisterLimit)
	defer cancel()
	if err := s.cloud.register(ctx, demo.CloudApps(), demo.CloudJobs()); err != nil {
		return fmt.Errorf("--cloud: register the jobs: %w", err)
	}
	return nil
}

// startRegistry starts the in-process ZooKeeper server and returns its address.
func (c *demoCommand) startRegistry(ctx context.Context, undo *cli.Cleanups, log *slog.Logger) (string, error) {
	registry, err := cli.StartRegistry(ctx, "--registry", c.Registry, demoTick, log)
	if err != nil {
		return "", err
	}
	undo.Add("stop the registry", 5*time.Second, func(context.Context) error { return registry.Close() })
	return registry.Addr.String(), nil
}

// startShop opens the bookshop whose work the jobs do.
func startShop(ctx context.Context, undo *cli.Cleanups, log *slog.Logger) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("open the shop: %w", err)
	}
	server := &http.Server{
		Handler:           demo.NewShop(log).Handler(),
		ReadHeaderTimeout: cli.ReadHeaderTimeout, ReadTimeout: cli.ReadTimeout, WriteTimeout: cli.WriteTimeout, IdleTimeout: cli.IdleTimeout,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	undo.Add("close the shop", 5*time.Second, func(ctx context.Context) error {
		if err := server.Shutdown(ctx); err != nil {
			return err
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	return "http://" + listener.Addr().String(), nil
}

// noticeBoard is what the demo prints. Its methods are not called at the same
// time: the welcome comes before the fleet, which reports one event at a time.
type noticeBoard struct {
	out   io.Writer
	site  string
	data  string
	away  time.Duration
	moves time.Duration
	cloud bool
}

func (b noticeBoard) say(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }

func (b noticeBoard) welcome() {
	b.say("")
	b.say("  ElasticJob demo   %s", b.site)
	b.say("")
	b.say("  sign in           root / root operates, guest / guest looks")
	b.say("  what runs         eight jobs of a bookshop on three agents, each a process of its own")
	b.say("  try               trigger %s/jobs/%s", b.site, demo.OneOffJob)
	b.say("                    kill an agent (its number stands below) while you watch %s/jobs/%s:", b.site, demo.LongJob)
	b.say("                    after about %v its shards are with the others", b.moves)
	if b.cloud {
		b.say("  cloud             two jobs of ElasticJob-Cloud run too, as processes: %s/cloud/runs", b.site)
	}
	b.say("  kept              %s: what ran and was ordered so far, and the agents' logs", b.data+string(filepath.Separator))
	b.say("  stop              Ctrl-C")
	b.say("")
}

// post tells what happened to an agent.
func (b noticeBoard) post(e demo.Event) {
	log := filepath.Join(b.data, "agent-"+e.Address+".log")
	back := "It stays away; start the demo again to have it back."
	if b.away > 0 {
		back = fmt.Sprintf("A new one takes its place in %v.", b.away)
	}
	switch e.Kind {
	case demo.AgentStarted:
		b.say("  agent %s   runs as process %d      %s", e.Address, e.PID, killHint(e.PID))
	case demo.AgentEnded:
		reason := "ended"
		if e.Err != nil {
			reason = strings.TrimPrefix(e.Err.Error(), "signal: ")
		}
		b.say("  agent %s   process %d has ended (%s): its shards move to the others. %s", e.Address, e.PID, reason, back)
		if !strings.Contains(reason, "killed") {
			b.say("                    its last words are in %s", log)
		}
	case demo.AgentFailed:
		b.say("  agent %s   could not be started: %v. %s", e.Address, e.Err, back)
	}
}

// killHint is the command that kills a process the hard way.
func killHint(pid int) string {
	if runtime.GOOS == "windows" {
		return fmt.Sprintf("taskkill /F /PID %d", pid)
	}
	return fmt.Sprintf("kill -9 %d", pid)
}
