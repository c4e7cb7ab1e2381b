package kube

import (
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// ordinal is the state of a shard, except its last tasks.
type ordinal struct {
	first *task
	// attempts counts the attempts of all pods before the last one, which is pod.
	attempts, last int
	pod            types.UID
}

// onDaemonPod handles the current state of a StatefulSet's pod or, if it vanished, its last state.
func (e *Engine) onDaemonPod(owner types.UID, pod *corev1.Pod, vanished, missed bool) {
	shard, known := ordinalOf(pod)
	if !known {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.runs[owner]
	if d == nil && vanished {
		return
	}
	d = e.run(owner)
	if _, there := d.live[pod.UID]; vanished && !there {
		return
	}
	if d.live == nil {
		d.live, d.ordinals = make(map[types.UID]*corev1.Pod), make(map[int]*ordinal)
	}
	d.live[pod.UID] = pod
	for _, s := range starts(pod) {
		d.placeStart(shard, s)
	}
	if vanished {
		delete(d.live, pod.UID)
		for _, t := range d.byShard[shard] {
			if t.pod.UID == pod.UID && t.vanished.IsZero() {
				t.vanished, t.missed = time.Now().UTC(), missed
			}
		}
	}
	switch {
	case d.set != nil:
		e.refresh(d, false)
	case len(d.live) == 0:
		delete(e.runs, owner)
	}
}

// ordinalOf returns the pod's number in its StatefulSet, or false.
func ordinalOf(pod *corev1.Pod) (int, bool) {
	n, err := strconv.Atoi(pod.Labels[appsv1.PodIndexLabel])
	return n, err == nil && n >= 0 && n < cloud.MaxShards
}

// start is one start of a pod's container, as a pod with only that start.
type start struct {
	pod      *corev1.Pod
	restarts int
	since    time.Time // when the previous one ended; zero for the pod's first
}

// starts returns the starts that a pod shows: the current and the previous one. While a container
// waits for its restart, the kubelet's count includes the ended start.
func starts(pod *corev1.Pod) []start {
	c := containerOf(pod)
	if c == nil {
		return []start{{pod: pod}}
	}
	n, before := int(c.RestartCount), c.LastTerminationState.Terminated
	alone := func(s corev1.ContainerState) *corev1.Pod {
		only := *pod
		only.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: container, State: s}}
		return &only
	}
	switch {
	case before == nil:
		return []start{{pod: pod, restarts: n}}
	case c.State.Waiting != nil:
		n++
	}
	// The pod's deletion came after this start ended.
	past := alone(corev1.ContainerState{Terminated: before})
	past.DeletionTimestamp, past.DeletionGracePeriodSeconds, past.Status.Conditions = nil, nil, nil
	past.Status.Phase = corev1.PodRunning
	present := start{pod: alone(c.State), restarts: n, since: utc(before.FinishedAt)}
	if n < 1 {
		return []start{present}
	}
	return []start{{pod: past, restarts: n - 1}, present}
}

func (r *run) placeStart(shard int, s start) {
	uid := string(s.pod.UID)
	if s.restarts > 0 {
		uid += "-" + strconv.Itoa(s.restarts)
	}
	for _, t := range r.byShard[shard] {
		if t.current.UID == uid {
			t.take(s.pod)
			return
		}
	}
	o := r.ordinals[shard]
	if o == nil {
		o = &ordinal{pod: s.pod.UID}
		r.ordinals[shard] = o
	}
	if o.pod != s.pod.UID {
		o.pod, o.attempts = s.pod.UID, o.last
	}
	attempt := o.attempts + s.restarts + 1
	if attempt <= o.last {
		return // It was dropped, because newer ones are known.
	}
	o.last = attempt
	t := &task{restarts: s.restarts, since: s.since}
	t.take(s.pod)
	t.current.TaskRef = cloud.TaskRef{Run: cloud.DaemonRunName(s.pod.Annotations[noteJobName]), Shard: shard, UID: uid, Attempt: attempt}
	if o.first == nil {
		o.first = t
	}
	r.byShard[shard] = append(r.byShard[shard], t)
}

