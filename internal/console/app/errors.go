package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/system"
)

// Problem is an error as the caller sees it: what happened and what to do. The
// cause stays in the log.
type Problem struct {
	Kind    kind
	Code    string // of the API's error body: what exactly it is
	Message string
	Hint    string
	Retry   int // seconds of Retry-After, 0 for none
	// Fields are those of the request that cannot be taken; stored is what
	// stands in the way.
	Fields []FieldBody
	Stored any
	Cause  error
	// GoTo and GoToLabel are the way out a page offers.
	GoTo      string
	GoToLabel func(i18n.Lang) string
	// words are message and hint in the language of a page; nil if Message and Hint
	// are all there is, as in answers that only programs read.
	words words
}

// words are a message and a hint in either language.
type words = func(l i18n.Lang) (message, hint string)

// both are words that depend on nothing.
func both(message, hint func(i18n.Lang) string) words {
	return func(l i18n.Lang) (string, string) { return message(l), hint(l) }
}

// Said is a problem whose message and hint are written in both languages.
func (p Problem) Said(w words) *Problem {
	p.words = w
	p.Message, p.Hint = w(i18n.English)
	return &p
}

// SaidAs is [Problem.Said] for words that depend on nothing.
func (p Problem) SaidAs(message, hint func(i18n.Lang) string) *Problem {
	return p.Said(both(message, hint))
}

// In is what a page in a language says of the problem.
func (p *Problem) In(l i18n.Lang) (message, hint string) {
	if p.words == nil {
		return p.Message, p.Hint
	}
	return p.words(l)
}

// kind is the class of a problem: it decides the status of the answer.
type kind int

const (
	kindInternal     kind = iota // a fault of the console
	KindMalformed                // the request cannot be read
	KindInvalid                  // it can, and asks for what cannot be
	KindTooLarge                 // it has more bytes than are taken
	KindUnauthorized             // nobody is signed in
	KindForbidden                // whoever is may not do this
	KindTooMany                  // too often, or too much at once
	KindNotFound                 // what it is about does not exist
	kindMethod                   // the address does not answer to the verb
	KindConflict                 // the state of things does not allow it
	KindStale                    // it is based on something that has changed since
	KindUnavailable              // what is needed for it is away
	KindNoAnswer                 // somebody who had to be asked was silent
	KindUnsupported              // what is set up here cannot do that, whoever asks
)

// statuses are the answers to problems of each kind: the status of HTTP, and the
// errorCode in the envelope. The latter are those that ElasticJob 3.x has, and
// for what it has none for, the status. A client of 3.x takes 403 for "sign in
// again", so a role that does not suffice must be something else.
var statuses = map[kind]struct{ http, envelope int }{
	kindInternal:     {http.StatusInternalServerError, http.StatusInternalServerError},
	KindMalformed:    {http.StatusBadRequest, http.StatusBadRequest},
	KindInvalid:      {http.StatusUnprocessableEntity, http.StatusBadRequest},
	KindTooLarge:     {http.StatusRequestEntityTooLarge, http.StatusBadRequest},
	KindUnauthorized: {http.StatusUnauthorized, http.StatusForbidden},
	KindForbidden:    {http.StatusForbidden, http.StatusInternalServerError},
	KindTooMany:      {http.StatusTooManyRequests, http.StatusTooManyRequests},
	KindNotFound:     {http.StatusNotFound, http.StatusNotFound},
	kindMethod:       {http.StatusMethodNotAllowed, http.StatusMethodNotAllowed},
	KindConflict:     {http.StatusConflict, http.StatusConflict},
	KindStale:        {http.StatusPreconditionFailed, http.StatusPreconditionFailed},
	KindUnavailable:  {http.StatusServiceUnavailable, http.StatusServiceUnavailable},
	KindNoAnswer:     {http.StatusGatewayTimeout, http.StatusGatewayTimeout},
	KindUnsupported:  {http.StatusNotImplemented, http.StatusNotImplemented},
}

// Status is that of HTTP.
func (p *Problem) Status() int { return statuses[p.Kind].http }

// Error is the message and its cause, for the log.
func (p *Problem) Error() string {
	if p.Cause != nil {
		return fmt.Sprintf("%s: %v", p.Message, p.Cause)
	}
	return p.Message
}

// Unwrap is the cause.
func (p *Problem) Unwrap() error { return p.Cause }

