package coreagent_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

// audit is a listener that ignores notifications.
var audit = coreagent.Listener{Name: "audit", Before: func(context.Context, *coreagent.LocalRun) error { return nil }}

var pager = coreagent.ErrorHandler{Name: "PAGER", Handle: func(context.Context, coreagent.Failure) error { return nil }}

var nearest = coreagent.Strategy{Name: "NEAREST", Assign: func([]string, string, int) map[string][]int { return nil }}

// registered returns a configuration with one thing of each kind.
func registered() coreagent.Config {
	return coreagent.Config{
		Namespace: "ns", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}},
		Logger:     slog.New(slog.DiscardHandler),
		Strategies: []coreagent.Strategy{nearest}, ErrorHandlers: []coreagent.ErrorHandler{pager}, Listeners: []coreagent.Listener{audit},
		Types: map[string]coreagent.Handler{"EXPORT": coreagent.HandlerFunc(nop)},
	}
}

// TestUnknownNamesAreRefused: every name that a job asks for must be known. The error has the
// field, the value and the known names.
func TestUnknownNamesAreRefused(t *testing.T) {
	t.Parallel()
	agent, err := coreagent.New(registered())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		job     coreagent.Job
		handler coreagent.Handler
		want    []string
	}{
		"strategy":      {coreagent.Job{Strategy: coreagent.Strategy{Name: "BEST"}}, coreagent.HandlerFunc(nop), []string{"Strategy: ", "'BEST'", "ROUND_ROBIN", "NEAREST"}},
		"executor":      {coreagent.Job{Executor: coreagent.Executor{Name: "GPU"}}, coreagent.HandlerFunc(nop), []string{"Executor: ", "'GPU'", "CPU", "SINGLE_THREAD"}},
		"error handler": {coreagent.Job{ErrorHandler: coreagent.ErrorHandler{Name: "SMOKE"}}, coreagent.HandlerFunc(nop), []string{"ErrorHandler: ", "'SMOKE'", "LOG", "PAGER"}},
		"handler props": {coreagent.Job{ErrorHandler: coreagent.Email, Props: map[string]string{"email.port": "x"}}, coreagent.HandlerFunc(nop), []string{"ErrorHandler: ", "`email.host` is required", "`email.port` should be integer"}},
		"listener":      {coreagent.Job{Listeners: []coreagent.Listener{{Name: "audit"}, {Name: "spy"}}}, coreagent.HandlerFunc(nop), []string{"Listeners: ", "'spy'", "audit"}},
		"twice":         {coreagent.Job{Listeners: []coreagent.Listener{{Name: "audit"}, {Name: "audit"}}}, coreagent.HandlerFunc(nop), []string{"Listeners: ", `"audit" is there twice`}},
		"type":          {coreagent.Job{Type: "IMPORT"}, nil, []string{"Type: ", "'IMPORT'", "SCRIPT", "EXPORT"}},
		"two handlers":  {coreagent.Job{Type: "EXPORT"}, coreagent.HandlerFunc(nop), []string{"Type: ", `"EXPORT"`, "nil"}},
		"script":        {coreagent.Job{Type: "SCRIPT"}, nil, []string{"Cannot find script command line"}},
		"http":          {coreagent.Job{Type: "HTTP", Props: map[string]string{"http.uri": "x"}}, nil, []string{`"x"`, "GET, POST"}},
	} {
		c.job.Name, c.job.Shards = "job", 1
		err := agent.Add(c.job, c.handler)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		for _, want := range append(c.want, `add job "job"`) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %q", name, want, err)
			}
		}
	}
	everything := coreagent.Job{
		Name: "job", Shards: 1, Type: "EXPORT", Strategy: coreagent.Strategy{Name: "NEAREST"}, Executor: coreagent.SingleThread, ErrorHandler: coreagent.ErrorHandler{Name: "PAGER"}, Listeners: []coreagent.Listener{{Name: "audit"}},
	}
	if err := agent.Add(everything, nil); err != nil {
		t.Error(err)
	}
}

