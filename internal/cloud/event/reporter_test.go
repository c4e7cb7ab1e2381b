package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// console answers reports. The zero value stores them.
type console struct {
	answer func(r *http.Request, report Report) (status int, header string)

	mu     sync.Mutex
	posted []time.Time
	tokens []string
	stored []Execution
}

func (c *console) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var report Report
	if err := json.Unmarshal(body, &report); err != nil || len(body) > MaxBytes || len(report.Executions) > MaxExecutions || len(report.Executions) == 0 {
		return nil, fmt.Errorf("%d bytes, %d executions: %w", len(body), len(report.Executions), err)
	}
	status, header := http.StatusAccepted, ""
	if c.answer != nil {
		status, header = c.answer(r, report)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.posted, c.tokens = append(c.posted, time.Now()), append(c.tokens, r.Header.Get("Authorization"))
	if status == 0 {
		return nil, errors.New("connection refused")
	}
	if status == http.StatusAccepted {
		c.stored = append(c.stored, report.Executions...)
	}
	return &http.Response{
		StatusCode: status, Status: fmt.Sprint(status, " ", http.StatusText(status)), Header: http.Header{"Retry-After": {header}},
		Body: io.NopCloser(strings.NewReader("because")), Request: r,
	}, nil
}

func (c *console) times() []time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.posted)
}

// ids returns the stored executions, with a dot if they have ended.
func (c *console) ids() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var words []string
	for _, e := range c.stored {
		word := e.ID
		if e.Ended != nil {
			word += "."
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// fixture is a reporter and a console in virtual time.
type fixture struct {
	*Reporter
	console *console
	token   string // its file
	log     *bytes.Buffer
}

func start(t *testing.T, c *console) fixture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("first\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := new(bytes.Buffer)
	r := Start(Config{URL: "http://console/api/cloud/events?key=geheim", TokenFile: path, Log: slog.New(slog.NewTextHandler(log, nil)), Transport: c})
	return fixture{r, c, path, log}
}

func begun(id string) Execution { return Execution{ID: id, Started: time.Now()} }

func ended(id string) Execution {
	now := time.Now()
	return Execution{ID: id, Started: now, Ended: &now}
}

// TestReports: a short run's end is its only row, and a long run's end comes after its start. The
// token is read for each report.
func TestReports(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &console{})
		began := time.Now()
		f.Report(begun("short"))
		f.Report(ended("short"))
		f.Report(begun("long"))
		time.Sleep(2 * time.Second)
		if got := f.console.ids(); got != "short. long" || !f.console.times()[0].Equal(began.Add(batchDelay)) {
			t.Errorf("%s at %v", got, f.console.times())
		}
		if err := os.WriteFile(f.token, []byte("second\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f.Report(ended("long"))
		f.Close()
		if got := f.console.ids(); got != "short. long long." || time.Since(began) != 2*time.Second {
			t.Errorf("%s after %v", got, time.Since(began))
		}
		if want := []string{"Bearer first", "Bearer second"}; !slices.Equal(f.console.tokens, want) {
			t.Error(f.console.tokens)
		}
		if f.log.Len() > 0 {
			t.Errorf("it says\n%s", f.log)
		}
	})
}

// TestConsoleAwayAndBack: pauses should grow, Retry-After should be respected, and nothing should be
// lost or out of order.
func TestConsoleAwayAndBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var back atomic.Bool
		var asked atomic.Value // of strings
		asked.Store("")
		f := start(t, &console{answer: func(*http.Request, Report) (int, string) {
			switch {
			case asked.Load() != "":
				return http.StatusTooManyRequests, asked.Load().(string)
			case back.Load():
				return http.StatusAccepted, ""
			}
			return 0, ""
		}})
		f.Report(begun("a"))
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		posted := f.console.times()
		if n := len(posted); n < 14 || n > 30 {
			t.Errorf("%d attempts in ten minutes", n)
		}
		for i := 1; i < len(posted); i++ {
			if gap := posted[i].Sub(posted[i-1]); gap < firstPause/2 || gap > longestPause {
				t.Errorf("a pause of %v", gap)
			}
		}
		f.Report(ended("a"))
		f.Report(ended("b"))
		for header, least := range map[string]time.Duration{"120": 2 * time.Minute, "9999999": mostAsked, time.Now().Add(3 * time.Minute).UTC().Format(http.TimeFormat): 0, "-5": 0, "soon": 0} {
			asked.Store(header)
			before := len(f.console.times())
			for len(f.console.times()) == before {
				time.Sleep(time.Second)
				synctest.Wait()
			}
			from := f.console.times()[before]
			asked.Store("")
			for len(f.console.times()) == before+1 {
				time.Sleep(time.Second)
				synctest.Wait()
			}
			if gap := f.console.times()[before+1].Sub(from); gap < least || gap > max(least, 3*time.Minute) {
				t.Errorf("Retry-After %s: a pause of %v", header, gap)
			}
		}
		back.Store(true)
		f.Close()
		if got := f.console.ids(); got != "a. b." {
			t.Error(got)
		}
		if text := f.log.String(); !strings.Contains(text, "connection refused") || !strings.Contains(text, "429 Too Many Requests: because") || !strings.Contains(text, "runs are reported again") || strings.Contains(text, "geheim") {
			t.Error(text)
		}
	})
}

