// Package connection is what a registry.Registry is inside: a ZooKeeper client
// and the namespace that it is used for. The packages of this module that work
// on a registry get at both by a conversion, which nobody outside can write:
//
//	registry.Open ──▶ *registry.Registry ══▶ (*connection.Connection)(r) ──▶ Client, Namespace
//	the console   ──▶ connection.New     ══▶ (*registry.Registry)(c)
package connection

import (
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Connection is a client and a namespace. It is immutable. Its fields are
// hidden because they would be those of registry.Registry too.
type Connection struct {
	client    *zk.Client
	namespace jobtree.Namespace
}

// New returns the connection that client makes to a namespace.
func New(client *zk.Client, namespace jobtree.Namespace) *Connection {
	return &Connection{client: client, namespace: namespace}
}

// Client is the ZooKeeper client.
func (c *Connection) Client() *zk.Client { return c.client }

// Namespace is where the jobs are.
func (c *Connection) Namespace() jobtree.Namespace { return c.namespace }
