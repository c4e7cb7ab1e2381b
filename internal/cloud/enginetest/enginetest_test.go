package enginetest_test

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/enginetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func TestFakeEngine(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(*testing.T) enginetest.Fixture {
		e := cloudfake.NewEngine(nil)
		return enginetest.Fixture{Engine: e, App: cloud.NewApp("shop"), Finish: func(run string, shard int, well bool) {
			if well {
				e.Finish(run, shard, tracing.StateFinished, "")
			} else {
				e.Finish(run, shard, tracing.StateFailed, "exit code 7")
			}
		}}
	})
}
