package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/feed"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// Options is everything a console needs. Fields without a default are required.
type Options struct {
	// Jobs reads the registry.
	Jobs Jobs
	// Operator carries out actions in the registry.
	Operator Operator
	// History reads the trace database; nil if there is none. The pages then
	// say so.
	History History
	// Health tells how the registry and the database are.
	Health Health

	// Settings is the console's own memory; nil if it has none. Then the audit
	// is in the log only, and who signed out is forgotten with the process.
	Settings Settings

	// Registries connects to the registries in Settings; nil if there are
	// none but the one of Jobs and Operator.
	Registries Registries

	// Sources connects to the data sources in Settings; nil if there is none but
	// History.
	Sources Sources

	// Cloud is what there is of ElasticJob-Cloud; nil if it is off.
	Cloud *Cloud

	// Changes has a function called with each change that Jobs notices, until cancel
	// is called; nil if Jobs notices none. See [statistics.Reader.OnChange].
	Changes func(func(statistics.News)) (cancel func())
	// Instances are the ids of the live instances of a job; nil if nobody is to
	// remember which came and left. See [Console.KeepInstances].
	Instances Instances
	// Memory reads the registry as it stood when the connection was lost, for pages
	// that show it meanwhile; nil for none.
	Memory Jobs
	// Known tells what Jobs has in its memory, for the metrics; nil if it has
	// none.
	Known func() statistics.Known
	// Metrics counts what the console does. Defaults to some of its own.
	Metrics *Metrics

	// Accounts are who may sign in.
	Accounts *auth.Accounts
	// OIDC is the sign-in by OpenID Connect besides; nil for none.
	OIDC *auth.OIDC
	// Key signs sessions, at least 32 bytes. Defaults to a random key, with
	// which a restart signs everybody out. See [auth.ReadKey].
	Key []byte
	// SessionLifetime is how long a sign-in lasts. Defaults to 8 hours.
	SessionLifetime time.Duration
	// SecureCookies says that browsers reach the console over TLS only, by a
	// proxy that does not say so: cookies are then marked so, and browsers are
	// asked never to come without. A request over TLS of our own, or over that of
	// one of Proxies, is treated so anyway.
	SecureCookies bool

	// Proxies are those in front of the console whose word counts. Defaults to
	// none.
	Proxies Proxies
	// BasePath is the path below which browsers find the console, such as "/ops";
	// empty for the whole host. See [ParseBasePath].
	BasePath string
	// Hosts are the names by which browsers may call the console. Defaults to
	// every name.
	Hosts Hosts
	// APIBasicAuth takes HTTP Basic on /api besides tokens.
	APIBasicAuth bool
	// CommandChanges lets root change what agents execute and whom they call:
	// command lines, addresses, webhooks. Defaults to no.
	CommandChanges bool

	// LogLink is where the full log of an execution is. Defaults to nowhere.
	LogLink LogLink

	// ReadTimeout bounds what one request may spend reading the registry or the
	// database. Defaults to 4 seconds.
	ReadTimeout time.Duration
	// ActionTimeout bounds one action. Defaults to 10 seconds.
	ActionTimeout time.Duration

	// Version is printed in the footer and by the API.
	Version string
	// Clock is the time. Defaults to [time.Now].
	Clock func() time.Time
	// Logger defaults to [slog.Default].
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.SessionLifetime == 0 {
		o.SessionLifetime = 8 * time.Hour
	}
	if o.ReadTimeout == 0 {
		o.ReadTimeout = 4 * time.Second
	}
	if o.ActionTimeout == 0 {
		o.ActionTimeout = 10 * time.Second
	}
	if o.Version == "" {
		o.Version = "(unknown)"
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

func (o Options) validate() error {
	var problems []error
	require := func(ok bool, field string) {
		if !ok {
			problems = append(problems, fmt.Errorf("Options.%s is required", field))
		}
	}
	require(o.Jobs != nil, "Jobs")
	require(o.Operator != nil, "Operator")
	require(o.Health != nil, "Health")
	require(o.Accounts != nil, "Accounts")
	if clean, err := ParseBasePath(o.BasePath); err != nil {
		problems = append(problems, err)
	} else {
		require(clean == o.BasePath, "BasePath without a slash at its end")
	}
	if o.OIDC != nil {
		require(o.OIDC.Provider != nil, "OIDC.Provider")
		require(o.OIDC.RootGroup != "" || o.OIDC.OperatorGroup != "" || o.OIDC.GuestGroup != "", "OIDC.RootGroup, OperatorGroup or GuestGroup")
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{{"SessionLifetime", o.SessionLifetime}, {"ReadTimeout", o.ReadTimeout}, {"ActionTimeout", o.ActionTimeout}} {
		if d.value < 0 {
			problems = append(problems, fmt.Errorf("Options.%s is negative: %s", d.field, d.value))
		}
	}
	return errors.Join(problems...)
}

// Console is the pages and the REST interface as one [http.Handler]. It starts
// no goroutines and is safe for concurrent use.
type Console struct {
	// Log and Auth are for the parts, which do not replace them.
	Log  *slog.Logger
	Auth *auth.Gate

	opts        Options
	handler     http.Handler
	table       []Route
	limits      map[string]int64 // of the bodies of routes that say so
	crossOrigin *http.CrossOriginProtection
	ready       readiness
	records     *recordLimits // of the audit
	lines       *recordLimits // of the log
	sent        sentForms
	kept        keptForms
	missing     atomic.Int64 // records of the audit that are in the log only
	outages     outages
	board       board
	streams     streams
	members     members.Log // of the registry of the command line
	together    view.Together
	fires       view.FirePlan
	// membersChanged tells of the jobs about which members has something new.
	membersChanged feed.Feed[string]
}

var releaseMode = sync.OnceFunc(func() { gin.SetMode(gin.ReleaseMode) })

// Part is a part of the console that brings routes: the pages, the REST interface.
type Part func(*Console) []Route

// New builds a console of its parts. It fails if an option is missing or wrong, or if a
// route does not say who may call it.
func New(opts Options, parts ...Part) (*Console, error) {
	opts = opts.withDefaults()
	if err := opts.validate(); err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	releaseMode()
	s := &Console{
		opts:        opts,
		crossOrigin: http.NewCrossOriginProtection(),
		records:     newRecordLimits(),
		lines:       newRecordLimits(),
	}
	if opts.History != nil {
		s.opts.History = &lossHistory{opts.History, &s.members, s.Now}
	}
	s.Log = slog.New(strangerLog{opts.Logger.Handler(), s}).With(slog.String("component", "console"))
	var err error
	if s.Auth, err = auth.New(auth.Config{Accounts: opts.Accounts, OIDC: opts.OIDC, Key: opts.Key, Lifetime: opts.SessionLifetime, Clock: opts.Clock}); err != nil {
		return nil, err
	}
	if err := s.countConditions(); err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	s.table = s.ownRoutes()
	for _, part := range parts {
		s.table = append(s.table, part(s)...)
	}
	if err := s.build(s.table); err != nil {
		return nil, err
	}
	return s, nil
}

// Options are what the console was made of, with defaults. Nobody changes them.
func (s *Console) Options() *Options { return &s.opts }

// Now is the time.
func (s *Console) Now() time.Time { return s.opts.Clock() }

// SetAccounts replaces the accounts, for example after auth.properties was
// edited. Sessions of accounts that were removed or have a new password end.
func (s *Console) SetAccounts(a *auth.Accounts) { s.Auth.SetAccounts(a) }

// build makes the router. Addresses are matched as they were sent, still
// escaped, so that a job may have any name.
func (s *Console) build(routes []Route) error {
	e := gin.New()
	e.UseEscapedPath = true
	e.UnescapePathValues = false // done by jobName: gin would turn a plus into a space
	e.RedirectTrailingSlash = false
	e.HandleMethodNotAllowed = true
	if err := e.SetTrustedProxies(nil); err != nil {
		return fmt.Errorf("console: %w", err)
	}
	e.Use(s.locate, s.observe, s.recoverPanics, s.harden, s.sameOrigin)

	s.limits = make(map[string]int64)
	for _, r := range routes {
		if r.body > 0 {
			s.limits[r.Path] = r.body
		}
		if r.Access == undecided {
			return fmt.Errorf("console: route %s %s does not say who may call it", r.Method, r.Path)
		}
		handle := func(c *gin.Context) {
			if err := r.handler(c); err != nil {
				s.Fail(c, err)
			}
		}
		handlers := []gin.HandlerFunc{s.guard(r), s.bound, handle}
		if r.previews {
			handlers = slices.Insert(handlers, 1, gin.HandlerFunc(func(c *gin.Context) { c.Set(previewKey, true) }))
		}
		if SurfaceOf(r.Path) == Page {
			handlers = slices.Insert(handlers, 1, gin.HandlerFunc(func(c *gin.Context) { c.Set(asksKey, r.asks) }))
		}
		if r.commands() {
			handlers = slices.Insert(handlers, 2, gin.HandlerFunc(s.intend))
			if SurfaceOf(r.Path) == Page {
				handlers = slices.Insert(handlers, 2, gin.HandlerFunc(func(c *gin.Context) { once(s, c) }))
			}
		}
		if r.resumes {
			handlers = slices.Insert(handlers, 0, gin.HandlerFunc(func(c *gin.Context) { c.Set(resumesKey, true) }))
		}
		e.Handle(r.Method, r.Path, handlers...)
		if r.Method == http.MethodGet { // HEAD is a GET whose body the server drops
			e.Handle(http.MethodHead, r.Path, s.guard(r), s.bound, handle)
		}
	}
	e.NoRoute(s.guard(Route{Access: Anyone}), func(c *gin.Context) {
		s.Fail(c, NotFound("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemNothingHere(), l.ProblemNothingHereHint()
		}))
	})
	fixed := allowed(routes)
	e.NoMethod(s.guard(Route{Access: Anyone}), func(c *gin.Context) {
		// The router would add those of routes that the address fits by chance:
		// "config" could be a job's name.
		if methods := fixed[c.Request.URL.EscapedPath()]; methods != "" {
			c.Header("Allow", methods)
		}
		s.Fail(c, Problem{Kind: kindMethod, Code: "method_not_allowed"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemMethod(c.Request.Method), l.ProblemMethodHint(c.Writer.Header().Get("Allow"))
		}))
	})
	var err error
	s.handler, err = compressing(e)
	return err
}

// allowed are the methods of each address without a parameter.
func allowed(routes []Route) map[string]string {
	methods := make(map[string][]string)
	for _, r := range routes {
		if !strings.ContainsAny(r.Path, ":*") {
			methods[r.Path] = append(methods[r.Path], r.Method)
			if r.Method == http.MethodGet {
				methods[r.Path] = append(methods[r.Path], http.MethodHead)
			}
		}
	}
	list := make(map[string]string)
	for path, names := range methods {
		slices.Sort(names)
		list[path] = strings.Join(slices.Compact(names), ", ")
	}
	return list
}

// Render writes a page. It is rendered as a whole first, so that a mistake in a
// template is an error and not half a page.
func (s *Console) Render(c *gin.Context, status int, component templ.Component) {
	var buf bytes.Buffer
	err := component.Render(s.drawn(c), &buf)
	switch {
	case callerLeft(c):
		c.AbortWithStatus(statusCallerLeft)
		return
	case err != nil:
		s.Log.ErrorContext(c, "template failed", slog.String("request_id", RequestID(c)), slog.Any("err", err))
		c.String(http.StatusInternalServerError, "The page could not be built. Request %s.", RequestID(c))
		return
	}
	page := Inert(buf.Bytes())
	if status == http.StatusOK && c.GetHeader(RegionHeader) != "" {
		writeRegions(c, status, page)
		return
	}
	if status == http.StatusOK {
		page = withMarks(page)
	}
	c.Data(status, "text/html; charset=utf-8", page)
}
