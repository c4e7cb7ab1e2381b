package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/centres"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// fakeSettings is the console's own database in memory.
type fakeSettings struct {
	mu  sync.Mutex
	err error
	// auditErr is what writing a record fails with.
	auditErr error
	records  []settings.Record // oldest first
	revoked  map[string]bool
	// registries by name, and what tokens have chosen.
	registries map[string]settings.Registry
	sources    map[string]settings.DataSource
	choices    map[string]string
}

func newFakeSettings() *fakeSettings {
	f := &fakeSettings{revoked: map[string]bool{}, choices: map[string]string{}}
	f.reset()
	return f
}

// reset makes what was entered be as in the beginning.
func (f *fakeSettings) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sources = map[string]settings.DataSource{"billing": {Name: "billing", Fields: store.Fields{
		Type: store.MySQL, Host: "db.example.com", Port: 3306, Database: "traces", User: "reader", Password: "Canary-8",
	}}}
	f.registries = map[string]settings.Registry{"billing": {Name: "billing", Servers: []string{"zk1:2181"}, Namespace: "billing", Digest: "console:Canary-9"}}
}

func (f *fakeSettings) AddRecord(_ context.Context, r settings.Record) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := cmp.Or(f.err, f.auditErr); err != nil {
		return 0, err
	}
	r.ID = int64(len(f.records) + 1)
	f.records = append(f.records, r)
	return r.ID, nil
}

func (f *fakeSettings) FinishRecord(_ context.Context, r settings.Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := cmp.Or(f.err, f.auditErr); err != nil {
		return err
	}
	row := &f.records[r.ID-1]
	row.Target, row.Outcome, row.Status, row.Detail = r.Target, r.Outcome, r.Status, r.Detail
	return nil
}

// failAudit makes the audit impossible to write, as a full disk does, or
// possible again.
func (f *fakeSettings) failAudit(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.auditErr = err
}

// Records filters by user only, and knows one cursor.
func (f *fakeSettings) Records(_ context.Context, filter settings.AuditFilter) (page settings.AuditPage, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if filter.Cursor != "" && filter.Cursor != "older" {
		return page, settings.ErrInvalidCursor
	}
	for _, r := range slices.Backward(f.records) {
		if filter.User == "" || r.User == filter.User {
			page.Records = append(page.Records, r)
		}
	}
	if len(page.Records) > filter.Limit {
		page.Records, page.NextCursor = page.Records[:filter.Limit], "older"
	}
	return page, f.err
}

func (f *fakeSettings) RevokeToken(_ context.Context, id string, _, _ time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.revoked[id] = true
	}
	return f.err
}

func (f *fakeSettings) Token(_ context.Context, id string) (settings.Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return settings.Token{Revoked: f.revoked[id]}, f.err
}

func (f *fakeSettings) Ping(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// fail makes the database unreachable, or reachable again.
func (f *fakeSettings) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *fakeSettings) Registries(context.Context) (list []settings.Registry, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range view.SortedKeys(f.registries) {
		list = append(list, f.registries[name])
	}
	return list, f.err
}

func (f *fakeSettings) Registry(_ context.Context, name string) (settings.Registry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, ok := f.registries[name]
	if !ok && f.err == nil {
		return r, settings.ErrNotFound
	}
	return r, f.err
}

func (f *fakeSettings) Add(_ context.Context, registries []settings.Registry, sources []settings.DataSource) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range registries {
		if _, ok := f.registries[r.Name]; ok {
			return settings.ErrExists
		}
		f.registries[r.Name] = r
	}
	for _, d := range sources {
		if _, ok := f.sources[d.Name]; ok {
			return settings.ErrExists
		}
		f.sources[d.Name] = d
	}
	return f.err
}

func (f *fakeSettings) DataSources(context.Context) (list []settings.DataSource, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range view.SortedKeys(f.sources) {
		list = append(list, f.sources[name])
	}
	return list, f.err
}

func (f *fakeSettings) DataSource(_ context.Context, name string) (settings.DataSource, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, ok := f.sources[name]
	if !ok && f.err == nil {
		return d, settings.ErrNotFound
	}
	return d, f.err
}

func (f *fakeSettings) ChangeDataSource(_ context.Context, d settings.DataSource) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sources[d.Name] = d
	return f.err
}

func (f *fakeSettings) RemoveDataSource(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.sources[name]; !ok {
		return settings.ErrNotFound
	}
	delete(f.sources, name)
	return f.err
}

func (f *fakeSettings) ChangeRegistry(_ context.Context, r settings.Registry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.registries[r.Name] = r
	return f.err
}

func (f *fakeSettings) RemoveRegistry(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.registries[name]; !ok {
		return settings.ErrNotFound
	}
	delete(f.registries, name)
	return f.err
}

func (f *fakeSettings) Choose(_ context.Context, token string, _, _ time.Time, kind settings.Kind, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.choices[token+" "+string(kind)] = name
	return f.err
}

func (f *fakeSettings) Chosen(_ context.Context, token string, kind settings.Kind) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.choices[token+" "+string(kind)], f.err
}

// fakeCentres connects to nothing. It allows every host whose name begins with
// zk.
type fakeCentres struct{}

func (fakeCentres) Allowed(servers []string) error {
	for _, s := range servers {
		if !strings.HasPrefix(s, "zk") {
			return fmt.Errorf("%w: %s", outbound.ErrForbidden, s)
		}
	}
	return nil
}

func (f fakeCentres) Test(_ context.Context, r settings.Registry) error { return f.Allowed(r.Servers) }

func (fakeCentres) Servers(text string) ([]string, error) { return centres.Servers(text) }

func (fakeCentres) Check(r settings.Registry) (field, want string) { return centres.Check(r) }

func (fakeCentres) Use(context.Context, settings.Registry) (Registry, func(), error) {
	return Registry{}, nil, errors.New("the fake has no connections")
}

func (fakeCentres) Forget(string) {}

// fakeSources connects to nothing. It allows every host whose name begins with
// db.
type fakeSources struct{}

func (fakeSources) Allowed(f store.Fields) error {
	if f.Type != store.SQLite && !strings.HasPrefix(f.Host, "db") {
		return fmt.Errorf("%w: %s", outbound.ErrForbidden, f.Address())
	}
	return nil
}

func (f fakeSources) Test(_ context.Context, d settings.DataSource) error { return f.Allowed(d.Fields) }

func (fakeSources) Use(context.Context, settings.DataSource) (History, func(), error) {
	return nil, nil, errors.New("the fake has no connections")
}

func (fakeSources) Forget(string) {}

// pooled are real connections to registry centres.
type pooled struct{ *centres.Pool }

func (pooled) Servers(text string) ([]string, error) { return centres.Servers(text) }

func (pooled) Check(r settings.Registry) (field, want string) { return centres.Check(r) }

func (p pooled) Use(ctx context.Context, r settings.Registry) (Registry, func(), error) {
	c, release, err := p.Pool.Use(ctx, r)
	if err != nil {
		return Registry{}, nil, err
	}
	return Registry{Jobs: c.Jobs, Operator: c.Operator, Health: func() RegistryHealth {
		h := RegistryHealth{State: RegistryLost, Address: strings.Join(r.Servers, ","), Namespace: r.Namespace}
		if c.Client.State() == zk.Connected {
			h.State = RegistryConnected
		}
		return h
	}}, release, nil
}

// databases are real connections to trace databases.
type databases struct{ *centres.Databases }

func (d databases) Use(ctx context.Context, s settings.DataSource) (History, func(), error) {
	history, release, err := d.Databases.Use(ctx, s)
	return history, release, err
}
