package app

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

func TestV21Hosts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		loopback bool
		entries  []string
		host     string
		allowed  bool
	}{
		{true, nil, "127.0.0.1.evil.example", false},
		{true, nil, "localhost.evil.example", false},
		{true, nil, "", false},
		{true, nil, "127.0.0.1:80:80", false},
		{true, nil, "127.1", false}, // some resolvers take it for an address; no browser sends it
		{true, nil, "2130706433", false},
		{true, nil, "[::1%25evil]:80", false},
		{true, nil, "0.0.0.0:8899", false}, // reaches loopback on some systems, from any site
		{true, []string{"jobs.example.com"}, "jobs.example.com", true},
		{true, []string{"jobs.example.com"}, "Jobs.Example.com.:443", true},
		{true, []string{"jobs.example.com"}, "xjobs.example.com", false},
		{true, []string{"*.example.com"}, "a.example.com:80", true},
		{true, []string{"*.example.com"}, "a.example.com.evil.example", false},
		{false, nil, "anything.example", true},
		{false, []string{"jobs.example.com"}, "evil.example", false},
		{false, []string{"jobs.example.com"}, "10.0.0.7:8899", false},
		{false, []string{"jobs.example.com", "10.0.0.0/8"}, "10.0.0.7:8899", true},
		{false, []string{"jobs.example.com"}, "localhost:8899", true}, // kubectl port-forward
	} {
		hosts, err := ParseHosts(test.loopback, test.entries)
		if err != nil {
			t.Fatal(err)
		}
		if got := hosts.allows(test.host); got != test.allowed {
			t.Errorf("loopback %v with %q: Host %q allowed: %v", test.loopback, test.entries, test.host, got)
		}
	}
	if _, err := ParseHosts(true, []string{"http://jobs.example.com"}); err == nil {
		t.Error("an address with a scheme is taken for a name")
	}
}

