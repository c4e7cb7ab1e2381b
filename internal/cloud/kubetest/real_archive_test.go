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
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

// TestRealCL30Archives: the program of the console's image fetches an archive into a pod, and its program
// runs. A wrong checksum, a forbidden host after a redirect, and an entry that leads out of the
// folder fail the shard at once, with their causes.
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
	files["/once.tar.gz"] = files["/shop.tar.gz"]
	host, authority := serveFiles(t, files)
	image, other := consoleImages(t, authority)
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
	t.Run("kept by another authority", func(t *testing.T) { keptArchive(t, other, host, authority, sumOf(files["/once.tar.gz"])) })
}

// consoleImages returns two images of the console: the first trusts an authority, the other none.
func consoleImages(t *testing.T, authority []byte) (trusting, other string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "elasticjob")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/elasticjob-go/elasticjob/cmd/elasticjob")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	trusting, other = "registry.example/elasticjob-console:1", "registry.example/elasticjob-console:2"
	for image, files := range map[string]map[string][]byte{trusting: {"/etc/ssl/certs/ca-certificates.crt": authority}, other: nil} {
		if err := cluster.Image(t.Context(), image, program, files); err != nil {
			t.Fatal(err)
		}
	}
	return trusting, other
}

// keptArchive makes two runs need an archive that its host serves once. The second one finds it in
// the volume. A ConfigMap has the host's authority.
func keptArchive(t *testing.T, image, host string, authority []byte, sum string) {
	namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
	if err := cluster.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	folder := claim(t, namespace, "archives")
	trusted := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "corporate-ca"}, Data: map[string]string{"ca.crt": string(authority)}}
	if _, err := cluster.Core.ConfigMaps(namespace).Create(t.Context(), trusted, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	f := openAs(t, namespace, console(t, namespace), kube.Config{Policy: kube.Policy{Archives: kube.Archives{
		Hosts: archive.Hosts{host}, FetchImage: image, RuntimeImage: kubetest.PlayImage, CacheClaim: "archives", Authority: trusted.Name,
	}}}).watch()
	for n := range 2 {
		r := f.launch(plays("PLAY", kubetest.PlayWell), func(r *cloud.Run) {
			r.Fire, r.Job.Shards = r.Fire.Add(time.Duration(n)*time.Minute), 1
			r.Name = cloud.RunName(r.Job.Name, r.Fire)
			r.App.Image, r.App.Command = "", []string{"bin/shop"}
			r.App.URL, r.App.SHA256 = "https://"+host+"/once.tar.gz", sum
		})
		if s := f.ended(2*patience, r.Name); s.State != cloud.RunSucceeded {
			t.Fatalf("run %d is %+v", n, s)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, sum)); err != nil {
		t.Error(err)
	}
}

// claim creates a PersistentVolumeClaim for a folder of this machine that any user may write.
func claim(t *testing.T, namespace, name string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := os.Chmod(folder, 0o777); err != nil { //nolint:gosec // Pods have users of their own.
		t.Fatal(err)
	}
	size := corev1.ResourceList{corev1.ResourceStorage: *resource.NewQuantity(1<<30, resource.BinarySI)}
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: namespace}, Spec: corev1.PersistentVolumeSpec{
		Capacity: size, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany},
		PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: folder}},
	}}
	if _, err := cluster.Core.PersistentVolumes().Create(t.Context(), volume, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	wanted := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: volume.Spec.AccessModes, VolumeName: volume.Name, StorageClassName: new(""), Resources: corev1.VolumeResourceRequirements{Requests: size},
	}}
	if _, err := cluster.Core.PersistentVolumeClaims(namespace).Create(t.Context(), wanted, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return folder
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// packed returns an archive with one program.
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

// serveFiles serves files by https for pods, /once.tar.gz only once, and returns the host with its
// port, and the authority to trust.
func serveFiles(t *testing.T, files map[string][]byte) (host string, authority []byte) {
	t.Helper()
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	var once atomic.Bool
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere.tar.gz" {
			http.Redirect(w, r, "https://elsewhere.example/shop.tar.gz", http.StatusFound)
			return
		}
		if r.URL.Path == "/once.tar.gz" && once.Swap(true) {
			http.NotFound(w, r)
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
