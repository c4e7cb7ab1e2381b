package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"time"
)

// mailTimeout bounds the sending of one mail. ElasticJob waits for ever.
const mailTimeout = 30 * time.Second

// mailer sends mails by the settings of one job.
type mailer struct {
	host, address      string // address with the port
	username, password string
	implicitTLS        bool     // TLS from the first byte
	trust              []string // hosts whose certificate is not looked at, "*" for all
	subject            string
	from, to, cc, bcc  string
	debug              bool
	opts               Options
}

// send delivers a text to all recipients. It fails if one of them is refused,
// but the others get their mail.
func (m *mailer) send(ctx context.Context, message Message) error {
	l, err := m.compose(message.Text, time.Now())
	if err != nil {
		return final(err)
	}
	conn, err := m.opts.Dial(ctx, "tcp", m.address)
	if err != nil {
		return fmt.Errorf("connect to mail server: %w", err)
	}
	defer func() { _ = conn.Close() }() // After QUIT, or after an error that says more.
	// net/smtp knows no context: a deadline in the past ends its waits.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := m.converse(ctx, conn, l); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", err, context.Cause(ctx))
		}
		if answer, ok := errors.AsType[*textproto.Error](err); ok && answer.Code >= 500 {
			return final(err) // The server says that it will not pass.
		}
		return err
	}
	return nil
}

func (m *mailer) converse(ctx context.Context, conn net.Conn, l letter) error {
	if m.implicitTLS {
		secure := tls.Client(conn, m.tls(slices.Contains(m.trust, "*") || slices.Contains(m.trust, m.host)))
		if err := secure.HandshakeContext(ctx); err != nil {
			return fmt.Errorf("TLS with mail server: %w", err)
		}
		conn = secure
		m.trace(ctx, "encrypted")
	}
	c, err := smtp.NewClient(conn, m.host)
	if err != nil {
		return fmt.Errorf("greeting of mail server: %w", err)
	}
	if err := c.Hello(localName()); err != nil {
		return fmt.Errorf("EHLO: %w", err)
	}
	if offered, _ := c.Extension("STARTTLS"); offered && !m.implicitTLS {
		// Plain text was asked for, so there is no certificate to insist on.
		if err := c.StartTLS(m.tls(true)); err != nil {
			return fmt.Errorf("STARTTLS: %w", err)
		}
		m.trace(ctx, "encrypted")
	}
	if m.username != "" {
		auth, err := m.auth(c)
		if err != nil {
			return err
		}
		if err := c.Auth(auth); err != nil {
			return fmt.Errorf("mail server refused user %s: %w", m.username, err)
		}
		m.trace(ctx, "authenticated")
	}
	if err := c.Mail(l.from); err != nil {
		return fmt.Errorf("mail server refused sender %s: %w", l.from, err)
	}
	var refused []error
	for _, recipient := range l.recipients {
		if err := c.Rcpt(recipient); err != nil {
			refused = append(refused, fmt.Errorf("mail server refused recipient %s: %w", recipient, err))
		}
	}
	if len(refused) == len(l.recipients) {
		return errors.Join(refused...)
	}
	w, err := c.Data()
	if err != nil {
		return fmt.Errorf("mail server refused the mail: %w", err)
	}
	if _, err := w.Write(l.content); err != nil {
		return fmt.Errorf("send mail: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("mail server refused the mail: %w", err)
	}
	m.trace(ctx, "accepted")
	_ = c.Quit()                          // The server has taken the mail; how it says goodbye changes nothing.
	return final(errors.Join(refused...)) // The others would get theirs again.
}

// trace shows the steps of a delivery if the property email.debug asks for it.
func (m *mailer) trace(ctx context.Context, step string) {
	if m.debug {
		m.opts.Log.InfoContext(ctx, "mail", "server", m.address, "step", step)
	}
}

func (m *mailer) tls(unverified bool) *tls.Config {
	return &tls.Config{
		ServerName: m.host, RootCAs: m.opts.RootCAs, MinVersion: tls.VersionTLS12,
		InsecureSkipVerify: unverified,
	}
}

// localName is what this machine calls itself.
func localName() string {
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsAny(name, " \r\n") {
		return "localhost"
	}
	return name
}

// auth picks the way to log in.
func (m *mailer) auth(c *smtp.Client) (smtp.Auth, error) {
	_, offered := c.Extension("AUTH")
	ways := strings.Fields(strings.ToUpper(offered))
	switch {
	case slices.Contains(ways, "PLAIN"):
		return plain{m.username, m.password}, nil
	case slices.Contains(ways, "LOGIN"):
		return &login{answers: []string{m.username, m.password}}, nil
	}
	return nil, final(fmt.Errorf("mail server offers neither AUTH PLAIN nor AUTH LOGIN, only %q; without a login, leave %s empty", offered, emailUsername))
}

// plain is AUTH PLAIN. That of net/smtp refuses connections without TLS; here
// the job's configuration decides, as in ElasticJob.
type plain struct{ username, password string }

func (a plain) Start(*smtp.ServerInfo) (string, []byte, error) {
	return "PLAIN", []byte("\x00" + a.username + "\x00" + a.password), nil
}

func (plain) Next(_ []byte, more bool) ([]byte, error) {
	if more {
		return nil, errors.New("AUTH PLAIN: the server asks for more than a password")
	}
	return nil, nil
}

// login is AUTH LOGIN, which net/smtp lacks and some servers have alone: the
// server asks for the name and then for the password.
type login struct{ answers []string }

func (*login) Start(*smtp.ServerInfo) (string, []byte, error) { return "LOGIN", nil, nil }

func (a *login) Next(_ []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	if len(a.answers) == 0 {
		return nil, errors.New("AUTH LOGIN: the server asks for more than a name and a password")
	}
	answer := a.answers[0]
	a.answers = a.answers[1:]
	return []byte(answer), nil
}
