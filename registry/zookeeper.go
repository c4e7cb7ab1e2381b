package registry

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ZooKeeper has the connection settings of an ensemble. For every field except Servers, the zero
// value means the default.
type ZooKeeper struct {
	// Servers are "host:port" addresses. The default port is 2181. Required. Host names are
	// resolved at each connection. The last address may end in a chroot, the node that replaces the
	// root, as in ZooKeeper's connect string: "zk1:2181", "zk2:2181/elastic". An element may also
	// be the whole string. The chroot must exist. Otherwise [Open], and the start of an agent, fail
	// as Java agents do.
	Servers []string

	// Digest is "user:password" for ZooKeeper's digest scheme. Only this user can access new nodes,
	// unless ACL overrides it. Optional.
	Digest string

	// ACL controls who may read and change new nodes: "digest", only clients with the same Digest;
	// "x509", only clients with a certificate of the same subject; "open", every user who reaches
	// the ensemble. Defaults to digest if there's a Digest, otherwise to open with a warning in the
	// log. All agents of a job, the console and operators should have the same ACL. Existing nodes
	// keep theirs.
	ACL string

	// TLS secures connections, on top of Dial, to a server's secureClientPort. RootCAs checks the
	// servers. Certificates or GetClientCertificate is the client's certificate. ServerName is the
	// name in the servers' certificates and defaults to the host of each address. Nil means no TLS.
	TLS *tls.Config

	// SessionTimeout is how long ZooKeeper keeps a silent session, and so how long an agent's
	// instance stays registered after a crash. The process itself gives up the session two thirds
	// of this time after the last contact. Defaults to 30 seconds; allowed are 200 ms to 5 minutes.
	SessionTimeout time.Duration

	// ConnectTimeout bounds one connection attempt. Defaults to 5 seconds; at most an hour.
	ConnectTimeout time.Duration

	// Dial opens connections, for example to a proxy or the in-memory server of package
	// coreagenttest. Defaults to TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Validate returns all problems of z joined, or nil. Each names its field and the allowed values.
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
