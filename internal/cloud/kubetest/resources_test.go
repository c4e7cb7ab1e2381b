//go:build kubernetes

package kubetest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
)

// installing keeps tests from installing the resources concurrently.
var installing sync.Mutex

// resourcesThere installs the resources again if a test removed them.
func resourcesThere(t *testing.T) {
	t.Helper()
	belongsToAll(t)
	installing.Lock()
	defer installing.Unlock()
	if _, err := cluster.Resources.Resource(kubetest.ElasticJobs).List(t.Context(), metav1.ListOptions{Limit: 1}); err == nil {
		return
	}
	if err := cluster.Install(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// emptyNamespace creates a namespace with the scheduler's rights.
func emptyNamespace(t *testing.T) string {
	t.Helper()
	namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
	if err := cluster.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	return namespace
}

// openStore opens a store with a scheduler's rights.
func openStore(t *testing.T, namespace string) *crdstore.Store {
	t.Helper()
	clients, err := kube.Connect(cluster.Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	s, err := crdstore.New(crdstore.Config{Clients: clients, Namespace: namespace, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// seenJobs collects a store's reports.
type seenJobs struct {
	*testing.T

	mu      sync.Mutex
	changed chan struct{}
	synced  bool
	jobs    map[string]cloud.Definition
	apps    map[string]cloud.App
}

// watchStore collects a store's reports. The channel gets the watch's error.
func watchStore(t *testing.T, s *crdstore.Store) (*seenJobs, <-chan error) {
	t.Helper()
	seen := &seenJobs{T: t, changed: make(chan struct{}), jobs: make(map[string]cloud.Definition), apps: make(map[string]cloud.App)}
	ctx, cancel := context.WithCancel(context.Background())
	ended, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		ended <- s.Watch(ctx, seen.take)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return seen, ended
}

func (s *seenJobs) take(e cloud.StoreEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.Event == cloud.EventReset:
	case e.Event == cloud.EventSynced:
		s.synced = true
	case e.Kind == cloud.KindApp && e.Event == cloud.EventRemoved:
		delete(s.apps, e.Name)
	case e.Kind == cloud.KindApp:
		s.apps[e.Name] = e.App
	case e.Event == cloud.EventRemoved:
		delete(s.jobs, e.Name)
	default:
		s.jobs[e.Name] = e.Definition
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *seenJobs) until(what string, holds func() bool) {
	s.Helper()
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		changed := s.changed
		if holds() {
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			s.mu.Lock()
			defer s.mu.Unlock()
			s.Fatalf("not within %s: %s; reported are %+v", patience, what, s.jobs)
		}
	}
}

// jobsOf returns a client for the ElasticJobs of a namespace with an administrator's rights.
func jobsOf(namespace string) dynamic.ResourceInterface {
	return cluster.Resources.Resource(kubetest.ElasticJobs).Namespace(namespace)
}

// manifest returns an ElasticJob as written for kubectl.
func manifest(name string, spec map[string]any) *unstructured.Unstructured {
	all := map[string]any{"jobName": name, "appName": "shop", "jobExecutionType": "TRANSIENT", "shardingTotalCount": int64(3)}
	for key, value := range spec {
		all[key] = value
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": kube.Group + "/" + kube.Version, "kind": kube.OwnerKind, "metadata": map[string]any{"name": name}, "spec": all,
	}}
}

// TestCustomResources runs the tests for every store with a scheduler's rights.
func TestCustomResources(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	storetest.Run(t, func(t *testing.T) cloud.Store { return openStore(t, emptyNamespace(t)) })
}

// TestCL17ResourcesNotInstalled: without the resources, all errors have the install command. A
// later watch finds them, and an active one ends when they are removed. It runs alone.
func TestCL17ResourcesNotInstalled(t *testing.T) {
	if err := cluster.Uninstall(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, emptyNamespace(t))
	says := func(what string, err error) {
		t.Helper()
		var not *crdstore.NotInstalledError
		if !errors.As(err, &not) || !errors.Is(err, cloud.ErrRefused) || errors.Is(err, cloud.ErrNotFound) || !strings.Contains(err.Error(), "kubectl apply -f deploy/crds") {
			t.Errorf("%s: %v; want that the resources are not installed, and how to", what, err)
		}
	}
	_, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 3))
	says("Create", err)
	_, err = s.Change(t.Context(), "settlement", func(*cloud.Definition) error { return nil })
	says("Change", err)
	says("Delete", s.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}))
	_, ended := watchStore(t, s)
	says("Watch", <-ended)
	if err := cluster.Install(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	seen, ended := watchStore(t, s)
	seen.until("the empty present", func() bool { return seen.synced })
	if _, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 3)); err != nil {
		t.Fatal(err)
	}
	seen.until("the job", func() bool { return seen.jobs["settlement"].Job.Shards == 3 })
	if err := cluster.Uninstall(t.Context()); err != nil {
		t.Fatal(err)
	}
	says("a watch that was there before", <-ended)
	if err := cluster.Install(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestCL18FieldsOfANewerVersion: fields of a newer version should survive our writes, in changed
// objects and in extended lists. It runs alone.
func TestCL18FieldsOfANewerVersion(t *testing.T) {
	if err := cluster.Install(t.Context(), newerVersion); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := cluster.Install(context.Background(), nil); err != nil {
			t.Error(err)
		}
	}()
	namespace := emptyNamespace(t)
	client := jobsOf(namespace)
	newer := manifest("settlement", map[string]any{"calendar": "bank-days", "props": map[string]any{"mine": "kept"}, "compat": map[string]any{"jobClass": "x.Y"}})
	made := createStrictly(t, client, newer)
	made.Object["status"] = map[string]any{
		"shadow": "kept", "lastRun": map[string]any{"name": "r", "state": "SUCCEEDED", "ended": "2026-11-22T10:49:00Z", "cost": int64(7)},
		"pendingManual": []any{map[string]any{"key": "a", "asked": "2026-11-22T10:49:00Z", "class": "gold"}},
		"conditions":    []any{map[string]any{"type": "Budget", "status": "Unknown", "reason": "New", "message": "", "lastTransitionTime": "2026-11-22T10:49:00Z", "observedGeneration": int64(1)}},
	}
	if _, err := client.UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, namespace)
	_, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error {
		d.Job.Shards, d.Job.Props["ours"] = 5, "added"
		d.Status.Missed = 4
		d.Status.LastRun.State = cloud.RunFailed
		d.Status.Requests = append(d.Status.Requests, cloud.Request{Key: "b", Asked: time.Unix(1795344540, 0).UTC()})
		d.Status.SetCondition(cloud.Condition{Type: cloud.ConditionFires, OK: true, Reason: "Fires", Since: time.Unix(1795344540, 0).UTC()})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := client.Get(t.Context(), "settlement", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := got.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{
		`"calendar":"bank-days"`, `"mine":"kept"`, `"jobClass":"x.Y"`, `"shadow":"kept"`, `"cost":7`, `"class":"gold"`, `"observedGeneration":1`,
		`"ours":"added"`, `"shardingTotalCount":5`, `"missedTotal":4`, `"key":"b"`, `"type":"Fires"`, `"pendingCount":2`,
	} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("after the change there is no %s in %s", kept, text)
		}
	}
}

