package kubetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// PlayImage is the real node's image for PLAY.
	PlayImage = "registry.example/shop:1"
	// PlayDeaf makes a real pod ignore SIGTERM.
	PlayDeaf = "deaf"

	// realName is the real node's name. The API server uses it as the address for logs.
	realName = "localhost"

	pauseImage = "kubetest.example/pause:1"
	bridge     = "kubetest0"
	plugins    = "/usr/lib/cni"
	cgroups    = "/sys/fs/cgroup"
	logLinks   = "/var/log/containers"
)

// Gateway is this machine's address for pods of a real node, in both directions. They have no other network.
const Gateway = "198.51.100.1"

const podNetwork = "198.51.100.0/24"

// settings are the kernel settings that a kubelet changes.
var settings = []string{"vm/overcommit_memory", "kernel/panic", "kernel/panic_on_oops"}

type node struct {
	socket     string // of containerd
	containerd *process
	kubelet    *process
	settings   map[string]string // their earlier values
	log        func(string, ...any)
}

// StartReal starts a control plane with one real node: kubelet, containerd and runc run pods on
// this machine, as processes in containers with limits. It needs root, writable cgroups, and
// Debian's packages containerd, runc and containernetworking-plugins; an error names the missing
// ones. PlayImage exists; [Cluster.Image] makes others.
//
// [Cluster.Close] removes what such a node leaves outside of its folder: containers, mounts,
// cgroups, a bridge, and three kernel settings.
func StartReal(ctx context.Context, dir string, log func(string, ...any)) (c *Cluster, err error) {
	if err := canBeNode(); err != nil {
		return nil, err
	}
	return start(ctx, dir, log, realPrograms, "Hostname", func(c *Cluster, ctx context.Context) error {
		c.node = &node{socket: c.path("ctd.sock"), settings: make(map[string]string), log: log}
		return c.realNode(ctx)
	})
}

// StartChosen is StartReal if KUBETEST_NODE is "real", else Start.
func StartChosen(ctx context.Context, dir string, log func(string, ...any)) (*Cluster, error) {
	if os.Getenv("KUBETEST_NODE") == "real" {
		return StartReal(ctx, dir, log)
	}
	return Start(ctx, dir, log)
}

// Real reports whether the node is real.
func (c *Cluster) Real() bool { return c.node != nil }

// Play is the file with PlayImage's program.
func (c *Cluster) Play() string { return c.path("play") }

// canBeNode returns what this machine lacks for a real node.
func canBeNode() error {
	if runtime.GOOS != "linux" {
		return errors.New("a real node needs Linux")
	}
	if os.Getuid() != 0 {
		return errors.New("a real node needs root: its containers have namespaces and cgroups of their own")
	}
	for _, name := range []string{"containerd", "ctr", "runc", "ip"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("a real node needs the packages containerd, runc, containernetworking-plugins and iproute2: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(plugins, "bridge")); err != nil {
		return fmt.Errorf("a real node needs the package containernetworking-plugins: %w", err)
	}
	var probe string
	for _, controller := range []string{"memory", ""} { // version 1, then 2
		probe = filepath.Join(cgroups, controller, "kubetest-probe")
		if err := os.Mkdir(probe, 0o755); err == nil {
			return os.Remove(probe)
		}
	}
	return fmt.Errorf("a real node needs cgroups that can be written, and %s cannot be made", probe)
}

// realNode starts containerd and kubelet, and waits until the node is ready.
func (c *Cluster) realNode(ctx context.Context) (err error) {
	if err := c.containers(ctx); err != nil {
		return err
	}
	play := c.Play()
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", play, "github.com/elasticjob-go/elasticjob/internal/cloud/kubetest/play")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program of real pods: %w\n%s", err, out)
	}
	if err := c.image(ctx, pauseImage, play, []string{"pause"}, nil); err != nil {
		return err
	}
	if err := c.Image(ctx, PlayImage, play, nil); err != nil {
		return err
	}
	return c.serve(ctx)
}

