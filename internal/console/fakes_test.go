package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// noon is the time in every test.
var noon = time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)

// fakeRegistry is Jobs, Operator and Health in one.
type fakeRegistry struct {
	mu      sync.Mutex
	jobs    []statistics.JobDetail
	servers []statistics.Server
	health  RegistryHealth
	ping    error
	readErr error
	// orders are those given, as "trigger invoices".
	orders   []string
	outcome  lifecycle.Outcome
	orderErr error
	panics   bool
	why      statistics.Explanation
	changes  []statistics.Change
	planErr  error
	plan     *statistics.ReshardPlan // instead of a small one
	planGate chan chan struct{}      // if set, a plan waits until what it sends here is closed
}

func (f *fakeRegistry) Jobs(context.Context) ([]statistics.Job, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.panics {
		panic("the fake was told to")
	}
	var list []statistics.Job
	for _, j := range f.jobs {
		list = append(list, j.Job)
	}
	return list, f.readErr
}

func (f *fakeRegistry) Job(_ context.Context, name string) (statistics.JobDetail, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.readErr != nil {
		return statistics.JobDetail{}, f.readErr
	}
	for _, j := range f.jobs {
		if j.Name == name {
			return j, nil
		}
	}
	return statistics.JobDetail{}, fmt.Errorf("read job %q: %w", name, statistics.ErrJobNotFound)
}

func (f *fakeRegistry) Explain(ctx context.Context, name string) (*statistics.Explanation, error) {
	job, err := f.Job(ctx, name)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	why := f.why
	why.Job, why.Cron = job.Name, job.Cron
	if why.At.IsZero() {
		why.At = noon
	}
	return &why, nil
}

func (f *fakeRegistry) PlanReshard(ctx context.Context, name string, change statistics.Change) (*statistics.ReshardPlan, error) {
	job, err := f.Job(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.planGate != nil {
		gate := make(chan struct{})
		select {
		case f.planGate <- gate:
			select {
			case <-gate:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes = append(f.changes, change)
	if f.plan != nil {
		return f.plan, nil
	}
	if f.planErr != nil {
		return nil, fmt.Errorf("plan the resharding of job %q: %w", name, f.planErr)
	}
	return &statistics.ReshardPlan{Job: job.Name, Reshards: true, Reason: "told to", Moves: []statistics.Move{{Item: 3, From: "a", To: "b"}}, Owners: []string{"b"}}, nil
}

func (f *fakeRegistry) Servers(context.Context) ([]statistics.Server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.servers, f.readErr
}

func (f *fakeRegistry) order(verb, job string) (lifecycle.Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.orders = append(f.orders, verb+" "+job)
	return f.outcome, f.orderErr
}

func (f *fakeRegistry) Trigger(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("trigger", job)
}
func (f *fakeRegistry) Disable(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("disable", job)
}
func (f *fakeRegistry) Enable(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("enable", job)
}
func (f *fakeRegistry) Shutdown(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("shutdown", job)
}
func (f *fakeRegistry) Remove(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("remove", job)
}

func (f *fakeRegistry) ForceRemove(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("force-remove", job)
}
func (f *fakeRegistry) DisableForGood(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("disable for good", job)
}
func (f *fakeRegistry) EnableForGood(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.order("enable for good", job)
}
func (f *fakeRegistry) TriggerServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.order("trigger", job+" on "+ip)
}
func (f *fakeRegistry) DisableServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.order("disable", job+" on "+ip)
}
func (f *fakeRegistry) EnableServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.order("enable", job+" on "+ip)
}
func (f *fakeRegistry) ShutdownServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.order("shutdown", job+" on "+ip)
}
func (f *fakeRegistry) ForceRemoveServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.order("remove", job+" on "+ip)
}
func (f *fakeRegistry) Dump(_ context.Context, job, ip string, port int) (string, error) {
	_, err := f.order("dump", fmt.Sprintf("%s on %s:%d", job, ip, port))
	return "/" + job + " | seen\n", err
}
func (f *fakeRegistry) DisableItem(_ context.Context, job string, item int) error {
	_, err := f.order("disable", fmt.Sprintf("%s item %d", job, item))
	return err
}
func (f *fakeRegistry) EnableItem(_ context.Context, job string, item int) error {
	_, err := f.order("enable", fmt.Sprintf("%s item %d", job, item))
	return err
}
func (f *fakeRegistry) ClearRunning(_ context.Context, job string, item int, instance string) error {
	_, err := f.order("clear", fmt.Sprintf("%s item %d of %s", job, item, instance))
	return err
}

// ServerJobs makes every known server one of the first job.
func (f *fakeRegistry) ServerJobs(_ context.Context, ip string) ([]statistics.ServerJob, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.readErr != nil || slices.ContainsFunc(f.servers, func(s statistics.Server) bool { return s.IP == ip }) {
		return []statistics.ServerJob{{Name: f.jobs[0].Name, Enabled: true}}, f.readErr
	}
	return nil, fmt.Errorf("server %q: %w", ip, statistics.ErrServerNotFound)
}

