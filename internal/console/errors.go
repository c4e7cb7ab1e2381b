package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/system"
)

// problem is an error as the caller sees it: what happened and what to do. The
// cause stays in the log.
type problem struct {
	kind    kind
	code    string // of the API's error body: what exactly it is
	message string
	hint    string
	retry   int // seconds of Retry-After, 0 for none
	// fields are those of the request that cannot be taken; stored is what
	// stands in the way.
	fields []fieldBody
	stored any
	cause  error
	// goTo and goToLabel are the way out a page offers.
	goTo, goToLabel string
}

// kind is the class of a problem: it decides the status of the answer.
type kind int

const (
	kindInternal     kind = iota // a fault of the console
	kindMalformed                // the request cannot be read
	kindInvalid                  // it can, and asks for what cannot be
	kindTooLarge                 // it has more bytes than are taken
	kindUnauthorized             // nobody is signed in
	kindForbidden                // whoever is may not do this
	kindTooMany                  // too often, or too much at once
	kindNotFound                 // what it is about does not exist
	kindMethod                   // the address does not answer to the verb
	kindConflict                 // the state of things does not allow it
	kindStale                    // it is based on something that has changed since
	kindUnavailable              // what is needed for it is away
	kindNoAnswer                 // somebody who had to be asked was silent
)

// statuses are the answers to problems of each kind: the status of HTTP, and the
// errorCode in the envelope. The latter are those that ElasticJob 3.x has, and
// for what it has none for, the status. A client of 3.x takes 403 for "sign in
// again", so a role that does not suffice must be something else.
var statuses = map[kind]struct{ http, envelope int }{
	kindInternal:     {http.StatusInternalServerError, http.StatusInternalServerError},
	kindMalformed:    {http.StatusBadRequest, http.StatusBadRequest},
	kindInvalid:      {http.StatusUnprocessableEntity, http.StatusBadRequest},
	kindTooLarge:     {http.StatusRequestEntityTooLarge, http.StatusBadRequest},
	kindUnauthorized: {http.StatusUnauthorized, http.StatusForbidden},
	kindForbidden:    {http.StatusForbidden, http.StatusInternalServerError},
	kindTooMany:      {http.StatusTooManyRequests, http.StatusTooManyRequests},
	kindNotFound:     {http.StatusNotFound, http.StatusNotFound},
	kindMethod:       {http.StatusMethodNotAllowed, http.StatusMethodNotAllowed},
	kindConflict:     {http.StatusConflict, http.StatusConflict},
	kindStale:        {http.StatusPreconditionFailed, http.StatusPreconditionFailed},
	kindUnavailable:  {http.StatusServiceUnavailable, http.StatusServiceUnavailable},
	kindNoAnswer:     {http.StatusGatewayTimeout, http.StatusGatewayTimeout},
}

// status is that of HTTP.
func (p *problem) status() int { return statuses[p.kind].http }

func (p *problem) Error() string {
	if p.cause != nil {
		return fmt.Sprintf("%s: %v", p.message, p.cause)
	}
	return p.message
}

func (p *problem) Unwrap() error { return p.cause }

func unauthorized(why auth.Denial) *problem {
	return &problem{
		kind: kindUnauthorized, code: string(why), message: why.Message(),
		hint: "Get a token from POST /api/login and send it as Authorization: Bearer, or as Access-Token.",
	}
}

func forbidden(who auth.Identity) *problem {
	return &problem{
		kind: kindForbidden, code: "forbidden",
		message: fmt.Sprintf("The account %s may look but not operate.", who.Name),
		hint:    "Sign in with the root account to do this. Nothing was changed.",
		goTo:    "/jobs", goToLabel: "Back to the jobs",
	}
}

func notFound(what, hint string) *problem {
	return &problem{kind: kindNotFound, code: "not_found", message: what, hint: hint, goTo: "/jobs", goToLabel: "All jobs"}
}

func noSuchJob(name string) *problem {
	return notFound(fmt.Sprintf("There is no job %q.", name),
		"It may have been removed, or the name is written differently: names are case-sensitive.")
}

func noSuchServer(ip string) *problem {
	return notFound(fmt.Sprintf("There is no server %q.", view.Clip(ip, 100)), "No job of the namespace knows it: addresses are compared exactly.")
}

func invalid(message, hint string) *problem {
	return &problem{kind: kindInvalid, code: "invalid", message: message, hint: hint}
}

func malformed(message, hint string) *problem {
	return &problem{kind: kindMalformed, code: "malformed", message: message, hint: hint}
}

func tooLarge(limit int64) *problem {
	return &problem{
		kind: kindTooLarge, code: "too_large", message: "The request is too large.",
		hint: fmt.Sprintf("%d KiB are the limit. Nothing was changed.", limit>>10),
	}
}

func tooMany(retry int) *problem {
	return &problem{
		kind: kindTooMany, code: "too_many_attempts", retry: retry,
		message: fmt.Sprintf("Too many attempts to sign in. Try again in %d s.", retry),
		hint:    "The limit is per account and per address; it opens again by itself.",
	}
}

