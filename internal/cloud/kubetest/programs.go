package kubetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// program is one of the control plane's, or one that people install with.
type program struct {
	name   string // of the file, and of its command in the module
	module string // the folder below programs
	path   string // of the package
	from   string // the module that has it
}

var programs = []program{
	{"etcd", "etcd", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3"},
	{"kube-apiserver", "kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes"},
	{"kube-controller-manager", "kubernetes", "k8s.io/kubernetes/cmd/kube-controller-manager", "k8s.io/kubernetes"},
	{"kube-scheduler", "kubernetes", "k8s.io/kubernetes/cmd/kube-scheduler", "k8s.io/kubernetes"},
	{"kwok", "kwok", "sigs.k8s.io/kwok/cmd/kwok", "sigs.k8s.io/kwok"},
	{"kubectl", "kubernetes", "k8s.io/kubernetes/cmd/kubectl", "k8s.io/kubernetes"},
	{"kubelet", "kubernetes", "k8s.io/kubernetes/cmd/kubelet", "k8s.io/kubernetes"},
	{"helm", "helm", "helm.sh/helm/v3/cmd/helm", "helm.sh/helm/v3"},
}

// What a control plane with played nodes needs, and one with a real node.
var (
	playedPrograms = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "kubectl", "helm"}
	realPrograms   = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl"}
)

// folder is that of this file: the modules lie below it, and no embedded file may.
func folder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", errors.New("the sources are not where the tests were built: build without -trimpath")
	}
	return filepath.Join(filepath.Dir(file), "programs"), nil
}

// Build builds the programs that [Start] needs, unless they are there; log says so. Several
// builds wait for each other, and so does Start.
func Build(ctx context.Context, log func(string, ...any)) error {
	_, err := find(ctx, playedPrograms, log)
	return err
}

// find returns the files of programs by name. It builds those that are missing, which takes
// minutes the first time; log says so.
func find(ctx context.Context, needed []string, log func(string, ...any)) (map[string]string, error) {
	modules, err := folder()
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
		return nil, fmt.Errorf("where the programs are kept: %w; set XDG_CACHE_HOME", err)
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
	for _, p := range wanted {
		file, err := p.build(ctx, filepath.Join(modules, p.module), cache, log)
		if err != nil {
			return nil, err
		}
		found[p.name] = file
	}
	return found, nil
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
		err = fmt.Errorf("somebody else builds the programs: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // It is unlocked by that.
}

// build returns the program's file in the cache, which it makes if need be.
func (p program) build(ctx context.Context, module, cache string, log func(string, ...any)) (string, error) {
	version, err := p.version(module)
	if err != nil {
		return "", err
	}
	file := filepath.Join(cache, p.name+"-"+version)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	log("building %s %s once, which takes minutes: it is kept as %s", p.name, version, file)
	// A control plane without a version takes itself for one without features.
	major, minor, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ = strings.Cut(minor, ".")
	flags := fmt.Sprintf("-s -w -X k8s.io/component-base/version.gitVersion=%[1]s -X k8s.io/component-base/version.gitMajor=%[2]s -X k8s.io/component-base/version.gitMinor=%[3]s -X k8s.io/client-go/pkg/version.gitVersion=%[1]s", version, major, minor)
	if p.module != "kubernetes" {
		flags = "-s -w"
	}
	unfinished := file + ".new"
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", flags, "-o", unfinished, p.path)
	build.Dir, build.Env = module, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s %s of %s: %w\n%s", p.name, version, module, err, out)
	}
	return file, os.Rename(unfinished, file)
}

// version is what the module's go.mod requires.
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
