// Package outbound decides where the program may connect to when somebody who
// uses it names the address: a list of what is allowed, and nothing else.
//
//	"zk1.example.com:2181" ─┐            ┌─ on the list: connect, and look again at
//	                        ├─▶ Check ───┤  the address that the name stands for
//	"169.254.169.254:80"  ──┘            └─ not on it: [ErrForbidden], nothing is sent
//
// Loopback, link-local, multicast and metadata addresses are never meant by a
// wildcard: they are reached only if the list has them as addresses or, for
// loopback, as an exact name.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrForbidden says that an address is not on the list.
var ErrForbidden = errors.New("address not allowed")

// List is what may be connected to. The zero List allows nothing. It is
// immutable.
type List struct{ entries []entry }

// entry allows names or addresses, on one port or all.
type entry struct {
	name   string // exact, or with a "*" in front a suffix; "*" is anything
	prefix netip.Prefix
	port   uint16 // 0: any
}

// Parse reads a list. Its entries are names ("zk1.example.com"), suffixes
// ("*.example.com"), addresses ("10.0.0.7"), ranges ("10.0.0.0/8") or "*", each
// with a port ("zk1:2181", "[fd00::7]:2181", "10.0.0.0/8:2181") or for every
// port.
func Parse(entries []string) (List, error) {
	var list List
	for _, text := range entries {
		e, ok := parse(strings.TrimSpace(text))
		if !ok {
			return List{}, fmt.Errorf("%q is no host, *.suffix, address or range, with or without a port", text)
		}
		list.entries = append(list.entries, e)
	}
	return list, nil
}

// Empty reports whether the list allows nothing.
func (l List) Empty() bool { return len(l.entries) == 0 }

func parse(text string) (e entry, ok bool) {
	host := text
	if _, err := netip.ParseAddr(text); err != nil {
		if h, port, err := net.SplitHostPort(text); err == nil {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil || n == 0 {
				return e, false
			}
			host, e.port = h, uint16(n)
		}
	}
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && addr.Zone() == "" {
		addr = addr.Unmap()
		e.prefix = netip.PrefixFrom(addr, addr.BitLen())
		return e, true
	}
	if strings.Contains(host, "/") {
		prefix, err := netip.ParsePrefix(host)
		e.prefix = prefix.Masked()
		return e, err == nil
	}
	e.name = canonical(host)
	return e, e.name == "*" || isName(strings.TrimPrefix(e.name, "*."))
}

var (
	labels = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$`)
	number = regexp.MustCompile(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)
)

// isName reports whether a host is one to look up. What ends in a number, such
// as 127.1 or 0x7f000001, is not: some resolvers take it for an address.
func isName(host string) bool { return labels.MatchString(host) && !number.MatchString(host) }

func canonical(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// Check reports whether an address, "host:port", may be connected to. It
// connects to nothing and looks nothing up.
func (l List) Check(addr string) error {
	host, port, err := split(addr)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Zone() == "" && l.address(ip.Unmap(), port) {
			return nil
		}
	} else if isName(host) && l.named(host, port) {
		return nil
	}
	return forbidden(addr)
}

func forbidden(addr string) error { return fmt.Errorf("%w: %s", ErrForbidden, addr) }

func split(addr string) (host string, port uint16, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not host:port", addr)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 || host == "" {
		return "", 0, fmt.Errorf("%q is not host:port", addr)
	}
	return canonical(host), uint16(n), nil
}

// address reports whether an address is allowed as such.
func (l List) address(ip netip.Addr, port uint16) bool {
	return l.any(port, func(e entry) bool {
		return e.prefix.IsValid() && e.prefix.Contains(ip) || e.name == "*" && !special(ip)
	})
}

// named reports whether a name is allowed.
func (l List) named(host string, port uint16) bool {
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	return l.exact(host, port) || !local && l.any(port, func(e entry) bool {
		return e.name == "*" || strings.HasPrefix(e.name, "*.") && strings.HasSuffix(host, e.name[1:])
	})
}

func (l List) exact(host string, port uint16) bool {
	return l.any(port, func(e entry) bool { return e.name == host })
}

func (l List) any(port uint16, fits func(entry) bool) bool {
	for _, e := range l.entries {
		if (e.port == 0 || e.port == port) && fits(e) {
			return true
		}
	}
	return false
}

var metadata = []netip.Addr{netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("100.100.100.200")}

// special are the addresses that no wildcard means.
func special(ip netip.Addr) bool {
	return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() || ip == metadata[0] || ip == metadata[1]
}

// Dial connects to an address that [List.Check] allows. What a name stands for
// is checked again before anything is sent there: a name that is allowed must
// not be a way to a special address.
func (l List) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if err := l.Check(addr); err != nil {
		return nil, err
	}
	host, port, _ := split(addr)
	dialer := net.Dialer{Timeout: 10 * time.Second, Control: func(_, resolved string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(resolved)
		if err != nil {
			return forbidden(addr)
		}
		ip := at.Addr().Unmap()
		ip = ip.WithZone("")
		switch {
		case !special(ip), l.address(ip, port), ip.IsLoopback() && l.exact(host, port):
			return nil
		}
		return forbidden(addr + ", which is " + ip.String())
	}}
	return dialer.DialContext(ctx, network, addr)
}
