// Package registry connects to an ElasticJob namespace in ZooKeeper. Packages lifecycle and
// statistics use such a connection; package coreagent makes its own from the same settings.
//
//	Config ──Open──▶ Registry ──┬──▶ lifecycle.NewOperator  trigger, disable, configure
//	  │                         ├──▶ statistics.NewReader   status, servers, explanations
//	  │                         └──▶ Close
//	  └── same Namespace and ZooKeeper as in coreagent.Config
//
// A Registry reconnects by itself: if the connection breaks it looks for another server, and if the
// session expires it opens a new one. In the meantime requests fail at once with
// lifecycle.ErrUnavailable or statistics.ErrUnavailable, and [Registry.Connected] reports when to
// try again. An operator's program doesn't own nodes that a lost session would remove.
//
// Opening a registry doesn't write anything. A namespace that doesn't exist has no jobs.
package registry
