package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/notices"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	cloudarea "github.com/elasticjob-go/elasticjob/internal/console/cloud"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// The engines of --cloud.
const (
	engineLocal      = "local"
	engineKubernetes = "kubernetes"
)

// cloudFlags say whether a console schedules jobs of ElasticJob-Cloud, and what it may start
// for them.
type cloudFlags struct {
	Cloud                string   `enum:",local,kubernetes" default:"" placeholder:"ENGINE" help:"Schedule jobs of ElasticJob-Cloud, whose shards are processes: local starts them on this machine, which has to be Linux, and needs --cloud-local-apps, --cloud-local-user and --allow-command-changes; kubernetes makes a Job of a cluster of each run, so that root runs images in its namespace. Default: off."`
	CloudTimeZone        string   `placeholder:"ZONE" help:"The time zone of jobs of --cloud that name none, such as Europe/Berlin. Default: UTC."`
	CloudLocalApps       string   `placeholder:"DIR" help:"The folder below which the programs of --cloud local lie. An application that sets up a shell is not bound to it."`
	CloudLocalUser       string   `placeholder:"USER" help:"The user that programs of --cloud local run as, a name or UID:GID. Any but the console's own needs a console that is root. The console's own user may be named too: its programs can then read everything the console has."`
	CloudLocalCPU        float64  `default:"0" placeholder:"CORES" help:"How many processors runs of --cloud local may declare together. 0: what the machine has."`
	CloudLocalMemory     float64  `default:"0" placeholder:"MB" help:"How much memory they may declare together. 0: what the machine has."`
	CloudKubeconfig      string   `placeholder:"FILE" help:"The cluster of --cloud kubernetes, and who we are there. Default: the cluster that this console is a pod of."`
	CloudNamespace       string   `placeholder:"NAME" help:"The namespace of the cluster with the applications, the jobs and their runs. Default: the one of --cloud-kubeconfig, or of this pod."`
	CloudNamespaces      []string `placeholder:"NAME,…" help:"Further namespaces of the cluster whose applications and jobs are scheduled too, at most 50; each needs the rights of --cloud-namespace, the Lease excepted. The name of a job or an application counts once over all of them. New ones are made in --cloud-namespace, unless a request names another one with ?namespace=. Default: none."`
	CloudServiceAccounts []string `placeholder:"NAME,…" help:"The service accounts that applications of --cloud kubernetes may name for their pods. Default: none."`
	CloudSecrets         []string `placeholder:"NAME,…" help:"The Secrets that applications of --cloud kubernetes may name in envFromSecrets and imagePullSecrets. Default: none."`
	CloudEventsURL       string   `placeholder:"URL" help:"Where processes of DAEMON jobs of --cloud kubernetes report their runs: /api/cloud/events of this console as pods reach it, such as http://elasticjob-console.jobs:8899/api/cloud/events. It needs the right to review tokens, see docs/cloud-operations.md. Default: they report none."`
	CloudRegistryServers []string `placeholder:"HOST:PORT,…" help:"The ZooKeeper, as pods of --cloud kubernetes reach it, by which the processes of DAEMON jobs with the property cloud.daemon = registry share their shards, such as zk-0.zk:2181,zk-1.zk:2181. Default: none, and such jobs are refused."`
	CloudRegistrySpace   string   `name:"cloud-registry-namespace" placeholder:"NAME" help:"The namespace there that has these jobs. Needed with --cloud-registry-servers."`
	CloudFetchHosts      []string `placeholder:"HOST,…" help:"The hosts that archives at appURL are fetched from, by https, also after a redirect: names or addresses, each with a port or for every port. Programs from there are executed. Default: none, and applications with an archive are refused."`
	CloudFetchImage      string   `placeholder:"IMAGE" help:"The image of this console: in pods of --cloud kubernetes it fetches the archive before the program begins. Needed with --cloud-fetch-hosts there."`
	CloudArchiveCache    string   `placeholder:"CLAIM" help:"The PersistentVolumeClaim of the namespace in which pods of --cloud kubernetes keep the 16 archives that were used last, for those of applications with appCacheEnable. Default: each pod fetches its own."`
	CloudFetchAuthority  string   `placeholder:"CONFIGMAP" help:"The ConfigMap of the namespace with certificates, in PEM, of authorities that pods of --cloud kubernetes trust when they fetch archives, besides those of --cloud-fetch-image. Default: none."`
	CloudNotifyHosts     []string `placeholder:"HOST,…" help:"Where mails and messages about failed runs may go, which jobs ask for with jobErrorHandlerType EMAIL, WECHAT, DINGTALK or WEBHOOK: names, *.suffixes, addresses or ranges, each with a port or without. Default: nowhere, and nobody is notified."`
	CloudRuntimeImage    string   `placeholder:"IMAGE" help:"The image that runs archives of applications of --cloud kubernetes which name none. It needs /bin/sh. Default: they have to name one."`
}

