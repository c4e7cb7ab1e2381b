package notify

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The properties of the notifiers, in ElasticJob's spelling; it has none of a plain webhook.
const (
	emailHost     = "email.host"
	emailPort     = "email.port"
	emailUsername = "email.username"
	emailPassword = "email.password"
	emailUseSSL   = "email.useSsl"
	emailTrust    = "email.ssl.trust"
	emailSubject  = "email.subject"
	emailFrom     = "email.from"
	emailTo       = "email.to"
	emailCc       = "email.cc"
	emailBcc      = "email.bcc"
	emailDebug    = "email.debug"

	webhookURL     = "webhook" // after the prefix of a chat service
	webhookConnect = "connectTimeoutMilliseconds"
	webhookRead    = "readTimeoutMilliseconds"

	wechatPrefix   = "wechat."
	dingtalkPrefix = "dingtalk."
	webhookPrefix  = "webhook."

	webhookPlainURL = "webhook.url"

	dingtalkKeyword = "dingtalk.keyword"
	dingtalkSecret  = "dingtalk.secret"
)

// reader reads properties and collects what is wrong with them, in
// ElasticJob's words.
type reader struct {
	props map[string]string
	errs  []error
}

func (r *reader) fail(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(format, args...))
}

func (r *reader) err() error { return errors.Join(r.errs...) }

// present returns a property that must be there. It may be empty, as in Java.
func (r *reader) present(key string) string {
	value, ok := r.props[key]
	if !ok {
		r.fail("The property `%s` is required.", key)
	}
	return value
}

// required returns a property without which nothing can be sent. In Java an
// empty one passes, and every delivery fails.
func (r *reader) required(key string) string {
	value := r.present(key)
	if _, ok := r.props[key]; ok && strings.TrimSpace(value) == "" {
		r.fail("The property `%s` is required.", key)
	}
	return value
}

// positive returns a property that must be a positive number if it is there.
// As in Java an empty one is there, and the range is that of an int.
func (r *reader) positive(key string, otherwise int) int {
	value, ok := r.props[key]
	if !ok {
		return otherwise
	}
	n, err := strconv.ParseInt(value, 10, 32)
	switch {
	case err != nil:
		r.fail("The property `%s` should be integer. It is %q.", key, value)
	case n <= 0:
		r.fail("The property `%s` should be positive. It is %q.", key, value)
	}
	return int(n)
}

func (r *reader) millis(key string, otherwise time.Duration) time.Duration {
	return time.Duration(r.positive(key, int(otherwise.Milliseconds()))) * time.Millisecond
}

func (r *reader) text(key, otherwise string) string {
	if value, ok := r.props[key]; ok {
		return value
	}
	return otherwise
}

// flag reads a boolean as Java does: everything but "true" means false.
func (r *reader) flag(key string, otherwise bool) bool {
	value, ok := r.props[key]
	if !ok {
		return otherwise
	}
	return strings.EqualFold(value, "true")
}
