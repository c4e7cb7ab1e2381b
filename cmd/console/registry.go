package main

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/registries"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// health tells the console how the things it depends on are.
type health struct {
	client             *zk.Client
	database           *store.DB
	address, namespace string
}

// Registry implements [app.Health].
func (h health) Registry() app.RegistryHealth {
	return registries.Health(h.client, h.address, h.namespace)
}

// PingDatabase implements [app.Health].
func (h health) PingDatabase(ctx context.Context) error { return h.database.Ping(ctx) }

// requested tells the console's metrics of a request to ZooKeeper.
func requested(m *app.Metrics) func(op string, took time.Duration, err error) {
	return func(op string, _ time.Duration, err error) {
		m.Requested(op, !errors.Is(err, zk.ErrUnavailable) && !errors.Is(err, zk.ErrSessionLost) && !errors.Is(err, zk.ErrClosed))
	}
}
