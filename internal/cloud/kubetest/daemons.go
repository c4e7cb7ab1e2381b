package kubetest

import (
	"context"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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

// TokenOfPod returns the token that the node would put into a pod: its ServiceAccount's, for an
// audience, valid while the pod lives.
func (c *Cluster) TokenOfPod(ctx context.Context, namespace, name, audience string) (string, error) {
	pod, err := c.Core.Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	bound := &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: name, UID: pod.UID}
	return c.tokenOf(ctx, namespace, pod.Spec.ServiceAccountName, bound, audience)
}
