package auth

import (
	"fmt"
	"testing"
	"time"
)

type stopwatch struct{ now time.Time }

func (s *stopwatch) clock() time.Time { return s.now }

func isAccount(name string) bool { return name == "root" || name == "guest" }

func TestC04ThrottlePerAccount(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock, isAccount)
	for i := range AccountBurst {
		if _, wait := th.begin("root", fmt.Sprintf("10.0.0.%d", i)); wait > 0 {
			t.Fatalf("attempt %d held for %s", i+1, wait)
		}
	}
	_, wait := th.begin("root", "10.9.9.9")
	if wait <= 0 || wait > AccountRefill {
		t.Fatalf("one too many: wait %s, want up to %s", wait, AccountRefill)
	}
	if _, other := th.begin("guest", "10.9.9.9"); other > 0 {
		t.Errorf("another account is held too")
	}
	w.now = w.now.Add(wait)
	if _, wait := th.begin("root", "10.9.9.9"); wait > 0 {
		t.Errorf("after waiting as answered: held for another %s", wait)
	}
}

func TestC04ThrottlePerAddress(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock, isAccount)
	for i := range AddressBurst {
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
	th := newThrottle(w.clock, isAccount)
	for range AccountBurst {
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
	th := newThrottle(w.clock, isAccount)
	for i := range 100 {
		a, wait := th.begin("root", "10.0.0.1")
		if wait > 0 {
			t.Fatalf("right password number %d held for %s", i+1, wait)
		}
		a.Succeed()
	}
}

// Whoever guesses at root's password from elsewhere does not lock root out of
// where root has signed in before.
func TestThrottleCannotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock, isAccount)
	a, _ := th.begin("root", "10.0.0.1")
	a.Succeed()
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
	th := newThrottle(w.clock, isAccount)
	th.owners.most, th.addresses.most, th.callbacks.most = 50, 50, 50
	for i := range 300 {
		a, _ := th.begin(fmt.Sprint("user", i), fmt.Sprint("addr", i))
		a.Succeed()
		th.beginFrom(fmt.Sprint("addr", i))
	}
	for i := range 300 {
		th.begin(fmt.Sprint("wrong", i), fmt.Sprint("addr", i))
		th.begin(fmt.Sprint("user", i), fmt.Sprint("addr", i))
	}
	if len(th.accounts) > 2 || len(th.owners.byKey) > 50 || len(th.addresses.byKey) > 50 || len(th.callbacks.byKey) > 50 || len(th.known) > 50 {
		t.Errorf("%d accounts, %d owners, %d addresses, %d callbacks and %d pairs are remembered, want at most 50", len(th.accounts), len(th.owners.byKey), len(th.addresses.byKey), len(th.callbacks.byKey), len(th.known))
	}
}

// TestV23ThrottleKeepsRootsBucket: with as many names and addresses as anybody
// likes, no more passwords of root are judged in a minute than its bucket lets
// through.
func TestV23ThrottleKeepsRootsBucket(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock, isAccount)
	judged := 0
	const attack = time.Minute
	for i := range 30_000 { // one each 2 ms
		w.now = noon.Add(time.Duration(i) * attack / 30_000)
		address := fmt.Sprintf("10.%d.%d.%d", i>>16&255, i>>8&255, i&255)
		th.begin(fmt.Sprint("name", i), address) // to push root's bucket out
		if _, wait := th.begin("root", address); wait == 0 {
			judged++
		}
	}
	if most := AccountBurst + int(attack/AccountRefill); judged > most {
		t.Errorf("%d passwords of root were judged in %s, want at most %d", judged, attack, most)
	}
	// Unknown names are held as known ones are, or the difference would tell.
	for range AccountBurst {
		th.begin("nobody", "192.0.2.1")
	}
	if _, wait := th.begin("nobody", "192.0.2.2"); wait == 0 {
		t.Error("an unknown name is never held")
	}
	if _, wait := th.begin("guest", "192.0.2.3"); wait > 0 {
		t.Errorf("unknown names hold a known one for %s", wait)
	}
}

// TestV23OneNetworkOneAddress: a customer's 2^64 addresses of IPv6 are one.
func TestV23OneNetworkOneAddress(t *testing.T) {
	t.Parallel()
	w := &stopwatch{noon}
	th := newThrottle(w.clock, isAccount)
	for i := range AddressBurst {
		if _, wait := th.begin(fmt.Sprint("user", i), fmt.Sprintf("2001:db8:1:2:%x::%x", i, i)); wait > 0 {
			t.Fatalf("attempt %d held for %s", i+1, wait)
		}
	}
	if _, wait := th.begin("another", "2001:db8:1:2:ffff::1"); wait == 0 {
		t.Error("the same network may go on guessing")
	}
	if _, wait := th.begin("another", "2001:db8:1:3::1"); wait > 0 {
		t.Error("another network is held too")
	}
	for address, want := range map[string]string{"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "::ffff:192.0.2.1", "fe80::1%eth0": "fe80::/64", "": ""} {
		if got := Network(address); got != want {
			t.Errorf("Network(%q) = %q", address, got)
		}
	}
}
