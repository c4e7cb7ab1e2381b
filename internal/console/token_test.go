package console

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// forge signs claims by hand.
func forge(t testing.TB, method jwt.SigningMethod, key any, c jwt.Claims) string {
	t.Helper()
	s, err := jwt.NewWithClaims(method, c).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTokenVerification(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	tk := b.console.tokens
	root, _ := b.console.accounts.Load().find("root", RoleRoot)
	good := func() claims {
		return claims{
			RegisteredClaims: jwt.RegisteredClaims{
				Issuer: tokenIssuer, Audience: jwt.ClaimStrings{string(forAPI)}, Subject: "root", ID: "x",
				IssuedAt: jwt.NewNumericDate(noon), ExpiresAt: jwt.NewNumericDate(noon.Add(time.Hour)),
			},
			Role: RoleRoot, Mark: root.mark(tk.key),
		}
	}
	with := func(f func(*claims)) claims { c := good(); f(&c); return c }
	hs := jwt.SigningMethodHS256
	guestToken := b.token(t, RoleGuest, forAPI)
	parts := strings.Split(guestToken, ".")
	rootParts := strings.Split(forge(t, hs, tk.key, good()), ".")

	for name, c := range map[string]struct {
		token string
		want  denial
	}{
		"good":                    {forge(t, hs, tk.key, good()), ""},
		"none":                    {"", tokenMissing},
		"rubbish":                 {"rubbish", tokenInvalid},
		"unsigned":                {forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, good()), tokenInvalid},
		"another algorithm":       {forge(t, jwt.SigningMethodHS512, tk.key, good()), tokenInvalid},
		"another key":             {forge(t, hs, []byte(strings.Repeat("k", 32)), good()), tokenInvalid},
		"guest with root's body":  {parts[0] + "." + rootParts[1] + "." + parts[2], tokenInvalid},
		"another issuer":          {forge(t, hs, tk.key, with(func(c *claims) { c.Issuer = "someone" })), tokenInvalid},
		"a page's token":          {b.token(t, RoleRoot, forPages), tokenInvalid},
		"no expiry":               {forge(t, hs, tk.key, with(func(c *claims) { c.ExpiresAt = nil })), tokenInvalid},
		"expired":                 {forge(t, hs, tk.key, with(func(c *claims) { c.ExpiresAt = jwt.NewNumericDate(noon.Add(-time.Second)) })), tokenExpired},
		"from the future":         {forge(t, hs, tk.key, with(func(c *claims) { c.IssuedAt = jwt.NewNumericDate(noon.Add(time.Hour)) })), tokenInvalid},
		"unknown account":         {forge(t, hs, tk.key, with(func(c *claims) { c.Subject = "eve" })), tokenRevoked},
		"guest as root":           {forge(t, hs, tk.key, with(func(c *claims) { c.Subject = "guest" })), tokenRevoked},
		"old password":            {forge(t, hs, tk.key, with(func(c *claims) { c.Mark = "0011" })), tokenRevoked},
		"without an id to revoke": {forge(t, hs, tk.key, with(func(c *claims) { c.ID = "" })), tokenRevoked},
	} {
		if _, got := tk.verify(c.token, forAPI); got != c.want {
			t.Errorf("%s: denial %q, want %q", name, got, c.want)
		}
	}
}

func TestTokenHoldsNoSecret(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	payload, err := decode(strings.Split(b.token(t, RoleRoot, forPages), ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(payload), "Canary") {
		t.Errorf("the token holds the password: %s", payload)
	}
}

func TestRevocationsAreForgottenWhenTheyExpire(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 3 {
		id, _ := b.console.tokens.verify(b.token(t, RoleRoot, forAPI), forAPI)
		b.console.tokens.revoke(id)
	}
	b.pass(b.console.opts.SessionLifetime + time.Minute)
	id, _ := b.console.tokens.verify(b.token(t, RoleRoot, forAPI), forAPI)
	b.console.tokens.revoke(id)
	if n := len(b.console.tokens.revoked); n != 1 {
		t.Errorf("%d revocations kept, want 1", n)
	}
}

// TestC10ReadKey: a signing key is long, random and its owner's alone.
func TestC10ReadKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	letters := "abcdefghijklmnopqrstuvwxyz"
	write := func(n int, mode os.FileMode) {
		t.Helper()
		_ = os.Remove(path)
		if err := os.WriteFile(path, []byte(strings.Repeat(letters, 2)[:n]), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(31, 0o600)
	if _, err := ReadKey(path); err == nil || !strings.Contains(err.Error(), "31 bytes") {
		t.Errorf("short key: %v", err)
	}
	write(48, 0o644)
	if _, err := ReadKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("key that others read: %v", err)
	}
	write(48, 0o600)
	if key, err := ReadKey(path); err != nil || len(key) != 48 {
		t.Errorf("good key: %d bytes, %v", len(key), err)
	}
	for _, placeholder := range []string{"kk", "secret ", "\x00"} {
		letters = strings.Repeat(placeholder, 26)
		write(48, 0o600)
		if _, err := ReadKey(path); err == nil || !strings.Contains(err.Error(), "placeholder") {
			t.Errorf("%q over and over: %v", placeholder, err)
		}
	}
}

// TestV29RefreshIsBounded: a guest who renews a token as often as possible makes
// a bounded number of rows, and keeps a token that is good.
func TestV29RefreshIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	token, renewed := b.token(t, RoleGuest, forAPI), 0
	for range sessionBurst + 100 {
		r := b.call(t, http.MethodPost, refreshRoute, "", "Authorization: Bearer "+token)
		if r.StatusCode == http.StatusTooManyRequests {
			if r.Header.Get("Retry-After") == "" {
				t.Fatal("nothing says how long to wait")
			}
			continue
		}
		wantStatus(t, r, http.StatusOK)
		var fresh loginResponse
		r.into(t, &fresh)
		token = fresh.AccessToken
		renewed++
	}
	if rows := len(b.settings.revoked); renewed != sessionBurst || rows != sessionBurst {
		t.Errorf("renewed %d times, %d rows, want %d", renewed, rows, sessionBurst)
	}
	wantStatus(t, b.call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token), http.StatusOK)
	// Signing in and out again is bounded by the same number, and nobody else's.
	login := func(user, password string) reply {
		return b.call(t, http.MethodPost, "/api/login", `{"username":"`+user+`","password":"`+password+`"}`, "Authorization: ")
	}
	wantStatus(t, login("guest", "gu3st-Canary-7"), http.StatusTooManyRequests)
	wantStatus(t, login("root", "r00t-Canary-7"), http.StatusOK)
	b.pass(sessionRefill)
	wantStatus(t, login("guest", "gu3st-Canary-7"), http.StatusOK)
}
