package coreagent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener of connections in memory, which work in virtual time.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p <- theirs
	return ours, nil
}

// TestW14ReadTimeoutIsPerRead: an answer or a request may take any time while bytes keep coming. A
// silence as long as the read timeout fails, before the answer and within it.
func TestW14ReadTimeoutIsPerRead(t *testing.T) {
	t.Parallel()
	const connect, read = 3 * time.Second, 5 * time.Second
	for name, tc := range map[string]struct {
		size  int // of the request's body
		serve http.HandlerFunc
		want  string
	}{
		"a long answer": {serve: func(w http.ResponseWriter, _ *http.Request) {
			for range 10 {
				time.Sleep(read - time.Second)
				_, _ = io.WriteString(w, "more ")
				_ = http.NewResponseController(w).Flush()
			}
		}},
		"a long request": {size: 256 << 10, serve: func(_ http.ResponseWriter, r *http.Request) {
			time.Sleep(2 * read)
			for range 10 {
				time.Sleep(read - time.Second)
				_, _ = io.CopyN(io.Discard, r.Body, 20<<10)
			}
			_, _ = io.Copy(io.Discard, r.Body)
		}},
		"a mute endpoint": {serve: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, want: "no data received for 5s, the http.read.timeout.milliseconds"},
		"a silence within": {serve: func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "more ")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, want: "no data received for 5s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener := make(pipes)
				server := &http.Server{Handler: tc.serve}
				served := make(chan error)
				go func() { served <- server.Serve(listener) }()
				err := send(t, httpClient(listener.dial, connect, read), tc.size)
				if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
					t.Errorf("error %v, want %q", err, tc.want)
				}
				close(listener)
				<-served
				_ = server.Close()
			})
		})
	}
}

// TestW14ReadThatStartsDuringAWrite: the client reads and writes concurrently, so a read may begin
// while a write is waiting for a slow server. It has no deadline then.
func TestW14ReadThatStartsDuringAWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		conn := &idleConn{Conn: ours, most: time.Second}
		written, read := make(chan error), make(chan error)
		go func() {
			_, err := conn.Write([]byte("request"))
			written <- err
		}()
		synctest.Wait()
		go func() {
			_, err := conn.Read(make([]byte, 1))
			read <- err
		}()
		time.Sleep(10 * conn.most)
		if _, err := theirs.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if err := <-written; err != nil {
			t.Error(err)
		}
		if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the read ended with %v, although no answer came", err)
		}
	})
}

func send(t *testing.T, client *http.Client, size int) error {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://a/", bytes.NewReader(make([]byte, size)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func TestW14ASCIIJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":             `"plain"`,
		"上海 ü😀":             `"\u4e0a\u6d77 \u00fc\ud83d\ude00"`,
		"a\x7fb\nc\x00\x9f": `"a\u007fb\nc\u0000\ufffd"`,
	} {
		document, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		got := asciiJSON(document)
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || got != want || back != strings.ToValidUTF8(text, "\ufffd") {
			t.Errorf("%q: %s, which is %q, %v; want %s", text, got, back, err, want)
		}
	}
}
