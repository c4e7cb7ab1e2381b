package local_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// repository serves an archive, and counts requests.
type repository struct {
	*httptest.Server

	data     []byte
	asked    atomic.Int32
	failures atomic.Int32  // number of answers with 503
	blocked  chan struct{} // if set, answers wait until it's closed
}

// packed returns an archive with one file.
func packed(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	_, err := io.WriteString(w, text)
	if err := errors.Join(err, w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// archives returns a repository, and the configuration of an engine that may use it.
func archives(t *testing.T, data []byte) (*repository, local.Config) {
	t.Helper()
	r := &repository{data: data}
	r.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if r.asked.Add(1) <= r.failures.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if r.blocked != nil {
			select {
			case <-r.blocked:
			case <-q.Context().Done():
			}
		}
		_, _ = w.Write(r.data)
	}))
	t.Cleanup(r.Close)
	hosts, err := archive.ParseHosts([]string{strings.TrimPrefix(r.URL, "https://")})
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(t)
	cfg.Archives = archive.Fetcher{Hosts: hosts, Transport: r.Client().Transport, Pause: time.Millisecond}
	return r, cfg
}

// run returns a run of the repository's archive.
func (r *repository) run(name string, shards int) cloud.Run {
	run := job(name, shards)
	run.App.Command, run.App.BootstrapScript = nil, "bin/run.sh now"
	sum := sha256.Sum256(r.data)
	run.App.URL, run.App.SHA256 = r.URL+"/shop.tar.gz", hex.EncodeToString(sum[:])
	return run
}

const says = "#!/bin/sh\necho \"$1 in $PWD, at home in $HOME\"\n"

// TestArchive: it's fetched once for all shards, its program starts in its folder, and the next run
// finds it there. Without appCacheEnable each run has its own.
func TestArchive(t *testing.T) {
	r, cfg := archives(t, packed(t, "bin/run.sh", says))
	f := open(t, cfg)
	cached := filepath.Join(cfg.Dir, "archives")
	for n, name := range []string{"first", "second"} {
		run := r.run(name, 3)
		f.launch(run)
		if s := f.finished(run); s.State != cloud.RunSucceeded || r.asked.Load() != 1 {
			t.Fatalf("run %d: %+v after %d requests", n, s, r.asked.Load())
		}
		text := f.log(f.of(run)[1].TaskRef, cloud.LogOptions{})
		if !strings.HasPrefix(text, "now in "+filepath.Join(cached, run.App.SHA256)) || !strings.Contains(text, "at home in "+filepath.Join(cfg.Dir, "runs", run.Name)) {
			t.Errorf("it wrote %q", text)
		}
	}
	own := r.run("own", 2)
	own.App.CacheEnable, own.App.Shell, own.App.BootstrapScript = false, true, "bin/run.sh 'a b' | cat"
	f.launch(own)
	if s := f.finished(own); s.State != cloud.RunSucceeded || r.asked.Load() != 2 {
		t.Fatalf("%+v after %d requests", s, r.asked.Load())
	}
	folder := filepath.Join(cfg.Dir, "runs", own.Name)
	if text := f.log(f.of(own)[0].TaskRef, cloud.LogOptions{}); !strings.HasPrefix(text, "a b in "+folder+"/archive-"+own.App.SHA256) {
		t.Errorf("it wrote %q", text)
	}
	if err := f.Forget(t.Context(), own.Name); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "its archive has vanished", func() bool {
		_, err := os.Lstat(folder)
		return errors.Is(err, os.ErrNotExist)
	})
}

