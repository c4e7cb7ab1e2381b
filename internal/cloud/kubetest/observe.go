package kubetest

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// Kind is a kind of objects.
type Kind = schema.GroupVersionResource

// Kinds of objects that are watched and created by name only.
var (
	Jobs     = Kind{Group: "batch", Version: "v1", Resource: "jobs"}
	CronJobs = Kind{Group: "batch", Version: "v1", Resource: "cronjobs"}
	Pods     = Kind{Version: "v1", Resource: "pods"}
)

// Seen is a created object, as seen by its watcher.
type Seen struct {
	Name string
	Job  string    // of ElasticJob-Cloud, "" for other objects
	Fire time.Time // of its run, zero for other objects
	At   time.Time
}

// Watch reports each object created in a namespace from now on, until its context ends. If the
// watcher is too slow for a burst, the API server ends the watch; the informer then lists again and
// reports late, but misses nothing. It returns once it knows the existing objects.
func (c *Cluster) Watch(ctx context.Context, kind Kind, namespace string, made func(Seen)) error {
	informer := dynamicinformer.NewFilteredDynamicInformer(c.Resources, kind, namespace, 0, cache.Indexers{}, nil).Informer()
	err := informer.SetTransform(outline)
	if err != nil {
		return fmt.Errorf("watch %s: %w", kind.Resource, err)
	}
	registered, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{AddFunc: func(object any, old bool) {
		o, ok := object.(*unstructured.Unstructured)
		if !ok || old {
			return
		}
		s := Seen{Name: o.GetName(), Job: o.GetLabels()[kube.Group+"/job"], At: time.Now()}
		if second, err := strconv.ParseInt(o.GetLabels()[kube.Group+"/fire"], 10, 64); err == nil {
			s.Fire = time.Unix(second, 0)
		}
		made(s)
	}})
	if err != nil {
		return fmt.Errorf("watch %s: %w", kind.Resource, err)
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), registered.HasSynced) {
		return fmt.Errorf("watch %s: %w", kind.Resource, context.Cause(ctx))
	}
	return nil
}

// outline drops the parts of an object that tests with thousands of them don't need.
func outline(object any) (any, error) {
	o, ok := object.(*unstructured.Unstructured)
	if !ok {
		return object, nil
	}
	short := &unstructured.Unstructured{}
	short.SetGroupVersionKind(o.GroupVersionKind())
	short.SetName(o.GetName())
	short.SetNamespace(o.GetNamespace())
	short.SetUID(o.GetUID())
	short.SetResourceVersion(o.GetResourceVersion())
	short.SetLabels(o.GetLabels())
	return short, nil
}

// Create creates objects of one kind concurrently.
func (c *Cluster) Create(ctx context.Context, kind Kind, namespace string, objects ...map[string]any) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for _, o := range objects {
		group.Go(func() error {
			_, err := c.Resources.Resource(kind).Namespace(namespace).Create(ctx, &unstructured.Unstructured{Object: o}, metav1.CreateOptions{})
			return err
		})
	}
	return group.Wait()
}

// deletions is how often the API server is asked to delete everything of a kind, because it deletes
// only a part of ten thousand within a minute.
const deletions = 20

// DeleteAll removes all objects of a kind from a namespace.
func (c *Cluster) DeleteAll(ctx context.Context, kind Kind, namespace string) error {
	background, objects := metav1.DeletePropagationBackground, c.Resources.Resource(kind).Namespace(namespace)
	var err error
	for range deletions {
		err = objects.DeleteCollection(ctx, metav1.DeleteOptions{PropagationPolicy: &background}, metav1.ListOptions{})
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("delete all %s: %w", kind.Resource, err)
	}
	return nil
}

// Object is an object of ElasticJob-Cloud for [Cluster.Create].
func Object(kind, name string, spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": kube.Group + "/" + kube.Version, "kind": kind,
		"metadata": map[string]any{"name": name}, "spec": spec,
	}
}

// Kubeconfig writes a file for the scheduler with the cluster and its namespace.
func (c *Cluster) Kubeconfig(namespace string) (path string, err error) {
	name := "kubeconfig-" + namespace
	return c.path(name), c.writeKubeconfig(name, c.Scheduler, namespace)
}

func (c *Cluster) writeKubeconfig(file string, user *rest.Config, namespace string) error {
	return os.WriteFile(c.path(file), fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "%s", certificate-authority: "%s"}}]
users: [{name: test, user: {token: "%s"}}]
contexts: [{name: test, context: {cluster: test, user: test, namespace: "%s"}}]
current-context: test
`, user.Host, c.path("ca.crt"), user.BearerToken, namespace), 0o600)
}
