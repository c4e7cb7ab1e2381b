package lifecycle_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// listen answers every line with reply, and returns its port.
func listen(t *testing.T, reply func(line string, w io.Writer)) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer conn.Close()
				if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
					reply(line, conn)
				}
			})
		}
	})
	t.Cleanup(func() { listener.Close(); open.Wait() })
	return listener.Addr().(*net.TCPAddr).Port
}

func TestDump(t *testing.T) {
	tree := twoHosts("j") + `
		j/instances/127.0.0.1@-@9 [E] = "jobInstanceId: 127.0.0.1@-@9\nserverIp: 127.0.0.1\n"
		j/instances/169.254.169.254@-@9 [E] = "jobInstanceId: 169.254.169.254@-@9\nserverIp: 169.254.169.254\n"
	` + twoHosts("k")
	each(t, tree, func(t *testing.T, b bundle) {
		dump := func(job, ip string, port int) (string, error) { return b.operator.Dump(t.Context(), job, ip, port) }
		port := listen(t, func(line string, w io.Writer) { fmt.Fprintf(w, "/j | seen\n%s", line) })
		if text, err := dump("j", "127.0.0.1", port); err != nil || text != "/j | seen\ndump@j\n" {
			t.Errorf("%q, %v", text, err)
		}
		_, err := dump("k", "127.0.0.1", port) // an instance of another job
		wantError(t, err, lifecycle.ErrNotFound, "no live instance")
		_, err = dump("j", "10.0.0.99", port)
		wantError(t, err, lifecycle.ErrNotFound)
		_, err = dump("nope", "127.0.0.1", port)
		wantError(t, err, lifecycle.ErrNotFound)
		_, err = dump("j", "169.254.169.254", port)
		wantError(t, err, lifecycle.ErrInvalid)
		for _, port := range []int{0, -1, 22, 1023, 65536} {
			_, err = dump("j", "127.0.0.1", port)
			wantError(t, err, lifecycle.ErrInvalid, "port")
		}
		long := listen(t, func(_ string, w io.Writer) { io.WriteString(w, strings.Repeat("x", lifecycle.MaxDump+1000)) })
		if text, err := dump("j", "127.0.0.1", long); err != nil || len(text) != lifecycle.MaxDump {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		done := make(chan struct{})
		silent := listen(t, func(string, io.Writer) { <-done })
		_, err = dump("j", "127.0.0.1", silent)
		close(done)
		wantError(t, err, lifecycle.ErrNoAnswer, "not complete after 5s")
	})
}
