package registries_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
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
		if _, err := p.Probe(t.Context(), r); !errors.Is(err, statistics.ErrForbidden) || !errors.Is(err, zk.ErrNoAuth) {
			t.Errorf("without the digest: %v", err)
		}
		r.Digest = "ops:secret"
		if _, err := p.Probe(t.Context(), r); err != nil {
			t.Errorf("with the digest: %v", err)
		}
	})
}

// TestProbe: what a test of a registry finds: a namespace with its jobs, none, no
// chroot, nobody there.
func TestProbe(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := treetest.New(t, srv.Addr)
		b.Plant(t, "a/config = x\nb/config = y\nc/servers/10.0.0.1 = ENABLED\n")
		p := newPool(t, 0)
		r := settings.Registry{Name: "a", Servers: []string{srv.Addr}, Namespace: strings.Trim(b.NS.String(), "/")}
		report, err := p.Probe(t.Context(), r)
		if err != nil || !report.Found || report.Jobs != 2 || !report.Exact || report.Connected <= 0 || report.RoundTrip <= 0 {
			t.Errorf("%+v, %v", report, err)
		}
		r.Namespace += "/nobody"
		if report, err = p.Probe(t.Context(), r); err != nil || report.Found || report.Jobs != 0 {
			t.Errorf("no namespace: %+v, %v", report, err)
		}
		r.Servers = []string{srv.Addr + "/no-such-node"}
		if report, err = p.Probe(t.Context(), r); !errors.Is(err, app.ErrNoSuchChroot) || report.Chroot != "/no-such-node" {
			t.Errorf("no chroot: %+v, %v", report, err)
		}
		r.Servers = []string{"127.0.0.1:1"}
		if _, err = p.Probe(t.Context(), r); !errors.Is(err, zk.ErrUnavailable) || errors.Is(err, statistics.ErrForbidden) {
			t.Errorf("nobody there: %v", err)
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
