package openid

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func provider(t *testing.T, issuer string) *Provider {
	t.Helper()
	p, err := New(Config{Issuer: issuer, ClientID: "c", RedirectURL: "https://console.example.com" + CallbackPath})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	const back = "https://console.example.com" + CallbackPath
	for issuer, ok := range map[string]bool{
		"https://id.example.com/realms/acme": true, "http://127.0.0.1:8080": true, "http://localhost:8080/": true, "http://[::1]:8080": true,
		"http://id.example.com": false, "http://127.0.0.1.example.com": false, "id.example.com": false, "": false, "ftp://id.example.com": false,
		"https://user:secret@id.example.com": false, "https://id.example.com?x=1": false, "https://id.example.com/#x": false, "https://": false, "://": false,
	} {
		if _, err := New(Config{Issuer: issuer, ClientID: "c", RedirectURL: back}); (err == nil) != ok {
			t.Errorf("issuer %q: %v", issuer, err)
		}
	}
	for redirect, ok := range map[string]bool{
		back: true, "http://localhost:8899" + CallbackPath: true,
		"http://console.example.com" + CallbackPath: false, "https://console.example.com/": false, back + "/": false, back + "?x=1": false, CallbackPath: false, "": false,
	} {
		if _, err := New(Config{Issuer: "https://id.example.com", ClientID: "c", RedirectURL: redirect}); (err == nil) != ok {
			t.Errorf("redirect URL %q: %v", redirect, err)
		}
	}
	if _, err := New(Config{Issuer: "https://id.example.com", RedirectURL: back}); err == nil {
		t.Error("without a client id")
	}
	p := provider(t, "https://id.example.com:8443/realms/acme")
	if p.Name() != "id.example.com:8443" || p.Origin() != "https://console.example.com" {
		t.Errorf("name %q, origin %q", p.Name(), p.Origin())
	}
}

// TestDiscovery: a provider that is not what it should be is told apart in
// words that say nothing of its answer, and asked again only after a while.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	var followed atomic.Int32
	document := func(edit func(map[string]any)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			d := map[string]any{"issuer": "http://" + r.Host, "authorization_endpoint": "http://" + r.Host + "/a", "token_endpoint": "http://" + r.Host + "/t", "jwks_uri": "http://" + r.Host + "/k"}
			edit(d)
			_ = json.NewEncoder(w).Encode(d)
		}
	}
	const odd = "It does not answer as OpenID Connect demands."
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"good":           {document(func(map[string]any) {}), ""},
		"another issuer": {document(func(d map[string]any) { d["issuer"] = "https://evil.example" }), "It calls itself by another issuer than the one that is configured."},
		"in the clear":   {document(func(d map[string]any) { d["token_endpoint"] = "http://id.example.com/t" }), odd},
		"no keys":        {document(func(d map[string]any) { delete(d, "jwks_uri") }), odd},
		"not there":      {http.NotFound, odd},
		"rubbish":        {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, odd},
		"without an end": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"issuer":"`+strings.Repeat("x", 2*maxAnswer))
		}, odd},
		"sends elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				followed.Add(1)
			}
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, odd},
		"silent": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "It does not answer in time."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(c.answer)
			defer server.Close()
			p := provider(t, server.URL)
			if name == "silent" {
				p.client.Timeout = 50 * time.Millisecond
			}
			_, err := p.Begin(t.Context(), NewFlow())
			if c.want == "" {
				if err != nil || p.Trouble() != "" {
					t.Errorf("%v, %q", err, p.Trouble())
				}
				return
			}
			if !errors.Is(err, ErrUnavailable) || string(Reason(err)) != c.want || p.Trouble() != c.want {
				t.Errorf("%v: %q, %q", err, Reason(err), p.Trouble())
			}
		})
	}
	t.Run("asked", askAgainLater)
	t.Cleanup(func() {
		if followed.Load() > 0 {
			t.Error("a redirect was followed")
		}
	})
}

// askAgainLater: a provider that failed is asked again after a while.
func askAgainLater(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Add(1); http.NotFound(w, r) }))
	defer server.Close()
	p := provider(t, server.URL)
	now := time.Now()
	p.config.Clock = func() time.Time { return now }
	for _, step := range []struct {
		pass time.Duration
		want int32
	}{{0, 1}, {retry - 1, 1}, {1, 2}, {-time.Hour, 3}} { // a clock that is set back holds nothing up
		now = now.Add(step.pass)
		if _, err := p.Begin(t.Context(), NewFlow()); err == nil || asked.Load() != step.want {
			t.Errorf("%v after %d requests, want %d", err, asked.Load(), step.want)
		}
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	strangers := httptest.NewUnstartedServer(http.NotFoundHandler())
	strangers.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	strangers.StartTLS()
	defer strangers.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for issuer, want := range map[string]string{
		strangers.URL: "Its certificate is not trusted.", "http://" + closed: "It refuses the connection.",
	} {
		p := provider(t, issuer)
		if _, err := p.Begin(t.Context(), NewFlow()); string(Reason(err)) != want {
			t.Errorf("%s: %q (%v)", issuer, Reason(err), err)
		}
	}
	if got := Reason(&Error{Kind: ErrUnavailable, Err: &net.DNSError{Err: "no such host", Name: "id.example.com", IsNotFound: true}}); got != "Its name cannot be looked up." {
		t.Errorf("no such host: %q", got)
	}
}

func TestPerson(t *testing.T) {
	t.Parallel()
	for claims, want := range map[string]string{
		`{"preferred_username":"alice","email":"a@example.com","email_verified":true}`: "alice []",
		`{"email":"a@example.com","email_verified":true}`:                              "a@example.com []",
		`{"email":"a@example.com","email_verified":"true"}`:                            "a@example.com []",
		`{"email":"root@example.com","email_verified":false}`:                          "s-1 []",
		`{"email":"root@example.com"}`:                                                 "s-1 []",
		`{"preferred_username":"  alice"}`:                                             "s-1 []",
		`{"preferred_username":"al\u202eice"}`:                                         "s-1 []",
		`{"preferred_username":"alice\nuser=root"}`:                                    "s-1 []",
		`{"preferred_username":"` + strings.Repeat("x", maxName+1) + `"}`:              "s-1 []",
		`{"preferred_username":7,"groups":["ops","作业"]}`:                               "s-1 [ops 作业]",
		`{"preferred_username":"作业 <b>","groups":"ops"}`:                               "作业 <b> [ops]",
		`{"groups":[1]}`: "s-1 []", `{"groups":null}`: "s-1 []", `{"groups":{"a":1}}`: "s-1 []",
	} {
		var parsed map[string]json.RawMessage
		if err := json.Unmarshal([]byte(claims), &parsed); err != nil {
			t.Fatal(err)
		}
		p, err := newPerson("s-1", parsed, "groups")
		if got := fmt.Sprint(p.Name, " ", p.Groups); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", claims, got, err, want)
		}
	}
	for _, subject := range []string{"", strings.Repeat("x", maxName+1), "a\x00"} {
		if p, err := newPerson(subject, nil, "groups"); err == nil {
			t.Errorf("subject %q is %+v", subject, p)
		}
	}
}