func (f *fakeRegistry) StoredConfig(_ context.Context, job string) (lifecycle.StoredConfig, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, j := range f.jobs {
		if j.Name == job && f.orderErr == nil {
			c, err := jobtree.DecodeConfig(j.RawConfig)
			if err != nil {
				err = &lifecycle.Error{Op: "read", Job: job, Kind: lifecycle.ErrInvalid, Err: err}
			}
			return lifecycle.StoredConfig{Config: c, Raw: j.RawConfig, Version: j.ConfigVersion, Created: 10}, err
		}
	}
	return lifecycle.StoredConfig{}, cmp.Or(f.orderErr, error(&lifecycle.Error{Op: "read", Job: job, Kind: lifecycle.ErrNotFound}))
}

// EditConfig changes nothing: what a change does is for tests with a tree.
func (f *fakeRegistry) EditConfig(ctx context.Context, job, revision string, edit func(*jobtree.Config) error) (before, after lifecycle.StoredConfig, err error) {
	before, err = f.StoredConfig(ctx, job)
	if err != nil {
		return before, after, err
	}
	if revision != "" && revision != before.Revision() {
		return before, after, &lifecycle.Error{Op: "change", Job: job, Kind: lifecycle.ErrConflict, Err: &lifecycle.StaleConfigError{Stored: before}}
	}
	after = before
	after.Config = before.Config.Clone()
	if err := edit(after.Config); err != nil {
		return before, after, &lifecycle.Error{Op: "change", Job: job, Kind: lifecycle.ErrInvalid, Err: err}
	}
	after.Version++
	_, err = f.order("configure", job)
	return before, after, err
}

func (f *fakeRegistry) Registry() RegistryHealth {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.health
}

func (f *fakeRegistry) PingDatabase(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ping
}

// set changes the fake while a console uses it.
func (f *fakeRegistry) set(change func(*fakeRegistry)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *fakeRegistry) given() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.orders)
}

// fakeHistory is a trace database in memory. It filters by job and state only.
type fakeHistory struct {
	mu      sync.Mutex
	runs    []tracing.Execution // newest first
	steps   []tracing.Status
	err     error
	filters []rdb.ExecutionFilter
	lastRun [][]string // the jobs of each LastRuns call
}

func (f *fakeHistory) Executions(_ context.Context, filter rdb.ExecutionFilter) (rdb.ExecutionPage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.filters = append(f.filters, filter)
	if f.err != nil {
		return rdb.ExecutionPage{}, f.err
	}
	var page rdb.ExecutionPage
	from := 0
	if filter.Cursor != "" {
		if _, err := fmt.Sscanf(filter.Cursor, "at-%d", &from); err != nil {
			return page, rdb.ErrInvalidCursor
		}
	}
	for i, r := range f.runs {
		if i < from || filter.JobName != "" && r.JobName != filter.JobName || filter.State == rdb.RunFailed && (r.Success || r.Running()) {
			continue
		}
		if len(page.Rows) == filter.Limit {
			page.NextCursor = fmt.Sprintf("at-%d", i)
			break
		}
		page.Rows = append(page.Rows, r)
	}
	return page, nil
}

func (f *fakeHistory) Statuses(context.Context, rdb.StatusFilter) (rdb.StatusPage, error) {
	return rdb.StatusPage{Rows: f.steps}, f.err
}

func (f *fakeHistory) CountExecutions(ctx context.Context, filter rdb.ExecutionFilter, atMost int) (int, bool, error) {
	filter.Cursor, filter.Limit = "", atMost
	page, err := f.Executions(ctx, filter)
	return len(page.Rows), page.NextCursor == "", err
}

func (f *fakeHistory) CountStatuses(_ context.Context, _ rdb.StatusFilter, atMost int) (int, bool, error) {
	return min(len(f.steps), atMost), len(f.steps) < atMost, f.err
}

func (f *fakeHistory) Suggest(_ context.Context, _ rdb.Suggestion, prefix string) ([]string, error) {
	names := []string{}
	for _, r := range f.runs {
		if strings.HasPrefix(r.JobName, prefix) && !slices.Contains(names, r.JobName) {
			names = append(names, r.JobName)
		}
	}
	return names, f.err
}

// Statistics makes up a day with a bad hour and one that nobody counted.
func (f *fakeHistory) Statistics(_ context.Context, job string, interval rdb.Interval, from, to time.Time) ([]rdb.Point, error) {
	if interval.Length() == 0 {
		return nil, rdb.ErrInvalidFilter
	}
	var points []rdb.Point
	for at, i := from.Truncate(interval.Length()), 0; !at.After(to); at, i = at.Add(interval.Length()), i+1 {
		p := rdb.Point{Time: at, Known: i != 7 && i != 8, Success: 120 + i%5*7}
		if i == 15 {
			p.Success, p.Failed = 40, 60
		}
		if !p.Known || job == "nothing" {
			p.Success, p.Failed = 0, 0
		}
		points = append(points, p)
	}
	return points, f.err
}

