package event

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

const (
	// maxWaiting is the number of executions kept in memory, at most a few megabytes.
	maxWaiting = 1000
	// batchDelay is how long a report waits for more executions, such as the end of a short run.
	batchDelay = time.Second
	// requestTimeout is the time limit of one request.
	requestTimeout = 10 * time.Second
	// firstPause comes before the second attempt. It doubles up to longestPause. The console may
	// ask for more with Retry-After, up to mostAsked.
	firstPause   = time.Second
	longestPause = time.Minute
	mostAsked    = 5 * time.Minute
	// closeTimeout is how long [Reporter.Close] waits for undelivered reports.
	closeTimeout = 5 * time.Second

	maxToken  = 64 << 10 // bytes of a token's file
	maxAnswer = 4 << 10  // bytes of an answer that are read
	maxShown  = 200      // bytes of an answer that are logged
)

// Config is the destination of reports.
type Config struct {
	// URL is the address. TokenFile has the token, and is read for each report.
	URL, TokenFile string
	Log            *slog.Logger
	// Transport defaults to one with the environment's proxy settings.
	Transport http.RoundTripper
}

// Reporter delivers executions in the background. A nil Reporter does nothing. It's safe for concurrent use.
type Reporter struct {
	config  Config
	client  http.Client
	queue   queue
	wake    chan struct{} // there may be work
	closing chan struct{}
	done    chan struct{}
	cancel  context.CancelFunc

	// Only for the delivering goroutine.

	limit    int // executions per report
	failures int // in a row
}

// Start starts delivery. The caller must call [Reporter.Close].
func Start(c Config) *Reporter {
	if c.Transport == nil {
		// Not http.DefaultTransport, because programs change it, and we must not close its connections.
		c.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConns: 1, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Reporter{
		config: c, wake: make(chan struct{}, 1), closing: make(chan struct{}), done: make(chan struct{}), cancel: cancel, limit: MaxExecutions,
		client: http.Client{
			Transport: c.Transport, Timeout: requestTimeout,
			// The token is only for this address.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	go r.deliver(ctx)
	return r
}

// Report queues an execution and never blocks. If too many are waiting, the oldest is dropped. A
// long cause is cut.
func (r *Reporter) Report(e Execution) {
	if r == nil {
		return
	}
	e.Cause = Clip(e.Cause, MaxCause)
	r.queue.add(e, maxWaiting)
	wake.Up(r.wake)
}

// Close delivers the waiting executions for at most five seconds, then stops. Call it once, after
// the last Report.
func (r *Reporter) Close() {
	if r == nil {
		return
	}
	close(r.closing)
	defer time.AfterFunc(closeTimeout, r.cancel).Stop()
	<-r.done
	r.cancel()
	r.client.CloseIdleConnections()
	if waiting, dropped := r.queue.state(); waiting+dropped > 0 {
		r.config.Log.Warn("could not report runs before the process ended; their rows or ends are missing in the history", "undelivered", waiting, "dropped", dropped, "url", address(r.config.URL))
	}
}

// deliver sends reports until it's closed and nothing is left, or ctx ends.
func (r *Reporter) deliver(ctx context.Context) {
	defer close(r.done)
	pause := batchDelay
	for r.something() {
		if r.sleep(ctx, pause); ctx.Err() != nil {
			return
		}
		pause = r.send(ctx)
	}
}

// something waits for an execution. It returns false after Close if nothing is left.
func (r *Reporter) something() bool {
	for {
		if waiting, _ := r.queue.state(); waiting > 0 {
			return true
		}
		select {
		case <-r.wake:
		case <-r.closing:
			waiting, _ := r.queue.state()
			return waiting > 0
		}
	}
}

// sleep pauses. Close shortens this pause and later ones.
func (r *Reporter) sleep(ctx context.Context, pause time.Duration) {
	closing := r.closing
	select {
	case <-closing:
		closing = nil
		if pause = min(pause, firstPause); r.failures == 0 {
			return
		}
	default:
	}
	select {
	case <-time.After(pause):
	case <-closing:
	case <-ctx.Done():
	}
}

// send sends one report and returns how long to wait before the next.
func (r *Reporter) send(ctx context.Context) time.Duration {
	report, count, err := r.queue.take(r.limit)
	var asked time.Duration
	status := 0
	if err == nil {
		status, asked, err = r.post(ctx, report)
	}
	waiting, dropped := r.queue.state()
	log := r.config.Log.With("url", address(r.config.URL), "waiting", waiting, "dropped", dropped)
	switch {
	case err == nil:
		r.queue.settle(arrived)
		if r.failures > 0 {
			log.InfoContext(ctx, "runs are reported again")
		}
		r.failures, r.limit = 0, min(2*r.limit, MaxExecutions)
		if waiting > count {
			return 0 // more are waiting
		}
		return batchDelay
	case hopeless(status) && count > 1:
		// Some of them may be valid, or a smaller report may fit.
		r.queue.settle(stay)
		r.limit = count / 2
		return 0
	case hopeless(status):
		r.queue.settle(refused)
		log.WarnContext(ctx, "the console refused the report of a run, which is dropped", "err", err)
		return batchDelay
	}
	r.queue.settle(stay)
	pause := min(firstPause<<min(r.failures, 10), longestPause)
	pause = pause/2 + rand.N(pause/2+1) //nolint:gosec // Nobody is hurt by who guesses it.
	pause = max(pause, asked)
	r.failures++
	log.WarnContext(ctx, "could not report runs, retrying", "in", pause.Round(time.Millisecond), "err", err)
	return pause
}

// hopeless reports whether the same report will be refused again.
func hopeless(status int) bool {
	return status == http.StatusRequestEntityTooLarge || status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
}

// post sends a report. asked is the pause requested by the console.
func (r *Reporter) post(ctx context.Context, report []byte) (status int, asked time.Duration, err error) {
	token, err := readToken(r.config.TokenFile)
	if err != nil {
		return 0, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.config.URL, bytes.NewReader(report))
	if err != nil {
		return 0, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := r.client.Do(request)
	if err != nil {
		if outer, is := errors.AsType[*url.Error](err); is {
			err = outer.Err // the log already has the address
		}
		return 0, 0, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // the text of an error
	if response.StatusCode/100 == 2 {
		return response.StatusCode, 0, nil
	}
	return response.StatusCode, retryAfter(response.Header.Get("Retry-After")),
		fmt.Errorf("the console answers %s: %s", Clip(response.Status, maxShown), mask.Text(Clip(string(answer), maxShown)))
}

// retryAfter parses seconds or a date; anything else is 0.
func retryAfter(value string) time.Duration {
	asked := time.Duration(0)
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
		asked = time.Duration(min(max(seconds, 0), int64(mostAsked/time.Second))) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		asked = time.Until(at)
	}
	return min(max(asked, 0), mostAsked)
}

func readToken(path string) (string, error) {
	file, err := os.Open(path) //nolint:gosec // The engine names it.
	if err != nil {
		return "", fmt.Errorf("the token for reports: %w", err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxToken+1))
	token := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		return "", fmt.Errorf("the token for reports: %w", err)
	case len(data) > maxToken:
		return "", fmt.Errorf("the token for reports: %s has more than %d bytes", path, maxToken)
	case token == "":
		return "", fmt.Errorf("the token for reports: %s is empty", path)
	}
	return token, nil
}

// address returns a URL for the log.
func address(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "?"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Clip cuts a text to the given number of UTF-8 bytes, with an ellipsis if it was longer.
func Clip(text string, most int) string {
	const ellipsis = "…"
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len(ellipsis)], "") + ellipsis
}
