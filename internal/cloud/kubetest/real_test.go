//go:build kubernetes

package kubetest_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRealCL29ImageIsAbsent: what the node says of an image that no registry has keeps the
// task, and is what a run ends with that is given up.
func TestRealCL29ImageIsAbsent(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(func(r *cloud.Run) { r.App.Image, r.Job.Shards = "registry.invalid/absent:1", 1 })
	f.until(patience, "the task is stuck", func() bool {
		for _, task := range f.tasks {
			if !task.Stuck.IsZero() && strings.Contains(task.Message, "registry.invalid") && task.State == tracing.StateStaging {
				return true
			}
		}
		return false
	})
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndError, By: "scheduler", Reason: "it did not start within 10m"}); err != nil {
		t.Fatal(err)
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "given up by scheduler: it did not start within 10m" {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(0); got != "ERROR" {
		t.Errorf("states are %s", got)
	}
}

// TestRealCL36IgnoresSIGTERM: the node kills it after its grace, and the task says so.
func TestRealCL36IgnoresSIGTERM(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayDeaf), func(r *cloud.Run) { r.App.GraceSeconds, r.Job.Shards = 2, 1 })
	task := f.working(1)[0]
	began := time.Now()
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root", Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunKilled || time.Since(began) < 2*time.Second {
		t.Errorf("after %v the run is %+v", time.Since(began), s)
	}
	f.until(patience, "the task says that it was killed", func() bool {
		got := f.tasks[task.UID]
		return got.State == tracing.StateKilled && got.Message == "ended by root: enough"+cloud.IgnoredSIGTERM
	})
}

// TestRealCL30Archives: the console's own image fetches an archive into a pod, whose program
// runs. A wrong sum, a host that is not allowed after a redirect, and an entry that leads out
// of the folder fail the shard at once, with their causes.
func TestRealCL30Archives(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	play, err := os.ReadFile(cluster.Play())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"/shop.tar.gz": packed(t, "bin/shop", play), "/outside.tar.gz": packed(t, "../outside", play),
	}
	host, authority := serveFiles(t, files)
	program := filepath.Join(t.TempDir(), "console")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/elasticjob-go/elasticjob/cmd/console")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const image = "registry.example/elasticjob-console:1"
	if err := cluster.Image(t.Context(), image, program, map[string][]byte{"/etc/ssl/certs/ca-certificates.crt": authority}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, sum, states, cause string }{
		{"good", "/shop.tar.gz", sumOf(files["/shop.tar.gz"]), "FINISHED", ""},
		{"another sum", "/shop.tar.gz", strings.Repeat("0a", 32), "FAILED", sumOf(files["/shop.tar.gz"])},
		{"elsewhere", "/elsewhere.tar.gz", strings.Repeat("0a", 32), "FAILED", "host elsewhere.example:443 is not allowed"},
		{"outside", "/outside.tar.gz", sumOf(files["/outside.tar.gz"]), "FAILED", "../outside"},
	} {
		t.Run(c.name, func(t *testing.T) {
			namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
			if err := cluster.Namespace(t.Context(), namespace); err != nil {
				t.Fatal(err)
			}
			f := openAs(t, namespace, console(t, namespace), kube.Config{Policy: kube.Policy{Archives: kube.Archives{
				Hosts: archive.Hosts{host}, FetchImage: image, RuntimeImage: kubetest.PlayImage,
			}}}).watch()
			r := f.launch(plays("PLAY", kubetest.PlayWell), func(r *cloud.Run) {
				r.Job.Shards, r.Job.Failover = 1, true
				r.App.Image, r.App.Command = "", []string{"bin/shop"}
				r.App.URL, r.App.SHA256 = "https://"+host+c.path, c.sum
			})
			s := f.ended(2*patience, r.Name)
			if got := f.states(0); got != c.states || s.State == cloud.RunSucceeded != (c.cause == "") {
				t.Errorf("the run is %+v, states are %s", s, got)
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			for _, task := range f.tasks {
				if !strings.Contains(task.Message, c.cause) {
					t.Errorf("the cause is %q; want %q in it", task.Message, c.cause)
				}
			}
		})
	}
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// packed is an archive with one program.
func packed(t *testing.T, name string, program []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	for _, c := range []func() error{w.Close, z.Close} {
		if err := c(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// serveFiles serves them by https where pods reach this machine, and returns the host with
// its port, and what pods have to trust.
func serveFiles(t *testing.T, files map[string][]byte) (host string, authority []byte) {
	t.Helper()
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere.tar.gz" {
			http.Redirect(w, r, "https://elsewhere.example/shop.tar.gz", http.StatusFound)
			return
		}
		_, _ = w.Write(files[r.URL.Path])
	}))
	if err := server.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	server.Listener = listener
	if server.TLS, authority, err = cluster.ServeTLS(); err != nil {
		t.Fatal(err)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort(kubetest.Gateway, port), authority
}
