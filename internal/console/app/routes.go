package app

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/web/static"
)

// RefreshRoute is where a token is renewed; the audit counts it with what is
// often.
const RefreshRoute = "/api/refresh"

// StaticRoute are the files of the pages.
const StaticRoute = static.Prefix + "*file"

// Route is one address. Every route says who may call it and what it may touch;
// the guard in front of the handler enforces the one, and opens the other.
type Route struct {
	Method, Path string
	Access       Access
	Touches      Touches
	handler      func(*gin.Context) error
	// body is the most its requests may send, in bytes; 0 for [MaxBody].
	body int64
	// previews: it changes nothing, whatever its method.
	previews bool
	// asks are the parameters that its address may have, nil if it does not say.
	asks []string
	// partly: it answers without a place that it touches, and says so.
	partly bool
	// resumes: its form comes back after a sign-in.
	resumes bool
	// inPerson: tokens for programs can't call it.
	inPerson bool
	// jobs is how it holds for tokens that are limited to some jobs.
	jobs jobLimit
	// operation documents it in the REST interface.
	operation Operation
}

// Handler answers a request. One that returns an error leaves the answer to [Console.Fail].
type Handler interface {
	func(*gin.Context) error | func(*gin.Context) | gin.HandlerFunc
}

// route makes a route with a handler that returns its error.
func route[H Handler](method, path string, who Access, what Touches, handler H) Route {
	r := Route{Method: method, Path: path, Access: who, Touches: what}
	switch handle := any(handler).(type) {
	case func(*gin.Context) error:
		r.handler = handle
	case func(*gin.Context):
		r.handler = func(c *gin.Context) error { handle(c); return nil }
	case gin.HandlerFunc:
		r.handler = func(c *gin.Context) error { handle(c); return nil }
	}
	return r
}

// Get makes a route that reads.
func Get[H Handler](path string, who Access, what Touches, handler H) Route {
	return route(http.MethodGet, path, who, what, handler)
}

// Post makes a route that changes something.
func Post[H Handler](path string, who Access, what Touches, handler H) Route {
	return route(http.MethodPost, path, who, what, handler)
}

// Put makes a route that stores what it is given.
func Put[H Handler](path string, who Access, what Touches, handler H) Route {
	return route(http.MethodPut, path, who, what, handler)
}

// Delete makes a route that takes something away.
func Delete[H Handler](path string, who Access, what Touches, handler H) Route {
	return route(http.MethodDelete, path, who, what, handler)
}

// WithBody is the route with another bound for its requests.
func (r Route) WithBody(bytes int64) Route {
	r.body = bytes
	return r
}

// Resumes is the route of a form that is kept if it is sent without a session. Its
// handler shows a form again for which [Resumed] is true, and carries nothing out.
func (r Route) Resumes() Route {
	r.resumes = true
	return r
}

// InPerson is the route that tokens for programs can't call: it is about sessions,
// tokens or accounts.
func (r Route) InPerson() Route {
	r.inPerson = true
	return r
}

// IsInPerson reports whether tokens for programs can't call it; see [Route.InPerson].
func (r Route) IsInPerson() bool { return r.inPerson }

// jobLimit is how a route holds for tokens that are limited to some jobs.
type jobLimit int

const (
	// byAddress: only the route of a job that the token is for answers.
	byAddress jobLimit = iota
	// byHandler: the handler asks [MayJob] about every job.
	byHandler
	// unlimited: the answer isn't about jobs.
	unlimited
)

// PerJob is the route whose handler asks [MayJob] about every job, so that tokens that
// are limited to some jobs may call it.
func (r Route) PerJob() Route {
	r.jobs = byHandler
	return r
}

// AboutNoJob is the route whose answer isn't about jobs, so that tokens that are limited
// to some jobs may call it.
func (r Route) AboutNoJob() Route {
	r.jobs = unlimited
	return r
}

// Partly is the route that answers with what it can read while one of several places is
// away, and says which: it is unavailable only without all of them.
func (r Route) Partly() Route {
	r.partly = true
	return r
}

// IsPartly reports whether it is one; see [Route.Partly].
func (r Route) IsPartly() bool { return r.partly }

// Preview is the route of a form or a body that is only looked at: nothing is
// changed, and so nothing goes into the audit.
func (r Route) Preview() Route {
	r.previews = true
	return r
}

// Asks is the route with the parameters that its address may have. The page of an
// address with another one says that it is ignored.
func (r Route) Asks(names ...string) Route {
	r.asks = append([]string{}, names...)
	return r
}

// Parameters are those that the route asks; see [Route.Asks].
func (r Route) Parameters() []string { return r.asks }

// asksKey has what a route asks, on pages.
const asksKey = "console.asks"

// ignored are the parameters of an address that its page knows nothing of.
func ignored(c *gin.Context, l i18n.Lang) (list []string) {
	known, _ := c.Get(asksKey)
	names, _ := known.([]string)
	if names == nil || !isRead(c) {
		return nil
	}
	for name := range c.Request.URL.Query() {
		if !slices.Contains(names, name) {
			list = append(list, l.FrameUnknownParameter(strconv.Quote(view.Clip(name, 40))))
		}
	}
	slices.Sort(list)
	return list[:min(len(list), mostIgnored)]
}

// mostIgnored is how many parameters are named at most.
const mostIgnored = 5

// Touches is what a route may touch beyond the process. A request that is about
// another registry or trace database than those of the command line has it opened
// before its handler begins; while what it touches is away, the answer is 503.
type Touches uint8

const (
	// TheRegistry: ZooKeeper.
	TheRegistry Touches = 1 << iota
	// TheHistory: the trace database.
	TheHistory
	// TheSettings: the console's own database, for what the route is about. That it
	// also tells who signed out is no matter of routes.
	TheSettings
)

// Any reports whether t has one of the places.
func (t Touches) Any(of Touches) bool { return t&of != 0 }

// Routes are all of the console's.
func (s *Console) Routes() []Route { return s.table }

// ownRoutes are those of the console itself. The pages and the REST interface
// bring theirs.
func (s *Console) ownRoutes() []Route {
	return []Route{
		Get(StaticRoute, Anyone, 0, gin.WrapH(static.Handler())),
		Get("/healthz", Anyone, 0, s.healthz),
		Get("/readyz", Anyone, 0, s.readyz),
		Get(ResumeRoute, SignedIn, 0, func(c *gin.Context) { resume(s, c) }),
		Get("/metrics", SignedIn, 0, gin.WrapH(s.opts.Metrics.Handler(s.Log))),
	}
}

// JobName returns the job a request is about. A name that cannot be a job's is
// answered like one that does not exist, before anything is read.
func JobName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("job"))
	if err != nil {
		return "", MalformedAs(i18n.Lang.ProblemEscapedJob, i18n.Lang.ProblemEscapedHint)
	}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return "", NoSuchJob(name)
	}
	return name, nil
}

// ServerIP returns the server a request is about.
func ServerIP(c *gin.Context) (string, error) {
	ip, err := url.PathUnescape(c.Param("ip"))
	if err != nil {
		return "", MalformedAs(i18n.Lang.ProblemEscapedServer, i18n.Lang.ProblemEscapedHint)
	}
	if err := jobtree.ValidateNodeName(ip); err != nil { // the same rules: both are names of nodes
		return "", NoSuchServer(ip)
	}
	return ip, nil
}

// JobPath returns [api.JobPath].
func JobPath(prefix, name string, more ...string) string { return api.JobPath(prefix, name, more...) }
