package errorhandler

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

func tlsOf(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}}
}
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

type mailServer struct {
	cert     *tls.Certificate // for implicit TLS or STARTTLS
	implicit bool
	auth     string          // the offered mechanism, or ""
	refuse   map[string]bool // recipients
	mute     bool            // accepts connections and never answers
	greeting string

	addr string
	mu   sync.Mutex
	got  []received
}

type received struct {
	user, from, content string
	to                  []string
	encrypted           bool
}

func (s *mailServer) start(t *testing.T) *mailServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = ln.Addr().String()
	var mu sync.Mutex
	var conns []net.Conn
	var tasks sync.WaitGroup
	tasks.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, conn)
			mu.Unlock()
			tasks.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		ln.Close()
		mu.Lock()
		for _, conn := range conns {
			conn.Close()
		}
		mu.Unlock()
		tasks.Wait()
	})
	return s
}

// props returns the settings of a job that uses the server.
func (s *mailServer) props(pairs ...string) map[string]string {
	host, port, _ := net.SplitHostPort(s.addr)
	return with(with(mailProps, "email.host", host, "email.port", port, "email.useSsl", fmt.Sprint(s.implicit)), pairs...)
}

func (s *mailServer) mails() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

func (s *mailServer) serve(conn net.Conn) {
	defer conn.Close()
	m := received{}
	if s.implicit {
		conn, m.encrypted = tls.Server(conn, tlsOf(*s.cert)), true
	}
	in := bufio.NewReader(conn)
	say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	if s.mute {
		_, _ = in.ReadString('\n')
		return
	}
	s.greet(say)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			s.hello(say, m.encrypted)
		case "STARTTLS":
			say("220 go ahead")
			conn, m.encrypted = tls.Server(conn, tlsOf(*s.cert)), true
			in = bufio.NewReader(conn)
		case "AUTH":
			user, password := s.login(rest, in, say)
			if user != "jobs" || password != "s3cr3t-pass" {
				// A careless server repeats its input.
				say("535 5.7.8 wrong: " + line + " (" + password + ")")
				continue
			}
			m.user = user
			say("235 welcome")
		case "MAIL":
			m.from = line
			say("250 ok")
		case "RCPT":
			address := strings.Trim(strings.TrimPrefix(strings.ToUpper(line), "RCPT TO:"), "<>")
			if s.refuse[strings.ToLower(address)] {
				say("550 no such user")
				continue
			}
			m.to = append(m.to, strings.ToLower(address))
			say("250 ok")
		case "DATA":
			say("354 end with a dot")
			if m.content, err = readContent(in); err != nil {
				return
			}
			s.keep(m)
			say("250 queued")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("500 what?")
		}
	}
}

func (s *mailServer) keep(m received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, m)
}

func (s *mailServer) greet(say func(string)) {
	if s.greeting != "" {
		say(s.greeting)
	} else {
		say("220 test ESMTP")
	}
}

// hello sends the server's extensions.
func (s *mailServer) hello(say func(string), encrypted bool) {
	say("250-test")
	if s.cert != nil && !encrypted {
		say("250-STARTTLS")
	}
	if s.auth != "" {
		say("250-AUTH " + s.auth)
	}
	say("250 8BITMIME")
}

// readContent reads a mail until a line with only a dot.
func readContent(in *bufio.Reader) (string, error) {
	var content strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return "", err
		}
		if line == ".\r\n" {
			return content.String(), nil
		}
		content.WriteString(strings.TrimPrefix(line, "."))
	}
}

func (s *mailServer) login(rest string, in *bufio.Reader, say func(string)) (user, password string) {
	decode := func(text string) string {
		plain, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		return string(plain)
	}
	method, initial, _ := strings.Cut(rest, " ")
	if method == "PLAIN" {
		parts := strings.Split(decode(initial), "\x00")
		if len(parts) != 3 {
			return "", ""
		}
		return parts[1], parts[2]
	}
	say("334 " + base64.StdEncoding.EncodeToString([]byte("Username:")))
	user, _ = in.ReadString('\n')
	say("334 " + base64.StdEncoding.EncodeToString([]byte("Password:")))
	password, _ = in.ReadString('\n')
	return decode(user), decode(password)
}

// open returns a mail's headers and text.
func open(t *testing.T, content string) (mail.Header, string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(content))
	if err != nil {
		t.Fatalf("%v:\n%s", err, content)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	return m.Header, string(body)
}

