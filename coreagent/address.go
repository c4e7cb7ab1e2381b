package coreagent

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// nic is a network interface that is up and not loopback.
type nic struct {
	name      string
	addresses []netip.Addr // the primary one first
}

// fallbackAddress is for a machine without a network.
const fallbackAddress = "127.0.0.1"

// bridges are the name prefixes of interfaces created by container engines and hypervisors. Many
// machines have the same addresses on them.
var bridges = []string{"docker", "br-", "veth", "virbr", "cni", "flannel", "cali", "podman", "lxc", "lxd", "vboxnet", "vmnet"}

func (n nic) isBridge() bool {
	return slices.ContainsFunc(bridges, func(prefix string) bool { return strings.HasPrefix(n.name, prefix) })
}

// hostAddress picks the address to announce on this machine.
func hostAddress(wish addressWish) (string, error) {
	var nics []nic
	interfaces, err := net.Interfaces()
	if err != nil && wish != (addressWish{}) {
		return "", fmt.Errorf("network interfaces: %w", err)
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		n := nic{name: i.Name}
		for _, a := range addresses {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				n.addresses = append(n.addresses, prefix.Addr().Unmap())
			}
		}
		nics = append(nics, n)
	}
	return wish.pick(nics)
}

// addressWish restricts the address to announce. The zero value allows any.
type addressWish struct {
	nic     string
	pattern string
}

// pick follows ElasticJob: the last matching interface, and its first address. Bridges of container
// engines come last, and IPv6, which Java's agents don't understand, only if there's no IPv4.
// Without a wish, a machine without a network gets the loopback address.
func (w addressWish) pick(nics []nic) (string, error) {
	matches, err := w.matcher()
	if err != nil {
		return "", err
	}
	if w.nic != "" && !slices.ContainsFunc(nics, func(n nic) bool { return n.name == w.nic }) {
		return "", fmt.Errorf("Interface: no interface %q is up; these are: %s", w.nic, names(nics))
	}
	var best netip.Addr
	rank := 0
	for _, n := range nics {
		if w.nic != "" && n.name != w.nic {
			continue
		}
		for _, kind := range []struct {
			rank int
			ok   func(a netip.Addr) bool
		}{{3, netip.Addr.Is4}, {1, netip.Addr.Is6}} {
			at := slices.IndexFunc(n.addresses, func(a netip.Addr) bool {
				return kind.ok(a) && a.IsGlobalUnicast() && matches(a)
			})
			if at < 0 {
				continue
			}
			worth := kind.rank
			if !n.isBridge() {
				worth++
			}
			if worth >= rank {
				best, rank = n.addresses[at], worth
			}
			break
		}
	}
	switch {
	case best.IsValid():
		return best.String(), nil
	case w == addressWish{}:
		return fallbackAddress, nil
	case w.pattern != "":
		return "", fmt.Errorf("AddressPattern: %q matches none of %s", w.pattern, names(nics))
	}
	return "", fmt.Errorf("Interface: %q has no address that other hosts can reach", w.nic)
}

// matcher reports whether an address is in the wanted network, begins with the wanted text, or
// matches it as a regular expression.
func (w addressWish) matcher() (func(a netip.Addr) bool, error) {
	if w.pattern == "" {
		return func(netip.Addr) bool { return true }, nil
	}
	if strings.Contains(w.pattern, "/") {
		network, err := netip.ParsePrefix(w.pattern)
		if err != nil {
			return nil, fmt.Errorf("AddressPattern: %q is not a network such as 10.1.0.0/16", w.pattern)
		}
		return network.Contains, nil
	}
	whole, err := regexp.Compile("^(?:" + w.pattern + ")$")
	if err != nil {
		return nil, fmt.Errorf("AddressPattern: %q is not a network such as 10.1.0.0/16, the beginning of an address such as 10.1., or a regular expression: %w", w.pattern, errors.Unwrap(err))
	}
	return func(a netip.Addr) bool {
		return strings.HasPrefix(a.String(), w.pattern) || whole.MatchString(a.String())
	}, nil
}

// names lists interfaces for an error.
func names(nics []nic) string {
	list := make([]string, len(nics))
	for i, n := range nics {
		list[i] = n.name
		for _, a := range n.addresses {
			list[i] += " " + a.String()
		}
	}
	if len(list) == 0 {
		return "no interface"
	}
	return strings.Join(list, ", ")
}

// uniqueSuffix replaces a process id that isn't unique.
func uniqueSuffix() string { return strings.ToLower(rand.Text()[:10]) }
