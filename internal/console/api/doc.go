// Package api has the wire types of the console's REST interface, each of them once, and a client.
//
//	cmd/elasticjob ──▶ Client ──HTTP──▶ internal/console/rest
//	      └────────── wire types ──────────────┘
//
// The package imports no other part of the console, so that a small program can use it. Every error
// of the client that users can do something about has a method Hint with the remedy.
package api
