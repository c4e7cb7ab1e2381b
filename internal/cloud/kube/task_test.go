package kube

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var made = metav1.NewTime(time.Date(2026, 11, 22, 10, 49, 0, 0, time.UTC))

func at(seconds int) metav1.Time {
	return metav1.NewTime(made.Add(time.Duration(seconds) * time.Second))
}

// samplePod is a scheduled pod.
func samplePod(change ...func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p", UID: "pod-1", CreationTimestamp: made},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
		Status: corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{
			{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: at(1)},
		}},
	}
	for _, c := range change {
		c(pod)
	}
	return pod
}

func state(s corev1.ContainerState) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "sidecar"}, {Name: container, State: s}}
	}
}

func waits(reason, message string) func(*corev1.Pod) {
	return state(corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}})
}

func runs(pod *corev1.Pod) {
	state(corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(2)}})(pod)
}

// ready sets the readiness conditions of the pod and its containers.
func ready(pod corev1.ConditionStatus, reason string, containers corev1.ConditionStatus) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Phase = corev1.PodRunning
		p.Status.Conditions = append(p.Status.Conditions,
			corev1.PodCondition{Type: corev1.PodReady, Status: pod, Reason: reason, LastTransitionTime: at(4)},
			corev1.PodCondition{Type: corev1.ContainersReady, Status: containers, LastTransitionTime: at(3)})
	}
}

func exits(code int32, reason, message string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		state(corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message, StartedAt: at(2), FinishedAt: at(9)}})(pod)
	}
}

// deletedAt deletes the pod with thirty seconds of grace.
func deletedAt(seconds int) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = new(at(seconds+30)), new(int64(30))
	}
}

func disruptedBy(reason string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.Status.Phase = corev1.PodFailed
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason, Message: "why", LastTransitionTime: at(8)})
	}
}

func sampleJob(change ...func(*batchv1.Job)) *batchv1.Job {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "run", Annotations: map[string]string{}}, Status: batchv1.JobStatus{StartTime: new(made)}}
	for _, c := range change {
		c(job)
	}
	return job
}

func noted(note string, way cloud.Way) func(*batchv1.Job) {
	return func(job *batchv1.Job) {
		job.Annotations[note] = newCommand(cloud.Ending{Way: way, By: "root", Reason: "by mistake"}, at(7).Time, 0).encode()
	}
}

func suspend(job *batchv1.Job) { job.Spec.Suspend = new(true) }

func limited(seconds int64) func(*batchv1.Job) {
	return func(job *batchv1.Job) { job.Spec.ActiveDeadlineSeconds = new(seconds) }
}

// TestSilentNode: only the condition Ready of its pods shows that the cluster has lost touch with a node.
func TestSilentNode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		pod     *corev1.Pod
		state   cloud.State
		message string
	}{
		{"its node is silent", samplePod(runs, ready(corev1.ConditionFalse, "", corev1.ConditionTrue)), tracing.StateUnreachable, "its node is silent or not ready"},
		{"its node is silent and it is being deleted", samplePod(runs, deletedAt(5), ready(corev1.ConditionFalse, "", corev1.ConditionTrue)), tracing.StateUnreachable, "its node is silent or not ready; the pod is deleted and will be gone when the node is back or removed from the cluster"},
		{"its node is back", samplePod(runs, ready(corev1.ConditionTrue, "", corev1.ConditionTrue)), tracing.StateRunning, ""},
		{"not ready by itself", samplePod(runs, ready(corev1.ConditionFalse, "ContainersNotReady", corev1.ConditionFalse)), tracing.StateRunning, ""},
		{"not ready by a gate", samplePod(runs, ready(corev1.ConditionFalse, "ReadinessGatesNotReady", corev1.ConditionTrue)), tracing.StateRunning, ""},
	} {
		got, ok := judge(tt.pod, sight{job: sampleJob()})
		if !ok || got.State != tt.state || got.Message != tt.message || got.Changed.IsZero() != (tt.state == tracing.StateRunning) {
			t.Errorf("%s: %+v, %v; want %s, %q", tt.name, got, ok, tt.state, tt.message)
		}
	}
}

