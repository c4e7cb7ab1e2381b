package registries

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// CloudTrees reads trees of ElasticJob-Cloud: in registries that were entered by a session
// of its own, which ends with the reading, and in that of the command line by its client.
func CloudTrees(p *Pool, ofCommandLine *zk.Client) app.ReadCloudTree {
	return func(ctx context.Context, r *settings.Registry, namespace string) (zkstore.Tree, error) {
		ctx, cancel := context.WithTimeout(ctx, testWait)
		defer cancel()
		ns, err := jobtree.NewNamespace(namespace)
		if err != nil {
			return zkstore.Tree{}, fmt.Errorf("%w: %w", zkstore.ErrNoTree, err)
		}
		if r == nil {
			return zkstore.ReadTree(ctx, ofCommandLine, ns)
		}
		config, _, err := p.config(*r)
		if err != nil {
			return zkstore.Tree{}, fmt.Errorf("registry %q: %w", r.Name, err)
		}
		client, err := zk.Connect(ctx, config)
		if err != nil {
			return zkstore.Tree{}, refused(err)
		}
		tree, err := zkstore.ReadTree(ctx, client, ns)
		return tree, errors.Join(err, client.Close())
	}
}
