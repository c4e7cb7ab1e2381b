package coreagent

import (
	"crypto/rand"
	"net"
	"strings"
)

// hostAddress picks the address to announce: the last IPv4 address of an
// interface that is up and not loopback, the order ElasticJob scans in. It
// falls back to loopback, so that a machine without a network can still try.
func hostAddress() string {
	address := "127.0.0.1"
	interfaces, err := net.Interfaces()
	if err != nil {
		return address
	}
	for _, nic := range interfaces {
		if nic.Flags&net.FlagUp == 0 || nic.Flags&net.FlagLoopback != 0 {
			continue
		}
		addresses, err := nic.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addresses {
			network, ok := a.(*net.IPNet)
			if ok && network.IP.To4() != nil && !network.IP.IsLinkLocalUnicast() {
				address = network.IP.String()
				break // The first address of an interface is its primary one.
			}
		}
	}
	return address
}

// uniqueSuffix stands in for the process id where that is not unique.
func uniqueSuffix() string { return strings.ToLower(rand.Text()[:10]) }
