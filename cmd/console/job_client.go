package main

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
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// consoleAccess is how a command reaches a console, and how it prints.
type consoleAccess struct {
	Console      string        `default:"http://127.0.0.1:8899" placeholder:"URL" help:"Where the console is, with the path that it is shown below, if there is one."`
	User         string        `placeholder:"NAME" help:"Sign in with this name, for this command only."`
	PasswordFile string        `placeholder:"FILE" help:"A file with the password of --user."`
	TokenFile    string        `placeholder:"FILE" help:"A file with a token that POST /api/login gave, in place of --user."`
	TLSCert      string        `name:"tls-cert" placeholder:"FILE" help:"The certificate of the console, as given to serve: trust this one alone. Default: what the machine trusts."`
	JSON         bool          `name:"json" help:"Print what the console answered, as it is."`
	Timeout      time.Duration `placeholder:"DURATION" help:"End after this time, waiting included. Default: no limit for --wait; a single request takes 20s at most."`
}

// jobAccess is how the commands about jobs of agents reach a console.
type jobAccess struct {
	consoleAccess

	Registry string `placeholder:"NAME" help:"The registry that the job is in. Default: that of the console's command line."`
}

// connect makes a client; nothing is asked yet.
func (a *jobAccess) connect() (*jobClient, error) {
	c, err := a.consoleAccess.connect()
	if err == nil && a.Registry != "" {
		c.query = url.Values{"registry": {a.Registry}}.Encode()
	}
	return c, err
}

// Bounds of what is asked and what is taken.
const (
	callLimit  = 20 * time.Second // of one request; the console itself gives up earlier
	mostAnswer = 16 << 20
	byeLimit   = 3 * time.Second // of ending the session
)

// jobClient speaks to a console. It signs in when it first has to.
type jobClient struct {
	base, query    string
	user, password string
	token          string
	http           *http.Client
	// every is how often a run is looked at; slowest is the longest pause while the
	// console does not answer.
	every, slowest time.Duration
	// patience is how long a log is followed while the console does not answer.
	patience time.Duration
	// look is the command that shows whether the console has acted.
	look string
}

// connect makes a client; nothing is asked yet.
func (a *consoleAccess) connect() (*jobClient, error) {
	base, err := url.Parse(a.Console)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, usage("--console takes an address such as http://127.0.0.1:8899, without a name and a password in it.", "--console is not the address of a console")
	}
	if a.Timeout < 0 {
		return nil, usage("Leave it out for no limit.", "--timeout %v is negative", a.Timeout)
	}
	c := &jobClient{base: strings.TrimRight(base.String(), "/"), user: a.User, every: time.Second, slowest: 10 * time.Second, patience: time.Minute, look: "console job runs"}
	switch given := a.User != "" || a.PasswordFile != ""; {
	case a.TokenFile != "" && given:
		return nil, usage("Give one of them.", "--token-file and --user or --password-file are both given")
	case a.TokenFile != "":
		c.token, err = secret("token", "", a.TokenFile)
	case a.User != "" && a.PasswordFile != "":
		c.password, err = secret("password", "", a.PasswordFile)
	default:
		return nil, usage("Give --user and --password-file, or --token-file with a token of POST /api/login.", "nothing says who is calling")
	}
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, ForceAttemptHTTP2: true}
	if a.TLSCert != "" {
		if transport.TLSClientConfig, err = pinned(a.TLSCert); err != nil {
			return nil, err
		}
	}
	// A token follows no redirect, and a request that changes something would become
	// one that reads.
	c.http = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

// close ends the session that the client began, if it can be done at once.
func (c *jobClient) close(ctx context.Context) {
	if c.user != "" && c.token != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), byeLimit)
		defer cancel()
		_, _ = c.send(ctx, jobCall{method: http.MethodPost, path: "/api/logout"}) // It ends by itself in some hours.
	}
	c.http.CloseIdleConnections()
}

// jobCall is a request to the console.
type jobCall struct {
	method, path string
	query        url.Values
	key          string // the idempotency key
	body         any
}

// jobRefusal is an answer of the console that is an error.
type jobRefusal struct {
	status int
	body   console.ErrorBody
}

func (r *jobRefusal) Error() string {
	kind := "refused"
	switch {
	case r.status == http.StatusUnauthorized:
		kind = "not signed in"
	case r.status == http.StatusForbidden:
		kind = "forbidden"
	case r.status == http.StatusNotFound:
		kind = "not found"
	case r.status == http.StatusNotImplemented:
		kind = "this console cannot do it"
	case r.status >= http.StatusInternalServerError:
		kind = "the console cannot do it now"
	}
	return kind + ": " + strings.TrimSuffix(plain(r.body.Message), ".")
}

