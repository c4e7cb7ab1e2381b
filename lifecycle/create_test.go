package lifecycle_test

import (
	"context"
	"testing"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestCreateJob: CreateJob should write the same two nodes as an agent, once. An existing job should stay unchanged.
func TestCreateJob(t *testing.T) {
	each(t, twoHosts("j"), func(t *testing.T, b bundle) {
		ctx := context.Background()
		config := jobconfig.New("fresh", 3)
		config.Cron = "0 0 6 * * ?"
		stored, err := b.operator.CreateJob(ctx, config, "com.example.Fresh")
		if err != nil || !stored.Config.Equal(config) || stored.Version != 0 {
			t.Fatalf("%+v, %v", stored, err)
		}
		class, _, err := b.Client.Get(ctx, b.NS.Job("fresh").Root())
		if err != nil || string(class) != "com.example.Fresh" {
			t.Errorf("class %q, %v", class, err)
		}
		for _, name := range []string{"fresh", "j"} {
			_, err = b.operator.CreateJob(ctx, jobconfig.New(name, 1), "")
			wantError(t, err, lifecycle.ErrConflict, "there is a job of this name")
		}
		_, err = b.operator.CreateJob(ctx, jobconfig.New("a/b", 0), "")
		wantError(t, err, lifecycle.ErrInvalid, "jobName", "shardingTotalCount")
	})
}
