package notify

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

	"github.com/elasticjob-go/elasticjob/internal/urlquery"
)

// What the services accept as text, in bytes: WeChat Work 2048; DingTalk some
// 20,000 for the whole message, of which escaping takes a part.
const (
	wechatText   = 2048
	dingtalkText = 15_000
)

// answerLimit bounds what is read of an answer, in bytes.
const answerLimit = 64 << 10

// webhook posts to an address. WeChat Work and DingTalk take the same message and
// answer alike.
type webhook struct {
	address       string
	keyword       string // put before the text; DingTalk lets a robot insist on a word
	secret        string // signs the address
	limit         int    // of the text, in bytes
	connect, read time.Duration
	opts          Options
}

func newWechat(r *reader, o Options) *Sender {
	hook := readWebhook(r, wechatPrefix+webhookURL, wechatPrefix, o)
	hook.limit = wechatText
	return hook.sender(hook.chat)
}

func newDingTalk(r *reader, o Options) *Sender {
	hook := readWebhook(r, dingtalkPrefix+webhookURL, dingtalkPrefix, o)
	hook.limit = dingtalkText
	hook.keyword = r.text(dingtalkKeyword, "")
	hook.secret = r.text(dingtalkSecret, "")
	return hook.sender(hook.chat)
}

// newWebhook posts to an address of one's own: what it answers matters only by its status.
func newWebhook(r *reader, o Options) *Sender {
	hook := readWebhook(r, webhookPlainURL, webhookPrefix, o)
	return hook.sender(hook.document)
}

func readWebhook(r *reader, key, prefix string, o Options) *webhook {
	return &webhook{
		address: r.required(key),
		connect: r.millis(prefix+webhookConnect, 3*time.Second),
		read:    r.millis(prefix+webhookRead, 5*time.Second),
		opts:    o,
	}
}

func (w *webhook) sender(send func(ctx context.Context, m Message) error) *Sender {
	return &Sender{
		Place: site(w.address), Address: hostPort(w.address), destination: w.address,
		// Connecting has two parts, and so has reading: the answer's head, its body.
		Timeout: 2*w.connect + 2*w.read,
		scrub:   newScrubber(append(urlSecrets(w.address), w.secret)...), send: send,
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
	m.Text.Content = Clip(w.keyword+text, w.limit)
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

// chat posts a text as the chat services take it.
func (w *webhook) chat(ctx context.Context, m Message) error {
	body, err := w.body(m.Text)
	if err != nil {
		return final(fmt.Errorf("encode message: %w", err))
	}
	address, signature := w.url(time.Now())
	status, answer, err := w.post(ctx, address, body)
	if err != nil {
		return err
	}
	// With the token, a signature lets anybody post for an hour.
	return newScrubber(signature).error(judge(status, answer))
}

// document posts JSON, or the text in it if there is no document.
func (w *webhook) document(ctx context.Context, m Message) error {
	document := m.Document
	if document == nil {
		document = map[string]string{"text": m.Text}
	}
	body, err := json.Marshal(document)
	if err != nil {
		return final(fmt.Errorf("encode message: %w", err))
	}
	status, _, err := w.post(ctx, w.address, body)
	if err != nil || status >= 200 && status < 300 {
		return err
	}
	return refusal(status)
}

// post sends a body and returns status and answer.
func (w *webhook) post(ctx context.Context, address string, body []byte) (status int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, final(fmt.Errorf("webhook address: %w", withoutURL(err)))
	}
	if hostPort(address) == "" {
		return 0, nil, final(errors.New("webhook address: it has no host, or is neither http nor https"))
	}
	request.URL.RawQuery = urlquery.Escape(request.URL.RawQuery)
	request.Header.Set("Content-Type", "application/json")
	proxy, err := w.opts.Proxy(request)
	if err != nil {
		return 0, nil, fmt.Errorf("the HTTP proxy: %w", withoutURL(err))
	}
	open := w.opts.Dial
	if proxy != nil {
		open = w.opts.DialProxy
	}
	client := &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyURL(proxy),
			DialContext: func(_ context.Context, network, addr string) (net.Conn, error) {
				return w.dial(ctx, open, network, addr)
			},
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
		return 0, nil, fmt.Errorf("post: %w", withoutURL(err))
	}
	defer func() { _ = response.Body.Close() }() // It was read as far as it matters.
	if answer, err = io.ReadAll(io.LimitReader(response.Body, answerLimit)); err != nil {
		return 0, nil, fmt.Errorf("read the answer: %w", err)
	}
	return response.StatusCode, answer, nil
}

// dial connects under the context of the delivery, and the connection ends
// with that. The transport's own context would let both outlive the delivery.
func (w *webhook) dial(delivery context.Context, open func(context.Context, string, string) (net.Conn, error), network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(delivery, w.connect)
	defer cancel()
	conn, err := open(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(delivery, func() { _ = conn.Close() }) // Mostly closed already.
	return conn, nil
}

// busy is the errcode of both services for what passes.
const busy = "-1"

// judge tells from an answer whether the message was taken: status 200 and
// errcode 0, and nothing else.
func judge(status int, answer []byte) error {
	if status != http.StatusOK {
		return refusal(status)
	}
	var result struct {
		Code    json.Number `json:"errcode"`
		Message string      `json:"errmsg"`
	}
	switch err := json.Unmarshal(answer, &result); {
	case err != nil:
		return final(fmt.Errorf("the answer is not understood: %w", err))
	case result.Code == "":
		return final(errors.New("the answer has no errcode"))
	case result.Code == "0":
		return nil
	}
	err := fmt.Errorf("refused with errcode %s: %s", result.Code, Clip(result.Message, 500))
	if result.Code == busy {
		return err
	}
	return final(err)
}

// refusal is the error of a status. Those of a server that is overloaded or broken may pass.
func refusal(status int) error {
	err := fmt.Errorf("answered with status %d %s", status, http.StatusText(status))
	if status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout {
		return err
	}
	return final(err)
}

// withoutURL takes the address out of an error of net/http: it holds the token.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
