//go:build interop

package interop

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestK59K60Dump has both kinds answer the same to those who ask what ZooKeeper
// holds of their job, with the same addresses masked in the same way.
func TestK59K60Dump(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		// Java damages an address that begins as another one does.
		f := newFleet(t, version, "--shards=12", "--parameter=10.1.2.3 and 10.9.9.9")
		ports := map[side]int{java: freePort(t), golang: freePort(t)}
		first := f.start(java, "--dump-port="+strconv.Itoa(ports[java]))
		f.awaitLeader(first)
		second := f.start(golang, "--dump-port="+strconv.Itoa(ports[golang]))
		f.runOnce(12, first, second)
		f.awaitAssigned(12, first, second)
		for _, request := range []string{"dump@job\n", "dump@none\n", "dump\n", "dump@\n", "dump@job@job\n", "DUMP@job\n"} {
			var answers [2]string
			for k, s := range []side{java, golang} {
				answers[k] = ask(t, ports[s], request)
			}
			if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
				t.Errorf("answers to %q (-java +go):\n%s", request, diff)
			}
			if request == "dump@job\n" && len(answers[0]) < 500 {
				t.Errorf("the answer to %q is %q", request, answers[0])
			}
		}
	})
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port
}

// ask sends one line to a dump service and returns everything that it answers.
func ask(t *testing.T, port int, request string) string {
	t.Helper()
	conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), patience)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(conn, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	return string(answer)
}
