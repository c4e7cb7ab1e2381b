package cli

import (
	"crypto/tls"
	"fmt"
	"os"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ZooKeeperTLS are the flags for TLS with ZooKeeper.
type ZooKeeperTLS struct {
	TLS        bool   `name:"tls" help:"Speak TLS with ZooKeeper, at its secureClientPort. The flags below imply it."`
	CA         string `name:"tls-ca" placeholder:"FILE" help:"Certificates, in PEM, of the authorities that the servers' certificates are checked against. Default: the machine's."`
	Cert       string `name:"tls-cert" placeholder:"FILE" help:"The certificate, in PEM, that is shown to the servers, with its chain. Read again at each connection."`
	Key        string `name:"tls-key" placeholder:"FILE" help:"The private key of --zookeeper-tls-cert, in PEM. Likewise."`
	ServerName string `name:"tls-server-name" placeholder:"NAME" help:"The name in the servers' certificates. Default: the host of each address."`
}

// ZooKeeperFlags are the flags for connections to ZooKeeper, the same for the console and for agents.
type ZooKeeperFlags struct {
	ZooKeeperTLS
	ACL string `name:"acl" enum:",open,digest,x509" default:"" placeholder:"ACL" help:"The access to new nodes in ZooKeeper: digest (clients with the same digest), x509 (clients with a certificate of the same subject) or open (all clients). Default: digest if there is one; else open, with a warning."`
}

// ZooKeeperHint is the remedy of mistakes in these flags.
const ZooKeeperHint = "--zookeeper-tls-ca, --zookeeper-tls-cert and --zookeeper-tls-key name files in PEM; --zookeeper-acl=x509 needs the latter two: see docs/security.md."

// Config reads the files once, to find mistakes now, and returns nil if TLS is not
// asked for. The client's certificate is read again at each connection, because
// it is renewed under a program that goes on.
func (f *ZooKeeperTLS) Config() (*tls.Config, error) {
	if !f.TLS && f.CA == "" && f.Cert == "" && f.Key == "" && f.ServerName == "" {
		return nil, nil
	}
	load := func() (*tls.Config, error) {
		pieces := zk.Certificates{ServerName: f.ServerName}
		for _, piece := range []struct {
			flag, file string
			into       *[]byte
		}{{"ca", f.CA, &pieces.CA}, {"cert", f.Cert, &pieces.Cert}, {"key", f.Key, &pieces.Key}} {
			if piece.file == "" {
				continue
			}
			var err error
			if *piece.into, err = os.ReadFile(piece.file); err != nil {
				return nil, fmt.Errorf("--zookeeper-tls-%s: %w", piece.flag, err)
			}
		}
		return pieces.Config()
	}
	cfg, err := load()
	if err != nil {
		return nil, Usage(ZooKeeperHint, "TLS to ZooKeeper: %w", err)
	}
	if len(cfg.Certificates) > 0 {
		cfg.Certificates = nil
		cfg.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			now, err := load()
			if err != nil {
				return nil, err
			}
			return &now.Certificates[0], nil
		}
	}
	return cfg, nil
}
