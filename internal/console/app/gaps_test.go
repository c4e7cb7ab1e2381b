package app_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// oneInstance has one live instance in each job.
type oneInstance struct{}

func (oneInstance) InstanceIDs(context.Context, string) ([]string, error) {
	return []string{"10.2.0.14@-@1"}, nil
}
func (oneInstance) AgentIDs(context.Context, string) ([]string, error)   { return nil, nil }
func (oneInstance) StoppedIDs(context.Context, string) ([]string, error) { return nil, nil }

type registry interface{ app.Jobs }

// outage is a registry that can be made unreachable.
type outage struct {
	registry
	is     atomic.Bool
	failed atomic.Int32
}

// Jobs implements [app.Jobs].
func (o *outage) Jobs(ctx context.Context) ([]statistics.Job, error) {
	if o.is.Load() {
		o.failed.Add(1)
		return nil, fmt.Errorf("list jobs: %w", statistics.ErrUnavailable)
	}
	return o.registry.Jobs(ctx)
}

// TestAnOutageIsAGap: after an outage of ZooKeeper the console still knows the instances from before it, and
// names the gap.
func TestAnOutageIsAGap(t *testing.T) {
	t.Parallel()
	var down outage
	b := consoletest.New(t, func(o *app.Options) {
		down.registry = o.Jobs
		o.Jobs, o.Instances = &down, oneInstance{}
	})
	defer keepInstances(t, b)()
	activity := func() string { return b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/activity", nil).Body }
	await := func(what string, ok func() bool) {
		t.Helper()
		waittest.Until(t, what, func() bool {
			b.Registry.Announce(statistics.News{Connection: true})
			return ok()
		})
	}
	const since = "Instances are remembered since 2026-11-21 12:0"
	await("the instances to be seen", func() bool { return strings.Contains(activity(), since) })
	if strings.Contains(activity(), "not seen") {
		t.Error("a gap before an outage")
	}
	down.is.Store(true)
	await("the console to look in vain", func() bool { return down.failed.Load() > 0 })
	down.is.Store(false)
	await("the end of the gap", func() bool { return strings.Contains(activity(), "Instances were not seen between") })
	if !strings.Contains(activity(), since) {
		t.Error("what was known before the outage is forgotten")
	}
}
