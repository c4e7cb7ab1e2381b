package coreagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/internal/commandline"
	"github.com/elasticjob-go/elasticjob/internal/leftover"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/urlquery"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// outputLimit is how many bytes of a script's output an error contains, and how many bytes of a
// response's body the log.
const outputLimit = 4 << 10

// scriptGrace is the time for a script to end after SIGTERM. It's less than [leftover.Patience],
// and less than the time after which a cancelled handler is reported.
const scriptGrace = time.Second

// contextJSON returns the sharding context, with the parameters of the run if they have at most
// mostParams bytes.
func contextJSON(s *Shard, mostParams int) ([]byte, error) {
	c := commandline.ShardingContext{
		JobName: s.Job, TaskID: s.TaskID, ShardingTotalCount: s.Total,
		JobParameter: s.JobParameter, ShardingItem: s.Item,
	}
	if core.CallOf(s).HasParameter {
		c.ShardingParameter = &s.Parameter
	}
	if s.Run.Requested { // ElasticJob's own document has neither.
		c.RunID, c.Attempt = s.Run.ID, s.Run.Attempt
	}
	if len(s.Run.Params) <= mostParams {
		c.RunParameters = s.Run.Params
	}
	return json.Marshal(c)
}

// Script returns the handler of ElasticJob's SCRIPT job: each shard starts commandLine as a
// process, with the sharding context as JSON in an additional last argument. commandLine is the
// initial value of the job property script.command.line; the stored configuration decides.
//
// The line is split at blanks. Single or double quotes group words. There is no shell, so nothing
// is expanded. The shard fails if the process can't start or its exit code isn't 0. If the script
// ends while a process that it started still holds its output, the exit code still decides: the
// shard ends two seconds later, and after exit code 0 the run's log has a warning. When the run
// must end, the process and its children get SIGTERM, and after a second SIGKILL.
//
// The process has a clean environment: from the agent's only the variables that programs need to
// work (PATH, HOME, LANG, TZ and the like) and the ones in [Config.ScriptEnv], and
// ELASTICJOB_SHARDING_CONTEXT with the sharding context. Secrets in its output are masked in logs
// and in the error. Each line of output becomes a line of the run's log, except "::progress 0.4
// some words", which is [Shard.Progress].
//
// The environment also has ELASTICJOB_RUN_ID and ELASTICJOB_ATTEMPT and, for a run with parameters,
// ELASTICJOB_PARAMETERS up to 32 KiB. The sharding context then has runParameters, too, and for a
// requested run runId and attempt. Exit code 65 (EX_DATAERR) is [Permanent].
func Script(commandLine string) Handler { return script{commandLine} }

type script struct{ commandLine string }

func (h script) jobType() string { return jobconfig.TypeScript }
func (h script) jobProps() map[string]string {
	return map[string]string{jobconfig.PropCommandLine: h.commandLine}
}
func (h script) check() error {
	if _, err := splitCommandLine(h.commandLine); err != nil {
		return fmt.Errorf("Script: %w", err)
	}
	return nil
}

func (h script) Handle(ctx context.Context, s *Shard) error {
	words, err := splitCommandLine(s.Props[jobconfig.PropCommandLine])
	if err != nil {
		return err
	}
	document, err := contextJSON(s, maxArgument)
	if err != nil {
		return err
	}
	var output head
	log := &scriptLog{shard: s}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], string(document))...)
	if cmd.Env, err = environment(s); err != nil {
		return err
	}
	both := io.MultiWriter(&output, log)
	cmd.Stdout, cmd.Stderr = both, both
	cmd.WaitDelay = leftover.Patience
	ownGroup(cmd)
	var kill *time.Timer
	cmd.Cancel = func() error {
		kill = time.AfterFunc(scriptGrace, func() { _ = endNow(cmd) }) // An error means that it has already ended.
		return askToEnd(cmd)
	}
	err = cmd.Run()
	if kill != nil && kill.Stop() {
		_ = endNow(cmd) // The script has ended, but its children may not have.
	}
	log.end()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil                                                     // The exit code was 0.
		s.Log.WarnContext(ctx, leftover.Warning, "program", words[0]) //nolint:sloglint // a constant of another package
	}
	said := mask.Text(strings.TrimSpace(string(output)))
	switch {
	case err == nil:
		s.Log.DebugContext(ctx, "script finished", "output", said)
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("Execute script failure. %s: %w", words[0], context.Cause(ctx))
	}
	failure := fmt.Errorf("Execute script failure. %s: %w", words[0], err)
	if said != "" {
		failure = fmt.Errorf("Execute script failure. %s: %w: %s", words[0], err, said)
	}
	if cmd.ProcessState.ExitCode() == exitDataError {
		return Permanent(failure)
	}
	return failure
}

