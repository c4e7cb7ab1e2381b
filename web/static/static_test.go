package static

import (
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func get(t *testing.T, path, etag string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

func TestFilesAreKeptForEver(t *testing.T) {
	t.Parallel()
	for name, contentType := range map[string]string{"app.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		w := get(t, Path(name), "")
		if w.Code != 200 || w.Header().Get("Content-Type") != contentType || w.Body.Len() == 0 {
			t.Errorf("%s: %d %s, %d bytes", name, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
		if got := w.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
		if again := get(t, Path(name), w.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s with its ETag: %d", name, again.Code)
		}
	}
}

func TestOnlyFingerprintsAreServed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/static/app.css", "/static/app.000000000000.css", "/static/", "/static/../static.go", "/static/static.go"} {
		if w := get(t, path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// A template names files by Path only.
func TestTemplatesNameNoFileByHand(t *testing.T) {
	t.Parallel()
	byHand := regexp.MustCompile(`["'/](app\.css|[a-z]+\.js|icon\.svg|static/)`)
	err := filepath.WalkDir("../templates", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".templ" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "static.Path(") || strings.Contains(line, "/web/static") {
				continue
			}
			if byHand.MatchString(line) {
				t.Errorf("%s: %s", path, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFilesAreSmallAndClean: what a browser loads before its first page, and what the
// scripts may not do under the content policy.
func TestFilesAreSmallAndClean(t *testing.T) {
	t.Parallel()
	sizes := make(map[string]int) // by kind, compressed
	for name, a := range ready().assets {
		sizes[filepath.Ext(name)] += len(a.zipped())
	}
	for kind, most := range map[string]int{".css": 12 << 10, ".js": 30 << 10} {
		if sizes[kind] > most {
			t.Errorf("the files %s have %d bytes compressed, more than %d", kind, sizes[kind], most)
		}
	}
	for _, script := range glob("js/*.js") {
		text := string(read(script))
		for _, forbidden := range []string{"eval(", "new Function", "document.write", "localStorage", "indexedDB", ".style.", "import("} {
			if strings.Contains(text, forbidden) {
				t.Errorf("%s uses %s", script, forbidden)
			}
		}
	}
}

// TestNothingIsReordered: what stands elsewhere on the screen than in the document moves
// while a slow page arrives, and the keyboard takes another way than the eye. Only the age
// of the page may, which arrives together with the heading that it stands above on a phone.
func TestNothingIsReordered(t *testing.T) {
	t.Parallel()
	order := regexp.MustCompile(`[^{}]*\{(?:|[^{}]*[; ])order:[^{}]*\}`)
	for _, sheet := range glob("css/*.css") {
		for _, rule := range order.FindAllString(string(read(sheet)), -1) {
			if rule = strings.TrimSpace(rule); !strings.HasPrefix(rule, ".head .age ") {
				t.Errorf("%s: %s", sheet, rule)
			}
		}
	}
}

// TestFilesAreSentCompressed: to who takes it, and the same to who does not.
func TestFilesAreSentCompressed(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Path("app.css"), nil)
	r.Header.Set("Accept-Encoding", "br, gzip")
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	plain, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil || w.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("%v, headers %v", err, w.Header())
	}
	if same := get(t, Path("app.css"), "").Body.String(); same != string(text) || !strings.Contains(same, "--ground:light-dark(#eef2f1,#0c1314);") {
		t.Errorf("compressed %d bytes, plain %d", len(text), len(same))
	}
}

// TestContrast computes the contrast of every text colour on every surface it
// is used on, in both themes, from the tokens themselves.
func TestContrast(t *testing.T) {
	t.Parallel()
	text := served()["app.css"]
	tokens := make(map[string][2]string) // name -> light, dark
	for _, m := range regexp.MustCompile(`--([a-z-]+):(?:light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)|(#[0-9a-f]{6}));`).FindAllStringSubmatch(string(text), -1) {
		if m[4] != "" {
			tokens[m[1]] = [2]string{m[4], m[4]}
		} else {
			tokens[m[1]] = [2]string{m[2], m[3]}
		}
	}
	surfaces := []string{"ground", "surface", "hover", "quiet-tint"}
	type pair struct {
		ink, paper string
		least      float64
	}
	var pairs []pair
	for _, ink := range []string{"text", "dim", "link", "ok", "run", "warn", "bad", "off"} {
		for _, paper := range surfaces {
			pairs = append(pairs, pair{ink, paper, 4.5})
		}
	}
	for _, tone := range []string{"ok", "run", "warn", "bad", "off"} {
		pairs = append(pairs, pair{tone, tone + "-tint", 4.5}, pair{"text", tone + "-tint", 4.5})
	}
	pairs = append(pairs, pair{"bar-text", "bar", 4.5}, pair{"bar-dim", "bar", 4.5}, pair{"on-main", "main", 4.5}, pair{"on-main", "main-hover", 4.5},
		pair{"focus", "ground", 3}, pair{"focus", "surface", 3}, pair{"focus", "bar", 3})
	for _, fill := range []string{"ok-fill", "run-fill", "warn-fill", "bad-fill", "off-fill", "band"} {
		pairs = append(pairs, pair{fill, "surface", 3}, pair{fill, "ground", 3})
	}
	for _, p := range pairs {
		ink, paper := tokens[p.ink], tokens[p.paper]
		for i, theme := range []string{"light", "dark"} {
			ratio, err := contrast(ink[i], paper[i])
			if err != nil {
				t.Errorf("%s on %s: %v", p.ink, p.paper, err)
				break
			}
			if ratio < p.least {
				t.Errorf("%s on %s, %s theme: contrast %.2f, want at least %.1f", p.ink, p.paper, theme, ratio, p.least)
			}
		}
	}
}

// contrast is the ratio of WCAG 2.
func contrast(a, b string) (float64, error) {
	x, err := luminance(a)
	if err != nil {
		return 0, err
	}
	y, err := luminance(b)
	if err != nil {
		return 0, err
	}
	return (max(x, y) + 0.05) / (min(x, y) + 0.05), nil
}

func luminance(hex string) (float64, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		return 0, fmt.Errorf("colour %q: %w", hex, err)
	}
	channel := func(v uint64) float64 {
		c := float64(v&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(n>>16) + 0.7152*channel(n>>8) + 0.0722*channel(n), nil
}