func (c *Cluster) containers(ctx context.Context) error {
	for _, dir := range []string{"cni", "ctd", "ctd-state"} {
		if err := os.MkdirAll(c.path(dir), 0o755); err != nil {
			return err
		}
	}
	stream, err := freePort()
	if err != nil {
		return err
	}
	// Without CAP_SYS_RESOURCE OOM scores can't be lowered, and runc would fail.
	config := fmt.Sprintf(`version = 2
root = %[1]q
state = %[2]q
[grpc]
  address = %[3]q
[plugins."io.containerd.internal.v1.opt"]
  path = %[4]q
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = %[5]q
  disable_apparmor = true
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "%[6]d"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = %[7]q
    conf_dir = %[8]q
`, c.path("ctd"), c.path("ctd-state"), c.node.socket, c.path("ctd/opt"), pauseImage, stream, plugins, c.path("cni"))
	network := fmt.Sprintf(`{"cniVersion": "0.4.0", "name": "kubetest", "plugins": [{"type": "bridge", "bridge": %q, "isGateway": true, "ipMasq": false,
  "ipam": {"type": "host-local", "dataDir": %q, "ranges": [[{"subnet": %q, "gateway": %q}]]}}]}`, bridge, c.path("cni-addresses"), podNetwork, Gateway)
	for name, text := range map[string]string{"containerd.toml": config, "cni/10-bridge.conflist": network} {
		if err := os.WriteFile(c.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	c.node.containerd, err = run("containerd", "containerd", c.dir, "--config", c.path("containerd.toml"))
	if err != nil {
		return err
	}
	return c.node.containerd.until(ctx, "containerd", func(ctx context.Context) error {
		return exec.CommandContext(ctx, "ctr", "-a", c.node.socket, "version").Run()
	})
}

func (n *node) remember() error {
	for _, name := range settings {
		text, err := os.ReadFile(filepath.Join("/proc/sys", name))
		if err != nil {
			return fmt.Errorf("a setting of the kernel that the kubelet changes: %w", err)
		}
		n.settings[name] = strings.TrimSpace(string(text))
	}
	return nil
}

// serve starts the kubelet and waits until the node is ready.
func (c *Cluster) serve(ctx context.Context) error {
	if err := c.node.remember(); err != nil {
		return err
	}
	var own, health int
	for _, port := range []*int{&own, &health} {
		var err error
		if *port, err = freePort(); err != nil {
			return err
		}
	}
	// Ignore the machine's disk; nothing should be evicted because of it.
	config := fmt.Sprintf(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: 127.0.0.1
port: %[1]d
healthzPort: %[2]d
healthzBindAddress: 127.0.0.1
readOnlyPort: 0
authentication: {anonymous: {enabled: false}, webhook: {enabled: false}, x509: {clientCAFile: %[3]q}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: %[4]q
cgroupDriver: cgroupfs
cgroupRoot: /
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: []
makeIPTablesUtilChains: false
localStorageCapacityIsolation: false
evictionHard: {memory.available: 1Mi, nodefs.available: 0%%, imagefs.available: 0%%, nodefs.inodesFree: 0%%, imagefs.inodesFree: 0%%}
imageGCHighThresholdPercent: 100
maxPods: 250
podLogsDir: %[5]q
volumePluginDir: %[6]q
resolvConf: ""
nodeStatusUpdateFrequency: 2s
nodeStatusReportFrequency: 10s
`, own, health, c.path("ca.crt"), "unix://"+c.node.socket, c.path("podlogs"), c.path("volumeplugins"))
	if err := os.WriteFile(c.path("kubelet.yaml"), []byte(config), 0o600); err != nil {
		return err
	}
	var err error
	c.node.kubelet, err = run("kubelet", c.files["kubelet"], c.dir, "--config", c.path("kubelet.yaml"), "--kubeconfig", c.path("kubeconfig"),
		"--hostname-override", realName, "--root-dir", c.path("kubelet"), "--cert-dir", c.path("kubelet-pki"))
	if err != nil {
		return err
	}
	return c.node.kubelet.until(ctx, "the real node", func(ctx context.Context) error {
		n, err := c.Core.Nodes().Get(ctx, realName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		ready := slices.ContainsFunc(n.Status.Conditions, func(condition corev1.NodeCondition) bool {
			return condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue
		})
		if !ready || len(n.Spec.Taints) > 0 {
			return errors.New("it is not ready")
		}
		return nil
	})
}

// close ends all containers and removes what the node has left.
func (n *node) close(dir string) {
	if n.kubelet != nil {
		n.kubelet.stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ctr := func(args ...string) []string {
		out, _ := exec.CommandContext(ctx, "ctr", append([]string{"-a", n.socket, "-n", "k8s.io"}, args...)...).Output()
		return strings.Fields(string(out))
	}
	if n.containerd != nil {
		for _, task := range ctr("tasks", "ls", "-q") {
			ctr("tasks", "rm", "-f", task)
		}
		for _, container := range ctr("containers", "ls", "-q") {
			ctr("containers", "rm", container)
		}
		n.containerd.stop()
	}
	for name, value := range n.settings {
		if err := os.WriteFile(filepath.Join("/proc/sys", name), []byte(value), 0o644); err != nil {
			n.log("could not restore a kernel setting: %v", err)
		}
	}
	n.unmount(ctx, dir)
	_ = exec.CommandContext(ctx, "ip", "link", "delete", bridge).Run() // Without pods there was none.
	removeCgroups()
	removeLinks(dir)
}

// unmount unmounts everything below a folder, innermost first.
func (n *node) unmount(ctx context.Context, dir string) {
	mounts, _ := os.ReadFile("/proc/mounts")
	var below []string
	for line := range strings.Lines(string(mounts)) {
		if f := strings.Fields(line); len(f) > 1 && strings.HasPrefix(f[1], dir+"/") {
			below = append(below, f[1])
		}
	}
	slices.Sort(below)
	for _, at := range slices.Backward(below) {
		if out, err := exec.CommandContext(ctx, "umount", at).CombinedOutput(); err != nil {
			n.log("%s stays mounted: %v: %s", at, err, strings.TrimSpace(string(out)))
		}
	}
}

func removeCgroups() {
	var made []string
	_ = filepath.WalkDir(cgroups, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.Contains(path, "/kubepods") {
			made = append(made, path)
		}
		return nil
	})
	for _, path := range slices.Backward(made) {
		_ = os.Remove(path)
	}
}

func removeLinks(dir string) {
	entries, _ := os.ReadDir(logLinks)
	for _, e := range entries {
		path := filepath.Join(logLinks, e.Name())
		if at, err := os.Readlink(path); err == nil && strings.HasPrefix(at, dir+"/") {
			_ = os.Remove(path)
		}
	}
}
