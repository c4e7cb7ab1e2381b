package console

import (
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// maxPEM bounds a certificate with its chain, or a bundle of authorities.
const maxPEM = 15_000

// access is how the registry is to be spoken to, as before where the
// request is silent.
func (in RegistryRequest) access(before settings.Access) settings.Access {
	a := before
	switch tls := in.TLS; {
	case tls != nil && tls.Enabled:
		a = settings.Access{TLS: true, CA: tls.CA, Cert: tls.Cert, Key: tls.Key, ServerName: tls.ServerName, ACL: before.ACL}
		if a.Key == "" && a.Cert == before.Cert {
			a.Key = before.Key
		}
	case tls != nil:
		a = settings.Access{ACL: before.ACL}
	}
	if in.ACL != nil {
		a.ACL = *in.ACL
	}
	return a
}

// wrongAccess says which field of a registry keeps it from being spoken
// to. It quotes nothing: any of them may be a secret.
func (s *Console) wrongAccess(r settings.Registry) (field, want string) {
	a := r.Access
	if len(a.CA) > maxPEM || len(a.Cert) > maxPEM || len(a.Key) > maxPEM || len(a.ServerName) > 255 {
		return "tls", "certificates of at most 15,000 bytes each"
	}
	return s.opts.Registries.Check(r)
}