func TestMailContent(t *testing.T) {
	t.Parallel()
	begin := time.Now().Truncate(time.Second) // a mail's date has no fractions
	s := (&mailServer{auth: "LOGIN PLAIN"}).start(t)
	set, log := newSet(t, Options{})
	stack := "panic: <script>&\n\ngoroutine 1 [running]:\n.main()\n" + strings.Repeat("long line ", 200)
	handle(t, mustNew(t, set, "EMAIL", s.props(
		"email.to", "Ops <ops@example.com>, second@example.com", "email.cc", "cc@example.com,ops@example.com", "email.bcc", "bcc@example.com, bcc2@example.com",
		"email.from", "作业 <jobs@example.com>", "email.subject", "任务失败\r\nBcc: evil@example.com",
	)), errors.New(stack))
	if got := flush(t, set); got.Sent != 1 {
		t.Fatalf("got %+v\n%s", got, log)
	}
	got := s.mails()[0]
	if diff := cmp.Diff([]string{"ops@example.com", "second@example.com", "cc@example.com", "bcc@example.com", "bcc2@example.com"}, got.to); diff != "" {
		t.Errorf("recipients (-want +got):\n%s", diff)
	}
	contains(t, got.from, "<jobs@example.com>")
	header, text := open(t, got.content)
	var decoder mime.WordDecoder
	subject, err := decoder.DecodeHeader(header.Get("Subject"))
	if err != nil || subject != "任务失败\r\nBcc: evil@example.com" {
		t.Errorf("subject %q, %v", subject, err)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Mime-Version": "1.0", "Bcc": "",
		"To": `"Ops" <ops@example.com>, <second@example.com>`, "Cc": `<cc@example.com>, <ops@example.com>`,
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if from, err := header.AddressList("From"); err != nil || from[0].Name != "作业" {
		t.Errorf("from %v, %v", from, err)
	}
	if date, err := header.Date(); err != nil || date.Before(begin) || date.After(time.Now()) {
		t.Errorf("date %v, %v", date, err)
	}
	contains(t, text, "<pre", "Job &#39;invoices&#39; exception occur in job processing, caused by panic: &lt;script&gt;&amp;", "\r\n.main()\r\n", strings.Repeat("long line ", 200))
	lacks(t, got.content, "\nBcc:", "<script>")
	for line := range strings.SplitSeq(got.content, "\r\n") {
		if len(line) > 998 {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
}

func TestMailSubjectAndDefaults(t *testing.T) {
	t.Parallel()
	s := (&mailServer{auth: "PLAIN"}).start(t)
	set, log := newSet(t, Options{})
	handle(t, mustNew(t, set, "EMAIL", s.props("email.debug", "TRUE", "email.to", "root", "email.from", "jobs")), errJob)
	flush(t, set)
	if len(s.mails()) != 1 {
		t.Fatalf("no mail: %s", log)
	}
	got := s.mails()[0]
	header, _ := open(t, got.content)
	if header.Get("Subject") != "ElasticJob error message" || header.Get("To") != "root" || got.to[0] != "root" {
		t.Errorf("got %v %v", header, got.to)
	}
	contains(t, log.String(), "step=authenticated", "step=accepted", "error notification sent")
	lacks(t, log.String(), "s3cr3t-pass")
}

// Each job has its own settings, and the connection to the server is the configured one.
func TestMailConnections(t *testing.T) {
	t.Parallel()
	cert, pool := certificate(t)
	for name, test := range map[string]struct {
		server    *mailServer
		opts      Options
		props     []string
		user      string
		encrypted bool
		refusal   string
	}{
		"plain, AUTH PLAIN":       {server: &mailServer{auth: "PLAIN"}, user: "jobs"},
		"plain, AUTH LOGIN":       {server: &mailServer{auth: "LOGIN"}, user: "jobs"},
		"plain, no login":         {server: &mailServer{}, props: []string{"email.username", ""}},
		"TLS":                     {server: &mailServer{auth: "LOGIN PLAIN", implicit: true, cert: &cert}, opts: Options{RootCAs: pool}, user: "jobs", encrypted: true},
		"TLS, all trusted":        {server: &mailServer{auth: "PLAIN", implicit: true, cert: &cert}, props: []string{"email.ssl.trust", "*"}, user: "jobs", encrypted: true},
		"TLS, host trusted":       {server: &mailServer{auth: "PLAIN", implicit: true, cert: &cert}, props: []string{"email.ssl.trust", "mail.example.com 127.0.0.1"}, user: "jobs", encrypted: true},
		"STARTTLS":                {server: &mailServer{auth: "PLAIN", cert: &cert}, user: "jobs", encrypted: true},
		"TLS, unknown authority":  {server: &mailServer{auth: "PLAIN", implicit: true, cert: &cert}, refusal: "TLS with mail server: tls: failed to verify certificate"},
		"TLS, other host trusted": {server: &mailServer{auth: "PLAIN", implicit: true, cert: &cert}, props: []string{"email.ssl.trust", "mail.example.com"}, refusal: "failed to verify certificate"},
		"TLS where plain is":      {server: &mailServer{auth: "PLAIN"}, props: []string{"email.useSsl", "true"}, refusal: "TLS with mail server"},
		"wrong password":          {server: &mailServer{auth: "PLAIN"}, props: []string{"email.password", "wr0ng-pass"}, refusal: `mail server refused user jobs: 535 \"5.7.8 wrong`},
		"wrong password, LOGIN":   {server: &mailServer{auth: "LOGIN"}, props: []string{"email.password", "wr0ng-pass"}, refusal: `mail server refused user jobs: 535 \"5.7.8 wrong`},
		"no way to log in":        {server: &mailServer{auth: "GSSAPI"}, refusal: "offers neither AUTH PLAIN nor AUTH LOGIN, only \\\"GSSAPI\\\""},
		"too busy":                {server: &mailServer{greeting: "421 too busy"}, refusal: "greeting of mail server: 421"},
		"no such recipient":       {server: &mailServer{auth: "PLAIN", refuse: map[string]bool{"ops@example.com": true}}, refusal: "mail server refused recipient ops@example.com: 550"},
		"not an address":          {server: &mailServer{auth: "PLAIN"}, props: []string{"email.to", "ops <at> example"}, refusal: "property email.to"},
		"newline in an address":   {server: &mailServer{auth: "PLAIN"}, props: []string{"email.to", "ops\r\nDATA"}, refusal: "property email.to"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := test.server.start(t)
			set, log := newSet(t, test.opts)
			handle(t, mustNew(t, set, "EMAIL", s.props(test.props...)), errJob)
			got := flush(t, set)
			if test.refusal != "" {
				if got.Failed != 1 || len(s.mails()) != 0 {
					t.Errorf("got %+v and %d mails", got, len(s.mails()))
				}
				contains(t, log.String(), "no connection to the warehouse", "handler=EMAIL", test.refusal)
			} else if mails := s.mails(); got.Sent != 1 || len(mails) != 1 {
				t.Errorf("got %+v and %d mails\n%s", got, len(mails), log)
			} else if mails[0].user != test.user || mails[0].encrypted != test.encrypted {
				t.Errorf("sent by %q, encrypted %v", mails[0].user, mails[0].encrypted)
			}
			for _, secret := range []string{"s3cr3t-pass", "wr0ng-pass"} {
				lacks(t, log.String(), secret, base64.StdEncoding.EncodeToString([]byte(secret)), base64.StdEncoding.EncodeToString([]byte("\x00jobs\x00"+secret)))
			}
		})
	}
}

// A refused recipient doesn't keep the mail from the others.
func TestMailReachesAcceptedRecipients(t *testing.T) {
	t.Parallel()
	s := (&mailServer{auth: "PLAIN", refuse: map[string]bool{"gone@example.com": true}}).start(t)
	set, log := newSet(t, Options{})
	handle(t, mustNew(t, set, "EMAIL", s.props("email.to", "gone@example.com,ops@example.com")), errJob)
	if got := flush(t, set); got.Failed != 1 || len(s.mails()) != 1 {
		t.Errorf("got %+v and %d mails", got, len(s.mails()))
	}
	contains(t, log.String(), "refused recipient gone@example.com")
}

func TestMailUnreachableOrMute(t *testing.T) {
	t.Parallel()
	mute := (&mailServer{mute: true}).start(t)
	host, port, _ := net.SplitHostPort(freeAddress(t))
	for want, server := range map[string]struct {
		props   map[string]string
		timeout time.Duration
	}{
		"deadline exceeded":  {mute.props(), 100 * time.Millisecond},
		"connection refused": {with(mailProps, "email.host", host, "email.port", port), 0},
	} {
		set, log := newSet(t, Options{Timeout: server.timeout})
		handle(t, mustNew(t, set, "EMAIL", server.props), errJob)
		if got := flush(t, set); got.Failed != 1 {
			t.Errorf("got %+v", got)
		}
		contains(t, log.String(), "mail server", want)
		lacks(t, log.String(), "s3cr3t-pass")
	}
}

// Close doesn't wait longer than allowed for a mute server.
func TestCloseCutsAMailOff(t *testing.T) {
	t.Parallel()
	s := (&mailServer{mute: true}).start(t)
	set, log := newSet(t, Options{Timeout: time.Hour})
	handle(t, mustNew(t, set, "EMAIL", s.props()), errJob)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := set.Close(ctx); err == nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	waittest.Until(t, "the error to be logged", func() bool { return strings.Contains(log.String(), "no connection to the warehouse") })
}
