package kube

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// play is the state of the double's Job controller for a Job.
type play struct {
	done, failed map[int]bool
	failures     map[int]int
	timer        *time.Timer
}

// reconcile imitates the Job controller. d.mu must be held.
func (d *double) reconcile(job *batchv1.Job) {
	if ended(job) {
		return
	}
	p := d.plays[job.UID]
	if p == nil {
		p = &play{done: make(map[int]bool), failed: make(map[int]bool), failures: make(map[int]int)}
		d.plays[job.UID] = p
	}
	if suspended(job) {
		for _, pod := range d.activePods(job) {
			d.deletePod(pod, false)
		}
		d.setCondition(job, batchv1.JobSuspended, "JobSuspended", corev1.ConditionTrue)
		job.Status.StartTime = nil
		d.put("jobs", job)
		return
	}
	if condition(job, batchv1.JobSuspended) != nil {
		d.setCondition(job, batchv1.JobSuspended, "JobResumed", corev1.ConditionFalse)
	}
	if job.Status.StartTime == nil {
		job.Status.StartTime = new(metav1.Now())
	}
	if limit := deadline(job); limit > 0 {
		if left := time.Until(job.Status.StartTime.Add(limit)); left <= 0 {
			d.finish(job, batchv1.JobFailed, batchv1.JobReasonDeadlineExceeded)
			return
		} else if p.timer == nil {
			p.timer = time.AfterFunc(left+time.Millisecond, func() {
				d.mu.Lock()
				defer d.mu.Unlock()
				p.timer = nil
				if d.objects["jobs/"+job.Name] == metav1.Object(job) {
					d.reconcile(job)
				}
			})
		}
	}
	d.makePods(job, p)
	switch {
	case len(p.done)+len(p.failed) < total(job):
		job.Status.Succeeded, job.Status.Failed = int32(len(p.done)), int32(len(p.failed))
		d.put("jobs", job)
	case len(p.failed) > 0:
		list := ""
		for _, index := range slices.Sorted(maps.Keys(p.failed)) {
			list += "," + strconv.Itoa(index)
		}
		job.Status.FailedIndexes = new(strings.TrimPrefix(list, ","))
		d.finish(job, batchv1.JobFailed, "FailedIndexes")
	default:
		d.finish(job, batchv1.JobComplete, "CompletionsReached")
	}
}

func (d *double) makePods(job *batchv1.Job, p *play) {
	active := d.activePods(job)
	for len(active) > int(*job.Spec.Parallelism) {
		d.deletePod(active[0], false)
		active = active[1:]
	}
	for index := range total(job) {
		busy := slices.ContainsFunc(active, func(pod *corev1.Pod) bool {
			n, _ := indexOf(pod)
			return n == index
		})
		if p.done[index] || p.failed[index] || busy || len(active) >= int(*job.Spec.Parallelism) {
			continue
		}
		active = append(active, d.makePod(job, index, p.failures[index]))
	}
}

func (d *double) activePods(job *batchv1.Job) (active []*corev1.Pod) {
	for _, key := range slices.Sorted(maps.Keys(d.objects)) {
		if pod, ok := d.objects[key].(*corev1.Pod); ok && metav1.IsControlledBy(pod, job) && pod.Status.Phase == corev1.PodRunning {
			active = append(active, pod)
		}
	}
	return active
}

func (d *double) makePod(job *batchv1.Job, index, failures int) *corev1.Pod {
	number := strconv.Itoa(index)
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("%s-%d-%05d", job.Name, index, d.version), Labels: maps.Clone(job.Spec.Template.Labels),
			Annotations:     map[string]string{batchv1.JobCompletionIndexAnnotation: number, batchv1.JobIndexFailureCountAnnotation: strconv.Itoa(failures)},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))},
		},
		Spec: corev1.PodSpec{NodeName: "node-1"},
	}
	pod.Labels[batchv1.JobNameLabel], pod.Labels[batchv1.JobCompletionIndexAnnotation] = job.Name, number
	d.put("pods", pod)
	pod.Status.Phase, pod.Status.PodIP = corev1.PodRunning, "10.0.0.1"
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: container, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}}}
	d.put("pods", pod)
	return pod
}

