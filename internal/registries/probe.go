package registries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	// probedJobs is of how many nodes below the namespace a probe asks whether they
	// are jobs; beyond that each counts as one.
	probedJobs = 1000
	// probesAtOnce is how many of them it asks about at the same time.
	probesAtOnce = 32
)

// Probe connects to a registry, presents its digest, reads the namespace and counts
// its jobs. It leaves nothing behind. Errors say why not; they match
// [statistics.ErrForbidden] if the namespace may not be read, and
// [app.ErrNoSuchChroot] if there is no node of that name.
func (p *Pool) Probe(ctx context.Context, r settings.Registry) (report app.RegistryReport, err error) {
	config, ns, err := p.config(r)
	if err != nil {
		return report, err
	}
	if _, report.Chroot, err = zk.ParseServers(r.Servers); err != nil {
		return report, err
	}
	ctx, cancel := context.WithTimeout(ctx, testWait)
	defer cancel()
	began := time.Now()
	client, err := zk.Connect(ctx, config)
	if err != nil {
		return report, refused(err)
	}
	report.Connected = time.Since(began)
	err = probe(ctx, client, ns, &report)
	return report, refused(errors.Join(err, client.Close()))
}

// probe reads the namespace.
func probe(ctx context.Context, client *zk.Client, ns jobtree.Namespace, report *app.RegistryReport) error {
	began := time.Now()
	names, _, err := client.Children(ctx, ns.Root())
	report.RoundTrip = time.Since(began)
	if errors.Is(err, zk.ErrNoNode) { // no agent has been there yet
		return nil
	}
	if err != nil {
		return err
	}
	report.Found = true
	names, _ = ns.OwnChildren(ns.Root(), names)
	slices.Sort(names)
	asked := min(len(names), probedJobs)
	var jobs atomic.Int64
	err = rethrow.Each(ctx, probesAtOnce, asked, func(ctx context.Context, i int) error {
		_, found, err := client.Exists(ctx, ns.Job(names[i]).Config())
		if found || errors.Is(err, zk.ErrNoAuth) {
			jobs.Add(1)
			return nil
		}
		return err
	})
	report.Jobs, report.Exact = int(jobs.Load())+len(names)-asked, asked == len(names)
	return err
}

// refused makes an error match the kinds that the console knows.
func refused(err error) error {
	if errors.Is(err, zk.ErrNoChroot) {
		return fmt.Errorf("%w (%w)", app.ErrNoSuchChroot, err)
	}
	return forbidden(err)
}