// TestJudge: the table of states, section 3.5 of the specification.
func TestJudge(t *testing.T) {
	t.Parallel()
	lost := sight{vanished: at(10).Time, certain: true}
	tests := []struct {
		name    string
		pod     *corev1.Pod
		job     *batchv1.Job
		sight   sight
		state   cloud.State
		message string
	}{
		{"no status yet", samplePod(), sampleJob(), sight{}, tracing.StateStaging, ""},
		{"as it should be", samplePod(waits("ContainerCreating", "")), sampleJob(), sight{}, tracing.StateStaging, ""},
		{"no node", samplePod(func(p *corev1.Pod) {
			p.Status.Conditions[0] = corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "0/4 nodes"}
		}), sampleJob(), sight{}, tracing.StateStaging, "Unschedulable: 0/4 nodes"},
		{"no image", samplePod(waits("ImagePullBackOff", "not found")), sampleJob(), sight{}, tracing.StateStaging, "ImagePullBackOff: not found"},
		{"running", samplePod(runs), sampleJob(), sight{}, tracing.StateRunning, ""},
		{"going, and still there", samplePod(deletedAt(5), runs), sampleJob(), sight{}, tracing.StateRunning, ""},
		{"exit 0, before the phase changes", samplePod(exits(0, "Completed", "")), sampleJob(), sight{}, tracing.StateFinished, ""},
		{"exit 0 although it had to go", samplePod(exits(0, "Completed", ""), deletedAt(5)), sampleJob(noted(noteEnded, cloud.EndKill)), sight{}, tracing.StateFinished, ""},
		{"exit 7", samplePod(exits(7, "Error", "meant to fail\n")), sampleJob(), sight{}, tracing.StateFailed, "exit code 7 (Error): meant to fail"},
		{"out of memory", samplePod(exits(137, "OOMKilled", "")), sampleJob(), sight{}, tracing.StateFailed, "exit code 137 (OOMKilled)"},
		{"exit 7, deleted afterwards", samplePod(exits(7, "Error", ""), deletedAt(20)), sampleJob(noted(noteEnded, cloud.EndKill)), sight{}, tracing.StateFailed, "exit code 7 (Error)"},
		{"refused by its node", samplePod(func(p *corev1.Pod) {
			p.Status.Phase, p.Status.Reason, p.Status.Message = corev1.PodFailed, "OutOfcpu", "node has none"
		}), sampleJob(), sight{}, tracing.StateFailed, "OutOfcpu: node has none"},
		{"killed by us", samplePod(exits(2, "Error", ""), deletedAt(5)), sampleJob(noted(noteEnded, cloud.EndKill)), sight{}, tracing.StateKilled, "ended by root: by mistake"},
		{"killed by us after its grace", samplePod(exits(137, "Error", ""), func(p *corev1.Pod) {
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = new(at(9)), new(int64(4))
		}), sampleJob(noted(noteEnded, cloud.EndKill)), sight{}, tracing.StateKilled, "ended by root: by mistake; it ignored SIGTERM for its grace period and was ended by SIGKILL"},
		{"given up by us", samplePod(deletedAt(5)), sampleJob(noted(noteEnded, cloud.EndError)), lost, tracing.StateError, "given up by root: by mistake"},
		{"given up by us, with an end of no time", samplePod(deletedAt(5), state(corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "ContainerStatusUnknown"}})), sampleJob(noted(noteEnded, cloud.EndError)), sight{}, tracing.StateError, "given up by root: by mistake"},
		{"one pod killed by us", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(noted(noteKilled+"pod-1", cloud.EndKill)), sight{}, tracing.StateKilled, "ended by root: by mistake"},
		{"another one killed by us", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(noted(noteKilled+"pod-2", cloud.EndKill)), sight{certain: true}, tracing.StateLost, "deleted outside of ElasticJob"},
		{"suspended by us", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(noted(noteSuspended, cloud.EndSuspend), suspend), sight{}, tracing.StateKilled, "suspended by root: by mistake"},
		{"suspended and resumed before its end", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(noted(noteSuspended, cloud.EndSuspend)), sight{}, tracing.StateKilled, "suspended by root: by mistake"},
		{"suspended from outside", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(suspend), sight{}, tracing.StateKilled, "suspended outside of ElasticJob"},
		{"deadline, not in the Job yet", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(limited(5)), sight{}, tracing.StateFailed, "deadline: the run took longer than 5s"},
		{"deleted before the deadline", samplePod(exits(143, "Error", ""), deletedAt(4)), sampleJob(limited(5)), sight{certain: true}, tracing.StateLost, "deleted outside of ElasticJob"},
		{"drained", samplePod(disruptedBy("EvictionByEvictionAPI"), deletedAt(5), exits(143, "Error", "")), sampleJob(), sight{}, tracing.StateGoneByOperator, "EvictionByEvictionAPI: why"},
		{"preempted", samplePod(disruptedBy("PreemptionByScheduler"), deletedAt(5)), sampleJob(), sight{}, tracing.StateDropped, "PreemptionByScheduler: why"},
		{"evicted by its node", samplePod(disruptedBy("TerminationByKubelet")), sampleJob(), sight{}, tracing.StateDropped, "TerminationByKubelet: why"},
		{"its node vanished", samplePod(disruptedBy("DeletionByTaintManager"), deletedAt(5)), sampleJob(), lost, tracing.StateGone, "DeletionByTaintManager: why"},
		{"deleted from outside", samplePod(exits(143, "Error", ""), deletedAt(5)), sampleJob(), sight{certain: true}, tracing.StateLost, "deleted outside of ElasticJob"},
		{"vanished", samplePod(), sampleJob(), sight{vanished: at(10).Time, certain: true, missed: true}, tracing.StateUnknown, ""},
	}
	for _, tt := range tests {
		tt.sight.job = tt.job
		got, ok := judge(tt.pod, tt.sight)
		if !ok || got.State != tt.state || got.Message != tt.message {
			t.Errorf("%s: %v, %s %q; want %s %q", tt.name, ok, got.State, got.Message, tt.state, tt.message)
		}
		if cloud.Ended(got.State) != !got.Ended.IsZero() || cloud.Ended(got.State) && got.Ended.Before(got.Started) {
			t.Errorf("%s: it began at %v and ended at %v", tt.name, got.Started, got.Ended)
		}
	}
}

