package kubetest

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	"github.com/elasticjob-go/elasticjob/deploy/crds"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// The resources of ElasticJob-Cloud.
var (
	ElasticJobs    = schema.GroupVersionResource{Group: kube.Group, Version: kube.Version, Resource: "elasticjobs"}
	ElasticJobApps = schema.GroupVersionResource{Group: kube.Group, Version: kube.Version, Resource: "elasticjobapps"}
)

func (c *Cluster) definitions() dynamic.ResourceInterface {
	return c.Resources.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
}

// Install installs or updates the resources of ElasticJob-Cloud, and waits until they are served.
// change may change each definition first.
func (c *Cluster) Install(ctx context.Context, change func(definition map[string]any)) error {
	for resource, text := range map[schema.GroupVersionResource][]byte{ElasticJobs: crds.ElasticJobs, ElasticJobApps: crds.ElasticJobApps} {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(text, &u.Object); err != nil {
			return fmt.Errorf("definition of %s: %w", resource.Resource, err)
		}
		if change != nil {
			change(u.Object)
		}
		_, err := c.definitions().Create(ctx, u, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			var old *unstructured.Unstructured
			if old, err = c.definitions().Get(ctx, u.GetName(), metav1.GetOptions{}); err != nil {
				return err
			}
			u.SetResourceVersion(old.GetResourceVersion())
			_, err = c.definitions().Update(ctx, u, metav1.UpdateOptions{})
		}
		if err != nil {
			return fmt.Errorf("install %s: %w", resource.Resource, err)
		}
		err = c.api.until(ctx, resource.Resource, func(ctx context.Context) error {
			_, err := c.Resources.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
