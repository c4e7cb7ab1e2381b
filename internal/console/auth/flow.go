package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/openid"
)

const (
	// FlowLifetime is how long a person may take at the provider.
	FlowLifetime = 10 * time.Minute
	// maxFlowCookie is what browsers are sure to keep.
	maxFlowCookie = 3800
)

// Flow is a sign-in by OpenID Connect that goes on: what the browser's cookie
// carries from the address that sends it to the provider to the one that takes
// what it brings from there.
type Flow struct {
	openid.Flow
	Next string
	Ends time.Time
}

// NewFlow begins a sign-in that leads to next.
func (g *Gate) NewFlow(next string) Flow {
	return Flow{Flow: openid.NewFlow(), Next: next, Ends: g.now().Add(FlowLifetime)}
}

// flowCipher encrypts flows with a key of its own, made of the one that signs
// sessions.
func (g *Gate) flowCipher() cipher.AEAD {
	block, err := aes.NewCipher(g.Sign("oidc flow", nil))
	if err != nil {
		panic(fmt.Sprintf("console: flow cipher: %v", err)) // the key has 32 bytes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(fmt.Sprintf("console: flow cipher: %v", err)) // AES has the right block size
	}
	return aead
}

// Seal is a flow as the cookie's value. A place to go back to that is too long
// for a cookie is given up.
func (g *Gate) Seal(f Flow) string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(fmt.Sprintf("console: flow: %v", err)) // strings and a time always marshal
	}
	value := base64.RawURLEncoding.EncodeToString(g.flowCipher().Seal(nil, nil, text, nil))
	if len(value) > maxFlowCookie {
		f.Next = "/"
		return g.Seal(f)
	}
	return value
}

// Unseal returns the flow of a cookie's value, if it is one of this console that
// has not ended.
func (g *Gate) Unseal(value string) (f Flow, ok bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return f, false
	}
	text, err := g.flowCipher().Open(nil, nil, sealed, nil)
	if err != nil || json.Unmarshal(text, &f) != nil {
		return Flow{}, false
	}
	return f, f.State != "" && g.now().Before(f.Ends)
}
