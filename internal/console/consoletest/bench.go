package consoletest

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

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/feed"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Noon is the time in every test.
var Noon = time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)

// FakeRegistry is Jobs, Operator and Health in one.
type FakeRegistry struct {
	mu       sync.Mutex
	changed  feed.Feed[statistics.News]
	List     []statistics.JobDetail
	Machines []statistics.Server
	Health   app.RegistryHealth
	Ping     error
	ReadErr  error
	// Actions are those carried out, as "trigger invoices".
	Actions   []string
	Outcome   lifecycle.Outcome
	ActionErr error
	Panics    bool
	Why       statistics.Explanation
	Changes   []statistics.Change
	PlanErr   error
	Plan      *statistics.ReshardPlan // instead of a small one
	PlanGate  chan chan struct{}      // if set, a plan waits until what it sends here is closed
	requestedRuns
}

func (f *FakeRegistry) Jobs(context.Context) ([]statistics.Job, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Panics {
		panic("the fake was asked to")
	}
	var list []statistics.Job
	for _, j := range f.List {
		list = append(list, Found(j.Job))
	}
	return list, f.ReadErr
}

func (f *FakeRegistry) Job(_ context.Context, name string) (statistics.JobDetail, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ReadErr != nil {
		return statistics.JobDetail{}, f.ReadErr
	}
	for _, j := range f.List {
		if j.Name == name {
			j.Job = Found(j.Job)
			j.Changed = cmp.Or(j.Changed, Noon.AddDate(0, -1, 0))
			return j, nil
		}
	}
	return statistics.JobDetail{}, fmt.Errorf("read job %q: %w", name, statistics.ErrJobNotFound)
}

func (f *FakeRegistry) Explain(ctx context.Context, name string) (*statistics.Explanation, error) {
	job, err := f.Job(ctx, name)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	why := f.Why
	why.Job, why.Cron = job.Name, job.Cron
	if len(why.Findings) == 0 {
		why.Findings = job.Findings
	}
	if why.At.IsZero() {
		why.At = Noon
	}
	return &why, nil
}

// Fired is empty: no agent records anything.
func (f *FakeRegistry) Fired(context.Context, string) (statistics.Fired, error) {
	return statistics.Fired{At: Noon}, nil
}

// Found is a job with the findings that its status goes with, if it has none.
func Found(j statistics.Job) statistics.Job {
	if j.Findings != nil {
		return j
	}
	add := func(code statistics.Code, effect statistics.Effect, items ...int) {
		j.Findings = append(j.Findings, statistics.Finding{Code: code, Effect: effect, Items: items, Sentence: j.Reason})
	}
	switch j.Status {
	case statistics.StatusBroken:
		add(statistics.CodeConfigUnreadable, statistics.EffectJob)
	case statistics.StatusCrashed:
		add(statistics.CodeNoInstance, statistics.EffectJob)
	case statistics.StatusDisabled:
		add(statistics.CodeJobDisabled, statistics.EffectJob)
	}
	if j.Held.What.Schedule() {
		add(statistics.CodeHeld, statistics.EffectJob)
	}
	if j.Status == statistics.StatusShardingFlag {
		add(statistics.CodeItemOwnerGone, statistics.EffectShards)
	}
	first := func(n int) (items []int) {
		for item := range n {
			items = append(items, item)
		}
		return items
	}
	switch {
	case j.DisabledItems == 0:
	case j.DisabledItems >= j.Shards:
		add(statistics.CodeItemDisabled, statistics.EffectJob, first(j.DisabledItems)...)
	default:
		add(statistics.CodeItemDisabled, statistics.EffectShards, first(j.DisabledItems)...)
	}
	if j.LostShards > 0 {
		add(statistics.CodeFailoverOffered, statistics.EffectShards, first(j.LostShards)...)
	}
	return j
}

