package registries_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestCloudTrees: the tree of another namespace is read in a registry that was entered, and
// by the client of the command line; each reason why not is an error of its own.
func TestCloudTrees(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		name := strings.ReplaceAll(zktest.Namespace(t), "/", "-")
		ns, err := jobtree.NewNamespace(name)
		if err != nil {
			t.Fatal(err)
		}
		owner, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}, Digest: "ops:secret"})
		if err != nil {
			t.Fatal(err)
		}
		defer owner.Close()
		if _, err := owner.CreateAll(t.Context(), jobtree.NewCloud(ns).App("shop"), []byte("appName: shop\n"), zk.Persistent); err != nil {
			t.Fatal(err)
		}
		p := newPool(t, 0)
		read := registries.CloudTrees(p, owner)
		entered := settings.Registry{Name: "old", Servers: []string{srv.Addr}, Namespace: "agents", Digest: "ops:secret"}
		for where, r := range map[string]*settings.Registry{"command line": nil, "entered": &entered} {
			if tree, err := read(t.Context(), r, name); err != nil || len(tree.Apps) != 1 {
				t.Errorf("%s: %+v, %v", where, tree, err)
			}
			if _, err := read(t.Context(), r, name+"-none"); !errors.Is(err, zkstore.ErrNoTree) {
				t.Errorf("%s, no tree: %v", where, err)
			}
		}
		for want, change := range map[error]func(*settings.Registry){
			zkstore.ErrTreeForbidden: func(r *settings.Registry) { r.Digest = "" },
			app.ErrNoSuchChroot:      func(r *settings.Registry) { r.Servers = []string{srv.Addr + "/no-such-node"} },
			outbound.ErrForbidden:    func(r *settings.Registry) { r.Servers = []string{"203.0.113.1:2181"} },
			zk.ErrUnavailable:        func(r *settings.Registry) { r.Servers = []string{"127.0.0.1:1"} },
		} {
			limit := waittest.Patience
			if errors.Is(want, zk.ErrUnavailable) { // Nothing else ends the attempts.
				limit = 500 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			r := entered
			change(&r)
			if _, err := read(ctx, &r, name); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
			cancel()
		}
		if p.Open() != 0 {
			t.Error("a connection is left")
		}
	})
}
