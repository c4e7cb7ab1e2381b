package firerecord_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

func inBubble(t *testing.T, test func(t *testing.T, n *nodes.Nodes, r *firerecord.Records)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		n := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		test(t, n, firerecord.New(n, time.Now))
	})
}

// A record has the version of its node. An unreadable record counts as missing, and a record from
// the future is ignored.
func TestLast(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, n *nodes.Nodes, r *firerecord.Records) {
		ctx := t.Context()
		if _, ok, err := r.Last(ctx, 0); ok || err != nil {
			t.Errorf("no record: %v, %v", ok, err)
		}
		if err := r.Ensure(ctx, []int{0, 1}); err != nil {
			t.Fatal(err)
		}
		if last, ok, err := r.Last(ctx, 0); ok || err != nil {
			t.Errorf("an empty record is %v, %v, %v", last, ok, err)
		}
		now := time.Now().Truncate(time.Millisecond)
		for _, c := range []struct{ stored, want time.Time }{{now.Add(-time.Hour), now.Add(-time.Hour)}, {now.AddDate(1, 0, 0), time.Time{}}} {
			stored := jobtree.FireRecord{Owner: "10.0.0.1@-@1", Completed: c.stored, Through: c.stored}
			stat, err := n.Client.Set(ctx, n.Tree.FireRecord(1), stored.Encode(), zk.AnyVersion)
			if err != nil {
				t.Fatal(err)
			}
			last, ok, err := r.Last(ctx, 1)
			want := firerecord.Record{FireRecord: firetime.Sound(stored, now), Version: stat.Version, Written: stat.Mzxid}
			if !ok || err != nil || last.Version != want.Version || last.Written != want.Written || !last.Completed.Equal(want.Completed) {
				t.Errorf("stored %v, read %+v, want %+v (%v, %v)", stored, last, want, ok, err)
			}
			if !c.want.IsZero() && !last.Completed.Equal(c.want) {
				t.Errorf("completed %v, want %v", last.Completed, c.want)
			}
			if c.want.IsZero() && last.Completed.After(now.Add(firetime.MostLead)) {
				t.Errorf("a fire time completed in the future is believed: %v", last.Completed)
			}
		}
	})
}

// The era belongs to the given configuration, unless the note is newer.
func TestEra(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, n *nodes.Nodes, r *firerecord.Records) {
		ctx := t.Context()
		config := jobconfig.New("job", 1)
		config.Cron = "0 * * * * ?"
		first, edit := time.Now().Add(-time.Hour).Truncate(time.Millisecond), time.Now().Truncate(time.Millisecond)
		era, note, err := r.ReadEra(ctx, config, 0, first)
		if err != nil || note.Exists || !era.Since.Equal(first) {
			t.Errorf("without a note %+v, %+v, %v", era, note, err)
		}
		if err := n.Create(ctx, n.Tree.FireRecords(), era.Encode(), zk.Persistent); err != nil {
			t.Fatal(err)
		}
		config.Cron = "0 0 * * * ?"
		if era, _, err := r.ReadEra(ctx, config, 1, edit); err != nil || !era.Since.Equal(edit) {
			t.Errorf("after an edit of the cron %+v, %v", era, err)
		}
		newer := firetime.NewEra(config, 5, edit)
		if _, err := n.Client.Set(ctx, n.Tree.FireRecords(), newer.Encode(), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if era, note, err := r.ReadEra(ctx, config, 4, first); err != nil || !note.Exists || note.Version != 1 || era.Version != 5 {
			t.Errorf("a note that is newer: %+v, %+v, %v", era, note, err)
		}
	})
}

// If a failover is offered or running when a shard arrives, it covers fire times missed earlier. If
// it began before the fire time, it may end without covering it. The shard's record shows that,
// unless an instance keeps no records.
func TestFailoverCoversAMissedFireTime(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, r *firerecord.Records) {
		create := func(path string) {
			if err := n.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		serves := func(when string, fire time.Time, want bool) {
			if is, err := r.RunsAgain(t.Context(), 0, fire); is != want || err != nil {
				t.Errorf("%s: the shard is run again anyway: %v, want %v (%v)", when, is, want, err)
			}
		}
		const ours, java = "10.0.0.2@-@1", "10.0.0.3@-@1"
		create(n.Tree.Instances() + "/" + ours)
		create(n.Agent(ours))
		now := time.Now()
		serves("nothing is offered", now, false)
		create(n.Tree.FailoverItem(0))
		serves("offered long after the fire time", now.Add(-2*time.Minute), true)
		serves("offered about the fire time", now, false)
		create(n.Tree.ItemFailover(0))
		serves("under way, from about the fire time", now, false)
		create(n.Tree.Instances() + "/" + java)
		serves("under way, perhaps on an instance that keeps no records", now, true)
		if err := n.Client.Delete(t.Context(), n.Tree.Instances()+"/"+java, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		create(n.Tree.ItemMisfire(0))
		serves("marked as misfired", now, true)
	})
}
