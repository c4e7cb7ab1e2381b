package app

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// registryPrefix begins the address of every page that is about a registry
// other than that of the command line: /registry/blue/jobs is /jobs of
// the registry blue. Handlers know nothing of it: it is taken off before the
// router, and written with every link of the page.
const registryPrefix = "/registry/"

// elsewhere are the pages that belong to no registry.
var elsewhere = []string{"/static/", "/login", "/logout", "/theme", ResumeRoute, LanguageRoute, ZoneRoute, "/audit", "/cloud", "/registries", SourcesRoute, ReferenceRoute, registryPrefix, "/api", "/healthz", "/readyz", "/metrics"}

type placeKey struct{}

// Place is the registry in the address of a page.
type Place struct{ name, Prefix string }

// PlaceOf returns the registry in a page's address; none is the zero
// place.
func PlaceOf(c *gin.Context) Place {
	p, _ := c.Request.Context().Value(placeKey{}).(Place)
	return p
}

// belongs reports whether a path is a page about a registry.
func belongs(path string) bool {
	for _, other := range elsewhere {
		if rest, ok := strings.CutPrefix(path, other); ok && (rest == "" || strings.HasSuffix(other, "/") || strings.ContainsAny(rest[:1], "/?")) {
			return false
		}
	}
	return ours(path)
}

// ServeHTTP answers one request.
func (s *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.opts.Hosts.allows(r.Host) && !probed(r.URL.Path) {
		s.wrongHost(w, r)
		return
	}
	r = mounted(r, s.opts.BasePath)
	if inner, ok := within(r); ok {
		r = inner
	}
	r = r.WithContext(i18n.With(r.Context(), languageOf(r)))
	r = timesInUTC(inZone(r), s.Now())
	s.handler.ServeHTTP(w, unslashed(r))
}

// unslashed is a request to read from the API without the slash at its end: the
// pages of ElasticJob 3.x ask for …/jobNames/ until somebody types a letter, and
// their server takes both for the same. Nothing else is read with another
// address than its own.
func unslashed(r *http.Request) *http.Request {
	path := r.URL.EscapedPath()
	short := strings.TrimSuffix(path, "/")
	if short == path || !strings.HasPrefix(short, "/api/") || strings.HasSuffix(short, "/") || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return r
	}
	inner := r.WithContext(r.Context())
	address := *r.URL
	address.Path, address.RawPath = strings.TrimSuffix(r.URL.Path, "/"), short
	inner.URL = &address
	return inner
}

// within is a request for a page of a registry without the part of its
// address that says so.
func within(r *http.Request) (inner *http.Request, ok bool) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), registryPrefix)
	escaped, path, _ := strings.Cut(rest, "/")
	path = "/" + path
	name, err := url.PathUnescape(escaped)
	plain, pathErr := url.PathUnescape(path)
	if !ok || err != nil || pathErr != nil || name == "" || !belongs(path) {
		return nil, false
	}
	at := Place{name, RegistryPath(name)}
	if name == DefaultRegistry {
		at = Place{}
	}
	inner = r.WithContext(context.WithValue(r.Context(), placeKey{}, at))
	address := *r.URL
	address.Path, address.RawPath = plain, path
	inner.URL = &address
	return inner, true
}

// RegistryPath is what the addresses of a registry's pages begin with.
func RegistryPath(name string) string {
	if name == DefaultRegistry {
		return ""
	}
	return registryPrefix + strings.ReplaceAll(url.PathEscape(name), "+", "%2B")
}

// outside is the address of a page as the browser knows it.
func outside(c *gin.Context, path string) string {
	if p := PlaceOf(c); p.Prefix != "" && belongs(path) {
		return p.Prefix + path
	}
	return path
}

// RedirectHere goes to a page of the registry that the request is about.
func (s *Console) RedirectHere(c *gin.Context, path string) { s.Redirect(c, outside(c, path)) }
