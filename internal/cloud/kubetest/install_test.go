//go:build kubernetes

package kubetest_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/deploy"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
)

// TestInstallWithKustomize: each overlay, customized as in docs/cloud-operations.md, can be
// installed in a namespace with restricted pods. An engine with its ServiceAccount launches a run
// and follows it to its end, keeps the processes of a DAEMON job, and can't do anything else. It
// can be installed again and removed; then the custom resources and the policies stay.
func TestInstallWithKustomize(t *testing.T) {
	t.Parallel()
	for _, overlay := range []string{"namespaced", "cluster"} {
		t.Run(overlay, func(t *testing.T) {
			t.Parallel()
			belongsToAll(t)
			namespace := space(t)
			dir := customization(t, overlay, namespace, shipped(t))
			for range 2 {
				kubectl(t, "", "apply", "--server-side", "--force-conflicts", "-k", dir)
			}
			ready(t, namespace)
			account := console(t, namespace)
			launches(t, namespace, account)
			other, lease := space(t), schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}
			if overlay == "cluster" {
				launches(t, other, account)
			} else if err := may(t, account, "list", batchv1.SchemeGroupVersion.WithResource("jobs"), other, "", ""); !apierrors.IsForbidden(err) {
				t.Errorf("list Jobs of another namespace: %v", err)
			}
			if err := may(t, account, "get", lease, other, "elasticjob-cloud", ""); apierrors.IsForbidden(err) != (overlay != "cluster") {
				t.Errorf("get the lease of another namespace: %v", err)
			}
			refusals(t, account, namespace)
			kubectl(t, "", "delete", "-k", dir, "-l", "app.kubernetes.io/name=elasticjob-console", "--wait=false")
			kubectl(t, "", "get", "crd/elasticjobs.cloud.elasticjob.dev", "crd/elasticjobapps.cloud.elasticjob.dev")
			kubectl(t, "", "get", "validatingadmissionpolicy/elasticjob-console-runs", "validatingadmissionpolicybinding/elasticjob-console-others")
			if _, err := cluster.Kubectl(t.Context(), "", "-n", namespace, "get", "rolebinding/elasticjob-console"); err == nil {
				t.Error("the RoleBinding is there after all was deleted")
			}
		})
	}
}

// TestCL17InstallPrinted: `elasticjob cloud install --print` prints the same as kustomize. The API
// server accepts it, and it gives the scheduler exactly the rights that it needs in a namespace.
func TestCL17InstallPrinted(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	kustomized := objects(t, kubectl(t, "", "kustomize", filepath.Join(shipped(t), "kustomize", "overlays", "namespaced")))
	text, err := deploy.Installation("elasticjob")
	if err != nil {
		t.Fatal(err)
	}
	printed := objects(t, string(text))
	for key, o := range kustomized {
		if printed[key] == nil {
			delete(kustomized, key)
		} else if strings.HasPrefix(o.kind(), "ValidatingAdmissionPolicy") {
			delete(o.metadata(), "namespace") // kustomize doesn't know that they have none
		}
	}
	if diff := cmp.Diff(kustomized, printed); diff != "" {
		t.Errorf("(-kustomize +printed):\n%s", diff)
	}
	namespace := space(t)
	if text, err = deploy.Installation(namespace); err != nil {
		t.Fatal(err)
	}
	kubectl(t, string(text), "apply", "--server-side", "--force-conflicts", "--dry-run=server", "--validate=strict", "--warnings-as-errors", "-f", "-")
	var parts []string
	for part := range strings.SplitSeq(string(text), "\n---\n") {
		if !strings.Contains(part, "\nkind: ValidatingAdmissionPolicy") { // Other tests have their own list of ServiceAccounts.
			parts = append(parts, part)
		}
	}
	kubectl(t, strings.Join(parts, "\n---\n"), "apply", "--server-side", "--force-conflicts", "-f", "-")
	account := console(t, namespace)
	launches(t, namespace, account)
	refusals(t, account, namespace)
}

