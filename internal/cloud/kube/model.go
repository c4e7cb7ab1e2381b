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

// run is our knowledge of a Job and its pods.
type run struct {
	job      *batchv1.Job // nil while only its pods were reported
	status   cloud.RunStatus
	shards   []int
	began    time.Time
	pods     map[types.UID]*task
	byShard  map[int][]*task // by shard, in the order of creation
	vanished bool
	orphaned bool // it vanished together with its owner
}

// task is our knowledge of a pod. It outlives the pod, but not the run.
type task struct {
	pod *corev1.Pod
	// current is the known state, published the one that watchers have.
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

// onJob handles the current state of a Job, stripped. Watches and answers to our own requests arrive in any
// order, so older states are ignored. The Job may be shared with the informer, so it must not be changed.
func (e *Engine) onJob(job *batchv1.Job) {
	if !ownJob(job) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	current := e.runs[e.names[job.Name]]
	if current != nil && current.job != nil && older(job, current.job) {
		return // We know a later state, or a later one with this name.
	}
	r := e.run(job.UID)
	if r.vanished || r.job != nil && older(job, r.job) {
		return
	}
	if current != nil && current != r && current.job != nil {
		e.end(current) // An earlier one with this name: first report that it vanished.
	}
	e.names[job.Name] = job.UID
	r.job, r.shards = job, shardsOf(job)
	if r.status.Name == "" {
		// Only now the shards of earlier pods are known.
		r.byShard = make(map[int][]*task)
		for _, t := range r.pods {
			r.place(t)
		}
	}
	e.judgeAll(r, false)
	e.publishRun(r)
	for _, t := range r.pods {
		e.publishTask(r, t)
	}
}

// older compares the versions of two objects of one kind, which are growing numbers.
func older(a, b metav1.Object) bool {
	x, errX := strconv.ParseUint(a.GetResourceVersion(), 10, 64)
	y, errY := strconv.ParseUint(b.GetResourceVersion(), 10, 64)
	return errX == nil && errY == nil && x < y
}

// run returns the entry of a Job. e.mu must be held.
func (e *Engine) run(uid types.UID) *run {
	r := e.runs[uid]
	if r == nil {
		r = &run{pods: make(map[types.UID]*task), byShard: make(map[int][]*task)}
		e.runs[uid] = r
	}
	return r
}

// onJobVanished handles the deletion of a Job. Its active tasks are lost, killed if a command explains
// the deletion, or unknown if we missed their last state.
func (e *Engine) onJobVanished(job *batchv1.Job) {
	if !ownJob(job) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[job.UID]
	if r == nil || r.vanished {
		return
	}
	if r.job == nil || !older(job, r.job) {
		r.job = job
	}
	if e.cfg.Owners != nil && ownerOf(r.job) != nil && !ended(r.job) {
		e.question(r.job.UID, question{name: r.job.Name}) // If its owner was deleted, its tasks have another state.
		return
	}
	e.end(r)
}

// end removes a run whose Job was deleted. e.mu must be held.
func (e *Engine) end(r *run) {
	if r.vanished {
		return
	}
	r.vanished = true
	delete(e.questions, r.job.UID)
	if e.names[r.job.Name] == r.job.UID {
		delete(e.names, r.job.Name)
	}
	// The entry stays until the last pod has vanished, so that reports about it don't make a new run.
	there := make(map[types.UID]*task)
	for uid, t := range r.pods {
		if t.vanished.IsZero() {
			t.vanished, there[uid] = time.Now().UTC(), t
		}
	}
	e.judgeAll(r, true)
	for _, t := range r.pods {
		e.watchers.Add(subject{r, t})
	}
	r.status = statusOf(r.job, r.began)
	e.watchers.Add(subject{run: r})
	if r.pods = there; len(there) == 0 {
		delete(e.runs, r.job.UID)
	}
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
	e.trim(r, t)
}

// place adds a task to its shard and numbers the attempts again.
func (r *run) place(t *task) {
	index, _ := indexOf(t.pod)
	shard := shardOf(r.shards, index)
	t.current.Shard = shard
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

// trim forgets the oldest tasks of a shard whose pods have vanished.
func (e *Engine) trim(r *run, of *task) {
	list := r.byShard[of.current.Shard]
	if len(list) <= maxPast || list[0].vanished.IsZero() || !cloud.Ended(list[0].current.State) {
		return
	}
	delete(r.pods, list[0].pod.UID)
	r.byShard[of.current.Shard] = list[1:]
	list[0].dropped = true
	e.watchers.Add(subject{r, list[0]})
}

// judgeAll judges the tasks that have not ended. e.mu must be held.
func (e *Engine) judgeAll(r *run, certain bool) {
	for _, t := range r.pods {
		e.judge(r, t, certain)
	}
}

// judge updates the state of a task. Once it has ended, only Retry changes. e.mu must be held.
func (e *Engine) judge(r *run, t *task, certain bool) {
	if cloud.Ended(t.current.State) {
		t.current.Retry = retries(r.job, t.pod, t.current.State)
		return
	}
	now, ok := judge(t.pod, sight{job: r.job, certain: certain, vanished: t.vanished, missed: t.missed, orphaned: r.orphaned, asked: t.asked})
	list := r.byShard[t.current.Shard]
	at := slices.Index(list, t)
	now.TaskRef = cloud.TaskRef{Run: r.job.Name, Shard: t.current.Shard, UID: string(t.pod.UID), Attempt: max(attemptOf(t.pod), at+1)}
	if first := list[0]; first != t {
		now.FirstUID, now.FirstNode = string(first.pod.UID), first.pod.Spec.NodeName
	}
	if !now.Started.IsZero() && (r.began.IsZero() || now.Started.Before(r.began)) {
		r.began = now.Started
	}
	if !ok {
		e.question(r.job.UID, question{name: r.job.Name})
		if t.current.UID != "" {
			return // Keep the reported state until that is known.
		}
		now.State, now.Ended = "", time.Time{}
	}
	now.Retry = cloud.Ended(now.State) && retries(r.job, t.pod, now.State)
	t.current = now
}

// question is a Job or a StatefulSet to read again.
type question struct {
	name   string
	daemon bool
}

// question schedules reading a Job or a StatefulSet again. e.mu must be held.
func (e *Engine) question(uid types.UID, q question) {
	e.questions[uid] = q
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
		for uid, q := range e.asked() {
			if e.answer(uid, q) {
				continue
			}
			_ = sleep.For(e.ctx, askPause)
			e.mu.Lock()
			if r := e.runs[uid]; q.daemon && e.daemons[uid] != nil || r != nil && !r.vanished && r.job != nil {
				e.question(uid, q)
			}
			e.mu.Unlock()
		}
	}
}

func (e *Engine) asked() map[types.UID]question {
	e.mu.Lock()
	defer e.mu.Unlock()
	questions := e.questions
	e.questions = make(map[types.UID]question)
	return questions
}

// answer reads a Job or a StatefulSet and decides about its tasks. It returns false if it can't be read.
func (e *Engine) answer(uid types.UID, q question) bool {
	ctx, cancel := context.WithTimeout(e.ctx, 10*time.Second)
	defer cancel()
	var job *batchv1.Job
	var set *appsv1.StatefulSet
	var object metav1.Object
	var err error
	if q.daemon {
		set, err = e.sets.Get(ctx, q.name, metav1.GetOptions{})
		object = set
	} else {
		job, err = e.jobs.Get(ctx, q.name, metav1.GetOptions{})
		object = job
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return e.ctx.Err() != nil
	}
	vanished, orphaned := err != nil || object.GetUID() != uid, false
	if vanished {
		if orphaned, err = e.orphaned(ctx, e.ownerIn(uid)); err != nil {
			return e.ctx.Err() != nil
		}
	} else {
		strip(object)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r, d := e.runs[uid], e.daemons[uid]
	switch {
	case d != nil && d.set != nil && vanished:
		d.orphaned = orphaned
		e.dissolve(d)
	case d != nil && d.set != nil:
		if !older(set, d.set) {
			d.set = set
		}
		e.settle(d, true)
	case r == nil || r.vanished:
	case vanished:
		r.orphaned = orphaned
		e.end(r)
	default:
		if !older(job, r.job) {
			r.job = job
		}
		e.judgeAll(r, true)
		e.publishRun(r)
		for _, t := range r.pods {
			e.publishTask(r, t)
		}
	}
	return true
}

// ownerIn returns the object that a run belongs to, as it was reported last, or nil.
func (e *Engine) ownerIn(uid types.UID) *metav1.OwnerReference {
	e.mu.Lock()
	defer e.mu.Unlock()
	if d := e.daemons[uid]; d != nil && d.set != nil {
		return ownerOf(d.set)
	}
	if r := e.runs[uid]; r != nil && r.job != nil {
		return ownerOf(r.job)
	}
	return nil
}

// publishRun reports a run if it has changed. e.mu must be held.
func (e *Engine) publishRun(r *run) {
	now := statusOf(r.job, r.began)
	if now == r.status {
		return
	}
	r.status = now
	e.watchers.Add(subject{run: r})
}

// publishTask reports a task if it has changed. e.mu must be held.
func (e *Engine) publishTask(r *run, t *task) {
	if t.current.State == "" || t.current == t.published {
		return
	}
	t.published = t.current
	e.watchers.Add(subject{r, t})
}