func internal(err error) *problem {
	return &problem{
		kind: kindInternal, code: "internal", cause: err,
		message: "Something went wrong inside the console.",
		hint:    "The log has the cause under this request's id.",
	}
}

// asProblem turns any error into one the caller may see.
func asProblem(err error) *problem {
	p, ok := errors.AsType[*problem](err)
	switch {
	case ok:
		return p
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{
			kind: kindUnavailable, code: "unavailable", cause: err, retry: 5,
			message: "The answer took too long.", hint: "Try again; if it happens again, look at the log.",
		}
	}
	return internal(err)
}

// errorBody is what the API sends with every status from 400 on.
type errorBody struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
	RequestID string `json:"requestId"`
	// Fields are those of the request that cannot be taken.
	Fields []fieldBody `json:"fields,omitempty"`
	// Stored is the configuration that stands there now, if another was
	// expected.
	Stored any `json:"stored,omitempty"`
}

// problemProps builds the view model of an error page.
func problemProps(f layout.Frame, p *problem, id string) system.ProblemProps {
	props := system.ProblemProps{
		Frame: f, Status: p.status(), Heading: p.message, Hint: p.hint, RequestID: id, Href: p.goTo, HrefLabel: p.goToLabel,
	}
	switch {
	case props.Href != "":
	case p.status() == http.StatusServiceUnavailable && f.ReloadSeconds > 0:
		props.Href, props.HrefLabel = f.Here, "Try now"
	default:
		props.Href, props.HrefLabel = "/", "To the overview"
	}
	if p.code == codeRegistryDown && f.Outage != nil { // the banner above has said the rest
		props.Heading = "Nothing can be read until ZooKeeper is back."
	}
	return props
}

// codeRegistryDown is the code of every answer that failed for want of the
// registry.
const codeRegistryDown = "registry_unavailable"

// logFailure logs a problem that is ours and not the caller's.
func (s *Console) logFailure(c *gin.Context, p *problem) {
	switch {
	case p.status() < 500 || p.cause == nil:
	case p.status() == http.StatusServiceUnavailable:
		s.outage(c, p.code, "request failed", p.cause)
	default:
		s.log.ErrorContext(c, "request failed", slog.String("request_id", requestID(c)),
			slog.String("path", c.Request.URL.Path), slog.Int("status", p.status()), slog.Any("err", p.cause))
	}
}

// outageLogged is how often a thing that is away is logged.
const outageLogged = time.Minute

// outages are the things that are away, by the code that requests fail with:
// when each was last logged, and how often it was not since. The zero value is
// ready to use, and safe for concurrent use.
type outages struct {
	mu     sync.Mutex
	byCode map[string]*outageCount
}

type outageCount struct {
	logged time.Time
	silent int
}

// admit says whether to log, and how many were not logged before.
func (o *outages) admit(code string, now time.Time) (log bool, silent int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byCode == nil {
		o.byCode = make(map[string]*outageCount)
	}
	n := o.byCode[code]
	if n == nil {
		n = &outageCount{logged: now.Add(-outageLogged)}
		o.byCode[code] = n
	}
	if since := now.Sub(n.logged); since >= 0 && since < outageLogged {
		n.silent++
		return false, 0
	}
	silent, n.silent, n.logged = n.silent, 0, now
	return true, silent
}

// outage logs that a request failed because something is away: the first at
// once, then one a minute with the number of those between. Thousands of
// browsers that reload must not drown the line that says why.
func (s *Console) outage(c *gin.Context, code, message string, err error) {
	log, silent := s.outages.admit(code, s.opts.Clock())
	if !log {
		return
	}
	s.log.ErrorContext(c, message, slog.String("request_id", requestID(c)), slog.String("path", c.Request.URL.Path),
		slog.String("code", code), slog.Int("not_logged_before", silent), slog.Any("err", err))
}

// fail ends the request with an error: a JSON body on the API, a page with the
// console's frame otherwise.
func (s *Console) fail(c *gin.Context, err error) {
	p := asProblem(err)
	s.logFailure(c, p)
	refused(c, p.code)
	if p.retry > 0 {
		c.Header("Retry-After", strconv.Itoa(p.retry))
	}
	if surfaceOf(c.Request.URL.Path) == api {
		if p.status() == http.StatusUnauthorized {
			for _, challenge := range s.challenges(c.Request) {
				c.Writer.Header().Add("WWW-Authenticate", challenge)
			}
		}
		if enveloped(c) {
			writeBare(c, http.StatusOK, failure(p))
			c.Abort()
			return
		}
		writeJSON(c, p.status(), errorBody{
			Code: p.code, Message: p.message, Hint: p.hint, RequestID: requestID(c), Fields: p.fields, Stored: p.stored,
		})
		c.Abort()
		return
	}
	s.render(c, p.status(), system.Problem(problemProps(s.frame(c, http.StatusText(p.status()), areaOf(c.Request.URL.Path)), p, requestID(c))))
	c.Abort()
}
