package console

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// fakeSettings is the console's own database in memory.
type fakeSettings struct {
	mu      sync.Mutex
	err     error
	records []settings.Record // oldest first
	revoked map[string]bool
}

func (f *fakeSettings) AddRecord(_ context.Context, r settings.Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	r.ID = int64(len(f.records) + 1)
	f.records = append(f.records, r)
	return nil
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
		if f.revoked == nil {
			f.revoked = map[string]bool{}
		}
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
