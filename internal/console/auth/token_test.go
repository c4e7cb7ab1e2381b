package auth

import (
	"encoding/base64"
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
	b := newFixture(t)
	root, _ := b.Account("root", RoleRoot)
	good := func() claims {
		return claims{
			RegisteredClaims: jwt.RegisteredClaims{
				Issuer: tokenIssuer, Audience: jwt.ClaimStrings{string(ForAPI)}, Subject: "root", ID: "x",
				IssuedAt: jwt.NewNumericDate(noon), ExpiresAt: jwt.NewNumericDate(noon.Add(time.Hour)),
			},
			Role: RoleRoot, Mark: root.mark(b.key),
		}
	}
	with := func(f func(*claims)) claims { c := good(); f(&c); return c }
	hs := jwt.SigningMethodHS256
	guestToken := b.token(t, RoleGuest, ForAPI)
	parts := strings.Split(guestToken, ".")
	rootParts := strings.Split(forge(t, hs, b.key, good()), ".")

	for name, c := range map[string]struct {
		token string
		want  Denial
	}{
		"good":                    {forge(t, hs, b.key, good()), ""},
		"none":                    {"", TokenMissing},
		"rubbish":                 {"rubbish", TokenInvalid},
		"unsigned":                {forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, good()), TokenInvalid},
		"another algorithm":       {forge(t, jwt.SigningMethodHS512, b.key, good()), TokenInvalid},
		"another key":             {forge(t, hs, []byte(strings.Repeat("k", 32)), good()), TokenInvalid},
		"guest with root's body":  {parts[0] + "." + rootParts[1] + "." + parts[2], TokenInvalid},
		"another issuer":          {forge(t, hs, b.key, with(func(c *claims) { c.Issuer = "someone" })), TokenInvalid},
		"a page's token":          {b.token(t, RoleRoot, ForPages), TokenInvalid},
		"no expiry":               {forge(t, hs, b.key, with(func(c *claims) { c.ExpiresAt = nil })), TokenInvalid},
		"expired":                 {forge(t, hs, b.key, with(func(c *claims) { c.ExpiresAt = jwt.NewNumericDate(noon.Add(-time.Second)) })), TokenExpired},
		"from the future":         {forge(t, hs, b.key, with(func(c *claims) { c.IssuedAt = jwt.NewNumericDate(noon.Add(time.Hour)) })), TokenInvalid},
		"unknown account":         {forge(t, hs, b.key, with(func(c *claims) { c.Subject = "eve" })), TokenRevoked},
		"guest as root":           {forge(t, hs, b.key, with(func(c *claims) { c.Subject = "guest" })), TokenRevoked},
		"old password":            {forge(t, hs, b.key, with(func(c *claims) { c.Mark = "0011" })), TokenRevoked},
		"without an id to revoke": {forge(t, hs, b.key, with(func(c *claims) { c.ID = "" })), TokenRevoked},
	} {
		if _, got := b.Verify(c.token, ForAPI); got != c.want {
			t.Errorf("%s: Denial %q, want %q", name, got, c.want)
		}
	}
}

func TestTokenHoldsNoSecret(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(b.token(t, RoleRoot, ForPages), ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(payload), "Canary") {
		t.Errorf("the token holds the password: %s", payload)
	}
}

func TestRevocationsAreForgottenWhenTheyExpire(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	for range 3 {
		id, _ := b.Verify(b.token(t, RoleRoot, ForAPI), ForAPI)
		b.Revoke(id)
	}
	b.pass(testLifetime + time.Minute)
	id, _ := b.Verify(b.token(t, RoleRoot, ForAPI), ForAPI)
	b.Revoke(id)
	if n := len(b.revoked); n != 1 {
		t.Errorf("%d revocations kept, want 1", n)
	}
}

// TestC10ReadKey: a signing key is long, random and nobody's but its owner's and, for reading,
// its group's: so Kubernetes mounts secrets.
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
	for mode, ok := range map[os.FileMode]bool{0o644: false, 0o604: false, 0o660: false, 0o640: true, 0o440: true} {
		write(48, 0o600)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKey(path); ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("key of mode %o: %v", mode, err)
		}
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
