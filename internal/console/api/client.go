package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Limits of requests and answers.
const (
	callLimit   = 20 * time.Second // of one request; the console itself gives up earlier
	mostAnswer  = 16 << 20
	logoutLimit = 3 * time.Second
	mostAtOnce  = 32 // connections that are kept
)

// Options configure a [Client].
type Options struct {
	Console        string // its address, with the path that it is shown below
	User, Password string // for a session that ends with the client
	Token          string // in place of a user
	Registry       string // empty: the registry of the console's command line
	TLS            *tls.Config
	// Look is the command that shows whether the console has acted.
	Look string
	// Renew is the advice for a user whose token has expired.
	Renew string
}

// Client sends requests to a console. It signs in when the first request needs a token. It's safe for
// concurrent use.
type Client struct {
	options Options
	base    string
	query   string
	http    *http.Client

	mu    sync.Mutex // held while it signs in
	token string
}

// New returns a client. It sends nothing yet.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.Console)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("it's not the address of a console, such as http://127.0.0.1:8899")
	}
	c := &Client{options: o, base: strings.TrimRight(base.String(), "/"), token: o.Token}
	if o.Registry != "" {
		c.query = url.Values{"registry": {o.Registry}}.Encode()
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, ForceAttemptHTTP2: true, TLSClientConfig: o.TLS, MaxIdleConnsPerHost: mostAtOnce}
	// A redirect could lead the token elsewhere, and would turn a POST into a GET.
	c.http = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

// Base returns the address of the console.
func (c *Client) Base() string { return c.base }

// Close ends the session if the client began it, and the console can be reached at once.
func (c *Client) Close(ctx context.Context) {
	if c.options.User != "" && c.session() != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), logoutLimit)
		defer cancel()
		_ = c.Logout(ctx) // The session ends by itself in some hours.
	}
	c.http.CloseIdleConnections()
}

// Call is a request to the console.
type Call struct {
	Method, Path string
	Query        url.Values
	Key          string // the idempotency key
	Body         any    // JSON, unless it's a [Text]
	Header       http.Header
}

// Text is a body that is sent as it is.
type Text struct {
	Type    string
	Content []byte
}

// Error is an error with its remedy.
type Error struct {
	Err    error
	Remedy string
}

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error without the remedy.
func (e *Error) Unwrap() error { return e.Err }

// Hint returns the remedy.
func (e *Error) Hint() string { return e.Remedy }

func fail(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Remedy: hint}
}

// Refusal is an answer of the console that is an error.
type Refusal struct {
	Status int
	Body   ErrorBody
}

// Error implements error.
func (r *Refusal) Error() string {
	kind := "refused"
	switch {
	case r.Status == http.StatusUnauthorized:
		kind = "not signed in"
	case r.Status == http.StatusForbidden:
		kind = "forbidden"
	case r.Status == http.StatusNotFound:
		kind = "not found"
	case r.Status == http.StatusNotImplemented:
		kind = "this console cannot do it"
	case r.Status >= http.StatusInternalServerError:
		kind = "the console cannot do it now"
	}
	return kind + ": " + strings.TrimSuffix(Plain(r.Body.Message), ".")
}

// NoAnswer wraps the reason why a request was not answered.
type NoAnswer struct{ Cause error }

// Error implements error.
func (n *NoAnswer) Error() string { return "no answer from the console: " + n.Cause.Error() }

// Unwrap returns the reason.
func (n *NoAnswer) Unwrap() error { return n.Cause }

// Passes reports whether the same request may succeed later.
func Passes(err error) bool {
	refused, _ := errors.AsType[*Refusal](err)
	_, silent := errors.AsType[*NoAnswer](err)
	return silent || refused != nil && (refused.Status >= http.StatusInternalServerError || refused.Status == http.StatusTooManyRequests)
}

// NotFound reports whether the console answered that something doesn't exist.
func NotFound(err error) bool {
	refused, ok := errors.AsType[*Refusal](err)
	return ok && refused.Status == http.StatusNotFound
}

// Do sends a request, and returns the body of the answer. If the session has ended, it signs in
// again, once.
func (c *Client) Do(ctx context.Context, q Call) ([]byte, error) {
	over := "" // the token of a session that has ended
	for {
		token, fresh, err := c.sessionAfter(ctx, over)
		if err != nil {
			return nil, err
		}
		answer, err := c.send(ctx, q, token)
		refused, ok := errors.AsType[*Refusal](err)
		if !ok || refused.Status != http.StatusUnauthorized || c.options.User == "" || fresh {
			return answer, err
		}
		over = token
	}
}

// session returns the token of the session, empty if there's none.
func (c *Client) session() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.token
}

// sessionAfter returns the token of the session after a given session that has ended. Only the first of
// several callers signs in.
func (c *Client) sessionAfter(ctx context.Context, over string) (token string, fresh bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != over {
		return c.token, false, nil
	}
	err = c.login(ctx)
	return c.token, true, err
}

// Ask sends a request, and decodes the answer.
func (c *Client) Ask(ctx context.Context, q Call, into any) (raw []byte, err error) {
	if raw, err = c.Do(ctx, q); err != nil {
		return raw, err
	}
	return raw, c.Decode(raw, into)
}

// Decode decodes an answer.
func (c *Client) Decode(raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fail("Does --console name a console of ElasticJob for Go?", "%s answered with something else: %w", c.base, err)
	}
	return nil
}

