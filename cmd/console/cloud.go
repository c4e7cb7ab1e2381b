package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
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

// cloudOptions say how a console schedules jobs of ElasticJob-Cloud on this host.
type cloudOptions struct {
	// dir is the folder of the engine, apps the one below which programs lie.
	dir, apps string
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
		Dir: o.dir, Apps: o.apps, Shim: []string{self, "local-task"}, Version: build.Get().Version, Logger: s.log,
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
