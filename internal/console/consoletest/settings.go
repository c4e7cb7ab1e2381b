package consoletest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// FakeSettings is the console's own database, an SQLite that tests can make fail. The audit and the
// saved configurations are in memory, because tests look at them.
type FakeSettings struct {
	*settings.Store
	db *store.DB
	Mu sync.Mutex
	// err fails everything, auditErr the records of the audit, and ViewsErr the views.
	err, auditErr, ViewsErr error
	Written                 []settings.Record        // oldest first
	Versions                []settings.ConfigVersion // oldest first
	filters                 []settings.AuditFilter
}

// SampleToken is the id of the token for programs that every bench has. Nothing knows
// its secret.
const SampleToken = "nightlyreport000"

// settingsKey encrypts the secrets of every bench.
const settingsKey = "f3dc426d8b565130e6c463f0c58f9454a3e5d84242755c5048d794f365e1ff17"

// emptySettings is an SQLite file with the console's tables, because migrations take long.
var emptySettings = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "consoletest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	db, err := store.Open(context.Background(), "sqlite://"+folder+"/empty.db", slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(db.MigrateConsole(context.Background()), db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(folder + "/empty.db")
})

func newFakeSettings(t testing.TB) *FakeSettings {
	t.Helper()
	file, err := emptySettings()
	if err != nil {
		t.Fatal(err)
	}
	key, err := settings.ParseKey(settingsKey)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "settings.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	db := storetest.Open(t, "sqlite://"+path)
	f := &FakeSettings{Store: settings.New(db, key), db: db}
	callbacks := db.WithContext(t.Context()).Callback()
	if err := errors.Join(
		callbacks.Create().Before("*").Register("fail", f.fail), callbacks.Query().Before("*").Register("fail", f.fail),
		callbacks.Update().Before("*").Register("fail", f.fail), callbacks.Delete().Before("*").Register("fail", f.fail),
		callbacks.Row().Before("*").Register("fail", f.fail), callbacks.Raw().Before("*").Register("fail", f.fail),
	); err != nil {
		t.Fatal(err)
	}
	f.Reset()
	return f
}

// ofTest marks the calls of tests, which don't fail.
type ofTest struct{}

var testContext = context.WithValue(context.Background(), ofTest{}, true)

// fail fails a call of the console if the test wants that.
func (f *FakeSettings) fail(tx *gorm.DB) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	err := f.err
	if tx.Statement.Table == "elasticjob_view" {
		err = cmp.Or(err, f.ViewsErr)
	}
	if err != nil && tx.Statement.Context.Value(ofTest{}) == nil {
		_ = tx.AddError(err) // tx keeps the error.
	}
}

// Ping fails if the test wants that.
func (f *FakeSettings) Ping(context.Context) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.err
}

// Empty removes the rows of tables.
func (f *FakeSettings) Empty(tables ...string) {
	for _, table := range tables {
		must(f.db.WithContext(testContext).Exec("DELETE FROM elasticjob_" + table).Error)
	}
}

// Reset makes the settings be as in the beginning.
func (f *FakeSettings) Reset() {
	f.Empty("registry", "data_source", "program_token", "view", "change")
	must(f.Add(testContext, []settings.Registry{{Name: "billing", Servers: []string{"zk1:2181"}, Namespace: "billing", Digest: "console:Canary-9"}}, []settings.DataSource{{
		Name: "billing", Fields: store.Fields{Type: store.MySQL, Host: "db.example.com", Port: 3306, Database: "traces", User: "reader", Password: "Canary-8"},
	}}))
	must(f.AddProgramToken(testContext, settings.ProgramToken{
		ID: SampleToken, Name: "nightly-report", Owner: "root", OwnerRole: "root", Scope: "read", Jobs: "*", Created: Noon.Add(-48 * time.Hour), Expires: Noon.Add(88 * 24 * time.Hour),
	}))
	must(f.AddView(testContext, settings.View{Owner: "root", Area: "jobs", Name: "billing", Query: "q=label%3Abilling", User: "root", At: Noon}))
	must(f.BeginChange(testContext, sampleChange))
	must(f.FinishChange(testContext, sampleChange.ID, sampleChange.Results))
}

// Entered are the registries by name.
func (f *FakeSettings) Entered() map[string]settings.Registry {
	return byName(f.Registries(), func(r settings.Registry) string { return r.Name })
}

// Sources are the data sources by name.
func (f *FakeSettings) Sources() map[string]settings.DataSource {
	return byName(f.DataSources(), func(d settings.DataSource) string { return d.Name })
}

func byName[E any](of settings.Entries[E], name func(E) string) map[string]E {
	list, err := of.List(testContext)
	must(err)
	all := make(map[string]E)
	for _, entry := range list {
		all[name(entry)] = entry
	}
	return all
}

// Rows is the number of rows of a table.
func (f *FakeSettings) Rows(table string) (n int) {
	must(f.db.WithContext(testContext).Raw("SELECT COUNT(*) FROM elasticjob_" + table).Scan(&n).Error)
	return n
}

// Changes are the ids of the actions from pages.
func (f *FakeSettings) Changes() (ids []string) {
	must(f.db.WithContext(testContext).Raw("SELECT id FROM elasticjob_change").Scan(&ids).Error)
	return ids
}

func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("consoletest: settings: %v", err))
	}
}

// sampleChange disabled a job a minute ago.
var sampleChange = settings.Change{
	ID: SampleChange, At: Noon.Add(-time.Minute), User: "root", Registry: app.DefaultRegistry, Verb: app.Disable.Verb, Reason: "INC-4821",
	Results: []settings.ChangeResult{{Job: "mail-digest", Affected: []string{"10.2.0.14", "10.2.0.15", "10.2.0.16"}}},
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

// Fail makes the database unreachable, or reachable again.
func (f *FakeSettings) Fail(err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.err = err
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
func (f fakeRegistries) Probe(_ context.Context, r settings.Registry) (app.RegistryReport, error) {
	report := app.RegistryReport{Connected: 118 * time.Millisecond, RoundTrip: 800 * time.Microsecond, Found: true, Jobs: 3, Exact: true}
	if err := f.Allowed(r); err != nil {
		return report, err
	}
	switch host, _, _ := strings.Cut(r.Servers[0], ":"); host {
	case "zk-away":
		return report, errors.New("connect: no answer")
	case "zk-forbidden":
		return report, statistics.ErrForbidden
	case "zk-chroot":
		return report, app.ErrNoSuchChroot
	case "zk-absent":
		report.Found, report.Jobs = false, 0
	}
	return report, nil
}

func (fakeRegistries) Opened(settings.Registry) (app.Registry, func(), bool) {
	return app.Registry{}, nil, false
}

func (fakeRegistries) Servers(text string) ([]string, error) { return registries.Servers(text) }

func (fakeRegistries) Check(r settings.Registry) (field, want string) { return registries.Check(r) }

func (fakeRegistries) Use(context.Context, settings.Registry) (app.Registry, func(), error) {
	return app.Registry{}, nil, errors.New("the fake has no connections")
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

func (fakeSources) Use(context.Context, settings.DataSource) (app.History, func(), error) {
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
