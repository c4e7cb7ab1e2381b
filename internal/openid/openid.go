// Package openid signs people in by OpenID Connect: the authorization code flow
// with PKCE, with the provider that the operator configured and no other.
//
//	New ─ no connection
//	 │
//	Begin ── discovery, at the first one that needs it ──▶ provider/.well-known/openid-configuration
//	 │
//	 ├─▶ the address to send the browser to (state, nonce, PKCE challenge)
//	 │
//	Finish ── code and PKCE verifier ──▶ token endpoint ──▶ ID token
//	 │        issuer, audience, expiry, signature, algorithm, nonce
//	 ▼
//	[Person]: subject, name, groups
//
// Every request to the provider has a deadline and a limit on the answer's
// size, follows no redirect, and goes over TLS unless the provider is on this
// machine. Package outbound has no say here: its list is for addresses that
// people enter, and this one is the operator's own.
//
// The package knows no sessions and no cookies: whoever calls it keeps the
// [Flow] of a browser between the two steps and compares the state.
package openid

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Limits on what the provider may take of us. People wait for these answers.
const (
	patience  = 5 * time.Second // for one request
	retry     = 5 * time.Second // between two attempts to find the provider
	maxAnswer = 1 << 20         // bytes of one answer
)

// CallbackPath is where the provider sends browsers back to.
const CallbackPath = "/login/oidc/callback"

// Config names the provider and how it knows us. Fields without a default are
// required.
type Config struct {
	// Issuer is the provider's address, exactly as it calls itself. It must be
	// https unless it is on this machine.
	Issuer string
	// ClientID and ClientSecret are what the provider registered us with. The
	// secret is empty for a public client, which PKCE alone protects.
	ClientID, ClientSecret string
	// RedirectURL is the console's address as browsers know it, with
	// [CallbackPath]. It must be https unless it is on this machine.
	RedirectURL string
	// GroupsClaim is the claim of the ID token that lists the person's groups.
	// Defaults to "groups".
	GroupsClaim string
	// Name is what people call the provider. Defaults to the issuer's host.
	Name string
	// Clock is the time. Defaults to [time.Now].
	Clock func() time.Time
}

// Provider is one OpenID Connect provider. It is safe for concurrent use and
// keeps no connection open.
type Provider struct {
	config Config
	client *http.Client

	discovering sync.Mutex
	found       atomic.Pointer[found]
	failed      atomic.Pointer[failure]
}

// found is what discovery yields. It is kept: keys that the provider changes
// are fetched again when a token names one that is not known.
type found struct {
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
}

type failure struct {
	err error
	at  time.Time
}

// New checks the configuration. It does not connect: a provider that is down
// must not keep the console down.
func New(c Config) (*Provider, error) {
	var problems []error
	require := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	issuer, err := url.Parse(c.Issuer)
	require(err == nil && safe(issuer) && issuer.RawQuery == "", "the issuer %q is not an https address", c.Issuer)
	back, err := url.Parse(c.RedirectURL)
	require(err == nil && safe(back) && back.RawQuery == "", "the redirect URL %q is not an https address", c.RedirectURL)
	require(err != nil || strings.HasSuffix(back.Path, CallbackPath), "the redirect URL %q does not end in %s", c.RedirectURL, CallbackPath)
	require(c.ClientID != "", "the client id is missing")
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("openid: %w", err)
	}
	c.GroupsClaim = cmp.Or(c.GroupsClaim, "groups")
	c.Name = cmp.Or(c.Name, issuer.Host)
	if c.Clock == nil {
		c.Clock = time.Now
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() // with its proxy from the environment
	transport.DisableKeepAlives = true                           // people sign in too rarely for a connection to wait
	return &Provider{config: c, client: &http.Client{
		Timeout:   patience,
		Transport: bounded{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the provider redirects, which is not followed: a secret may be in the request")
		},
	}}, nil
}

// safe reports whether an address may be spoken to: by TLS, or on this machine.
func safe(u *url.URL) bool {
	switch {
	case u.Host == "" || u.User != nil || u.Fragment != "":
		return false
	case u.Scheme == "http":
		ip := net.ParseIP(u.Hostname())
		return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	}
	return u.Scheme == "https"
}

// bounded limits the size of answers: reading on is an error.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
	}
	return resp, err
}

// Name is what people call the provider.
func (p *Provider) Name() string { return p.config.Name }

// Origin is the console as browsers reach it.
func (p *Provider) Origin() string { return strings.TrimSuffix(p.config.RedirectURL, CallbackPath) }

// Fingerprint changes with what decides who a person is.
func (p *Provider) Fingerprint() string {
	return fmt.Sprintf("%q %q %q", p.config.Issuer, p.config.ClientID, p.config.GroupsClaim)
}

// Trouble is why the provider could not be found when somebody last wanted to
// sign in; empty if it could, or nobody did.
func (p *Provider) Trouble() string {
	if last := p.failed.Load(); last != nil {
		return string(Reason(last.err))
	}
	return ""
}

