package cloudjob_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestDaemonReady: the readiness check shows that the process fires, then that it's stopping while
// the handler ends, and then doesn't answer.
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
		r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, "http://"+address+"/readyz", http.NoBody)
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
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	works, release, ended := make(chan struct{}), make(chan struct{}), make(chan int)
	go func() {
		ended <- cloudjob.Run(ctx, daemon("ELASTICJOB_CRON=* * * * * ?", "ELASTICJOB_READY_PORT="+port), coreagent.HandlerFunc(func(ctx context.Context, _ *coreagent.Shard) error {
			close(works)
			<-ctx.Done()
			<-release
			return nil
		}))
	}()
	waittest.Until(t, "the process fires", func() bool { return status() == http.StatusOK })
	<-works
	if code := status(); code != http.StatusOK {
		t.Errorf("%d while the handler works", code)
	}
	stop(coreagent.ErrStopping)
	if code := status(); code != http.StatusServiceUnavailable {
		t.Errorf("%d while the handler ends", code)
	}
	close(release)
	if code := <-ended; code != 0 || status() != 0 {
		t.Errorf("exit code %d, then the port answers %d", code, status())
	}
}

// TestDaemonReadyPortTaken: a taken port is an error in the job's configuration.
func TestDaemonReadyPortTaken(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	if code := cloudjob.Run(t.Context(), daemon("ELASTICJOB_READY_PORT="+port), coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil })); code != 78 {
		t.Errorf("exit code %d", code)
	}
}
