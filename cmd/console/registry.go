package main

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// health tells the console how the things it depends on are.
type health struct {
	client             *zk.Client
	database           *store.DB
	address, namespace string
}

// Registry implements [console.Health].
func (h health) Registry() console.RegistryHealth {
	return console.HealthOf(h.client, h.address, h.namespace)
}

// PingDatabase implements [console.Health].
func (h health) PingDatabase(ctx context.Context) error { return h.database.Ping(ctx) }
