package runs

import (
	"errors"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestCancelAmongMany cancels one of many active runs. Its path doesn't identify it, and the agents
// must learn its id.
func TestCancelAmongMany(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.submit(t, jobrun.Request{}) // creates the folders
		var ids []string
		for n := range 2*fewRecords + 1 {
			id := NewID(b.clock())
			if n == fewRecords {
				id = `a "stranger"` // JSON encodes it differently
			}
			ids = append(ids, id)
			record := Claim(OpenOne(jobtree.RunRequest{Version: 1, ID: id, Assign: jobrun.AssignOne}, n, 100, "me", b.clock()), []int{n}, jobtree.RunClaim{Instance: "me", Nonce: id})
			ops, err := b.Begin(b.Tree.RunsActiveShard(n), record)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Store.Client.Multi(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range []int{0, fewRecords, 2 * fewRecords} {
			state, err := b.Cancel(t.Context(), ids[n], jobtree.RunCancel{By: "root"})
			if err != nil || state != jobrun.Running {
				t.Errorf("run %d: %s, %v", n, state, err)
			}
			if data, _, err := b.Store.Client.Get(t.Context(), b.Tree.RunsCancels()); err != nil || string(data) != ids[n] {
				t.Errorf("run %d: the agents hear of %q, %v", n, data, err)
			}
			status, err := b.Get(t.Context(), ids[n])
			if err != nil || status.Cancelled == nil || status.path != b.Tree.RunsActiveShard(n) {
				t.Errorf("run %d: %+v, %v", n, status, err)
			}
		}
		if _, err := b.Get(t.Context(), NewID(b.clock())); !errors.Is(err, jobrun.ErrUnknownRun) {
			t.Errorf("an unknown run: %v", err)
		}
	})
}

// TestW03TheStewardHearsOfACancelledRun covers a run that has begun and isn't claimed by any shard.
// A console doesn't record history, so the steward must record the end.
func TestW03TheStewardHearsOfACancelledRun(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		b.submit(t, jobrun.Request{}) // creates the folders
		id := NewID(b.clock())
		open := Open(jobtree.RunRequest{Version: 1, ID: id, Assign: jobrun.AssignEach}, 2, nil, "me", b.clock())
		ops, err := b.Begin(b.Tree.RunsActiveAll(), *open.Record)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Store.Client.Multi(t.Context(), ops...); err != nil {
			t.Fatal(err)
		}
		if state, err := b.Cancel(t.Context(), id, jobtree.RunCancel{By: "root"}); err != nil || state != jobrun.Cancelled {
			t.Errorf("%s, %v", state, err)
		}
		if data, _, err := b.Store.Client.Get(t.Context(), b.Tree.RunsCancels()); err != nil || string(data) != id {
			t.Errorf("the steward hears of %q, %v", data, err)
		}
	})
}