// Unauthorized is the answer to a caller without a valid token.
func Unauthorized(why auth.Denial) *Problem {
	return &Problem{
		Kind: KindUnauthorized, Code: why.Code(), Message: why.Message(),
		Hint: "Get a token from POST /api/login and send it as Authorization: Bearer, or as Access-Token.",
	}
}

// forbidden names the role that may, but no account that has it.
func forbidden(c *gin.Context, needed Access) *Problem {
	who, page := Caller(c), isRead(c) && SurfaceOf(c.Request.URL.Path) == Page
	return Problem{Kind: KindForbidden, Code: "forbidden", GoTo: "/jobs", GoToLabel: i18n.Lang.ProblemBackToJobs}.Said(func(l i18n.Lang) (string, string) {
		role, has := roleName(needed.role(), l), roleName(who.Role, l)
		if page {
			return l.ProblemForbiddenPage(role), l.ProblemForbiddenPageHint(who.Name, has, role)
		}
		return l.ProblemForbidden(role), l.ProblemForbiddenHint(who.Name, has, role)
	})
}

// asked is the request as an error page names it: without the query, which may have what
// is secret, and without characters that look like others or turn the text around.
func asked(c *gin.Context) string {
	path := c.Request.URL.Path
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		path = c.Request.URL.EscapedPath()
	}
	return c.Request.Method + " " + view.Clip(outside(c, path), 200)
}

// NotFound is the answer about what does not exist.
func NotFound(what, hint string) *Problem {
	return &Problem{Kind: KindNotFound, Code: "not_found", Message: what, Hint: hint, GoTo: "/jobs", GoToLabel: i18n.Lang.ProblemToJobs}
}

// NoSuchJob is the answer about a job that does not exist.
func NoSuchJob(name string) *Problem {
	return NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoJob(strconv.Quote(name)), l.ProblemNoJobHint()
	})
}

// NoSuchServer is the answer about a server that no job knows.
func NoSuchServer(ip string) *Problem {
	return NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoServer(strconv.Quote(view.Clip(ip, 100))), l.ProblemNoServerHint()
	})
}

// Invalid is the answer to a request that asks for what cannot be.
func Invalid(message, hint string) *Problem {
	return &Problem{Kind: KindInvalid, Code: "invalid", Message: message, Hint: hint}
}

// Misunderstood refuses an address, or what else was asked, for its problems.
func Misunderstood(problems query.Problems, hint func(i18n.Lang) string) *Problem {
	return Invalid("", "").Said(func(l i18n.Lang) (string, string) {
		return strings.Join(problems.In(l), l.AddressBetween()) + l.AddressEnd(), hint(l)
	})
}

// InvalidAs is [Invalid] in either language.
func InvalidAs(message, hint func(i18n.Lang) string) *Problem {
	return Invalid("", "").SaidAs(message, hint)
}

// MalformedAs is [Malformed] in either language.
func MalformedAs(message, hint func(i18n.Lang) string) *Problem {
	return Malformed("", "").SaidAs(message, hint)
}

// Malformed is the answer to a request that cannot be read.
func Malformed(message, hint string) *Problem {
	return &Problem{Kind: KindMalformed, Code: "malformed", Message: message, Hint: hint}
}

// TooLarge is the answer to a body of more bytes than limit.
func TooLarge(limit int64) *Problem {
	return Problem{Kind: KindTooLarge, Code: "too_large"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemTooLarge(), l.ProblemTooLargeHint(strconv.FormatInt(limit>>10, 10))
	})
}

// TooMany is the answer to one attempt to sign in too many; retry is in
// seconds.
func TooMany(retry int) *Problem {
	return Problem{Kind: KindTooMany, Code: "too_many_attempts", Retry: retry}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemTooMany(strconv.Itoa(retry)), l.ProblemTooManyHint()
	})
}

// Internal is the answer to a fault of the console.
func Internal(err error) *Problem {
	return Problem{Kind: kindInternal, Code: "internal", Cause: err}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemInternal(), l.ProblemInternalHint()
	})
}

// AsProblem turns any error into one the caller may see.
func AsProblem(err error) *Problem {
	p, ok := errors.AsType[*Problem](err)
	switch {
	case ok:
		return p
	case errors.Is(err, context.DeadlineExceeded):
		return Problem{Kind: KindUnavailable, Code: "unavailable", Cause: err, Retry: 5}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemTooSlow(), l.ProblemTooSlowHint()
		})
	}
	return Internal(err)
}