func (f *FakeRegistry) PlanReshard(ctx context.Context, name string, change statistics.Change) (*statistics.ReshardPlan, error) {
	job, err := f.Job(ctx, name)
	if err != nil {
		return nil, err
	}
	if f.PlanGate != nil {
		gate := make(chan struct{})
		select {
		case f.PlanGate <- gate:
			select {
			case <-gate:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Changes = append(f.Changes, change)
	if f.Plan != nil {
		return f.Plan, nil
	}
	if f.PlanErr != nil {
		return nil, fmt.Errorf("plan the resharding of job %q: %w", name, f.PlanErr)
	}
	return &statistics.ReshardPlan{Job: job.Name, Reshards: true, Reason: "asked to fail", Moves: []statistics.Move{{Item: 3, From: "a", To: "b"}}, Owners: []string{"b"}}, nil
}

func (f *FakeRegistry) Servers(context.Context) ([]statistics.Server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Machines, f.ReadErr
}

func (f *FakeRegistry) act(verb, job string) (lifecycle.Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Actions = append(f.Actions, verb+" "+job)
	return f.Outcome, f.ActionErr
}

func (f *FakeRegistry) Trigger(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.act("trigger", job)
}
func (f *FakeRegistry) Disable(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.act("disable", job)
}
func (f *FakeRegistry) Enable(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.act("enable", job)
}
func (f *FakeRegistry) Shutdown(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.act("shutdown", job)
}

// RemoveWith records the end of one run.
func (f *FakeRegistry) RemoveWith(ctx context.Context, job string, r lifecycle.Removal) (lifecycle.Outcome, error) {
	verb := "remove"
	if r.Force {
		verb = "force-remove"
	}
	out, err := f.act(verb, job)
	if err == nil && r.History != nil {
		if failure := r.History.Write(ctx, []tracing.Event{{Run: &tracing.RunRecord{ID: "waited", JobName: job, State: "cancelled"}}}); failure != nil {
			return out, &lifecycle.Error{Op: "remove", Job: job, Kind: lifecycle.ErrHistory, Err: failure}
		}
	}
	return out, err
}
func (f *FakeRegistry) DisableForGood(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.act("disable for good", job)
}
func (f *FakeRegistry) EnableForGood(_ context.Context, job string) (lifecycle.Outcome, error) {
	return f.act("enable for good", job)
}
func (f *FakeRegistry) TriggerServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.act("trigger", job+" on "+ip)
}
func (f *FakeRegistry) TriggerInstances(_ context.Context, job string, ids []string) (lifecycle.Outcome, error) {
	return f.act("trigger", job+" at "+strings.Join(ids, ", "))
}
func (f *FakeRegistry) DisableServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.act("disable", job+" on "+ip)
}
func (f *FakeRegistry) EnableServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.act("enable", job+" on "+ip)
}
func (f *FakeRegistry) ShutdownServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.act("shutdown", job+" on "+ip)
}
func (f *FakeRegistry) RemoveServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.act("remove offline", job+" on "+ip)
}
func (f *FakeRegistry) ForceRemoveServer(_ context.Context, job, ip string) (lifecycle.Outcome, error) {
	return f.act("remove", job+" on "+ip)
}
func (f *FakeRegistry) Dump(_ context.Context, job, ip string, port int) (string, error) {
	_, err := f.act("dump", fmt.Sprintf("%s on %s:%d", job, ip, port))
	return "/" + job + " | seen\n", err
}
func (f *FakeRegistry) DisableShard(_ context.Context, job string, item int) error {
	_, err := f.act("disable", fmt.Sprintf("%s shard %d", job, item))
	return err
}
func (f *FakeRegistry) EnableShard(_ context.Context, job string, item int) error {
	_, err := f.act("enable", fmt.Sprintf("%s shard %d", job, item))
	return err
}
func (f *FakeRegistry) ClearRunning(_ context.Context, job string, item int, instance string) error {
	_, err := f.act("clear", fmt.Sprintf("%s shard %d of %s", job, item, instance))
	return err
}

