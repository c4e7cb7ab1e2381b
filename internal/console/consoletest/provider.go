package consoletest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/openid"
)

const (
	OidcClient = "elasticjob"
	OidcSecret = "cl1ent-Canary-7"
	// oidcBack is the console as browsers know it: the test's browser knows that
	// it is the bench.
	oidcBack = "http://localhost/login/oidc/callback"
)

// IDP is a small OpenID Connect provider that is strict about PKCE, clients and
// codes, and lies in ID tokens on demand.
type IDP struct {
	*httptest.Server
	key  *ecdsa.PrivateKey
	Back string // where it sends browsers back to

	mu     sync.Mutex
	asked  map[string]int   // requests by path
	codes  map[string]grant // not yet exchanged
	Down   bool
	Deny   url.Values                    // what it answers instead of a code
	Claims jwt.MapClaims                 // of the person who signs in
	Sign   func(jwt.MapClaims) string    // nil: correctly
	Answer func(http.ResponseWriter)     // of the token endpoint; nil: correctly
	public *ecdsa.PublicKey              // what it says its key is
	errors []string                      // what clients did wrong
	extra  func(document map[string]any) // changes the discovery document
}

type grant struct{ nonce, challenge string }

// NewIDP starts a provider.
func NewIDP(t *testing.T) *IDP {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &IDP{key: key, Back: oidcBack, public: &key.PublicKey, asked: map[string]int{}, codes: map[string]grant{}}
	p.Claims = jwt.MapClaims{"sub": "7f3c", "preferred_username": "alice", "groups": []string{"staff", "ops"}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /keys", p.keys)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked[r.URL.Path]++
		if p.Down {
			http.Error(w, "<b>down for maintenance</b>", http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		p.Close()
		if len(p.errors) > 0 {
			t.Errorf("the console did wrong: %q", p.errors)
		}
	})
	return p
}

// Set changes the provider while a console uses it.
func (p *IDP) Set(change func(*IDP)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// Requests is how often an address of the provider was asked for.
func (p *IDP) Requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

func (p *IDP) discovery(w http.ResponseWriter, _ *http.Request) {
	document := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"}, "scopes_supported": []string{"openid", "groups"},
	}
	if p.extra != nil {
		p.extra(document)
	}
	writeTestJSON(w, document)
}

func (p *IDP) keys(w http.ResponseWriter, _ *http.Request) {
	raw, err := p.public.Bytes() // 4, x, y
	if err != nil {
		panic(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	writeTestJSON(w, map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "k1", "x": b64(raw[1:33]), "y": b64(raw[33:65]),
	}}})
}

func (p *IDP) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": OidcClient, "redirect_uri": p.Back, "code_challenge_method": "S256", "scope": "openid profile email groups",
	} {
		if got := q.Get(name); got != want {
			p.errors = append(p.errors, name+"="+got)
		}
	}
	if len(q.Get("state")) < 20 || len(q.Get("nonce")) < 20 || len(q.Get("code_challenge")) != 43 {
		p.errors = append(p.errors, "weak request "+r.URL.RawQuery)
	}
	back := url.Values{"state": {q.Get("state")}}
	if p.Deny != nil {
		for name, values := range p.Deny {
			back[name] = values
		}
	} else {
		code := rand.Text()
		p.codes[code] = grant{nonce: q.Get("nonce"), challenge: q.Get("code_challenge")}
		back.Set("code", code)
	}
	http.Redirect(w, r, p.Back+"?"+back.Encode(), http.StatusFound)
}

func (p *IDP) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	code := r.PostFormValue("code")
	g, known := p.codes[code]
	delete(p.codes, code)
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != OidcClient || secret != OidcSecret || r.PostFormValue("redirect_uri") != p.Back ||
		base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge {
		w.WriteHeader(http.StatusBadRequest)
		writeTestJSON(w, map[string]any{"error": "invalid_grant", "error_description": "<script>no</script>"})
		return
	}
	if p.Answer != nil {
		p.Answer(w)
		return
	}
	claims := jwt.MapClaims{"iss": p.URL, "aud": OidcClient, "iat": Noon.Unix(), "exp": Noon.Add(5 * time.Minute).Unix(), "nonce": g.nonce}
	for name, value := range p.Claims {
		claims[name] = value
		if value == nil {
			delete(claims, name)
		}
	}
	sign := p.Sign
	if sign == nil {
		sign = p.signed(p.key)
	}
	writeTestJSON(w, map[string]any{"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": sign(claims)})
}

// signed signs with a key under the name that the provider's has.
func (p *IDP) signed(key *ecdsa.PrivateKey) func(jwt.MapClaims) string {
	return func(c jwt.MapClaims) string { return SignWith(jwt.SigningMethodES256, key, c) }
}

// SignWith is a token with claims, signed.
func SignWith(method jwt.SigningMethod, key any, c jwt.MapClaims) string {
	token := jwt.NewWithClaims(method, c)
	token.Header["kid"] = "k1"
	text, err := token.SignedString(key)
	if err != nil {
		panic(err)
	}
	return text
}

func writeTestJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}

// WithIDP makes people of a provider sign in: ops operate, staff look.
func WithIDP(t *testing.T, p *IDP) func(*app.Options) {
	return func(o *app.Options) {
		provider, err := openid.New(openid.Config{
			Issuer: p.URL, ClientID: OidcClient, ClientSecret: OidcSecret, RedirectURL: p.Back, Name: "Acme & Co", Clock: o.Clock,
		})
		if err != nil {
			t.Fatal(err)
		}
		o.OIDC = &auth.OIDC{Provider: provider, RootGroup: "ops", GuestGroup: "staff"}
	}
}

// Surfer is a browser: it keeps cookies, and follows redirects on demand.
type Surfer struct {
	*http.Client
	bench *Bench
}

// Surfer is a browser that begins at the bench.
func (b *Bench) Surfer(t *testing.T) *Surfer {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Surfer{&http.Client{Transport: transport, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, b}
}

// Open loads an address: of the console if it has no host, or the one that
// oidcBack names.
func (s *Surfer) Open(t *testing.T, method, address string) Reply {
	t.Helper()
	if rest, ok := strings.CutPrefix(address, "http://localhost/"); ok {
		address = "/" + rest
	}
	if strings.HasPrefix(address, "/") {
		address = s.bench.URL + address
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	number := s.bench.requests.number(req)
	r, err := s.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	s.bench.requests.wait(number)
	return Reply{Response: r, Body: string(body)}
}

// Get asks for an address and does not follow redirects.
func (s *Surfer) Get(t *testing.T, address string) Reply {
	t.Helper()
	return s.Open(t, http.MethodGet, address)
}

// ToProvider begins a sign-in and returns the address that the provider sends
// the browser back to.
func (s *Surfer) ToProvider(t *testing.T, next string) (back string) {
	t.Helper()
	r := s.Get(t, "/login/oidc?next="+url.QueryEscape(next))
	WantStatus(t, r, http.StatusSeeOther)
	r = s.Get(t, r.Header.Get("Location"))
	WantStatus(t, r, http.StatusFound)
	return r.Header.Get("Location")
}

// SignIn goes all the way.
func (s *Surfer) SignIn(t *testing.T, next string) Reply {
	t.Helper()
	return s.Get(t, s.ToProvider(t, next))
}
