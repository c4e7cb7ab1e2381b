package demo

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestMain lets this binary be the agents of the tests: one that serves until
// its input ends, one that fails at once, one that does not listen.
func TestMain(m *testing.M) {
	switch os.Getenv("DEMO_TEST_AGENT") {
	case "":
		os.Exit(m.Run())
	case "good":
		fmt.Fprintln(os.Stderr, "hello", os.Args[1])
		fmt.Println("started")
		if _, err := io.Copy(io.Discard, bufio.NewReader(os.Stdin)); err != nil {
			os.Exit(4)
		}
		os.Exit(0)
	case "bad":
		fmt.Fprintln(os.Stderr, "cannot work like this")
		os.Exit(3)
	}
}

// startTestFleet starts agents that are this test binary and returns what they
// report.
func startTestFleet(t *testing.T, behaviour string, restartAfter time.Duration, addresses ...string) (*Fleet, <-chan Event, string) {
	t.Helper()
	t.Setenv("DEMO_TEST_AGENT", behaviour)
	logs := t.TempDir()
	events := make(chan Event, 100)
	fleet := StartFleet(FleetOptions{
		Addresses: addresses,
		Command:   func(address string) []string { return []string{os.Args[0], address} },
		LogFolder: logs, RestartAfter: restartAfter, Report: func(e Event) { events <- e },
	})
	t.Cleanup(fleet.Stop)
	return fleet, events, logs
}

func await(t *testing.T, events <-chan Event) Event {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(waittest.Patience):
		t.Fatal("nothing was reported")
		panic("unreachable")
	}
}

func alive(t *testing.T, pid int) bool {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return p.Signal(syscall.Signal(0)) == nil
}

func TestFleetReportsAKillAndStartsAnew(t *testing.T) {
	fleet, events, logs := startTestFleet(t, "good", 50*time.Millisecond, "127.0.0.11", "127.0.0.12")
	first, second := await(t, events), await(t, events)
	if first.Kind != AgentStarted || second.Kind != AgentStarted || first.Address == second.Address || first.PID == second.PID {
		t.Fatalf("events %+v and %+v, want two agents started", first, second)
	}
	victim, err := os.FindProcess(first.PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Kill(); err != nil {
		t.Fatal(err)
	}
	gone := await(t, events)
	if gone.Kind != AgentEnded || gone.PID != first.PID || gone.Err == nil || !strings.Contains(gone.Err.Error(), "killed") {
		t.Fatalf("event %+v, want process %d killed", gone, first.PID)
	}
	back := await(t, events)
	if back.Kind != AgentStarted || back.Address != first.Address || back.PID == first.PID {
		t.Fatalf("event %+v, want a new process for %s", back, first.Address)
	}

	fleet.Stop()
	fleet.Stop() // a second time is nothing
	for _, pid := range []int{second.PID, back.PID} {
		if alive(t, pid) {
			t.Errorf("process %d is alive after Stop", pid)
		}
	}
	select {
	case e := <-events:
		t.Errorf("Stop reported %+v: an end that was asked for is no news", e)
	default:
	}
	text, err := os.ReadFile(filepath.Join(logs, "agent-127.0.0.12.log"))
	if err != nil || !strings.Contains(string(text), "hello 127.0.0.12") {
		t.Errorf("log %q (%v), want the agent's output", text, err)
	}
}

func TestFleetReportsAnAgentThatCannotWork(t *testing.T) {
	_, events, _ := startTestFleet(t, "bad", 0, "127.0.0.11")
	if e := await(t, events); e.Kind != AgentEnded || e.Err == nil || !strings.Contains(e.Err.Error(), "exit status 3") {
		t.Errorf("event %+v, want exit status 3", e)
	}
}

func TestFleetReportsAProgramThatIsNotThere(t *testing.T) {
	events := make(chan Event, 1)
	fleet := StartFleet(FleetOptions{
		Addresses: []string{"127.0.0.11"},
		Command:   func(string) []string { return []string{filepath.Join(t.TempDir(), "nothing")} },
		LogFolder: t.TempDir(), Report: func(e Event) { events <- e },
	})
	defer fleet.Stop()
	if e := await(t, events); e.Kind != AgentFailed || e.Err == nil {
		t.Errorf("event %+v, want that it could not be started", e)
	}
}
