//go:build kubernetes

package kubetest_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCL38SilentNode: a node reports that a pod runs, and then nothing more. Its task is unreachable,
// even after the cluster deleted the pod, and its shard gets no other pod, because the process may still
// be working. It ends when the node reports again or is removed; then the shard is retried elsewhere.
func TestCL38SilentNode(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(f *fixture, pod *corev1.Pod) error{"it speaks again": (*fixture).nodeEnds, "it is removed": (*fixture).nodeRemoved} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := watched(t)
			silent, cordon := f.twoNodes()
			r := f.launch(func(r *cloud.Run) {
				r.Job.Failover, r.Job.Shards = true, 1
				r.App.Pod = &cloud.PodSettings{
					NodeSelector: map[string]string{pairOfNodes: f.namespace}, Tolerations: []cloud.Toleration{{Key: pairOfNodes}},
				}
			})
			f.beginOn(silent, r.Name)
			first := f.working(1)[0]
			f.until(2*patience, "the task is unreachable", func() bool {
				now := f.tasks[first.UID]
				return now.State == tracing.StateUnreachable && now.Changed.After(now.Started)
			})
			f.until(2*patience, "the pod is deleted", func() bool {
				now := f.tasks[first.UID]
				return now.State == tracing.StateUnreachable && strings.Contains(now.Message, "the pod is deleted")
			})
			eventually(t, patience, "the Job counts the pod as terminating", func() bool {
				job, err := cluster.Batch.Jobs(f.namespace).Get(t.Context(), r.Name, metav1.GetOptions{})
				return err == nil && job.Status.Terminating != nil && *job.Status.Terminating == 1 && job.Status.Active == 0
			})
			pods := f.pods(r.Name)
			if len(pods) != 1 {
				t.Fatalf("%d pods of one shard while its node is silent", len(pods))
			}
			cordon(false)
			if err := end(f, &pods[0]); err != nil {
				t.Fatal(err)
			}
			f.until(2*patience, "the first task has ended", func() bool {
				return f.last[first.UID].State == tracing.StateGone || f.tasks[first.UID].State == tracing.StateGone
			})
			again := f.working(1)[0]
			if again.Attempt != 2 || again.FirstUID != first.UID {
				t.Errorf("the second is %+v", again)
			}
			if err := cluster.EndPod(t.Context(), f.namespace, r.Name, 0, 0); err != nil {
				t.Fatal(err)
			}
			if s := f.ended(patience, r.Name); s.State != cloud.RunSucceeded {
				t.Errorf("the run is %+v", s)
			}
		})
	}
}

// nodeEnds plays a kubelet that reports again: the process ended, and the pod is deleted.
func (f *fixture) nodeEnds(pod *corev1.Pod) error {
	pods := cluster.Core.Pods(f.namespace)
	pod, err := pods.Get(f.Context(), pod.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	s := &pod.Status.ContainerStatuses[0]
	s.Ready, s.State = false, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: 143, Reason: "Error", StartedAt: s.State.Running.StartedAt, FinishedAt: metav1.Now(),
	}}
	pod.Status.Phase = corev1.PodFailed
	if _, err := pods.UpdateStatus(f.Context(), pod, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return pods.Delete(f.Context(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))})
}

// nodeRemoved removes the node of a pod from the cluster.
func (f *fixture) nodeRemoved(pod *corev1.Pod) error {
	return cluster.Core.Nodes().Delete(f.Context(), pod.Spec.NodeName, metav1.DeleteOptions{})
}

// pairOfNodes is the label of a fixture's own two nodes, and their taint, which keeps other tests' pods away.
const pairOfNodes = "kubetest.example/pair"

// twoNodes creates a node whose kubelet the test plays, and a simulated one that takes no pods
// until cordon allows it.
func (f *fixture) twoNodes() (silent *corev1.Node, cordon func(bool)) {
	f.Helper()
	nodes := cluster.Core.Nodes()
	made := func(name string, labels map[string]string, cordoned bool) *corev1.Node {
		labels[pairOfNodes] = f.namespace
		node, err := nodes.Create(f.Context(), &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
			Spec:       corev1.NodeSpec{Unschedulable: cordoned, Taints: []corev1.Taint{{Key: pairOfNodes, Effect: corev1.TaintEffectNoSchedule}}},
		}, metav1.CreateOptions{})
		if err != nil {
			f.Fatal(err)
		}
		return node
	}
	silent = made(f.namespace+"-silent", map[string]string{}, false)
	played := made(f.namespace+"-played", map[string]string{kubetest.Played: "true"}, true)
	f.Cleanup(func() {
		for _, node := range []*corev1.Node{silent, played} {
			_ = nodes.Delete(context.WithoutCancel(f.Context()), node.Name, metav1.DeleteOptions{}) // The test may have removed it.
		}
	})
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("100"), corev1.ResourceMemory: resource.MustParse("1Ti"), corev1.ResourcePods: resource.MustParse("100"),
	}
	eventually(f.T, patience, "the node is ready", func() bool { // Controllers write to it at the same time.
		node, err := nodes.Get(f.Context(), silent.Name, metav1.GetOptions{})
		if err != nil {
			return false
		}
		node.Status.Capacity, node.Status.Allocatable = room, room
		node.Status.Conditions = []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
		}}
		_, err = nodes.UpdateStatus(f.Context(), node, metav1.UpdateOptions{})
		return err == nil
	})
	return silent, func(cordoned bool) {
		f.Helper()
		eventually(f.T, patience, "the played node takes pods", func() bool {
			node, err := nodes.Get(f.Context(), played.Name, metav1.GetOptions{})
			if err == nil {
				node.Spec.Unschedulable = cordoned
				_, err = nodes.Update(f.Context(), node, metav1.UpdateOptions{})
			}
			return err == nil
		})
	}
}

// beginOn reports that a run's pod has started on a node, as soon as the pod exists.
func (f *fixture) beginOn(node *corev1.Node, run string) {
	f.Helper()
	eventually(f.T, patience, "the pod has begun on the node", func() bool {
		pods := f.pods(run)
		if len(pods) != 1 || pods[0].Spec.NodeName != node.Name {
			return false
		}
		pod, now := &pods[0], metav1.Now()
		pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
		for _, c := range []corev1.PodConditionType{corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady} {
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: c, Status: corev1.ConditionTrue, LastTransitionTime: now})
		}
		for _, c := range pod.Spec.Containers {
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
				Name: c.Name, Image: c.Image, Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
			})
		}
		_, err := cluster.Core.Pods(f.namespace).UpdateStatus(f.Context(), pod, metav1.UpdateOptions{})
		return err == nil
	})
}
