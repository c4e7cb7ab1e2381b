//go:build !race

package kube

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
)

func objects() int64 {
	runtime.GC()
	runtime.GC() // The first one frees the content of pools.
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Mallocs - stats.Frees)
}

// finished adds a succeeded run of one shard, with its Job and its pod like on a real cluster.
func (d *double) finished(t *testing.T, i int) {
	t.Helper()
	at := fire.Add(time.Duration(i) * time.Second)
	name := fmt.Sprintf("job-%d", i)
	r := shopRun(func(r *cloud.Run) {
		r.Job = cloud.NewJob(name, "shop", 1)
		r.Job.CPU, r.Job.MemoryMB, r.Fire, r.Name = 0.1, 64, at, cloud.RunName(name, at)
	})
	job, err := manifest(r, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	began, ended := metav1.NewTime(at), metav1.NewTime(at.Add(9*time.Second))
	job.TypeMeta, job.Namespace = metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}, "runs"
	d.put("jobs", job)
	job.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.ControllerUidLabel: string(job.UID)}}
	job.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "elasticjob-cloud", Operation: metav1.ManagedFieldsOperationUpdate, Time: &began}}
	job.Status = batchv1.JobStatus{
		StartTime: &began, CompletionTime: &ended, Succeeded: 1, CompletedIndexes: "0", Ready: new(int32(0)), UncountedTerminatedPods: &batchv1.UncountedTerminatedPods{},
		Conditions: []batchv1.JobCondition{
			{Type: batchv1.JobSuccessCriteriaMet, Status: corev1.ConditionTrue, LastProbeTime: ended, LastTransitionTime: ended, Reason: batchv1.JobReasonCompletionsReached, Message: "Reached expected number of succeeded pods"},
			{Type: batchv1.JobComplete, Status: corev1.ConditionTrue, LastProbeTime: ended, LastTransitionTime: ended, Reason: batchv1.JobReasonCompletionsReached, Message: "Reached expected number of succeeded pods"},
		},
	}
	d.put("jobs", job)
	labels := maps.Clone(job.Spec.Template.Labels)
	maps.Copy(labels, map[string]string{
		batchv1.JobNameLabel: job.Name, "job-name": job.Name, batchv1.ControllerUidLabel: string(job.UID), "controller-uid": string(job.UID), batchv1.JobCompletionIndexAnnotation: "0",
	})
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: job.Name + "-0-" + strconv.Itoa(i), GenerateName: job.Name + "-0-", Namespace: "runs", Labels: labels,
			Annotations:     map[string]string{batchv1.JobCompletionIndexAnnotation: "0", batchv1.JobIndexFailureCountAnnotation: "0", noteJobName: name},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))},
			ManagedFields:   job.ManagedFields,
		},
		Spec: job.Spec.Template.Spec,
		Status: corev1.PodStatus{
			Phase: corev1.PodSucceeded, PodIP: "10.0.0.1", PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}}, HostIP: "192.0.2.1", HostIPs: []corev1.HostIP{{IP: "192.0.2.1"}}, StartTime: &began, QOSClass: corev1.PodQOSBurstable,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: container, Image: "registry.example/shop:1", ImageID: "registry.example/shop@sha256:a5b0c9f7f3cf1a2b4e5d6c7b8a9f0e1d2c3b4a5f6e7d8c9b0a1f2e3d4c5b6a7f",
				ContainerID: "containerd://a5b0c9f7f3cf1a2b4e5d6c7b8a9f0e1d2c3b4a5f6e7d8c9b0a1f2e3d4c5b6a7f", Started: new(false),
				State:              corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: began, FinishedAt: ended, ContainerID: "containerd://a5b0c9f7f3cf1a2b4e5d6c7b8a9f0e1d2c3b4a5f6e7d8c9b0a1f2e3d4c5b6a7f"}},
				AllocatedResources: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")},
				Resources:          &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}},
			}},
		},
	}
	for _, kind := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionFalse, LastTransitionTime: ended, Reason: "PodCompleted"})
	}
	pod.Spec.NodeName = "node-" + strconv.Itoa(i%5)
	d.put("pods", pod)
}

// Ended runs of ten thousand jobs are kept for a while, each with its Job and its pod.
func TestMemoryOfManyRuns(t *testing.T) {
	const runs, limit = 1000, 70
	d := newDouble(t)
	for i := range runs {
		d.finished(t, i)
	}
	before := objects()
	e := open(t, d)
	synced, ended := make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	states := make(map[cloud.RunState]int)
	go func() {
		ended <- e.Watch(ctx, func(event cloud.TaskEvent) {
			switch {
			case event.Event == cloud.EventChanged && event.Task.UID == "":
				states[event.Run.State]++
			case event.Event == cloud.EventSynced:
				close(synced)
			}
		})
	}()
	select {
	case <-synced:
	case err := <-ended:
		t.Fatal(err)
	}
	of := (objects() - before) / runs
	t.Logf("%d objects in memory for each of %d runs", of, runs)
	if states[cloud.RunSucceeded] != runs || len(slices.Collect(maps.Keys(states))) != 1 {
		t.Errorf("the watch has reported runs of these states: %v, want %d that succeeded", states, runs)
	}
	if of > limit {
		t.Errorf("an engine holds %d objects for each of %d runs of one shard, want at most %d", of, runs, limit)
	}
	cancel()
	<-ended
}