// problemProps builds the view model of an error page.
func problemProps(f layout.Frame, p *Problem, asked, id string, l i18n.Lang) system.ProblemProps {
	props := system.ProblemProps{Frame: f, Status: p.Status(), Code: p.Code, Asked: asked, RequestID: id, Href: p.GoTo}
	props.Frame.Scripts = append(props.Frame.Scripts, "copy.js")
	props.Heading, props.Hint = p.In(l)
	switch {
	case p.GoToLabel != nil:
		props.HrefLabel = p.GoToLabel(l)
	case p.Status() == http.StatusServiceUnavailable && f.ReloadSeconds > 0:
		props.Href, props.HrefLabel = f.Here, l.ProblemTryNow()
	default:
		props.Href, props.HrefLabel = "/", l.ProblemToOverview()
	}
	if p.Code == CodeRegistryDown && f.Outage != nil { // the banner above has said the rest
		props.Heading = l.OutageNothing()
	}
	return props
}

// CodeRegistryDown is the code of every answer that failed for want of the
// registry.
const CodeRegistryDown = "registry_unavailable"

// statusCallerLeft is the status that nginx logs for a caller who disconnected before the answer.
const statusCallerLeft = 499

// callerLeft reports whether the caller disconnected, which cancels the reads of its request.
func callerLeft(c *gin.Context) bool {
	return errors.Is(c.Request.Context().Err(), context.Canceled)
}

// abandoned reports whether a problem only comes from a caller who disconnected. An action
// doesn't end with its caller, so its failure counts unless it was cancelled itself.
func abandoned(c *gin.Context, p *Problem) bool {
	return callerLeft(c) && p.Status() >= 500 && (isRead(c) || errors.Is(p.Cause, context.Canceled))
}

// LogFailure logs a problem that is ours and not the caller's.
func (s *Console) LogFailure(c *gin.Context, p *Problem) {
	switch {
	case p.Status() < 500 || p.Cause == nil:
	case abandoned(c, p):
		s.Log.InfoContext(c, "the caller disconnected before the answer", slog.String("request_id", RequestID(c)),
			pathAttr(c), slog.Any("err", p.Cause))
	case p.Status() == http.StatusServiceUnavailable:
		s.outage(c, p.Code, "request failed", p.Cause)
	default:
		s.Log.ErrorContext(c, "request failed", slog.String("request_id", RequestID(c)),
			pathAttr(c), slog.Int("status", p.Status()), slog.Any("err", p.Cause))
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
	// Not with c as context, because a stranger's request may find the outage first.
	s.Log.ErrorContext(c.Request.Context(), message, slog.String("request_id", RequestID(c)), pathAttr(c), //nolint:sloglint // what the answer says, a constant of the caller
		slog.String("code", code), slog.Int("not_logged_before", silent), slog.Any("err", err))
}

// Fail ends the request with an error: a JSON body on the API, a page with the
// console's frame otherwise.
func (s *Console) Fail(c *gin.Context, err error) {
	p := AsProblem(err)
	s.LogFailure(c, p)
	Refused(c, p.Code)
	if abandoned(c, p) {
		c.AbortWithStatus(statusCallerLeft)
		return
	}
	if p.Retry > 0 {
		c.Header("Retry-After", strconv.Itoa(p.Retry))
	}
	if SurfaceOf(c.Request.URL.Path) == API {
		if p.Status() == http.StatusUnauthorized {
			for _, challenge := range s.challenges(c.Request) {
				c.Writer.Header().Add("WWW-Authenticate", challenge)
			}
		}
		if Enveloped(c) {
			WriteBare(c, http.StatusOK, failure(p))
			c.Abort()
			return
		}
		WriteJSON(c, p.Status(), api.ErrorBody{
			Code: p.Code, Message: p.Message, Hint: p.Hint, RequestID: RequestID(c), Fields: p.Fields, Stored: p.Stored,
		})
		c.Abort()
		return
	}
	l := i18n.From(c.Request.Context())
	title, _ := p.In(l)
	f := s.Frame(c, strings.TrimSuffix(strings.TrimSuffix(view.Clip(title, 80), "."), "。"), areaOf(c.Request.URL.Path))
	s.Render(c, p.Status(), system.Problem(problemProps(f, p, asked(c), RequestID(c), l)))
	c.Abort()
}
