package consoletest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// FakeSettings is the console's own database in memory.
type FakeSettings struct {
	Mu  sync.Mutex
	err error
	// auditErr is what writing a record fails with.
	auditErr error
	Written  []settings.Record // oldest first
	Revoked  map[string]bool
	// registries by name, and what tokens have chosen.
	Entered map[string]settings.Registry
	Sources map[string]settings.DataSource
	choices map[string]string
	// changes by id, and switches by registry and job.
	changes  map[string]settings.Change
	switches map[string]settings.Switch
	// Versions are saved configurations, oldest first.
	Versions []settings.ConfigVersion
	filters  []settings.AuditFilter
	// Saved are views, ViewsErr is what everything about them fails with.
	Saved    []settings.View
	ViewsErr error
	// Tokens are those for programs, by id.
	Tokens map[string]settings.ProgramToken
}

func newFakeSettings() *FakeSettings {
	f := &FakeSettings{Revoked: map[string]bool{}, choices: map[string]string{}, changes: map[string]settings.Change{SampleChange: sampleChange}, switches: map[string]settings.Switch{}}
	f.Reset()
	return f
}

// Reset makes what was entered be as in the beginning.
func (f *FakeSettings) Reset() {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Sources = map[string]settings.DataSource{"billing": {Name: "billing", Fields: store.Fields{
		Type: store.MySQL, Host: "db.example.com", Port: 3306, Database: "traces", User: "reader", Password: "Canary-8",
	}}}
	f.Tokens = map[string]settings.ProgramToken{SampleToken: {
		ID: SampleToken, Name: "nightly-report", Owner: "root", OwnerRole: "root", Scope: "read", Jobs: "*", Created: Noon.Add(-48 * time.Hour), Expires: Noon.Add(88 * 24 * time.Hour),
	}}
	f.Saved = []settings.View{{Owner: "root", Area: "jobs", Name: "billing", Query: "q=label%3Abilling", User: "root", At: Noon}}
	f.Entered = map[string]settings.Registry{"billing": {Name: "billing", Servers: []string{"zk1:2181"}, Namespace: "billing", Digest: "console:Canary-9"}}
}

func (f *FakeSettings) AddRecord(_ context.Context, r settings.Record) (int64, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if err := cmp.Or(f.err, f.auditErr); err != nil {
		return 0, err
	}
	r.ID = int64(len(f.Written) + 1)
	f.Written = append(f.Written, r)
	return r.ID, nil
}

func (f *FakeSettings) FinishRecord(_ context.Context, r settings.Record) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if err := cmp.Or(f.err, f.auditErr); err != nil {
		return err
	}
	row := &f.Written[r.ID-1]
	row.Target, row.Outcome, row.Status, row.Detail = r.Target, r.Outcome, r.Status, r.Detail
	return nil
}

// FailAudit makes the audit impossible to write, as a full disk does, or
// possible again.
func (f *FakeSettings) FailAudit(err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.auditErr = err
}

// Records filters by user and registry only, and knows one cursor.
func (f *FakeSettings) Records(_ context.Context, filter settings.AuditFilter) (page settings.AuditPage, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if filter.Cursor != "" && filter.Cursor != "older" {
		return page, settings.ErrInvalidCursor
	}
	f.filters = append(f.filters, filter)
	for _, r := range slices.Backward(f.Written) {
		if (filter.User == "" || r.User == filter.User) && (!filter.Here || r.Registry == filter.Registry) {
			page.Records = append(page.Records, r)
		}
	}
	if len(page.Records) > filter.Limit {
		page.Records, page.NextCursor = page.Records[:filter.Limit], "older"
	}
	return page, f.err
}

// AuditFilters are those that were asked for.
func (f *FakeSettings) AuditFilters() []settings.AuditFilter {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return slices.Clone(f.filters)
}

// Write adds a record.
func (f *FakeSettings) Write(r settings.Record) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Written = append(f.Written, r)
}

func (f *FakeSettings) RevokeToken(_ context.Context, id string, _, _ time.Time) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.err == nil {
		f.Revoked[id] = true
	}
	return f.err
}

func (f *FakeSettings) Token(_ context.Context, id string) (settings.Token, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return settings.Token{Revoked: f.Revoked[id]}, f.err
}

