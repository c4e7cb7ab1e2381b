package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/centres"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
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
	return healthOf(h.client, h.address, h.namespace)
}

// PingDatabase implements [console.Health].
func (h health) PingDatabase(ctx context.Context) error { return h.database.Ping(ctx) }

// healthOf is the state of a client's connection.
func healthOf(client *zk.Client, address, namespace string) console.RegistryHealth {
	condition := client.Condition()
	h := console.RegistryHealth{State: console.RegistryLost, Since: condition.Since, LastError: condition.LastError, Address: address, Namespace: namespace}
	switch condition.State {
	case zk.Connected:
		h.State = console.RegistryConnected
	case zk.Suspended:
		h.State = console.RegistrySuspended
	}
	return h
}

// requested tells the console's metrics of a request to ZooKeeper.
func requested(m *console.Metrics) func(op string, took time.Duration, err error) {
	return func(op string, _ time.Duration, err error) {
		m.Requested(op, !errors.Is(err, zk.ErrUnavailable) && !errors.Is(err, zk.ErrSessionLost) && !errors.Is(err, zk.ErrClosed))
	}
}

// entered are the connections to registry centres, as the console asks for them.
type entered struct{ *centres.Pool }

// Servers implements [console.Centres].
func (entered) Servers(text string) ([]string, error) { return centres.Servers(text) }

// Check implements [console.Centres].
func (entered) Check(r settings.Registry) (field, want string) { return centres.Check(r) }

// Use implements [console.Centres].
func (e entered) Use(ctx context.Context, r settings.Registry) (console.Registry, func(), error) {
	c, release, err := e.Pool.Use(ctx, r)
	if err != nil {
		return console.Registry{}, nil, err
	}
	return console.Registry{Jobs: c.Jobs, Operator: c.Operator, Health: func() console.RegistryHealth {
		return healthOf(c.Client, strings.Join(r.Servers, ","), r.Namespace)
	}}, release, nil
}

// recorded are the connections to trace databases, as the console asks for them.
type recorded struct{ *centres.Databases }

// Use implements [console.Sources].
func (e recorded) Use(ctx context.Context, d settings.DataSource) (console.History, func(), error) {
	history, release, err := e.Databases.Use(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	return history, release, nil
}
