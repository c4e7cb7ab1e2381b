package zk

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"

	gozk "github.com/go-zookeeper/zk"
)

// ACL controls access to the nodes that a client creates. Existing nodes keep their ACL.
type ACL string

// The values of [Config.ACL].
const (
	// ACLDefault is ACLDigest with a digest and ACLOpen without.
	ACLDefault ACL = ""
	// ACLOpen lets every user who reaches the ensemble read and change the nodes.
	ACLOpen ACL = "open"
	// ACLDigest admits only clients with the same digest.
	ACLDigest ACL = "digest"
	// ACLX509 admits only clients with a certificate of the same subject. If there is a digest,
	// clients with the digest are admitted too.
	ACLX509 ACL = "x509"
)

// OpenToAll reports whether every user who reaches the ensemble can read and change new nodes,
// although the configuration doesn't ask for [ACLOpen].
func (cfg Config) OpenToAll() bool { return cfg.ACL == ACLDefault && cfg.Digest == "" }

// OpenWarning is the log line for [Config.OpenToAll].
const OpenWarning = "every client that reaches ZooKeeper can change the nodes that control the agents (world:anyone); " +
	"set a digest or the ACL x509, or set the ACL open to accept this: see docs/security.md"

func (cfg Config) checkAccess() error {
	switch cfg.ACL {
	case ACLDefault, ACLOpen:
	case ACLDigest:
		if cfg.Digest == "" {
			return errors.New("ACL: digest needs a Digest, user:password")
		}
	case ACLX509:
		if cfg.TLS == nil || len(cfg.TLS.Certificates) == 0 && cfg.TLS.GetClientCertificate == nil {
			return errors.New("ACL: x509 needs TLS with a client certificate")
		}
	default:
		return fmt.Errorf("ACL: %q is not allowed; want open, digest or x509", cfg.ACL)
	}
	return nil
}

func (cfg Config) access() []gozk.ACL {
	acl := cfg.ACL
	if acl == ACLDefault && cfg.Digest != "" {
		acl = ACLDigest
	}
	switch acl {
	case ACLDigest:
		user, password, _ := strings.Cut(cfg.Digest, ":")
		return gozk.DigestACL(gozk.PermAll, user, password)
	case ACLX509:
		return gozk.AuthACL(gozk.PermAll) // The server fills in the identity of the connection.
	}
	return gozk.WorldACL(gozk.PermAll)
}

// secured wraps a connection in TLS if configured. Without a ServerName the server's certificate
// must be valid for the dialled host.
func (cfg Config) secured(ctx context.Context, conn net.Conn, addr string) (net.Conn, error) {
	settings := cfg.TLS
	if settings == nil {
		return conn, nil
	}
	if settings.ServerName == "" {
		settings = settings.Clone()
		settings.ServerName, _, _ = net.SplitHostPort(addr)
	}
	secure := tls.Client(conn, settings)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("TLS: %w", err)
	}
	return secure, nil
}

// Certificates are the parts of a TLS configuration, in PEM.
type Certificates struct {
	// CA are the authorities for servers' certificates. Empty means the authorities of the machine.
	CA []byte
	// Cert and Key are the client's certificate with its chain and its private key: both or
	// neither.
	Cert, Key []byte
	// ServerName is the name in the servers' certificates. Empty means the host of each address.
	ServerName string
}

// Config builds the TLS configuration. An error names the wrong part and never quotes it.
func (c Certificates) Config() (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.ServerName}
	if len(c.CA) > 0 {
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(c.CA) {
			return nil, errors.New("the CA has no certificate in PEM")
		}
	}
	if len(c.Cert) == 0 && len(c.Key) == 0 {
		return cfg, nil
	}
	if len(c.Cert) == 0 || len(c.Key) == 0 {
		return nil, errors.New("a client certificate needs its private key, and one of the two is missing")
	}
	pair, err := tls.X509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, fmt.Errorf("the client certificate and its private key: %w", err)
	}
	cfg.Certificates = []tls.Certificate{pair}
	return cfg, nil
}
