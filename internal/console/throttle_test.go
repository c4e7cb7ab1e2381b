package console

import (
	"fmt"
	"testing"
	"time"
)

type stopwatch struct{ now time.Time }

func (s *stopwatch) clock() time.Time { return s.now }

func TestC04ThrottlePerAccount(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock)
	for i := range accountBurst {
		if _, wait := th.begin("root", fmt.Sprintf("10.0.0.%d", i)); wait > 0 {
			t.Fatalf("attempt %d held for %s", i+1, wait)
		}
	}
	_, wait := th.begin("root", "10.9.9.9")
	if wait <= 0 || wait > accountRefill {
		t.Fatalf("one too many: wait %s, want up to %s", wait, accountRefill)
	}
	if _, other := th.begin("guest", "10.9.9.9"); other > 0 {
		t.Errorf("another account is held too")
	}
	w.now = w.now.Add(wait)
	if _, wait := th.begin("root", "10.9.9.9"); wait > 0 {
		t.Errorf("after waiting as told: held for another %s", wait)
	}
}

func TestC04ThrottlePerAddress(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock)
	for i := range addressBurst {
		if _, wait := th.begin(fmt.Sprint("user", i), "10.0.0.1"); wait > 0 {
			t.Fatalf("attempt %d held for %s", i+1, wait)
		}
	}
	if _, wait := th.begin("another", "10.0.0.1"); wait <= 0 {
		t.Error("the address may go on guessing")
	}
	if _, wait := th.begin("another", "10.0.0.2"); wait > 0 {
		t.Error("another address is held too")
	}
}

// Refused attempts must not push the end of the waiting away.
func TestThrottleRefusedAttemptsAreFree(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock)
	for range accountBurst {
		th.begin("root", "10.0.0.1")
	}
	_, before := th.begin("root", "10.0.0.1")
	for range 5 {
		th.begin("root", "10.0.0.1")
	}
	if _, after := th.begin("root", "10.0.0.1"); after > before {
		t.Errorf("the wait grew from %s to %s", before, after)
	}
}

func TestThrottleDoesNotCountSuccess(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock)
	for i := range 100 {
		a, wait := th.begin("root", "10.0.0.1")
		if wait > 0 {
			t.Fatalf("right password number %d held for %s", i+1, wait)
		}
		a.succeed()
	}
}

// Whoever guesses at root's password from elsewhere does not lock root out of
// where root has signed in before.
func TestThrottleCannotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock)
	a, _ := th.begin("root", "10.0.0.1")
	a.succeed()
	for i := range 50 {
		th.begin("root", fmt.Sprintf("10.6.6.%d", i))
	}
	if _, wait := th.begin("root", "10.6.6.200"); wait <= 0 {
		t.Error("the attacker is not held")
	}
	if _, wait := th.begin("root", "10.0.0.1"); wait > 0 {
		t.Errorf("the owner is held for %s", wait)
	}
}

func TestThrottleMemoryIsBounded(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock)
	th.most = 50
	for i := range 300 {
		a, _ := th.begin(fmt.Sprint("user", i), fmt.Sprint("addr", i))
		a.succeed()
	}
	for i := range 300 {
		th.begin(fmt.Sprint("wrong", i), fmt.Sprint("addr", i))
	}
	if len(th.accounts) > th.most || len(th.addresses) > th.most || len(th.known) > th.most {
		t.Errorf("%d accounts, %d addresses and %d pairs are remembered, want at most %d", len(th.accounts), len(th.addresses), len(th.known), th.most)
	}
}
