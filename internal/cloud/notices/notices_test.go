package notices

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// journal is a log that can be read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// notifier returns a Notifier that may write to some hosts and pauses only briefly.
func notifier(t *testing.T, hosts ...string) (*Notifier, *journal) {
	t.Helper()
	allow, err := outbound.Parse(hosts)
	if err != nil {
		t.Fatal(err)
	}
	log := &journal{}
	n := New(Config{Allow: allow, Address: "https://jobs.example/console", Logger: slog.New(slog.NewTextHandler(log, nil))})
	n.pause = time.Millisecond
	return n, log
}

// job returns a job with an error handler and its properties.
func job(handler string, props ...string) cloud.Job {
	j := cloud.NewJob("settlement", "shop", 3)
	j.ErrorHandlerType, j.Props = handler, map[string]string{}
	for i := 0; i < len(props); i += 2 {
		j.Props[props[i]] = props[i+1]
	}
	return j
}

var fire = time.Date(2026, 11, 22, 10, 49, 0, 0, time.UTC)

func failedRun(shards int) (cloud.RunStatus, []cloud.Task) {
	r := cloud.RunStatus{
		Name: "settlement-1795344540", JobName: "settlement", AppName: "shop", Fire: fire, Origin: cloud.OriginCron, Shards: shards + 1, Count: shards + 1,
		State: cloud.RunFailed, Message: "1 shard failed", Started: fire.Add(time.Second), Ended: fire.Add(time.Minute),
	}
	var failed []cloud.Task
	for shard := range shards {
		failed = append(failed, cloud.Task{
			TaskRef: cloud.TaskRef{Run: r.Name, Shard: shard, UID: fmt.Sprint(shard), Attempt: 4}, State: tracing.StateFailed, Node: "node-1",
			Message: "exit code 7: no connection with --password s3cr3t-pass",
		})
	}
	return r, failed
}

// taker is a server that keeps the messages it gets.
type taker struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
}

func newTaker(t *testing.T, answer func(nth int, w http.ResponseWriter, r *http.Request)) *taker {
	t.Helper()
	k := &taker{}
	k.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		k.mu.Lock()
		k.bodies = append(k.bodies, string(body))
		nth := len(k.bodies)
		k.mu.Unlock()
		answer(nth, w, r)
	}))
	t.Cleanup(k.Close)
	return k
}

func (k *taker) got() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.bodies)
}

