package errorhandler

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

type message struct {
	Type string `json:"msgtype"`
	Text struct {
		Content string `json:"content"`
	} `json:"text"`
}

// robot is a chat service that keeps its messages.
type robot struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

// sign returns DingTalk's signature of a time in Unix milliseconds.
func sign(secret string, timestamp int64) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d\n%s", timestamp, secret)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func newRobot(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) *robot {
	t.Helper()
	b := &robot{}
	b.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		b.requests, b.bodies = append(b.requests, r), append(b.bodies, string(body))
		b.mu.Unlock()
		answer(w, r)
	}))
	b.Config.ErrorLog = nil
	b.Start()
	t.Cleanup(b.Close)
	return b
}

func says(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func (b *robot) received() ([]*http.Request, []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests, b.bodies
}

func TestWechatSends(t *testing.T) {
	t.Parallel()
	b := newRobot(t, says(`{"errcode":0,"errmsg":"ok"}`))
	set, log := newSet(t, Options{})
	handle(t, mustNew(t, set, "WECHAT", map[string]string{"wechat.webhook": b.URL + "/cgi-bin/webhook/send?key=wechat-key-1"}), errJob)
	if got, want := flush(t, set), (Stats{Sent: 1}); got != want {
		t.Errorf("got %+v, want %+v\n%s", got, want, log)
	}
	requests, bodies := b.received()
	if diff := cmp.Diff([]string{`{"msgtype":"text","text":{"content":"Job 'invoices' exception occur in job processing, caused by no connection to the warehouse"}}`}, bodies); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
	r := requests[0]
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.URL.String() != "/cgi-bin/webhook/send?key=wechat-key-1" {
		t.Errorf("got %s %s %v", r.Method, r.URL, r.Header)
	}
	contains(t, log.String(), `msg="error notification sent" job=invoices handler=WECHAT`)
	lacks(t, log.String(), "wechat-key-1")
}

func TestDingTalkSends(t *testing.T) {
	t.Parallel()
	begin := time.Now().Truncate(time.Millisecond)
	b := newRobot(t, says(`{"errcode":"0","errmsg":"ok"}`))
	set, log := newSet(t, Options{})
	handle(t, mustNew(t, set, "DINGTALK", map[string]string{
		"dingtalk.webhook": b.URL + "/robot/send?access_token=ding-token-1",
		"dingtalk.keyword": "ALERT", "dingtalk.secret": "mocked_secret",
	}), fmt.Errorf("<b>\n%s", strings.Repeat("a <&> ", 5000)))
	if got, want := flush(t, set), (Stats{Sent: 1}); got != want {
		t.Errorf("got %+v, want %+v\n%s", got, want, log)
	}
	requests, bodies := b.received()
	var m message
	if err := json.Unmarshal([]byte(bodies[0]), &m); err != nil {
		t.Fatal(err)
	}
	text := m.Text.Content
	if m.Type != "text" || !strings.HasPrefix(text, "ALERTJob 'invoices' exception occur in job processing, caused by <b>\na <&> ") {
		t.Errorf("got %.200s", bodies[0])
	}
	if len(text) > 15_000 || !strings.HasSuffix(text, "bytes in all)") {
		t.Errorf("the text has %d bytes and ends with %q", len(text), text[len(text)-40:])
	}
	query := requests[0].URL.Query()
	var timestamp int64
	if _, err := fmt.Sscan(query.Get("timestamp"), &timestamp); err != nil {
		t.Fatal(err)
	}
	if at := time.UnixMilli(timestamp); at.Before(begin) || at.After(time.Now()) {
		t.Errorf("the timestamp is %v", at)
	}
	if query.Get("access_token") != "ding-token-1" || query.Get("sign") != sign("mocked_secret", timestamp) {
		t.Errorf("got %v", query)
	}
	lacks(t, log.String(), "ding-token-1", "mocked_secret")
}

func TestWechatTextFitsItsLimit(t *testing.T) {
	t.Parallel()
	b := newRobot(t, says(`{"errcode":0}`))
	set, _ := newSet(t, Options{})
	handle(t, mustNew(t, set, "WECHAT", map[string]string{"wechat.webhook": b.URL}), fmt.Errorf("\xff%s", strings.Repeat("库", 4000)))
	flush(t, set)
	_, bodies := b.received()
	var m message
	if err := json.Unmarshal([]byte(bodies[0]), &m); err != nil {
		t.Fatal(err)
	}
	if n := len(m.Text.Content); n > 2048 || n < 2000 || !strings.Contains(m.Text.Content, "caused by �库库") {
		t.Errorf("%d bytes: %.150s", n, m.Text.Content)
	}
}

// The job's error is always logged with the reason and without secrets.
func TestWebhookFailures(t *testing.T) {
	t.Parallel()
	echo := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"errcode":310000,"errmsg":"bad request %s %s"}`, r.URL, r.URL.Query().Get("access_token"))
	}
	for name, test := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		want   string
		limit  string // of the time to answer, if it doesn't end by itself
	}{
		"error code":    {answer: says(`{"errcode":300001,"errmsg":"token is not exist"}`), want: `refused with errcode 300001: token is not exist`},
		"echoed secret": {answer: echo, want: `refused with errcode 310000: bad request ***`},
		"status": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, `{"errcode":0}`)
		}, want: "answered with status 502 Bad Gateway"},
		"redirection": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, want: "answered with status 307"},
		"no JSON": {answer: says("<html>"), want: "the answer is not understood"},
		"no code": {answer: says(`{}`), want: "the answer has no errcode"},
		"silence": {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, want: "timeout awaiting response headers", limit: "500"},
		"half an answer": {answer: func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"errcode":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, want: "read the answer", limit: "1500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newRobot(t, test.answer)
			set, log := newSet(t, Options{})
			timeout := "20000"
			if test.limit != "" {
				timeout = test.limit
			}
			handle(t, mustNew(t, set, "DINGTALK", map[string]string{
				"dingtalk.webhook": b.URL + "/robot/send?access_token=ding-token-1", "dingtalk.secret": "ding-secret-1",
				"dingtalk.readTimeoutMilliseconds": timeout, "dingtalk.connectTimeoutMilliseconds": timeout,
			}), errJob)
			if got, want := flush(t, set), (Stats{Failed: 1}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			contains(t, log.String(), "level=ERROR", "Job 'invoices' exception occur", "no connection to the warehouse", "handler=DINGTALK", "to=http://127.0.0.1:", test.want)
			lacks(t, log.String(), "ding-token-1", "ding-secret-1", "access_token", "%3D")
		})
	}
}

func TestWebhookUnreachable(t *testing.T) {
	t.Parallel()
	set, log := newSet(t, Options{})
	for _, address := range []string{
		"http://" + freeAddress(t) + "/send?key=wechat-key-1",
		"http://user:wechat-key-1@" + freeAddress(t) + "/wechat-key-1",
		"://wechat-key-1",
		"http://%zz/wechat-key-1",
		"wechat-key-1",
		"ftp://wechat.example.com/?key=wechat-key-1",
	} {
		handle(t, mustNew(t, set, "WECHAT", map[string]string{"wechat.webhook": address}), errJob)
	}
	if got, want := flush(t, set), (Stats{Failed: 6}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	contains(t, log.String(), "connection refused")
	lacks(t, log.String(), "wechat-key-1")
}

// The connect timeout is the property's, no matter how long dialing takes.
func TestWebhookConnectTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set, log := newSet(t, Options{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		begin := time.Now()
		handle(t, mustNew(t, set, "WECHAT", map[string]string{"wechat.webhook": "http://wechat.example.com/", "wechat.connectTimeoutMilliseconds": "20"}), errJob)
		flush(t, set)
		if took := time.Since(begin); took != 20*time.Millisecond {
			t.Errorf("took %v", took)
		}
		contains(t, log.String(), "not_sent", "deadline exceeded")
	})
}

func TestWebhookOverTLS(t *testing.T) {
	t.Parallel()
	cert, pool := certificate(t)
	b := httptest.NewUnstartedServer(http.HandlerFunc(says(`{"errcode":0}`)))
	b.TLS = tlsOf(cert)
	b.Config.ErrorLog = quiet()
	b.StartTLS()
	t.Cleanup(b.Close)
	props := map[string]string{"wechat.webhook": b.URL + "/send?key=wechat-key-1"}

	known, _ := newSet(t, Options{RootCAs: pool})
	handle(t, mustNew(t, known, "WECHAT", props), errJob)
	if got := flush(t, known); got.Sent != 1 {
		t.Errorf("got %+v", got)
	}
	unknown, log := newSet(t, Options{})
	handle(t, mustNew(t, unknown, "WECHAT", props), errJob)
	if got := flush(t, unknown); got.Failed != 1 {
		t.Errorf("got %+v", got)
	}
	contains(t, log.String(), "certificate signed by unknown authority")
	lacks(t, log.String(), "wechat-key-1")
}
