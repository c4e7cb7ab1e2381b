//go:build servers

package zkfake_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// runScript runs a script below a new root with new sessions.
func runScript(t *testing.T, dial func() (net.Conn, error), lines script) []string {
	t.Helper()
	root := "/" + zktest.Namespace(t)
	s := newStage(dial, root)
	defer s.end()
	owner := &probe{dial: dial}
	if err := owner.connect(0); err != nil {
		t.Fatal(err)
	}
	defer owner.closeSession()
	if a, err := owner.call(1, s.encode(owner, strings.Fields("create p . _"))); err != nil || a.code != 0 {
		t.Fatalf("create root: %v %d", err, a.code)
	}
	out, err := s.perform(lines)
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(s.out, "\n"))
	}
	return out
}

// TestSameAnswersAsRealServer compares the answers to hand-written requests.
func TestSameAnswersAsRealServer(t *testing.T) {
	duel := newDuel(t)
	operations := 0
	for _, sc := range scenarios {
		lines := parseScript(sc.text)
		operations += len(lines)
		t.Run(sc.name, func(t *testing.T) {
			want := runScript(t, duel.real, lines)
			got := runScript(t, duel.fake, lines)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-real +fake\n%s", diff)
			}
			if testing.Verbose() {
				t.Log("\n" + strings.Join(want, "\n"))
			}
		})
	}
	t.Logf("%d scenarios, %d requests", len(scenarios), operations)
	if operations < 150 {
		t.Error("too few requests to prove anything")
	}
}

func scriptText(lines script) string { return fmt.Sprint(strings.Join(lines, "\n")) }
