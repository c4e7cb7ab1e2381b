//go:build kubernetes

package kubetest_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
)

// shipped returns the path of a copy of deploy/, as used for installations.
func shipped(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "deploy")
	if err := os.CopyFS(dir, os.DirFS("../../../deploy")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// installed is the result of installing the cluster-wide objects.
var installed struct {
	sync.Once
	error
}

// belongsToAll installs the cluster-wide objects once: the custom resources and the policies, as in
// an installation. Tests that install them again change nothing.
func belongsToAll(t *testing.T) {
	t.Helper()
	installed.Do(func() {
		installed.error = errors.New("the first test failed to install custom resources and policies")
		dir := customization(t, "namespaced", "default", shipped(t))
		text, err := cluster.Kubectl(t.Context(), "", "kustomize", dir)
		var all []string
		for part := range strings.SplitSeq(text, "\n---\n") {
			if strings.Contains(part, "\nkind: ValidatingAdmissionPolicy") || strings.Contains(part, "\nkind: CustomResourceDefinition\n") {
				all = append(all, part)
			}
		}
		if err == nil {
			_, err = cluster.Kubectl(t.Context(), strings.Join(all, "\n---\n"), "apply", "--server-side", "--force-conflicts", "-f", "-")
		}
		installed.error = err
	})
	if installed.error != nil {
		t.Fatal(installed.error)
	}
}

type object map[string]any

func (o object) kind() string { text, _ := o["kind"].(string); return text }

func (o object) metadata() object { fields, _ := o["metadata"].(map[string]any); return fields }

func (o object) name() string { text, _ := o.metadata()["name"].(string); return text }

// objects returns the objects of a YAML text by kind and name.
func objects(t *testing.T, text string) map[string]object {
	t.Helper()
	found := make(map[string]object)
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var o map[string]any // Not type object, because all maps in it would get that type.
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if o == nil {
			continue
		}
		key := object(o).kind() + "/" + object(o).name()
		if found[key] != nil {
			t.Fatalf("%s is there twice", key)
		}
		found[key] = o
	}
}

// customization writes the customization of docs/cloud-operations.md, for a namespace and a copy of deploy/.
func customization(t *testing.T, overlay, namespace, deploy string) (dir string) {
	t.Helper()
	document, err := os.ReadFile("../../../docs/cloud-operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(document), "```yaml\n# kustomization.yaml\n")
	text, _, found := strings.Cut(text, "```\n")
	if !found {
		t.Fatal("docs/cloud-operations.md has no kustomization.yaml")
	}
	dir = t.TempDir()
	path, err := filepath.Rel(dir, filepath.Join(deploy, "kustomize", "overlays", overlay))
	if err != nil {
		t.Fatal(err)
	}
	for old, fresh := range map[string]string{"elasticjob/deploy/kustomize/overlays/namespaced": path, "\nnamespace: billing\n": "\nnamespace: " + namespace + "\n"} {
		if strings.Count(text, old) != 1 {
			t.Fatalf("docs/cloud-operations.md: %q is not once in\n%s", old, text)
		}
		text = strings.Replace(text, old, fresh, 1)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// space creates a namespace with restricted pods and without any rights.
func space(t *testing.T) string {
	t.Helper()
	namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
	kubectl(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": %q, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}`, namespace), "create", "-f", "-")
	return namespace
}

// kubectl runs a command that must succeed.
func kubectl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := cluster.Kubectl(t.Context(), stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func render(t *testing.T, deploy, namespace string, args ...string) (string, error) {
	t.Helper()
	return cluster.Helm(t.Context(), append([]string{"template", "console", filepath.Join(deploy, "helm", "elasticjob"), "--namespace", namespace, "--kube-version", "1.37.2"}, args...)...)
}
