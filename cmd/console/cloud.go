package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// cloudNamespace is where ElasticJob-Cloud keeps its tree in ZooKeeper, as upstream does.
const cloudNamespace = "elasticjob-cloud"

// cloudFlags say whether a console schedules jobs of ElasticJob-Cloud, and what it may start
// for them.
type cloudFlags struct {
	Cloud            string  `enum:",local" default:"" placeholder:"ENGINE" help:"Schedule jobs of ElasticJob-Cloud, whose shards are processes: local starts them on this machine, which has to be Linux, as the user of this console. Needs --cloud-local-apps and --allow-command-changes. Default: off."`
	CloudLocalApps   string  `placeholder:"DIR" help:"The folder below which the programs of --cloud local lie. An application that sets up a shell is not bound to it."`
	CloudLocalCPU    float64 `default:"0" placeholder:"CORES" help:"How many processors runs of --cloud local may declare together. 0: what the machine has."`
	CloudLocalMemory float64 `default:"0" placeholder:"MB" help:"How much memory they may declare together. 0: what the machine has."`
}

// The most that --cloud-local-cpu and --cloud-local-memory may say.
const (
	mostCloudCPU    = 10_000
	mostCloudMemory = 1 << 30
)

// options are those of the site; nil if no jobs of ElasticJob-Cloud are scheduled.
// commands is the right to change what is executed, which an application does.
func (f *cloudFlags) options(data string, commands bool) (*cloudOptions, error) {
	switch {
	case f.Cloud == "" && (f.CloudLocalApps != "" || f.CloudLocalCPU != 0 || f.CloudLocalMemory != 0):
		return nil, usage("Give --cloud local, or leave out the others.", "--cloud-local-apps, --cloud-local-cpu and --cloud-local-memory are about --cloud local")
	case f.Cloud == "":
		return nil, nil
	case f.CloudLocalApps == "":
		return nil, usage("Name a folder with the programs that may be started, such as --cloud-local-apps /srv/jobs. Whoever is root at the console\nruns them as the user of this process.", "--cloud local may not start anything: no folder of programs is named")
	case !commands:
		return nil, usage("Give --allow-command-changes if whoever is root at this console may run programs on its machine, as the user of this process.", "--cloud local needs the right to change what is executed: an application is a program with its arguments")
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
	return &cloudOptions{dir: filepath.Join(data, "cloud"), apps: f.CloudLocalApps, cpu: f.CloudLocalCPU, memory: f.CloudLocalMemory}, nil
}

// cloudOptions say how a console schedules jobs of ElasticJob-Cloud on this host.
type cloudOptions struct {
	// dir is the folder of the engine, apps the one below which programs lie.
	dir, apps string
	// cpu and memory are what runs may declare together, 0 for what the machine has.
	cpu, memory float64
}

// cloudParts are what a console of ElasticJob-Cloud consists of.
type cloudParts struct {
	client    *zk.Client
	store     *zkstore.Store
	engine    *local.Engine
	scheduler *scheduler.Scheduler
}

// startCloud starts engine, store and scheduler, if the site is to have them. The rows of
// tasks go to the trace database of the site. What it starts ends with the site, except
// for tasks: the next engine of the folder adopts them.
func (s *site) startCloud(ctx context.Context) (err error) {
	o := s.opts.cloud
	if o == nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program to start tasks with: %w", err)
	}
	namespace, err := jobtree.NewNamespace(cloudNamespace)
	if err != nil {
		return err
	}
	// A client of its own: the store is the only one that may watch by it.
	client, err := zk.Open(s.opts.registry)
	if err != nil {
		return fmt.Errorf("the registry of ElasticJob-Cloud: %w", err)
	}
	s.cleanups.add("close the ZooKeeper session of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { return client.Close() })
	parts := &cloudParts{client: client, store: zkstore.New(client, namespace)}
	s.cleanups.add("close the store of ElasticJob-Cloud", 5*time.Second, func(context.Context) error { parts.store.Close(); return nil })
	if parts.engine, err = local.Open(local.Config{
		Dir: o.dir, Apps: o.apps, CPU: o.cpu, MemoryMB: o.memory, Shim: []string{self, "local-task"}, Version: build.Get().Version, Logger: s.log,
	}); err != nil {
		return cloudFailure(err)
	}
	s.cleanups.add("stop the engine of ElasticJob-Cloud", 10*time.Second, func(context.Context) error { return parts.engine.Close() })
	sink := rdb.NewSink(s.database.DB)
	sink.Logger = s.log
	recorder := tracing.NewAsync(sink, tracing.AsyncOptions{Logger: s.log})
	s.cleanups.add("write the last rows of ElasticJob-Cloud", 5*time.Second, recorder.Close)
	parts.scheduler, err = scheduler.New(scheduler.Config{
		Engine: parts.engine, Store: parts.store, Leadership: zkstore.NewLeadership(client, namespace, s.addr(), s.log),
		Recorder: recorder, Recorded: func() bool { return recorder.Stats().Queued == 0 }, Logger: s.log,
	})
	if err != nil {
		return err
	}
	s.keep(ctx, "stop the scheduler of ElasticJob-Cloud", func(ctx context.Context) {
		if err := parts.scheduler.Run(ctx); err != nil && ctx.Err() == nil {
			breakOff(s.failed, fmt.Errorf("ElasticJob-Cloud: %w", err))
		}
	})
	s.log.InfoContext(ctx, "ElasticJob-Cloud started", slog.String("engine", "local"), slog.String("folder", o.dir), slog.String("apps", o.apps), slog.String("namespace", cloudNamespace))
	s.cloud = parts
	return nil
}

func cloudFailure(err error) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return fail("The local engine runs on Linux alone. Leave out --cloud, or start the console there.", "%w", err)
	}
	return fail("The folder of the engine belongs to one console at a time: stop the other one, or name another folder with --data.", "%w", err)
}

// breakOff ends the site with an error, unless it ends with another one already.
func breakOff(failed chan<- error, err error) {
	select {
	case failed <- err:
	default:
	}
}

// register makes applications and jobs that are not there yet. It waits for the session of
// the registry, which begins by itself and may be about to.
func (p *cloudParts) register(ctx context.Context, apps []cloud.App, jobs []cloud.Job) error {
	if err := p.client.AwaitConnected(ctx); err != nil {
		return err
	}
	for _, a := range apps {
		if _, err := p.store.CreateApp(ctx, a); err != nil && !errors.Is(err, cloud.ErrExists) {
			return err
		}
	}
	for _, j := range jobs {
		if _, err := p.store.Create(ctx, j); err != nil && !errors.Is(err, cloud.ErrExists) {
			return err
		}
	}
	return nil
}
