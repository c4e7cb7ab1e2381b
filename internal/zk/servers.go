package zk

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
)

// defaultPort is the port of an address without one, as in Java's client.
const defaultPort = "2181"

// maxChroot bounds a chroot, because every path of every request carries it.
const maxChroot = 128

// ParseServers reads the addresses of an ensemble in the syntax of ZooKeeper's connect string:
// "host:port", or "host" for port 2181. The last one may end in a chroot, the node that replaces
// the root ("zk1:2181,zk2:2181/elastic"). An element may hold several addresses, separated by
// commas. The returned chroot doesn't end in a slash and is empty for the real root.
func ParseServers(servers []string) (hosts []string, chroot string, err error) {
	text := strings.Join(servers, ",")
	if at := strings.IndexByte(text, '/'); at >= 0 {
		text, chroot = text[:at], text[at:]
	}
	if chroot == "/" {
		chroot = ""
	}
	var errs []error
	for _, host := range strings.Split(text, ",") {
		if host = strings.TrimSpace(host); host == "" && len(servers) == 0 {
			continue
		}
		shown, wide := host, fullwidth.Hint(host)
		if host != "" && !strings.Contains(host, ":") || strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
			host += ":" + defaultPort
		}
		name, port, err := net.SplitHostPort(host)
		if err != nil || name == "" || wide != "" || strings.ContainsAny(name, " @?#") {
			errs = append(errs, fmt.Errorf("%q is not host:port%s", shown, wide))
			continue
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			errs = append(errs, fmt.Errorf("%q is not host:port; a port is 1 to 65535", host))
			continue
		}
		hosts = append(hosts, host)
	}
	if wrong := wrongChroot(chroot); wrong != "" {
		errs = append(errs, fmt.Errorf("the chroot %q %s; write it once, after the last address, such as zk1:2181,zk2:2181/elastic", chroot, wrong))
	}
	return hosts, chroot, errors.Join(errs...)
}

// wrongChroot returns why a path isn't valid in ZooKeeper or is likely a mistake.
func wrongChroot(chroot string) string {
	switch {
	case chroot == "":
		return ""
	case len(chroot) > maxChroot:
		return fmt.Sprintf("has %d bytes, more than %d", len(chroot), maxChroot)
	case strings.ContainsAny(chroot, ",:"):
		return "has a comma or a colon, as if an address followed"
	case strings.ContainsFunc(chroot, func(r rune) bool { return r <= ' ' || r >= 0x7f && r <= 0x9f || r == '\ufffd' }):
		return "has a space or a control character"
	}
	for _, name := range strings.Split(chroot[1:], "/") {
		if name == "" || name == "." || name == ".." {
			return "is not a ZooKeeper path: an element is empty, . or .."
		}
	}
	return ""
}

// ErrNoChroot means that the chroot of the addresses doesn't exist. Like ZooKeeper's and Java's
// clients we don't create it, because a typing error must not begin a second, empty tree.
var ErrNoChroot = errors.New("the chroot does not exist")

// full returns a path as the server knows it. An invalid path stays as it is.
func (c *Client) full(path string) string {
	switch {
	case c.chroot == "" || !strings.HasPrefix(path, "/"):
		return path
	case path == "/":
		return c.chroot
	}
	return c.chroot + path
}

// within returns a path of the server as callers know it. We never request a path outside the
// chroot.
func (c *Client) within(path string) string {
	if c.chroot == "" {
		return path
	}
	inner, ok := strings.CutPrefix(path, c.chroot)
	switch {
	case !ok || inner != "" && inner[0] != '/':
		return path
	case inner == "":
		return "/"
	}
	return inner
}

// entered checks for the chroot until it was found once. While it's missing, the client stays
// SUSPENDED and checks again on each new connection. It reconnects as slowly as with a server that
// hangs up.
func (c *Client) entered() bool {
	if c.chroot == "" || c.rooted {
		return true
	}
	type answer struct {
		there bool
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		there, _, err := c.conn.Exists(c.chroot)
		answers <- answer{there, err}
	}()
	timer := time.NewTimer(c.cfg.ConnectTimeout)
	defer timer.Stop()
	select {
	case a := <-answers:
		if a.err == nil && a.there {
			c.rooted = true
			return true
		}
		if a.err != nil {
			c.setLastError(fmt.Errorf("zookeeper check the chroot %s: %w", c.chroot, translate(a.err)))
		} else {
			c.refuseRoot()
		}
	case <-timer.C:
		c.setLastError(fmt.Errorf("%w: no answer about the chroot %s in %v", ErrUnavailable, c.chroot, c.cfg.ConnectTimeout))
	case <-c.life.Done():
		return false
	}
	if conn := c.current.Load(); conn != nil {
		_ = conn.Close() // The library reconnects with the same session.
	}
	return false
}

// refuseRoot reports the missing chroot to callers that wait for a session, and logs it the first
// time.
func (c *Client) refuseRoot() {
	err := fmt.Errorf("%w: %s; create it first (zkCli.sh: create %s), or correct the addresses", ErrNoChroot, c.chroot, c.chroot)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Closed {
		return
	}
	if !errors.Is(c.lastErr, ErrNoChroot) {
		c.log.Error("zookeeper session", "err", err.Error())
	}
	c.lastErr = err
	close(c.changed)
	c.changed = make(chan struct{})
}
