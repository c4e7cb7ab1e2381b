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

// ACL says who may read and change the nodes that a client creates. Nodes that
// exist keep theirs.
type ACL string

// What [Config.ACL] may be.
const (
	// ACLDefault is ACLDigest with a digest and ACLOpen without.
	ACLDefault ACL = ""
	// ACLOpen lets everybody who reaches the ensemble read and change the nodes.
	ACLOpen ACL = "open"
	// ACLDigest lets only who presents the same digest.
	ACLDigest ACL = "digest"
	// ACLX509 lets only who presents a client certificate of the same subject,
	// and the digest's user if there is one, too.
	ACLX509 ACL = "x509"
)

// OpenToAll reports whether what the client creates can be read and changed by
// everybody who reaches the ensemble, without anybody having said [ACLOpen].
func (cfg Config) OpenToAll() bool { return cfg.ACL == ACLDefault && cfg.Digest == "" }

// OpenWarning is what [Config.OpenToAll] means, for a log.
const OpenWarning = "nodes in ZooKeeper are open to everybody who reaches it (world:anyone), and they decide what agents run; " +
	"give a digest or an ACL of x509, or say open if that is meant: see docs/security.md"

// checkAccess returns what is wrong with TLS and ACL.
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
		return fmt.Errorf("ACL: %q is none of open, digest and x509", cfg.ACL)
	}
	return nil
}

// access is the ACL as requests carry it.
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
		return gozk.AuthACL(gozk.PermAll) // The server puts in who the connection has proved to be.
	}
	return gozk.WorldACL(gozk.PermAll)
}

// secured makes a connection one over TLS, if that is asked for. Without a name
// in the configuration the server's certificate must be for the host that was
// dialled.
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

// Certificates are the pieces of a TLS configuration, in PEM.
type Certificates struct {
	// CA are the authorities that servers' certificates are checked against.
	// Empty: those of the machine.
	CA []byte
	// Cert and Key are the client's certificate, with its chain, and its private
	// key. Both or neither.
	Cert, Key []byte
	// ServerName is the name in the servers' certificates. Empty: the host of
	// each address.
	ServerName string
}

// Config checks the pieces and puts them together. An error names the piece and
// never quotes it.
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
		return nil, errors.New("a client certificate and its private key go together, and one is missing")
	}
	pair, err := tls.X509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, fmt.Errorf("the client certificate and its private key: %w", err)
	}
	cfg.Certificates = []tls.Certificate{pair}
	return cfg, nil
}