// head keeps the beginning of its input.
type head []byte

func (h *head) Write(p []byte) (int, error) {
	*h = append(*h, p[:min(len(p), outputLimit-len(*h))]...)
	return len(p), nil
}

// splitCommandLine splits a script's command line, which must name a program.
func splitCommandLine(line string) ([]string, error) {
	words, err := commandline.Split(line)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w in script command line %q", err, mask.Text(line))
	case len(words) == 0:
		return nil, errors.New("Cannot find script command line, job is not executed.")
	}
	return words, nil
}

// HTTPRequest is the request of an HTTP job.
type HTTPRequest struct {
	// URL is the address. Required. Characters that a query can't have, such as blanks and Chinese
	// ones, are sent percent-encoded.
	URL string
	// Method is GET, POST, PUT, DELETE, HEAD, OPTIONS or TRACE. Required.
	Method string
	// Data is the body of a POST, PUT or DELETE.
	Data string
	// ContentType is the body's. Defaults to application/x-www-form-urlencoded.
	ContentType string
	// ConnectTimeout limits the connection. Defaults to 3 seconds; at most 2,147,483,647 ms.
	ConnectTimeout time.Duration
	// ReadTimeout limits each wait for the next bytes of the response. [Job.Timeout] limits the
	// whole request. Defaults to 5 seconds; at most 2,147,483,647 ms.
	ReadTimeout time.Duration
}

// HTTP returns the handler of ElasticJob's HTTP job: each shard makes one request, with the
// sharding context as ASCII JSON in the header shardingContext. r is the initial value of the job
// properties http.*; the stored configuration decides.
//
// As in ElasticJob, a response with a status of 400 or more is logged as a warning and doesn't fail
// the shard; an unreachable or silent endpoint does. A redirect within the same protocol and host
// is followed. A redirect to another host fails the shard and sends nothing there, because the body
// and the sharding context aren't meant for it. No message has the address's query.
//
// For a requested run the sharding context has runId and attempt. Its parameters are the body of a
// POST, PUT or DELETE without Data, as application/json. With another method or with Data they are
// in the sharding context, which has room for at most 4 KiB; more fail the run permanently.
func HTTP(r HTTPRequest) Handler { return httpCall{r} }

type httpCall struct{ request HTTPRequest }

func (h httpCall) jobType() string { return jobconfig.TypeHTTP }

func (h httpCall) jobProps() map[string]string {
	props := map[string]string{jobconfig.PropURI: h.request.URL, jobconfig.PropMethod: h.request.Method}
	for name, value := range map[string]string{jobconfig.PropData: h.request.Data, jobconfig.PropContentType: h.request.ContentType} {
		if value != "" {
			props[name] = value
		}
	}
	for name, d := range map[string]time.Duration{jobconfig.PropConnectTimeout: h.request.ConnectTimeout, jobconfig.PropReadTimeout: h.request.ReadTimeout} {
		if d > 0 {
			props[name] = strconv.FormatInt(d.Milliseconds(), 10)
		}
	}
	return props
}

func (h httpCall) check() error {
	var errs []error
	if u, err := url.Parse(h.request.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		errs = append(errs, fmt.Errorf("HTTP: URL: %q is not an http or https address", shownURL(h.request.URL)))
	}
	if !slices.Contains(core.HTTPMethods, h.request.Method) {
		errs = append(errs, fmt.Errorf("HTTP: Method: %q is not one of %s", h.request.Method, strings.Join(core.HTTPMethods, ", ")))
	}
	return errors.Join(errs...)
}

