package kube

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	expiring "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/changes"
)

const manager = "elasticjob-cloud"

// MaxShards is the API's limit for Jobs that count failures by index.
const MaxShards = 100_000

type Config struct {
	Clients Clients
	// Namespace is where runs are created. Required.
	Namespace string
	// Policy limits the settings of applications.
	Policy Policy
	// Owners returns the jobs' objects if the store is package crdstore, else nil.
	Owners Owners
	// Zone is for DAEMON jobs without a time zone; nil is UTC.
	Zone *time.Location
	// EventsURL is the address for reports of DAEMON jobs' runs, such as
	// http://elasticjob-console:8899/api/cloud/events, or "".
	EventsURL string
	// Registry is for DAEMON jobs with property cloud.daemon = registry. Without Servers such jobs are refused.
	Registry Registry
	// Version is shown to people.
	Version string
	Logger  *slog.Logger
}

// Registry is a ZooKeeper that pods can reach.
type Registry struct {
	// Servers are comma-separated addresses. Namespace is the path above the jobs.
	Servers, Namespace string
}

// Engine is a [cloud.Engine] of Indexed Jobs and StatefulSets in one namespace. Create it with Open
// and end it with Close, which ends no run.
type Engine struct {
	cfg         Config
	fires, jobs *Jobs
	pods        *Pods
	events      *Events
	sets        *Sets

	ctx       context.Context // ends with Close
	cancel    context.CancelFunc
	group     sync.WaitGroup
	informers []cache.SharedIndexInformer
	synced    []cache.InformerSynced
	asking    chan struct{} // questions has entries
	reach     reach
	trusted   *expiring.LRUExpireCache // reporters by the checksum of their token

	mu        sync.Mutex
	runs      map[types.UID]*run   // by the UID of the Job or the StatefulSet
	names     map[string]types.UID // of existing runs
	watchers  changes.Feed[subject]
	questions map[types.UID]bool
}

var _ cloud.Engine = (*Engine)(nil)

var ErrClosed = errors.New("the kubernetes engine was closed")

// Open starts an engine. It starts to list and watch without waiting for the result.
func Open(cfg Config) (*Engine, error) { return newEngine(cfg, false) }

// newEngine is Open. If refusals is set, a missing right counts at once; see reach.
func newEngine(cfg Config, refusals bool) (*Engine, error) {
	switch {
	case cfg.Namespace == "":
		return nil, errors.New("kubernetes engine: Namespace is empty; give the namespace of the runs")
	case cfg.Clients.Fires == nil || cfg.Clients.Jobs == nil || cfg.Clients.Pods == nil || cfg.Clients.Events == nil || cfg.Clients.Sets == nil:
		return nil, errors.New("kubernetes engine: Clients are missing; create them with Connect")
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.Default())
	ctx, cancel := context.WithCancel(context.Background())
	clients, namespace := cfg.Clients, cfg.Namespace
	e := &Engine{
		cfg: cfg, ctx: ctx, cancel: cancel, asking: make(chan struct{}, 1), runs: make(map[types.UID]*run), names: make(map[string]types.UID),
		questions: make(map[types.UID]bool), reach: reach{refusals: refusals},
		fires: clients.Fires(namespace), jobs: clients.Jobs(namespace), pods: clients.Pods(namespace), events: clients.Events(namespace),
		sets: clients.Sets(namespace), trusted: expiring.NewLRUExpireCache(maxTrusted),
	}
	e.watchers = changes.Feed[subject]{Lock: &e.mu, Present: e.present, Event: e.event}
	if err := e.observe(); err != nil {
		cancel()
		return nil, fmt.Errorf("kubernetes engine: %w", err)
	}
	for _, informer := range e.informers {
		e.group.Go(func() { informer.RunWithContext(ctx) })
	}
	e.group.Go(e.ask)
	return e, nil
}

// Close stops the engine. Runs continue. Watches and followed logs end.
func (e *Engine) Close() error {
	e.cancel()
	e.group.Wait()
	return nil
}

