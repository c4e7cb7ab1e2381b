package zkfake_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// FuzzRequest sends one request with an arbitrary body. The server must answer it or end the
// connection, and keep serving others.
func FuzzRequest(f *testing.F) {
	s := newStage(nil, "")
	for _, line := range parseScript(`
		1 create es /a x
		1 ttl t /t x 5000
		1 set /a y -1
		1 multi create p /b x ; check /a 0 ; delete /b -1
		1 multiread get /a ; ls /a
		1 setwatches 0 d=/a e=/b c=/c
		1 setacl /a open -1
		1 auth digest ada:lovelace
		1 get /a w`) {
		_, args := split(line)
		f.Add(opCodes[args[0]], s.encode(&probe{}, args))
	}
	f.Add(int32(14), []byte{0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add(int32(1), []byte{0x7f, 0xff, 0xff, 0xff})

	srv := zkfake.New(zkfake.Options{MaxSessionTimeout: time.Hour})
	f.Cleanup(func() { srv.Close() })
	f.Fuzz(func(t *testing.T, op int32, body []byte) {
		dial := func() (net.Conn, error) { return srv.Dial(t.Context(), "", "") }
		p, other := &probe{dial: dial}, &probe{dial: dial}
		if err := p.connect(0); err != nil {
			t.Fatal(err)
		}
		if err := other.connect(0); err != nil {
			t.Fatal(err)
		}
		if _, err := p.call(op, body); err != nil {
			t.Errorf("no reply: %v", err)
		}
		if a, err := other.call(3, new(packer).str("/").flag(true).b); err != nil || a.eof || a.code != 0 {
			t.Errorf("another client is not served: %+v, %v", a, err)
		}
		p.closeSession()
		other.closeSession()
	})
}

// parseScript splits a text into lines without indentation and comments.
func parseScript(text string) script {
	var lines script
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
