//go:build servers && !race

package build_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// TestW47Install publishes the sources of this module on a proxy of files and installs both
// commands from there, as `go install` does for everyone who has no clone of the repository.
// It isn't part of make test, because it compiles all packages of the commands again.
func TestW47Install(t *testing.T) {
	t.Parallel()
	published := module.Version{Path: "github.com/elasticjob-go/elasticjob", Version: "v0.1.99"}
	proxies := strings.Join([]string{publish(t, published, filepath.Join("..", "..")), downloaded(t), goEnv(t, "GOPROXY")}, ",")
	bin, cache := t.TempDir(), t.TempDir()
	for _, command := range []string{"console", "cloudrun"} {
		// With -trimpath, compiled packages of other modules are taken from the cache.
		install := exec.CommandContext(t.Context(), "go", "install", "-trimpath", "-modcacherw", published.Path+"/cmd/"+command+"@"+published.Version)
		install.Dir = t.TempDir() // outside of any module
		install.Env = append(os.Environ(), "GOBIN="+bin, "GOMODCACHE="+cache, "GOPROXY="+proxies, "GOSUMDB=off", "GOFLAGS=", "GOWORK=off", "GOPRIVATE=", "GONOPROXY=", "CGO_ENABLED=0")
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", install.Args, err, out)
		}
	}
	for command, want := range map[string]string{"console version": published.Version, "cloudrun --help": "cloudrun"} {
		words := strings.Fields(command)
		out, err := exec.CommandContext(t.Context(), filepath.Join(bin, words[0]), words[1:]...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s, want %q in it", command, err, out, want)
		}
	}
}

// downloaded is the address of the modules that were downloaded for this repository.
func downloaded(t *testing.T) string {
	t.Helper()
	return fileURL(filepath.Join(goEnv(t, "GOMODCACHE"), "cache", "download"))
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatalf("go env %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

func fileURL(folder string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}).String()
}

// publish writes one version of the module in folder as a module proxy serves it, and returns the
// address of that proxy.
func publish(t *testing.T, version module.Version, folder string) string {
	t.Helper()
	proxy := t.TempDir()
	versions := filepath.Join(proxy, filepath.FromSlash(version.Path), "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		t.Fatal(err)
	}
	goMod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(map[string]string{"Version": version.Version})
	if err != nil {
		t.Fatal(err)
	}
	var zip bytes.Buffer
	if err := modzip.CreateFromDir(&zip, version, folder); err != nil {
		t.Fatalf("the sources can't be published: %v", err)
	}
	for name, content := range map[string][]byte{
		"list":                    []byte(version.Version + "\n"),
		version.Version + ".info": info,
		version.Version + ".mod":  goMod,
		version.Version + ".zip":  zip.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(versions, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return fileURL(proxy)
}
