package cloudjob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/cloud/daemon"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// runDaemon calls the handler at each fire time until ctx ends. A failed run doesn't end the
// process, because the next one may succeed.
func runDaemon(ctx context.Context, t task.Task, h coreagent.Handler, log *slog.Logger, out io.Writer) (code int, err error) {
	if _, err := coreagent.HandlerProps(h); err != nil {
		return task.ExitConfig, fmt.Errorf("job %q, shard %d: %w", t.Job, t.Item, err)
	}
	err = daemon.Loop(ctx, daemon.Config{Task: t, Log: log, Work: func(ctx context.Context, t task.Task) error {
		t.Run += "-" + strconv.FormatInt(t.ScheduledAt.Unix(), 10) // One process has many fire times.
		_, err := attempt(ctx, t, h, log)
		if p, is := errors.AsType[*panicError](err); is {
			_, _ = out.Write(p.stack) // There's only standard error.
			err = fmt.Errorf("%w\n%s", err, p.stack)
		}
		return err
	}})
	if err != nil {
		return task.ExitCode(err), fmt.Errorf("job %q, shard %d: %w", t.Job, t.Item, err)
	}
	return exitOK, nil
}
