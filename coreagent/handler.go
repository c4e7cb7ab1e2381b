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
	// Shard is the part of a job for one call of a [Handler]: its number, its parameters, a log, and its run.
	Shard = core.Shard
	// RunInfo describes a handler's run.
	RunInfo = core.RunInfo
	// RunBy is the origin of a requested run.
	RunBy = core.RunBy
)

// kind has the additional methods of built-in handlers.
type kind interface {
	jobType() string             // data of the job node, "" for a user's class
	jobProps() map[string]string // properties that configure the kind
	check() error                // error in the handler itself
}

// withDefaults adds the defaults of a schema to a handler's parameters.
type withDefaults struct {
	Handler
	schema *runparams.Schema
}

func (h withDefaults) Handle(ctx context.Context, s *Shard) error {
	s.Run.Params = h.schema.Defaults(s.Run.Params)
	return h.Handler.Handle(ctx, s)
}
