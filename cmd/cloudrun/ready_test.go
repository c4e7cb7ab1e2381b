//go:build unix

package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDaemonReady: who asks at the port of the environment learns that the wrapper fires, that
// it is being stopped while the program ends, and nothing after. The port is not the program's.
func TestDaemonReady(t *testing.T) {
	t.Parallel()
	probe, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := probe.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	_ = probe.Close()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	status := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/readyz", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil {
			return 0
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	release := filepath.Join(t.TempDir(), "release")
	cmd := command(t, append(newConsole(t).daemon(t, "* * * * * ?"), "ELASTICJOB_READY_PORT="+port),
		shell(`trap 'echo asked; until test -e `+release+`; do sleep 0.05; done; exit 0' TERM; echo "works at port $ELASTICJOB_READY_PORT"; while :; do sleep 0.05; done`)...)
	out, lines := begin(t, cmd, 1)
	if code := status(); lines[0] != "works at port" || code != http.StatusOK {
		t.Errorf("%q, and the port answers %d", lines, code)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	line, err := out.ReadString('\n')
	if code := status(); err != nil || strings.TrimSpace(line) != "asked" || code != http.StatusServiceUnavailable {
		t.Errorf("%q, %v, and the port answers %d", line, err, code)
	}
	if err := os.WriteFile(release, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if code := status(); code != 0 {
		t.Errorf("the port answers %d after the end", code)
	}
	// Another program has the port.
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	_, port, _ = net.SplitHostPort(taken.Addr().String())
	o := run(t, command(t, append(newConsole(t).daemon(t, "* * * * * ?"), "ELASTICJOB_READY_PORT="+port), shell("exit 1")...))
	if o.code != 78 || !strings.Contains(o.message, "ELASTICJOB_READY_PORT is "+port+", and listening on it failed") {
		t.Errorf("%+v", o)
	}
}
