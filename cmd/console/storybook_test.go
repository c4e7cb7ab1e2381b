package main

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestStorybookCommand: the storybook says where it is, serves its pages there and
// ends with a signal.
func TestStorybookCommand(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	read, written := io.Pipe()
	var stderr strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- program.Run(ctx, &commandLine{}, []string{"storybook", "--listen=127.0.0.1:0"}, written, &stderr, func(string) (string, bool) { return "", false })
		_ = written.Close()
	}()
	line := make([]byte, 200)
	n, err := read.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	site := regexp.MustCompile(`http://[0-9.:]+/`).FindString(string(line[:n]))
	if site == "" {
		t.Fatalf("it printed %q", line[:n])
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, site, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(page), "Storybook") {
		t.Errorf("%s: %d (%v)", site, resp.StatusCode, err)
	}
	stop()
	if got := <-code; got != cli.ExitOK {
		t.Errorf("exit code %d: %s", got, stderr.String())
	}
}
