// Package notify sends a message to the destination that a job's properties name, in
// ElasticJob's spelling: a mail, a robot of WeChat Work or DingTalk, or an address that
// takes JSON.
//
//	type, properties ──▶ New ──▶ Sender ──▶ SMTP server       EMAIL
//	                      │        │    ├──▶ chat robot        WECHAT, DINGTALK
//	  what is wrong with ─┘        │    └──▶ JSON by POST      WEBHOOK
//	  them, all at once            ▼
//	                     an error without secrets; Final: useless to try again
//
// Agents send with it what a handler reported, the scheduler of ElasticJob-Cloud which runs
// failed. When, how often and to whom it is allowed is theirs to decide.
//
// # Guarantees
//
//   - A delivery ends within Sender.Timeout, and with its context.
//   - A password, a signing secret or a webhook's token appears in no error and in no
//     formatted Sender.
//   - A redirect is followed nowhere: it would take the token elsewhere.
//   - Texts are cut to what the services accept, and what is read of an answer is bounded.
//
// # Not guaranteed
//
//   - That the message arrives, or arrives once: after an error it may have been taken.
package notify

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// The types of notifiers.
const (
	TypeEmail    = "EMAIL"    // sends a mail
	TypeWechat   = "WECHAT"   // posts to a WeChat Work robot
	TypeDingTalk = "DINGTALK" // posts to a DingTalk robot
	TypeWebhook  = "WEBHOOK"  // posts JSON
)

// ErrUnknownType says that a type is none of a notifier.
var ErrUnknownType = errors.New("no notifier has this type")

// Options tunes the senders.
type Options struct {
	// Log receives the steps of a mail if the property email.debug asks for them. Defaults
	// to [slog.Default].
	Log *slog.Logger
	// Timeout bounds one delivery, whatever the properties allow. Defaults to one minute.
	Timeout time.Duration
	// Dial opens connections to destinations. Defaults to TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Proxy is the HTTP proxy for a request, nil for none. Defaults to that of the
	// environment.
	Proxy func(*http.Request) (*url.URL, error)
	// DialProxy opens connections to it. Defaults to Dial.
	DialProxy func(ctx context.Context, network, addr string) (net.Conn, error)
	// RootCAs are the authorities that mail servers and webhooks are verified with. Defaults
	// to those of the system.
	RootCAs *x509.CertPool
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	if o.DialProxy == nil {
		o.DialProxy = o.Dial
	}
	return o
}

// Message is what is sent.
type Message struct {
	Text string
	// Document is what a WEBHOOK sends as JSON instead of the text.
	Document any
}

// Sender sends messages to one destination. It holds nothing and is safe for concurrent use.
type Sender struct {
	Type string
	// Place is the destination as a log may have it.
	Place string
	// Address is the host and the port of the destination; empty if its address is none.
	Address string
	// Timeout bounds one delivery.
	Timeout time.Duration

	destination string // with its secrets
	scrub       scrubber
	send        func(ctx context.Context, m Message) error
}

// New makes the sender of a type, with its properties checked by ElasticJob's rules. The
// error is an ErrUnknownType, or lists every property that is wrong. New connects to nothing,
// so it also serves to check a configuration.
func New(typeName string, props map[string]string, o Options) (*Sender, error) {
	o = o.withDefaults()
	r := reader{props: props}
	var s *Sender
	switch typeName {
	case TypeEmail:
		s = newEmail(&r, o)
	case TypeWechat:
		s = newWechat(&r, o)
	case TypeDingTalk:
		s = newDingTalk(&r, o)
	case TypeWebhook:
		s = newWebhook(&r, o)
	default:
		return nil, fmt.Errorf("%s: %w", typeName, ErrUnknownType)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	s.Type, s.Timeout = typeName, min(s.Timeout, o.Timeout)
	return s, nil
}

// Send delivers a message without the secrets in its text. Its error has none either.
func (s *Sender) Send(ctx context.Context, m Message) error {
	m.Text = mask.Text(m.Text)
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	return s.scrub.error(s.send(ctx, m))
}

// Key tells the destination from others. It may hold secrets.
func (s *Sender) Key() string { return s.destination }

// Hide takes the sender's secrets out of a text.
func (s *Sender) Hide(text string) string { return s.scrub.text(text) }

// String names the sender without its secrets, however it is formatted.
func (s *Sender) String() string { return s.Type + " " + s.Place }

// GoString is String: the %#v form would show the fields.
func (s *Sender) GoString() string { return s.String() }

// finalError is one after which trying again is useless.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

func final(err error) error {
	if err == nil {
		return nil
	}
	return finalError{err}
}

// Final reports whether an error of [Sender.Send] stays until somebody changes something. Any
// other one may pass.
func Final(err error) bool {
	for {
		hidden, ok := errors.AsType[*maskedError](err)
		if !ok {
			break
		}
		err = hidden.err // It shows nothing of itself but its text.
	}
	_, is := errors.AsType[finalError](err)
	return is
}

// hostPort is the host and the port of an address; empty if it has none that is spoken to.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	case u.Scheme == "http":
		port = "80"
	default:
		return ""
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Clip cuts a text to at most limit bytes, between characters, and says so.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("\n... (%d bytes in all)", len(text))
	end := max(0, limit-len(note))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	// A copy, so that the rest can be freed.
	return text[:end] + note
}