func (f *FakeSettings) Ping(context.Context) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.err
}

// Fail makes the database unreachable, or reachable again.
func (f *FakeSettings) Fail(err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.err = err
}

// Registries are those in Entered.
func (f *FakeSettings) Registries() settings.Entries[settings.Registry] {
	return fakeEntries[settings.Registry]{f, f.Entered, func(r settings.Registry) string { return r.Name }}
}

// DataSources are those in Sources.
func (f *FakeSettings) DataSources() settings.Entries[settings.DataSource] {
	return fakeEntries[settings.DataSource]{f, f.Sources, func(d settings.DataSource) string { return d.Name }}
}

func (f *FakeSettings) Add(_ context.Context, registries []settings.Registry, sources []settings.DataSource) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for _, r := range registries {
		if _, ok := f.Entered[r.Name]; ok {
			return settings.ErrExists
		}
		f.Entered[r.Name] = r
	}
	for _, d := range sources {
		if _, ok := f.Sources[d.Name]; ok {
			return settings.ErrExists
		}
		f.Sources[d.Name] = d
	}
	return f.err
}

// fakeEntries are the entries of a kind in a map.
type fakeEntries[E any] struct {
	of     *FakeSettings
	byName map[string]E
	name   func(E) string
}

func (e fakeEntries[E]) List(context.Context) (list []E, err error) {
	e.of.Mu.Lock()
	defer e.of.Mu.Unlock()
	for _, name := range view.SortedKeys(e.byName) {
		list = append(list, e.byName[name])
	}
	return list, e.of.err
}

func (e fakeEntries[E]) Get(_ context.Context, name string) (E, error) {
	e.of.Mu.Lock()
	defer e.of.Mu.Unlock()
	entry, ok := e.byName[name]
	if !ok && e.of.err == nil {
		return entry, settings.ErrNotFound
	}
	return entry, e.of.err
}

func (e fakeEntries[E]) Change(_ context.Context, entry E) error {
	e.of.Mu.Lock()
	defer e.of.Mu.Unlock()
	e.byName[e.name(entry)] = entry
	return e.of.err
}

func (e fakeEntries[E]) Remove(_ context.Context, name string) error {
	e.of.Mu.Lock()
	defer e.of.Mu.Unlock()
	if _, ok := e.byName[name]; !ok {
		return settings.ErrNotFound
	}
	delete(e.byName, name)
	return e.of.err
}

func (f *FakeSettings) Choose(_ context.Context, token string, _, _ time.Time, kind settings.Kind, name string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.choices[token+" "+string(kind)] = name
	return f.err
}

func (f *FakeSettings) ChosenBy(_ context.Context, kind settings.Kind, name string, _ time.Time) (n int, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for token, chosen := range f.choices {
		if strings.HasSuffix(token, " "+string(kind)) && chosen == name {
			n++
		}
	}
	return n, f.err
}

func (f *FakeSettings) Chosen(_ context.Context, token string, kind settings.Kind) (string, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.choices[token+" "+string(kind)], f.err
}

// fakeRegistries connects to nothing. It allows every host whose name begins with
// zk.
type fakeRegistries struct{}

func (fakeRegistries) Allowed(r settings.Registry) error {
	for _, s := range r.Servers {
		if !strings.HasPrefix(s, "zk") {
			return fmt.Errorf("%w: %s", outbound.ErrForbidden, s)
		}
	}
	return nil
}

// Probe finds a namespace with three jobs, but at servers whose names say otherwise.
func (f fakeRegistries) Probe(_ context.Context, r settings.Registry) (console.RegistryReport, error) {
	report := console.RegistryReport{Connected: 118 * time.Millisecond, RoundTrip: 800 * time.Microsecond, Found: true, Jobs: 3, Exact: true}
	if err := f.Allowed(r); err != nil {
		return report, err
	}
	switch host, _, _ := strings.Cut(r.Servers[0], ":"); host {
	case "zk-away":
		return report, errors.New("connect: no answer")
	case "zk-forbidden":
		return report, statistics.ErrForbidden
	case "zk-chroot":
		return report, console.ErrNoSuchChroot
	case "zk-absent":
		report.Found, report.Jobs = false, 0
	}
	return report, nil
}