// Login begins a session with the user and the password, and returns its token.
func (c *Client) Login(ctx context.Context) (token string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.login(ctx)
	return c.token, err
}

func (c *Client) login(ctx context.Context) error {
	c.token = ""
	answer, err := c.send(ctx, Call{Method: http.MethodPost, Path: "/api/login", Body: map[string]string{"username": c.options.User, "password": c.options.Password}}, "")
	if err != nil {
		return err
	}
	var got struct {
		AccessToken string `json:"accessToken"`
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.AccessToken == "" {
		return fail("Does --console name a console of ElasticJob for Go?", "%s gave no token for a name and a password", c.base)
	}
	c.token = got.AccessToken
	return nil
}

// Logout ends the session of the token.
func (c *Client) Logout(ctx context.Context) error {
	_, err := c.send(ctx, Call{Method: http.MethodPost, Path: "/api/logout"}, c.session())
	return err
}

func (c *Client) send(ctx context.Context, q Call, token string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, callLimit, fmt.Errorf("none came within %v", callLimit))
	defer cancel()
	req, err := c.request(ctx, q, token)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unanswered(ctx, q, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	switch {
	case err != nil:
		return nil, c.unanswered(ctx, q, err)
	case len(answer) > mostAnswer:
		return nil, fail("Ask for less with --limit.", "%s answered with more than %d MiB", c.base, mostAnswer>>20)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return nil, c.refused(resp, answer)
	}
	return answer, nil
}

// Stream writes an answer while it arrives, however long that takes. The client must have signed in.
func (c *Client) Stream(ctx context.Context, q Call, to io.Writer) error {
	req, err := c.request(ctx, q, c.session())
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return c.unanswered(ctx, q, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		answer, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
		if err != nil {
			return c.unanswered(ctx, q, err)
		}
		return c.refused(resp, answer)
	}
	if _, err := io.Copy(to, resp.Body); err != nil {
		return c.unanswered(ctx, q, err)
	}
	return nil
}

func (c *Client) request(ctx context.Context, q Call, token string) (*http.Request, error) {
	content := "application/json"
	var body io.Reader
	switch b := q.Body.(type) {
	case nil:
		content = ""
	case Text:
		content, body = b.Type, bytes.NewReader(b.Content)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return nil, fmt.Errorf("write the request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	target := c.base + q.Path
	asked := q.Query.Encode()
	if c.query != "" && asked != "" {
		asked += "&"
	}
	if asked += c.query; asked != "" {
		separator := "?"
		if strings.Contains(target, "?") {
			separator = "&"
		}
		target += separator + asked
	}
	req, err := http.NewRequestWithContext(ctx, q.Method, target, body)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	for name, values := range q.Header {
		req.Header[name] = values
	}
	for name, value := range map[string]string{"Accept": "application/json", "Content-Type": content, "Idempotency-Key": q.Key} {
		if value != "" && req.Header.Get(name) == "" {
			req.Header.Set(name, value)
		}
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}

// unanswered adds to the reason why there is no answer whether the console may have acted.
func (c *Client) unanswered(ctx context.Context, q Call, err error) error {
	if ended := context.Cause(ctx); ended != nil {
		err = fmt.Errorf("%s %s%s: %w", q.Method, c.base, q.Path, ended)
	}
	hint := "Is the console running, and does --console name its address?"
	op, dialling := errors.AsType[*net.OpError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case untrusted:
		return fail("Name the console's certificate with --tls-cert, or its authority with SSL_CERT_FILE.", "%w", &NoAnswer{err})
	case dialling && op.Op == "dial" || q.Method == http.MethodGet || q.Path == "/api/login":
	case q.Key != "":
		hint += "\nIt isn't known whether the console acted. Repeat the command: with the same --key it requests the run once."
	default:
		hint += "\nIt isn't known whether the console acted. Before you repeat the command, look with `" + c.options.Look + "`."
	}
	return fail(hint, "%w", &NoAnswer{err})
}

// refused returns the error of an answer, which may come from another program than a console.
func (c *Client) refused(resp *http.Response, answer []byte) error {
	r := &Refusal{Status: resp.StatusCode}
	if json.Unmarshal(answer, &r.Body) != nil || r.Body.Code == "" || r.Body.Message == "" {
		r.Body = ErrorBody{Message: resp.Status + ", " + jobtree.Clip(strings.Join(strings.Fields(string(answer)), " "), 200)}
		if to := resp.Header.Get("Location"); to != "" {
			r.Body.Message = resp.Status + " to " + jobtree.Clip(to, 200)
		}
		r.Body.Hint = "A console of ElasticJob for Go doesn't answer like this. Does --console name one, with the path that it is shown below?"
	}
	var hints []string
	for _, f := range r.Body.Fields {
		line := Plain(f.Field) + ": "
		if f.Value != "" {
			line += "\"" + Plain(f.Value) + "\": "
		}
		hints = append(hints, line+Plain(f.Want))
	}
	switch {
	case resp.StatusCode == http.StatusUnauthorized && c.options.User != "":
		hints = append(hints, "Look at --user and --password-file.")
	case resp.StatusCode == http.StatusUnauthorized:
		hints = append(hints, c.options.Renew)
	case r.Body.Hint != "":
		hints = append(hints, Plain(r.Body.Hint))
	}
	if resp.StatusCode >= http.StatusInternalServerError && r.Body.RequestID != "" {
		hints = append(hints, "In the log of the console it is the request "+Plain(r.Body.RequestID)+".")
	}
	return fail(strings.Join(hints, "\n"), "%w", r)
}
