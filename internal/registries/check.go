package registries

import (
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// Servers takes a connect string to pieces, as they are stored: the addresses,
// with the chroot behind the last one.
func Servers(text string) ([]string, error) {
	hosts, chroot, err := zk.ParseServers([]string{text})
	if err != nil {
		return nil, err
	}
	hosts[len(hosts)-1] += chroot
	return hosts, nil
}

// Check says which field of a registry keeps it from being spoken to and what it
// should be; both are empty if none does. It quotes nothing: any of them may be
// a secret.
func Check(r settings.Registry) (field, want string) {
	config := zk.Config{Servers: []string{"localhost:1"}, ACL: zk.ACL(r.Access.ACL), Digest: r.Digest}
	if r.Access.TLS {
		var err error
		if config.TLS, err = certificates(r.Access).Config(); err != nil {
			return "tls", "certificates and key in PEM that belong together: " + err.Error()
		}
	}
	if err := config.Validate(); err != nil {
		return "acl", "open, digest with a digest, or x509 with a client certificate"
	}
	return "", ""
}

// forbidden makes an error match [statistics.ErrForbidden] if ZooKeeper refused
// to show the namespace. Its text stays.
func forbidden(err error) error {
	if errors.Is(err, zk.ErrNoAuth) {
		return refusal{err}
	}
	return err
}

type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func (refusal) Is(target error) bool { return target == statistics.ErrForbidden }
