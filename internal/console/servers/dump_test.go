package servers

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestA27C08Dump: the dump of an instance, of an address without an instance, and of a silent port.
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

// TestW63DumpKeepsToTheList: anyone who writes to the tree can register any address. The console
// connects to no form of an address outside of the list.
func TestW63DumpKeepsToTheList(t *testing.T) {
	t.Parallel()
	addr, visits := consoletest.Trap(t)
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	list, err := outbound.Parse([]string{"*"})
	if err != nil {
		t.Fatal(err)
	}
	tree := treetest.New(t, zktest.Fake(t).Addr)
	tree.Plant(t, consoletest.Plain("j"))
	b := consoletest.New(t, func(o *app.Options) {
		o.Operator = lifecycle.NewOperator(tree.Registry()).DialWith(list.Dial)
	})
	for _, ip := range []string{"127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "169.254.169.254", "64:ff9b::a9fe:a9fe", "100.100.100.200", "fd00:ec2::254"} {
		tree.Put(t, "j/instances/"+ip+"@-@9", "jobInstanceId: '"+ip+"@-@9'\nserverIp: '"+ip+"'\n", zk.Ephemeral)
		r := b.Call(t, http.MethodPost, "/api/servers/"+url.PathEscape(ip)+"/"+port+"/jobs/j/dump", "")
		if r.StatusCode != http.StatusForbidden && r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", ip, r.StatusCode, r.Body)
		}
	}
	if n := visits.Load(); n > 0 {
		t.Errorf("%d connections", n)
	}
}