// createStrictly creates an object once the server knows all its fields, which takes a moment.
func createStrictly(t *testing.T, client dynamic.ResourceInterface, u *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		made, err := client.Create(t.Context(), u, metav1.CreateOptions{FieldValidation: "Strict"})
		if err == nil {
			return made
		}
		if time.Now().After(deadline) || !apierrors.IsBadRequest(err) {
			t.Fatal(err)
		}
		select { // That can't be watched.
		case <-t.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// newerVersion adds a field to spec, like a later version of the definition.
func newerVersion(definition map[string]any) {
	version := definition["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
	properties := version["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)["properties"].(map[string]any)
	properties["spec"].(map[string]any)["properties"].(map[string]any)["calendar"] = map[string]any{"type": "string"}
}

// TestCL21NameTaken: of two objects with the same job name the younger is refused until the older is deleted.
func TestCL21NameTaken(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	namespace := emptyNamespace(t)
	s := openStore(t, namespace)
	seen, _ := watchStore(t, s)
	older, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 3))
	if err != nil {
		t.Fatal(err)
	}
	younger := manifest("another", map[string]any{"jobName": "settlement", "shardingTotalCount": int64(9)})
	if _, err := jobsOf(namespace).Create(t.Context(), younger, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c := condition(t, jobsOf(namespace), "another", cloud.ConditionAccepted, cloud.ReasonNameTaken)
	if c.Status != metav1.ConditionFalse || !strings.Contains(c.Message, "ElasticJob settlement is older") || c.LastTransitionTime.IsZero() {
		t.Errorf("the condition is %+v", c)
	}
	if _, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 1)); !errors.Is(err, cloud.ErrExists) {
		t.Errorf("Create = %v; want ErrExists", err)
	}
	d, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Job.Shards = 4; return nil })
	if err != nil || d.UID != older.UID {
		t.Errorf("Change = %+v, %v; want the older one", d, err)
	}
	seen.until("the older one, changed", func() bool { return seen.jobs["settlement"].Job.Shards == 4 })
	if err := s.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	seen.until("the younger one", func() bool { return seen.jobs["settlement"].Job.Shards == 9 })
}

// condition waits for a condition of an object, like `kubectl wait`.
func condition(t *testing.T, client dynamic.ResourceInterface, object, kind, reason string) metav1.Condition {
	t.Helper()
	watching, err := client.Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + object})
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Stop()
	deadline := time.After(patience)
	var last any
	for {
		select {
		case e := <-watching.ResultChan():
			u, ok := e.Object.(*unstructured.Unstructured)
			if !ok {
				t.Fatalf("the watch of %s: %+v", object, e)
			}
			last = u.Object["status"]
			list, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
			for _, entry := range list {
				var c metav1.Condition
				if err := runtime.DefaultUnstructuredConverter.FromUnstructured(entry.(map[string]any), &c); err != nil {
					t.Fatal(err)
				}
				if c.Type == kind && c.Reason == reason {
					return c
				}
			}
		case <-deadline:
			t.Fatalf("no condition %s with reason %s of %s; its status is %+v", kind, reason, object, last)
		}
	}
}
