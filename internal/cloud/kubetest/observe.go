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
	"k8s.io/apimachinery/pkg/watch"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// Kind is a kind of objects.
type Kind = schema.GroupVersionResource

// Kinds of objects that are watched and made by their names alone.
var (
	Jobs     = Kind{Group: "batch", Version: "v1", Resource: "jobs"}
	CronJobs = Kind{Group: "batch", Version: "v1", Resource: "cronjobs"}
	Pods     = Kind{Version: "v1", Resource: "pods"}
)

// Seen is an object that was made, as its watcher learned of it.
type Seen struct {
	Name string
	Job  string    // of ElasticJob-Cloud, "" for objects of others
	Fire time.Time // of its run, zero for objects of others
	At   time.Time
}

// Watch reports each object that is made in a namespace from now on, until its context
// ends. The API server may end it earlier: what is not seen then is missing, so count.
func (c *Cluster) Watch(ctx context.Context, kind Kind, namespace string, made func(Seen)) error {
	w, err := c.Resources.Resource(kind).Namespace(namespace).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("watch %s: %w", kind.Resource, err)
	}
	go func() {
		defer w.Stop()
		for e := range w.ResultChan() {
			o, ok := e.Object.(*unstructured.Unstructured)
			if !ok || e.Type != watch.Added {
				continue
			}
			s := Seen{Name: o.GetName(), Job: o.GetLabels()[kube.Group+"/job"], At: time.Now()}
			if second, err := strconv.ParseInt(o.GetLabels()[kube.Group+"/fire"], 10, 64); err == nil {
				s.Fire = time.Unix(second, 0)
			}
			made(s)
		}
	}()
	return nil
}

// Create makes objects of one kind, many at a time.
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

// DeleteAll removes all objects of a kind from a namespace.
func (c *Cluster) DeleteAll(ctx context.Context, kind Kind, namespace string) error {
	background := metav1.DeletePropagationBackground
	return c.Resources.Resource(kind).Namespace(namespace).DeleteCollection(ctx, metav1.DeleteOptions{PropagationPolicy: &background}, metav1.ListOptions{})
}

// Object is an object of ElasticJob-Cloud for [Cluster.Create].
func Object(kind, name string, spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": kube.Group + "/" + kube.Version, "kind": kind,
		"metadata": map[string]any{"name": name}, "spec": spec,
	}
}

// Kubeconfig writes a file by which the scheduler finds the cluster and its namespace.
func (c *Cluster) Kubeconfig(namespace string) (path string, err error) {
	path = c.path("kubeconfig-" + namespace)
	return path, os.WriteFile(path, fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "%s", certificate-authority: "%s"}}]
users: [{name: scheduler, user: {token: "%s"}}]
contexts: [{name: test, context: {cluster: test, user: scheduler, namespace: "%s"}}]
current-context: test
`, c.Scheduler.Host, c.path("ca.crt"), c.Scheduler.BearerToken, namespace), 0o600)
}
