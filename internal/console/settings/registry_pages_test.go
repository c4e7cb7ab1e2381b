package settings

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// otherPages begin the addresses that are about no registry.
var otherPages = []string{"/cloud", "/static/", "/login", "/logout", "/theme", "/language", "/zone", "/audit", "/registries", "/sources", "/reference", "/registry/"}

// TestPagesOfARegistryStayThere: every link, form and redirect of a page that is
// about a registry leads to pages about the same one, and actions arrive
// there: one that went elsewhere would be given to another fleet.
func TestPagesOfARegistryStayThere(t *testing.T) {
	consoletest.EachEntered(t, func(t *testing.T, b consoletest.Entered) {
		followRegistryLinks(t, b)

		for _, back := range []string{"", "/jobs", "/registry/red/jobs"} {
			r := b.As(t, auth.RoleRoot, http.MethodPost, "/registry/red/jobs/red-job/disable", url.Values{"return": {back}})
			want := "/registry/red/jobs"
			if back == "" {
				want += "/red-job"
			}
			if consoletest.WantStatus(t, r, http.StatusSeeOther); r.Header.Get("Location") != want {
				t.Errorf("back to %s, want %s", r.Header.Get("Location"), want)
			}
		}
		if red, blue := b.Red.Dump(t, "red-job/servers"), b.Blue.Dump(t, ""); strings.Count(red, "DISABLED") != 2 || strings.Contains(blue, "DISABLED") {
			t.Errorf("the action went elsewhere: %s%s", red, blue)
		}
		if got := b.Registry.Given(); len(got) > 0 {
			t.Errorf("actions to the default one: %q", got)
		}
		if r := b.Audit(t, "?target=red-job").Rows; len(r) != 3 || r[0].Registry != "red" {
			t.Errorf("records %+v", r)
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, "/registry/red/jobs/red-job/enable", url.Values{}), http.StatusForbidden)
		r := b.As(t, "", http.MethodGet, "/registry/red/jobs?q=x", nil)
		if got := r.Header.Get("Location"); r.StatusCode != http.StatusSeeOther || got != "/login?next=%2Fregistry%2Fred%2Fjobs%3Fq%3Dx" {
			t.Errorf("nobody: %d to %q", r.StatusCode, got)
		}
		// The page of one that is not there leads out, and no action is carried out.
		r = b.As(t, auth.RoleRoot, http.MethodGet, "/registry/green/jobs", nil)
		if consoletest.WantStatus(t, r, http.StatusNotFound); strings.Contains(r.Body, `href="/registry/green`) {
			t.Error("the way out of a registry that is not there leads into it")
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/registry/green/jobs/invoices/trigger", url.Values{}), http.StatusNotFound)
		if got := b.Registry.Given(); len(got) > 0 {
			t.Errorf("actions to the default one: %q", got)
		}
	})
}

// followRegistryLinks: each link of each page stays with the registry.
func followRegistryLinks(t *testing.T, b consoletest.Entered) {
	seen := []string{}
	for todo := []string{"/registry/red/jobs/red-job", "/registry/red/"}; len(todo) > 0; todo = todo[1:] {
		path := todo[0]
		if slices.Contains(seen, path) || len(seen) > 90 || strings.Contains(path, "format=text") {
			continue
		}
		seen = append(seen, path)
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		if r.StatusCode >= 400 && !strings.HasPrefix(path, "/registry/red/executions") && !strings.HasPrefix(path, "/registry/red/runs") {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
		if got := r.Text(t, "registry-name"); got != "red" {
			t.Errorf("%s says it is about %q", path, got)
		}
		for _, text := range []string{"blue-job", "warehouse-sync"} {
			if strings.Contains(r.Body, text) {
				t.Errorf("%s shows %s, of another registry", path, text)
			}
		}
		r.Doc(t).Find("[href],[action],[formaction],[src]").Each(func(_ int, s *goquery.Selection) {
			for _, name := range []string{"href", "action", "formaction", "src"} {
				target, ok := s.Attr(name)
				switch {
				case !ok || strings.HasPrefix(target, "#"):
				case strings.HasPrefix(target, "/registry/red/"):
					if name == "href" && s.Closest("template").Length() == 0 { // a pattern of addresses
						todo = append(todo, target)
					}
				case !strings.HasPrefix(target, "/") || slices.ContainsFunc(otherPages, func(path string) bool { return strings.HasPrefix(target, path) }):
				default:
					t.Errorf("%s leads to %s", path, target)
				}
			}
		})
	}
	for _, want := range []string{"/registry/red/jobs", "/registry/red/jobs/red-job", "/registry/red/servers", "/registry/red/jobs/red-job/explain", "/registry/red/jobs/red-job/shutdown"} {
		if !slices.Contains(seen, want) {
			t.Errorf("nothing leads to %s; seen %q", want, seen)
		}
	}
}

func TestAddressesThatAreNoPagesOfARegistry(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{"/registry", "/registry/", "/registry//jobs", "/registry/x//evil.example/", "/registry/x/registry/y/jobs", "/registry/x/login", "/registry/x/api/jobs", "/registry/x/static/app.css", "/registry/x/registries", "/registry/x/audit", "/registry/%zz/jobs"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.URL.Opaque = "//" + req.URL.Host + path
		req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, auth.RoleRoot, auth.ForPages)})
		if r := b.Do(t, req); r.StatusCode != http.StatusNotFound && r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	// The default one has one address only.
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/registry/default/jobs", nil), http.StatusOK)
}

