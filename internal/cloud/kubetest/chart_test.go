//go:build kubernetes

package kubetest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// needed are the required values of an installation.
var needed = []string{"--set", "zookeeper={zk-0.zk:2181,zk-1.zk:2181,zk-2.zk:2181}", "--set", "namespace=billing",
	"--set", "image.repository=registry.example/elasticjob-console", "--set", "policy.serviceAccounts={report-reader}", "--set", "policy.secrets={registry,report-db}"}

// TestChart: the chart has no mistakes, and the API server accepts its output for all variants of
// its values, in a namespace with restricted pods.
func TestChart(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	deploy := shipped(t)
	if _, err := cluster.Helm(t.Context(), append([]string{"lint", "--strict", filepath.Join(deploy, "helm", "elasticjob")}, needed...)...); err != nil {
		t.Error(err)
	}
	for name, values := range map[string][]string{
		"the defaults": nil,
		"a cluster":    {"--set", "rbac.scope=cluster"},
		"namespaces":   {"--set", "cloud.namespaces={default,kube-public}"},
		"events":       {"--set", "events.enabled=true", "--set", "events.url=https://jobs.example.com/api/cloud/events"},
		"archives":     {"--set", "archives.hosts={repo.example,mirror.example:8443}", "--set", "archives.runtimeImage=busybox:1.37"},
		"everything": {
			"--set", "rbac.scope=cluster", "--set", "replicas=3", "--set", "image.pullSecrets={pull}", "--set", "image.tag=1.2.3", "--set", "service.type=LoadBalancer",
			"--set", "service.annotations.a=b", "--set", "podAnnotations.a=b", "--set", "nodeSelector.disk=fast", "--set", "priorityClassName=system-cluster-critical",
			"--set", "tolerations[0].key=k", "--set", "tolerations[0].operator=Exists", "--set", "resources.limits.memory=512Mi", "--set-string", "flags.ELASTICJOB_KEEP_DAYS=30",
			"--set-json", `affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "disk", "operator": "Exists"}]}]}}}`,
		},
		"the least": {"--set", "policy.enabled=false", "--set", "networkPolicy.enabled=false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			namespace := space(t)
			text, err := render(t, deploy, namespace, append(slices.Clone(needed), values...)...)
			if err != nil {
				t.Fatal(err)
			}
			kubectl(t, text, "apply", "--dry-run=server", "--validate=strict", "--warnings-as-errors", "-f", "-") // Each object has its namespace.
		})
	}
}

// TestChartRefuses: the schema refuses invalid values by name.
func TestChartRefuses(t *testing.T) {
	t.Parallel()
	deploy := shipped(t)
	for name, c := range map[string]struct {
		values []string
		words  string
	}{
		"no ZooKeeper":                {[]string{"--set", "zookeeper=null"}, "zookeeper"},
		"latest":                      {[]string{"--set", "image.tag=latest"}, "image.tag"},
		"a tag in the repository":     {[]string{"--set", "image.repository=registry.example/elasticjob-console:latest"}, "image.repository"},
		"no pods":                     {[]string{"--set", "replicas=0"}, "replicas"},
		"too many pods":               {[]string{"--set", "replicas=11"}, "replicas"},
		"half a pod":                  {[]string{"--set", "replicas=1.5"}, "replicas"},
		"an unknown value":            {[]string{"--set", "replicaCount=3"}, "replicaCount"},
		"an unknown scope":            {[]string{"--set", "rbac.scope=all"}, "rbac.scope"},
		"a namespace":                 {[]string{"--set", "cloud.namespaces={A_B}"}, "cloud/namespaces"},
		"a flag of others":            {[]string{"--set", "flags.PATH=/"}, "PATH"},
		"a flag that is not a string": {[]string{"--set", "flags.ELASTICJOB_KEEP_DAYS=30"}, "ELASTICJOB_KEEP_DAYS"},
		"a password":                  {[]string{"--set", "flags.ELASTICJOB_DSN=mysql://a:b@c/d"}, "flags"},
		"a password of OIDC":          {[]string{"--set", "flags.ELASTICJOB_OIDC_CLIENT_SECRET=b"}, "flags"},
		"a ServiceAccount":            {[]string{"--set", `policy.serviceAccounts={a"]+["b}`}, "serviceAccounts"},
		"a Secret":                    {[]string{"--set", `policy.secrets={a"]+["b}`}, "secrets"}, // W64
		"an address of events":        {[]string{"--set", "events.url=ftp://a/b"}, "events.url"},
		"a host of archives":          {[]string{"--set", "archives.hosts={*.example}"}, "archives.hosts"},
		"a port":                      {[]string{"--set", "service.port=0"}, "service.port"},
		"a quantity":                  {[]string{"--set", "resources.requests.memory=much"}, "memory"},
	} {
		text, err := render(t, deploy, "billing", append(slices.Clone(needed), c.values...)...)
		if err == nil || !strings.Contains(err.Error(), "don't meet the specifications of the schema") || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v; want a refusal that names %s", name, err, c.words)
		}
		if strings.Contains(text, "kind:") {
			t.Errorf("%s: it was rendered anyway", name)
		}
	}
	if _, err := cluster.Helm(t.Context(), "template", filepath.Join(deploy, "helm", "elasticjob"), "--set", "zookeeper={zk}", "--kube-version", "1.32.9"); err == nil || !strings.Contains(err.Error(), "1.33") {
		t.Errorf("Kubernetes 1.32: %v", err)
	}
}

