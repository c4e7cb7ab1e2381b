//go:build kubernetes

package kubetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	schedulingclient "k8s.io/client-go/kubernetes/typed/scheduling/v1"
)

// Faults of a cluster, for the tests of this package.

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

// Revoke removes the scheduler's rights in a namespace.
func (c *Cluster) Revoke(ctx context.Context, namespace string) error {
	return c.rbac.RoleBindings(namespace).Delete(ctx, schedulerUser, metav1.DeleteOptions{})
}

// PatchRole replaces the scheduler's verbs for a resource in a namespace.
func (c *Cluster) PatchRole(ctx context.Context, namespace, group, resource string, verbs []string) error {
	role, err := c.rbac.Roles(namespace).Get(ctx, schedulerUser, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for i, rule := range role.Rules {
		if slices.Contains(rule.APIGroups, group) && slices.Contains(rule.Resources, resource) {
			role.Rules[i].Verbs = verbs
		}
	}
	_, err = c.rbac.Roles(namespace).Update(ctx, role, metav1.UpdateOptions{})
	return err
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

// QuotaCounts waits until a quota of pods is in force.
func (c *Cluster) QuotaCounts(ctx context.Context, namespace, name string) error {
	return c.api.until(ctx, "quota "+name, func(ctx context.Context) error {
		quota, err := c.Core.ResourceQuotas(namespace).Get(ctx, name, metav1.GetOptions{})
		if err == nil && len(quota.Status.Hard) == 0 {
			err = errors.New("it does not count yet")
		}
		return err
	})
}

// Uninstall removes the resources and all their objects, and waits until they are no longer served.
func (c *Cluster) Uninstall(ctx context.Context) error {
	for _, resource := range []schema.GroupVersionResource{ElasticJobs, ElasticJobApps} {
		err := c.definitions().Delete(ctx, resource.GroupResource().String(), metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		err = c.api.until(ctx, "the end of "+resource.Resource, func(ctx context.Context) error {
			_, err := c.Resources.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
			switch {
			case apierrors.IsNotFound(err):
				return nil
			case err == nil:
				err = errors.New("it is still served")
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// KillAPIServer ends the API server like a crash.
func (c *Cluster) KillAPIServer() { c.api.kill() }
