package openid

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

var (
	// ErrUnavailable: the provider cannot be reached or is not well. Trying
	// again may help.
	ErrUnavailable = errors.New("the provider cannot be used")
	// ErrRefused: the provider did not take the code, or what it gave for it is
	// not a token for us.
	ErrRefused = errors.New("the sign-in was refused")
)

// Error is why somebody could not sign in. It matches its kind. Its text is
// for the log: parts of it are the provider's.
type Error struct {
	Kind error // ErrUnavailable or ErrRefused
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("openid: %v: %v", e.Kind, e.Err) }

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Err} }

// exchangeError tells a provider that says no from one that is away.
func exchangeError(err error) error {
	kind := ErrRefused
	_, network := errors.AsType[*url.Error](err)
	answer, answered := errors.AsType[*oauth2.RetrieveError](err)
	if network || answered && answer.Response != nil && answer.Response.StatusCode >= 500 {
		kind = ErrUnavailable
	}
	return &Error{Kind: kind, Err: err}
}

// Fault is why a provider cannot be used, as a sentence.
type Fault string

// The faults.
const (
	TooSlow     Fault = "It does not answer in time."
	NoSuchHost  Fault = "Its name cannot be looked up."
	Untrusted   Fault = "Its certificate is not trusted."
	Refused     Fault = "It refuses the connection."
	OtherIssuer Fault = "It calls itself by another issuer than the one that is configured."
	OffProtocol Fault = "It does not answer as OpenID Connect demands."
)

// Reason says in our own words why a provider cannot be used. It can be shown
// to a stranger: it has no address and nothing the provider wrote.
func Reason(err error) Fault {
	lookup, isLookup := errors.AsType[*net.DNSError](err)
	timed, isTimed := errors.AsType[net.Error](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, renamed := errors.AsType[*oidc.IssuerMismatchError](err)
	switch {
	case errors.Is(err, context.DeadlineExceeded), isTimed && timed.Timeout() && (!isLookup || lookup.IsTimeout):
		return TooSlow
	case isLookup:
		return NoSuchHost
	case untrusted:
		return Untrusted
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case renamed:
		return OtherIssuer
	}
	return OffProtocol
}
