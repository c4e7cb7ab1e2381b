package consoletest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/notices"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// What there is of ElasticJob-Cloud in the sample, beside the job invoices and its run
// [SampleRun], which goes on.
const (
	SampleApp  = "spare" // without a job
	SampleTask = "uid-1"
	// CloudSecret is in a variable of the application of the job.
	CloudSecret = "env-Canary-7"
)

// FakeCloud is ElasticJob-Cloud in memory, without a scheduler.
type FakeCloud struct {
	Store  *cloudfake.Store
	Engine *LimitedEngine
	// Away: store and engine cannot be read.
	Away atomic.Bool
	// Unelected: this process does not lead, and cannot stand for election.
	Unelected atomic.Bool
	// Reported are rows of executions by their ids, as a database keeps them. RecordErr is
	// why they cannot be stored.
	Reported  sync.Map
	RecordErr atomic.Pointer[error]
	// TreeErr is why the tree of another scheduler, [CloudTree], cannot be read.
	TreeErr    atomic.Pointer[error]
	reconciled atomic.Bool
}

// LimitedEngine is an engine whose capabilities a test can take away.
type LimitedEngine struct {
	*cloudfake.Engine
	Cannot atomic.Bool
}

// Capabilities are all there are, or none.
func (e *LimitedEngine) Capabilities() cloud.Capabilities {
	if e.Cannot.Load() {
		return cloud.Capabilities{Engine: "fake", MaxShards: 10}
	}
	return e.Engine.Capabilities()
}

// Manifest implements [cloud.Manifester], unless the engine can do nothing: then it refuses.
func (e *LimitedEngine) Manifest(r cloud.Run) ([]byte, error) {
	if e.Cannot.Load() {
		return nil, fmt.Errorf("manifest: asked to fail: %w", cloud.ErrRefused)
	}
	return fmt.Appendf(nil, "name: %s\nenv: %v\nowner: %s\n", r.Name, r.App.Env, r.Owner), nil
}

// NewCloud returns ElasticJob-Cloud with the sample.
func NewCloud() *FakeCloud {
	f := &FakeCloud{Store: cloudfake.NewStore(), Engine: &LimitedEngine{Engine: cloudfake.NewEngine(nil)}}
	ctx := context.Background()
	billing := cloud.NewApp("billing")
	billing.Command, billing.Env = []string{"bill.sh"}, map[string]string{"API_KEY": CloudSecret}
	spare := cloud.NewApp(SampleApp)
	spare.Command = []string{"spare.sh"}
	job := cloud.NewJob("invoices", "billing", 3)
	job.Cron = "0 0 2 * * ?"
	for _, application := range []cloud.App{billing, spare} {
		if _, err := f.Store.CreateApp(ctx, application); err != nil {
			panic(fmt.Sprintf("consoletest: the sample's application: %v", err))
		}
	}
	made, err := f.Store.Create(ctx, job)
	if err == nil {
		_, err = f.Engine.Launch(ctx, cloud.Run{Name: SampleRun, Job: job, App: billing, Owner: made.UID, Fire: Noon.Add(-time.Minute), Origin: cloud.OriginCron})
	}
	if err != nil {
		panic(fmt.Sprintf("consoletest: the sample's job: %v", err))
	}
	return f
}

// InNamespaces has the sample be in the namespace jobs of a cluster, and the console serve the
// namespace shop too.
func (f *FakeCloud) InNamespaces(o *app.Options) {
	o.Cloud.Namespaces = []string{"jobs", "shop"}
	ctx := context.Background()
	for _, application := range f.Apps() {
		if _, err := f.Store.ChangeApp(ctx, application.Name, func(a *cloud.App) error { a.Namespace = "jobs"; return nil }); err != nil {
			panic(fmt.Sprintf("consoletest: the sample's application: %v", err))
		}
	}
	for _, job := range f.Jobs() {
		if _, err := f.Store.Change(ctx, job.Job.Name, func(d *cloud.Definition) error { d.Job.Namespace = "jobs"; return nil }); err != nil {
			panic(fmt.Sprintf("consoletest: the sample's job: %v", err))
		}
	}
}

// Options are those of a console with it.
func (f *FakeCloud) Options() *app.Cloud {
	return &app.Cloud{Store: f.Store, Engine: f.Engine, Seen: f, Record: f.record, ReadTree: f.readTree, Unnotified: notices.New(notices.Config{}).Check}
}

func (f *FakeCloud) record(rows []tracing.Execution) error {
	if why := f.RecordErr.Load(); why != nil {
		return *why
	}
	for _, row := range rows {
		if old, known := f.Reported.Load(row.ID); !known || old.(tracing.Execution).Running() {
			f.Reported.Store(row.ID, row)
		}
	}
	return nil
}

