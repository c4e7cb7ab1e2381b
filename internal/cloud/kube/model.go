package kube

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// run is our knowledge of a Job and its pods. For a DAEMON job it's our knowledge of a StatefulSet,
// and its tasks are the starts of each pod's container.
type run struct {
	// Both are nil while only the pods were reported.
	job *batchv1.Job
	set *appsv1.StatefulSet

	status   cloud.RunStatus
	shards   []int
	began    time.Time
	pods     map[types.UID]*task       // of a Job
	live     map[types.UID]*corev1.Pod // of a StatefulSet
	ordinals map[int]*ordinal          // of a StatefulSet
	byShard  map[int][]*task           // by shard, in the order of creation
	vanished bool
	orphaned bool // it vanished together with its owner
}

func (r *run) known() bool { return r != nil && (r.job != nil || r.set != nil) }

// object returns the Job or the StatefulSet of a known run.
func (r *run) object() metav1.Object {
	if r.set != nil {
		return r.set
	}
	return r.job
}

func (r *run) put(object metav1.Object) {
	switch o := object.(type) {
	case *appsv1.StatefulSet:
		r.set = o
	case *batchv1.Job:
		first := r.job == nil
		r.job, r.shards = o, shardsOf(o)
		if first { // Only now the shards of earlier pods are known.
			for _, t := range r.pods {
				r.place(t)
			}
		}
	}
}

// active reports whether the run was reported and has not ended.
func (r *run) active() bool {
	if r.set != nil {
		return r.status.Name != ""
	}
	return !ended(r.job)
}

func (r *run) summary() cloud.RunStatus {
	if r.set != nil {
		return r.daemonStatus()
	}
	return statusOf(r.job, r.began)
}

func runName(object metav1.Object) string {
	if set, ok := object.(*appsv1.StatefulSet); ok {
		return cloud.DaemonRunName(set.Annotations[noteJobName])
	}
	return object.GetName()
}

// task is our knowledge of a pod. It outlives the pod, but not the run.
type task struct {
	pod *corev1.Pod
	// current is the known state, published the state that watchers have.
	current, published cloud.Task
	// restarts and since are which start of the pod's container it is, for a DAEMON job.
	restarts int
	since    time.Time
	asked    time.Time // when the pod was first deleted
	vanished time.Time // when the pod vanished
	missed   bool      // its last state was missed
	dropped  bool      // no longer a part of the run
}

// take updates the pod, and remembers when it was first deleted.
func (t *task) take(pod *corev1.Pod) {
	if t.pod = pod; t.asked.IsZero() {
		t.asked = deletionRequested(pod)
	}
}

// maxPast is how many tasks of a shard are kept after their pods vanished.
const maxPast = 10

// own reports whether a Job or a StatefulSet is ours.
func own(object metav1.Object) bool {
	_, isSet := object.(*appsv1.StatefulSet)
	labels := object.GetLabels()
	return labels[labelJob] != "" && object.GetAnnotations()[noteJobName] != "" && (!isSet || labels[labelKind] == string(cloud.OriginDaemon))
}

// onObject handles the current state of a Job or a StatefulSet, stripped. Watches and answers to our
// own requests arrive in any order, so older states are ignored. The object may be shared with the
// informer, so it must not be changed.
func (e *Engine) onObject(object metav1.Object) {
	if !own(object) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	current := e.runs[e.names[runName(object)]]
	if current.known() && older(object, current.object()) {
		return // We know a later state, or a later one with this name.
	}
	r := e.run(object.GetUID())
	if r.vanished || r.known() && older(object, r.object()) {
		return
	}
	if current != r && current.known() {
		e.end(current) // An earlier one with this name: first report that it vanished.
	}
	e.names[runName(object)] = object.GetUID()
	r.put(object)
	e.refresh(r, false)
}

// older compares the versions of two objects of one kind, which are growing numbers.
func older(a, b metav1.Object) bool {
	x, errX := strconv.ParseUint(a.GetResourceVersion(), 10, 64)
	y, errY := strconv.ParseUint(b.GetResourceVersion(), 10, 64)
	return errX == nil && errY == nil && x < y
}

// run returns the entry of a Job or a StatefulSet. e.mu must be held.
func (e *Engine) run(uid types.UID) *run {
	r := e.runs[uid]
	if r == nil {
		r = &run{pods: make(map[types.UID]*task), byShard: make(map[int][]*task)}
		e.runs[uid] = r
	}
	return r
}