// ready waits until both consoles of a namespace are ready, and one of them may be evicted.
func ready(t *testing.T, namespace string) {
	t.Helper()
	kubectl(t, "", "-n", namespace, "rollout", "status", "deployment/elasticjob-console", "--timeout=120s")
	client, err := policyclient.NewForConfig(cluster.Admin)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; {
		budget, err := client.PodDisruptionBudgets(namespace).Get(t.Context(), "elasticjob-console", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := budget.Status
		if s.ExpectedPods == 2 && s.DesiredHealthy == 1 && s.CurrentHealthy == 2 && s.DisruptionsAllowed == 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the budget of disruptions is %+v", s)
		}
		select { // Not watched here, so poll.
		case <-t.Context().Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// launches launches a run with an account's rights and follows it to its end, and keeps processes
// of a DAEMON job.
func launches(t *testing.T, namespace string, account *rest.Config) {
	t.Helper()
	jobs := batchv1.SchemeGroupVersion.WithResource("jobs")
	for deadline := time.Now().Add(patience); ; { // The API server sees rights later, by its own watch.
		err := may(t, account, "list", jobs, namespace, "", "")
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		select {
		case <-t.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	f := openAs(t, namespace, account, kube.Config{}).watch()
	r := f.launch()
	f.working(3)
	for shard := range 3 {
		if err := cluster.EndPod(t.Context(), namespace, r.Name, shard, 0); err != nil {
			t.Fatal(err)
		}
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunSucceeded {
		t.Errorf("the run is %+v", s)
	}
	if err := f.Forget(t.Context(), r.Name); err != nil {
		t.Error(err)
	}
	f.keep()
	f.working(3)
	f.keep(func(d *cloud.Daemon) { d.Job.Shards, d.Count = 2, 2 })
	f.working(2)
	f.keep(none)
	f.until(patience, "the processes have ended", func() bool { return f.runs[feed].Name == "" })
}

// may makes a request without a body with an account's rights.
func may(t *testing.T, account *rest.Config, verb string, of schema.GroupVersionResource, namespace, name, subresource string) error {
	t.Helper()
	path := "/apis/" + of.Group
	if of.Group == "" {
		path = "/api"
	}
	path += "/" + of.Version
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	path += "/" + of.Resource
	for _, word := range []string{name, subresource} {
		if word != "" {
			path += "/" + word
		}
	}
	client, err := coreclient.NewForConfig(account)
	if err != nil {
		t.Fatal(err)
	}
	method := map[string]string{"get": "GET", "list": "GET", "create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE", "deletecollection": "DELETE"}[verb]
	return client.RESTClient().Verb(method).AbsPath(path).Do(t.Context()).Error()
}

// refusals: the API server refuses what the Role must not allow.
func refusals(t *testing.T, account *rest.Config, namespace string) {
	t.Helper()
	core := func(resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Version: "v1", Resource: resource}
	}
	of := func(group, resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
	}
	for _, c := range []struct {
		verb              string
		of                schema.GroupVersionResource
		namespace         string
		name, subresource string
	}{
		{"get", core("secrets"), namespace, "elasticjob-console", ""},
		{"list", core("secrets"), namespace, "", ""},
		{"get", core("configmaps"), namespace, "elasticjob-console", ""},
		{"list", core("nodes"), "", "", ""},
		{"get", core("nodes"), "", "node-1", ""},
		{"list", core("namespaces"), "", "", ""},
		{"create", core("pods"), namespace, "", ""},
		{"update", core("pods"), namespace, "some", ""},
		{"patch", core("pods"), namespace, "some", ""},
		{"create", core("pods"), namespace, "some", "exec"},
		{"get", core("pods"), namespace, "some", "exec"},
		{"create", core("pods"), namespace, "some", "attach"},
		{"create", core("pods"), namespace, "some", "portforward"},
		{"get", core("pods"), namespace, "some", "proxy"},
		{"patch", core("pods"), namespace, "some", "ephemeralcontainers"},
		{"deletecollection", core("pods"), namespace, "", ""},
		{"deletecollection", of("batch", "jobs"), namespace, "", ""},
		{"update", of("batch", "jobs"), namespace, "some", "status"},
		{"create", of("batch", "cronjobs"), namespace, "", ""},
		{"create", core("serviceaccounts"), namespace, "default", "token"},
		{"create", of("authentication.k8s.io", "tokenreviews"), "", "", ""},
		{"create", of("apps", "deployments"), namespace, "", ""},
		{"create", of("apps", "daemonsets"), namespace, "", ""},
		{"create", of("rbac.authorization.k8s.io", "rolebindings"), namespace, "", ""},
		{"update", of("admissionregistration.k8s.io", "validatingadmissionpolicies"), "", "elasticjob-console-runs", ""},
		{"update", of("apiextensions.k8s.io", "customresourcedefinitions"), "", "elasticjobs.cloud.elasticjob.dev", ""},
		{"get", of("coordination.k8s.io", "leases"), namespace, "another", ""},
		{"update", of("coordination.k8s.io", "leases"), namespace, "another", ""},
		{"list", of("coordination.k8s.io", "leases"), namespace, "", ""},
		{"delete", of("coordination.k8s.io", "leases"), namespace, "elasticjob-cloud", ""},
	} {
		if err := may(t, account, c.verb, c.of, c.namespace, c.name, c.subresource); !apierrors.IsForbidden(err) {
			t.Errorf("%s %s %s/%s/%s: %v; want that it is forbidden", c.verb, c.of, c.namespace, c.name, c.subresource, err)
		}
	}
}
