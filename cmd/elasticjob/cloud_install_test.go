package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestCL17InstallCommand: it prints what is installed, in the namespace of the overlays or in
// another one, and without --print says whose act it is. The namespace of ZooKeeper, which a
// console in a pod has as a variable, is not meant.
func TestCL17InstallCommand(t *testing.T) {
	t.Parallel()
	pod := func(name string) (string, bool) { return "orders", name == "ELASTICJOB_NAMESPACE" }
	for args, tt := range map[string]struct {
		code  int
		words []string
		count map[string]int
	}{
		"": {cli.ExitUsage, []string{"an administrator of the cluster installs it", "elasticjob cloud install --print | kubectl apply -f -"}, map[string]int{"kind:": 0}},
		"--print": {cli.ExitOK, []string{"\nkind: Role\n", "\nkind: ValidatingAdmissionPolicyBinding\n", "name: elasticjobapps.cloud.elasticjob.dev"},
			map[string]int{"\nkind: CustomResourceDefinition\n": 2, "namespace: elasticjob\n": 4, "orders": 0}},
		"--print --cloud-namespace=jobs": {cli.ExitOK, nil, map[string]int{"namespace: jobs\n": 4, "namespace: elasticjob\n": 0}},
		"--print --cloud-namespace=A_B":  {cli.ExitUsage, []string{`--cloud-namespace "A_B"`}, map[string]int{"kind:": 0}},
		"--print --crds-only":            {cli.ExitOK, nil, map[string]int{"\nkind: CustomResourceDefinition\n": 2, "\napiVersion:": 2, "namespace:": 0}},
	} {
		p := start(t, pod, append([]string{"cloud", "install"}, strings.Fields(args)...)...)
		if code := p.Wait(); code != tt.code {
			t.Errorf("%s: exit code %d, %s", args, code, p.Stderr.String())
		}
		for _, word := range tt.words {
			if !strings.Contains(p.Stdout.String()+p.Stderr.String(), word) {
				t.Errorf("%s: %q is not in\n%s%s", args, word, p.Stdout.String(), p.Stderr.String())
			}
		}
		for word, n := range tt.count {
			if got := strings.Count(p.Stdout.String(), word); got != n {
				t.Errorf("%s: %q is there %d times, want %d, in\n%s", args, word, got, n, p.Stdout.String())
			}
		}
	}
}

// TestCL17ImageHasTheInstallation: what the build of the image leaves out is nothing that the
// program embeds.
func TestCL17ImageHasTheInstallation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, embedded := range []string{"deploy", "deploy/install.go", "deploy/crds", "deploy/crds/elasticjobs.yaml", "deploy/crds/Kustomization", "deploy/kustomize", "deploy/kustomize/policy/runs.yaml", "deploy/kustomize/base/role.yaml"} {
		for pattern := range strings.Lines(string(text)) {
			if out, err := filepath.Match(strings.TrimSpace(pattern), embedded); out || err != nil {
				t.Errorf(".dockerignore: %q is %s: %v", pattern, embedded, err)
			}
		}
	}
}