// onVanished handles the deletion of a Job or a StatefulSet. Its active tasks are lost, killed if a command
// explains the deletion, or unknown if we missed their last state.
func (e *Engine) onVanished(object metav1.Object) {
	if !own(object) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[object.GetUID()]
	if r == nil || r.vanished {
		return
	}
	if !r.known() || !older(object, r.object()) {
		r.put(object)
	}
	if e.cfg.Owners != nil && ownerOf(r.object()) != nil && r.active() {
		e.question(object.GetUID()) // If its owner was deleted, its tasks have another state.
		return
	}
	e.end(r)
}

// end removes a run after its object was deleted. e.mu must be held.
func (e *Engine) end(r *run) {
	if r.vanished {
		return
	}
	uid, name := r.object().GetUID(), runName(r.object())
	delete(e.questions, uid)
	if e.names[name] == uid {
		delete(e.names, name)
	}
	// The entry stays until a Job's last pod has vanished, so that reports about it don't make a new run.
	there := make(map[types.UID]*task)
	for _, list := range r.byShard {
		for _, t := range list {
			if !t.vanished.IsZero() {
				continue
			}
			if t.vanished = time.Now().UTC(); r.job != nil {
				there[t.pod.UID] = t
			}
		}
	}
	e.judgeAll(r, true)
	if r.job != nil {
		r.status = r.summary()
	}
	e.close(r)
	if r.pods = there; len(there) == 0 {
		delete(e.runs, uid)
	}
}

// close reports the end of a run, with the last state of each task. e.mu must be held.
func (e *Engine) close(r *run) {
	r.vanished = true
	if r.status.Name == "" {
		return
	}
	for _, list := range r.byShard {
		for _, t := range list {
			e.watchers.Add(subject{r, t})
		}
	}
	e.watchers.Add(subject{run: r})
}

// onPod handles the current state of a pod or, if it vanished, its last state.
func (e *Engine) onPod(pod *corev1.Pod, vanished, missed bool) {
	owner := metav1.GetControllerOf(pod)
	switch {
	case owner == nil:
		return
	case owner.Kind == "StatefulSet":
		e.onDaemonPod(owner.UID, pod, vanished, missed)
		return
	case owner.Kind != "Job":
		return
	}
	if _, known := indexOf(pod); !known {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.run(owner.UID)
	t := r.pods[pod.UID]
	switch {
	case r.vanished || t == nil && vanished:
		delete(r.pods, pod.UID)
		if len(r.pods) == 0 && (r.vanished || r.job == nil) {
			delete(e.runs, owner.UID)
		}
		return
	case t == nil:
		t = &task{pod: pod}
		r.pods[pod.UID] = t
		if r.job != nil {
			r.place(t)
		}
	}
	if t.take(pod); vanished {
		t.vanished, t.missed = time.Now().UTC(), missed
	}
	if r.job == nil {
		if vanished {
			delete(r.pods, pod.UID)
			if len(r.pods) == 0 {
				delete(e.runs, owner.UID)
			}
		}
		return // The run is reported before its tasks.
	}
	before := r.began
	e.judge(r, t, false)
	if !r.began.Equal(before) || r.status.Started.IsZero() {
		e.publishRun(r)
	}
	e.publishTask(r, t)
	e.trim(r, t.current.Shard)
}

// place adds a task to its shard and numbers the attempts again.
func (r *run) place(t *task) {
	index, _ := indexOf(t.pod)
	shard := shardOf(r.shards, index)
	t.current.Shard, t.current.UID = shard, string(t.pod.UID)
	list := append(slices.Clip(r.byShard[shard]), t)
	// Of two created in the same second, the deleted one came first, else the one reported first.
	slices.SortStableFunc(list, func(a, b *task) int {
		return cmp.Or(cmp.Compare(attemptOf(a.pod), attemptOf(b.pod)), utc(a.pod.CreationTimestamp).Compare(utc(b.pod.CreationTimestamp)), cmp.Compare(goes(b), goes(a)))
	})
	r.byShard[shard] = list
}

// goes is 1 if the task's pod is being deleted or has vanished.
func goes(t *task) int {
	if t.pod.DeletionTimestamp != nil || !t.vanished.IsZero() {
		return 1
	}
	return 0
}

// trim forgets the oldest tasks of a shard that have ended. A Job's pods must also have vanished.
func (e *Engine) trim(r *run, shard int) {
	for list := r.byShard[shard]; len(list) > maxPast && cloud.Ended(list[0].current.State); list = r.byShard[shard] {
		if r.job != nil && list[0].vanished.IsZero() {
			return
		}
		delete(r.pods, list[0].pod.UID)
		r.byShard[shard] = list[1:]
		list[0].dropped = true
		e.watchers.Add(subject{r, list[0]})
	}
}

// refresh judges all tasks of a run and reports changes. e.mu must be held.
func (e *Engine) refresh(r *run, certain bool) {
	e.judgeAll(r, certain)
	if r.set != nil && r.stopped() {
		e.close(r)
		delete(e.runs, r.set.UID)
		e.run(r.set.UID).set = r.set // If it's scaled again, that's another run.
		return
	}
	e.publishRun(r)
	for shard, list := range r.byShard {
		for _, t := range list {
			e.publishTask(r, t)
		}
		e.trim(r, shard)
	}
}

// judgeAll judges the tasks that have not ended. e.mu must be held.
func (e *Engine) judgeAll(r *run, certain bool) {
	for _, list := range r.byShard {
		for _, t := range list {
			e.judge(r, t, certain)
		}
	}
}

// judge updates the state of a task. Once it has ended, only Retry changes. e.mu must be held.
func (e *Engine) judge(r *run, t *task, certain bool) {
	if cloud.Ended(t.current.State) {
		t.current.Retry = r.job != nil && retries(r.job, t.pod, t.current.State)
		return
	}
	now, ok := judge(t.pod, sight{
		job: r.job, set: r.set, certain: certain, vanished: t.vanished, missed: t.missed, orphaned: r.orphaned, asked: t.asked,
	})
	now.TaskRef = t.current.TaskRef
	list := r.byShard[t.current.Shard]
	first := list[0]
	if r.set != nil {
		first = r.ordinals[t.current.Shard].first
	} else {
		now.Run, now.Attempt = r.job.Name, max(attemptOf(t.pod), slices.Index(list, t)+1)
	}
	if first != t {
		now.FirstUID, now.FirstNode = first.current.UID, first.pod.Spec.NodeName
	}
	if t.restarts > 0 {
		now.Created = latest(now.Created, t.since)
	}
	if !now.Stuck.IsZero() {
		now.Stuck = latest(now.Stuck, now.Created)
	}
	if !now.Started.IsZero() && (r.began.IsZero() || now.Started.Before(r.began)) {
		r.began = now.Started
	}
	if !ok {
		e.question(r.object().GetUID())
		if t.current.State != "" {
			return // Keep the reported state until that is known.
		}
		now.State, now.Ended = "", time.Time{}
	}
	now.Retry = r.job != nil && cloud.Ended(now.State) && retries(r.job, t.pod, now.State)
	t.current = now
}

// question schedules reading the Job or the StatefulSet of a run again. e.mu must be held.
func (e *Engine) question(uid types.UID) {
	e.questions[uid] = true
	wake.Up(e.asking)
}

// askPause is the pause before a failed read is repeated.
const askPause = time.Second

// ask reads the objects in question until Close. That distinguishes a recent command, ours or
// another scheduler's, from an action of others.
func (e *Engine) ask() {
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-e.asking:
		}
		e.mu.Lock()
		questions := e.questions
		e.questions = make(map[types.UID]bool)
		e.mu.Unlock()
		for uid := range questions {
			if e.answer(uid) {
				continue
			}
			_ = sleep.For(e.ctx, askPause)
			e.mu.Lock()
			if r := e.runs[uid]; r.known() && !r.vanished {
				e.question(uid)
			}
			e.mu.Unlock()
		}
	}
}