func (f *fakeHistory) Results(_ context.Context, period string, now time.Time) (rdb.Results, error) {
	if period != "lastHour" {
		return rdb.Results{}, rdb.ErrInvalidFilter
	}
	return rdb.Results{Success: 100, Failed: 2, From: now.Add(-time.Hour), To: now}, f.err
}

func (f *fakeHistory) LastRuns(_ context.Context, jobs []string, perJob int) (map[string][]tracing.Execution, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lastRun = append(f.lastRun, jobs)
	if f.err != nil {
		return nil, f.err
	}
	found := make(map[string][]tracing.Execution)
	for _, r := range f.runs {
		if slices.Contains(jobs, r.JobName) && len(found[r.JobName]) < perJob {
			found[r.JobName] = append(found[r.JobName], r)
		}
	}
	return found, nil
}

// bench is a console on fakes behind a real listener.
type bench struct {
	*httptest.Server
	t        testing.TB
	console  *Console
	registry *fakeRegistry
	history  *fakeHistory
	settings *fakeSettings
	log      *logBuffer
	now      *time.Time
	mu       *sync.Mutex
}

type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// testKey signs the sessions of every test's console.
var testKey = []byte(strings.Repeat("k3y-", 12))

const testAccounts = "root.username=root\nroot.password=r00t-Canary-7\nguest.username=guest\nguest.password=gu3st-Canary-7\n"

func newBench(t testing.TB, change ...func(*Options)) *bench {
	t.Helper()
	registry, history := sample()
	b := &bench{t: t, registry: registry, history: history, settings: newFakeSettings(), log: &logBuffer{}, mu: &sync.Mutex{}}
	now := noon
	b.now = &now
	accounts, err := auth.ParseAccounts([]byte(testAccounts))
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{
		Jobs: registry, Operator: registry, Health: registry, History: history, Settings: b.settings, Centres: fakeCentres{}, Sources: fakeSources{}, Accounts: accounts, Key: testKey,
		Version: "v0.0-test", Clock: b.clock, Logger: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&opts)
	}
	if b.console, err = New(opts); err != nil {
		t.Fatal(err)
	}
	b.Server = httptest.NewServer(b.console)
	t.Cleanup(b.Close)
	return b
}

func (b *bench) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return *b.now
}

// pass lets time go by.
func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*b.now = b.now.Add(d)
}

// token mints a token for a role, without going through the login.
func (b *bench) token(t testing.TB, role auth.Role, aud auth.Audience) string {
	t.Helper()
	acc, ok := b.console.auth.Account(string(role), role)
	if !ok {
		t.Fatalf("no account of role %q", role)
	}
	token, _, err := b.console.auth.Issue(acc, aud)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// reply is an answer, read to its end.
type reply struct {
	*http.Response
	body string
}

func (r reply) doc(t testing.TB) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// text is the text of the first element with a test id, its white space folded.
func (r reply) text(t testing.TB, testID string) string {
	t.Helper()
	return words(r.doc(t).Find(`[data-testid="` + testID + `"]`).First())
}

// words is the text of a selection as it is read: a space between elements, and
// none doubled.
func words(s *goquery.Selection) string {
	var parts []string
	s.Contents().Each(func(_ int, child *goquery.Selection) {
		if goquery.NodeName(child) == "#text" {
			parts = append(parts, child.Text())
		} else {
			parts = append(parts, words(child))
		}
	})
	return fold(strings.Join(parts, " "))
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// as sends a request with the token of a role, as a page or to the API as its
// address demands; role "" sends none. Redirects are not followed.
func (b *bench) as(t testing.TB, role auth.Role, method, target string, form url.Values, edit ...func(*http.Request)) reply {
	t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(t.Context(), method, b.URL+target, body)
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if role != "" {
		if surfaceOf(req.URL.Path) == api {
			req.Header.Set("Authorization", "Bearer "+b.token(t, role, auth.ForAPI))
		} else {
			req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.token(t, role, auth.ForPages)})
		}
	}
	for _, f := range edit {
		f(req)
	}
	return b.do(t, req)
}

func (b *bench) do(t testing.TB, req *http.Request) reply {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{Response: resp, body: string(body)}
}

func (r reply) cookie(name string) *http.Cookie {
	for _, c := range r.Cookies() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func wantStatus(t testing.TB, r reply, status int) {
	t.Helper()
	if r.StatusCode != status {
		t.Fatalf("%s %s: status %d, want %d\n%s", r.Request.Method, r.Request.URL.RequestURI(), r.StatusCode, status, view.Clip(r.body, 600))
	}
}

// down makes the registry unreachable.
func (b *bench) down() {
	b.registry.set(func(f *fakeRegistry) {
		f.readErr = errors.New("read jobs: ZooKeeper is unavailable")
		f.health.State, f.health.Since = RegistryLost, noon.Add(-95*time.Second)
		f.health.LastError = errors.New("dial tcp 10.2.0.4:2181: connect: connection refused")
	})
}