// options are those of the site; nil if no jobs of ElasticJob-Cloud are scheduled.
// site is the console's address as browsers know it, commands the right to change what is
// executed, which an application does.
func (f *cloudFlags) options(data, site string, commands bool) (*cloudOptions, error) {
	ofLocal := f.CloudLocalApps != "" || f.CloudLocalUser != "" || f.CloudLocalCPU != 0 || f.CloudLocalMemory != 0
	ofKubernetes := f.CloudKubeconfig != "" || f.CloudNamespace != "" || len(f.CloudNamespaces) > 0 || len(f.CloudServiceAccounts) > 0 || len(f.CloudSecrets) > 0 || f.CloudEventsURL != "" || f.CloudFetchImage != "" || f.CloudRuntimeImage != "" || f.CloudArchiveCache != "" || f.CloudFetchAuthority != "" || len(f.CloudRegistryServers) > 0 || f.CloudRegistrySpace != ""
	switch {
	case ofLocal && f.Cloud != engineLocal:
		return nil, cli.Usage("Give --cloud local, or leave out the others.", "--cloud-local-apps, --cloud-local-user, --cloud-local-cpu and --cloud-local-memory are about --cloud local")
	case ofKubernetes && f.Cloud != engineKubernetes:
		return nil, cli.Usage("Give --cloud kubernetes, or leave out the others.", "--cloud-kubeconfig, --cloud-namespace, --cloud-namespaces, --cloud-service-accounts, --cloud-secrets, --cloud-events-url, --cloud-registry-servers, --cloud-registry-namespace, --cloud-fetch-image and --cloud-runtime-image are about --cloud kubernetes")
	case f.Cloud == "" && (f.CloudTimeZone != "" || len(f.CloudFetchHosts) > 0 || len(f.CloudNotifyHosts) > 0):
		return nil, cli.Usage("Give --cloud local or --cloud kubernetes, or leave it out.", "--cloud-time-zone, --cloud-fetch-hosts and --cloud-notify-hosts are about --cloud")
	case f.Cloud == "":
		return nil, nil
	case f.Cloud == engineLocal && f.CloudLocalApps == "":
		return nil, cli.Usage("Name a folder with the programs that may be started, such as --cloud-local-apps /srv/jobs. Whoever is root at the console\nruns them as --cloud-local-user.", "--cloud local may not start anything: no folder of programs is named")
	case f.Cloud == engineLocal && !commands:
		return nil, cli.Usage("Give --allow-command-changes if whoever is root at this console may run programs on its machine, as --cloud-local-user.", "--cloud local needs the right to change what is executed: an application is a program with its arguments")
	}
	o := &cloudOptions{zone: time.UTC, address: site}
	if f.CloudTimeZone != "" {
		zone, err := cloud.LoadZone(f.CloudTimeZone)
		if err != nil {
			return nil, cli.Usage("Give a name such as Europe/Berlin, or an offset such as GMT+08:00.", "--cloud-time-zone: %w", err)
		}
		o.zone = zone
	}
	hosts, err := archive.ParseHosts(f.CloudFetchHosts)
	if err != nil {
		return nil, cli.Usage("Give host names, separated by commas, such as repo.example or repo.example:8443.", "--cloud-fetch-hosts: %w", err)
	}
	if o.notify, err = outbound.Parse(f.CloudNotifyHosts); err != nil {
		return nil, cli.Usage("Give hosts such as mail.example.com:587, *.example.com or 10.0.0.0/8, separated by commas.", "--cloud-notify-hosts: %w", err)
	}
	if f.Cloud == engineLocal {
		if o.local, err = f.localOptions(data); o.local != nil {
			o.local.hosts = hosts
		}
	} else {
		o.kubernetes, err = f.kubernetesOptions(o.zone, hosts)
	}
	return o, err
}

