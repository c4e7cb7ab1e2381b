package coreagent_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// closingRecorder counts how often its agent closed it, and then fails.
type closingRecorder struct {
	tracing.Recorder
	closed int
}

func (r *closingRecorder) AgentStopped(context.Context) error {
	r.closed++
	return errors.New("2 events are lost")
}

// TestW10AgentClosesItsRecorder: Stop closes the recorder once, whether the agent was started or
// not. Lost events are logged and don't fail Stop. An Async stays open, because agents may share it.
func TestW10AgentClosesItsRecorder(t *testing.T) {
	t.Parallel()
	server := coreagenttest.NewServer(t)
	for name, start := range map[string]bool{"started": true, "never started": false} {
		t.Run(name, func(t *testing.T) {
			recorder := &closingRecorder{Recorder: tracing.Discard}
			async := tracing.NewAsync(nullSink{}, tracing.AsyncOptions{})
			defer async.Close(t.Context())
			for _, r := range []tracing.Recorder{recorder, async} {
				var log strings.Builder
				agent, err := coreagent.New(coreagent.Config{
					Namespace: "ns", ZooKeeper: server.ZooKeeper(), Tracing: r, Logger: slog.New(slog.NewTextHandler(&log, nil)),
				})
				if err == nil && start {
					err = agent.Start(t.Context())
				}
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := agent.Stop(t.Context()); err != nil {
						t.Errorf("stop: %v", err)
					}
				}
				if got, want := strings.Contains(log.String(), "2 events are lost"), r == recorder; got != want {
					t.Errorf("the log has the loss: %t, want %t\n%s", got, want, log.String())
				}
			}
			if recorder.closed != 1 {
				t.Errorf("the recorder was closed %d times", recorder.closed)
			}
			async.RecordExecution(tracing.Execution{ID: "a"})
			if err := async.Close(t.Context()); err != nil || async.Stats().Written != 1 {
				t.Errorf("the shared recorder: %v, %+v", err, async.Stats())
			}
		})
	}
}

type nullSink struct{}

func (nullSink) Write(context.Context, []tracing.Event) error { return nil }
