// Package waittest waits for conditions in tests, so that no test sleeps for a
// time that is too long on most machines and too short on one under load.
//
//	condition ── true ──▶ the test goes on
//	    ▲   └── false ── 10 ms, again ──▶ after Patience the test fails and says
//	    └────────────────────┘            what it waited for
//
// It works in real time and in a bubble of testing/synctest, where only virtual
// time passes meanwhile.
package waittest

import (
	"context"
	"testing"
	"time"
)

// Patience is how long a test waits before it fails. It only stops a test that hangs, so it
// is far longer than anything takes on a machine under load.
const Patience = 2 * time.Minute

// Until waits until ok. If that takes longer than Patience the test fails at once,
// with what it waited for.
func Until(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	UntilEvery(tb, 10*time.Millisecond, what, ok)
}

// UntilEvery is Until with a pause of its own between two looks: a longer one where
// looking costs something.
func UntilEvery(tb testing.TB, pause time.Duration, what string, ok func() bool) {
	tb.Helper()
	poll := time.NewTicker(pause)
	defer poll.Stop()
	for deadline := time.Now().Add(Patience); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			tb.Fatalf("waited %v in vain: %s", Patience, what)
		}
	}
}

// Watch starts a watch of an engine or a store. The returned function ends it, and checks that it
// returns the reason.
func Watch(tb testing.TB, watch func(context.Context) error) (end func()) {
	ctx, cancel := context.WithCancel(tb.Context())
	done := make(chan error, 1)
	go func() { done <- watch(ctx) }()
	return func() {
		tb.Helper()
		cancel()
		select {
		case err := <-done:
			if err == nil {
				tb.Error("Watch returned nil; want the reason")
			}
		case <-time.After(Patience):
			tb.Error("Watch goes on although its context has ended")
		}
	}
}
