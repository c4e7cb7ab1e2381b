package lifecycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

func TestRemove(t *testing.T) {
	each(t, twoHosts("j")+twoHosts("other")+"j/guarantee/started/0\nj/extension/audit = x\nj/systemTime/current", func(t *testing.T, b bundle) {
		ctx := t.Context()
		before := b.Dump(t, "")
		_, err := b.operator.Remove(ctx, "j")
		wantError(t, err, lifecycle.ErrConflict, "2 instances are live", "shut the job down")
		if diff := cmp.Diff(before, b.Dump(t, "")); diff != "" {
			t.Errorf("a refused removal changed the tree:\n%s", diff)
		}
		if _, err := b.operator.Shutdown(ctx, "j"); err != nil {
			t.Fatal(err)
		}
		if _, err := b.operator.Remove(ctx, "j"); err != nil {
			t.Fatal(err)
		}
		if left := b.Dump(t, "j"); left != "" {
			t.Errorf("left behind:\n%s", left)
		}
		if _, exists, err := b.Client.Exists(ctx, b.NS.Job("j").Root()); exists || err != nil {
			t.Errorf("the job node exists: %t, %v", exists, err)
		}
		if b.Dump(t, "other") == "" {
			t.Error("another job was removed")
		}
		_, err = b.operator.Remove(ctx, "j")
		wantError(t, err, lifecycle.ErrNotFound)
	})
}

func TestRemoveOfRemains(t *testing.T) {
	each(t, "j/servers/10.0.0.1 = ENABLED\nnested/job/config = x\nnested/job/instances/a@-@1 [E]", func(t *testing.T, b bundle) {
		if _, err := b.operator.Remove(t.Context(), "j"); err != nil {
			t.Fatal(err)
		}
		_, err := b.operator.Remove(t.Context(), "nested")
		wantError(t, err, lifecycle.ErrNotFound, `"job"`)
		b.Plant(t, "nested/config = x")
		_, err = b.operator.Remove(t.Context(), "nested")
		wantError(t, err, lifecycle.ErrConflict, `"job"`)
		b.wantTree(t, "nested/job", "nested/job/config = \"x\"\nnested/job/instances\nnested/job/instances/a@-@1 [E]")
	})
}

// A job with thousands of shards doesn't fit one transaction, but Remove should still delete it.
func TestRemoveOfAHugeJob(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := treetest.New(t, srv.Addr)
		ctx := t.Context()
		b.Plant(t, "j/config = \"jobName: j\\nshardingTotalCount: 3000\\n\"\nj/sharding")
		job := b.NS.Job("j")
		var ops []zk.Op
		for item := range 3000 {
			ops = append(ops, zk.CreateOp(job.Item(item), nil, zk.Persistent), zk.CreateOp(job.ItemInstance(item), []byte("10.0.0.1@-@1"), zk.Persistent),
				zk.CreateOp(job.ItemDisabled(item), nil, zk.Persistent), zk.CreateOp(job.ItemMisfire(item), nil, zk.Persistent))
			if len(ops) >= 2000 {
				if err := b.Client.Multi(ctx, ops...); err != nil {
					t.Fatal(err)
				}
				ops = nil
			}
		}
		if len(ops) > 0 {
			if err := b.Client.Multi(ctx, ops...); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := lifecycle.NewOperator(b.Registry()).Remove(ctx, "j"); err != nil {
			t.Fatal(err)
		}
		if left := b.Dump(t, ""); left != "" {
			t.Errorf("left behind:\n%.500s", left)
		}
	})
}

func TestRemoveServer(t *testing.T) {
	each(t, twoHosts("a")+twoHosts("b")+"a/servers/10.0.0.9 = DISABLED\nb/servers/10.0.0.9 = ENABLED", func(t *testing.T, b bundle) {
		ctx := t.Context()
		_, err := b.operator.RemoveServer(ctx, "a", "10.0.0.1")
		wantError(t, err, lifecycle.ErrConflict, "10.0.0.1@-@7 is live")
		out, err := b.operator.RemoveServer(ctx, "", "10.0.0.9")
		wantOutcome(t, out, err, lifecycle.Outcome{Affected: []string{"a", "b"}})
		_, err = b.operator.RemoveServer(ctx, "a", "10.0.0.9")
		wantError(t, err, lifecycle.ErrNotFound)
		b.wantTree(t, "a/servers", "a/servers/10.0.0.1 = \"ENABLED\"\na/servers/10.0.0.10 = \"ENABLED\"")
	})
}
