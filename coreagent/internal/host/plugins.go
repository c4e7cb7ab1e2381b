package host

import (
	"maps"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
)

// Plugins are the user's own code that a job's stored configuration can name.
type Plugins struct {
	Executors  map[string]int // shards of a job that run side by side
	Strategies map[string]sharding.Strategy
	Listeners  map[string]Listener
	Errors     *errorhandler.Set // makes and serves the job's error handler
}

// With returns p and own, which comes first if both have a name.
func (p Plugins) With(own Plugins, handlers map[string]errorhandler.Factory) Plugins {
	return Plugins{
		Executors: merged(p.Executors, own.Executors), Strategies: merged(p.Strategies, own.Strategies),
		Listeners: merged(p.Listeners, own.Listeners), Errors: p.Errors.With(handlers),
	}
}

func merged[V any](base, own map[string]V) map[string]V {
	if len(own) == 0 {
		return base
	}
	all := maps.Clone(base)
	maps.Copy(all, own)
	return all
}