// TestArchiveAfterRestart: the next engine finds the archive, and a DAEMON's process starts there, too.
func TestArchiveAfterRestart(t *testing.T) {
	r, cfg := archives(t, packed(t, "bin/run.sh", "#!/bin/sh\necho $PWD\nexec sleep 600\n"))
	f := open(t, cfg)
	run := r.run("once", 1)
	f.launch(run)
	f.running(run)
	f.end()
	f = open(t, cfg)
	d := cloud.Daemon{Job: run.Job, App: run.App, Owner: "uid", Count: 1}
	d.Job.Name, d.Job.Type, d.Job.Cron = "stays", cloud.TypeDaemon, "0/5 * * * * ?"
	d.Name = cloud.Slug(d.Job.Name)
	if err := f.Daemon(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	name := cloud.DaemonRunName(d.Job.Name)
	f.until("its process runs", func() bool { return f.count(cloud.Run{Name: name}, tracing.StateRunning) == 1 })
	if r.asked.Load() != 1 {
		t.Errorf("asked %d times", r.asked.Load())
	}
}

// TestCL30ArchivesOfThisHost: a forbidden archive is refused at the launch. A wrong archive fails
// its shard at once, with the checksum or the entry, and nothing is written outside.
func TestCL30ArchivesOfThisHost(t *testing.T) {
	r, cfg := archives(t, packed(t, "../outside", "x"))
	f := open(t, cfg)
	for words, change := range map[string]func(*cloud.App){
		"host elsewhere.example:443 is not allowed": func(a *cloud.App) { a.URL = "https://elsewhere.example/shop.tar.gz" },
		"by https":              func(a *cloud.App) { a.URL = strings.Replace(a.URL, "https", "http", 1) },
		"64 hexadecimal digits": func(a *cloud.App) { a.SHA256 = "" },
		"neither a command nor": func(a *cloud.App) { a.BootstrapScript = "" },
	} {
		run := r.run("refused", 1)
		change(&run.App)
		if err := launchError(f, run); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(fmt.Sprint(err), words) {
			t.Errorf("%v; want ErrRefused with %q", err, words)
		}
	}
	if r.asked.Load() != 0 {
		t.Error("something was fetched")
	}
	climbs, wrong := r.run("climbs", 1), r.run("wrong", 1)
	wrong.App.SHA256 = strings.Repeat("0", 64)
	for words, run := range map[string]cloud.Run{`entry "../outside" leads out of the folder`: climbs, "instead of " + wrong.App.SHA256: wrong} {
		run.Job.Failover = true
		f.launch(run)
		if s := f.finished(run); s.State != cloud.RunFailed || !strings.Contains(s.Message, words) {
			t.Errorf("the run is %+v; want %q", s, words)
		}
		if tasks := f.of(run); len(tasks) != 1 || tasks[0].State != tracing.StateError || !tasks[0].Started.IsZero() {
			t.Errorf("%+v; want one attempt that never began", tasks)
		}
	}
	err := filepath.WalkDir(cfg.Dir, func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "outside" {
			t.Errorf("%s was written", path)
		}
		return err
	})
	if left, err2 := os.ReadDir(filepath.Join(cfg.Dir, "archives")); err != nil || err2 != nil || len(left) != 0 {
		t.Errorf("%v is left, %v, %v", left, err, err2)
	}
	cfg = config(t)
	if err := launchError(open(t, cfg), climbs); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "--cloud-fetch-hosts") {
		t.Errorf("without a list: %v", err)
	}
}

// TestArchiveComesLater: a temporary error is a failed attempt, and failover retries it.
func TestArchiveComesLater(t *testing.T) {
	r, cfg := archives(t, packed(t, "bin/run.sh", says))
	f := open(t, cfg)
	r.failures.Store(5) // One attempt makes four requests.
	run := r.run("later", 1)
	run.Job.Failover = true
	f.launch(run)
	if s := f.finished(run); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
	if tasks := f.of(run); len(tasks) != 2 || tasks[0].State != tracing.StateFailed || !strings.Contains(tasks[0].Message, "the archive was not fetched: fetch "+r.URL+"/shop.tar.gz: ") {
		t.Errorf("%+v", tasks)
	}
}

// TestArchiveIsNotWaitedFor: killing a run or its timeout ends its download, unless others wait for it.
func TestArchiveIsNotWaitedFor(t *testing.T) {
	r, cfg := archives(t, packed(t, "bin/run.sh", says))
	r.blocked = make(chan struct{})
	f := open(t, cfg)
	killed, late, waits := r.run("killed", 2), r.run("late", 1), r.run("waits", 1)
	late.Job.Props = map[string]string{cloud.PropTimeout: "1s"}
	f.launch(waits)
	waittest.Until(t, "it is asked for", func() bool { return r.asked.Load() == 1 }) // From here on, the run waits for it.
	f.launch(killed)
	f.launch(late)
	if err := f.End(t.Context(), killed.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(killed); s.State != cloud.RunKilled {
		t.Errorf("%+v", s)
	}
	if s := f.finished(late); s.State != cloud.RunFailed || !strings.Contains(s.Message, "deadline") {
		t.Errorf("%+v", s)
	}
	close(r.blocked)
	if s := f.finished(waits); s.State != cloud.RunSucceeded || r.asked.Load() != 1 {
		t.Errorf("%+v after %d requests", s, r.asked.Load())
	}
}

// TestArchivesThatAreKept: the sixteen most recently used ones.
func TestArchivesThatAreKept(t *testing.T) {
	r, cfg := archives(t, packed(t, "bin/run.sh", says))
	for n := range 20 {
		folder := filepath.Join(cfg.Dir, "archives", fmt.Sprintf("old-%d", n))
		at := noon.Add(time.Duration(n) * time.Hour)
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.Chtimes(folder, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, cfg)
	run := r.run("new", 1)
	f.launch(run)
	if s := f.finished(run); s.State != cloud.RunSucceeded {
		t.Fatalf("%+v", s)
	}
	left, err := os.ReadDir(filepath.Join(cfg.Dir, "archives"))
	if err != nil || len(left) != 16 {
		t.Fatalf("%v, %v", left, err)
	}
	for _, entry := range left {
		if name := entry.Name(); name == "old-4" || !strings.HasPrefix(name, "old-") && !strings.HasPrefix(name, run.App.SHA256) {
			t.Errorf("%s is kept", name)
		}
	}
}
