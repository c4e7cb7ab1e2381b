package daemon

import (
	"crypto/rand"
	"fmt"
	"net"
	"net/netip"
)

func newID() string {
	var u [16]byte
	_, _ = rand.Read(u[:]) // It never fails.
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// hostAddress returns the first address of this machine that other machines can reach, preferably
// IPv4, or the loopback address without a network.
func hostAddress() string {
	addresses, _ := net.InterfaceAddrs() // Without addresses there is no network.
	best := ""
	for _, a := range addresses {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil {
			continue
		}
		ip := prefix.Addr().Unmap()
		switch {
		case !ip.IsGlobalUnicast():
		case ip.Is4():
			return ip.String()
		case best == "":
			best = ip.String()
		}
	}
	if best == "" {
		return "127.0.0.1"
	}
	return best
}