// TestFull: the oldest executions are dropped and counted, even while they are being sent.
func TestFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := start(t, &console{answer: func(*http.Request, Report) (int, string) {
			<-release
			return http.StatusAccepted, ""
		}})
		f.Report(ended("first"))
		time.Sleep(2 * time.Second) // It's being sent.
		for i := range maxWaiting + 10 {
			f.Report(ended(fmt.Sprint(i)))
		}
		close(release)
		time.Sleep(10 * time.Second)
		f.Close()
		stored := strings.Fields(f.console.ids())
		if len(stored) != maxWaiting+1 || stored[0] != "first." || stored[1] != "10." || stored[maxWaiting] != fmt.Sprint(maxWaiting+9, ".") {
			t.Errorf("%d: %v …", len(stored), stored[:min(3, len(stored))])
		}
		if len(f.console.times()) != 3 || !strings.Contains(f.log.String(), "dropped=11") {
			t.Errorf("%d reports; %s", len(f.console.times()), f.log)
		}
	})
}

// TestRefused: a report that is too large, or partly wrong, is sent in parts. Permanently refused
// parts are dropped.
func TestRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &console{answer: func(_ *http.Request, r Report) (int, string) {
			switch {
			case len(r.Executions) > 3 || slices.ContainsFunc(r.Executions, func(e Execution) bool { return e.ID == "big" }):
				return http.StatusRequestEntityTooLarge, ""
			case slices.ContainsFunc(r.Executions, func(e Execution) bool { return e.ID == "bad" }):
				return http.StatusBadRequest, ""
			}
			return http.StatusAccepted, ""
		}})
		for _, id := range []string{"0", "1", "2", "3", "bad", "4", "5", "6", "7", "8", "big"} {
			f.Report(ended(id))
		}
		time.Sleep(time.Minute)
		f.Close()
		if got := f.console.ids(); got != "0. 1. 2. 3. 4. 5. 6. 7. 8." {
			t.Error(got)
		}
		if text := f.log.String(); strings.Count(text, "the console refused the report") != 2 || !strings.Contains(text, "dropped=2") {
			t.Error(text)
		}
	})
}