// TestRegistriesPage: entered, refused with the reason and what was typed but
// the digest, opened, removed after a question.
func TestRegistriesPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)))
	form := url.Values{"name": {"作业 +1"}, "zkAddressList": {"zk1:2181"}, "namespace": {"shop"}, "digest": {"ops:s3cret-Canary"}}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/registries", form), http.StatusSeeOther)
	r := b.As(t, auth.RoleRoot, http.MethodPost, "/registries", form)
	if consoletest.WantStatus(t, r, http.StatusConflict); !strings.Contains(r.Text(t, "registry-refused"), "already") || !strings.Contains(r.Body, `value="zk1:2181"`) {
		t.Errorf("%s", r.Text(t, "registry-refused"))
	}
	form.Set("zkAddressList", "evil:1")
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/registries", form), http.StatusForbidden)
	form.Set("namespace", "")
	r = b.As(t, auth.RoleRoot, http.MethodPost, "/registries", form)
	if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Text(t, "registry-refused"), "namespace") || strings.Contains(r.Body, "Canary") {
		t.Errorf("%s", r.Text(t, "registry-refused"))
	}
	r = b.As(t, auth.RoleRoot, http.MethodGet, "/registries", nil)
	rows := r.Doc(t).Find(`[data-testid="registry"]`)
	if rows.Length() != 2 || !strings.Contains(consoletest.Words(rows.Last()), "作业 +1 zk1:2181 shop yes") {
		t.Errorf("%d rows, last %q", rows.Length(), consoletest.Words(rows.Last()))
	}
	if open, _ := rows.Last().Find(`[data-testid="open"]`).Attr("href"); open != "/registry/%E4%BD%9C%E4%B8%9A%20%2B1/jobs" {
		t.Errorf("opens %s", open)
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/registries", nil)
	if consoletest.WantStatus(t, guest, http.StatusOK); strings.Contains(guest.Body, "remove") || guest.Doc(t).Find(`[data-testid="enter"]`).Length() > 0 {
		t.Error("a guest is offered what he may not do")
	}
	ask, _ := rows.Last().Find(`[data-testid="remove"]`).Attr("href")
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, ask, url.Values{}), http.StatusUnprocessableEntity)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, ask, url.Values{"confirm": {"yes"}, "name": {"作业"}}), http.StatusUnprocessableEntity)
	r = b.As(t, auth.RoleRoot, http.MethodGet, ask, nil)
	target, _ := r.Doc(t).Find(`[data-testid="confirm-form"]`).Attr("action")
	if consoletest.WantStatus(t, r, http.StatusOK); target != ask {
		t.Errorf("asks for %q", target)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, target, url.Values{"confirm": {"yes"}, "name": {"作业 +1"}}), http.StatusSeeOther)
	if n := b.As(t, auth.RoleRoot, http.MethodGet, "/registries", nil).Doc(t).Find(`[data-testid="registry"]`).Length(); n != 1 {
		t.Errorf("%d rows after the removal", n)
	}
	var outcomes []string
	for _, r := range b.Audit(t, "").Rows {
		outcomes = append(outcomes, r.Target+" "+r.Outcome)
	}
	want := "作业 +1 done, 作业 +1 not_confirmed, 作业 +1 not_confirmed, 作业 +1 invalid, 作业 +1 address_not_allowed, 作业 +1 exists, 作业 +1 done"
	if got := strings.Join(outcomes, ", "); got != want {
		t.Errorf("records %s", got)
	}
}

