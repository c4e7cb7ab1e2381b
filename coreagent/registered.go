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

// checkRegistered returns the problems of the program's own executors, strategies, error handlers,
// listeners and types.
func (cfg Config) checkRegistered() error {
	_, _, err := cfg.plugins()
	return errors.Join(err, checkNames("Types", slices.Sorted(maps.Keys(cfg.Types)),
		[]string{jobconfig.TypeHTTP, jobconfig.TypeScript}, func(name string) bool { return cfg.Types[name] != nil }))
}

func (cfg Config) plugins() (host.Plugins, map[string]errorhandler.Factory, error) {
	handlers := make(map[string]errorhandler.Factory)
	own := host.Plugins{
		Executors: make(map[string]int), Strategies: make(map[string]sharding.Strategy), Listeners: make(map[string]host.Listener),
	}
	var p problems
	for _, e := range cfg.Executors {
		p.add(register("Executors", own.Executors, e.Name, e.Parallel, e.Parallel != 0, host.ExecutorTypes()))
		p.when(e.Parallel < 0 || e.Parallel > maxParallel, "Executors: %q: %d is not allowed; want 1 to %d", e.Name, e.Parallel, maxParallel)
	}
	for _, s := range cfg.Strategies {
		p.add(register("Strategies", own.Strategies, s.Name, s.hosted(), s.Assign != nil, sharding.Names()))
	}
	for _, h := range cfg.ErrorHandlers {
		p.add(register("ErrorHandlers", handlers, h.Name, h.factory(), h.Handle != nil, errorhandler.Builtin()))
	}
	for _, l := range cfg.Listeners {
		p.add(register("Listeners", own.Listeners, l.Name, l.hosted(), l.declared(), nil))
	}
	return own, handlers, errors.Join(p...)
}

// register adds an entry of one field. taken are names with another meaning.
func register[V any](field string, entries map[string]V, name string, entry V, complete bool, taken []string) error {
	if _, twice := entries[name]; twice {
		return fmt.Errorf("%s: %q is there twice", field, name)
	}
	entries[name] = entry
	return checkNames(field, []string{name}, taken, func(string) bool { return complete })
}

func checkNames(field string, names, taken []string, complete func(name string) bool) error {
	var errs []error
	for _, name := range names {
		switch {
		case name == "" || name != strings.TrimSpace(name) || strings.ContainsFunc(name, isControl):
			errs = append(errs, fmt.Errorf("%s: %q is not a name: want text in one line without blanks around it", field, name))
		case slices.Contains(taken, name):
			errs = append(errs, fmt.Errorf("%s: %q is taken; the names in use are %s", field, name, strings.Join(slices.Sorted(slices.Values(taken)), ", ")))
		case !complete(name):
			errs = append(errs, fmt.Errorf("%s: %q is only a name", field, name))
		}
	}
	return errors.Join(errs...)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// jobPlugins returns the code that a job can use by name: the program's and the job's own.
func (a *Agent) jobPlugins(job Job) (host.Plugins, error) {
	cfg := Config{Logger: a.cfg.Logger}
	if job.Executor.Parallel != 0 {
		cfg.Executors = []Executor{job.Executor}
	}
	if job.Strategy.Assign != nil {
		cfg.Strategies = []Strategy{job.Strategy}
	}
	if job.ErrorHandler.Handle != nil {
		cfg.ErrorHandlers = []ErrorHandler{job.ErrorHandler}
	}
	for _, l := range job.Listeners {
		if l.declared() {
			cfg.Listeners = append(cfg.Listeners, l)
		}
	}
	own, handlers, err := cfg.plugins()
	return a.plugins.With(own, handlers), err
}

// checkReferences returns names in a job that this agent doesn't know, and wrong error handler properties.
func checkReferences(c *jobconfig.Config, p host.Plugins) error {
	var unknown problems
	_, err := host.Parallel(c.ExecutorType, p.Executors)
	unknown.field("Executor", err)
	_, err = usercode.ByName(c.StrategyType, p.Strategies)
	unknown.field("Strategy", err)
	_, err = p.Errors.New(c.ErrorHandlerType, c.Props)
	unknown.field("ErrorHandler", err)
	_, err = host.ResolveListeners(c.ListenerTypes, p.Listeners)
	unknown.field("Listeners", err)
	return errors.Join(unknown...)
}
