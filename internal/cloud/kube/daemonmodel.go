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

// daemon is our knowledge of a StatefulSet and its pods. It's reported as one run. Its tasks are
// the starts of each pod's container.
type daemon struct {
	run

	set    *appsv1.StatefulSet // nil while only its pods were reported
	live   map[types.UID]*corev1.Pod
	shards map[int]*ordinal
}

// ordinal is the state of a shard, except its last tasks.
type ordinal struct {
	first *task
	// attempts counts the attempts of all pods before the last one, which is pod.
	attempts, last int
	pod            types.UID
}

// daemon returns the entry of a StatefulSet. e.mu must be held.
func (e *Engine) daemon(uid types.UID) *daemon {
	d := e.daemons[uid]
	if d == nil {
		d = &daemon{live: make(map[types.UID]*corev1.Pod), shards: make(map[int]*ordinal), run: run{byShard: make(map[int][]*task)}}
		e.daemons[uid] = d
	}
	return d
}

// onSet handles the current state of a StatefulSet, stripped. It must not be changed, like a Job.
func (e *Engine) onSet(set *appsv1.StatefulSet) {
	if !ownSet(set) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	name := cloud.DaemonRunName(set.Annotations[noteJobName])
	current := e.daemons[e.names[name]]
	if current != nil && current.set != nil && older(set, current.set) {
		return // We know a later state, or a later one with this name.
	}
	d := e.daemon(set.UID)
	if d.set != nil && older(set, d.set) {
		return
	}
	if current != nil && current != d && current.set != nil {
		e.dissolve(current) // An earlier one with this name: first report that it vanished.
	}
	e.names[name] = set.UID
	d.set = set
	e.settle(d, false)
}

func (e *Engine) onSetVanished(set *appsv1.StatefulSet) {
	if !ownSet(set) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.daemons[set.UID]
	if d == nil {
		return
	}
	if d.set == nil || !older(set, d.set) {
		d.set = set
	}
	if e.cfg.Owners != nil && ownerOf(d.set) != nil && d.status.Name != "" {
		e.question(set.UID, question{set.Name, true}) // If its owner was deleted, its tasks have another state.
		return
	}
	e.dissolve(d)
}

// dissolve removes a deleted StatefulSet. e.mu must be held.
func (e *Engine) dissolve(d *daemon) {
	for _, list := range d.byShard {
		for _, t := range list {
			if t.vanished.IsZero() {
				t.vanished = time.Now().UTC()
			}
		}
	}
	e.judgeDaemon(d, true)
	e.close(d)
	delete(e.daemons, d.set.UID)
	delete(e.questions, d.set.UID)
	if name := cloud.DaemonRunName(d.set.Annotations[noteJobName]); e.names[name] == d.set.UID {
		delete(e.names, name)
	}
}

// close reports the end of a StatefulSet's run, with the last state of each task. e.mu must be held.
func (e *Engine) close(d *daemon) {
	if d.status.Name == "" {
		return
	}
	d.vanished = true
	for _, list := range d.byShard {
		for _, t := range list {
			e.watchers.Add(subject{&d.run, t})
		}
	}
	e.watchers.Add(subject{run: &d.run})
}

// onDaemonPod handles the current state of a StatefulSet's pod or, if it vanished, its last state.
func (e *Engine) onDaemonPod(owner types.UID, pod *corev1.Pod, vanished, missed bool) {
	shard, known := ordinalOf(pod)
	if !known {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.daemons[owner]
	if d == nil && vanished {
		return
	}
	d = e.daemon(owner)
	if _, there := d.live[pod.UID]; vanished && !there {
		return
	}
	d.live[pod.UID] = pod
	for _, s := range starts(pod) {
		d.place(shard, s)
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
		e.settle(d, false)
	case len(d.live) == 0:
		delete(e.daemons, owner)
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
// waits for its restart, the kubelet's count includes the one that has ended.
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

// place adds or updates the task of a start.
func (d *daemon) place(shard int, s start) {
	uid := string(s.pod.UID)
	if s.restarts > 0 {
		uid += "-" + strconv.Itoa(s.restarts)
	}
	for _, t := range d.byShard[shard] {
		if t.current.UID == uid {
			t.take(s.pod)
			return
		}
	}
	o := d.shards[shard]
	if o == nil {
		o = &ordinal{pod: s.pod.UID}
		d.shards[shard] = o
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
	d.byShard[shard] = append(d.byShard[shard], t)
}

// settle judges the tasks of a StatefulSet and reports changes. If it has and should have no pods,
// its run is over. e.mu must be held.
func (e *Engine) settle(d *daemon, certain bool) {
	e.judgeDaemon(d, certain)
	// A StatefulSet that is being deleted keeps its name a little longer than its pods.
	keepsName := d.set.DeletionTimestamp != nil && d.status.Name != ""
	if replicas(d.set) == 0 && len(d.live) == 0 && !keepsName {
		set := d.set
		e.close(d)
		delete(e.daemons, set.UID)
		e.daemon(set.UID).set = set // If it's scaled again, that's another run.
		return
	}
	if now := d.summary(); now != d.status {
		d.status = now
		e.watchers.Add(subject{run: &d.run})
	}
	for shard, list := range d.byShard {
		for _, t := range list {
			e.publishTask(&d.run, t)
		}
		for len(list) > maxPast && cloud.Ended(list[0].current.State) {
			list[0].dropped = true
			e.watchers.Add(subject{&d.run, list[0]})
			list = list[1:]
			d.byShard[shard] = list
		}
	}
}

// judgeDaemon updates the state of all tasks that have not ended. e.mu must be held.
func (e *Engine) judgeDaemon(d *daemon, certain bool) {
	for shard, list := range d.byShard {
		first := d.shards[shard].first
		for _, t := range list {
			if cloud.Ended(t.current.State) {
				continue
			}
			now, ok := judge(t.pod, sight{set: d.set, certain: certain, vanished: t.vanished, missed: t.missed, orphaned: d.orphaned, asked: t.asked})
			now.TaskRef = t.current.TaskRef
			if first != t {
				now.FirstUID, now.FirstNode = first.current.UID, first.pod.Spec.NodeName
			}
			if t.restarts > 0 {
				now.Created = latest(now.Created, t.since)
			}
			if !now.Stuck.IsZero() {
				now.Stuck = latest(now.Stuck, now.Created)
			}
			if !now.Started.IsZero() && (d.began.IsZero() || now.Started.Before(d.began)) {
				d.began = now.Started
			}
			if !ok {
				e.question(d.set.UID, question{d.set.Name, true})
				if t.current.State != "" {
					continue // Keep the reported state until that is known.
				}
				now.State, now.Ended = "", time.Time{}
			}
			t.current = now
		}
	}
}

// summary returns the run's status according to a StatefulSet and its pods. A message means that
// there is a problem.
func (d *daemon) summary() cloud.RunStatus {
	set, began, notes := d.set, d.began, d.set.Annotations
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
	for shard, list := range d.byShard {
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

// takenDaemon returns the state of a DAEMON job's task whose pod was removed.
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
func (d *daemon) container(t *task) (pod string, earlier bool) {
	live := d.live[t.pod.UID]
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
