package rest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestA27C08Dump: of an instance, of an address that is none, and of a port that
// says nothing.
func TestA27C08Dump(t *testing.T) {
	instance := "\nj/instances/127.0.0.1@-@9 [E] = \"jobInstanceId: 127.0.0.1@-@9\\nserverIp: 127.0.0.1\\n\"\n"
	consoletest.EachTree(t, consoletest.Plain("j")+consoletest.Plain("k")+instance, func(t *testing.T, b consoletest.TreeBench) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		hold := make(chan struct{})
		var silent bool
		var mu sync.Mutex
		var group sync.WaitGroup
		group.Go(func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				group.Go(func() {
					defer conn.Close()
					line, err := bufio.NewReader(conn).ReadString('\n')
					mu.Lock()
					say := !silent && err == nil
					mu.Unlock()
					if say {
						_, _ = io.WriteString(conn, "/j | seen by "+line)
						return
					}
					<-hold
				})
			}
		})
		defer group.Wait()
		defer listener.Close()
		defer close(hold)
		port := listener.Addr().(*net.TCPAddr).Port
		dump := func(ip string, port int, job string, headers ...string) consoletest.Reply {
			return b.Call(t, http.MethodPost, fmt.Sprintf("/api/servers/%s/%d/jobs/%s/dump", ip, port, job), "", headers...)
		}
		r := dump("127.0.0.1", port, "j")
		if consoletest.WantStatus(t, r, http.StatusOK); r.Body != "/j | seen by dump@j\n" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") {
			t.Errorf("%q", r.Body)
		}
		r = dump("127.0.0.1", port, "j", "Authorization: ", "Access-Token: "+b.Token(t, auth.RoleRoot, auth.ForAPI))
		if r.Body != `{"success":true,"errorCode":0,"errorMsg":null,"model":"/j | seen by dump@j\n"}`+"\n" {
			t.Errorf("in the envelope: %s", r.Body)
		}
		consoletest.WantStatus(t, dump("127.0.0.1", port, "k"), http.StatusNotFound)
		consoletest.WantStatus(t, dump("192.0.2.1", port, "j"), http.StatusNotFound)
		consoletest.WantStatus(t, dump("127.0.0.1", 22, "j"), http.StatusUnprocessableEntity)
		consoletest.WantStatus(t, dump("127.0.0.1", port, "j", "Authorization: Bearer "+b.Token(t, auth.RoleGuest, auth.ForAPI)), http.StatusForbidden)
		mu.Lock()
		silent = true
		mu.Unlock()
		consoletest.WantStatus(t, dump("127.0.0.1", port, "j"), http.StatusGatewayTimeout)
	})
}