// CloudTree is the tree of another scheduler.
func CloudTree() zkstore.Tree {
	return zkstore.Tree{
		Apps: map[string]zkstore.TreeNode{"shop": {Document: "appName: shop\nbootstrapScript: shop.sh\ncpuCount: 0.5\n"}},
		Jobs: map[string]zkstore.TreeNode{"settle": {Document: "appName: shop\njobName: settle\ncron: 0 0 3 * * ?\nshardingTotalCount: 3\ncpuCount: 0.1\nmemoryMB: 64.0\n"}},
	}
}

// readTree implements [app.ReadCloudTree].
func (f *FakeCloud) readTree(_ context.Context, _ *settings.Registry, _ string) (zkstore.Tree, error) {
	if why := f.TreeErr.Load(); why != nil {
		return zkstore.Tree{}, *why
	}
	return CloudTree(), nil
}

// Rows are the executions that were reported.
func (f *FakeCloud) Rows() (rows []tracing.Execution) {
	f.Reported.Range(func(_, row any) bool {
		rows = append(rows, row.(tracing.Execution))
		return true
	})
	slices.SortFunc(rows, func(a, b tracing.Execution) int { return strings.Compare(a.ID, b.ID) })
	return rows
}

// Fail has every call fail; nil ends that.
func (f *FakeCloud) Fail(err error) {
	f.Away.Store(err != nil)
	decide := func(verb, _ string) cloudfake.Fault {
		if verb == "watch" {
			return cloudfake.Fault{}
		}
		return cloudfake.Fault{Err: err}
	}
	f.Store.Faults(decide)
	f.Engine.Faults(decide)
}

// Leads implements [app.CloudSeen].
func (f *FakeCloud) Leads() bool { return !f.Unelected.Load() }

// Synced implements [app.CloudSeen].
func (f *FakeCloud) Synced() bool { return !f.Away.Load() }

// Health implements [app.CloudSeen].
func (f *FakeCloud) Health() (time.Time, error) {
	if f.Unelected.Load() {
		return Noon.Add(-time.Minute), errors.New("write the lease: there is no space, as the test wants")
	}
	if !f.Away.Load() {
		return time.Time{}, nil
	}
	return Noon.Add(-time.Minute), errors.New("the engine is away, as the test wants")
}

// Reconcile implements [app.CloudSeen]: the second one comes too soon.
func (f *FakeCloud) Reconcile(bool) time.Duration {
	if f.reconciled.Swap(true) {
		return 10 * time.Second
	}
	return 0
}

// Apps implements [app.CloudSeen].
func (f *FakeCloud) Apps() (apps []cloud.App) {
	f.present(func(e cloud.StoreEvent) {
		if e.Kind == cloud.KindApp {
			apps = append(apps, e.App)
		}
	})
	return apps
}

// Jobs implements [app.CloudSeen].
func (f *FakeCloud) Jobs() (jobs []cloud.Definition) {
	f.present(func(e cloud.StoreEvent) {
		if e.Kind == cloud.KindJob {
			jobs = append(jobs, e.Definition)
		}
	})
	return jobs
}

// present reports what the store has.
func (f *FakeCloud) present(report func(cloud.StoreEvent)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = f.Store.Watch(ctx, func(e cloud.StoreEvent) { // It ends because we end it.
		if e.Event == cloud.EventSynced {
			cancel()
		}
		report(e)
	})
}

// Runs implements [app.CloudSeen].
func (f *FakeCloud) Runs(job string) []cloud.RunStatus {
	runs := slices.DeleteFunc(f.Engine.Runs(), func(r cloud.RunStatus) bool { return job != "" && r.JobName != job })
	slices.SortFunc(runs, func(a, b cloud.RunStatus) int { return strings.Compare(b.Name, a.Name) })
	return runs
}

// tasks are all tasks of the engine.
func (f *FakeCloud) tasks() (tasks []cloud.Task) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = f.Engine.Watch(ctx, func(e cloud.TaskEvent) { // It ends because we end it.
		if e.Event == cloud.EventSynced {
			cancel()
		}
		if e.Task.UID != "" {
			tasks = append(tasks, e.Task)
		}
	})
	return tasks
}

// FindRun implements [app.CloudSeen].
func (f *FakeCloud) FindRun(name string) (cloud.RunStatus, []cloud.Task, bool) {
	for _, r := range f.Engine.Runs() {
		if r.Name == name {
			return r, slices.DeleteFunc(f.tasks(), func(t cloud.Task) bool { return t.Run != name }), true
		}
	}
	return cloud.RunStatus{}, nil, false
}

// FindTask implements [app.CloudSeen].
func (f *FakeCloud) FindTask(uid string) (cloud.Task, bool) {
	for _, t := range f.tasks() {
		if t.UID == uid {
			return t, true
		}
	}
	return cloud.Task{}, false
}
