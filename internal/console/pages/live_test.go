package pages

import (
	"bufio"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestRegionsOfPages: each region of a page that is kept up to date has its topic, and
// there are no topics without a region.
func TestRegionsOfPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	runs := b.As(t, auth.RoleRoot, http.MethodGet, "/runs", nil).Doc(t)
	run, _ := runs.Find(`[data-testid="to-run"]`).First().Attr("href")
	paths := map[string]string{"/jobs/:job": "/jobs/invoices", "/jobs/:job/explain": "/jobs/invoices/explain", "/jobs/:job/shards": "/jobs/invoices/shards", "/jobs/:job/activity": "/jobs/invoices/activity", "/jobs/:job/runs/:run": run, "/servers/:ip": "/servers/10.2.0.14"}
	for route, topics := range liveRegions {
		path := cmp.Or(paths[route], route)
		if topicsOf(path) == nil {
			t.Errorf("%s is not kept up to date", path)
		}
		want := []string{"outage", "registry", "rendered"}
		for _, topic := range topics {
			want = append(want, topic.Region)
		}
		var got []string
		b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t).Find("[data-region]").Each(func(_ int, region *goquery.Selection) {
			got = append(got, region.AttrOr("data-region", ""))
		})
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has the regions %v, and liveRegions says %v", path, got, want)
		}
	}
}

// TestW33RegionsAreSmall: a region has at most 10 kB, except for lists, of which only the changed
// rows are sent. A page that was loaded has the marks of its regions and gets no content again.
func TestW33RegionsAreSmall(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	runs := b.As(t, auth.RoleRoot, http.MethodGet, "/runs", nil).Doc(t)
	run, _ := runs.Find(`[data-testid="to-run"]`).First().Attr("href")
	for route, topics := range liveRegions {
		path := strings.NewReplacer(":job", "invoices", ":run", path.Base(run), ":ip", "10.2.0.14").Replace(route)
		for _, l := range i18n.Languages {
			in := func(r *http.Request) { r.Header.Set("Accept-Language", l.Tag()) }
			page := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, in).Doc(t)
			var names, marks []string
			for _, topic := range topics {
				region := page.Find(`[data-region="` + topic.Region + `"]`)
				html, err := goquery.OuterHtml(region)
				if err != nil {
					t.Fatal(err)
				}
				if len(html) > 10_000 && region.Find("[data-row]").Length() == 0 {
					t.Errorf("%s of %s in %s has %d bytes", topic.Region, path, l.Name(), len(html))
				}
				names, marks = append(names, topic.Region), append(marks, `"`+topic.Region+"."+region.AttrOr("data-h", "none")+`"`)
			}
			again := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, in, func(r *http.Request) {
				r.Header.Set(app.RegionHeader, strings.Join(names, ","))
				r.Header.Set("If-None-Match", strings.Join(marks, ", "))
			})
			if again.StatusCode != http.StatusNotModified {
				t.Errorf("%s in %s: status %d for a page that has everything\n%.300s", path, l.Name(), again.StatusCode, again.Body)
			}
		}
	}
}

// TestARegionIsAnsweredAlone: a page gets what it asks for and does not have.
func TestARegionIsAnsweredAlone(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	ask := func(headers ...string) consoletest.Reply {
		return b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil, func(r *http.Request) {
			r.Header.Set(app.RegionHeader, "jobs,outage,nothing")
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
		})
	}
	first := ask()
	consoletest.WantStatus(t, first, http.StatusOK)
	doc := first.Doc(t)
	jobs, outage := doc.Find(`[data-region="jobs"]`), doc.Find(`[data-region="outage"]`)
	if jobs.Length() != 1 || outage.Length() != 1 || doc.Find("aside, header").Length() > 0 || first.Header.Get("X-Rendered") == "" {
		t.Fatalf("the answer is %.300s", first.Body)
	}
	tags := `"jobs.` + jobs.AttrOr("data-h", "") + `", "outage.` + outage.AttrOr("data-h", "") + `"`
	if same := ask("If-None-Match", tags); same.StatusCode != http.StatusNotModified || same.Body != "" || same.Header.Get("ETag") == "" {
		t.Errorf("what the page has already: status %d, %d bytes", same.StatusCode, len(same.Body))
	}
	var rows []string
	doc.Find("[data-row]").Each(func(_ int, row *goquery.Selection) {
		rows = append(rows, row.AttrOr("data-row", "")+"."+row.AttrOr("data-h", ""))
	})
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List = slices.Clone(f.List)
		f.List[0].Description = "changed by hand"
	})
	second := ask("If-None-Match", tags, app.RowsHeader, strings.Join(rows, ","))
	consoletest.WantStatus(t, second, http.StatusOK)
	doc = second.Doc(t)
	if n, same := doc.Find("[data-row]").Length(), doc.Find("[data-same]").Length(); n != len(rows) || same != n-1 || !strings.Contains(second.Body, "changed by hand") || doc.Find(`[data-region="outage"]`).Length() > 0 {
		t.Errorf("one of %d rows changed: %d of %d came empty\n%.2000s", len(rows), same, n, second.Body)
	}
	if len(second.Body)*3 > len(first.Body) {
		t.Errorf("one row changed: %d bytes, and all are %d", len(second.Body), len(first.Body))
	}
}