// TestBounds: a report should stay within its limits for any causes.
func TestBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &console{})
		for i, char := range []string{"x", "\x01", "ü", "<", "\xffy"} {
			for j := range 90 {
				e := ended(fmt.Sprint(i, j))
				e.Cause = strings.Repeat(char, 2*MaxCause)
				f.Report(e)
			}
		}
		time.Sleep(time.Minute)
		f.Close()
		if len(f.console.stored) != 450 {
			t.Errorf("%d are stored", len(f.console.stored))
		}
		for _, e := range f.console.stored {
			if len(e.Cause) > MaxCause || len(e.Cause) < MaxCause-4 || !strings.HasSuffix(e.Cause, "…") {
				t.Fatalf("%s has a cause of %d bytes", e.ID, len(e.Cause))
			}
		}
	})
}

// TestCloseTimeout: the end of a process should wait for an absent console, but not forever.
func TestCloseTimeout(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*http.Request, Report) (int, string){
		"away": func(*http.Request, Report) (int, string) { return http.StatusServiceUnavailable, "3600" },
		"hangs": func(r *http.Request, _ Report) (int, string) {
			<-r.Context().Done()
			return 0, ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := start(t, &console{answer: answer})
				f.Report(ended("a"))
				time.Sleep(time.Minute)
				began := time.Now()
				f.Report(ended("b"))
				f.Close()
				if took := time.Since(began); took != closeTimeout {
					t.Errorf("it took %v", took)
				}
				if !strings.Contains(f.log.String(), "undelivered=2 dropped=0 url=http://console/api/cloud/events") {
					t.Error(f.log)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		f := start(t, &console{answer: func(*http.Request, Report) (int, string) {
			if time.Since(began) < 2*time.Second {
				return 0, ""
			}
			return http.StatusAccepted, ""
		}})
		f.Report(ended("a"))
		f.Close()
		if took := time.Since(began); took < 2*time.Second || took > 3*time.Second || f.console.ids() != "a." {
			t.Errorf("%s after %v", f.console.ids(), took)
		}
	})
	var none *Reporter
	none.Report(ended("a"))
	none.Close()
}

// TestToken: problems with the token's file are logged, and it's read again.
func TestToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &console{})
		for _, c := range []struct{ content, want string }{{" \n", "is empty"}, {strings.Repeat("x", maxToken+1), "has more than 65536 bytes"}, {"", "no such file"}, {"ok", ""}} {
			err := os.WriteFile(f.token, []byte(c.content), 0o600)
			if c.content == "" {
				err = os.Remove(f.token)
			}
			if err != nil {
				t.Fatal(err)
			}
			f.Report(ended("a"))
			time.Sleep(2 * longestPause)
			synctest.Wait()
			if !strings.Contains(f.log.String(), c.want) {
				t.Error(f.log)
			}
		}
		f.Close()
		if f.console.ids() != "a." {
			t.Error(f.console.ids())
		}
	})
}

// TestARealServer: the server should get the token, but the target of a redirect should not.
func TestARealServer(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect is followed") }))
	defer elsewhere.Close()
	got := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != Path {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
			got <- "redirect"
			return
		}
		var report Report
		err := json.NewDecoder(r.Body).Decode(&report)
		got <- fmt.Sprintf("%s %s %s %d %q %v", r.Method, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), report.Executions[0].Item, report.Executions[0].Cause, err)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	end := time.Date(2026, 11, 22, 12, 0, 1, 0, time.UTC)
	for address, want := range map[string]string{
		Path:         `POST Bearer secret application/json 7 "<no>" <nil>`,
		"/elsewhere": "redirect",
	} {
		r := Start(Config{URL: server.URL + address, TokenFile: path, Log: slog.New(slog.DiscardHandler)})
		r.Report(Execution{ID: "a", TaskID: "t", Item: 7, Host: "h", IP: "::1", Scheduled: end.Add(-time.Second), Started: end.Add(-time.Second), Ended: &end, Cause: "<no>"})
		if text := <-got; text != want {
			t.Errorf("%s\nwant %s", text, want)
		}
		r.cancel() // The redirected request would be retried.
		r.Close()
	}
}