// stopped reports whether a StatefulSet has and should have no pods, so its run is over. While it's being
// deleted, it keeps its name a little longer than its pods.
func (r *run) stopped() bool {
	keepsName := r.set.DeletionTimestamp != nil && r.status.Name != ""
	return replicas(r.set) == 0 && len(r.live) == 0 && !keepsName
}

// daemonStatus returns the run's status according to a StatefulSet and its pods. A message means that
// there is a problem.
func (r *run) daemonStatus() cloud.RunStatus {
	set, began, notes := r.set, r.began, r.set.Annotations
	status := cloud.RunStatus{
		Name: cloud.DaemonRunName(notes[noteJobName]), JobName: notes[noteJobName], AppName: notes[noteAppName], Owner: notes[noteOwner], Origin: cloud.OriginDaemon,
		Shards: replicas(set), Count: replicas(set), State: cloud.RunWaiting, Created: utc(set.CreationTimestamp), Started: began,
	}
	if n, err := strconv.Atoi(notes[noteTotal]); err == nil {
		status.Shards = n
	}
	if !began.IsZero() {
		status.State = cloud.RunRunning
	}
	if status.Count == 0 {
		status.Count, status.Message = status.Shards, "is being stopped"
		return status
	}
	waiting, first := 0, 0
	for shard, list := range r.byShard {
		if t := list[len(list)-1].current; t.State == tracing.StateStaging && t.Message != "" || t.State == tracing.StateUnreachable {
			if waiting++; waiting == 1 || shard < first {
				first, status.Message = shard, t.Message
			}
		}
	}
	if waiting > 0 {
		one, many := unit(set)
		status.Message = cut(fmt.Sprintf("%d of %d %s are not running; %s %d: %s", waiting, status.Count, many, one, first, status.Message), maxCause)
	}
	return status
}

// unit returns the words for the pods of a StatefulSet.
func unit(set *appsv1.StatefulSet) (one, many string) {
	if set.Annotations[noteDaemon] == cloud.DaemonRegistry {
		return "process", "processes"
	}
	return "shard", "shards"
}

// takenDaemon returns the state of a DAEMON job's task after its pod was removed.
func takenDaemon(pod *corev1.Pod, s sight) (state cloud.State, message string, certain bool) {
	if o, found := commandOf(s.set.Annotations, noteKilled+string(pod.UID)); found {
		return byWay(o)
	}
	if c := disruption(pod); c != nil {
		return disrupted(c.Reason), cut(joined(c.Reason, c.Message), maxCause), true
	}
	count := replicas(s.set)
	if o, found := commandOf(s.set.Annotations, noteEnded); found && (count == 0 || !utc(pod.CreationTimestamp).After(o.At)) {
		return byWay(o)
	}
	shard, _ := ordinalOf(pod)
	switch {
	case s.orphaned:
		return tracing.StateKilled, fmt.Sprintf("job %q was deleted", s.set.Annotations[noteJobName]), true
	case count == 0:
		return tracing.StateKilled, "stopped outside of ElasticJob", true
	case shard >= count:
		_, many := unit(s.set)
		return tracing.StateKilled, fmt.Sprintf("the job has only %d %s now", count, many), s.certain
	case pod.Annotations[noteDigest] != s.set.Spec.Template.Annotations[noteDigest]:
		return tracing.StateKilled, "replaced: the job or its application was changed", s.certain
	case s.missed:
		return tracing.StateUnknown, "", s.certain
	default:
		return tracing.StateLost, "deleted outside of ElasticJob", s.certain
	}
}

// container returns the pod with a task's log, and whether it's the log of the previous container;
// "" if the log no longer exists.
func (r *run) container(t *task) (pod string, earlier bool) {
	live := r.live[t.pod.UID]
	if live == nil {
		return "", false
	}
	restarts := 0
	if c := containerOf(live); c != nil {
		restarts = int(c.RestartCount)
	}
	switch t.restarts {
	case restarts:
		return live.Name, false
	case restarts - 1:
		return live.Name, true
	}
	return "", false // too long ago, or not started
}
