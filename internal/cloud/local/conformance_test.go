package local_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/enginetest"
)

// newest returns the newest task of a shard by its own watch, because another watch may know it
// earlier than the fixture's.
func (f *fixture) newest(run string, shard int) (newest cloud.Task) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = f.Watch(ctx, func(e cloud.TaskEvent) { // It ends with the context.
		if e.Event == cloud.EventSynced {
			cancel()
		}
		if e.Task.Run == run && e.Task.Shard == shard && e.Task.Attempt > newest.Attempt {
			newest = e.Task
		}
	})
	return newest
}

func TestEngineConformance(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) enginetest.Fixture {
		f := open(t, config(t))
		ends := t.TempDir()
		app := cloud.NewApp("app")
		app.Command = []string{"program", programWord, "until-ended", ends}
		return enginetest.Fixture{Engine: f.Engine, App: app, Finish: func(run string, shard int, well bool) {
			task := f.newest(run, shard)
			if cloud.Ended(task.State) {
				return
			}
			code := "0"
			if !well {
				code = "7"
			}
			if err := os.WriteFile(filepath.Join(ends, task.UID+".tmp"), []byte(code), 0o600); err != nil {
				t.Error(err)
			}
			if err := os.Rename(filepath.Join(ends, task.UID+".tmp"), filepath.Join(ends, task.UID)); err != nil {
				t.Error(err)
			}
		}}
	})
}
