package archive

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// cachedFetches is a repository with one script and fetchers that share a cache.
type cachedFetches struct {
	*testing.T
	*repository
	cache string
	asked atomic.Int32
	sum   string
	log   lockedBuffer
}

type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// take returns the lines since the last call.
func (b *lockedBuffer) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.text.Reset()
	return slices.Collect(strings.Lines(b.text.String()))
}

func newCachedFetches(t *testing.T) *cachedFetches {
	c := &cachedFetches{T: t, cache: t.TempDir(), sum: sumOf([]byte(script))}
	c.repository = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		c.asked.Add(1)
		_, _ = w.Write([]byte(script))
	})
	return c
}

// fetch fetches into a new folder and checks the script.
func (c *cachedFetches) fetch() {
	c.Helper()
	f := c.fetcher(c.T)
	f.Cache, f.Logger = c.cache, slog.New(slog.NewTextHandler(&c.log, nil))
	dir := c.TempDir()
	if err := f.Fetch(c.Context(), c.URL+"/run.sh", c.sum, dir); err != nil {
		c.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "run.sh")); err != nil || string(got) != script {
		c.Errorf("unpacked is %q, %v", got, err)
	}
}

// wants checks how often the host was asked so far, and the log lines about the cache.
func (c *cachedFetches) wants(asked int32, lines ...string) {
	c.Helper()
	if n := c.asked.Load(); n != asked {
		c.Errorf("the host was asked %d times, want %d", n, asked)
	}
	got := c.log.take()
	if len(got) != len(lines) {
		c.Fatalf("logged is %q, want %q", got, lines)
	}
	for i, line := range got {
		if !strings.Contains(line, lines[i]) {
			c.Errorf("logged is %q, want %q in it", line, lines[i])
		}
	}
}

// TestCacheKeepsArchives: an archive fetched once serves all others. A modified one is fetched
// again and replaced.
func TestCacheKeepsArchives(t *testing.T) {
	t.Parallel()
	c := newCachedFetches(t)
	c.fetch()
	c.fetch()
	c.wants(1)
	if err := os.WriteFile(filepath.Join(c.cache, c.sum), []byte("rm -rf /"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.fetch()
	c.wants(2, "has the sum "+sumOf([]byte("rm -rf /")))
	c.fetch()
	c.wants(2)
}

// TestCacheOfNoUse: if the cache can't be read or written, archives should still be fetched, and the reason logged.
func TestCacheOfNoUse(t *testing.T) {
	t.Parallel()
	c := newCachedFetches(t)
	c.cache = filepath.Join(c.cache, "absent")
	c.fetch()
	c.wants(1, "can't be used", "can't be kept")
	c = newCachedFetches(t)
	if err := os.Mkdir(filepath.Join(c.cache, c.sum), 0o700); err != nil {
		t.Fatal(err)
	}
	c.fetch()
	c.wants(1, "read archive", "can't be kept")
	if left, err := filepath.Glob(filepath.Join(c.cache, ownPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v is left", left, err)
	}
}

// TestCacheIsBounded: the 16 most recently used archives are kept, and unfinished files are removed
// after an hour.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := newCachedFetches(t)
	put := func(name string, age time.Duration) {
		path, used := filepath.Join(c.cache, name), time.Now().Add(-age)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, used, used); err != nil {
			t.Fatal(err)
		}
	}
	for n := range mostCached {
		put(fmt.Sprintf("%064x", n), time.Duration(n+1)*time.Hour)
	}
	put(ownPrefix+"old", 2*abandoned)
	put(ownPrefix+"begun", 0)
	put("README", 1000*time.Hour)
	c.fetch()
	c.wants(1)
	for name, kept := range map[string]bool{
		c.sum: true, fmt.Sprintf("%064x", mostCached-2): true, fmt.Sprintf("%064x", mostCached-1): false, ownPrefix + "old": false, ownPrefix + "begun": true, "README": true,
	} {
		if _, err := os.Stat(filepath.Join(c.cache, name)); (err == nil) != kept {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCacheOfMany(t *testing.T) {
	t.Parallel()
	c := newCachedFetches(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(c.fetch)
	}
	all.Wait()
	c.wants(c.asked.Load())
	before := c.asked.Load()
	c.fetch()
	c.wants(before)
}