// answer reads the object of a run and decides about its tasks. It returns false if it can't be read.
func (e *Engine) answer(uid types.UID) bool {
	e.mu.Lock()
	r := e.runs[uid]
	if !r.known() || r.vanished {
		e.mu.Unlock()
		return true
	}
	object := r.object()
	name, owner := object.GetName(), ownerOf(object)
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(e.ctx, 10*time.Second)
	defer cancel()
	var err error
	if _, isJob := object.(*batchv1.Job); isJob {
		object, err = e.jobs.Get(ctx, name, metav1.GetOptions{})
	} else {
		object, err = e.sets.Get(ctx, name, metav1.GetOptions{})
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return e.ctx.Err() != nil
	}
	vanished, orphaned := err != nil || object.GetUID() != uid, false
	if vanished {
		if orphaned, err = e.orphaned(ctx, owner); err != nil {
			return e.ctx.Err() != nil
		}
	} else {
		strip(object)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch r := e.runs[uid]; {
	case !r.known() || r.vanished:
	case vanished:
		r.orphaned = orphaned
		e.end(r)
	default:
		if !older(object, r.object()) {
			r.put(object)
		}
		e.refresh(r, true)
	}
	return true
}

// publishRun reports a run if it has changed. e.mu must be held.
func (e *Engine) publishRun(r *run) {
	if now := r.summary(); now != r.status {
		r.status = now
		e.watchers.Add(subject{run: r})
	}
}

// publishTask reports a task if it has changed. e.mu must be held.
func (e *Engine) publishTask(r *run, t *task) {
	if t.current.State == "" || t.current == t.published {
		return
	}
	t.published = t.current
	e.watchers.Add(subject{r, t})
}
