package app

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// Proxies are the reverse proxies whose word counts: what they write into
// X-Forwarded-For is where a request came from, and into X-Forwarded-Proto how.
// From anybody else both mean nothing. The zero value trusts nobody. It is
// immutable.
type Proxies struct{ networks []netip.Prefix }

// ParseProxies reads addresses ("10.0.0.7") and networks ("10.0.0.0/8",
// "fd00::/8").
func ParseProxies(entries []string) (Proxies, error) {
	var p Proxies
	for _, text := range entries {
		text = strings.TrimSpace(text)
		if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
			addr = addr.Unmap()
			p.networks = append(p.networks, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return Proxies{}, fmt.Errorf("console: %q is no address and no network such as 10.0.0.0/8", text)
		}
		if network.Bits() == 0 {
			return Proxies{}, fmt.Errorf("console: %q trusts everybody, who could then write any address into X-Forwarded-For", text)
		}
		p.networks = append(p.networks, network.Masked())
	}
	return p, nil
}

func (p Proxies) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(p.networks, func(n netip.Prefix) bool { return n.Contains(addr) })
}

// origin tells where a request came from, and whether the browser's side of it
// was encrypted.
func (p Proxies) origin(r *http.Request) (remote string, secure bool) {
	secure = r.TLS != nil
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, ok := hop(host)
	if !ok || !p.trusts(addr) {
		return host, secure
	}
	// The last entry is the nearest proxy's. Proxies add a line of their own or
	// go on with the one there is, so all lines are one list.
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(hops) {
		before, ok := hop(strings.TrimSpace(text))
		if !ok {
			break // who cannot be read is as good as the one who passed it on
		}
		addr = before
		if !p.trusts(addr) {
			break
		}
	}
	schemes := strings.Split(strings.Join(r.Header.Values("X-Forwarded-Proto"), ","), ",")
	return addr.String(), secure || strings.EqualFold(strings.TrimSpace(schemes[len(schemes)-1]), "https")
}

// hop is an address as proxies write it, with a port or without.
func hop(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr.Unmap().WithZone(""), err == nil
}

const (
	remoteKey = "console.remote"
	secureKey = "console.secure"
	prefixKey = "console.cookie_prefix"
)

// locate notes where a request came from.
func (s *Console) locate(c *gin.Context) {
	remote, secure := s.opts.Proxies.origin(c.Request)
	c.Set(remoteKey, remote)
	secure = secure || s.opts.SecureCookies
	c.Set(secureKey, secure)
	c.Set(prefixKey, s.cookiePrefix(secure))
}

// Remote is the address that a request came from: the browser's, if a trusted
// proxy tells, else that of the connection.
func Remote(c *gin.Context) string { return c.GetString(remoteKey) }

// Secure reports whether the browser came over TLS.
func Secure(c *gin.Context) bool { return c.GetBool(secureKey) }
