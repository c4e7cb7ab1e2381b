package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// The manifests of an installation on Kubernetes. That a cluster takes them, and that the chart
// is the same as the overlays, is shown by `make cloud-test`.
const (
	deployFolder     = "../../deploy"
	kustomizeFolder  = deployFolder + "/kustomize"
	chartFolder      = deployFolder + "/helm/elasticjob"
	crdFolder        = deployFolder + "/crds"
	operatingManual  = "../../docs/cloud-operations.md"
	consoleContainer = "elasticjob-console"
)

// manifest is what the tests look at of any object, and of the files of kustomize and Helm.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name   string            `yaml:"name"`
		Labels map[string]string `yaml:"labels"`
	} `yaml:"metadata"`
	Resources []string `yaml:"resources"`
	Images    []struct {
		Name   string `yaml:"name"`
		NewTag string `yaml:"newTag"`
	} `yaml:"images"`
	Labels []struct {
		Pairs map[string]string `yaml:"pairs"`
	} `yaml:"labels"`
	Rules    []rbacRule `yaml:"rules"`
	Subjects []struct {
		Name      string `yaml:"name"`
		Namespace string `yaml:"namespace"`
	} `yaml:"subjects"`
	Spec map[string]any `yaml:"spec"`
	// Of a chart.
	Version    string `yaml:"version"`
	AppVersion string `yaml:"appVersion"`
}

type rbacRule struct {
	APIGroups     []string `yaml:"apiGroups"`
	Resources     []string `yaml:"resources"`
	ResourceNames []string `yaml:"resourceNames"`
	Verbs         []string `yaml:"verbs"`
}

// manifests reads the documents of a file; a key that is there twice is an error.
func manifests(t *testing.T, path string) (all []manifest) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m manifest
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, m)
	}
}

// one is the only document of a file.
func one(t *testing.T, path string) manifest {
	t.Helper()
	all := manifests(t, path)
	if len(all) != 1 {
		t.Fatalf("%s has %d documents", path, len(all))
	}
	return all[0]
}

