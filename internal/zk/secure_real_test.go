//go:build servers

package zk

import (
	"context"
	"crypto/tls"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// V30 on a real server that requires client certificates. A client without one, with one of another
// authority, or with the wrong authority for the server gets no session and a clear error. Nodes
// with the ACL x509 are for their subject only. Everything works over TLS, including reconnections.
func TestV30TLSAndX509(t *testing.T) {
	authority, stranger := zktest.NewAuthority(t), zktest.NewAuthority(t)
	srv := zktest.StartZooKeeperWith(t, zktest.Options{TLS: authority})
	config := func(tls *tls.Config, acl ACL) Config {
		return Config{Servers: []string{srv.SecureAddr()}, SessionTimeout: 20 * time.Second, ConnectTimeout: 10 * time.Second, Logger: testLogger(t), TLS: tls, ACL: acl}
	}
	agent := mustConnect(t, config(certificates(t, authority, authority, "agent"), ACLX509))
	mustCreate(t, agent, "/mine", "secret", Persistent)
	if err := agent.Multi(t.Context(), CreateOp("/mine/child", []byte("x"), Ephemeral), SetOp("/mine", []byte("y"), 0)); err != nil {
		t.Fatal(err)
	}
	asking := config(certificates(t, authority, authority, "agent"), ACLX509)
	if answer, err := asking.Ask(t.Context(), srv.SecureAddr(), "conf"); err != nil || !strings.Contains(answer, "maxClientCnxns=") {
		t.Errorf("four-letter words over TLS: %q, %v", answer, err)
	}
	if open, err := agent.IsOpen(t.Context(), "/mine"); err != nil || open {
		t.Errorf("open: %v, %v", open, err)
	}
	same := mustConnect(t, asking)
	if data, _, err := same.Get(t.Context(), "/mine"); err != nil || string(data) != "y" {
		t.Errorf("the same subject reads %q, %v", data, err)
	}

	plain := config(nil, ACLDefault)
	plain.Servers = []string{srv.Addr()}
	for name, other := range map[string]*Client{
		"another subject": mustConnect(t, config(certificates(t, authority, authority, "intruder"), ACLDefault)),
		"without TLS":     mustConnect(t, plain),
	} {
		if _, _, err := other.Get(t.Context(), "/mine"); !errors.Is(err, ErrNoAuth) {
			t.Errorf("%s reads: %v", name, err)
		}
		if _, err := other.Set(t.Context(), "/mine", nil, AnyVersion); !errors.Is(err, ErrNoAuth) {
			t.Errorf("%s writes: %v", name, err)
		}
		if err := other.DeleteAll(t.Context(), "/mine"); !errors.Is(err, ErrNoAuth) {
			t.Errorf("%s deletes: %v", name, err)
		}
	}

	refusesStrangers(t, config, authority, stranger)

	srv.Restart(t)
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	if err := agent.AwaitConnected(ctx); err != nil {
		t.Fatal(err)
	}
	if _, there, err := agent.Exists(ctx, "/mine/child"); err != nil || !there {
		t.Errorf("after a restart the session's node: %v, %v", there, err)
	}
}
