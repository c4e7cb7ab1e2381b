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
		end := corev1.ContainerStateTerminated{ExitCode: code, Reason: "Completed", FinishedAt: metav1.Now()}
		if code != 0 {
			end.Reason, end.Message = "Error", "ended by a test"
		}
		s := &pod.Status.ContainerStatuses[0]
		if s.State.Running != nil {
			end.StartedAt = s.State.Running.StartedAt
		}
		s.LastTerminationState = corev1.ContainerState{Terminated: &end}
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
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		Audiences: []string{audience}, ExpirationSeconds: new(int64(3600)),
		BoundObjectRef: &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: name, UID: pod.UID},
	}}
	token, err := c.Core.ServiceAccounts(namespace).CreateToken(ctx, pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("a token of pod %s/%s: %w", namespace, name, err)
	}
	return token.Status.Token, nil
}