func TestV22WhereARequestCameFrom(t *testing.T) {
	t.Parallel()
	proxies, err := ParseProxies([]string{"10.0.0.7", "10.0.3.0/24", "fd00::/8"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		peer       string
		forwarded  []string
		proto      []string
		tls        bool
		wantRemote string
		wantSecure bool
	}{
		{"203.0.113.5:1", nil, nil, false, "203.0.113.5", false},
		{"203.0.113.5:1", nil, nil, true, "203.0.113.5", true},
		// Nobody but a proxy may say so.
		{"203.0.113.5:1", []string{"10.1.1.1"}, []string{"https"}, false, "203.0.113.5", false},
		{"10.0.0.8:1", []string{"192.0.2.1"}, []string{"https"}, false, "10.0.0.8", false},
		{"10.0.0.7:1", []string{"192.0.2.1"}, []string{"https"}, false, "192.0.2.1", true},
		{"10.0.0.7:1", []string{"192.0.2.1"}, []string{"http"}, false, "192.0.2.1", false},
		// What the browser wrote itself stands left of what proxies wrote.
		{"10.0.0.7:1", []string{"1.1.1.1, 192.0.2.1"}, []string{"https, http"}, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"1.1.1.1", "192.0.2.1"}, nil, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"1.1.1.1, 192.0.2.1, 10.0.3.9"}, nil, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"192.0.2.1:4711"}, nil, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"[2001:db8::1]:4711"}, nil, false, "2001:db8::1", false},
		{"10.0.0.7:1", []string{"::ffff:192.0.2.1"}, nil, false, "192.0.2.1", false},
		{"[fd00::1]:1", []string{"2001:db8::1"}, nil, false, "2001:db8::1", false},
		{"10.0.0.7:1", []string{"nonsense, 10.0.3.9"}, nil, false, "10.0.3.9", false},
		{"10.0.0.7:1", []string{""}, nil, false, "10.0.0.7", false},
		{"10.0.0.7:1", nil, nil, false, "10.0.0.7", false},
		{"10.0.0.7:1", []string{"10.0.3.1, 10.0.3.2"}, nil, false, "10.0.3.1", false},
	} {
		r := &http.Request{RemoteAddr: test.peer, Header: http.Header{"X-Forwarded-For": test.forwarded, "X-Forwarded-Proto": test.proto}}
		if test.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if remote, secure := proxies.origin(r); remote != test.wantRemote || secure != test.wantSecure {
			t.Errorf("%s with %q and %q: from %s, encrypted %v", test.peer, test.forwarded, test.proto, remote, secure)
		}
	}
	for _, wrong := range []string{"", "proxy", "0.0.0.0/0", "::/0", "10.0.0.0/33", "fe80::1%eth0"} {
		if _, err := ParseProxies([]string{wrong}); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func TestParseBasePath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "/": "", "/ops": "/ops", "/ops/": "/ops", "/team/ops_1.2": "/team/ops_1.2"} {
		if got, err := ParseBasePath(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"ops", "//ops", "/ops//x", "/..", "/ops/../x", "/ops?x", "/o ps", "/ops%2Fx", `/ops"x`, "/jobs", "/api/x", "https://x/ops"} {
		if got, err := ParseBasePath(text); err == nil {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
	if _, err := New(Options{BasePath: "/ops/"}); err == nil || !strings.Contains(err.Error(), "BasePath") {
		t.Errorf("options: %v", err)
	}
}

// TestV29LinksOfARegistryWithAnEntityInItsName: the name is escaped for the
// address and then for the page, or "a&lt;b" would become "a<b".
func TestV29LinksOfARegistryWithAnEntityInItsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a&lt;b", "a&ltb", "a&amp", "a'b", "R&D", "a&quot;onclick=alert(1)"} {
		var page strings.Builder
		ctx := ui.WithLinks(t.Context(), func(path string) string { return RegistryPath(name) + path })
		for _, c := range []templ.Component{
			ui.EmptyView(ui.Empty{Href: "/jobs?q=1&p=2", Label: "x"}), ui.ButtonView(ui.Button{Post: "/jobs/x/trigger"}),
		} {
			if err := c.Render(ctx, &page); err != nil {
				t.Fatal(err)
			}
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(page.String()))
		if err != nil {
			t.Fatal(err)
		}
		href, action := doc.Find("a").AttrOr("href", ""), doc.Find("form").AttrOr("action", "")
		if href != RegistryPath(name)+"/jobs?q=1&p=2" || action != RegistryPath(name)+"/jobs/x/trigger" {
			t.Errorf("%q: %s and %s in %s", name, href, action, page.String())
		}
		r := httptest.NewRequest(http.MethodGet, href, nil)
		if inner, ok := within(r); !ok || inner.URL.Path != "/jobs" || inner.Context().Value(placeKey{}).(Place).name != name {
			t.Errorf("%q: the link %s leads to another registry", name, href)
		}
	}
}

// TestEveryKindHasAStatus: no kind of problem is answered with status 0.
func TestEveryKindHasAStatus(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for k := kindInternal; k <= KindUnsupported; k++ {
		p := &Problem{Kind: k}
		if p.Status() < 400 || failure(p).ErrorCode < 400 || seen[p.Status()] {
			t.Errorf("kind %d: status %d, in the envelope %d", k, p.Status(), failure(p).ErrorCode)
		}
		seen[p.Status()] = true
	}
	if len(statuses) != len(seen) {
		t.Errorf("%d kinds in the table, %d there are", len(statuses), len(seen))
	}
}

// FuzzInert: no character that hides is left in a page, and nothing else changes.
func FuzzInert(f *testing.F) {
	for _, name := range strangeNames {
		f.Add([]byte(name))
	}
	f.Add([]byte("\xe2\x80"))
	f.Add([]byte("\xc2\x9b\xe2\x81\xa6\xe2\x80\xae"))
	f.Fuzz(func(t *testing.T, page []byte) {
		out := Inert(page)
		hidden := 0
		for i := range page {
			if _, size := invisible(page[i:]); size > 0 {
				hidden++
			}
		}
		for i := range out {
			if _, size := invisible(out[i:]); size > 0 {
				t.Fatalf("%q becomes %q", page, out)
			}
		}
		if hidden == 0 && string(out) != string(page) || strings.Count(string(out), "[U+")-strings.Count(string(page), "[U+") != hidden {
			t.Errorf("%q becomes %q", page, out)
		}
	})
}

// strangeNames have characters that show as nothing and do something.
var strangeNames = []string{"a.b", "作业", "a\x00b", `"><script>`, "\u202eabc", "\xff\xfe", "😀", "", "con\nfig", "a\u0085b", "\u2066x\u2069"}
