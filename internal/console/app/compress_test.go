package app_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW33PagesAreCompressed: browsers get pages and regions compressed unless another site sent
// the request, because lengths of compressed pages give away their content.
func TestW33PagesAreCompressed(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	get := func(path string, header ...string) consoletest.Reply {
		return b.As(t, auth.RoleRoot, http.MethodGet, path, nil, func(r *http.Request) {
			r.Header.Set("Accept", "text/html,*/*;q=0.8")
			r.Header.Set("Accept-Encoding", "gzip") // The client decompresses only if it asked by itself.
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
		})
	}
	for name, tt := range map[string]struct {
		path       string
		header     []string
		compressed bool
	}{
		"a page":                     {"/", []string{"Sec-Fetch-Site", "same-origin"}, true},
		"a bookmark":                 {"/", []string{"Sec-Fetch-Site", "none"}, true},
		"no word about the site":     {"/", nil, true},
		"a region":                   {"/jobs", []string{"X-Region", "jobs", "Sec-Fetch-Site", "same-origin"}, true},
		"another site":               {"/", []string{"Sec-Fetch-Site", "cross-site"}, false},
		"another host of the domain": {"/", []string{"Sec-Fetch-Site", "same-site"}, false},
		"no encoding is accepted":    {"/", []string{"Accept-Encoding", "identity"}, false},
		"data":                       {"/api/jobs", nil, false},
		"not for a page":             {"/", []string{"Accept", "*/*"}, false},
	} {
		got := get(tt.path, tt.header...)
		consoletest.WantStatus(t, got, http.StatusOK)
		if compressed := got.Header.Get("Content-Encoding") == "gzip"; compressed != tt.compressed {
			t.Errorf("%s: compressed %v, want %v", name, compressed, tt.compressed)
		}
	}

	plain, short := get("/", "Accept-Encoding", "identity"), get("/")
	unpacked, err := gzip.NewReader(strings.NewReader(short.Body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil || len(text) != len(plain.Body) {
		t.Errorf("%d bytes after decompression, want %d (%v)", len(text), len(plain.Body), err)
	}
	if len(short.Body)*4 > len(plain.Body) {
		t.Errorf("%d bytes of %d: not even a quarter", len(short.Body), len(plain.Body))
	}
	if comment := unpacked.Comment; comment == "" {
		t.Error("no padding")
	}
}