// ServerJobs are the jobs that list a known server, at least the first job.
func (f *FakeRegistry) ServerJobs(_ context.Context, ip string) ([]statistics.ServerJob, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ReadErr != nil {
		return nil, f.ReadErr
	}
	if !slices.ContainsFunc(f.Machines, func(s statistics.Server) bool { return s.IP == ip }) {
		return nil, fmt.Errorf("server %q: %w", ip, statistics.ErrServerNotFound)
	}
	var jobs []statistics.ServerJob
	for _, j := range f.List {
		for _, srv := range j.Servers {
			if srv.IP == ip {
				jobs = append(jobs, statistics.ServerJob{Name: j.Name, Cron: j.Cron, Description: j.Description, Shards: j.Job.Shards, Enabled: srv.Enabled, Instances: srv.Instances})
			}
		}
	}
	if len(jobs) == 0 {
		jobs = []statistics.ServerJob{{Name: f.List[0].Name, Enabled: true}}
	}
	slices.SortFunc(jobs, func(a, b statistics.ServerJob) int { return strings.Compare(a.Name, b.Name) })
	return jobs, nil
}

func (f *FakeRegistry) StoredConfig(_ context.Context, job string) (lifecycle.StoredConfig, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, j := range f.List {
		if j.Name == job && f.ActionErr == nil {
			c, err := jobconfig.Decode(j.RawConfig)
			if err != nil {
				err = &lifecycle.Error{Op: "read", Job: job, Kind: lifecycle.ErrInvalid, Err: err}
			}
			return lifecycle.StoredConfig{Config: c, Raw: j.RawConfig, Version: j.ConfigVersion, Created: 10}, err
		}
	}
	return lifecycle.StoredConfig{}, cmp.Or(f.ActionErr, error(&lifecycle.Error{Op: "read", Job: job, Kind: lifecycle.ErrNotFound}))
}

// EditConfig changes nothing: what a change does is for tests with a tree.
func (f *FakeRegistry) EditConfig(ctx context.Context, job, revision string, edit func(*jobconfig.Config) error) (before, after lifecycle.StoredConfig, err error) {
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
	_, err = f.act("configure", job)
	return before, after, err
}

func (f *FakeRegistry) Registry() app.RegistryHealth {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Health
}

func (f *FakeRegistry) PingDatabase(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Ping
}

// OnChange is as that of [statistics.Reader].
func (f *FakeRegistry) OnChange(fn func(statistics.News)) (cancel func()) {
	return f.changed.Subscribe(fn)
}

// Announce tells those who asked that something changed.
func (f *FakeRegistry) Announce(n statistics.News) { f.changed.Tell(n) }

// Set changes the fake while a console uses it.
func (f *FakeRegistry) Set(change func(*FakeRegistry)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// Given are the actions so far.
func (f *FakeRegistry) Given() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.Actions)
}

