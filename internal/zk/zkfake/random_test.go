//go:build servers

package zkfake_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// randomSequences is the number of random scripts on which both servers must agree. It's enough for
// dozens of answers and events of each kind.
const randomSequences = 8_000

func envNumber(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestRandomSequencesAgreeWithRealServer sends random scripts of one or two sessions to a real
// server and to the fake, and compares all answers.
//
// ZK_SEED selects other scripts, ZK_SEQUENCES another number of them, and ZK_SEQUENCE runs a single
// one, by the number in a failure. A failing script is reduced to the lines it needs.
func TestRandomSequencesAgreeWithRealServer(t *testing.T) {
	seed := envNumber(t, "ZK_SEED", 20261121)
	first, count := uint64(0), envNumber(t, "ZK_SEQUENCES", randomSequences)
	if testing.Short() {
		count = min(count, randomSequences/10)
	}
	if only := envNumber(t, "ZK_SEQUENCE", 0); only > 0 {
		first, count = only, 1
	}
	t.Logf("ZK_SEED=%d, sequences %d to %d", seed, first, first+count-1)

	duel := newDuel(t)
	const workers = 8
	var (
		wg       sync.WaitGroup
		next     atomic.Uint64
		requests atomic.Int64
		failures atomic.Int64
		tally    tally
	)
	for range workers {
		wg.Go(func() {
			w := duel.worker(t)
			defer w.end()
			for failures.Load() < 3 && !t.Failed() {
				i := first + next.Add(1) - 1
				if i >= first+count {
					return
				}
				lines := randomScript(rand.New(rand.NewPCG(seed, i)))
				requests.Add(int64(len(lines)))
				want, got, err := w.run(lines)
				if err != nil {
					t.Errorf("sequence %d: %v\n%s", i, err, scriptText(lines))
					return
				}
				tally.add(want)
				if !slices.Equal(want, got) {
					failures.Add(1)
					lines, want, got = w.reduce(lines, want, got)
					t.Errorf("repeat with ZK_SEED=%d ZK_SEQUENCE=%d\n%s\n-real +fake\n%s",
						seed, i, scriptText(lines), cmp.Diff(want, got))
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d requests; %s", requests.Load(), &tally)
	tally.check(t, int(count/1000))
}

type duel struct {
	real, fake func() (net.Conn, error)
}

func newDuel(t *testing.T) *duel {
	t.Helper()
	// Containers must not depend on the clock.
	real := zktest.StartZooKeeperWith(t, zktest.Options{ContainerCheckInterval: time.Hour})
	srv := zkfake.New(zkfake.Options{ContainerCheckInterval: time.Hour})
	t.Cleanup(func() { srv.Close() })
	return &duel{real: dialTCP(real.Addr()), fake: func() (net.Conn, error) {
		return srv.Dial(context.Background(), "", "")
	}}
}

// worker runs scripts one by one on both servers. It keeps two sessions on each for the scripts
// that don't change sessions.
type worker struct {
	duel       *duel
	prefix     string
	count      int
	real, fake *stage
}

func (d *duel) worker(t *testing.T) *worker {
	w := &worker{duel: d, prefix: "/" + zktest.Namespace(t)}
	w.real, w.fake = newStage(d.real, ""), newStage(d.fake, "")
	return w
}

func (w *worker) end() {
	w.real.end()
	w.fake.end()
}

// run performs a script on both servers below the same new root.
func (w *worker) run(lines script) (want, got []string, err error) {
	w.count++
	root := fmt.Sprintf("%s-%d", w.prefix, w.count)
	real, fake := w.real, w.fake
	if changesSessions(lines) {
		real, fake = newStage(w.duel.real, root), newStage(w.duel.fake, root)
		defer real.end()
		defer fake.end()
	}
	real.root, fake.root = root, root
	if want, err = real.perform(lines); err != nil {
		return nil, nil, fmt.Errorf("real: %w", err)
	}
	if got, err = fake.perform(lines); err != nil {
		return nil, nil, fmt.Errorf("fake: %w", err)
	}
	return want, got, nil
}

// changesSessions reports whether a script needs its own sessions.
func changesSessions(lines script) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		switch strings.Fields(line)[1] {
		case "close", "reconnect", "intrude", "auth", "raw":
			return true
		}
		return false
	})
}

// reduce drops lines as long as the servers still disagree.
func (w *worker) reduce(lines script, want, got []string) (script, []string, []string) {
	for again := true; again; {
		again = false
		for i := len(lines) - 1; i > 0; i-- {
			fewer := slices.Delete(slices.Clone(lines), i, i+1)
			a, b, err := w.run(fewer)
			if err == nil && !slices.Equal(a, b) {
				lines, want, got, again = fewer, a, b, true
			}
		}
	}
	return lines, want, got
}

// tally counts the real server's answers, to prove that the scripts cover them.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

var tallied = append([]string{
	" ok", "NoNode", "NodeExists", "NotEmpty", "BadVersion", "NoAuth", "NoChildrenForEphemerals", "InvalidACL",
	"BadArguments", "RuntimeInconsistency", "MarshallingError", "resumed", "expired",
}, "event created", "event deleted", "event changed", "event children")

func (y *tally) add(lines []string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.counts == nil {
		y.counts = make(map[string]int)
	}
	for _, line := range lines {
		for _, what := range tallied {
			if !strings.HasPrefix(line, ">") && strings.Contains(line, what) {
				y.counts[what]++
			}
		}
	}
}

func (y *tally) String() string {
	var parts []string
	for _, what := range tallied {
		parts = append(parts, fmt.Sprintf("%d %s", y.counts[what], strings.TrimSpace(what)))
	}
	return strings.Join(parts, ", ")
}

// check fails the test if some kind of answer is too rare.
func (y *tally) check(t *testing.T, least int) {
	t.Helper()
	for _, what := range tallied {
		if y.counts[what] < least {
			t.Errorf("only %d answers with %q: the sequences do not exercise it", y.counts[what], what)
		}
	}
}

// randomScript makes a script of a few requests that interfere with each other.
func randomScript(r *rand.Rand) script {
	g := &generator{r: r}
	g.lines = append(g.lines, "1 create p . _")
	if r.IntN(4) == 0 { // only some scripts use access control
		g.restricted = true
		g.lines = append(g.lines, g.pick("1 auth digest ada:lovelace", "2 auth digest ada:lovelace"))
	}
	for _, path := range []string{"/a", "/b", "/a/x"} {
		if r.IntN(5) > 0 {
			g.lines = append(g.lines, "1 create p "+path+" x"+g.acl())
		}
	}
	for range 3 + r.IntN(11) {
		g.lines = append(g.lines, g.session()+" "+g.request())
	}
	return g.lines
}

type generator struct {
	r          *rand.Rand
	restricted bool
	lines      script
	current    string // session
}

func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// session often keeps the current session, because consecutive requests of a session are sent
// together.
func (g *generator) session() string {
	if g.current == "" || g.r.IntN(10) < 4 {
		g.current = g.pick("1", "1", "2")
	}
	return g.current
}

func (g *generator) path() string {
	return g.pick("/a", "/a", "/a", "/a", "/b", "/b", "/a/x", "/a/x", "/a/x", "/a/y", "/b/x", "/c", ".",
		"/s-0000000002", "/a/s-0000000001")
}

func (g *generator) prefix() string { return g.pick("/s-", "/s-", "/a/s-", "/a/s-", "/b/", "/a/x/s-") }

func (g *generator) data() string { return g.pick("x", "y", "hello", "_", "-") }

func (g *generator) version() string {
	return g.pick("-1", "-1", "-1", "-1", "0", "0", "0", "1", "1", "2")
}

func (g *generator) watch() string { return g.pick("", " w", " w") }

func (g *generator) acl() string {
	if !g.restricted {
		if g.r.IntN(40) == 0 {
			return " acl=" + g.pick("none", "unknown", "someone", "twice", "creator")
		}
		return ""
	}
	return g.pick("", "", "", " acl=creator", " acl=creator", " acl=readonly", " acl=nocreate", " acl=nodelete",
		" acl=nowrite", " acl=noread", " acl=noadmin", " acl=mixed", " acl=ada", " acl=local")
}

func (g *generator) creation() string {
	op := g.pick("create", "create", "create", "create2")
	switch g.r.IntN(20) {
	case 0, 1, 2:
		return fmt.Sprintf("%s e %s %s%s", op, g.path(), g.data(), g.acl())
	case 3, 4, 5:
		return fmt.Sprintf("%s s %s %s%s", op, g.prefix(), g.data(), g.acl())
	case 6, 7:
		return fmt.Sprintf("%s es %s %s%s", op, g.prefix(), g.data(), g.acl())
	case 8:
		return fmt.Sprintf("container %s %s%s", g.path(), g.data(), g.acl())
	case 9:
		target := g.pick("t "+g.path(), "ts "+g.prefix())
		return fmt.Sprintf("ttl %s %s %s%s", target, g.data(), g.pick("600000", "700000", "0"), g.acl())
	case 10:
		target := g.pick("c "+g.path(), "t "+g.path(), "ts "+g.prefix(), "bad "+g.path())
		return fmt.Sprintf("%s %s %s%s", op, target, g.data(), g.acl())
	case 11:
		return fmt.Sprintf("create p %s x", g.pick("!R/", "!R//a", "!R/a/../b", "!", "!nope", "!R/a\\x01"))
	}
	return fmt.Sprintf("%s p %s %s%s", op, g.path(), g.data(), g.acl())
}

// change makes a write that can also be a step of a multi.
func (g *generator) change() string {
	switch g.r.IntN(10) {
	case 0, 1, 2, 3, 4:
		return g.creation()
	case 5, 6:
		return fmt.Sprintf("set %s %s %s", g.path(), g.data(), g.version())
	default:
		return fmt.Sprintf("delete %s %s", g.path(), g.version())
	}
}

func (g *generator) multi() string {
	steps := make([]string, g.r.IntN(6))
	for i := range steps {
		steps[i] = g.change()
		if g.r.IntN(4) == 0 {
			steps[i] = fmt.Sprintf("check %s %s", g.path(), g.version())
		}
	}
	return strings.TrimSpace("multi " + strings.Join(steps, " ; "))
}

func (g *generator) request() string {
	switch n := g.r.IntN(100); {
	case n < 44:
		return g.change()
	case n < 56:
		return g.multi()
	case n < 64:
		return fmt.Sprintf("get %s%s", g.path(), g.watch())
	case n < 74:
		return fmt.Sprintf("exists %s%s", g.path(), g.watch())
	case n < 87:
		return fmt.Sprintf("%s %s%s", g.pick("ls", "ls2", "ls2"), g.path(), g.watch())
	case n < 90:
		return g.setWatches()
	case n < 92:
		return fmt.Sprintf("getacl %s", g.path())
	case n < 94:
		return fmt.Sprintf("setacl %s %s %s", g.path(), g.pick("open", "open", "readonly", "creator", "none"), g.version())
	case n < 98:
		return g.rare()
	case n == 98:
		return "reconnect"
	default:
		return g.pick("close", "close", "close", "intrude")
	}
}

func (g *generator) setWatches() string {
	text := "setwatches " + g.pick("seen", "seen", "0", "max")
	for range g.r.IntN(5) {
		text += fmt.Sprintf(" %s=%s", g.pick("d", "e", "c"), g.path())
	}
	return text
}

func (g *generator) rare() string {
	switch g.r.IntN(5) {
	case 0:
		return "sync " + g.path()
	case 1:
		return "ephemerals " + g.path()
	case 2:
		return "allchildren " + g.path()
	case 3:
		return fmt.Sprintf("multiread get %s ; ls %s", g.path(), g.path())
	}
	return "reconnect"
}