// TestChartIsTheOverlay: the chart and the overlays should create the same objects.
func TestChartIsTheOverlay(t *testing.T) {
	t.Parallel()
	deploy := shipped(t)
	for name, c := range map[string]struct {
		overlay, scope string
		events         bool
	}{
		"namespaced": {"namespaced", "namespace", false}, "cluster": {"cluster", "cluster", false},
		"namespaced with events": {"namespaced", "namespace", true}, "cluster with events": {"cluster", "cluster", true},
	} {
		overlay, values := customization(t, c.overlay, "billing", deploy), append(slices.Clone(needed), "--set", "archives.hosts={repo.example}", "--set", "notify.hosts={mail.example.com:587}", "--set", "rbac.scope="+c.scope)
		if c.events {
			withEvents(t, overlay, deploy)
			values = append(values, "--set", "events.enabled=true")
		}
		kustomized := objects(t, kubectl(t, "", "kustomize", overlay))
		text, err := render(t, deploy, "billing", values...)
		if err != nil {
			t.Fatal(err)
		}
		want, got := make(map[string]object), make(map[string]object)
		for key, o := range kustomized {
			if o.kind() != "CustomResourceDefinition" { // Helm stores them separately.
				want[plain(t, key, o)] = o
			}
		}
		for key, o := range objects(t, text) {
			got[plain(t, key, o)] = o
		}
		if len(want) < 12 {
			t.Errorf("%s: only %d objects: %v", name, len(want), slices.Sorted(maps.Keys(want)))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-kustomize +helm):\n%s", name, diff)
		}
		if asks := strings.Contains(text, "tokenreviews"); asks != c.events {
			t.Errorf("%s: it may review tokens: %v", name, asks)
		}
	}
}

