package app

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/outbound"
)

// Hosts are the names by which browsers may call a console: what may stand in
// the Host of a request. A page of another site can make its own name mean this
// machine (DNS rebinding), and its requests are then same-origin for the
// browser; only the name tells them apart. The zero value allows every name. It
// is immutable.
type Hosts struct {
	restricted bool
	list       outbound.List
}

// ParseHosts reads names ("jobs.example.com"), suffixes ("*.example.com"),
// addresses and ranges, each with a port or for every port. Without an entry a
// console that only its own machine reaches (loopback) allows the names of
// loopback, any other allows every name. The names of loopback are always
// allowed: nobody can make them mean something else.
func ParseHosts(loopback bool, entries []string) (Hosts, error) {
	list, err := outbound.Parse(entries)
	if err != nil {
		return Hosts{}, fmt.Errorf("console: %w", err)
	}
	return Hosts{restricted: loopback || len(entries) > 0, list: list}, nil
}

// Restricted reports whether only listed names are allowed.
func (h Hosts) Restricted() bool { return h.restricted }

// allows reports whether a request may name this host.
func (h Hosts) allows(hostport string) bool {
	if !h.restricted {
		return true
	}
	host, port, err := net.SplitHostPort(hostport)
	if err != nil { // no port
		host, port = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]"), "80"
	}
	if addr, err := netip.ParseAddr(host); err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback() {
		return true
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	return h.list.Check(net.JoinHostPort(host, port)) == nil
}

// probed are the addresses that say nothing secret and that load balancers and
// Kubernetes ask by the address of the machine.
func probed(path string) bool { return path == "/healthz" || path == "/readyz" }

// wrongHost answers a request that names a host which is not ours. It says
// nothing about the console, since a page of another site can read it.
func (s *Console) wrongHost(w http.ResponseWriter, r *http.Request) {
	remote, _ := s.opts.Proxies.origin(r)
	if log, skipped := s.lines.admit(s.Now(), "", remote); log {
		s.Log.WarnContext(r.Context(), "request refused: its Host is not a name of this console",
			"host", clipped(r.Host), "remote", remote, "path", clipped(r.URL.Path), "not_logged_before", skipped)
	}
	w.Header().Set("Content-Security-Policy", ContentPolicy)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, "This console does not answer to the name in the address. Open it at http://127.0.0.1 or http://localhost with its port,\n"+
		"or start it with --allowed-hosts and this name. Nothing was changed.", http.StatusMisdirectedRequest)
}
