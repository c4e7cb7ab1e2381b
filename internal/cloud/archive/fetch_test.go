package archive

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/outbound"
)

// TestHosts: names are compared as a whole, ignoring case, and a port only if the list has one.
func TestHosts(t *testing.T) {
	t.Parallel()
	hosts, err := ParseHosts([]string{"Repo.Example", " other.example:8443", "[fd00::7]", "10.0.0.7:443"})
	if err != nil {
		t.Fatal(err)
	}
	sum := strings.Repeat("0", 64)
	for address, words := range map[string]string{
		"https://repo.example/a": "", "https://REPO.example.:9/a": "", "https://other.example:8443/a": "", "https://[fd00::7]:1/a": "", "https://10.0.0.7/a": "",
		"https://other.example/a":                           `host other.example:443 is not allowed, only repo.example, other.example:8443`,
		"https://a.repo.example/a":                          "is not allowed",
		"https://repo.example.evil/a":                       "is not allowed",
		"https://10.0.0.7:444/a":                            "is not allowed",
		"http://repo.example/a?token=s3":                    "http://repo.example/a is not allowed; archives must be fetched by https",
		"file:///srv/a":                                     "by https",
		"https://user:s3@repo.example/a":                    "has a user or a password",
		"https:///a":                                        "has no host",
		"https://repo.example/":                             "does not end in a file name",
		"https://repo.example":                              "does not end in a file name",
		"https://repo.example/a/..":                         "does not end in a file name",
		"https://repo.example/" + sum[:0]:                   "does not end in a file name",
		"https://%zz/":                                      "the address of the archive is invalid",
		"https://repo.example/" + strings.Repeat("a", 2000): "longer than 2000 bytes",
	} {
		err := Fetcher{Hosts: hosts}.Check(address, sum)
		if (err != nil) != (words != "") || err != nil && (!errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), words)) || strings.Contains(fmt.Sprint(err), "s3") {
			t.Errorf("%s: %v; want %q", address, err, words)
		}
	}
	if err := (Fetcher{}).Check("https://repo.example/a", sum); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "--cloud-fetch-hosts repo.example") {
		t.Errorf("without a list: %v", err)
	}
	if err := (Fetcher{Hosts: hosts}).Check("https://repo.example/a", "F00"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "64 hexadecimal digits") {
		t.Errorf("a sum: %v", err)
	}
	for _, wrong := range [][]string{{""}, {"*.example"}, {"repo example"}, {"repo:0"}, {"repo:x"}, {"https://repo"}, {"10.0.0.0/8"}, make([]string, MaxHosts+1)} {
		if _, err := ParseHosts(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// TestCL30SumIsWrong: the error has both checksums, and nothing was unpacked.
func TestCL30SumIsWrong(t *testing.T) {
	t.Parallel()
	r := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("something else")) })
	wanted, dir := sumOf([]byte(script)), t.TempDir()
	err := r.fetcher(t).Fetch(t.Context(), r.URL+"/run.sh", wanted, dir)
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), wanted) || !strings.Contains(err.Error(), sumOf([]byte("something else"))) {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v is left", left, err)
	}
}

// TestCL30Redirects: only to hosts on the list, by https, at most five times.
func TestCL30Redirects(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a host that is not allowed was asked") })
	var asked atomic.Int32
	r := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch to := map[string]string{"/plain.sh": plain.URL + "/x?token=s3", "/other.sh": other.URL + "/x", "/once.sh": "/run.sh", "/loop.sh": "/loop.sh"}[r.URL.Path]; {
		case to != "":
			asked.Add(1)
			http.Redirect(w, r, to, http.StatusFound)
		default:
			_, _ = w.Write([]byte(script))
		}
	})
	f := r.fetcher(t)
	for name, words := range map[string]string{
		"/plain.sh": "redirects: " + plain.URL + "/x is not allowed", "/other.sh": "redirects: host " + other.host() + " is not allowed", "/loop.sh": "redirects more than 5 times",
	} {
		err := f.Fetch(t.Context(), r.URL+name, sumOf([]byte(script)), t.TempDir())
		if !errors.Is(err, ErrRefused) || !strings.Contains(fmt.Sprint(err), words) || strings.Contains(fmt.Sprint(err), "s3") {
			t.Errorf("%s: %v; want %q", name, err, words)
		}
	}
	if n := asked.Load(); n != 8 {
		t.Errorf("asked %d times, want once, once and six times: a refusal is not tried again", n)
	}
	if err := f.Fetch(t.Context(), r.URL+"/once.sh", sumOf([]byte(script)), t.TempDir()); err != nil {
		t.Error(err)
	}
}

// TestW63ArchivesDialByTheList: each connection checks the IP address behind a name against the
// list, even as the IPv6 form of an IPv4 address.
func TestW63ArchivesDialByTheList(t *testing.T) {
	t.Parallel()
	f := Fetcher{Hosts: Hosts{"repo.example"}}
	client, done := f.client()
	defer done()
	if _, err := client.Transport.(routed).direct.DialContext(t.Context(), "tcp", "169.254.169.254:443"); !errors.Is(err, outbound.ErrForbidden) {
		t.Errorf("%v, want ErrForbidden", err)
	}
	for _, address := range []string{"[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]"} {
		if err := f.Check("https://"+address+"/a", strings.Repeat("0", 64)); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, want ErrRefused", address, err)
		}
	}
}

