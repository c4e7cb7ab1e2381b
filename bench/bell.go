package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

const (
	bellJobs   = 1000 // of the agent whose requests are counted
	bellCaches = 10_000
)

// bell measures what a job pays for requested runs that nobody requests: the watch of the
// absent bell. No agent comes without it, so its requests are those of an agent that name
// it, and its memory is that of caches with and without it.
func bell(ctx context.Context, b *bench) (_ []figure, err error) {
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	naming, all, err := bellRequests(ctx, b, server.Addr())
	if err != nil {
		return nil, err
	}
	var heaps []float64 // The first is not used: it has what a process allocates once.
	for _, bells := range []bool{false, false, true} {
		heap, err := cachesHeap(ctx, server.Addr(), bells)
		if err != nil {
			return nil, err
		}
		heaps = append(heaps, heap)
	}
	how := fmt.Sprintf("an agent with %d jobs that do not fire and of which no run was requested; start-up requests that set a watch on a job's bell, ", bellJobs)
	return []figure{
		{name: "requests-per-job-bell", values: []float64{naming / bellJobs}, target: 0.1,
			how: how + "divided by the jobs: the bell adds that at most, as they set other watches of absent nodes too"},
		{name: "requests-bell-share", unit: "%", values: []float64{100 * naming / all}, reportOnly: true, how: how + "of all requests of the start"},
		{name: "heap-per-job-bell", unit: "kB", values: []float64{max(0, heaps[2]-heaps[1]) / 1e3 / bellCaches}, target: 0.4,
			how: fmt.Sprintf("live heap of %d caches with the nodes that an agent watches for a job of one shard, with and without the bell; the difference, divided by the caches (what else the engine has ready for runs is in heap-per-job)", bellCaches)},
	}, nil
}

// bellRequests starts an agent, and returns how many of its requests name the bell of a
// job, and how many it made at all.
func bellRequests(ctx context.Context, b *bench, addr string) (naming, all float64, err error) {
	namespace, err := jobtree.NewNamespace("bell")
	if err != nil {
		return 0, 0, err
	}
	job := namespace.Job(jobName(0))
	counter, err := startNamingProxy(addr, job.RunsSignal()[len(job.Root()):])
	if err != nil {
		return 0, 0, err
	}
	defer counter.close()
	agents := &fleet{b: b}
	defer agents.end()
	p, err := agents.spawn(ours, "127.0.1.1", "--zookeeper="+counter.addr(), "--namespace="+namespace.String(), fmt.Sprintf("--jobs=%d", bellJobs), "--cron=0 0 0 1 1 ? 2099")
	if err != nil {
		return 0, 0, err
	}
	if _, err := p.awaitReady(ctx, time.Minute); err != nil {
		return 0, 0, err
	}
	if _, err := awaitQuiet(ctx, addr, p.began); err != nil {
		return 0, 0, err
	}
	naming, all = float64(counter.naming.Load()), float64(counter.frames.Load())
	if naming == 0 {
		return 0, 0, fmt.Errorf("none of %.0f requests names a bell: agents watch another node by now, and this figure has to count that one", all)
	}
	return naming, all, nil
}

// cachesHeap is the live heap that caches of many jobs' nodes take, with their bells or
// without.
func cachesHeap(ctx context.Context, addr string, bells bool) (bytes float64, err error) {
	namespace, err := jobtree.NewNamespace("bell-caches")
	if err != nil {
		return 0, err
	}
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{addr}})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	before := liveHeap()
	caches := make([]*recipe.Cache, bellCaches)
	work, inTime := errgroup.WithContext(ctx)
	work.SetLimit(64)
	for i := range caches {
		job := namespace.Job(jobName(i))
		flags := []string{job.Trigger("127.0.1.1@-@1"), job.ItemDisabled(0), job.ItemMisfire(0)}
		if bells {
			flags = append(flags, job.RunsSignal())
		}
		c := recipe.NewCache(client, job.Root(), func() {})
		caches[i] = c
		for _, p := range flags {
			c.WatchFlag(p)
		}
		work.Go(func() error {
			if err := c.Refresh(inTime); err != nil {
				return err
			}
			// The others stay unread: they only have to be there, beside the bell.
			for _, p := range []string{job.Config(), job.Server("127.0.1.1"), job.LeaderInstance(), job.ItemInstance(0)} {
				c.Watch(p)
			}
			c.WatchChildren(job.Instances())
			c.WatchChildren(path.Dir(job.Necessary()))
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return 0, err
	}
	after := liveHeap()
	for _, c := range caches {
		c.Close()
	}
	return after - before, nil
}

// liveHeap is what is in use after what is not was collected.
func liveHeap() float64 {
	runtime.GC()
	runtime.GC() // What a pool holds is released by the second one.
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