func (fakeRegistries) Opened(settings.Registry) (console.Registry, func(), bool) {
	return console.Registry{}, nil, false
}

func (fakeRegistries) Servers(text string) ([]string, error) { return registries.Servers(text) }

func (fakeRegistries) Check(r settings.Registry) (field, want string) { return registries.Check(r) }

func (fakeRegistries) Use(context.Context, settings.Registry) (console.Registry, func(), error) {
	return console.Registry{}, nil, errors.New("the fake has no connections")
}

func (fakeRegistries) Forget(string) {}

// fakeSources connects to nothing. It allows every host whose name begins with
// db.
type fakeSources struct{}

func (fakeSources) Allowed(d settings.DataSource) error {
	if d.Type != store.SQLite && !strings.HasPrefix(d.Host, "db") {
		return fmt.Errorf("%w: %s", outbound.ErrForbidden, d.Address())
	}
	return nil
}

// Probe finds some rows, and at the host db-old a table of a Java engine.
func (f fakeSources) Probe(_ context.Context, d settings.DataSource) (rdb.Description, error) {
	found := rdb.Description{Dialect: d.Type, Executions: 10_000, RoundTrip: 1200 * time.Microsecond}
	switch d.Host {
	case "db-away":
		return found, errors.New("connect: no answer")
	case "db-old":
		found.Lacks, found.LacksIndexes = []string{"run_id"}, []string{"EXECUTION_RUN_INDEX"}
	}
	return found, f.Allowed(d)
}

func (fakeSources) Use(context.Context, settings.DataSource) (console.History, func(), error) {
	return nil, nil, errors.New("the fake has no connections")
}

func (fakeSources) Forget(string) {}

func (f *FakeSettings) AddConfigVersion(_ context.Context, v settings.ConfigVersion) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	v.ID = int64(len(f.Versions) + 1)
	f.Versions = append(f.Versions, v)
	return f.err
}

func (f *FakeSettings) ConfigVersions(_ context.Context, registry, job string) ([]settings.ConfigVersion, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	var list []settings.ConfigVersion
	for _, v := range slices.Backward(f.Versions) {
		if v.Registry == registry && v.Job == job {
			list = append(list, v)
		}
	}
	return list, f.err
}

func (f *FakeSettings) ConfigVersionsAt(_ context.Context, names []settings.VersionAt) (list []settings.ConfigVersion, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for _, v := range slices.Backward(f.Versions) {
		if slices.Contains(names, settings.VersionAt{Registry: v.Registry, Job: v.Job, Revision: v.Revision}) {
			list = append(list, v)
		}
	}
	return list, f.err
}

// SampleToken is the id of the token for programs that every bench has. Nothing knows
// its secret.
const SampleToken = "nightlyreport000"

func (f *FakeSettings) AddProgramToken(_ context.Context, t settings.ProgramToken) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if len(f.Tokens) >= settings.MaxProgramTokens {
		return settings.ErrTooMany
	}
	for _, other := range f.Tokens {
		if other.Name == t.Name && other.RevokedAt.IsZero() {
			return settings.ErrExists
		}
	}
	if f.err == nil {
		f.Tokens[t.ID] = t
	}
	return f.err
}

func (f *FakeSettings) ProgramTokens(_ context.Context, owner string) (list []settings.ProgramToken, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for _, id := range view.SortedKeys(f.Tokens) {
		if t := f.Tokens[id]; t.RevokedAt.IsZero() && (owner == "" || t.Owner == owner) {
			list = append(list, t)
		}
	}
	return list, f.err
}

func (f *FakeSettings) ProgramToken(_ context.Context, id string) (settings.ProgramToken, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	t, ok := f.Tokens[id]
	if !ok && f.err == nil {
		return t, settings.ErrNotFound
	}
	return t, f.err
}

func (f *FakeSettings) UseProgramToken(_ context.Context, t settings.ProgramToken, now time.Time) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	t.Used = now
	if f.err == nil {
		f.Tokens[t.ID] = t
	}
	return f.err
}

func (f *FakeSettings) RevokeProgramToken(_ context.Context, id string, now time.Time) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	t, ok := f.Tokens[id]
	if ok && f.err == nil {
		t.RevokedAt = now
		f.Tokens[id] = t
	}
	return f.err
}