func (e *Engine) usable(ctx context.Context) error {
	if e.ctx.Err() != nil {
		return ErrClosed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (e *Engine) Capabilities() cloud.Capabilities {
	return cloud.Capabilities{Engine: cloud.EngineKubernetes, Version: e.cfg.Version, Suspend: true, Daemons: true, Logs: true, MaxShards: MaxShards}
}

// Launch implements [cloud.Engine]. Creating the Job is the commit: of two concurrent launches, one
// creates it and the other finds it.
func (e *Engine) Launch(ctx context.Context, r cloud.Run) (created bool, err error) {
	what := "launch " + r.Name
	if err := e.usable(ctx); err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	job, err := manifest(r, e.cfg.Policy)
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	e.own(job, r.Job.Name, r.Owner)
	made, err := e.fires.Create(ctx, job, metav1.CreateOptions{FieldManager: manager})
	switch {
	case err == nil:
		strip(made)
		e.onObject(made)
		return true, nil
	case !apierrors.IsAlreadyExists(err):
		return false, e.notCreated(what, err)
	}
	old, err := e.jobs.Get(ctx, r.Name, metav1.GetOptions{})
	if err != nil {
		if apierrors.IsNotFound(err) {
			return false, fmt.Errorf("%s: a run of that name existed but was deleted during the launch; try again", what)
		}
		return false, Translate(what, err)
	}
	return false, foreign(what, "Job", old, r.Job.Name, r.Owner)
}

// read reads a run from the API server; ErrNotFound if it isn't ours.
func (e *Engine) read(ctx context.Context, what, name string) (*batchv1.Job, error) {
	return readOwn(ctx, e, what, e.jobs, name, "Job %s/%s is not a run")
}

func readOwn[T object, L runtime.Object](
	ctx context.Context, e *Engine, what string, objects *Objects[T, L], name, notOurs string,
) (none T, err error) {
	if err := e.usable(ctx); err != nil {
		return none, fmt.Errorf("%s: %w", what, err)
	}
	read, err := objects.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return none, Translate(what, err)
	}
	if !own(read) {
		return none, fmt.Errorf("%s: %s: %w", what, fmt.Sprintf(notOurs, read.GetNamespace(), name), cloud.ErrNotFound)
	}
	return read, nil
}

// foreign returns an ErrForeign if an existing object doesn't belong to a job and its owner.
func foreign(what, kind string, old metav1.Object, job, owner string) error {
	notes := old.GetAnnotations()
	if own(old) && notes[noteJobName] == job && notes[noteOwner] == owner {
		return nil
	}
	return fmt.Errorf("%s: %s %s/%s exists and belongs to job %q, owner %q: %w",
		what, kind, old.GetNamespace(), old.GetName(), notes[noteJobName], notes[noteOwner], cloud.ErrForeign)
}

func (e *Engine) patch(ctx context.Context, what string, of metav1.Object, kind types.PatchType, change any) error {
	text, err := json.Marshal(change)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	var changed metav1.Object
	options := metav1.PatchOptions{FieldManager: manager}
	if _, isJob := of.(*batchv1.Job); isJob {
		changed, err = e.jobs.Patch(ctx, of.GetName(), kind, text, options)
	} else {
		changed, err = e.sets.Patch(ctx, of.GetName(), kind, text, options)
	}
	if err != nil {
		return Translate(what, err)
	}
	strip(changed)
	e.onObject(changed)
	return nil
}

func (e *Engine) notCreated(what string, err error) error {
	if err = Translate(what, err); errors.Is(err, cloud.ErrNotFound) {
		return fmt.Errorf("%w: there is no namespace %s: %w", err, e.cfg.Namespace, cloud.ErrRefused)
	}
	return err
}

// deletePod deletes a pod unless it's already being replaced.
func (e *Engine) deletePod(ctx context.Context, what string, pod *corev1.Pod) error {
	only := &metav1.Preconditions{UID: &pod.UID}
	err := e.pods.Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: only})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return Translate(what, err)
	}
	return nil
}

// change patches a Job or a StatefulSet unless it has been replaced since it was read.
func (e *Engine) change(ctx context.Context, what string, of metav1.Object, notes, spec map[string]any) error {
	metadata := map[string]any{"uid": of.GetUID()}
	fields := map[string]any{"metadata": metadata}
	if len(notes) > 0 { // Merging with null would delete them all.
		metadata["annotations"] = notes
	}
	if spec != nil {
		fields["spec"] = spec
	}
	return e.patch(ctx, what, of, types.MergePatchType, fields)
}

// endPod notes why a pod ends in the object that it belongs to, and deletes it.
func (e *Engine) endPod(
	ctx context.Context, what string, of metav1.Object, pod *corev1.Pod, notes map[string]any, why command,
) error {
	notes[noteKilled+string(pod.UID)] = why.encode()
	if err := e.change(ctx, what, of, notes, nil); err != nil {
		return err
	}
	return e.deletePod(ctx, what, pod)
}

