package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const (
	notesKey   = "console.audit_notes"
	outcomeKey = "console.outcome"
	previewKey = "console.preview"
	resumesKey = "console.resumes"
)

// Note adds to the audit record of the request what only its handler knows.
func (s *Console) Note(c *gin.Context, attrs ...slog.Attr) {
	notes, _ := c.Get(notesKey)
	list, _ := notes.([]slog.Attr)
	c.Set(notesKey, append(list, attrs...))
}

// Refused notes for the audit record why the request did nothing; empty takes it
// back.
func Refused(c *gin.Context, code string) { c.Set(outcomeKey, code) }

// audited reports whether a request is one that may change something: whatever
// is no reading method, at an address that exists; and a sign-in. To choose light
// or dark, or to sign out without being signed in, changes nothing here.
func audited(c *gin.Context) bool {
	if c.GetBool(previewKey) || Resumed(c) {
		return false
	}
	switch c.FullPath() {
	case OIDCCallback: // a GET, since the provider sends browsers there
		return true
	case "/theme", LanguageRoute, ZoneRoute, event.Path: // The last are rows of the history, from programs.
		return false
	case "/logout":
		return Caller(c).TokenID != ""
	}
	switch c.Request.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	// Clients of 3.x ask for the history with a POST.
	return c.FullPath() != "" && !strings.HasPrefix(c.FullPath(), "/api/event-trace/") && !strings.HasPrefix(c.FullPath(), "/api/job/events/")
}

// commands reports whether a route is one that changes something for whoever
// may: its actions are on record before they are carried out.
func (r Route) commands() bool {
	return r.Access >= Operates && r.Method != http.MethodGet && !r.previews
}

// recordKey is where a request keeps the id of the record that was written
// before it was carried out; -1 if it could not be written.
const recordKey = "console.audit_record"

// intend writes the record of an action before it is carried out, so that no
// change is without one, however the process ends. An action that cannot be
// recorded is refused.
func (s *Console) intend(c *gin.Context) {
	if s.opts.Settings == nil || Resumed(c) {
		return
	}
	r := s.record(c, settings.OutcomeBegun, peek(c))
	ctx, cancel := s.Storing(c)
	defer cancel()
	id, err := s.opts.Settings.AddRecord(ctx, r)
	if err != nil {
		c.Set(recordKey, int64(-1))
		s.unrecorded(c, err)
		s.Fail(c, Problem{Kind: KindUnavailable, Code: "audit_unavailable", Cause: err, Retry: ReloadSeconds}.
			SaidAs(i18n.Lang.ProblemUnaudited, i18n.Lang.ProblemUnauditedHint))
		return
	}
	c.Set(recordKey, id)
}

// peek is what the body of a request says about its target, for the record that
// is written before the handler reads it.
func peek(c *gin.Context) []slog.Attr {
	if c.ContentType() == "application/x-www-form-urlencoded" {
		if name := c.PostForm("name"); name != "" {
			return []slog.Attr{slog.String("target", view.Clip(name, 100))}
		}
		return nil
	}
	body, err := io.ReadAll(c.Request.Body)
	c.Request.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	var named struct {
		JobName, Name string
		Jobs          []string
	}
	if err != nil || json.Unmarshal(body, &named) != nil {
		return nil
	}
	switch {
	case named.JobName != "":
		return []slog.Attr{slog.String("target", view.Clip(named.JobName, 100))}
	case named.Name != "":
		return []slog.Attr{slog.String("target", view.Clip(named.Name, 100))}
	case len(named.Jobs) > 0:
		return []slog.Attr{slog.String("target", view.Clip(view.Enumerate(named.Jobs, 20), 400))}
	}
	return nil
}

// failing ends a body as it ended before.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// audit writes the record of a request that may have changed something, whether
// it did or was refused: who, from where, what, and what came of it. It is one
// line of the log with the message "audit", and one row of the console's own
// database if it has one.
func (s *Console) audit(c *gin.Context) {
	who, status := Caller(c), c.Writer.Status()
	level, outcome := slog.LevelInfo, "done"
	if why := c.GetString(outcomeKey); why != "" {
		level, outcome = slog.LevelWarn, why
	}
	attrs := []slog.Attr{
		slog.String("request_id", RequestID(c)), slog.String("outcome", outcome), slog.Int("status", status),
		slog.String("user", who.Name), slog.String("role", string(who.Role)), slog.String("remote", Remote(c)),
		slog.String("action", c.Request.Method+" "+c.FullPath()),
	}
	if who.Program.Token != "" {
		attrs = append(attrs, slog.String("via", who.Program.Token))
	}
	for _, p := range c.Params {
		attrs = append(attrs, slog.String("param_"+p.Key, view.Clip(p.Value, 300)))
	}
	notes, _ := c.Get(notesKey)
	list, _ := notes.([]slog.Attr)
	s.Log.LogAttrs(c, level, "audit", append(attrs, list...)...)
	s.keepRecord(c, outcome, list)
}

