package outbound

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ list, yes, no string }{
		{"", "", "a:1 10.0.0.1:2181 localhost:80 [::1]:1"},
		{"zk1.example.com:2181", "zk1.example.com:2181 ZK1.Example.COM.:2181", "zk1.example.com:2182 zk2.example.com:2181 x.zk1.example.com:2181 zk1.example.com.evil.org:2181"},
		{"8f3a2b1c:2181 zk_1", "8f3a2b1c:2181 zk_1:5", "8f3a2b1c:2182"},
		{"*.example.com", "a.example.com:1 a.b.example.com:65535", "example.com:1 aexample.com:1 a.example.com:0 a.example.com:65536 a.example.com"},
		{"10.0.0.0/8:2181 192.168.1.7", "10.255.0.1:2181 192.168.1.7:80 [::ffff:10.1.2.3]:2181", "11.0.0.1:2181 10.0.0.1:80 192.168.1.8:80 ten.example.com:2181 167772161:2181 0x0a000001:2181 10.1:2181 012.0.0.1:2181"},
		{"[fd00::7]:2181 fd01::/16", "[fd00::7]:2181 [fd01::1]:9", "[fd00::8]:2181 [fd00::7]:2182 [fd01::1%eth0]:9"},
		{"*", "anything.example:1 8.8.8.8:53 10.0.0.1:2181", "127.0.0.1:2181 [::1]:1 localhost:1 a.localhost:1 169.254.169.254:80 [fe80::1]:80 0.0.0.0:80 224.0.0.1:1 [fd00:ec2::254]:80 [::ffff:127.0.0.1]:1 2130706433:1 127.1:1 a/b:1 a@b:1 :1"},
		{"127.0.0.1:2181 localhost 169.254.0.0/16", "127.0.0.1:2181 localhost:5 169.254.169.254:80", "127.0.0.1:2182 127.0.0.2:2181"},
	} {
		list, err := Parse(strings.Fields(c.list))
		if err != nil {
			t.Fatal(err)
		}
		for _, addr := range strings.Fields(c.yes) {
			if err := list.Check(addr); err != nil {
				t.Errorf("%q: %s: %v", c.list, addr, err)
			}
		}
		for _, addr := range strings.Fields(c.no) {
			if list.Check(addr) == nil {
				t.Errorf("%q allows %s", c.list, addr)
			}
		}
	}
	for _, bad := range []string{"", "a b", "http://x", "10.0.0.0/33", "x:0", "x:99999", "*.*", "a*", "127.1", "0x7f.1", "2130706433", "0x7f000001"} {
		if _, err := Parse([]string{bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestW63OtherFormsOfAnAddress: however an address is written, a wildcard doesn't allow it if it
// is special, and an entry allows it if it has the address that is reached.
func TestW63OtherFormsOfAnAddress(t *testing.T) {
	t.Parallel()
	forms := []string{
		"::ffff:%[1]d.%[2]d.%[3]d.%[4]d", "64:ff9b::%[1]d.%[2]d.%[3]d.%[4]d", "::ffff:0:%[1]d.%[2]d.%[3]d.%[4]d", "::%[1]d.%[2]d.%[3]d.%[4]d",
		"2002:%02[1]x%02[2]x:%02[3]x%02[4]x::1", "fd00::5efe:%[1]d.%[2]d.%[3]d.%[4]d", "fd00::200:5efe:%[1]d.%[2]d.%[3]d.%[4]d",
	}
	written := func(form string, a [4]byte) string {
		return net.JoinHostPort(fmt.Sprintf(form, a[0], a[1], a[2], a[3]), "80")
	}
	wide, err := Parse([]string{"*", "0.0.0.0/0", "::/0", "2000::/3", "64:ff9b::/96", "2002::/16", "fd00::/8"})
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := Parse([]string{"10.1.2.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range append(forms, "%d.%d.%d.%d") {
		for _, a := range [][4]byte{{127, 0, 0, 1}, {169, 254, 169, 254}, {100, 100, 100, 200}, {168, 63, 129, 16}, {192, 0, 0, 192}, {224, 0, 0, 1}, {0, 0, 0, 9}} {
			if addr := written(form, a); wide.Check(addr) == nil {
				t.Errorf("a wildcard allows %s", addr)
			}
		}
		for _, a := range [][4]byte{{10, 1, 2, 3}, {8, 8, 8, 8}} {
			addr := written(form, a)
			if err := wide.Check(addr); err != nil {
				t.Errorf("%s: %v", addr, err)
			}
			if got, want := narrow.Check(addr) == nil, a[0] == 10; got != want {
				t.Errorf("10.1.2.0/24 allows %s: %v, want %v", addr, got, want)
			}
		}
	}
	every, err := Parse([]string{"*"})
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{"[fd00:ec2::254]:80", "[fd00:ec2::23]:80", "[fd20:ce::254]:80", "[64:ff9b:1::a9fe:a9fe]:80", "[2001::5601:5601]:80", "[fe80::1]:80", "[ff02::1]:80", "[::]:80"} {
		if every.Check(addr) == nil {
			t.Errorf("* allows %s", addr)
		}
	}
}

// TestDialLooksAtTheAddress: a name that is allowed by a wildcard is no way to
// this machine; one that is allowed by itself is.
func TestDialLooksAtTheAddress(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	addr := listener.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		list, addr string
		ok         bool
	}{
		{"127.0.0.1", addr, true}, {"localhost", "localhost:" + port, true}, {"*", addr, false}, {"10.0.0.0/8", addr, false},
	} {
		list, err := Parse([]string{c.list})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := list.Dial(t.Context(), "tcp4", c.addr)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrForbidden) {
			t.Errorf("%q, %s: %v", c.list, c.addr, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}
