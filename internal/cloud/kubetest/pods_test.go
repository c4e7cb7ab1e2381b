//go:build kubernetes

package kubetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Ends of pods, for the tests of this package.

// playPort is the port for requests to end the program of PlayImage.
const playPort = "8099"

// EndPod ends the newest running pod of a run's index with an exit code, like its node. It waits
// for such a pod.
func (c *Cluster) EndPod(ctx context.Context, namespace, run string, index int, code int32) error {
	return c.api.until(ctx, fmt.Sprintf("a running pod of index %d of %s", index, run), func(ctx context.Context) error {
		pod, err := c.podOf(ctx, namespace, run, index)
		if err != nil {
			return err
		}
		if c.node != nil {
			if err := c.endReal(ctx, pod, code); err != nil {
				return err
			}
			return c.counted(ctx, pod)
		}
		pod.Status.Phase = corev1.PodSucceeded
		if code != 0 {
			pod.Status.Phase = corev1.PodFailed
		}
		for i, s := range pod.Status.ContainerStatuses {
			pod.Status.ContainerStatuses[i].State, pod.Status.ContainerStatuses[i].Ready = endOf(s.State, code), false
		}
		_, err = c.Core.Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		return err
	})
}

// endReal ends the program of a real pod with an exit code.
func (c *Cluster) endReal(ctx context.Context, pod *corev1.Pod, code int32) error {
	if pod.Status.PodIP == "" {
		return errors.New("it has no address yet")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("http://%s/end/%d", net.JoinHostPort(pod.Status.PodIP, playPort), code), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		return errors.Join(errors.New("it has answered"), response.Body.Close())
	}
	if ctx.Err() != nil || !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "reset") {
		return err // It isn't listening yet.
	}
	return nil // It ended instead of answering.
}

// counted waits until the end of a real pod counts for its Job, because its phase changes a second
// after its container's state. If the Job is suspended in between, the shard runs again.
func (c *Cluster) counted(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTimeout)
	defer cancel()
	return c.node.kubelet.until(ctx, "the end of pod "+pod.Name, func(ctx context.Context) error {
		now, err := c.Core.Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && now.Status.Phase != corev1.PodRunning {
			return nil
		}
		return errors.Join(err, errors.New("it is running"))
	})
}

// endOf returns the state of a container after its end.
func endOf(state corev1.ContainerState, code int32) corev1.ContainerState {
	end := corev1.ContainerStateTerminated{ExitCode: code, Reason: "Completed", FinishedAt: metav1.Now()}
	if code != 0 {
		end.Reason, end.Message = "Error", "ended by a test"
	}
	if state.Running != nil {
		end.StartedAt = state.Running.StartedAt
	}
	return corev1.ContainerState{Terminated: &end}
}

// podOf returns the newest running pod of a run's index.
func (c *Cluster) podOf(ctx context.Context, namespace, run string, index int) (*corev1.Pod, error) {
	pods, err := c.Core.Pods(namespace).List(ctx, metav1.ListOptions{
		LabelSelector: fmt.Sprintf("%s=%s,%s=%d", batchv1.JobNameLabel, run, batchv1.JobCompletionIndexAnnotation, index),
	})
	if err != nil {
		return nil, err
	}
	for i, pod := range pods.Items {
		if pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
			return &pods.Items[i], nil
		}
	}
	return nil, errors.New("there is none")
}

// RestartPod ends the container of a running pod with an exit code and restarts it, like its node.
func (c *Cluster) RestartPod(ctx context.Context, namespace, name string, code int32) error {
	return c.api.until(ctx, "a running pod "+name, func(ctx context.Context) error {
		pod, err := c.Core.Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil || len(pod.Status.ContainerStatuses) == 0 {
			return fmt.Errorf("it is %s", pod.Status.Phase)
		}
		if c.node != nil {
			return c.endReal(ctx, pod, code)
		}
		s := &pod.Status.ContainerStatuses[0]
		s.LastTerminationState = endOf(s.State, code)
		s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
		s.RestartCount++
		_, err = c.Core.Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		return err
	})
}