// Bench is a console on fakes behind a real listener.
type Bench struct {
	*httptest.Server
	T        testing.TB
	Console  *app.Console
	Registry *FakeRegistry
	History  *fakeHistory
	Settings *FakeSettings
	Cloud    *FakeCloud
	Log      *logBuffer
	now      *time.Time
	mu       *sync.Mutex
	requests *requests
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

// TestAccounts are the accounts of every bench.
const TestAccounts = "root.username=root\nroot.password=r00t-Canary-7\nguest.username=guest\nguest.password=gu3st-Canary-7\n" +
	"account.operator.role=operator\naccount.operator.password=0perator-Canary-7\n"

// Parts are those of every bench. Each package of tests sets them before its
// tests begin.
var Parts []app.Part

// New starts a console of [Parts] on fakes. Its options can be changed before.
func New(t testing.TB, change ...func(*app.Options)) *Bench {
	t.Helper()
	registry, history := Sample()
	b := &Bench{T: t, Registry: registry, History: history, Settings: newFakeSettings(t), Cloud: NewCloud(), Log: &logBuffer{}, mu: &sync.Mutex{}, requests: &requests{done: map[string]chan struct{}{}}}
	now := Noon
	b.now = &now
	accounts, err := auth.ParseAccounts([]byte(TestAccounts))
	if err != nil {
		t.Fatal(err)
	}
	opts := app.Options{
		Jobs: registry, Operator: registry, Health: registry, Changes: registry.OnChange, History: history, Settings: b.Settings, Registries: fakeRegistries{}, Sources: fakeSources{}, Cloud: b.Cloud.Options(), Accounts: accounts, Key: testKey,
		Version: "v0.0-test", Clock: b.Clock,
		Logger: slog.New(mask.NewHandler(slog.NewTextHandler(b.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
	}
	for _, f := range change {
		f(&opts)
	}
	if b.Console, err = app.New(opts, Parts...); err != nil {
		t.Fatal(err)
	}
	b.Server = httptest.NewServer(b.requests.handler(b.Console))
	t.Cleanup(b.Close)
	return b
}

// Clock is the time of the bench.
func (b *Bench) Clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return *b.now
}

// Pass lets time go by.
func (b *Bench) Pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*b.now = b.now.Add(d)
}

// Token mints a token for a role, without going through the login.
func (b *Bench) Token(t testing.TB, role auth.Role, aud auth.Audience) string {
	t.Helper()
	acc, ok := b.Console.Auth.Account(string(role), role)
	if !ok {
		t.Fatalf("no account of role %q", role)
	}
	token, _, err := b.Console.Auth.Issue(acc, aud)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Reply is an answer, read to its end.
type Reply struct {
	*http.Response
	Body string
}

// Doc parses the page.
func (r Reply) Doc(t testing.TB) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Text is the text of the first element with a test id, its white space folded.
func (r Reply) Text(t testing.TB, testID string) string {
	t.Helper()
	return Words(r.Doc(t).Find(`[data-testid="` + testID + `"]`).First())
}

// Words is the text of a selection as it is read: a space between elements, and
// none doubled.
func Words(s *goquery.Selection) string {
	var parts []string
	s.Contents().Each(func(_ int, child *goquery.Selection) {
		if goquery.NodeName(child) == "#text" {
			parts = append(parts, child.Text())
		} else {
			parts = append(parts, Words(child))
		}
	})
	return Fold(strings.Join(parts, " "))
}

// Fold has one space for each run of white space.
func Fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// As sends a request with the token of a role, as a page or to the API as its
// address demands; role "" sends none. Redirects are not followed.
func (b *Bench) As(t testing.TB, role auth.Role, method, target string, form url.Values, edit ...func(*http.Request)) Reply {
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
		if app.SurfaceOf(req.URL.Path) == app.API {
			req.Header.Set("Authorization", "Bearer "+b.Token(t, role, auth.ForAPI))
		} else {
			req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, role, auth.ForPages)})
		}
	}
	for _, f := range edit {
		f(req)
	}
	return b.Do(t, req)
}

// transport isn't the default one: a test server that is closed interrupts the requests that other
// tests begin by that.
var transport = &http.Transport{}

// Do sends a request and reads the answer; redirects are not followed.
func (b *Bench) Do(t testing.TB, req *http.Request) Reply {
	t.Helper()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	number := b.requests.number(req)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	b.requests.wait(number)
	return Reply{Response: resp, Body: string(body)}
}

// Cookie is the cookie of that name that the answer sets; nil if it sets none.
func (r Reply) Cookie(name string) *http.Cookie {
	for _, c := range r.Cookies() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// WantStatus ends the test unless the answer has that status.
func WantStatus(t testing.TB, r Reply, status int) {
	t.Helper()
	if r.StatusCode != status {
		t.Fatalf("%s %s: status %d, want %d\n%s", r.Request.Method, r.Request.URL.RequestURI(), r.StatusCode, status, view.Clip(r.Body, 600))
	}
}

// Down makes the registry unreachable.
func (b *Bench) Down() {
	b.Registry.Set(func(f *FakeRegistry) {
		f.ReadErr = errors.New("read jobs: ZooKeeper is unavailable")
		f.Health.State, f.Health.Since = app.RegistryLost, Noon.Add(-95*time.Second)
		f.Health.LastError = errors.New("dial tcp 10.2.0.4:2181: connect: connection refused")
	})
}
