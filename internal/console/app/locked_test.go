package app_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/glebarez/go-sqlite"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// V28: while somebody keeps the console's own database locked, an action, a
// logout, readiness and a page answer, whatever they answer, and their deadlines
// end the wait for the database; and all is well again afterwards.
func TestV28LockedSettingsHoldNobody(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "own.db")
	b := consoletest.New(t, consoletest.OwnDatabase(t, "sqlite://"+path), func(o *app.Options) { o.ReadTimeout = time.Second })
	warm := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	consoletest.WantStatus(t, warm, http.StatusOK)
	root, guest := b.Token(t, auth.RoleRoot, auth.ForAPI), b.Token(t, auth.RoleGuest, auth.ForPages)

	other, err := sql.Open("sqlite", "file://"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	conn, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, target := range []struct {
		method, path string
		header       func(*http.Request)
	}{
		{http.MethodPost, "/api/jobs/invoices/trigger", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+root) }},
		{http.MethodGet, "/readyz", func(*http.Request) {}},
		{http.MethodGet, "/api/jobs", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+root) }},
		{http.MethodPost, "/logout", func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: guest})
			r.Header.Set("Origin", b.URL)
		}},
	} {
		all.Go(func() { b.As(t, "", target.method, target.path, nil, target.header) })
	}
	all.Wait()
	waits := 0
	for line := range strings.Lines(b.Log.String()) {
		if strings.Contains(line, "database is locked") {
			if waits++; !strings.Contains(line, "context deadline exceeded") {
				t.Errorf("no deadline ended this wait: %s", line)
			}
		}
	}
	if waits == 0 {
		t.Error("nothing waited for the database: the test proves nothing")
	}
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/api/jobs/invoices/trigger", nil), http.StatusOK)
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/readyz", nil), http.StatusOK)
}
