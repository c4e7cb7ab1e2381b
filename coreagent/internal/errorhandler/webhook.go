package errorhandler

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// What the services accept as text, in bytes: WeChat Work 2048; DingTalk some
// 20,000 for the whole message, of which escaping takes a part.
const (
	wechatText   = 2048
	dingtalkText = 15_000
)

// answerLimit bounds what is read of an answer, in bytes.
const answerLimit = 64 << 10

// webhook posts texts to a chat service. WeChat Work and DingTalk take the
// same message and answer alike.
type webhook struct {
	address       string
	keyword       string // put before the text; DingTalk lets a robot insist on a word
	secret        string // signs the address
	limit         int    // of the text, in bytes
	connect, read time.Duration
	opts          Options
}

func (s *Set) newWechat(props map[string]string) (Handler, error) {
	r := reader{props: props}
	hook := s.readWebhook(&r, wechatPrefix)
	hook.limit = wechatText
	if err := r.err(); err != nil {
		return nil, err
	}
	return s.chat(TypeWechat, hook), nil
}

func (s *Set) newDingTalk(props map[string]string) (Handler, error) {
	r := reader{props: props}
	hook := s.readWebhook(&r, dingtalkPrefix)
	hook.limit = dingtalkText
	hook.keyword = r.text(dingtalkKeyword, "")
	hook.secret = r.text(dingtalkSecret, "")
	if err := r.err(); err != nil {
		return nil, err
	}
	return s.chat(TypeDingTalk, hook), nil
}

func (s *Set) readWebhook(r *reader, prefix string) *webhook {
	return &webhook{
		address: r.required(prefix + webhookURL),
		connect: r.millis(prefix+webhookConnect, 3*time.Second),
		read:    r.millis(prefix+webhookRead, 5*time.Second),
		opts:    s.opts,
	}
}

func (s *Set) chat(typeName string, hook *webhook) Handler {
	return &notifier{
		typeName: typeName, place: site(hook.address), destination: hook.address,
		// Connecting has two parts, and so has reading: the answer's head, its body.
		timeout: min(2*hook.connect+2*hook.read, s.opts.Timeout),
		scrub:   newScrubber(append(urlSecrets(hook.address), hook.secret)...),
		send:    hook.send, outbox: s.outbox, log: s.opts.Log,
	}
}

// message is what both services take.
type message struct {
	Type string `json:"msgtype"`
	Text struct {
		Content string `json:"content"`
	} `json:"text"`
}

func (w *webhook) body(text string) ([]byte, error) {
	m := message{Type: "text"}
	m.Text.Content = clip(w.keyword+text, w.limit)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // People read it, and the escapes count towards the limit.
	if err := encoder.Encode(m); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// url is the address, signed if there is a secret, and the signature.
func (w *webhook) url(now time.Time) (address, signature string) {
	if w.secret == "" {
		return w.address, ""
	}
	separator := "&"
	if !strings.Contains(w.address, "?") {
		separator = "?"
	}
	timestamp := now.UnixMilli()
	signature = sign(w.secret, timestamp)
	return w.address + separator + "timestamp=" + strconv.FormatInt(timestamp, 10) + "&sign=" + url.QueryEscape(signature), signature
}

// sign is DingTalk's signature of a moment in Unix milliseconds.
func sign(secret string, timestamp int64) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d\n%s", timestamp, secret)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (w *webhook) send(ctx context.Context, text string) error {
	body, err := w.body(text)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	address, signature := w.url(time.Now())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook address: %w", withoutURL(err))
	}
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           func(_ context.Context, network, addr string) (net.Conn, error) { return w.dial(ctx, network, addr) },
			TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: w.opts.RootCAs},
			TLSHandshakeTimeout:   w.connect,
			ResponseHeaderTimeout: w.read,
			DisableKeepAlives:     true, // Failures are rare: nothing to keep.
		},
		// A redirection would take the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("post: %w", withoutURL(err))
	}
	defer func() { _ = response.Body.Close() }() // It was read as far as it matters.
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	// With the token, a signature lets anybody post for an hour.
	return newScrubber(signature).error(judge(response.StatusCode, answer))
}

// dial connects under the context of the delivery, and the connection ends
// with that. The transport's own context would let both outlive the delivery.
func (w *webhook) dial(delivery context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(delivery, w.connect)
	defer cancel()
	conn, err := w.opts.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(delivery, func() { _ = conn.Close() }) // Mostly closed already.
	return conn, nil
}

// judge tells from an answer whether the message was taken: status 200 and
// errcode 0, and nothing else.
func judge(status int, answer []byte) error {
	if status != http.StatusOK {
		return fmt.Errorf("answered with status %d %s", status, http.StatusText(status))
	}
	var result struct {
		Code    json.Number `json:"errcode"`
		Message string      `json:"errmsg"`
	}
	switch err := json.Unmarshal(answer, &result); {
	case err != nil:
		return fmt.Errorf("the answer is not understood: %w", err)
	case result.Code == "":
		return errors.New("the answer has no errcode")
	case result.Code != "0":
		return fmt.Errorf("refused with errcode %s: %s", result.Code, clip(result.Message, 500))
	}
	return nil
}

// withoutURL takes the address out of an error of net/http: it holds the token.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