// TestDeletedOnceMoreByItsNode: a pod is deleted, its containers end, and its node deletes it
// again. While the Job's finalizer holds it, it has the time of the second deletion. Its containers
// ended before that, but not by themselves.
func TestDeletedOnceMoreByItsNode(t *testing.T) {
	t.Parallel()
	var seen task
	seen.take(samplePod(runs))
	seen.take(samplePod(runs, deletedAt(5)))
	seen.take(samplePod(exits(143, "Error", ""), func(p *corev1.Pod) {
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = new(at(10)), new(int64(0))
	}))
	got, ok := judge(seen.pod, sight{job: sampleJob(), certain: true, asked: seen.asked})
	if want := "deleted outside of ElasticJob"; !ok || got.State != tracing.StateLost || got.Message != want {
		t.Errorf("the task is %s: %s (%t), want %s: %s", got.State, got.Message, ok, tracing.StateLost, want)
	}
}

// TestJudgeIsNotSure: who removed a pod is unknown until the Job was read again.
func TestJudgeIsNotSure(t *testing.T) {
	t.Parallel()
	for name, pod := range map[string]*corev1.Pod{"ended": samplePod(exits(143, "Error", ""), deletedAt(5)), "vanished": samplePod(deletedAt(5))} {
		if got, ok := judge(pod, sight{job: sampleJob(), vanished: at(9).Time}); ok {
			t.Errorf("%s: %s %q, although a command may be under way", name, got.State, got.Message)
		}
	}
}

// TestStuck: since when a task can't start, for its start deadline.
func TestStuck(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]time.Time{
		"ErrImagePull": at(1).Time, "InvalidImageName": at(1).Time, "CreateContainerConfigError": at(1).Time, "ContainerCreating": {}, "SomethingNew": {},
	} {
		got, _ := judge(samplePod(waits(reason, "")), sight{job: sampleJob()})
		if !got.Stuck.Equal(want) {
			t.Errorf("%s: stuck since %v, want %v", reason, got.Stuck, want)
		}
	}
}