func says(text string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// TestCL31Message: the message has the job, the run, the time, the failed shards with causes, and a
// link, but no secret.
func TestCL31Message(t *testing.T) {
	t.Parallel()
	n, log := notifier(t, "127.0.0.1")
	chat, hook := newTaker(t, says(`{"errcode":0}`)), newTaker(t, says(""))
	run, failed := failedRun(1)
	zoned := job("WECHAT", "wechat.webhook", chat.URL+"/send?key=wechat-key-1")
	zoned.TimeZone = "Asia/Shanghai"
	if err := n.Notify(t.Context(), zoned, run, failed); err != nil {
		t.Fatal(err)
	}
	var message struct{ Text struct{ Content string } }
	if err := json.Unmarshal([]byte(chat.got()[0]), &message); err != nil {
		t.Fatal(err)
	}
	want := `Job 'settlement' failed: run settlement-1795344540
Fire time: 2026-11-22T18:49:00+08:00
Ended: 2026-11-22T18:50:00+08:00
Application: shop
https://jobs.example/console/cloud/runs/settlement-1795344540
1 shard failed
Failed shards: 1 of 2
- shard 0, attempt 4 on node-1, TASK_FAILED: exit code 7: no connection with --password ***`
	if message.Text.Content != want {
		t.Errorf("got\n%s\nwant\n%s", message.Text.Content, want)
	}
	run, failed = failedRun(200)
	if err := n.Notify(t.Context(), job("WEBHOOK", "webhook.url", hook.URL+"/hook-key-1"), run, failed); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal([]byte(hook.got()[0]), &d); err != nil {
		t.Fatal(err)
	}
	if d.JobName != "settlement" || d.Run != run.Name || d.Failed != 200 || d.TaskCount != 201 || len(d.FailedShards) != 100 || d.FireTime != "2026-11-22T10:49:00Z" || d.FailedShards[7].Shard != 7 || d.Link == "" {
		t.Errorf("the document is %+v", d)
	}
	if text := d.text(); !strings.HasSuffix(text, "- shard 9, attempt 4 on node-1, TASK_FAILED: exit code 7: no connection with --password ***\n- and 190 more") {
		t.Errorf("the text of 200 shards is\n%s", text)
	}
	if text := log.String() + hook.got()[0]; strings.Contains(text, "s3cr3t-pass") || strings.Contains(text, "-key-1") || strings.Count(text, "sent a notification") != 2 {
		t.Errorf("log and document are\n%s", text)
	}
}

// TestCL31MessageBounds: a shard's cause should be cut, also between the bytes of a character.
func TestCL31MessageBounds(t *testing.T) {
	t.Parallel()
	n, _ := notifier(t)
	n.Address = ""
	run, failed := failedRun(1)
	failed[0].Message, run.Origin, run.Started = strings.Repeat("错", 5000), cloud.OriginManual, time.Time{}
	m := n.message(job("WEBHOOK"), run, failed)
	d := m.Document.(document)
	if len(d.FailedShards[0].Cause) > causeOfDocument+3 || len(m.Text) > 700 || !strings.Contains(m.Text, "Requested at: ") || strings.Contains(m.Text, "\ufffd") || d.Link != "" || d.StartTime != "" {
		t.Errorf("the message is %d bytes: %s", len(m.Text), m.Text)
	}
}

// TestCL31Attempts: temporary failures are retried up to three attempts, others aren't, and no
// error has a secret.
func TestCL31Attempts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer   func(nth int, w http.ResponseWriter, r *http.Request)
		attempts int
		fails    string
	}{
		"third time": {func(nth int, w http.ResponseWriter, _ *http.Request) {
			if nth < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_, _ = io.WriteString(w, `{"errcode":0}`)
		}, 3, ""},
		"never": {func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, 3, "gave up after attempt 3: answered with status 502"},
		"refused": {func(_ int, w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"errcode":93000,"errmsg":"bad %s"}`, r.URL.Query().Get("key"))
		}, 1, "refused with errcode 93000: bad ***"},
		"redirect": {func(_ int, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, 1, "answered with status 307"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, log := notifier(t, "127.0.0.1")
			chat := newTaker(t, c.answer)
			run, failed := failedRun(1)
			err := n.Notify(t.Context(), job("WECHAT", "wechat.webhook", chat.URL+"/send?key=wechat-key-1"), run, failed)
			if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) || len(chat.got()) != c.attempts {
				t.Errorf("%d attempts: %v", len(chat.got()), err)
			}
			if text := fmt.Sprint(err, log); strings.Contains(text, "wechat-key-1") {
				t.Errorf("a secret is in %s", text)
			}
		})
	}
}

// TestCL31Allowed: nothing is sent to hosts that aren't on the list, and the error has the reason.
func TestCL31Allowed(t *testing.T) {
	t.Parallel()
	chat := newTaker(t, says(`{"errcode":0}`))
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(chat.URL, "http://"))
	wechat := func(address string) cloud.Job { return job("WECHAT", "wechat.webhook", address) }
	daemon := wechat(chat.URL)
	daemon.Type = cloud.TypeDaemon
	for name, c := range map[string]struct {
		hosts  string
		job    cloud.Job
		reason Reason
		text   string
	}{
		"off":           {"", wechat(chat.URL), ReasonOff, "WECHAT needs --cloud-notify-hosts"},
		"another host":  {"chat.example", wechat(chat.URL), ReasonHost, "127.0.0.1:" + port + " is not allowed"},
		"another port":  {"127.0.0.1:1", wechat(chat.URL), ReasonHost, "not allowed"},
		"wildcard":      {"*", wechat(chat.URL), ReasonHost, "not allowed"},
		"metadata":      {"*", wechat("http://169.254.169.254/latest?key=abcdef"), ReasonHost, "169.254.169.254:80"},
		"a number":      {"*", wechat("http://2130706433:" + port), ReasonHost, "not allowed"},
		"mail":          {"chat.example", job("EMAIL", "email.host", "mail.example", "email.port", "25", "email.username", "", "email.password", "", "email.from", "a@b", "email.to", "a@b"), ReasonHost, "mail.example:25"},
		"no properties": {"*", job("DINGTALK"), ReasonProps, "`dingtalk.webhook` is required"},
		"no address":    {"*", wechat("chat.example"), ReasonProps, "neither http nor https"},
		"daemon":        {"127.0.0.1", daemon, ReasonDaemon, "no effect for a DAEMON"},
	} {
		n, _ := notifier(t, strings.Fields(c.hosts)...)
		run, failed := failedRun(1)
		problem := n.Check(c.job)
		err := n.Notify(t.Context(), c.job, run, failed)
		if problem == nil || problem.Reason != c.reason || !strings.Contains(problem.Error(), c.text) || !errors.Is(err, cloud.ErrRefused) || err.Error() != problem.Error() || strings.Contains(err.Error(), "abcdef") {
			t.Errorf("%s: %v, %v", name, problem, err)
		}
	}
	n, _ := notifier(t)
	run, failed := failedRun(1)
	for _, j := range []cloud.Job{job("LOG"), job(""), job("THROW"), job("PAGER")} {
		if problem, err := n.Check(j), n.Notify(t.Context(), j, run, failed); problem != nil || err != nil {
			t.Errorf("%s: %v, %v", j.ErrorHandlerType, problem, err)
		}
	}
	if got := chat.got(); len(got) != 0 {
		t.Errorf("sent %q", got)
	}
}

// TestCL31ThisMachine: an exact name on the list may be on this machine.
func TestCL31ThisMachine(t *testing.T) {
	t.Parallel()
	chat := newTaker(t, says(`{"errcode":0}`))
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(chat.URL, "http://"))
	n, log := notifier(t, "localhost:"+port)
	run, failed := failedRun(1)
	if err := n.Notify(t.Context(), job("WECHAT", "wechat.webhook", "http://localhost:"+port), run, failed); err != nil || len(chat.got()) != 1 {
		t.Errorf("an exact name: %v, %s", err, log)
	}
}

// TestCL31Mail: a mail should go to the server of the job.
func TestCL31Mail(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	mails := make(chan string, 1)
	var served sync.WaitGroup
	served.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		mails <- converse(conn)
	})
	t.Cleanup(func() { listener.Close(); served.Wait() })
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	n, log := notifier(t, "127.0.0.1")
	run, failed := failedRun(1)
	err = n.Notify(t.Context(), job("EMAIL", "email.host", host, "email.port", port, "email.useSsl", "false", "email.username", "", "email.password", "",
		"email.from", "jobs@example.com", "email.to", "ops@example.com", "email.subject", "Job failed"), run, failed)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	if mail := <-mails; !strings.Contains(mail, "To: <ops@example.com>") || !strings.Contains(mail, "Subject: Job failed") || !strings.Contains(mail, "settlement-1795344540") || strings.Contains(mail, "s3cr3t-pass") {
		t.Errorf("the mail is\n%s", mail)
	}
}

// converse is a mail server that takes one mail.
func converse(conn net.Conn) (mail string) {
	in := bufio.NewReader(conn)
	say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	say("220 test")
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil, strings.HasPrefix(line, "QUIT"):
			return mail
		case strings.HasPrefix(line, "DATA"):
			say("354 go on")
			for line != ".\r\n" && err == nil {
				line, err = in.ReadString('\n')
				mail += line
			}
		}
		say("250 ok")
	}
}

// TestCL31Turns: a destination that doesn't answer only delays messages to itself, each within its
// time limit, and the number of concurrent messages is limited.
func TestCL31Turns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n, _ := notifier(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		leave, err := n.enter(ctx, "dead")
		if err != nil {
			t.Fatal(err)
		}
		var given atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := n.enter(ctx, "dead"); errors.Is(err, context.DeadlineExceeded) {
					given.Add(1)
				}
			})
		}
		synctest.Wait()
		var leaves []func()
		for i := range mostAtOnce - 1 {
			other, err := n.enter(ctx, fmt.Sprint("other ", i))
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, other)
		}
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := n.enter(short, "one too many"); err == nil {
			t.Errorf("more than %d are under way", mostAtOnce)
		}
		time.Sleep(2 * time.Minute)
		wg.Wait()
		leave()
		for _, other := range leaves {
			other()
		}
		if given.Load() != 20 || len(n.turns) != 0 || len(n.slots) != 0 {
			t.Errorf("%d gave up; turns %v, %d slots", given.Load(), n.turns, len(n.slots))
		}
	})
}