// keepRecord writes the row, or completes the one that was written before. The
// answer waits for it.
func (s *Console) keepRecord(c *gin.Context, outcome string, notes []slog.Attr) {
	id := c.GetInt64(recordKey)
	if s.opts.Settings == nil || id < 0 {
		return
	}
	r := s.record(c, outcome, notes)
	r.ID = id
	if id == 0 && (outcome != "done" || c.FullPath() == RefreshRoute) {
		write, skipped := s.records.admit(r.At, r.User, Remote(c))
		if !write {
			return
		}
		if skipped > 0 {
			r.Detail = strings.TrimSpace(fmt.Sprintf("%s unrecorded_before=%d", r.Detail, skipped))
		}
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	var err error
	if id > 0 {
		err = s.opts.Settings.FinishRecord(ctx, r)
	} else {
		_, err = s.opts.Settings.AddRecord(ctx, r)
	}
	if err != nil {
		s.unrecorded(c, err)
	}
}

// record is the row of a request.
func (s *Console) record(c *gin.Context, outcome string, notes []slog.Attr) settings.Record {
	who := Caller(c)
	r := settings.Record{
		At: s.opts.Clock(), User: who.Name, Role: string(who.Role), Remote: Remote(c), Action: c.Request.Method + " " + c.FullPath(),
		Outcome: outcome, Status: c.Writer.Status(), RequestID: RequestID(c),
	}
	if name := s.RegistryOf(c).name; name != DefaultRegistry {
		r.Registry = name
	}
	var targets, details []string
	if who.Program.Token != "" {
		details = append(details, "via="+who.Program.Token)
	}
	for _, p := range c.Params {
		value, err := url.PathUnescape(p.Value)
		if err != nil {
			value = p.Value
		}
		targets = append(targets, value)
	}
	for _, n := range notes {
		switch n.Key {
		case "target":
			targets = []string{n.Value.String()}
		default:
			details = append(details, n.Key+"="+n.Value.String())
		}
	}
	r.Target, r.Detail = strings.Join(targets, " "), strings.Join(details, " ")
	return r
}

// unrecorded reports a record that could not be written to the log, the metrics and the details of
// the readiness probe.
func (s *Console) unrecorded(c *gin.Context, err error) {
	s.opts.Metrics.auditFailed()
	s.missing.Add(1)
	s.outage(c, "audit", "an audit record is in the log only", err)
}

// AuditResumed is the action of the record after records that could not be written.
const AuditResumed = "audit resumed"

// recordsAgain reports whether the audit can be written. After a failure it
// writes a record that says how many are missing.
func (s *Console) recordsAgain(ctx context.Context) bool {
	missing := s.missing.Load()
	if missing == 0 {
		return true
	}
	_, err := s.opts.Settings.AddRecord(ctx, settings.Record{
		At: s.opts.Clock(), Action: AuditResumed, Outcome: "done", Detail: fmt.Sprintf("in_the_log_only=%d", missing),
	})
	if err != nil {
		s.opts.Metrics.auditFailed()
		return false
	}
	s.missing.Add(-missing)
	return true
}

// How many records of what was refused may be written: for each account and
// each address, and for all strangers together. The audit must not be a way to
// fill a disk. What is left out is counted.
const (
	RefusedBurst    = 60
	refusedRefill   = 10 * time.Second
	StrangersBurst  = 300
	StrangersRefill = 10 * time.Second
)

// recordLimits is safe for concurrent use.
type recordLimits struct {
	mu        sync.Mutex
	each      *auth.Buckets
	strangers *rate.Limiter
	skipped   int
}

func newRecordLimits() *recordLimits {
	return &recordLimits{
		each: auth.NewBuckets(refusedRefill, RefusedBurst, auth.MaxBuckets), strangers: rate.NewLimiter(rate.Every(StrangersRefill), StrangersBurst),
	}
}

// admit says whether to write a record, and how many were left out before it.
// Who is signed in is limited by account, a stranger by address.
func (l *recordLimits) admit(now time.Time, user, address string) (write bool, skipped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if user != "" {
		write = l.each.Of("account "+user, now).AllowN(now, 1)
	} else {
		write = l.each.Of("address "+auth.Network(address), now).AllowN(now, 1) && l.strangers.AllowN(now, 1)
	}
	if !write {
		l.skipped++
		return false, 0
	}
	skipped, l.skipped = l.skipped, 0
	return true, skipped
}

// ReadRecordsHere reads the newest records of the audit that are about the registry of
// the request.
func (s *Console) ReadRecordsHere(c *gin.Context, f settings.AuditFilter) (settings.AuditPage, error) {
	f.Registry, f.Here = s.RegistryOf(c).SavedUnder(), true
	return s.ReadAudit(c, f)
}
