package app

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// A console may live below a path of its host, its base path, such as /ops.
// Handlers know nothing of it: it is taken off before the router, and written with
// every link of a page, every redirect and every cookie's path.

var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`)

// ParseBasePath reads a base path, such as "/ops" or "/team/ops/". Empty and "/"
// are none. One that begins like a page of the console is refused: its addresses
// would have two meanings.
func ParseBasePath(text string) (string, error) {
	path := strings.TrimRight(text, "/")
	if path == "" {
		return "", nil
	}
	if len(path) > 200 || !basePath.MatchString(path) {
		return "", fmt.Errorf("console: the base path %q is not one such as /ops, of letters, digits, -, _, ~ and .", view.Clip(text, 200))
	}
	first, _, _ := strings.Cut(path[1:], "/")
	if slices.Contains([]string{"api", "audit", "cloud", "events", "executions", "healthz", "jobs", "keys", "language", "login", "logout", "metrics", "readyz", "registries", "registry", "resume", "runs", "search", "servers", "tokens", "static", "theme"}, first) {
		return "", fmt.Errorf("console: the base path %q begins as pages of the console do", path)
	}
	return path, nil
}

// mounted is a request without the base path. A proxy may have taken it off
// already, and probes know nothing of it, so a request without it is taken, too.
func mounted(r *http.Request, base string) *http.Request {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), base)
	if base == "" || !ok || rest != "" && rest[0] != '/' {
		return r
	}
	if rest == "" {
		rest = "/"
	}
	plain, err := url.PathUnescape(rest)
	if err != nil {
		return r
	}
	inner := r.WithContext(r.Context())
	address := *r.URL
	address.Path, address.RawPath = plain, rest
	inner.URL = &address
	return inner
}

// Redirect leads the browser to a path of the console.
func (s *Console) Redirect(c *gin.Context, path string) {
	c.Redirect(http.StatusSeeOther, s.opts.BasePath+path)
}

// cookiePath is where the browser shows cookies of the console.
func (s *Console) cookiePath() string {
	if s.opts.BasePath == "" {
		return "/"
	}
	return s.opts.BasePath
}

// cookiePrefix begins the names of cookies over TLS. With __Host- browsers take
// them from nobody but this host, for all of it; below a base path they may go to
// that alone.
func (s *Console) cookiePrefix(secure bool) string {
	switch {
	case !secure:
		return ""
	case s.opts.BasePath != "":
		return "__Secure-"
	}
	return "__Host-"
}

// link is the address of a link on a page as the browser has to ask for it: below
// the registry that the page is about, and below the console's own path. A
// page that could not even find its registry leads out of it.
func (s *Console) link(c *gin.Context, path string) string {
	if at := PlaceOf(c); at.name != "" && at.name == s.RegistryOf(c).name {
		path = outside(c, path)
	}
	if ours(path) {
		path = s.opts.BasePath + path
	}
	return path
}

// ours reports whether a link leads to a path of this host.
func ours(path string) bool { return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") }
