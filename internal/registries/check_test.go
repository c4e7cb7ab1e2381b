package registries_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestRefusedNamespace: a namespace that ZooKeeper does not show is reported by the
// kind of the error, in the words of ZooKeeper's client; with the digest it is shown.
func TestRefusedNamespace(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		r := settings.Registry{Name: "a", Servers: []string{srv.Addr}, Namespace: strings.ReplaceAll(zktest.Namespace(t), "/", "-")}
		owner, err := zk.Connect(t.Context(), zk.Config{Servers: r.Servers, Digest: "ops:secret"})
		if err != nil {
			t.Fatal(err)
		}
		defer owner.Close()
		if _, err := owner.Create(t.Context(), "/"+strings.Trim(r.Namespace, "/"), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		p := newPool(t, 0)
		if err := p.Test(t.Context(), r); !errors.Is(err, statistics.ErrForbidden) || !errors.Is(err, zk.ErrNoAuth) {
			t.Errorf("without the digest: %v", err)
		}
		r.Digest = "ops:secret"
		if err := p.Test(t.Context(), r); err != nil {
			t.Errorf("with the digest: %v", err)
		}
	})
}

func TestServersAndCheck(t *testing.T) {
	t.Parallel()
	if got, err := registries.Servers("zk1:2181, zk2:2181/elastic"); err != nil || strings.Join(got, " ") != "zk1:2181 zk2:2181/elastic" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := registries.Servers("no port"); err == nil {
		t.Errorf("%q is taken", got)
	}
	for field, access := range map[string]settings.Access{
		"": {}, "acl": {ACL: "digest"}, "tls": {TLS: true, CA: "s3cret"},
	} {
		if got, want := registries.Check(settings.Registry{Access: access}); got != field || strings.Contains(want, "s3cret") {
			t.Errorf("%+v: %q, %q", access, got, want)
		}
	}
}