// cloudOptions say how a console schedules jobs of ElasticJob-Cloud, with one of two
// engines.
type cloudOptions struct {
	zone       *time.Location // of jobs that name none
	notify     outbound.List  // where messages about failed runs may go
	address    string         // of the console as browsers know it, "" if nobody knows it
	local      *localOptions
	kubernetes *kubernetesOptions
}

// cloudParts are what a console of ElasticJob-Cloud consists of.
type cloudParts struct {
	store      cloud.Store
	engine     cloud.Engine
	leadership cloud.Leadership
	scheduler  *scheduler.Scheduler
	notices    *notices.Notifier
	// namespaces are those that are served, that of new jobs first; none where the engine
	// has none.
	namespaces []string
	// record takes rows that processes report.
	record func(rows []tracing.Execution) error
	// connected waits until the store can be asked.
	connected func(context.Context) error
}

// handOverLimit is how long a console with the local engine may take to stop leading if another one waits.
// The processes of DAEMON jobs end before, within the grace of their applications: a day at most.
const handOverLimit = 25 * time.Hour

// startCloud starts engine, store and scheduler, if the site is to have them. The rows of
// tasks go to the trace database of the site. What it starts ends with the site, except
// for tasks: the next engine finds them again.
func (s *site) startCloud(ctx context.Context, metrics *app.Metrics) (err error) {
	o := s.opts.cloud
	if o == nil {
		return nil
	}
	var parts *cloudParts
	if o.local != nil {
		parts, err = s.openLocal(o.local, o.zone)
	} else {
		parts, err = s.openKubernetes(ctx, o.kubernetes)
	}
	if err != nil {
		return err
	}
	sink := rdb.NewSink(s.database.Database)
	sink.Logger = s.log
	recorder := tracing.NewAsync(sink, tracing.AsyncOptions{Logger: s.log})
	s.cleanups.Add("write the last rows of ElasticJob-Cloud", 5*time.Second, recorder.Close)
	parts.record = recordReported(recorder)
	parts.notices = notices.New(notices.Config{Allow: o.notify, Address: o.address, Zone: o.zone, Logger: s.log})
	parts.scheduler, err = scheduler.New(scheduler.Config{
		Engine: parts.engine, Store: parts.store, Leadership: parts.leadership, Zone: o.zone, Metrics: metrics.Cloud(), Notify: parts.notices.Notify,
		Recorder: recorder, Recorded: func() bool { return recorder.Stats().Queued == 0 }, Logger: s.log,
	})
	if err != nil {
		return err
	}
	leave := 5 * time.Second
	if o.local != nil {
		leave = handOverLimit
	}
	s.keepFor(ctx, "stop the scheduler of ElasticJob-Cloud", leave, func(ctx context.Context) {
		if err := parts.scheduler.Run(ctx); err != nil && ctx.Err() == nil {
			breakOff(s.failed, fmt.Errorf("ElasticJob-Cloud: %w", err))
		}
	})
	s.keep(ctx, "stop the counts of ElasticJob-Cloud", func(ctx context.Context) {
		cloudarea.KeepCounts(ctx, parts.scheduler, func(ctx context.Context, c rdb.CloudCount) error {
			return rdb.NoteCloudCount(ctx, s.database.Database, c)
		}, s.log)
	})
	s.cloud = parts
	return nil
}

// reportedRows is how many rows may wait in memory for what processes report to be taken:
// half of them are for the scheduler's own.
const reportedRows = 5000

// recordReported takes rows that processes report, as long as the database takes them: what
// is taken while it is away might be lost, and a process keeps what is not.
func recordReported(recorder *tracing.Async) func(rows []tracing.Execution) error {
	return func(rows []tracing.Execution) error {
		stats := recorder.Stats()
		if stats.LastError != nil {
			return cloudarea.RowsAway(stats.LastError)
		}
		if stats.Queued+len(rows) > reportedRows {
			return cloudarea.RowsAway(fmt.Errorf("%d rows wait", stats.Queued))
		}
		for _, row := range rows {
			recorder.RecordExecution(row)
		}
		return nil
	}
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
	if err := p.connected(ctx); err != nil {
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
