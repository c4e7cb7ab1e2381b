// Package outbound decides where the program may connect to when somebody who
// uses it names the address: a list of what is allowed, and nothing else.
//
//	"zk1.example.com:2181" ─┐            ┌─ on the list: connect, and look again at
//	                        ├─▶ Check ───┤  the address that the name stands for
//	"169.254.169.254:80"  ──┘            └─ not on it: [ErrForbidden], nothing is sent
//
// A wildcard ("*", "0.0.0.0/0" or "::/0") never allows a loopback, link-local, multicast
// or metadata address. The list has to contain such an address, or for loopback the
// exact name. An IPv6 address that contains an IPv4 address (mapped, NAT64, 6to4, Teredo,
// ISATAP) is treated as the IPv4 address.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
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
		addr = target(addr)
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
		if ip.Zone() == "" && l.address(ip, port) {
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
	reached := target(ip)
	return l.any(port, func(e entry) bool {
		switch {
		case e.name == "*" || e.prefix.IsValid() && e.prefix.Bits() == 0:
			return !Special(ip)
		case e.prefix.Contains(reached):
			return true
		}
		return e.prefix.Contains(ip) && !Special(ip)
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

// metadata are the addresses at which clouds hand out credentials; others are link-local. Addresses
// with the prefix localNAT64 can't be decoded.
var (
	metadata = []netip.Addr{
		netip.MustParseAddr("100.100.100.200"), // Alibaba Cloud
		netip.MustParseAddr("168.63.129.16"),   // Azure
		netip.MustParseAddr("192.0.0.192"),     // Oracle Cloud
		netip.MustParseAddr("fd00:ec2::23"),    // AWS, pods
		netip.MustParseAddr("fd00:ec2::254"),   // AWS
		netip.MustParseAddr("fd20:ce::254"),    // Google Cloud
	}
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8")
	localNAT64  = netip.MustParsePrefix("64:ff9b:1::/48")
)

// Special reports whether no wildcard allows an address.
func Special(ip netip.Addr) bool {
	ip = target(ip)
	return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() ||
		thisNetwork.Contains(ip) || localNAT64.Contains(ip) || slices.Contains(metadata, ip)
}

// embedding is a prefix of IPv6 addresses that contain an IPv4 address, and the byte at
// which it begins.
type embedding struct {
	prefix   netip.Prefix
	at       int
	inverted bool
}

var embeddings = []embedding{
	{netip.MustParsePrefix("64:ff9b::/96"), 12, false},    // NAT64
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12, false}, // SIIT
	{netip.MustParsePrefix("::/96"), 12, false},           // IPv4-compatible
	{netip.MustParsePrefix("2002::/16"), 2, false},        // 6to4
	{netip.MustParsePrefix("2001::/32"), 12, true},        // Teredo
}

// target returns the IPv4 address in an IPv6 address, or ip itself, without
// its zone.
func target(ip netip.Addr) netip.Addr {
	ip = ip.Unmap().WithZone("")
	if ip.Is4() || ip.IsUnspecified() || ip.IsLoopback() {
		return ip
	}
	raw := ip.As16()
	for _, e := range embeddings {
		if !e.prefix.Contains(ip) {
			continue
		}
		v4 := [4]byte(raw[e.at:])
		if e.inverted {
			for i := range v4 {
				v4[i] = ^v4[i]
			}
		}
		return netip.AddrFrom4(v4)
	}
	if isatap := string(raw[8:12]); isatap == "\x00\x00\x5e\xfe" || isatap == "\x02\x00\x5e\xfe" {
		return netip.AddrFrom4([4]byte(raw[12:]))
	}
	return ip
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
		ip := at.Addr().WithZone("")
		switch {
		case !Special(ip), l.address(ip, port), target(ip).IsLoopback() && l.exact(host, port):
			return nil
		}
		return forbidden(addr + ", which is " + ip.String())
	}}
	return dialer.DialContext(ctx, network, addr)
}
