package kubetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	schedulingclient "k8s.io/client-go/kubernetes/typed/scheduling/v1"
)

// FillEtcd makes etcd refuse all writes, as if its space was used up. Reads work.
func (c *Cluster) FillEtcd(ctx context.Context) error { return c.alarm(ctx, "ACTIVATE") }

// EmptyEtcd ends [Cluster.FillEtcd].
func (c *Cluster) EmptyEtcd(ctx context.Context) error { return c.alarm(ctx, "DEACTIVATE") }

func (c *Cluster) alarm(ctx context.Context, action string) error {
	var status struct {
		Header struct {
			Member string `json:"member_id"`
		}
	}
	if err := c.askEtcd(ctx, "/v3/maintenance/status", struct{}{}, &status); err != nil {
		return err
	}
	return c.askEtcd(ctx, "/v3/maintenance/alarm", map[string]string{"action": action, "memberID": status.Header.Member, "alarm": "NOSPACE"}, nil)
}

func (c *Cluster) askEtcd(ctx context.Context, path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, local(c.ports.etcd)+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd %s: %s: %s", path, response.Status, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

// TokenOfSecret creates a Secret and a token of a ServiceAccount that is valid while the Secret exists.
func (c *Cluster) TokenOfSecret(ctx context.Context, namespace, account, secret string) (string, error) {
	s, err := c.Core.Secrets(namespace).Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	bound := &authenticationv1.BoundObjectReference{Kind: "Secret", APIVersion: "v1", Name: secret, UID: s.UID}
	return c.tokenOf(ctx, namespace, account, bound)
}

// Prioritise creates a priority class.
func (c *Cluster) Prioritise(ctx context.Context, class *schedulingv1.PriorityClass) error {
	client, err := schedulingclient.NewForConfig(c.Admin)
	if err != nil {
		return err
	}
	_, err = client.PriorityClasses().Create(ctx, class, metav1.CreateOptions{})
	return err
}

// Forbid removes the scheduler's rights on Jobs in a namespace, and with all every other right.
// Existing watches continue.
func (c *Cluster) Forbid(ctx context.Context, namespace string, all bool) error {
	return c.permit(ctx, namespace, false, func(r rbacv1.PolicyRule) bool { return !all && !slices.Contains(r.APIGroups, "batch") })
}

// Allow gives the scheduler all its rights in a namespace.
func (c *Cluster) Allow(ctx context.Context, namespace string) error {
	return c.permit(ctx, namespace, true, func(rbacv1.PolicyRule) bool { return true })
}

// permit leaves the scheduler the kept rules, and waits until they are in force.
func (c *Cluster) permit(ctx context.Context, namespace string, jobs bool, keep func(rbacv1.PolicyRule) bool) error {
	role, err := shippedRole()
	if err != nil {
		return err
	}
	role.Name = schedulerUser
	role.Rules = slices.DeleteFunc(role.Rules, func(r rbacv1.PolicyRule) bool { return !keep(r) })
	if _, err := c.rbac.Roles(namespace).Update(ctx, role, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return c.awaitRights(ctx, namespace, jobs)
}

// awaitRights waits until the scheduler may list Jobs, or may not, because the API server sees a Role
// later, by its own watch.
func (c *Cluster) awaitRights(ctx context.Context, namespace string, jobs bool) error {
	scheduler, err := batchclient.NewForConfig(c.Scheduler)
	if err != nil {
		return err
	}
	return c.api.until(ctx, "the scheduler's rights in "+namespace, func(ctx context.Context) error {
		switch _, err := scheduler.Jobs(namespace).List(ctx, metav1.ListOptions{Limit: 1}); {
		case jobs:
			return err
		case apierrors.IsForbidden(err):
			return nil
		default:
			return fmt.Errorf("list Jobs: %w", err)
		}
	})
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