// withEvents adds the part about events of docs/cloud-operations.md to a customization.
func withEvents(t *testing.T, dir, deploy string) {
	t.Helper()
	document, err := os.ReadFile("../../../docs/cloud-operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ := strings.Cut(string(document), "`ELASTICJOB_CLOUD_EVENTS_URL=")
	address, _, _ = strings.Cut(address, "`")
	_, components, _ := strings.Cut(string(document), "```yaml\ncomponents:\n")
	components, _, found := strings.Cut(components, "```\n")
	if !found || address == "" {
		t.Fatal("docs/cloud-operations.md does not describe the events component")
	}
	path, err := filepath.Rel(dir, filepath.Join(deploy, "kustomize", "components", "events"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "kustomization.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "  literals:\n", "  literals:\n  - ELASTICJOB_CLOUD_EVENTS_URL="+address+"\n", 1) +
		"components:\n" + strings.Replace(components, "elasticjob/deploy/kustomize/components/events", path, 1)
	// A cluster's second installation gives its binding another name.
	_, patch, found := strings.Cut(string(document), "```yaml\npatches:\n")
	patch, _, _ = strings.Cut(patch, "```\n")
	if !found {
		t.Fatal("docs/cloud-operations.md has no patch of the binding's name")
	}
	changed = strings.Replace(changed, "\npatches:\n", "\npatches:\n"+patch, 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}

// plain removes intended differences from an object, and returns its key without them.
func plain(t *testing.T, key string, o object) string {
	t.Helper()
	labels, _ := o.metadata()["labels"].(map[string]any)
	if labels["app.kubernetes.io/part-of"] != "elasticjob" {
		t.Errorf("%s has the labels %v", key, labels)
	}
	delete(o.metadata(), "labels")
	spec, _ := o["spec"].(map[string]any)
	if o.kind() == "Deployment" {
		template := object(spec["template"].(map[string]any))
		labels, _ := template.metadata()["labels"].(map[string]any)
		delete(labels, "helm.sh/chart")
		delete(labels, "app.kubernetes.io/managed-by")
		delete(template.metadata(), "annotations") // Helm's checksum of the flags; kustomize has it in the ConfigMap's name
	}
	if strings.HasPrefix(o.kind(), "ValidatingAdmissionPolicy") {
		delete(o.metadata(), "namespace") // kustomize doesn't know that they have none; the API server ignores it
		delete(spec, "matchConditions")   // the subjects
	}
	clean(o)
	return o.kind() + "/" + rename(o.name())
}

// clean replaces names of cluster-wide objects and the ConfigMap everywhere.
func clean(v any) any {
	switch v := v.(type) {
	case object:
		clean(map[string]any(v))
	case map[string]any:
		for key, value := range v {
			v[key] = clean(value)
		}
	case []any:
		for i, value := range v {
			v[i] = clean(value)
		}
	case string:
		return rename(v)
	}
	return v
}

func rename(text string) string {
	if strings.HasPrefix(text, "elasticjob-console-") && !strings.HasPrefix(text, "elasticjob-console-billing") && !strings.HasSuffix(text, "-runs") && !strings.HasSuffix(text, "-others") && !strings.HasSuffix(text, "-events") {
		return "elasticjob-console" // with the ConfigMap's checksum
	}
	return strings.ReplaceAll(text, "elasticjob-console-billing", "elasticjob-console")
}

// TestInstallWithHelm: a release can be installed, upgraded and uninstalled. Its own policies apply
// to it, and the custom resources outlive it.
func TestInstallWithHelm(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	namespace := space(t)
	chart := filepath.Join(shipped(t), "helm", "elasticjob")
	helm := func(args ...string) {
		t.Helper()
		if _, err := cluster.Helm(t.Context(), append(args, "--namespace", namespace, "--timeout", "120s")...); err != nil {
			t.Fatal(err)
		}
	}
	// The list differs from the overlays' policies.
	helm(append(append([]string{"install", "console", chart, "--wait"}, needed...), "--set", "policy.serviceAccounts={other-reader}")...)
	ready(t, namespace)
	account := console(t, namespace)
	launches(t, namespace, account)
	refusals(t, account, namespace)
	batch, _ := clients(t, account)
	refused(t, fmt.Sprintf("with the ServiceAccount report-reader, which is not on the list of the policy elasticjob-console-%s-runs", namespace), func() error {
		job := golden(t)
		job.Spec.Template.Spec.ServiceAccountName = "report-reader"
		_, err := batch.Jobs(namespace).Create(t.Context(), job, metav1.CreateOptions{DryRun: dryRun})
		return err
	})
	helm(append([]string{"upgrade", "console", chart, "--wait", "--set-string", "flags.ELASTICJOB_KEEP_DAYS=30"}, needed...)...)
	if text := kubectl(t, "", "-n", namespace, "get", "configmap/elasticjob-console", "-o", "jsonpath={.data.ELASTICJOB_KEEP_DAYS}"); text != "30" {
		t.Errorf("after the upgrade, the flag is %q", text)
	}
	if text := kubectl(t, "", "-n", namespace, "rollout", "history", "deployment/elasticjob-console"); !strings.Contains(text, "\n2") {
		t.Errorf("another flag made no other pods:\n%s", text)
	}
	helm("uninstall", "console", "--wait")
	if text := kubectl(t, "", "get", "validatingadmissionpolicies", "-o", "name"); strings.Contains(text, namespace) {
		t.Errorf("policies after the release was uninstalled:\n%s", text)
	}
	kubectl(t, "", "get", "crd/elasticjobs.cloud.elasticjob.dev")
}
