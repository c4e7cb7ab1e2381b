package coreagent

import (
	"context"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

type (
	// Handler does the work of one shard. Its only method, Handle, is called once per shard and
	// run, with a context that ends when the run must end.
	Handler = core.Handler
	// HandlerFunc makes a function a [Handler].
	HandlerFunc = core.HandlerFunc
	// Shard is the part of a job that one call of a [Handler] works on: its number, its
	// parameters, a log, and the run that it belongs to.
	Shard = core.Shard
	// RunInfo describes the run for which a handler is called.
	RunInfo = core.RunInfo
	// RunBy is the origin of a requested run.
	RunBy = core.RunBy
)

// kind is what the built-in handlers tell beyond [Handler].
type kind interface {
	jobType() string             // data of the job node, "" for a class of the user's
	jobProps() map[string]string // properties the kind is configured by
	check() error                // what is wrong with the handler itself
}

// withDefaults adds the defaults of a schema to the parameters that a handler gets.
type withDefaults struct {
	Handler
	schema *runparams.Schema
}

// Handle calls the handler.
func (h withDefaults) Handle(ctx context.Context, s *Shard) error {
	s.Run.Params = h.schema.Defaults(s.Run.Params)
	return h.Handler.Handle(ctx, s)
}
