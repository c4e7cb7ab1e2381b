package registries

import (
	"context"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// The console declares what it needs of connections, with types of its own, and
// knows nothing of ZooKeeper's client. This file gives it that.

// Health is the state of a client's connection.
func Health(client *zk.Client, address, namespace string) app.RegistryHealth {
	condition := client.Condition()
	h := app.RegistryHealth{State: app.RegistryLost, Since: condition.Since, LastError: condition.LastError, Address: address, Namespace: namespace}
	switch condition.State {
	case zk.Connected:
		if since := client.SilentSince(); !since.IsZero() {
			h.State, h.Since = app.RegistrySuspended, since
			break
		}
		h.State = app.RegistryConnected
	case zk.Suspended:
		h.State = app.RegistrySuspended
	}
	return h
}

// Registries are the connections of p, as the console asks for them.
func Registries(p *Pool) app.Registries { return entered{p} }

type entered struct{ *Pool }

// Servers implements [app.Registries].
func (entered) Servers(text string) ([]string, error) { return Servers(text) }

// Check implements [app.Registries].
func (entered) Check(r settings.Registry) (field, want string) { return Check(r) }

// Use implements [app.Registries].
func (e entered) Use(ctx context.Context, r settings.Registry) (app.Registry, func(), error) {
	c, release, err := e.Pool.Use(ctx, r)
	if err != nil {
		return app.Registry{}, nil, err
	}
	return described(c, r), release, nil
}

// Opened implements [app.Registries].
func (e entered) Opened(r settings.Registry) (app.Registry, func(), bool) {
	c, release, open := e.Pool.Opened(r)
	if !open {
		return app.Registry{}, nil, false
	}
	return described(c, r), release, true
}

func described(c *Connection, r settings.Registry) app.Registry {
	return app.Registry{Jobs: c.Jobs, Operator: c.Operator, Changes: c.Jobs.OnChange, Memory: memory(c.Jobs), Health: func() app.RegistryHealth {
		return Health(c.Client, strings.Join(r.Servers, ","), r.Namespace)
	}}
}

// memory is that of a reader, if it has one.
func memory(r *statistics.Reader) app.Jobs {
	if m := r.Memory(); m != nil {
		return m
	}
	return nil
}

// Traces are the connections of d, as the console asks for them.
func Traces(d *Databases) app.Sources { return recorded{d} }

type recorded struct{ *Databases }

// Use implements [app.Sources].
func (e recorded) Use(ctx context.Context, d settings.DataSource) (app.History, func(), error) {
	history, release, err := e.Databases.Use(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	return history, release, nil
}