func (h httpCall) Handle(ctx context.Context, s *Shard) error {
	if s.Props[jobconfig.PropURI] == "" {
		return errors.New("Cannot find HTTP URL, job is not executed.")
	}
	method := s.Props[jobconfig.PropMethod]
	if !slices.Contains(core.HTTPMethods, method) {
		return fmt.Errorf("property %s: %q is not one of %s", jobconfig.PropMethod, method, strings.Join(core.HTTPMethods, ", "))
	}
	connect, err := millis(s.Props, jobconfig.PropConnectTimeout, 3*time.Second)
	if err != nil {
		return err
	}
	read, err := millis(s.Props, jobconfig.PropReadTimeout, 5*time.Second)
	if err != nil {
		return err
	}
	payload, err := payloadOf(s, method)
	if err != nil {
		return err
	}
	document, err := contextJSON(s, payload.inContext)
	if err != nil {
		return err
	}
	var body io.Reader
	if payload.body != "" {
		body = strings.NewReader(payload.body)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.Props[jobconfig.PropURI], body)
	if err != nil {
		return fmt.Errorf("HTTP request: property %s: %q is not an address", jobconfig.PropURI, shownURL(s.Props[jobconfig.PropURI]))
	}
	request.URL.RawQuery = urlquery.Escape(request.URL.RawQuery)
	request.Header.Set("shardingContext", asciiJSON(document))
	if body != nil {
		request.Header.Set("Content-Type", payload.contentType)
	}
	response, err := httpClient((&net.Dialer{Timeout: connect}).DialContext, connect, read).Do(request)
	if err != nil {
		return httpError("request", request.URL, err)
	}
	defer func() { _ = response.Body.Close() }() // The body was read.
	var answer head
	if _, err := io.Copy(&answer, response.Body); err != nil {
		return httpError("response", request.URL, err)
	}
	said := []any{"url", shownURL(request.URL.String()), "status", response.StatusCode, "body", mask.Text(string(answer))}
	if response.StatusCode >= http.StatusBadRequest {
		s.Log.WarnContext(ctx, "HTTP job was answered with an error status", said...)
	} else {
		s.Log.DebugContext(ctx, "HTTP job was answered", said...)
	}
	return nil
}

func asciiJSON(document []byte) string {
	var b strings.Builder
	for _, r := range string(document) {
		if r < 0x7f {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func httpClient(dial func(context.Context, string, string) (net.Conn, error), connect, read time.Duration) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dial(ctx, network, address)
				if err != nil {
					return nil, err
				}
				return &idleConn{Conn: conn, most: read}, nil
			},
			TLSHandshakeTimeout: connect,
			DisableKeepAlives:   true, // One request per run, so connections needn't be kept.
		},
		CheckRedirect: sameHost,
	}
}

// idleConn fails if no byte arrives for some time, like a Java socket with a read timeout. While a
// request is still being sent, reads have no deadline, because the answer comes after it.
type idleConn struct {
	net.Conn
	most time.Duration

	mu     sync.Mutex // also held while the deadline is set, to keep it consistent with writes
	writes int        // under way
}

func (c *idleConn) Read(p []byte) (int, error) {
	if err := c.limitReads(0); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("no data received for %s, the %s: %w", c.most, jobconfig.PropReadTimeout, err)
	}
	return n, err
}

func (c *idleConn) Write(p []byte) (int, error) {
	if err := c.limitReads(1); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	return n, errors.Join(err, c.limitReads(-1))
}

// limitReads changes the number of writes under way, and sets the deadline of all reads, including
// a waiting one.
func (c *idleConn) limitReads(writes int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes += writes
	if c.writes > 0 {
		return c.SetReadDeadline(time.Time{})
	}
	return c.SetReadDeadline(time.Now().Add(c.most))
}

// httpError removes the address from the library's error, because it contains the query.
func httpError(doing string, at *url.URL, err error) error {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if text := err.Error(); mask.Text(text) != text {
		err = errors.New(mask.Text(text))
	}
	return fmt.Errorf("HTTP %s to %s: %w", doing, shownURL(at.String()), err)
}

// shownURL returns an address for messages, without an account, query or fragment, which may be secrets.
func shownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		address, _, _ = strings.Cut(address, "?")
		_, rest, found := strings.Cut(address, "@") // The part before it may be a password.
		if found {
			return mask.Hidden + "@" + rest
		}
		return mask.Text(address)
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, Opaque: u.Opaque}
	return mask.Text(shown.String())
}

// sameHost follows redirects like Java, not between http and https, where the redirect is the
// answer. Unlike Java it only follows to the same host.
func sameHost(next *http.Request, via []*http.Request) error {
	next.URL.RawQuery = urlquery.Escape(next.URL.RawQuery)
	if next.URL.Scheme != via[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	if from, to := hostPort(via[0].URL), hostPort(next.URL); from != to {
		return fmt.Errorf("redirected to another host, %s, which is not followed; set %s to that address to allow it", to, jobconfig.PropURI)
	}
	const most = 20
	if len(via) >= most {
		return fmt.Errorf("stopped after %d redirects", most)
	}
	return nil
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

func millis(props map[string]string, name string, otherwise time.Duration) (time.Duration, error) {
	value := props[name]
	if value == "" {
		return otherwise, nil
	}
	bounds, _ := jobconfig.NumericProp(name)
	n, err := strconv.Atoi(value)
	if err != nil || !bounds.Has(n) {
		return 0, fmt.Errorf("property %s: %q is not %s, in milliseconds", name, value, bounds)
	}
	return time.Duration(n) * time.Millisecond, nil
}
