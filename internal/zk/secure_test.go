package zk

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func certificates(t *testing.T, by, trusted *zktest.Authority, subject string) *tls.Config {
	t.Helper()
	pieces := Certificates{CA: trusted.PEM}
	if subject != "" {
		pieces.Cert, pieces.Key = by.Issue(t, subject)
	}
	cfg, err := pieces.Config()
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// refusesStrangers: a connection fails unless both sides show the expected certificate, and the
// error names the wrong side.
func refusesStrangers(t *testing.T, config func(*tls.Config, ACL) Config, authority, stranger *zktest.Authority) {
	t.Helper()
	misnamed := certificates(t, authority, authority, "agent")
	misnamed.ServerName = "another.test"
	named := certificates(t, authority, authority, "agent")
	named.ServerName = "zookeeper.test"
	mustConnect(t, config(named, ACLX509))
	for name, refused := range map[string]struct {
		tls  *tls.Config
		want string
	}{
		"no certificate":             {certificates(t, authority, authority, ""), "certificate"},
		"a stranger's certificate":   {certificates(t, stranger, authority, "agent"), "certificate"},
		"another authority expected": {certificates(t, authority, stranger, "agent"), "signed by unknown authority"},
		"another server expected":    {misnamed, "not another.test"},
		"no TLS at a port for it":    {nil, "handshake"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
			defer cancel()
			refusing := config(refused.tls, ACLDefault)
			var attempts atomic.Int32
			refusing.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				if attempts.Add(1) > 1 { // The result of the first attempt is known.
					cancel()
				}
				return new(net.Dialer).DialContext(ctx, network, addr)
			}
			_, err := Connect(ctx, refusing)
			if err == nil || !strings.Contains(err.Error(), refused.want) {
				t.Errorf("%v, want %s", err, refused.want)
			}
		})
	}
}

// V30: with a digest, new nodes belong to its user only; with the ACL open, to every user despite
// the digest.
func TestV30DigestACL(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		stranger := mustConnect(t, targetConfig(t, srv))
		for _, tc := range []struct {
			acl  ACL
			open bool
		}{{ACLDefault, false}, {ACLDigest, false}, {ACLOpen, true}} {
			cfg := targetConfig(t, srv)
			cfg.Digest, cfg.ACL = "agent:secret", tc.acl
			owner := mustConnect(t, cfg)
			path := mustCreate(t, owner, root+string("-"+tc.acl), "x", Persistent)
			if err := owner.Multi(t.Context(), CreateOp(path+"/child", nil, Persistent)); err != nil {
				t.Fatal(err)
			}
			for _, p := range []string{path, path + "/child"} {
				if _, _, err := stranger.Get(t.Context(), p); errors.Is(err, ErrNoAuth) == tc.open || tc.open && err != nil {
					t.Errorf("%q: a stranger reads %s: %v", tc.acl, p, err)
				}
				if _, _, err := owner.Get(t.Context(), p); err != nil {
					t.Errorf("%q: the owner reads %s: %v", tc.acl, p, err)
				}
			}
		}
	})
}

func TestV30WrongAccess(t *testing.T) {
	authority := zktest.NewAuthority(t)
	cert, key := authority.Issue(t, "a")
	_, other := authority.Issue(t, "a")
	for want, pieces := range map[string]Certificates{
		"no certificate in PEM":     {CA: []byte("x")},
		"one of the two is missing": {Cert: cert},
		"private key":               {Cert: cert, Key: other},
		"find any PEM data":         {Cert: key[:40], Key: key},
	} {
		if _, err := pieces.Config(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, cfg := range map[string]Config{
		"needs a Digest":           {ACL: ACLDigest},
		"needs TLS with a client":  {ACL: ACLX509, TLS: &tls.Config{}, Digest: "a:b"},
		`"creator" is not allowed`: {ACL: "creator"},
		"x509 needs TLS with a cl": {ACL: ACLX509},
	} {
		cfg.Servers = []string{"a:1"}
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if !(Config{}).OpenToAll() || (Config{Digest: "a:b"}).OpenToAll() || (Config{ACL: ACLOpen}).OpenToAll() {
		t.Error("who is open to all is not reported")
	}
}