// End implements [cloud.Engine]. It notes the command in the Job first, so that every scheduler
// knows why the pods were deleted. An ended run keeps its Job and its name.
func (e *Engine) End(ctx context.Context, name string, shard int, how cloud.Ending) error {
	if set, ok := setOf(name); ok {
		return e.endDaemon(ctx, set, shard, how)
	}
	what := fmt.Sprintf("end run %s", name)
	job, err := e.read(ctx, what, name)
	switch {
	case err != nil:
		return err
	case ended(job):
		return nil
	case shard >= 0 && how.Way == cloud.EndSuspend:
		return fmt.Errorf("%s: suspend shard %d: only a whole run can be suspended: %w", what, shard, cloud.ErrUnsupported)
	case shard >= 0:
		return e.endShard(ctx, what, job, shard, how)
	case how.Way == cloud.EndSuspend && job.Labels[labelQueue] != "":
		return fmt.Errorf("%s: queue %s decides when it runs, so it can't be suspended: %w", what, job.Labels[labelQueue], cloud.ErrUnsupported)
	}
	o := newCommand(how, time.Now(), 0)
	if how.Way == cloud.EndSuspend {
		if _, stopped := commandOf(job.Annotations, noteEnded); stopped || suspended(job) {
			return nil
		}
		return e.change(ctx, what, job, map[string]any{noteSuspended: o.encode()}, map[string]any{"suspend": true})
	}
	if _, again := commandOf(job.Annotations, noteEnded); again {
		return nil
	}
	// Only a deadline ends a Job for good. Without parallelism no pod starts or continues until
	// then, even if it was suspended.
	return e.change(ctx, what, job, map[string]any{noteEnded: o.encode()}, map[string]any{"activeDeadlineSeconds": 1, "parallelism": 0, "suspend": false})
}

// maxKilled is how many single pods of a run can be ended, because each needs an annotation.
const maxKilled = 200

// endShard ends the pods of one shard. With failover the Job controller starts another one.
func (e *Engine) endShard(ctx context.Context, what string, job *batchv1.Job, shard int, how cloud.Ending) error {
	pods, err := e.pods.List(ctx, metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + job.Name})
	if err != nil {
		return Translate(what, err)
	}
	shards := shardsOf(job)
	for _, pod := range pods.Items {
		index, known := indexOf(&pod)
		over := pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		if !known || over || shardOf(shards, index) != shard || !metav1.IsControlledBy(&pod, job) {
			continue
		}
		if len(killed(job)) >= maxKilled {
			return fmt.Errorf("%s: %d of its tasks were already ended one by one; end the whole run: %w", what, maxKilled, cloud.ErrRefused)
		}
		if err := e.endPod(ctx, what, job, &pod, make(map[string]any), newCommand(how, time.Now(), shard)); err != nil {
			return err
		}
	}
	return nil
}

// Resume implements [cloud.Engine]. It doesn't change a run that has ended.
func (e *Engine) Resume(ctx context.Context, name string) error {
	what := "resume run " + name
	if set, ok := setOf(name); ok {
		_, err := e.readSet(ctx, what, set) // It's never suspended.
		return err
	}
	job, err := e.read(ctx, what, name)
	if err != nil {
		return err
	}
	if _, stopped := commandOf(job.Annotations, noteEnded); stopped || ended(job) || !suspended(job) {
		return nil
	}
	if queue := job.Labels[labelQueue]; queue != "" {
		return fmt.Errorf("%s: queue %s decides when it resumes: %w", what, queue, cloud.ErrUnsupported)
	}
	return e.change(ctx, what, job, nil, map[string]any{"suspend": false})
}

func (e *Engine) Forget(ctx context.Context, name string) error {
	what := "forget run " + name
	if set, ok := setOf(name); ok {
		return e.forgetDaemon(ctx, what, set)
	}
	job, err := e.read(ctx, what, name)
	if err != nil {
		return err
	}
	if !ended(job) {
		return fmt.Errorf("%s: it has not ended; end it first: %w", what, cloud.ErrRefused)
	}
	err = e.jobs.Delete(ctx, name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &job.UID}, PropagationPolicy: new(metav1.DeletePropagationBackground),
	})
	if err != nil {
		return Translate(what, err)
	}
	return nil
}
