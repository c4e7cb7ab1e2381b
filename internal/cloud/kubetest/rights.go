package kubetest

import (
	"context"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
)

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
