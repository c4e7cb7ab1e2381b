package registry

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ZooKeeper says how to reach the ensemble. The zero value of each field but
// Servers is its default.
type ZooKeeper struct {
	// Servers are "host:port" addresses; the port is 2181 if left out. Required. Host
	// names are resolved at each connection. A chroot, the node that takes the place of the root,
	// stands behind the last address, as in ZooKeeper's connect string:
	// "zk1:2181", "zk2:2181/elastic"; an element may also be the whole string.
	// It must exist: [Open], and the start of an agent, fail if it does not, as
	// Java's agents do.
	Servers []string

	// Digest is "user:password" for ZooKeeper's digest scheme: every node that
	// is created is then accessible to that user only, unless ACL says
	// otherwise. Defaults to none.
	Digest string

	// ACL says who may read and change the nodes that are created: "digest",
	// only who presents the same Digest; "x509", only who presents a client
	// certificate of the same subject; "open", everybody who reaches the
	// ensemble. Defaults to digest with a Digest; without one to open, of which
	// a warning in the log tells. All agents of a job, the console and operators
	// need the same; nodes that exist keep the ACL they have.
	ACL string

	// TLS has connections made over TLS, on top of what Dial returns: to a
	// server's secureClientPort. RootCAs checks the servers, Certificates or
	// GetClientCertificate is shown to them, and ServerName is the name that
	// their certificates must have; it defaults to the host of each address.
	// Defaults to none.
	TLS *tls.Config

	// SessionTimeout is how long ZooKeeper keeps the session without hearing
	// from it: an agent's instance stays registered that long after a crash.
	// Two thirds of it after the last contact the process itself takes the
	// session for lost. Defaults to 30 seconds; 200 ms to 5 minutes.
	SessionTimeout time.Duration

	// ConnectTimeout bounds one connection attempt. Defaults to 5 seconds; at
	// most an hour.
	ConnectTimeout time.Duration

	// Dial opens connections: for a proxy, or the in-memory server of package
	// coreagenttest. Defaults to TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Validate returns all problems of z joined, each naming its field and what is
// allowed; nil if there is none.
func (z ZooKeeper) Validate() error { return z.client().Validate() }

func (z ZooKeeper) client() zk.Config {
	return zk.Config{
		Servers: z.Servers, Digest: z.Digest, ACL: zk.ACL(z.ACL), TLS: z.TLS,
		SessionTimeout: z.SessionTimeout, ConnectTimeout: z.ConnectTimeout, Dial: z.Dial,
	}
}

func (cfg Config) client() zk.Config {
	client := cfg.ZooKeeper.client()
	client.Logger = cfg.Logger
	return client
}
