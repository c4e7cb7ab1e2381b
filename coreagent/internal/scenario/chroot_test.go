package scenario_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// With a chroot in the addresses, agents should register, run, reshard and fail over below it,
// without creating nodes elsewhere. If the chroot's node doesn't exist, an agent should refuse to
// start and not create it.
func TestV08AgentsWithinAChroot(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		t.Parallel()
		plain := newFixture(t, srv.Addr)
		chroot := "/" + zktest.Namespace(t)
		plain.addr += chroot
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		refused := plain.agent(9)
		if err := refused.Start(ctx); err == nil || !strings.Contains(err.Error(), "the chroot does not exist: "+chroot) || ctx.Err() != nil {
			t.Fatalf("start without the chroot: %v", err)
		}
		if plain.exists(chroot) {
			t.Error("the agent made the chroot")
		}
		if _, err := plain.client.Create(ctx, chroot, nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}

		b := newFixture(t, srv.Addr+chroot)
		survivor, victim := b.crashPair()
		victim.cut()
		b.await("the survivor runs both", func() bool { return len(b.runsOn(survivor, tracing.SourceFailover)) == 2 })
		b.awaitOwners("job", survivor.id, survivor.id, survivor.id, survivor.id)
		b.awaitTidy("job")
		survivor.triggerHere("job")
		b.await("a trigger is obeyed", func() bool { return b.runs.count("job", -1) == 8 })
		b.while(time.Second, "nothing else is below the root", func() bool { return !plain.exists(b.tree.Root()) })
		if !plain.exists(chroot + b.tree.Root()) {
			t.Errorf("nothing at %s", chroot+b.tree.Root())
		}
	})
}