// TestRegisteredNamesAreChecked when the agent is created.
func TestRegisteredNamesAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(cfg *coreagent.Config)
		want   string
	}{
		"builtin strategy": {func(cfg *coreagent.Config) { cfg.Strategies[0].Name = "ODEVITY" }, `Strategies: "ODEVITY" is taken`},
		"nil strategy":     {func(cfg *coreagent.Config) { cfg.Strategies[0].Assign = nil }, `Strategies: "NEAREST" is only a name`},
		"builtin handler":  {func(cfg *coreagent.Config) { cfg.ErrorHandlers[0].Name = "EMAIL" }, `ErrorHandlers: "EMAIL" is taken`},
		"empty name":       {func(cfg *coreagent.Config) { cfg.Listeners[0].Name = "" }, `Listeners: "" is not a name`},
		"blank":            {func(cfg *coreagent.Config) { cfg.Types[" x"] = coreagent.HandlerFunc(nop) }, `Types: " x" is not a name`},
		"builtin type":     {func(cfg *coreagent.Config) { cfg.Types["SCRIPT"] = coreagent.HandlerFunc(nop) }, `Types: "SCRIPT" is taken`},
		"two listeners":    {func(cfg *coreagent.Config) { cfg.Listeners = append(cfg.Listeners, audit) }, `Listeners: "audit" is there twice`},
		"port":             {func(cfg *coreagent.Config) { cfg.Dump.Port = 70000 }, "Dump.Port: 70000 is not allowed"},
	} {
		cfg := registered()
		c.change(&cfg)
		if _, err := coreagent.New(cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestW17ExecutorsAreChecked when the agent is created, and when a job asks for one.
func TestW17ExecutorsAreChecked(t *testing.T) {
	t.Parallel()
	const bounds = "is not allowed; want 1 to 100000"
	for name, c := range map[string]struct {
		executor string
		shards   int
		want     string // empty if it is allowed
	}{
		"least": {"io", 1, ""}, "most": {"io", 100_000, ""},
		"none": {"io", 0, `Executors: "io" is only a name`}, "negative": {"io", -1, `Executors: "io": -1 ` + bounds},
		"too many": {"io", 100_001, `Executors: "io": 100001 ` + bounds},
		"no name":  {"", 2, `Executors: "" is not a name`},
		"CPU":      {"CPU", 2, `Executors: "CPU" is taken; the names in use are CPU, SINGLE_THREAD`},
		"SINGLE":   {"SINGLE_THREAD", 2, `Executors: "SINGLE_THREAD" is taken`},
	} {
		cfg := registered()
		cfg.Executors = []coreagent.Executor{{Name: c.executor, Parallel: c.shards}}
		if _, err := coreagent.New(cfg); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cfg := registered()
	cfg.Executors = []coreagent.Executor{{Name: "io", Parallel: 50}, {Name: "db", Parallel: 4}}
	agent, err := coreagent.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, executor := range []string{"", "CPU", "SINGLE_THREAD", "io", "db"} {
		if err := agent.Add(coreagent.Job{Name: "job" + executor, Shards: 1, Executor: coreagent.Executor{Name: executor}}, coreagent.HandlerFunc(nop)); err != nil {
			t.Errorf("%q: %v", executor, err)
		}
	}
	err = agent.Add(coreagent.Job{Name: "job", Shards: 1, Executor: coreagent.Executor{Name: "gpu"}}, coreagent.HandlerFunc(nop))
	if want := "Executor: Cannot find executor service handler using type 'gpu'. Allowed types: CPU, SINGLE_THREAD, db, io"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestRemoveBeforeStart frees the name.
func TestRemoveBeforeStart(t *testing.T) {
	t.Parallel()
	agent := idleAgent(t)
	job := coreagent.Job{Name: "job", Shards: 1}
	if err := agent.Remove(t.Context(), "job"); !errors.Is(err, coreagent.ErrUnknownJob) {
		t.Errorf("unknown job: %v", err)
	}
	for range 2 {
		if err := agent.Add(job, coreagent.HandlerFunc(nop)); err != nil {
			t.Fatal(err)
		}
		if err := agent.Remove(t.Context(), "job"); err != nil {
			t.Error(err)
		}
	}
	if err := agent.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := agent.Remove(t.Context(), "job"); !errors.Is(err, coreagent.ErrAgentClosed) {
		t.Errorf("stopped agent: %v", err)
	}
}
