package console

import (
	"flag"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// storybook serves every page with sample data until the test is interrupted:
//
//	go test ./internal/console -run TestStorybook -storybook 127.0.0.1:8898
//
// /_as/root, /_as/guest and /_as/nobody choose the reader; /_down and /_up take
// the registry away and bring it back; /_change disables a job. Without the flag the test only looks
// whether every page can be rendered.
var storybook = flag.String("storybook", "", "serve the pages with sample data at this address")

// stories are the pages, one of each kind.
var stories = []struct {
	name, path string
	role       Role
	status     int
}{
	{"login", "/login", "", 200},
	{"login expired", "/login?reason=token_expired&next=%2Fjobs", "", 200},
	{"overview", "/", RoleRoot, 200},
	{"jobs", "/jobs", RoleRoot, 200},
	{"jobs as guest", "/jobs", RoleGuest, 200},
	{"jobs second page", "/jobs?page=2&pageSize=20&sort=status", RoleRoot, 200},
	{"jobs by next fire", "/jobs?sort=next&order=desc", RoleRoot, 200},
	{"jobs without a hit", "/jobs?q=zzz", RoleRoot, 200},
	{"jobs with a wrong address", "/jobs?status=purple", RoleRoot, 200},
	{"job", "/jobs/settlement.daily", RoleRoot, 200},
	{"job as guest", "/jobs/settlement.daily", RoleGuest, 200},
	{"job disabled", "/jobs/mail-digest", RoleRoot, 200},
	{"job crashed", "/jobs/warehouse-sync", RoleRoot, 200},
	{"job unreadable", "/jobs/legacy-import", RoleRoot, 200},
	{"job without a schedule", "/jobs/reindex", RoleRoot, 200},
	{"job explained", "/jobs/settlement.daily/explain", RoleGuest, 200},
	{"shutdown", "/jobs/settlement.daily/shutdown", RoleRoot, 200},
	{"remove", "/jobs/warehouse-sync/remove", RoleRoot, 200},
	{"remove refused", "/jobs/invoices/remove", RoleRoot, 200},
	{"servers", "/servers", RoleRoot, 200},
	{"executions", "/executions", RoleRoot, 200},
	{"executions filtered", "/executions?state=failed&job=invoices", RoleRoot, 200},
	{"executions without a hit", "/executions?job=zzz", RoleRoot, 200},
	{"audit", "/audit", RoleRoot, 200},
	{"registries", "/registries", RoleRoot, 200},
	{"registries as guest", "/registries", RoleGuest, 200},
	{"remove a registry", "/registries/billing/remove", RoleRoot, 200},
	{"not found", "/jobs/nope", RoleRoot, 404},
	{"nothing here", "/nowhere", RoleRoot, 404},
	{"forbidden", "/jobs/invoices/shutdown", RoleGuest, 403},
}

func TestStorybook(t *testing.T) {
	b := newBench(t)
	if *storybook != "" {
		b.exhibit(t)
		return
	}
	for _, story := range stories {
		r := b.as(t, story.role, http.MethodGet, story.path, nil)
		if r.StatusCode != story.status {
			t.Errorf("%s: %s: status %d, want %d", story.name, story.path, r.StatusCode, story.status)
		}
	}
}

func (b *bench) exhibit(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", b.console)
	mux.HandleFunc("/_as/{role}", func(w http.ResponseWriter, r *http.Request) {
		cookie := &http.Cookie{Name: "elasticjob_session", Path: "/", MaxAge: -1}
		if role := Role(r.PathValue("role")); role == RoleRoot || role == RoleGuest {
			cookie.Value, cookie.MaxAge = b.token(t, role, forPages), 3600
		}
		http.SetCookie(w, cookie)
		next, err := url.QueryUnescape(r.URL.RawQuery)
		if err != nil {
			next = "/"
		}
		http.Redirect(w, r, safeNext(next), http.StatusSeeOther)
	})
	mux.HandleFunc("/_down", func(w http.ResponseWriter, r *http.Request) {
		b.down()
		http.Redirect(w, r, "/jobs", http.StatusSeeOther)
	})
	mux.HandleFunc("/_change", func(w http.ResponseWriter, r *http.Request) {
		b.registry.set(func(f *fakeRegistry) {
			f.jobs[0].Status, f.jobs[0].Reason = statistics.StatusDisabled, "changed by hand"
		})
		http.Redirect(w, r, "/jobs", http.StatusSeeOther)
	})
	mux.HandleFunc("/_up", func(w http.ResponseWriter, r *http.Request) {
		registry, _ := sample()
		b.registry.set(func(f *fakeRegistry) { f.readErr, f.health = nil, registry.health })
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