// Flow is what must be remembered of a browser from [Provider.Begin] to
// [Provider.Finish]. It is for nobody else's eyes.
type Flow struct{ State, Nonce, Verifier string }

// NewFlow makes up a flow.
func NewFlow() Flow {
	return Flow{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
}

// Begin returns the address at which the provider asks the person who it is.
// The error matches [ErrUnavailable].
func (p *Provider) Begin(ctx context.Context, flow Flow) (address string, err error) {
	f, err := p.find(ctx)
	if err != nil {
		return "", err
	}
	return f.oauth.AuthCodeURL(flow.State, oidc.Nonce(flow.Nonce), oauth2.S256ChallengeOption(flow.Verifier)), nil
}

// find returns what is known of the provider, or asks it.
func (p *Provider) find(ctx context.Context) (*found, error) {
	if f := p.found.Load(); f != nil {
		return f, nil
	}
	p.discovering.Lock()
	defer p.discovering.Unlock()
	if f := p.found.Load(); f != nil {
		return f, nil
	}
	if last := p.failed.Load(); last != nil {
		// Whoever clicks again at once does not wait again, and strangers cannot
		// make us send a request for each of theirs.
		if ago := p.config.Clock().Sub(last.at); ago >= 0 && ago < retry {
			return nil, last.err
		}
	}
	// What is found is for everybody: a browser that goes away does not end it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	f, err := p.discover(ctx)
	if err != nil {
		err = &Error{Kind: ErrUnavailable, Err: err}
		p.failed.Store(&failure{err: err, at: p.config.Clock()})
		return nil, err
	}
	p.found.Store(f)
	p.failed.Store(nil)
	return f, nil
}

// document is what we read of the discovery document besides what the library
// does.
type document struct {
	Keys        string   `json:"jwks_uri"`
	Scopes      []string `json:"scopes_supported"`
	AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
}

func (p *Provider) discover(ctx context.Context) (*found, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.config.Issuer)
	if err != nil {
		return nil, err
	}
	var doc document
	if err := provider.Claims(&doc); err != nil {
		return nil, fmt.Errorf("read the discovery document: %w", err)
	}
	endpoint := provider.Endpoint()
	local := strings.HasPrefix(p.config.Issuer, "http:")
	for _, address := range []string{endpoint.AuthURL, endpoint.TokenURL, doc.Keys} {
		// One https issuer cannot talk us into speaking in the clear.
		if u, err := url.Parse(address); err != nil || !safe(u) || !local && u.Scheme != "https" {
			return nil, fmt.Errorf("the discovery document names %q, which is no https address", address)
		}
	}
	switch offers := func(method string) bool { return slices.Contains(doc.AuthMethods, method) }; {
	case p.config.ClientSecret == "", offers("client_secret_post") && !offers("client_secret_basic"):
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	default: // what the specification says if the document does not
		endpoint.AuthStyle = oauth2.AuthStyleInHeader
	}
	scopes := []string{oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail}
	if slices.Contains(doc.Scopes, p.config.GroupsClaim) { // some tell the groups only if asked
		scopes = append(scopes, p.config.GroupsClaim)
	}
	return &found{
		oauth:    oauth2.Config{ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, Endpoint: endpoint, RedirectURL: p.config.RedirectURL, Scopes: scopes},
		verifier: provider.Verifier(&oidc.Config{ClientID: p.config.ClientID, Now: p.config.Clock}),
	}, nil
}

// Finish exchanges the code that a browser brought from the provider, and
// returns who it belongs to. Errors match [ErrUnavailable] or [ErrRefused].
func (p *Provider) Finish(ctx context.Context, flow Flow, code string) (Person, error) {
	f, err := p.find(ctx)
	if err != nil {
		return Person{}, err
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), 2*patience)
	defer cancel()
	token, err := f.oauth.Exchange(ctx, code, oauth2.VerifierOption(flow.Verifier))
	if err != nil {
		return Person{}, exchangeError(err)
	}
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return Person{}, &Error{Kind: ErrRefused, Err: errors.New("there is no ID token in the answer")}
	}
	id, err := f.verifier.Verify(ctx, raw)
	if err != nil {
		return Person{}, &Error{Kind: ErrRefused, Err: err}
	}
	person, err := p.person(id, flow.Nonce)
	if err != nil {
		return Person{}, &Error{Kind: ErrRefused, Err: err}
	}
	return person, nil
}

// person reads a verified ID token.
func (p *Provider) person(id *oidc.IDToken, nonce string) (Person, error) {
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(nonce)) != 1 {
		return Person{}, errors.New("the ID token has another nonce: it was not made for this sign-in")
	}
	var claims map[string]json.RawMessage
	if err := id.Claims(&claims); err != nil {
		return Person{}, fmt.Errorf("read the ID token: %w", err)
	}
	// A token for several audiences says for which of them it was made.
	party := text(claims["azp"])
	if party != "" && party != p.config.ClientID || party == "" && len(id.Audience) > 1 {
		return Person{}, fmt.Errorf("the ID token was made for %q", party)
	}
	return newPerson(id.Subject, claims, p.config.GroupsClaim)
}
