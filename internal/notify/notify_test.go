package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// The vector was taken from ElasticJob.
func TestK58DingTalkSignature(t *testing.T) {
	t.Parallel()
	if got, want := url.QueryEscape(sign("mocked_secret", 1600000000000)), "AjjPJMMToDzF9A8OYkGMpw05RIWW4ZRiJijC3dpUqKM%3D"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	at := time.UnixMilli(1600000000000)
	for address, want := range map[string]string{
		"http://h/send?access_token=a": "http://h/send?access_token=a&timestamp=1600000000000&sign=AjjPJMMToDzF9A8OYkGMpw05RIWW4ZRiJijC3dpUqKM%3D",
		"http://h/send":                "http://h/send?timestamp=1600000000000&sign=AjjPJMMToDzF9A8OYkGMpw05RIWW4ZRiJijC3dpUqKM%3D",
	} {
		if got, _ := (&webhook{address: address, secret: "mocked_secret"}).url(at); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, _ := (&webhook{address: "http://h/send?key=a"}).url(at); got != "http://h/send?key=a" {
		t.Errorf("without a secret: %s", got)
	}
}

// A panic's error has its stack in its text; notifications and log show it.
func TestTextsOfNotifications(t *testing.T) {
	t.Parallel()
	if got := Clip("héllo", 100); got != "héllo" {
		t.Errorf("got %q", got)
	}
	long := strings.Repeat("é", 1000)
	got := Clip(long, 100)
	if len(got) > 100 || !strings.HasPrefix(got, "éé") || !strings.HasSuffix(got, "é\n... (2000 bytes in all)") {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
}

// mustNew makes a sender of properties that are right.
func mustNew(t *testing.T, typeName string, props map[string]string, o Options) *Sender {
	t.Helper()
	s, err := New(typeName, props, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestW58MessagesHaveNoSecrets: a text is sent without the secrets in it.
func TestW58MessagesHaveNoSecrets(t *testing.T) {
	t.Parallel()
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
	}))
	s := mustNew(t, TypeWebhook, map[string]string{"webhook.url": server.URL + "/hook"}, Options{})
	if err := s.Send(t.Context(), Message{Text: "connect with DB_PASS=Canary7"}); err != nil {
		t.Error(err)
	}
	server.Close()
	if got != `{"text":"connect with DB_PASS=***"}` {
		t.Error(got)
	}
}

// TestWebhookTakesADocument: a plain webhook gets JSON, and every status of success is one.
func TestWebhookTakesADocument(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+r.URL.String()+" "+r.Header.Get("Content-Type")+" "+string(body))
		w.WriteHeader(http.StatusAccepted)
	}))
	s := mustNew(t, TypeWebhook, map[string]string{"webhook.url": server.URL + "/hook?key=abcdef"}, Options{})
	for _, m := range []Message{{Text: "text", Document: map[string]int{"n": 1}}, {Text: "text"}} {
		if err := s.Send(t.Context(), m); err != nil {
			t.Error(err)
		}
	}
	server.Close()
	if want := []string{`POST /hook?key=abcdef application/json {"n":1}`, `POST /hook?key=abcdef application/json {"text":"text"}`}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q", got)
	}
	if s.Place != server.URL+"/***" || s.Address != strings.TrimPrefix(server.URL, "http://") || strings.Contains(fmt.Sprintf("%v %#v", s, s), "abcdef") {
		t.Errorf("the sender is %#v at %s", s, s.Address)
	}
	if _, err := New(TypeWebhook, map[string]string{"webhook.readTimeoutMilliseconds": "no"}, Options{}); err == nil || !strings.Contains(err.Error(), "`webhook.url` is required") || !strings.Contains(err.Error(), "should be integer") {
		t.Errorf("without an address: %v", err)
	}
	if _, err := New("LOG", nil, Options{}); !errors.Is(err, ErrUnknownType) {
		t.Errorf("a type that is none: %v", err)
	}
}

func TestW14WebhookQueryIsEncoded(t *testing.T) {
	t.Parallel()
	var query string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { query = r.URL.RawQuery }))
	s := mustNew(t, TypeWebhook, map[string]string{"webhook.url": server.URL + "/hook?group=夜班 a"}, Options{})
	err := s.Send(t.Context(), Message{Text: "text"})
	server.Close()
	if err != nil || query != "group=%E5%A4%9C%E7%8F%AD%20a" {
		t.Errorf("%v, query %q", err, query)
	}
}

