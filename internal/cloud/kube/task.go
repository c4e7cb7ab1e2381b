package kube

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// sight is what else is known about a pod.
type sight struct {
	job *batchv1.Job
	// set is for a DAEMON job, instead of job.
	set *appsv1.StatefulSet
	// certain means that the Job is at least as new as the pod's end. Before that, our own command
	// may not have arrived yet, and "somebody else" would be a guess.
	certain bool
	// vanished is when the pod's object vanished, or zero. missed means that its last state was missed.
	vanished time.Time
	missed   bool
	// orphaned means that the Job vanished with its owner.
	orphaned bool
	// asked is when the pod was first deleted, if that was seen. If it's zero, use the pod's own time.
	asked time.Time
}

// judge returns the state of a pod's task, its reason, and when it started and ended. ok is false
// if the Job must be read again first.
func judge(pod *corev1.Pod, s sight) (t cloud.Task, ok bool) {
	if s.asked.IsZero() {
		s.asked = deletionRequested(pod)
	}
	t = cloud.Task{State: tracing.StateStaging, Node: pod.Spec.NodeName, IP: pod.Status.PodIP, Created: utc(pod.CreationTimestamp)}
	c := containerOf(pod)
	var end *corev1.ContainerStateTerminated
	switch {
	case c == nil:
	case c.State.Terminated != nil:
		end = c.State.Terminated
		t.Started = latest(utc(end.StartedAt))
	case c.State.Running != nil:
		t.State, t.Started = tracing.StateRunning, utc(c.State.Running.StartedAt)
	}
	var before *corev1.ContainerStatus // An init container that must succeed first. A StatefulSet restarts it.
	if end == nil && t.State == tracing.StateStaging && s.set == nil {
		if before = failedInit(pod); before != nil {
			end = before.State.Terminated
		}
	}
	over := end != nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed || !s.vanished.IsZero()
	if !over {
		if t.State == tracing.StateStaging {
			t.Message, t.Stuck = waiting(pod, c)
		}
		if since, silent := silentSince(pod); silent && t.State == tracing.StateRunning {
			t.State, t.Message, t.Changed = tracing.StateUnreachable, "its node is silent or not ready", since
			if pod.DeletionTimestamp != nil {
				t.Message += "; the pod is deleted and will be gone when the node is back or removed from the cluster"
			}
		}
		return t, true
	}
	t.Ended = latest(endOf(pod, end, s), t.Started, t.Created)
	switch {
	case s.set != nil && end != nil && removed(pod, end, s.asked):
		// A daemon runs until it's stopped, so its exit code doesn't show why it ended.
	case end != nil && end.ExitCode == 0 || end == nil && pod.Status.Phase == corev1.PodSucceeded:
		t.State = tracing.StateFinished
		return t, true
	case end != nil && !removed(pod, end, s.asked), end == nil && pod.Status.Phase == corev1.PodFailed && pod.DeletionTimestamp == nil && disruption(pod) == nil:
		if t.State, t.Message = tracing.StateFailed, failure(pod, end); before != nil {
			t.Message = initFailure(pod, before.Name, end)
		}
		return t, true
	}
	if t.State, t.Message, ok = taken(pod, s); ok && ignoredSIGTERM(pod, end) {
		t.Message += cloud.IgnoredSIGTERM
	}
	return t, ok
}

// silentSince reports whether and since when the cluster has lost touch with a pod's node. The node
// controller then sets Ready to false and leaves everything else as the node last reported it. A responsive
// node sets Ready like ContainersReady, except for readiness gates, which have their own reason.
func silentSince(pod *corev1.Pod) (time.Time, bool) {
	const gates = "ReadinessGatesNotReady"
	var ready, containers *corev1.PodCondition
	for i, c := range pod.Status.Conditions {
		switch c.Type {
		case corev1.PodReady:
			ready = &pod.Status.Conditions[i]
		case corev1.ContainersReady:
			containers = &pod.Status.Conditions[i]
		}
	}
	if ready == nil || containers == nil || ready.Status != corev1.ConditionFalse || containers.Status != corev1.ConditionTrue || ready.Reason == gates {
		return time.Time{}, false
	}
	return utc(ready.LastTransitionTime), true
}

// ignoredSIGTERM reports whether the container was killed at the end of its grace. Its times have
// whole seconds.
func ignoredSIGTERM(pod *corev1.Pod, end *corev1.ContainerStateTerminated) bool {
	const killed = 128 + 9
	return end != nil && end.ExitCode == killed && pod.DeletionTimestamp != nil && !utc(end.FinishedAt).Before(utc(*pod.DeletionTimestamp))
}

func containerOf(pod *corev1.Pod) *corev1.ContainerStatus {
	at := slices.IndexFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.Name == container })
	if at < 0 {
		return nil
	}
	return &pod.Status.ContainerStatuses[at]
}

func endOf(pod *corev1.Pod, end *corev1.ContainerStateTerminated, s sight) time.Time {
	if end != nil && !end.FinishedAt.IsZero() {
		return utc(end.FinishedAt)
	}
	if c := disruption(pod); c != nil {
		return utc(c.LastTransitionTime)
	}
	if !s.asked.IsZero() {
		return s.asked
	}
	return s.vanished
}