// stream opens the stream of a page; next is the text of its next message, "" when it
// is over.
func stream(t *testing.T, b *consoletest.Bench, role auth.Role, path string) (status int, next func() string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.URL+"/events?path="+url.QueryEscape(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if role != "" {
		r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, role, auth.ForPages)})
	}
	answer, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	next = func() string {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return text
			}
			if lines.Text() == ": begun" {
				return "begun"
			}
		}
		return ""
	}
	if answer.StatusCode == http.StatusOK {
		if got := next(); got != "begun" {
			t.Fatalf("the stream begins with %q", got)
		}
	}
	return answer.StatusCode, next
}

// TestStreamNamesRegions of the page's own address, whoever reads it.
func TestStreamNamesRegions(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	_, next := stream(t, b, auth.RoleGuest, "/jobs/invoices?page=2")
	b.Registry.Announce(statistics.News{Job: "another"})
	b.Registry.Announce(statistics.News{Job: "invoices"})
	if got := next(); got != "actions facts health matrix state tabs" {
		t.Errorf("the job changed: %q", got)
	}
	b.Registry.Announce(statistics.News{Connection: true})
	if got := next(); got != "actions facts grid health matrix outage registry runs state tabs" {
		t.Errorf("the connection changed: %q", got)
	}
}

func TestStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *consoletest.Bench){
		"it expires":       func(b *consoletest.Bench) { b.Pass(9 * time.Hour); b.Registry.Announce(statistics.News{}) },
		"the console ends": func(b *consoletest.Bench) { b.Console.EndStreams() },
		"another password": func(b *consoletest.Bench) {
			accounts, err := auth.ParseAccounts([]byte(strings.ReplaceAll(consoletest.TestAccounts, "Canary", "Finch")))
			if err != nil {
				t.Error(err)
				return
			}
			b.Console.SetAccounts(accounts)
			b.Registry.Announce(statistics.News{})
		},
	} {
		b := consoletest.New(t)
		_, next := stream(t, b, auth.RoleRoot, "/jobs")
		end(b)
		if got := next(); got != "" {
			t.Errorf("%s: the stream goes on with %q", name, got)
		}
	}
}

// TestSigningOutEndsStreams at once, without a change.
func TestSigningOutEndsStreams(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	token := b.Token(t, auth.RoleRoot, auth.ForPages)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL+"/events?path=/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: token})
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	out := b.As(t, "", http.MethodPost, "/logout", url.Values{}, func(r *http.Request) {
		r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: token})
	})
	consoletest.WantStatus(t, out, http.StatusSeeOther)
	over := make(chan error, 1)
	go func() { _, err := bufio.NewReader(answer.Body).ReadString(0); over <- err }()
	select {
	case <-over:
	case <-time.After(waittest.Patience):
		t.Error("the stream goes on after its session ended")
	}
}

// TestStreamsAreBounded: for each account, and nobody has one without a session or
// about an address that is no live page.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, want := range map[string]int{"/jobs": 200, "/audit": 404, "/nothing": 404, "": 404, "//x": 404, "/jobs/%zz": 404} {
		if status, _ := stream(t, b, auth.RoleGuest, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	if status, _ := stream(t, b, "", "/jobs"); status != http.StatusSeeOther {
		t.Errorf("without a session: %d", status)
	}
	most := 0
	for ; most < 500; most++ {
		if status, _ := stream(t, b, auth.RoleRoot, "/jobs"); status != http.StatusOK {
			if status != http.StatusServiceUnavailable {
				t.Errorf("one stream too many: %d", status)
			}
			break
		}
	}
	if most < 100 || most == 500 {
		t.Errorf("an account may have %d streams", most)
	}
	if status, _ := stream(t, b, auth.RoleGuest, "/jobs"); status != http.StatusOK {
		t.Errorf("another account gets %d", status)
	}
}