// TestW17ShortSecrets: a secret of a letter or two doesn't garble a text; a longer one is hidden.
func TestW17ShortSecrets(t *testing.T) {
	t.Parallel()
	const text = "authentication of a user failed"
	if got := newScrubber("a", "us").text(text); got != text {
		t.Errorf("%q", got)
	}
	if got := newScrubber("fail").text(text); got != "authentication of a user ***ed" {
		t.Errorf("%q", got)
	}
}

// TestProxy: what goes through a proxy is dialled there, and not at the destination.
func TestProxy(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "http://chat.example/hook?key=abcdef" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := mustNew(t, TypeWebhook, map[string]string{"webhook.url": "http://chat.example/hook?key=abcdef"}, Options{
		Proxy:     http.ProxyURL(at),
		Dial:      func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("not by the proxy") },
		DialProxy: new(net.Dialer).DialContext,
	})
	if err := s.Send(t.Context(), Message{Text: "text"}); err != nil {
		t.Error(err)
	}
}

// TestFinal: what stays until somebody changes something is told apart from what may pass.
func TestFinal(t *testing.T) {
	t.Parallel()
	answers := map[string]struct {
		status int
		body   string
		final  bool
	}{
		"busy":       {200, `{"errcode":-1,"errmsg":"system busy"}`, false},
		"no such":    {200, `{"errcode":93000,"errmsg":"invalid webhook url"}`, true},
		"no JSON":    {200, `<html>`, true},
		"no code":    {200, `{}`, true},
		"redirect":   {302, ``, true},
		"not found":  {404, ``, true},
		"too many":   {429, ``, false},
		"overloaded": {503, ``, false},
	}
	for name, c := range answers {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		err := mustNew(t, TypeWechat, map[string]string{"wechat.webhook": server.URL + "?key=abcdef"}, Options{}).Send(t.Context(), Message{Text: "text"})
		server.Close()
		if err == nil || Final(err) != c.final || strings.Contains(err.Error(), "abcdef") {
			t.Errorf("%s: %v, final %v", name, err, Final(err))
		}
	}
	away := Options{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("nobody is there") }}
	if err := mustNew(t, TypeWechat, map[string]string{"wechat.webhook": "https://chat.example/?key=abcdef"}, away).Send(t.Context(), Message{}); err == nil || Final(err) {
		t.Errorf("nobody is there: %v", err)
	}
	for _, address := range []string{"chat.example", "ftp://chat.example/", "http:///x", "http://%zz"} {
		s := mustNew(t, TypeWechat, map[string]string{"wechat.webhook": address}, away)
		if err := s.Send(t.Context(), Message{}); !Final(err) || s.Address != "" {
			t.Errorf("%s at %q: %v", address, s.Address, err)
		}
	}
}

// TestFinalMails: a mail server says by its code whether trying again is useless.
func TestFinalMails(t *testing.T) {
	t.Parallel()
	for greeting, isFinal := range map[string]bool{"421 too busy": false, "554 no service": true} {
		dial := func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				_, _ = io.WriteString(theirs, greeting+"\r\n")
				_ = theirs.Close()
			}()
			return ours, nil
		}
		s := mustNew(t, TypeEmail, map[string]string{
			"email.host": "mail.example", "email.port": "25", "email.username": "", "email.password": "", "email.useSsl": "false",
			"email.from": "jobs@example.com", "email.to": "ops@example.com",
		}, Options{Dial: dial})
		if err := s.Send(t.Context(), Message{Text: "text"}); err == nil || Final(err) != isFinal {
			t.Errorf("%s: %v, final %v", greeting, err, Final(err))
		}
		if s.Address != "mail.example:25" {
			t.Errorf("the address is %s", s.Address)
		}
	}
}

// TestSendEnds: a delivery ends within its time, whatever the destination does.
func TestSendEnds(t *testing.T) {
	t.Parallel()
	silent := Options{Timeout: 20 * time.Millisecond, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	s := mustNew(t, TypeWebhook, map[string]string{"webhook.url": "http://chat.example/"}, silent)
	if err := s.Send(t.Context(), Message{}); !errors.Is(err, context.DeadlineExceeded) || Final(err) {
		t.Errorf("got %v", err)
	}
}