// deletionRequested is when the pod was deleted, or zero. A node deletes such a pod again when its
// containers have ended. If the Job's finalizer still holds the pod, it then has the time of the
// second deletion; see asked of [sight].
func deletionRequested(pod *corev1.Pod) time.Time {
	if pod.DeletionTimestamp == nil {
		return time.Time{}
	}
	return utc(*pod.DeletionTimestamp).Add(-time.Duration(deref(pod.DeletionGracePeriodSeconds, 0)) * time.Second)
}

func disruption(pod *corev1.Pod) *corev1.PodCondition {
	for i, c := range pod.Status.Conditions {
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// removed reports whether the container ended because its pod was removed, and not earlier by
// itself. Then its exit code has no meaning.
func removed(pod *corev1.Pod, end *corev1.ContainerStateTerminated, asked time.Time) bool {
	if disruption(pod) != nil {
		return true
	}
	// A container that never started has no time for its end.
	return !asked.IsZero() && (end.FinishedAt.IsZero() || !utc(end.FinishedAt).Before(asked))
}

// failure is the cause of a container that ended by itself, or of a pod without one.
func failure(pod *corev1.Pod, end *corev1.ContainerStateTerminated) string {
	if end == nil {
		return cut(joined(pod.Status.Reason, pod.Status.Message), maxCause)
	}
	text := fmt.Sprintf("exit code %d", end.ExitCode)
	if end.Reason != "" {
		text += " (" + end.Reason + ")"
	}
	if message := strings.TrimSpace(end.Message); message != "" {
		text += ": " + message
	}
	return cut(text, maxCause)
}

// taken returns the state of a task after its pod was removed, depending on who removed it.
func taken(pod *corev1.Pod, s sight) (state cloud.State, message string, certain bool) {
	if s.set != nil {
		return takenDaemon(pod, s)
	}
	if o, found := commandOf(s.job.Annotations, noteKilled+string(pod.UID)); found {
		return byWay(o)
	}
	if c := disruption(pod); c != nil {
		return disrupted(c.Reason), cut(joined(c.Reason, c.Message), maxCause), true
	}
	if o, found := commandOf(s.job.Annotations, noteEnded); found {
		return byWay(o)
	}
	if late(s) {
		return tracing.StateFailed, "deadline: the run took longer than " + deadline(s.job).String(), true
	}
	if o, found := commandOf(s.job.Annotations, noteSuspended); found && (suspended(s.job) || !utc(pod.CreationTimestamp).After(o.At)) {
		return byWay(o)
	}
	switch {
	case s.orphaned:
		return tracing.StateKilled, fmt.Sprintf("job %q was deleted", s.job.Annotations[noteJobName]), true
	case suspended(s.job):
		return tracing.StateKilled, "suspended outside of ElasticJob", true
	case s.missed:
		return tracing.StateUnknown, "", s.certain
	default:
		return tracing.StateLost, "deleted outside of ElasticJob", s.certain
	}
}

// byWay returns the state of a task that was ended by a command.
func byWay(o command) (cloud.State, string, bool) {
	if o.Way == cloud.EndError {
		return tracing.StateError, o.String(), true
	}
	return tracing.StateKilled, o.String(), true
}

// late reports whether the pod was deleted because of the run's deadline.
func late(s sight) bool {
	if c := condition(s.job, batchv1.JobFailed, batchv1.JobFailureTarget); c != nil && c.Reason == batchv1.JobReasonDeadlineExceeded {
		return true
	}
	began := utc(deref(s.job.Status.StartTime, metav1.Time{}))
	return deadline(s.job) > 0 && !s.asked.IsZero() && !began.IsZero() && !s.asked.Before(began.Add(deadline(s.job)))
}

// disrupted returns the state for a reason of the condition DisruptionTarget.
func disrupted(reason string) cloud.State {
	switch reason {
	case "EvictionByEvictionAPI":
		return tracing.StateGoneByOperator
	case corev1.PodReasonPreemptionByScheduler, corev1.PodReasonTerminationByKubelet:
		return tracing.StateDropped
	}
	return tracing.StateGone // DeletionByTaintManager, DeletionByPodGC: its node no longer exists.
}

// stuck has the reasons that don't pass by themselves, so people must fix something.
var stuck = []string{
	"ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError", "RegistryUnavailable",
	"SignatureValidationFailed", "CreateContainerConfigError", "CreateContainerError", "RunContainerError",
}

func isStuck(reason string) bool { return slices.Contains(stuck, reason) }

// waiting returns why a pod has not started, and since when it can't start.
func waiting(pod *corev1.Pod, c *corev1.ContainerStatus) (message string, since time.Time) {
	since = utc(pod.CreationTimestamp)
	for _, cond := range pod.Status.Conditions {
		if cond.Type != corev1.PodScheduled {
			continue
		}
		if cond.Status != corev1.ConditionTrue {
			return cut(joined(cond.Reason, cond.Message), maxCause), time.Time{}
		}
		since = latest(since, utc(cond.LastTransitionTime))
	}
	if why, stays := unprepared(pod); why != "" {
		if !stays {
			since = time.Time{}
		}
		return why, since
	}
	if c == nil || c.State.Waiting == nil {
		return "", time.Time{}
	}
	w := c.State.Waiting
	if !isStuck(w.Reason) {
		since = time.Time{}
	}
	if w.Reason == "ContainerCreating" || w.Reason == "PodInitializing" {
		return "", time.Time{} // no problem
	}
	return cut(joined(w.Reason, w.Message), maxCause), since
}

func joined(reason, message string) string {
	switch {
	case message == "":
		return reason
	case reason == "":
		return message
	}
	return reason + ": " + message
}