// TestW64RedirectWithoutReferer: the next host should not learn the address of the archive.
func TestW64RedirectWithoutReferer(t *testing.T) {
	t.Parallel()
	r := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/first.sh" {
			http.Redirect(w, r, "/run.sh", http.StatusFound)
			return
		}
		if from := r.Header.Get("Referer"); from != "" {
			t.Errorf("Referer: %s", from)
		}
		_, _ = w.Write([]byte(script))
	})
	if err := r.fetcher(t).Fetch(t.Context(), r.URL+"/first.sh?token=s3", sumOf([]byte(script)), t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestW14QueryIsEncoded(t *testing.T) {
	t.Parallel()
	var query string
	r := serve(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		_, _ = w.Write([]byte(script))
	})
	f := r.fetcher(t)
	if err := f.Fetch(t.Context(), r.URL+"/run.sh?branch=夜班 a", sumOf([]byte(script)), t.TempDir()); err != nil || query != "branch=%E5%A4%9C%E7%8F%AD%20a" {
		t.Errorf("%v, query %q", err, query)
	}
}

// TestTriedAgain: temporary failures are tried four times, permanent ones once.
func TestTriedAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		failures, code int
		asked          int32
		words          string
		refused        bool
	}{
		"passes":       {2, http.StatusServiceUnavailable, 3, "", false},
		"stays":        {9, http.StatusBadGateway, 4, "answers 502 Bad Gateway", false},
		"too many":     {9, http.StatusTooManyRequests, 4, "answers 429", false},
		"absent":       {9, http.StatusNotFound, 1, "answers 404 Not Found; put the archive there", true},
		"closed":       {9, http.StatusForbidden, 1, "fetched without an account", true},
		"cut":          {9, 0, 4, "unexpected EOF", false},
		"cut once":     {1, 0, 2, "", false},
		"not modified": {9, http.StatusNotModified, 1, "answers 304", true},
	} {
		var asked atomic.Int32
		r := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			switch n := asked.Add(1); {
			case int(n) > tt.failures:
				_, _ = w.Write([]byte(script))
			case tt.code == 0:
				w.Header().Set("Content-Length", "1000")
				_, _ = w.Write([]byte(script))
			default:
				w.WriteHeader(tt.code)
			}
		})
		dir := filepath.Join(t.TempDir(), "app")
		err := r.fetcher(t).Fetch(t.Context(), r.URL+"/run.sh", sumOf([]byte(script)), dir)
		if (err == nil) != (tt.words == "") || err != nil && !strings.Contains(err.Error(), tt.words) || errors.Is(err, ErrRefused) != tt.refused || asked.Load() != tt.asked {
			t.Errorf("%s: %v after %d requests", name, err, asked.Load())
		}
		if _, left := os.Lstat(dir); (left == nil) != (err == nil) {
			t.Errorf("%s: the folder: %v", name, left)
		}
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close()
	f := Fetcher{Hosts: Hosts{"127.0.0.1"}, Pause: time.Millisecond}
	err = f.Fetch(t.Context(), "https://"+nobody.Addr().String()+"/run.sh?token=s3", sumOf(nil), t.TempDir())
	if err == nil || errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), nobody.Addr().String()+"/run.sh: ") || strings.Contains(err.Error(), "s3") {
		t.Errorf("no server listens: %v", err)
	}
}

// TestTooLong: by the headers, and by the content.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]bool{"said": true, "comes": false} {
		r := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if !said {
				w.(http.Flusher).Flush()
			}
			_, _ = w.Write([]byte(script))
		})
		f := r.fetcher(t)
		f.bounds.download = 5
		if err := f.Fetch(t.Context(), r.URL+"/run.sh", sumOf([]byte(script)), t.TempDir()); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "5") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFetchEnds with its context, and after its time limit.
func TestFetchEnds(t *testing.T) {
	t.Parallel()
	r := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	f := r.fetcher(t)
	f.Timeout = 20 * time.Millisecond
	dir := t.TempDir()
	if err := f.Fetch(t.Context(), r.URL+"/run.sh", sumOf(nil), dir); err == nil || errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "took longer than 20ms") {
		t.Errorf("after its time: %v", err)
	}
	f.Timeout = 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Fetch(ctx, r.URL+"/run.sh", sumOf(nil), dir); !errors.Is(err, context.Canceled) {
		t.Errorf("with its context: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v is left", left, err)
	}
}

// TestFolder: with earlier content. A restarted container finds the remains of the previous one.
func TestFolder(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	r := serve(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); _, _ = w.Write([]byte(script)) })
	f, sum := r.fetcher(t), sumOf([]byte(script))
	get := func(dir string) error { return f.Fetch(t.Context(), r.URL+"/run.sh", sum, dir) }
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"-rwxr-xr-x run.sh " + script}
	foreign := t.TempDir()
	write(foreign, "thesis.tex", "years of work")
	if err := get(foreign); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "is not empty: thesis.tex") {
		t.Errorf("another user's folder: %v", err)
	}
	if diff := cmp.Diff([]string{"-rw------- thesis.tex years of work"}, tree(t, foreign)); diff != "" {
		t.Error(diff)
	}
	for name, left := range map[string]string{"of another sum": "complete " + sumOf(nil), "half done": "unpacking " + sum, "before its first word": ""} {
		dir := t.TempDir()
		write(dir, markerName, left)
		write(dir, "old", "")
		if err := get(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		before := asked.Load()
		write(dir, "written by the program", "")
		if err := get(dir); err != nil || asked.Load() != before || len(tree(t, dir)) != 2 {
			t.Errorf("%s, again: %v after %d requests, %q", name, err, asked.Load()-before, tree(t, dir))
		}
	}
	if err := get(filepath.Join(foreign, "thesis.tex", "x")); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("below a file: %v", err)
	}
}