// noAnswer is what became of a request that was not answered.
type noAnswer struct{ cause error }

func (n *noAnswer) Error() string { return "no answer from the console: " + n.cause.Error() }
func (n *noAnswer) Unwrap() error { return n.cause }

// call makes a request and returns the body of the answer. A session that has ended is
// begun again, once.
func (c *jobClient) call(ctx context.Context, q jobCall) ([]byte, error) {
	fresh := false
	for {
		if c.token == "" {
			if err := c.signIn(ctx); err != nil {
				return nil, err
			}
			fresh = true
		}
		answer, err := c.send(ctx, q)
		refused, ok := errors.AsType[*jobRefusal](err)
		if !ok || refused.status != http.StatusUnauthorized || c.user == "" || fresh {
			return answer, err
		}
		c.token = ""
	}
}

func (c *jobClient) signIn(ctx context.Context) error {
	answer, err := c.send(ctx, jobCall{method: http.MethodPost, path: "/api/login", body: map[string]string{"username": c.user, "password": c.password}})
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

// send makes one request.
func (c *jobClient) send(ctx context.Context, q jobCall) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, callLimit, fmt.Errorf("none came within %v", callLimit))
	defer cancel()
	req, err := c.request(ctx, q)
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

// stream prints an answer while it comes, however long that takes. The client has signed in.
func (c *jobClient) stream(ctx context.Context, q jobCall, to io.Writer) error {
	req, err := c.request(ctx, q)
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

func (c *jobClient) request(ctx context.Context, q jobCall) (*http.Request, error) {
	var body io.Reader
	if q.body != nil {
		text, err := json.Marshal(q.body)
		if err != nil {
			return nil, fmt.Errorf("write the request: %w", err)
		}
		body = bytes.NewReader(text)
	}
	target := c.base + q.path
	asked := q.query.Encode()
	if c.query != "" && asked != "" {
		asked += "&"
	}
	if asked += c.query; asked != "" {
		target += "?" + asked
	}
	req, err := http.NewRequestWithContext(ctx, q.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	if q.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if q.key != "" {
		req.Header.Set("Idempotency-Key", q.key)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return req, nil
}

// unanswered says why there is no answer, and whether the console may have acted.
func (c *jobClient) unanswered(ctx context.Context, q jobCall, err error) error {
	if ended := context.Cause(ctx); ended != nil {
		err = fmt.Errorf("%s %s%s: %w", q.method, c.base, q.path, ended)
	}
	hint := "Is the console running, and does --console name its address?"
	op, dialling := errors.AsType[*net.OpError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case untrusted:
		return fail("Name the console's certificate with --tls-cert, or its authority with SSL_CERT_FILE.", "%w", &noAnswer{err})
	case dialling && op.Op == "dial" || q.method == http.MethodGet || q.path == "/api/login":
	case q.key != "":
		hint += "\nNobody knows whether it acted. Repeat the command: with the same --key it requests the run once."
	default:
		hint += "\nNobody knows whether it acted: look, before you repeat the command, with `" + c.look + "`."
	}
	return fail(hint, "%w", &noAnswer{err})
}

// refused reads an answer that is an error, whoever gave it.
func (c *jobClient) refused(resp *http.Response, answer []byte) error {
	r := &jobRefusal{status: resp.StatusCode}
	if json.Unmarshal(answer, &r.body) != nil || r.body.Code == "" || r.body.Message == "" {
		r.body = console.ErrorBody{Message: resp.Status + ", " + view.Clip(strings.Join(strings.Fields(string(answer)), " "), 200)}
		if to := resp.Header.Get("Location"); to != "" {
			r.body.Message = resp.Status + " to " + view.Clip(to, 200)
		}
		r.body.Hint = "That is not what a console of ElasticJob for Go answers. Does --console name one, with the path that it is shown below?"
	}
	var hints []string
	for _, f := range r.body.Fields {
		line := plain(f.Field) + ": "
		if f.Value != "" {
			line += "\"" + plain(f.Value) + "\": "
		}
		hints = append(hints, line+plain(f.Want))
	}
	switch {
	case resp.StatusCode == http.StatusUnauthorized && c.user != "":
		hints = append(hints, "Look at --user and --password-file.")
	case resp.StatusCode == http.StatusUnauthorized:
		hints = append(hints, "Write a new token of POST /api/login to the file of --token-file: a token is good for eight hours.")
	case r.body.Hint != "":
		hints = append(hints, plain(r.body.Hint))
	}
	if resp.StatusCode >= http.StatusInternalServerError && r.body.RequestID != "" {
		hints = append(hints, "In the log of the console it is the request "+plain(r.body.RequestID)+".")
	}
	return fail(strings.Join(hints, "\n"), "%w", r)
}
