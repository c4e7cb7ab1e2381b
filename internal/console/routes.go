package console

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/web/static"
)

const refreshRoute = "/api/refresh"

const staticRoute = static.Prefix + "*file"

// route is one address. Every route says who may call it and what it may touch;
// the guard in front of the handler enforces the one, and opens the other.
type route struct {
	method, path string
	access       access
	touches      touches
	handler      gin.HandlerFunc
	// body is the most its requests may send, in bytes; 0 for [maxBody].
	body int64
}

// getRoute, postRoute, putRoute and deleteRoute make a route of their verb.
func getRoute(path string, who access, what touches, handler gin.HandlerFunc) route {
	return route{method: http.MethodGet, path: path, access: who, touches: what, handler: handler}
}

func postRoute(path string, who access, what touches, handler gin.HandlerFunc) route {
	return route{method: http.MethodPost, path: path, access: who, touches: what, handler: handler}
}

func putRoute(path string, who access, what touches, handler gin.HandlerFunc) route {
	return route{method: http.MethodPut, path: path, access: who, touches: what, handler: handler}
}

func deleteRoute(path string, who access, what touches, handler gin.HandlerFunc) route {
	return route{method: http.MethodDelete, path: path, access: who, touches: what, handler: handler}
}

// withBody is the route with another bound for its requests.
func (r route) withBody(bytes int64) route {
	r.body = bytes
	return r
}

// touches is what a route may touch beyond the process. A request that is about
// another registry or trace database than those of the command line has it opened
// before its handler begins; while what it touches is away, the answer is 503.
type touches uint8

const (
	// theRegistry: ZooKeeper.
	theRegistry touches = 1 << iota
	// theHistory: the trace database.
	theHistory
	// theSettings: the console's own database, for what the route is about. That it
	// also tells who signed out is no matter of routes.
	theSettings
)

func (t touches) any(of touches) bool { return t&of != 0 }

// routes are all of the console's.
func (s *Console) routes() []route { return s.table }

// ownRoutes are those of the console itself. The pages and the REST interface
// bring theirs.
func (s *Console) ownRoutes() []route {
	return []route{
		getRoute(staticRoute, anyone, 0, gin.WrapH(static.Handler())),
		getRoute("/healthz", anyone, 0, s.healthz),
		getRoute("/readyz", anyone, 0, s.readyz),
		getRoute("/metrics", signedIn, 0, gin.WrapH(s.opts.Metrics.Handler(s.log))),
	}
}

// jobName returns the job a request is about. A name that cannot be a job's is
// answered like one that does not exist, before anything is read.
func jobName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("job"))
	if err != nil {
		return "", malformed("The job's name in the address is not escaped correctly.", "Write % as %25.")
	}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return "", noSuchJob(name)
	}
	return name, nil
}

// serverIP returns the server a request is about.
func serverIP(c *gin.Context) (string, error) {
	ip, err := url.PathUnescape(c.Param("ip"))
	if err != nil {
		return "", malformed("The server's address is not escaped correctly.", "Write % as %25.")
	}
	if err := jobtree.ValidateNodeName(ip); err != nil { // the same rules: both are names of nodes
		return "", noSuchServer(ip)
	}
	return ip, nil
}

// jobPath is the address of a job below a prefix such as /jobs or /api/jobs.
func jobPath(prefix, name string, more ...string) string {
	escaped := url.PathEscape(name)
	switch name {
	case "count", "config", "getAllJobsBriefInfo":
		escaped = "%" + hexByte(name[0]) + name[1:]
	}
	// A plus is legal in a path, but too many programs read it as a space.
	escaped = strings.ReplaceAll(escaped, "+", "%2B")
	p := prefix + "/" + escaped
	for _, m := range more {
		p += "/" + m
	}
	return p
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}