func TestStatusOf(t *testing.T) {
	t.Parallel()
	done := func(kind batchv1.JobConditionType, reason string) func(*batchv1.Job) {
		return func(job *batchv1.Job) {
			job.Status.Conditions = append(job.Status.Conditions, batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, LastTransitionTime: at(20)})
		}
	}
	failed := func(list string) func(*batchv1.Job) {
		return func(job *batchv1.Job) { job.Status.FailedIndexes = &list }
	}
	some := func(job *batchv1.Job) { job.Annotations[noteShards] = "0,2,5,6" }
	tests := []struct {
		name    string
		job     *batchv1.Job
		began   time.Time
		state   cloud.RunState
		message string
	}{
		{"waits", sampleJob(), time.Time{}, cloud.RunWaiting, ""},
		{"works", sampleJob(), at(2).Time, cloud.RunRunning, ""},
		{"worked, its pods vanished", sampleJob(func(j *batchv1.Job) { j.Status.Failed = 1 }), time.Time{}, cloud.RunRunning, ""},
		{"well", sampleJob(done(batchv1.JobComplete, "CompletionsReached")), at(2).Time, cloud.RunSucceeded, ""},
		{"nearly well", sampleJob(done(batchv1.JobSuccessCriteriaMet, "CompletionsReached")), at(2).Time, cloud.RunRunning, ""},
		{"failed", sampleJob(done(batchv1.JobFailed, "FailedIndexes"), failed("1,3-4"), some), at(2).Time, cloud.RunFailed, "shards 2,6,4 failed"},
		{"all that failed was killed", sampleJob(done(batchv1.JobFailed, "FailedIndexes"), failed("0"), noted(noteKilled+"x", cloud.EndKill)), at(2).Time, cloud.RunKilled, "shards 0 were ended"},
		{"more than that failed", sampleJob(done(batchv1.JobFailed, "FailedIndexes"), failed("0,1"), noted(noteKilled+"x", cloud.EndKill)), at(2).Time, cloud.RunFailed, "shards 0,1 failed"},
		{"deadline", sampleJob(done(batchv1.JobFailed, "DeadlineExceeded"), limited(5)), at(2).Time, cloud.RunFailed, "deadline: it took longer than 5s"},
		{"killed", sampleJob(done(batchv1.JobFailed, "DeadlineExceeded"), limited(1), noted(noteEnded, cloud.EndKill)), at(2).Time, cloud.RunKilled, "ended by root: by mistake"},
		{"given up", sampleJob(done(batchv1.JobFailed, "DeadlineExceeded"), limited(1), noted(noteEnded, cloud.EndError)), time.Time{}, cloud.RunFailed, "given up by root: by mistake"},
		{"being killed", sampleJob(noted(noteEnded, cloud.EndKill)), at(2).Time, cloud.RunRunning, "is being ended by root: by mistake"},
		{"suspended", sampleJob(suspend, noted(noteSuspended, cloud.EndSuspend)), at(2).Time, cloud.RunSuspended, "suspended by root: by mistake"},
		{"suspended from outside", sampleJob(suspend), at(2).Time, cloud.RunSuspended, "suspended outside of ElasticJob"},
		{"in a queue", sampleJob(suspend, func(j *batchv1.Job) { j.Labels = map[string]string{labelQueue: "night"} }), time.Time{}, cloud.RunWaiting, "waits for queue night"},
		{"an edited annotation", sampleJob(suspend, func(j *batchv1.Job) { j.Annotations[noteSuspended] = "{" }), time.Time{}, cloud.RunSuspended, "ended: the annotation " + noteSuspended + " cannot be read"},
	}
	for _, tt := range tests {
		got := statusOf(tt.job, tt.began)
		if got.State != tt.state || got.Message != tt.message {
			t.Errorf("%s: %s %q; want %s %q", tt.name, got.State, got.Message, tt.state, tt.message)
		}
		if got.State.Ended() != !got.Ended.IsZero() {
			t.Errorf("%s: it ended at %v", tt.name, got.Ended)
		}
	}
}

// TestW41RetriedPods: another pod follows a failed one, within the limit of its index, unless the
// Job has given up the index.
func TestW41RetriedPods(t *testing.T) {
	t.Parallel()
	job := func(limit int32, failed string) *batchv1.Job {
		return &batchv1.Job{Spec: batchv1.JobSpec{BackoffLimitPerIndex: new(limit)}, Status: batchv1.JobStatus{FailedIndexes: new(failed)}}
	}
	pod := func(failures string, conditions ...corev1.PodCondition) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{batchv1.JobCompletionIndexAnnotation: "4", batchv1.JobIndexFailureCountAnnotation: failures}},
			Status:     corev1.PodStatus{Conditions: conditions},
		}
	}
	disrupted := corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue}
	for name, one := range map[string]struct {
		job   *batchv1.Job
		pod   *corev1.Pod
		state cloud.State
		want  bool
	}{
		"the first failure":    {job(2, ""), pod("0"), tracing.StateFailed, true},
		"the second failure":   {job(2, "1"), pod("1"), tracing.StateFailed, true},
		"the last failure":     {job(2, ""), pod("2"), tracing.StateFailed, false},
		"a lost node":          {job(2, ""), pod("2", disrupted), tracing.StateGone, true},
		"without failover":     {job(0, ""), pod("0", disrupted), tracing.StateGone, false},
		"given up":             {job(2, "1,3-5"), pod("0"), tracing.StateFailed, false},
		"did not start":        {job(2, ""), pod("0"), tracing.StateError, false},
		"killed":               {job(2, ""), pod("0"), tracing.StateKilled, false},
		"of another scheduler": {&batchv1.Job{}, pod("0"), tracing.StateFailed, false},
	} {
		if got := retries(one.job, one.pod, one.state); got != one.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
