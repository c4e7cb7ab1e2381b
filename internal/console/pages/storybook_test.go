package pages

import (
	"flag"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// storybook serves every page with sample data until the test is interrupted:
//
//	go test ./internal/console/pages -run TestStorybook -storybook 127.0.0.1:8898
//
// /_as/root, /_as/guest and /_as/nobody choose the reader; /_down and /_up take
// the registry away and bring it back; /_change disables a job. Without the flag the test only looks
// whether every page can be rendered.
var storybook = flag.String("storybook", "", "serve the pages with sample data at this address")

// stories are the pages, one of each kind.
var stories = []struct {
	name, path string
	role       auth.Role
	status     int
}{
	{"login", "/login", "", 200},
	{"login expired", "/login?reason=token_expired&next=%2Fjobs", "", 200},
	{"overview", "/", auth.RoleRoot, 200},
	{"jobs", "/jobs", auth.RoleRoot, 200},
	{"jobs as guest", "/jobs", auth.RoleGuest, 200},
	{"jobs second page", "/jobs?page=2&pageSize=20&sort=status", auth.RoleRoot, 200},
	{"jobs by next fire", "/jobs?sort=next&order=desc", auth.RoleRoot, 200},
	{"jobs without a hit", "/jobs?q=zzz", auth.RoleRoot, 200},
	{"jobs filtered", "/jobs?q=state%3Afailing+daily", auth.RoleGuest, 200},
	{"jobs with a wrong address", "/jobs?status=purple", auth.RoleRoot, 200},
	{"job", "/jobs/settlement.daily", auth.RoleRoot, 200},
	{"job as guest", "/jobs/settlement.daily", auth.RoleGuest, 200},
	{"job disabled", "/jobs/mail-digest", auth.RoleRoot, 200},
	{"job crashed", "/jobs/warehouse-sync", auth.RoleRoot, 200},
	{"job unreadable", "/jobs/legacy-import", auth.RoleRoot, 200},
	{"job without a schedule", "/jobs/reindex", auth.RoleRoot, 200},
	{"job explained", "/jobs/settlement.daily/explain", auth.RoleGuest, 200},
	{"shutdown", "/jobs/settlement.daily/shutdown", auth.RoleRoot, 200},
	{"remove", "/jobs/warehouse-sync/remove", auth.RoleRoot, 200},
	{"remove refused", "/jobs/invoices/remove", auth.RoleRoot, 200},
	{"servers", "/servers", auth.RoleRoot, 200},
	{"server", "/servers/10.2.0.15?at=11:50", auth.RoleRoot, 200},
	{"disable a server", "/servers/10.2.0.15/disable", auth.RoleRoot, 200},
	{"stop on a server", "/servers/10.2.0.15/jobs/invoices/shutdown", auth.RoleRoot, 200},
	{"clean up", "/servers/cleanup", auth.RoleRoot, 200},
	{"runs", "/runs", auth.RoleRoot, 200},
	{"runs that failed", "/runs?state=failed&job=invoices", auth.RoleGuest, 200},
	{"runs without a hit", "/runs?job=zzz", auth.RoleRoot, 200},
	{"status trail", "/runs?level=status", auth.RoleRoot, 200},
	{"one run", "/jobs/invoices/runs/" + consoletest.SampleRun, auth.RoleRoot, 200},
	{"executions", "/executions", auth.RoleRoot, 200},
	{"executions filtered", "/executions?state=failed&job=invoices", auth.RoleRoot, 200},
	{"executions without a hit", "/executions?job=zzz", auth.RoleRoot, 200},
	{"audit", "/audit", auth.RoleRoot, 200},
	{"registries", "/registries", auth.RoleRoot, 200},
	{"registries as guest", "/registries", auth.RoleGuest, 200},
	{"edit a registry", "/registries/billing/edit", auth.RoleRoot, 200},
	{"data sources", "/sources", auth.RoleRoot, 200},
	{"edit a data source", "/sources/billing/edit", auth.RoleRoot, 200},
	{"remove a data source", "/sources/billing/remove", auth.RoleRoot, 200},
	{"remove a registry", "/registries/billing/remove", auth.RoleRoot, 200},
	{"not found", "/jobs/nope", auth.RoleRoot, 404},
	{"nothing here", "/nowhere", auth.RoleRoot, 404},
	{"forbidden", "/jobs/invoices/shutdown", auth.RoleGuest, 403},
}

func TestStorybook(t *testing.T) {
	b := consoletest.New(t)
	if *storybook != "" {
		exhibit(t, b)
		return
	}
	for _, story := range stories {
		r := b.As(t, story.role, http.MethodGet, story.path, nil)
		if r.StatusCode != story.status {
			t.Errorf("%s: %s: status %d, want %d", story.name, story.path, r.StatusCode, story.status)
		}
	}
}

func exhibit(t *testing.T, b *consoletest.Bench) {
	mux := http.NewServeMux()
	mux.Handle("/", b.Console)
	mux.HandleFunc("/_as/{role}", func(w http.ResponseWriter, r *http.Request) {
		cookie := &http.Cookie{Name: "elasticjob_session", Path: "/", MaxAge: -1}
		if role := auth.Role(r.PathValue("role")); role == auth.RoleRoot || role == auth.RoleGuest {
			cookie.Value, cookie.MaxAge = b.Token(t, role, auth.ForPages), 3600
		}
		http.SetCookie(w, cookie)
		next, err := url.QueryUnescape(r.URL.RawQuery)
		if err != nil {
			next = "/"
		}
		http.Redirect(w, r, app.SafeNext(next), http.StatusSeeOther)
	})
	mux.HandleFunc("/_down", func(w http.ResponseWriter, r *http.Request) {
		b.Down()
		http.Redirect(w, r, "/jobs", http.StatusSeeOther)
	})
	mux.HandleFunc("/_change", func(w http.ResponseWriter, r *http.Request) {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.List[0].Status, f.List[0].Reason = statistics.StatusDisabled, "changed by hand"
		})
		http.Redirect(w, r, "/jobs", http.StatusSeeOther)
	})
	mux.HandleFunc("/_up", func(w http.ResponseWriter, r *http.Request) {
		registry, _ := consoletest.Sample()
		b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr, f.Health = nil, registry.Health })
		http.Redirect(w, r, "/jobs", http.StatusSeeOther)
	})
	l, err := net.Listen("tcp", *storybook)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("http://%s/_as/root", l.Addr())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	t.Fatal(server.Serve(l))
}
