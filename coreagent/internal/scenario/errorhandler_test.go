package scenario_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

var errBoom = errors.New("no connection to the warehouse")

// fails is a handler that fails on one shard.
func fails(shard int) func(context.Context, *coreagent.Shard) error {
	return func(_ context.Context, s *coreagent.Shard) error {
		if s.Item == shard {
			return errBoom
		}
		return nil
	}
}

// inbox collects received notifications.
type inbox struct {
	mu    sync.Mutex
	texts []string
}

func (i *inbox) put(text string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.texts = append(i.texts, text)
}

func (i *inbox) has(parts ...string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, text := range i.texts {
		found := true
		for _, part := range parts {
			found = found && strings.Contains(text, part)
		}
		if found {
			return true
		}
	}
	return false
}

// robot starts a chat service's endpoint.
func robot(t *testing.T) (*inbox, string) {
	t.Helper()
	in := &inbox{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		in.put(r.URL.String() + " " + string(handle))
		fmt.Fprint(w, `{"errcode":0,"errmsg":"ok"}`)
	}))
	t.Cleanup(server.Close)
	return in, server.URL
}

// postOffice starts a mail server without encryption and accounts.
func postOffice(t *testing.T) (in *inbox, host, port string) {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	in = &inbox{}
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { receiveMail(conn, in) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		conns.Wait()
	})
	host, port, err = net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return in, host, port
}

func receiveMail(conn net.Conn, in *inbox) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	fmt.Fprint(conn, "220 post office\r\n")
	for lines.Scan() {
		switch command := strings.ToUpper(lines.Text()); {
		case strings.HasPrefix(command, "DATA"):
			fmt.Fprint(conn, "354 go on\r\n")
			var mail strings.Builder
			for lines.Scan() && lines.Text() != "." {
				mail.WriteString(lines.Text() + "\n")
			}
			in.put(mail.String())
			fmt.Fprint(conn, "250 ok\r\n")
		case strings.HasPrefix(command, "QUIT"):
			fmt.Fprint(conn, "221 bye\r\n")
			return
		default:
			fmt.Fprint(conn, "250 ok\r\n")
		}
	}
}

// TestErrorHandlersReport: a failed shard should reach the mail server and both chat services, with
// the job and the shard. The log shouldn't contain a secret.
func TestErrorHandlersReport(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		mails, host, port := postOffice(b.T)
		wechat, wechatURL := robot(b.T)
		dingtalk, dingtalkURL := robot(b.T)
		m := b.agent(1)
		for handler, props := range map[string]map[string]string{
			"EMAIL": {
				"email.host": host, "email.port": port, "email.useSsl": "false", "email.username": "", "email.password": "hunter2",
				"email.from": "jobs@example.com", "email.to": "ops@example.com",
			},
			"WECHAT":   {"wechat.webhook": wechatURL + "/send?key=hunter3"},
			"DINGTALK": {"dingtalk.webhook": dingtalkURL + "/send?access_token=hunter4", "dingtalk.secret": "hunter5", "dingtalk.keyword": "ops: "},
		} {
			m.serve(coreagent.Job{Name: strings.ToLower(handler), Shards: 3, ErrorHandler: coreagent.ErrorHandler{Name: handler}, Props: props}, fails(1))
		}
		m.start()
		for _, job := range []string{"email", "wechat", "dingtalk"} {
			b.awaitOwners(job, m.id, m.id, m.id)
			m.triggerHere(job)
		}
		b.await("a mail", func() bool { return mails.has("ops@example.com", "shard 1: ", "warehouse") })
		b.await("a WeChat message", func() bool {
			return wechat.has("/send?key=hunter3", "Job 'wechat' exception occur in job processing", "shard 1: "+errBoom.Error())
		})
		b.await("a DingTalk message", func() bool {
			return dingtalk.has("sign=", "ops: Job 'dingtalk' exception occur", "shard 1: "+errBoom.Error())
		})
		b.must(m.Stop(b.ctx()))
		for _, secret := range []string{"hunter2", "hunter3", "hunter4", "hunter5"} {
			if b.log.count(secret) > 0 {
				b.Errorf("the log shows %s", secret)
			}
		}
		for _, job := range []string{"email", "wechat", "dingtalk"} {
			if n := b.runs.count(job, -1); n != 3 {
				b.Errorf("%s: %d shards ran, want 3", job, n)
			}
		}
	})
}

// pager is a user's error handler.
type pager struct {
	mu       sync.Mutex
	failures []coreagent.Failure
	answer   func(coreagent.Failure) error
}

func (p *pager) HandleError(_ context.Context, f coreagent.Failure) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = append(p.failures, f)
	if p.answer != nil {
		return p.answer(f)
	}
	return nil
}

func (p *pager) reported() []coreagent.Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]coreagent.Failure(nil), p.failures...)
}

func withPager(p *pager) func(*coreagent.Config) {
	return func(cfg *coreagent.Config) {
		cfg.ErrorHandlers = []coreagent.ErrorHandler{{Name: "PAGER", Handle: p.HandleError}}
	}
}