// TestRegistryIsTestedBeforeItIsAdded: what the test found is said in numbers; that
// nobody is there, that the namespace may not be read and that it does not exist are
// three answers. What failed is stored only on demand, and no answer has the digest.
func TestRegistryIsTestedBeforeItIsAdded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	form := func(servers string) url.Values {
		return url.Values{"name": {"eu"}, "zkAddressList": {servers}, "namespace": {"shop"}, "digest": {"ops:s3cret-Canary"}}
	}
	for servers, want := range map[string]string{
		"zk1:2181": "Connected in 118 ms. Round trip 0.8 ms. Namespace shop has 3 jobs. The digest was accepted", "zk-absent:1": "There is no namespace shop yet",
		"zk-away:1": "It cannot be reached. connect: no answer.", "zk-forbidden:1": "ZooKeeper does not let the console read the namespace.", "zk-chroot:1": "There is no such chroot.",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodPost, "/registries/test", form(servers))
		consoletest.WantStatus(t, r, http.StatusOK)
		if got := r.Text(t, "verdict"); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", servers, got, want)
		}
		if strings.Contains(r.Body, "Canary") || !strings.Contains(r.Body, `value="`+servers+`"`) {
			t.Errorf("%s: the answer has the digest, or not what was typed", servers)
		}
	}
	if len(b.Settings.Entered()) != 1 {
		t.Error("a test stored something")
	}
	away := form("zk-away:1")
	r := b.As(t, auth.RoleRoot, http.MethodPost, "/registries", away)
	consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	if r.Doc(t).Find("[name=anyway]").Length() != 1 || len(b.Settings.Entered()) != 1 || b.LastRecord(t).Outcome != "test_failed" {
		t.Errorf("added without a test that passed; record %+v", b.LastRecord(t))
	}
	away.Set("anyway", "yes")
	b.Follow(t, "/registries", away)
	if len(b.Settings.Entered()) != 2 || b.LastRecord(t).Outcome != "done" {
		t.Errorf("not added on demand; record %+v", b.LastRecord(t))
	}
	_, page := b.Follow(t, "/registries/billing/test", url.Values{})
	if got := page.Text(t, "flash"); !strings.HasPrefix(got, "billing: Connected in") {
		t.Errorf("test of a row: %q", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, "/registries/test", form("zk1:2181")), http.StatusForbidden)
}

// TestRegistryIsEdited: a digest that is not typed stays, unless the address changes;
// the form shows neither.
func TestRegistryIsEdited(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/registries/billing/edit", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	if strings.Contains(r.Body, "Canary") || !strings.Contains(r.Body, `value="zk1:2181"`) || r.Doc(t).Find("[name=noDigest]").Length() != 1 {
		t.Errorf("form %s", r.Text(t, "enter"))
	}
	same := url.Values{"zkAddressList": {"zk1:2181"}, "namespace": {"billing/eu"}}
	_, page := b.Follow(t, "/registries/billing/edit", same)
	if got := b.Settings.Entered()["billing"]; got.Namespace != "billing/eu" || got.Digest != "console:Canary-9" || !strings.Contains(page.Text(t, "flash"), "Changed billing.") {
		t.Errorf("stored %+v, %q", got, page.Text(t, "flash"))
	}
	moved := url.Values{"zkAddressList": {"zk2:2181"}, "namespace": {"billing"}}
	r = b.As(t, auth.RoleRoot, http.MethodPost, "/registries/billing/edit", moved)
	if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Text(t, "registry-refused"), "given again") || !strings.Contains(r.Body, `value="zk2:2181"`) {
		t.Errorf("a changed address gets the stored digest: %q", r.Text(t, "registry-refused"))
	}
	moved.Set("noDigest", "yes")
	r = b.As(t, auth.RoleRoot, http.MethodPost, "/registries/billing/edit?test=yes", moved)
	if consoletest.WantStatus(t, r, http.StatusOK); r.Text(t, "verdict") == "" || b.Settings.Entered()["billing"].Digest == "" {
		t.Errorf("a test changed something, or says nothing: %q", r.Text(t, "verdict"))
	}
	b.Follow(t, "/registries/billing/edit", moved)
	if got := b.Settings.Entered()["billing"]; got.Digest != "" || got.Servers[0] != "zk2:2181" {
		t.Errorf("stored %+v", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/registries/default/edit", nil), http.StatusConflict)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/registries/nope/edit", nil), http.StatusNotFound)
}

// TestRemovalOfARegistrySaysWhatStops: jobs and servers that the console shows from
// it, sessions that have it connected, and that ZooKeeper is left alone.
func TestRemovalOfARegistrySaysWhatStops(t *testing.T) {
	consoletest.EachEntered(t, func(t *testing.T, b consoletest.Entered) {
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/registry/red/jobs", nil), http.StatusOK)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/registry-center/connect", `{"name":"red"}`), http.StatusOK)
		list := b.As(t, auth.RoleRoot, http.MethodGet, "/registries", nil)
		if got := list.Doc(t).Find(`[data-testid="registry"]:contains("red")`); !strings.Contains(consoletest.Words(got), "Connected 1") {
			t.Errorf("row %q", consoletest.Words(got))
		}
		r := b.As(t, auth.RoleRoot, http.MethodGet, "/registries/red/remove", nil)
		for _, want := range []string{"shows 1 job on 2 servers", "1 session of a client has it connected", "Nothing in ZooKeeper is touched"} {
			if got := r.Text(t, "effects"); !strings.Contains(got, want) {
				t.Errorf("effects %q, want %q", got, want)
			}
		}
		before := b.Red.Dump(t, "")
		b.Follow(t, "/registries/red/remove", url.Values{"confirm": {"yes"}, "name": {"red"}})
		if b.Red.Dump(t, "") != before {
			t.Error("the removal touched ZooKeeper")
		}
	})
}
