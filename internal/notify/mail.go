package notify

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"html"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const defaultSubject = "ElasticJob error message"

func newEmail(r *reader, o Options) *Sender {
	host := r.required(emailHost)
	r.present(emailPort)
	port := r.positive(emailPort, 1)
	if port > 65535 {
		r.fail("The property `%s` should not be greater than 65535. It is %q.", emailPort, r.props[emailPort])
	}
	m := &mailer{
		host: host, address: net.JoinHostPort(host, strconv.Itoa(port)),
		username: r.present(emailUsername), password: r.present(emailPassword),
		implicitTLS: r.flag(emailUseSSL, true), trust: strings.Fields(r.text(emailTrust, "")),
		subject: r.text(emailSubject, defaultSubject),
		from:    r.required(emailFrom), to: r.required(emailTo),
		cc: r.text(emailCc, ""), bcc: r.text(emailBcc, ""),
		debug: r.flag(emailDebug, false), opts: o,
	}
	return &Sender{
		Place: m.address, Address: m.address, destination: TypeEmail + " " + m.address, Timeout: mailTimeout,
		scrub: newScrubber(m.password, "\x00"+m.username+"\x00"+m.password), send: m.send,
	}
}

// letter is a mail ready to be sent.
type letter struct {
	from       string
	recipients []string
	content    []byte
}

// CheckAddresses returns an error for each property that has a text which is no mail address.
func CheckAddresses(props map[string]string) error {
	var errs []error
	for _, key := range []string{emailFrom, emailTo, emailCc, emailBcc} {
		if _, err := parseAddresses(props[key]); err != nil {
			errs = append(errs, fmt.Errorf("property %s: %w", key, err))
		}
	}
	return errors.Join(errs...)
}

// compose writes the mail: one part, the text as HTML. Addresses are looked at
// here and not when the handler is made: ElasticJob accepts any text as
// address, and a wrong one must not keep a job from running.
func (m *mailer) compose(text string, now time.Time) (letter, error) {
	var errs []error
	read := func(key, list string) []*mail.Address {
		addresses, err := parseAddresses(list)
		if err != nil {
			errs = append(errs, fmt.Errorf("property %s: %w", key, err))
		}
		return addresses
	}
	from, to := read(emailFrom, m.from), read(emailTo, m.to)
	cc, bcc := read(emailCc, m.cc), read(emailBcc, m.bcc)
	if len(errs) > 0 {
		return letter{}, errors.Join(errs...)
	}
	l := letter{from: from[0].Address}
	seen := make(map[string]bool)
	for _, list := range [][]*mail.Address{to, cc, bcc} {
		for _, a := range list {
			if !seen[a.Address] {
				seen[a.Address] = true
				l.recipients = append(l.recipients, a.Address)
			}
		}
	}
	var b bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	header("From", join(from[:1]))
	header("To", join(to))
	if len(cc) > 0 {
		header("Cc", join(cc))
	}
	header("Subject", mime.QEncoding.Encode("utf-8", m.subject))
	header("Date", now.Format(time.RFC1123Z))
	header("Message-ID", "<"+rand.Text()+"@"+localName()+">")
	header("Auto-Submitted", "auto-generated") // Keeps absence notices from answering.
	header("MIME-Version", "1.0")
	header("Content-Type", "text/html; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	document := `<!DOCTYPE html><html><body><pre style="white-space: pre-wrap">` + html.EscapeString(text) + "</pre></body></html>\n"
	if _, err := w.Write([]byte(document)); err != nil {
		return letter{}, fmt.Errorf("encode mail: %w", err)
	}
	if err := w.Close(); err != nil {
		return letter{}, fmt.Errorf("encode mail: %w", err)
	}
	l.content = b.Bytes()
	return l, nil
}

// parseAddresses reads a list separated by commas; an empty one is fine. Like
// JavaMail it takes a local name without a host as well.
func parseAddresses(list string) ([]*mail.Address, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	if addresses, err := mail.ParseAddressList(list); err == nil {
		return addresses, nil
	}
	var addresses []*mail.Address
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if a, err := mail.ParseAddress(part); err == nil {
			addresses = append(addresses, a)
			continue
		}
		if part == "" || strings.ContainsFunc(part, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`<>()[]:;@\"`, r)
		}) {
			return nil, fmt.Errorf("%q is not a mail address", part)
		}
		addresses = append(addresses, &mail.Address{Address: part})
	}
	return addresses, nil
}

// join formats addresses for a header, one a line.
func join(addresses []*mail.Address) string {
	texts := make([]string, len(addresses))
	for i, a := range addresses {
		texts[i] = a.String()
		if !strings.Contains(a.Address, "@") {
			texts[i] = a.Address // String would add a host of its own making.
		}
	}
	return strings.Join(texts, ",\r\n ")
}