// TestErrorHandlerFollowsTheConfiguration: the handler should be looked up at each trigger. An
// unknown name should fail the run with an error, but not the runs of other jobs.
func TestErrorHandlerFollowsTheConfiguration(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		p := &pager{}
		m := b.agent(1, withPager(p)).serve(coreagent.Job{Name: "job", Shards: 1}, fails(0)).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		b.awaitOwners("other", m.id)
		run := func(job string, count int) {
			b.Helper()
			m.triggerHereUntil(job, "run "+strconv.Itoa(count), func() bool { return b.runs.count(job, 0) == count })
			b.awaitTidy(job)
		}
		run("job", 1)
		b.await("LOG", func() bool { return b.log.count("Job 'job' exception occur in job processing") == 1 })

		b.configure("job", func(c *jobconfig.Config) {
			c.ErrorHandlerType, c.Props = "PAGER", map[string]string{"pager.number": "110"}
		})
		run("job", 2)
		b.await("PAGER", func() bool { return len(p.reported()) == 1 })
		if f := p.reported()[0]; f.Job != "job" || f.Item != 0 || !errors.Is(f.Err, errBoom) || f.Props["pager.number"] != "110" || !strings.HasPrefix(f.Err.Error(), "shard 0: ") {
			b.Errorf("notified of %+v", f)
		}

		b.configure("job", func(c *jobconfig.Config) { c.ErrorHandlerType = "SMOKE" })
		m.triggerHereUntil("job", "the refusal", func() bool {
			return b.log.count("Cannot find job error handler type 'SMOKE'. Allowed types: DINGTALK, EMAIL, IGNORE, LOG, PAGER") > 0
		})
		run("other", 1)

		b.configure("job", func(c *jobconfig.Config) {
			c.ErrorHandlerType, c.Props = "EMAIL", map[string]string{"email.password": "hunter2"}
		})
		m.triggerHereUntil("job", "the properties", func() bool { return b.log.count("The property `email.host` is required.") > 0 })

		b.configure("job", func(c *jobconfig.Config) { c.ErrorHandlerType = "IGNORE" })
		run("job", 3)
		if n := b.log.count("Job 'job' exception occur in job processing"); n != 1 || len(p.reported()) != 1 || b.log.count("hunter2") > 0 {
			b.Errorf("LOG reported %d times, PAGER %d times; secret in the log %d times", n, len(p.reported()), b.log.count("hunter2"))
		}
	})
}

// TestErrorHandlerThrows: THROW should act as in ElasticJob. Before the shards it stops the run. An
// error of a single shard ends the run as failed, but with several shards it's only reported.
func TestErrorHandlerThrows(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		m := b.agent(1)
		m.serve(coreagent.Job{Name: "single", Shards: 1, ErrorHandler: coreagent.Throw}, fails(0))
		m.serve(coreagent.Job{Name: "several", Shards: 2, ErrorHandler: coreagent.Throw}, fails(0))
		m.serve(coreagent.Job{Name: "clock", Shards: 1, ErrorHandler: coreagent.Throw}, nil)
		m.start()
		for job, owners := range map[string][]string{"single": {m.id}, "several": {m.id, m.id}, "clock": {m.id}} {
			b.awaitOwners(job, owners...)
		}
		m.triggerHere("single")
		b.await("single", func() bool { return b.log.count("run failed") == 1 })
		m.triggerHere("several")
		b.await("several", func() bool { return b.log.count("its error handler threw") == 1 })
		for _, job := range []string{"single", "several"} {
			b.await("the end of "+job, func() bool {
				states := m.trace.states(job)
				return len(states) == 3 && strings.HasPrefix(states[2], "TASK_ERROR {0="+errBoom.Error())
			})
			b.awaitTidy(job)
		}

		// K50: with THROW a run should stop if the clock is off.
		b.configure("clock", func(c *jobconfig.Config) { c.MaxTimeDiffSeconds = 0 })
		m.triggerHere("clock")
		b.await("clock", func() bool { return b.log.count("Time different between job server and register center exceed") > 0 })
		b.configure("clock", func(c *jobconfig.Config) { c.MaxTimeDiffSeconds = -1 })
		m.triggerHereUntil("clock", "a run", func() bool { return b.runs.count("clock", 0) == 1 })
		b.awaitTidy("clock")
		if n := b.log.count("run failed"); n != 2 {
			b.Errorf("%d runs failed, want single and clock", n)
		}
	})
}

// TestErrorHandlerPanics: the failure and the panic should be in the log, and the job should
// continue.
func TestErrorHandlerPanics(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		p := &pager{answer: func(coreagent.Failure) error { panic("no dial tone") }}
		m := b.agent(1, withPager(p)).serve(coreagent.Job{Name: "job", Shards: 1, ErrorHandler: coreagent.ErrorHandler{Name: "PAGER"}}, fails(0)).start()
		b.awaitOwners("job", m.id)
		for range 2 {
			count := len(p.reported())
			m.triggerHereUntil("job", "a failure", func() bool { return len(p.reported()) == count+1 })
			b.awaitTidy("job")
		}
		b.await("the log", func() bool {
			return b.log.count("no dial tone") == 2 && b.log.count("shard 0: "+errBoom.Error()) >= 2
		})
	})
}
