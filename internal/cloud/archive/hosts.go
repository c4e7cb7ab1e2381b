package archive

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/outbound"
)

// ErrRefused means that another Fetch is useless until the address, the checksum, the archive or
// the list of hosts is changed.
var ErrRefused = errors.New("refused")

// Reason returns the text of an error without the final "refused", for callers with their own wording.
func Reason(err error) string { return strings.TrimSuffix(err.Error(), ": "+ErrRefused.Error()) }

func refuse(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrRefused)
}

const (
	// MaxHosts is the number of entries in a list.
	MaxHosts = 100
	maxURL   = 2000
	// maxShown is the length of an outside text in an error.
	maxShown = 200
)

// Hosts are allowed hosts: names and addresses in lower case, each with a port, or for every port.
// The zero value allows none.
type Hosts []string

// ParseHosts parses entries such as "repo.example", "repo.example:8443" and "[fd00::7]". Names are
// compared as a whole; there are no wildcards.
func ParseHosts(entries []string) (Hosts, error) {
	if len(entries) > MaxHosts {
		return nil, fmt.Errorf("%d hosts; at most %d are allowed", len(entries), MaxHosts)
	}
	var hosts Hosts
	for _, text := range entries {
		entry := strings.ToLower(strings.TrimSpace(text))
		if _, err := outbound.Parse([]string{entry}); err != nil || strings.ContainsAny(entry, "*/") {
			return nil, fmt.Errorf("%q is not a host such as repo.example, with or without a port", clip(text))
		}
		hosts = append(hosts, entry)
	}
	return hosts, nil
}

func (h Hosts) list() outbound.List {
	list, _ := outbound.Parse(h) // If an entry is invalid, nothing is allowed.
	return list
}

func (h Hosts) allow(at *url.URL) error {
	host, port := strings.TrimSuffix(strings.Trim(strings.ToLower(at.Hostname()), "[]"), "."), at.Port()
	if port == "" {
		port = "443"
	}
	switch {
	case at.Scheme != "https":
		return refuse("%s is not allowed; archives must be fetched by https", shown(at))
	case host == "":
		return refuse("%s has no host; give an address such as https://repo.example/shop.tar.gz", shown(at))
	case at.User != nil:
		return refuse("the address of host %s has a user or a password; give one without", clip(host))
	case len(h) == 0:
		return refuse("no host is allowed for archives; start the console with --cloud-fetch-hosts %s if programs from there may be executed", clip(host))
	case h.list().Check(net.JoinHostPort(host, port)) != nil:
		return refuse("host %s is not allowed, only %s; add it to --cloud-fetch-hosts of the console if programs from there may be executed",
			clip(net.JoinHostPort(host, port)), clip(strings.Join(h, ", ")))
	}
	return nil
}

// shown returns an address for errors, without the query, which may be a secret.
func shown(at *url.URL) string {
	bare := url.URL{Scheme: at.Scheme, Host: at.Host, Path: at.Path, Opaque: at.Opaque}
	return clip(bare.String())
}

func clip(text string) string {
	if len(text) > maxShown {
		text = text[:maxShown] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
