package cloud

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// talking is an engine whose processes go on to write what a test says.
type talking struct {
	cloud.Engine
	log *io.PipeReader
}

func (e talking) Logs(_ context.Context, _ cloud.TaskRef, o cloud.LogOptions) (io.ReadCloser, error) {
	if !o.Follow {
		return io.NopCloser(strings.NewReader("")), nil
	}
	return e.log, nil
}

// TestCloudLogIsFollowed: what a process writes comes at once, a guest gets whole lines
// without secrets, and the answer ends with the process, or when the console stops.
func TestCloudLogIsFollowed(t *testing.T) {
	t.Parallel()
	for _, role := range []auth.Role{auth.RoleRoot, auth.RoleGuest} {
		log, process := io.Pipe()
		b := consoletest.New(t, func(o *app.Options) { o.Cloud.Engine = talking{o.Cloud.Engine, log} })
		lines := followed(t, b, role)
		write := func(text string) {
			t.Helper()
			if _, err := io.WriteString(process, text); err != nil {
				t.Error(err)
			}
		}
		write("password=tiger-7 began\n")
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "began") || strings.Contains(line, "tiger-7") == (role == auth.RoleGuest) {
			t.Errorf("%s reads %q, %v", role, line, err)
		}
		if n := b.Console.Streams(); n != 1 {
			t.Errorf("%d streams are open", n)
		}
		if role == auth.RoleGuest {
			b.Console.EndStreams()
		} else {
			write("the last line")
			if err := process.Close(); err != nil {
				t.Error(err)
			}
		}
		if rest, err := io.ReadAll(lines); err != nil || strings.Contains(string(rest), "the last line") != (role == auth.RoleRoot) {
			t.Errorf("%s reads %q at the end, %v", role, rest, err)
		}
	}
}

// followed begins to follow the log of the sample's task.
func followed(t *testing.T, b *consoletest.Bench, role auth.Role) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL+"/api/cloud/tasks/"+consoletest.SampleTask+"/log?follow=true", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+b.Token(t, role, auth.ForAPI))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() }) // The test is over.
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") {
		t.Fatalf("status %s, %s", resp.Status, resp.Header.Get("Content-Type"))
	}
	return bufio.NewReader(resp.Body)
}