// crdFiles are the custom resources.
func crdFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(crdFolder + "/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestManifests: all files can be read, name what is there, and no image is one of many.
func TestManifests(t *testing.T) {
	t.Parallel()
	objects := 0
	err := filepath.WalkDir(deployFolder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), ":latest") {
			t.Errorf("%s names an image by the tag latest", path)
		}
		if strings.HasPrefix(path, chartFolder+"/templates") || filepath.Dir(path) == deployFolder {
			return nil
		}
		if filepath.Ext(path) == ".json" {
			if !json.Valid(text) {
				t.Errorf("%s is not valid JSON", path)
			}
			return nil
		}
		if filepath.Ext(path) != ".yaml" && filepath.Base(path) != "Kustomization" || filepath.Base(path) == "values.yaml" {
			return nil
		}
		for _, m := range manifests(t, path) {
			if objects++; m.APIVersion == "" || m.Kind == "" && m.Version == "" {
				t.Errorf("%s: an object of %q, %q", path, m.APIVersion, m.Kind)
			}
			for _, resource := range m.Resources {
				if strings.HasPrefix(resource, "elasticjob") && len(crdFiles(t)) == 0 {
					continue
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(path), resource)); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if objects < 15 {
		t.Errorf("only %d objects: the test looks at the wrong place", objects)
	}
}

// TestImageAndLabels: one version and one image, and what selects pods selects those of the
// Deployment.
func TestImageAndLabels(t *testing.T) {
	t.Parallel()
	base, chart, deployment := one(t, kustomizeFolder+"/base/kustomization.yaml"), one(t, chartFolder+"/Chart.yaml"), one(t, kustomizeFolder+"/base/deployment.yaml")
	if len(base.Images) != 1 || base.Images[0].Name != consoleContainer || base.Images[0].NewTag == "" {
		t.Fatalf("images of the base: %+v", base.Images)
	}
	if tag := base.Images[0].NewTag; chart.AppVersion != tag || chart.Version != tag {
		t.Errorf("the base has version %s, the chart %s of %s", tag, chart.Version, chart.AppVersion)
	}
	at := func(of any, path ...string) any {
		for _, key := range path {
			fields, _ := of.(map[string]any)
			of = fields[key]
		}
		return of
	}
	containers, _ := at(deployment.Spec, "template", "spec", "containers").([]any)
	if len(containers) != 1 || at(containers[0], "image") != base.Images[0].Name {
		t.Errorf("containers of the Deployment: %v", containers)
	}
	labels := at(deployment.Spec, "template", "metadata", "labels")
	if len(base.Labels) != 1 || labels == nil || base.Labels[0].Pairs["app.kubernetes.io/name"] != at(labels, "app.kubernetes.io/name") {
		t.Errorf("the base labels %v, pods have %v", base.Labels, labels)
	}
	for file, path := range map[string][]string{
		"deployment": {"selector", "matchLabels"}, "service": {"selector"}, "poddisruptionbudget": {"selector", "matchLabels"}, "networkpolicy": {"podSelector", "matchLabels"},
	} {
		if got := at(one(t, kustomizeFolder+"/base/"+file+".yaml").Spec, path...); !reflect.DeepEqual(got, labels) {
			t.Errorf("%s selects %v, pods have %v", file, got, labels)
		}
	}
	var values struct {
		Image struct{ Repository, Tag string }
	}
	text, err := os.ReadFile(chartFolder + "/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &values); err != nil || values.Image.Repository != base.Images[0].Name || values.Image.Tag != "" {
		t.Errorf("the chart's image is %+v, %v", values.Image, err)
	}
}

// TestChartCRDs: Helm has the custom resources of deploy/crds, all of them and as they are.
func TestChartCRDs(t *testing.T) {
	t.Parallel()
	shipped := make(map[string]string)
	for _, path := range crdFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		shipped[filepath.Base(path)] = string(text)
	}
	if *update {
		if err := os.MkdirAll(chartFolder+"/crds", 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range shipped {
			if err := os.WriteFile(filepath.Join(chartFolder, "crds", name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob(chartFolder + "/crds/*")
	if err != nil {
		t.Fatal(err)
	}
	have := make(map[string]string)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		have[filepath.Base(path)] = string(text)
	}
	if diff := cmp.Diff(shipped, have); diff != "" {
		t.Errorf("%s/crds is not deploy/crds, run this test with -update (-deploy/crds +chart):\n%s", chartFolder, diff)
	}
}

// TestRightsOfTheManual: docs/cloud-operations.md names each rule of the Role, and no other;
// the ClusterRole has the same. Only who has the component of events may ask whose a token is.
func TestRightsOfTheManual(t *testing.T) {
	t.Parallel()
	role, clusterRole := one(t, kustomizeFolder+"/base/role.yaml"), one(t, kustomizeFolder+"/overlays/cluster/clusterrole.yaml")
	if diff := cmp.Diff(role.Rules, clusterRole.Rules); diff != "" {
		t.Errorf("the ClusterRole is not the Role (-want +got):\n%s", diff)
	}
	// Of a further namespace all but the Lease, for the account of an installation as it is.
	leases := func(r rbacRule) bool { return slices.Contains(r.Resources, "leases") }
	if diff := cmp.Diff(slices.DeleteFunc(slices.Clone(role.Rules), leases), one(t, kustomizeFolder+"/served/role.yaml").Rules); diff != "" {
		t.Errorf("the Role of a further namespace is another one (-want +got):\n%s", diff)
	}
	if binding := one(t, kustomizeFolder+"/served/rolebinding.yaml"); len(binding.Subjects) != 1 || binding.Subjects[0].Name != one(t, kustomizeFolder+"/base/serviceaccount.yaml").Metadata.Name || binding.Subjects[0].Namespace != "elasticjob" {
		t.Errorf("it is bound to %+v", binding.Subjects)
	}
	asked := []rbacRule{{APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"tokenreviews"}, Verbs: []string{"create"}}}
	if diff := cmp.Diff(asked, one(t, kustomizeFolder+"/components/events/clusterrole.yaml").Rules); diff != "" {
		t.Errorf("the component of events has other rights (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(operatingManual)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| Group | Resources | Verbs | For |\n|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var listed, want []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) == 4 && strings.TrimRight(cells[3], " |\n") != "" {
			listed = append(listed, strings.Join(cells[:3], " | "))
		} else {
			t.Errorf("a row of the rights without a reason: %q", line)
		}
	}
	for _, r := range role.Rules {
		group := "`" + strings.Join(r.APIGroups, "`, `") + "`"
		if group == "``" {
			group = "core"
		}
		resources := strings.Join(r.Resources, ", ")
		if len(r.ResourceNames) > 0 {
			resources += " named " + strings.Join(r.ResourceNames, ", ")
		}
		want = append(want, fmt.Sprintf("| %s | %s | %s", group, resources, strings.Join(r.Verbs, ", ")))
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("%s has other rights than the Role (-Role +table):\n%s", operatingManual, diff)
	}
}

// consoleVariables are those of the ConfigMap.
func consoleVariables(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(kustomizeFolder + "/base/console.env")
	if err != nil {
		t.Fatal(err)
	}
	variables := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			name, value, _ := strings.Cut(line, "=")
			variables[name] = value
		}
	}
	return variables
}

// TestVariablesOfTheConsole: each variable is a flag of `console serve`, which takes them all
// with the files of the Secret as a pod finds them.
func TestVariablesOfTheConsole(t *testing.T) {
	t.Parallel()
	variables := consoleVariables(t)
	known := make(map[string]bool)
	parser, err := kong.New(&commandLine{}, kong.Name("console"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.Concat(parser.Model.Flags, serveFlags(parser)) {
		known[cli.EnvName(f.Name)] = true
	}
	secrets := t.TempDir()
	for name, text := range map[string]string{
		"dsn": "postgres://elasticjob:secret@db:5432/elasticjob\n", "session-key": "0123456789abcdefghijklmnopqrstuvwxyz", "settings-key": "MOeUJ99j3HqGaPxl7Yg/li8PtLzECEXcRNKnpQjx9Mo=\n",
		"auth.properties": "root.username=root\nroot.password=correct horse\n",
	} {
		path := filepath.Join(secrets, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o440); err != nil { // As fsGroup makes them.
			t.Fatal(err)
		}
	}
	environment := func(name string) (string, bool) {
		value, found := variables[name]
		// The engine needs a cluster: its own tests start it.
		if strings.HasPrefix(name, "ELASTICJOB_CLOUD") {
			return "", false
		}
		return strings.Replace(value, "/etc/elasticjob", secrets, 1), found
	}
	for name, value := range variables {
		if !known[name] {
			t.Errorf("%s=%s is no flag of console serve", name, value)
		}
	}
	selected, _, err := program.Parse(&commandLine{}, []string{"serve"}, io.Discard, io.Discard, environment)
	if err != nil {
		t.Fatal(err)
	}
	options, err := selected.(*serveCommand).options(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(options.dsn, "postgres://") || options.listen != "0.0.0.0:8899" || options.metrics != "0.0.0.0:9465" || options.commandChanges || options.data != "/data" {
		t.Errorf("the console would run with %+v", options)
	}
}

// serveFlags are those of `console serve`.
func serveFlags(parser *kong.Kong) []*kong.Flag {
	for _, command := range parser.Model.Children {
		if command.Name == "serve" {
			return command.Flags
		}
	}
	return nil
}