// endPod sets the status that a kubelet writes when a container has ended.
func (d *double) endPod(pod *corev1.Pod, code int32, reason, message string) {
	state := &pod.Status.ContainerStatuses[0].State
	state.Terminated = &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message, StartedAt: state.Running.StartedAt, FinishedAt: metav1.Now()}
	state.Running = nil
	pod.Status.Phase = corev1.PodSucceeded
	if code != 0 {
		pod.Status.Phase = corev1.PodFailed
	}
	d.put("pods", pod)
}

// deletePod deletes a pod. If it counts, its index has one more failure.
func (d *double) deletePod(pod *corev1.Pod, counts bool) {
	if pod.Status.Phase == corev1.PodRunning {
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = new(metav1.NewTime(time.Now().Add(30*time.Second))), new(int64(30))
		d.put("pods", pod)
		d.endPod(pod, 143, "Error", "")
		if counts {
			d.count(pod, 143)
		}
	}
	d.remove("pods", pod)
}

func (d *double) count(pod *corev1.Pod, code int32) {
	owner := metav1.GetControllerOf(pod)
	p := d.plays[owner.UID]
	job, _ := d.objects["jobs/"+owner.Name].(*batchv1.Job)
	if p == nil || job == nil {
		return
	}
	index, _ := indexOf(pod)
	if code == 0 {
		p.done[index] = true
		return
	}
	p.failures[index]++
	never := slices.Contains(job.Spec.PodFailurePolicy.Rules[0].OnExitCodes.Values, code)
	if never || p.failures[index] > int(*job.Spec.BackoffLimitPerIndex) {
		p.failed[index] = true
	}
}

func (d *double) reconcileOwner(pod *corev1.Pod) {
	if set, ok := d.objects["statefulsets/"+metav1.GetControllerOf(pod).Name].(*appsv1.StatefulSet); ok {
		d.reconcileSet(set)
	}
	if job, ok := d.objects["jobs/"+metav1.GetControllerOf(pod).Name].(*batchv1.Job); ok {
		d.reconcile(job)
	}
}

func (d *double) exit(run string, index int, code int32, reason, message string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if set, daemon := setOf(run); daemon {
		d.restart(set, index, code, reason, message)
		return
	}
	job, ok := d.objects["jobs/"+run].(*batchv1.Job)
	if !ok {
		return
	}
	for _, pod := range d.activePods(job) {
		if n, _ := indexOf(pod); n == index {
			d.endPod(pod, code, reason, message)
			d.count(pod, code)
			d.reconcile(job)
			return
		}
	}
}

func (d *double) deleteJob(job *batchv1.Job) {
	d.remove("jobs", job)
	for _, key := range slices.Sorted(maps.Keys(d.objects)) {
		if pod, ok := d.objects[key].(*corev1.Pod); ok && metav1.IsControlledBy(pod, job) {
			d.deletePod(pod, false)
		}
	}
}

func (d *double) finish(job *batchv1.Job, kind batchv1.JobConditionType, reason string) {
	for _, pod := range d.activePods(job) {
		d.deletePod(pod, false)
	}
	d.setCondition(job, kind, reason, corev1.ConditionTrue)
	if kind == batchv1.JobComplete {
		job.Status.CompletionTime = new(metav1.Now())
	}
	d.put("jobs", job)
}

func (d *double) setCondition(job *batchv1.Job, kind batchv1.JobConditionType, reason string, status corev1.ConditionStatus) {
	job.Status.Conditions = slices.DeleteFunc(job.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == kind })
	job.Status.Conditions = append(job.Status.Conditions, batchv1.JobCondition{Type: kind, Status: status, Reason: reason, LastTransitionTime: metav1.Now()})
}

func (d *double) indexOf(run string, shard int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if job, ok := d.objects["jobs/"+run].(*batchv1.Job); ok {
		if shards := shardsOf(job); shards != nil {
			return slices.Index(shards, shard)
		}
	}
	return shard
}
