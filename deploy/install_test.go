package deploy_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/deploy"
)

// object is a manifest, or a file of kustomize.
type object = map[string]any

// parse reads objects; a key that is there twice is an error.
func parse(t *testing.T, text []byte) (all []object) {
	t.Helper()
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var o object
		if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		all = append(all, o)
	}
}

// kustomize makes what is in a folder of kustomize, as far as the files here need it.
func kustomize(t *testing.T, folder string) (all []object) {
	t.Helper()
	paths, err := filepath.Glob(folder + "/[Kk]ustomization*")
	if err != nil || len(paths) != 1 {
		t.Fatalf("%s: %v, %v", folder, paths, err)
	}
	read := func(path string) []object {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return parse(t, text)
	}
	k := read(paths[0])[0]
	for _, name := range k["resources"].([]any) {
		path := filepath.Join(folder, name.(string))
		if filepath.Ext(path) == ".yaml" {
			all = append(all, read(path)...)
		} else {
			all = append(all, kustomize(t, path)...)
		}
	}
	for _, o := range all {
		metadata := o["metadata"].(object)
		if labels, _ := k["labels"].([]any); len(labels) == 1 {
			if metadata["labels"] == nil {
				metadata["labels"] = object{}
			}
			for key, value := range labels[0].(object)["pairs"].(object) {
				metadata["labels"].(object)[key] = value
			}
		}
		switch kind := o["kind"].(string); {
		case k["namespace"] == nil || kind == "CustomResourceDefinition" || strings.HasPrefix(kind, "ValidatingAdmissionPolicy"):
		case kind == "RoleBinding":
			for _, subject := range o["subjects"].([]any) {
				subject.(object)["namespace"] = k["namespace"]
			}
			fallthrough
		default:
			metadata["namespace"] = k["namespace"]
		}
	}
	return all
}

// TestInstallation: it is what the overlay of one namespace has, but for what runs a console.
// A policy is there before the rights that it bounds, and no object is left to be separated.
func TestInstallation(t *testing.T) {
	t.Parallel()
	var want []object
	for _, o := range kustomize(t, "kustomize/overlays/namespaced") {
		group, _, _ := strings.Cut(o["apiVersion"].(string), "/")
		switch {
		case o["kind"] == "ServiceAccount", group == "rbac.authorization.k8s.io", group == "admissionregistration.k8s.io", group == "apiextensions.k8s.io":
			want = append(want, o)
		}
	}
	text, err := deploy.Installation("elasticjob")
	if err != nil {
		t.Fatal(err)
	}
	got := parse(t, text)
	if len(got) != 9 {
		t.Errorf("%d objects", len(got))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-kustomize +printed):\n%s", diff)
	}
}

// TestNamespace: one that looks like a number stays a text, and what belongs to the whole
// cluster gets none.
func TestNamespace(t *testing.T) {
	t.Parallel()
	text, err := deploy.Installation("123")
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	for _, o := range parse(t, text) {
		switch namespace := o["metadata"].(object)["namespace"]; {
		case namespace == "123":
			inside++
		case namespace != nil:
			t.Errorf("%v is in the namespace %v", o["kind"], namespace)
		}
	}
	if inside != 3 || !bytes.Contains(text, []byte("# All that the scheduler may do")) {
		t.Errorf("%d objects are in the namespace; want 3, and the comments of the files:\n%s", inside, text)
	}
}

// TestCustomResources: they are printed as they lie there.
func TestCustomResources(t *testing.T) {
	t.Parallel()
	text, err := deploy.CustomResources()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(kustomize(t, "crds"), parse(t, text)); diff != "" {
		t.Errorf("(-crds +printed):\n%s", diff)
	}
}
