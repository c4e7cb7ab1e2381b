//go:build !race

package archtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDevContainer: the container has the Go of go.mod and begins with commands that
// there are.
func TestDevContainer(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var container struct{ Image, OnCreateCommand, PostCreateCommand string }
	if err := json.Unmarshal([]byte(read(".devcontainer/devcontainer.json")), &container); err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read("go.mod"))[1]
	if !strings.HasPrefix(container.Image, "golang:"+version+"-") {
		t.Errorf("the image is %s and go.mod wants Go %s", container.Image, version)
	}
	if !strings.Contains(container.OnCreateCommand, ".ci/deps") {
		t.Errorf("%q does not install what the tests need", container.OnCreateCommand)
	}
	_, target, found := strings.Cut(container.PostCreateCommand, "make ")
	if !found || !strings.Contains(read("Makefile"), "\n"+target+": ##") {
		t.Errorf("the Makefile has no %q", target)
	}
}

// TestV31BaseImagesByDigest: an image of a registry is what its digest says, each time
// that the console's image is built.
func TestV31BaseImagesByDigest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	bases := regexp.MustCompile(`(?m)^(?:ARG GO_IMAGE=|FROM )(\S+)`).FindAllStringSubmatch(string(text), -1)
	pinned := regexp.MustCompile(`^golang:1\.[0-9.]+-bookworm@sha256:[0-9a-f]{64}$`)
	count := 0
	for _, base := range bases {
		switch {
		case pinned.MatchString(base[1]):
			count++
		case base[1] != "$GO_IMAGE" && base[1] != "scratch":
			t.Errorf("the base image %s has no digest", base[1])
		}
	}
	if count != 1 {
		t.Errorf("%d base images with a digest, want one:\n%s", count, bases)
	}
}

// TestProgramsHaveOurVersions: what the programs of the control plane share with the tests is
// compiled once only if both go.mod require the same versions of it.
func TestProgramsHaveOurVersions(t *testing.T) {
	t.Parallel()
	required := func(folder string) map[string]string {
		text, err := os.ReadFile(filepath.Join(root, folder, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		versions := make(map[string]string)
		for _, m := range regexp.MustCompile(`(?m)^(?:require |\t)(\S+) (v\S+)(?: //.*)?$`).FindAllStringSubmatch(string(text), -1) {
			versions[m[1]] = m[2]
		}
		return versions
	}
	ours, programs, shared := required("."), required("internal/cloud/kubetest/programs"), 0
	for module, version := range programs {
		switch own := ours[module]; own {
		case "":
		case version:
			shared++
		default:
			t.Errorf("go.mod requires %s %s, that of internal/cloud/kubetest/programs %s: run `go get %[1]s@…` in one of them", module, own, version)
		}
	}
	if shared < 20 {
		t.Errorf("%d modules are shared; were the files read well?", shared)
	}
}
