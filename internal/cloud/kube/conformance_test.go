package kube

import (
	"log/slog"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/enginetest"
)

func open(t *testing.T, d *double) *Engine {
	t.Helper()
	e, err := Open(Config{Clients: d.clients(t), Namespace: "runs", Version: "1", Logger: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// shopApp is an application that the double runs until a test ends it.
func shopApp() cloud.App {
	app := cloud.NewApp("shop")
	app.Image = "registry.example/shop:1"
	return app
}

// TestEngineConformance runs the tests for every engine on the double. TestKubernetesConformance of
// package kubetest does so on a real control plane.
func TestEngineConformance(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t *testing.T) enginetest.Fixture {
		d := newDouble(t)
		return enginetest.Fixture{Engine: open(t, d), App: shopApp(), Finish: func(run string, shard int, well bool) {
			if index := d.indexOf(run, shard); well {
				d.exit(run, index, 0, "Completed", "")
			} else {
				d.exit(run, index, 7, "Error", "meant to fail")
			}
		}}
	})
}
