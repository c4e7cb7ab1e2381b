package kubetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// program is a program of the control plane or for installations.
type program struct {
	name string // of its file in the cache
	path string // of its package
	from string // the module that contains it and gives its version
}

var programs = []program{
	{"etcd", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3"},
	{"kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes"},
	{"kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", "k8s.io/kubernetes"},
	{"kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler", "k8s.io/kubernetes"},
	{"kwok", "sigs.k8s.io/kwok/cmd/kwok", "sigs.k8s.io/kwok"},
	{"kubectl", "k8s.io/kubernetes/cmd/kubectl", "k8s.io/kubernetes"},
	{"kubelet", "k8s.io/kubernetes/cmd/kubelet", "k8s.io/kubernetes"},
	{"helm", "helm.sh/helm/v3/cmd/helm", "helm.sh/helm/v3"},
}

// The programs for a control plane with simulated nodes, and with a real node.
var (
	playedPrograms = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "kubectl", "helm"}
	realPrograms   = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl"}
)

// folder returns the folder of the programs' module. It's below this file's folder, where no
// embedded file may be.
func folder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", errors.New("the sources are not where the tests were built: build without -trimpath")
	}
	return filepath.Join(filepath.Dir(file), "programs"), nil
}

// Build builds the programs for [Start] unless they exist; log reports progress. Concurrent builds
// and Starts wait for each other.
func Build(ctx context.Context, log func(string, ...any)) error {
	_, err := find(ctx, playedPrograms, log)
	return err
}

// find returns the files of programs by name. It builds missing ones, which takes minutes the first
// time; log reports progress.
func find(ctx context.Context, needed []string, log func(string, ...any)) (map[string]string, error) {
	module, err := folder()
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(programs), func(p program) bool { return !slices.Contains(needed, p.name) })
	found := make(map[string]string)
	if given := os.Getenv("KUBETEST_BIN"); given != "" {
		for _, p := range wanted {
			found[p.name] = filepath.Join(given, p.name)
			if info, err := os.Stat(found[p.name]); err != nil || !info.Mode().IsRegular() {
				return nil, fmt.Errorf("KUBETEST_BIN is %s, which has no program %s; unset it to have the programs built", given, p.name)
			}
		}
		return found, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find a cache folder for the programs: %w; set XDG_CACHE_HOME", err)
	}
	cache = filepath.Join(cache, "elasticjob-kubetest")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, filepath.Join(cache, "lock"))
	if err != nil {
		return nil, err
	}
	defer unlock()
	var missing []program
	for _, p := range wanted {
		version, err := p.version(module)
		if err != nil {
			return nil, err
		}
		found[p.name] = filepath.Join(cache, p.name+"-"+version)
		if _, err := os.Stat(found[p.name]); err != nil {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	return found, build(ctx, module, missing, found, log)
}

// lock keeps two tests from building at the same time.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = fmt.Errorf("another process builds the programs: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // That unlocks it.
}

// build builds programs concurrently, because one can compile while another one links. It uses the tests'
// compiler flags and requires the same versions, so two of five packages are already in Go's cache.
func build(ctx context.Context, module string, missing []program, files map[string]string, log func(string, ...any)) error {
	cache := filepath.Dir(files[missing[0].name])
	unfinished, err := os.MkdirTemp(cache, "build-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(unfinished) }() // Remains there don't matter.
	flags, err := linking(module)
	if err != nil {
		return err
	}
	args := []string{"build", "-ldflags", flags, "-o", unfinished + string(filepath.Separator)}
	for _, p := range missing {
		log("building %s once, which takes minutes", files[p.name])
		args = append(args, p.path)
	}
	build := exec.CommandContext(ctx, "go", args...)
	build.Dir, build.Env = module, append(os.Environ(), "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=readonly")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs of %s: %w\n%s", module, err, out)
	}
	for _, p := range missing {
		if err := os.Rename(filepath.Join(unfinished, p.command()), files[p.name]); err != nil {
			return err
		}
	}
	return nil
}

// command returns the name that `go build` gives the program: the last part of its path that isn't a version.
func (p program) command() string {
	if dir, last := path.Split(p.path); last == "v3" {
		return path.Base(dir)
	}
	return path.Base(p.path)
}

// linking returns the linker flags. Without a version a control plane disables features.
func linking(module string) (string, error) {
	version, err := program{from: "k8s.io/kubernetes"}.version(module)
	if err != nil {
		return "", err
	}
	numbers := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(numbers) < 3 {
		return "", fmt.Errorf("%s/go.mod requires Kubernetes %s, want a version such as v1.36.0", module, version)
	}
	return fmt.Sprintf("-s -w -X k8s.io/component-base/version.gitVersion=%[1]s -X k8s.io/component-base/version.gitMajor=%[2]s -X k8s.io/component-base/version.gitMinor=%[3]s -X k8s.io/client-go/pkg/version.gitVersion=%[1]s", version, numbers[0], numbers[1]), nil
}

func (p program) version(module string) (string, error) {
	text, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return "", err
	}
	m := regexp.MustCompile(`(?m)^(?:require |\t)` + regexp.QuoteMeta(p.from) + ` (v\S+)(?: //.*)?$`).FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s/go.mod does not require %s", module, p.from)
	}
	return string(m[1]), nil
}
