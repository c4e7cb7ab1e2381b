// Package registry connects to an ElasticJob namespace in ZooKeeper. Packages
// lifecycle and statistics work on such a connection; package coreagent makes one
// of its own from the same settings.
//
//	Config ──Open──▶ Registry ──┬──▶ lifecycle.NewOperator  trigger, disable, configure
//	  │                         ├──▶ statistics.NewReader   status, servers, explanations
//	  │                         └──▶ Close
//	  └── Namespace and ZooKeeper are those of coreagent.Config
//
// A Registry is one ZooKeeper session after the other: when the connection
// breaks it looks for another server, and when the session expires it opens a
// new one. Meanwhile requests fail at once, with lifecycle.ErrUnavailable or
// statistics.ErrUnavailable; [Registry.Connected] says when to try again. An
// operator's program keeps nothing in the tree that a lost session would take
// away.
//
// Nothing is written by opening a registry. A namespace that does not exist has
// no jobs.
package registry
