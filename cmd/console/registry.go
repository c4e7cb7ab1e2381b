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
	condition := h.client.Condition()
	return console.RegistryHealth{
		State: registryState(condition.State), Since: condition.Since, LastError: condition.LastError,
		Address: h.address, Namespace: h.namespace,
	}
}

func registryState(s zk.State) console.RegistryState {
	switch s {
	case zk.Connected:
		return console.RegistryConnected
	case zk.Suspended:
		return console.RegistrySuspended
	default:
		return console.RegistryLost
	}
}

// PingDatabase implements [console.Health].
func (h health) PingDatabase(ctx context.Context) error { return h.database.Ping(ctx) }
