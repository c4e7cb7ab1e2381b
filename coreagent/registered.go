package coreagent

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// checkRegistered returns errors in the names that the program registers, because jobs' stored
// configurations use them next to ElasticJob's own.
func (cfg Config) checkRegistered() error {
	errs := []error{
		checkNames("Executors", cfg.Executors, host.ExecutorTypes()),
		checkNames("Strategies", cfg.Strategies, sharding.Names()),
		checkNames("ErrorHandlers", cfg.ErrorHandlers, errorhandler.Builtin()),
		checkNames("Listeners", cfg.Listeners, nil),
		checkNames("OnceListeners", cfg.OnceListeners, slices.Collect(maps.Keys(cfg.Listeners))),
		checkNames("Types", cfg.Types, []string{jobconfig.TypeHTTP, jobconfig.TypeScript}),
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Executors)) {
		if n := cfg.Executors[name]; n < 1 || n > maxParallel {
			errs = append(errs, fmt.Errorf("Executors: %q: %d is not allowed; want 1 to %d", name, n, maxParallel))
		}
	}
	return errors.Join(errs...)
}

// checkNames returns errors in the entries of one field. taken are names with another meaning.
func checkNames[V any](field string, entries map[string]V, taken []string) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		switch {
		case name == "" || name != strings.TrimSpace(name) || strings.ContainsFunc(name, isControl):
			errs = append(errs, fmt.Errorf("%s: %q is not a name: want text in one line without blanks around it", field, name))
		case slices.Contains(taken, name):
			errs = append(errs, fmt.Errorf("%s: %q is taken; the names in use are %s", field, name, strings.Join(slices.Sorted(slices.Values(taken)), ", ")))
		case any(entries[name]) == nil:
			errs = append(errs, fmt.Errorf("%s: %q is nil", field, name))
		}
	}
	return errors.Join(errs...)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// checkReferences returns names in a job that this agent doesn't know, and wrong error handler properties.
func (a *Agent) checkReferences(c *jobconfig.Config) error {
	var errs []error
	if _, err := host.Parallel(c.ExecutorType, a.cfg.Executors); err != nil {
		errs = append(errs, fmt.Errorf("Executor: %w", err))
	}
	if _, err := usercode.ByName(c.StrategyType, a.strategies); err != nil {
		errs = append(errs, fmt.Errorf("Strategy: %w", err))
	}
	if _, err := a.errorHandlers.New(c.ErrorHandlerType, c.Props); err != nil {
		errs = append(errs, fmt.Errorf("ErrorHandler: %w", err))
	}
	if _, err := host.ResolveListeners(c.ListenerTypes, a.listeners); err != nil {
		errs = append(errs, fmt.Errorf("Listeners: %w", err))
	}
	return errors.Join(errs...)
}
