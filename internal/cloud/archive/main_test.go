package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ulikunitz/xz"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repository serves archives over https by name.
type repository struct {
	*httptest.Server

	handle func(w http.ResponseWriter, r *http.Request)
}

func serve(t *testing.T, handle func(w http.ResponseWriter, r *http.Request)) *repository {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(handle))
	t.Cleanup(s.Close)
	return &repository{s, handle}
}

func (r *repository) host() string { return strings.TrimPrefix(r.URL, "https://") }

func (r *repository) fetcher(t *testing.T) Fetcher {
	t.Helper()
	hosts, err := ParseHosts([]string{r.host()})
	if err != nil {
		t.Fatal(err)
	}
	transport := r.Client().Transport.(*http.Transport).Clone()
	t.Cleanup(transport.CloseIdleConnections)
	return Fetcher{Hosts: hosts, Transport: transport, Pause: time.Millisecond}
}

// fetch serves one archive and fetches it into an absent folder.
func fetch(t *testing.T, name string, data []byte, bounds bounds) (dir string, err error) {
	t.Helper()
	r := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	f := r.fetcher(t)
	f.bounds = bounds
	dir = filepath.Join(t.TempDir(), "app")
	return dir, f.Fetch(t.Context(), r.URL+"/"+name, sumOf(data), dir)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

type entry struct {
	name, link, text string
	kind             byte
	mode             int64
}

func file(name, text string) entry {
	return entry{name: name, text: text, kind: tar.TypeReg, mode: 0o644}
}
func symlink(name, to string) entry {
	return entry{name: name, link: to, kind: tar.TypeSymlink, mode: 0o777}
}

func tarOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Linkname: e.link, Typeflag: e.kind, Mode: e.mode, Size: int64(len(e.text))}
		if e.kind == tar.TypeXGlobalHeader {
			h = &tar.Header{Typeflag: e.kind, PAXRecords: map[string]string{"comment": "x"}}
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func xzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zipEntry struct {
	name, text string
	mode       fs.FileMode
}

func zipOf(t *testing.T, entries ...zipEntry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode)
		to, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(to, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tree lists the content of a folder without our own files.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || strings.HasPrefix(name, ownPrefix) {
			return err
		}
		line := info.Mode().String() + " " + name
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += " " + string(text)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line = "link " + name + " " + to
		}
		list = append(list, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}
