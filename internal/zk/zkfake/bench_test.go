package zkfake_test

import (
	"net"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// BenchmarkRequests measures one client that waits for each reply.
func BenchmarkRequests(b *testing.B) {
	srv := zkfake.New(zkfake.Options{})
	defer srv.Close()
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	for name, dial := range map[string]func() (net.Conn, error){
		"pipe": func() (net.Conn, error) { return srv.Dial(b.Context(), "", "") },
		"tcp":  dialTCP(addr.String()),
	} {
		p := &probe{dial: dial}
		if err := p.connect(0); err != nil {
			b.Fatal(err)
		}
		s := newStage(nil, "")
		p.call(1, s.encode(p, []string{"create", "p", "/a", "x"}))
		for kind, request := range map[string][]string{
			"get":    {"get", "/a"},
			"set":    {"set", "/a", "y", "-1"},
			"create": {"create", "s", "/a/s-", "x"},
		} {
			body := s.encode(p, request)
			b.Run(name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					if a, err := p.call(opCodes[request[0]], body); err != nil || a.code != 0 {
						b.Fatal(a, err)
					}
				}
			})
		}
		p.closeSession()
	}
}
