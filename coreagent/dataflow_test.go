package coreagent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// TestDataflow: one fetch without streaming, until no data are left with it, and errors of both steps.
func TestDataflow(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		streaming bool
		batches   [][]int // results of fetch
		fail      string
		want      [][]int // arguments of process
	}{
		"once":            {false, [][]int{{1, 2}, {3}}, "", [][]int{{1, 2}}},
		"once, nothing":   {false, nil, "", nil},
		"streaming":       {true, [][]int{{1, 2}, {3}}, "", [][]int{{1, 2}, {3}}},
		"streaming, none": {true, nil, "", nil},
		"fetch fails":     {true, [][]int{{1}}, "fetch", nil},
		"process fails":   {true, [][]int{{1}, {2}}, "process", [][]int{{1}}},
	} {
		var got [][]int
		rest := slices.Clone(c.batches)
		err := coreagenttest.RunShard(t, coreagent.Job{Name: "flow", Shards: 1}, coreagent.Dataflow[int]{
			Streaming: c.streaming,
			Fetch: func(context.Context, *coreagent.Shard) ([]int, error) {
				if c.fail == "fetch" {
					return nil, boom
				}
				if len(rest) == 0 {
					return nil, nil
				}
				batch := rest[0]
				rest = rest[1:]
				return batch, nil
			},
			Process: func(_ context.Context, _ *coreagent.Shard, data []int) error {
				got = append(got, data)
				if c.fail == "process" {
					return boom
				}
				return nil
			},
		}, 0)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: processed (-want +got)\n%s", name, diff)
		}
		if errors.Is(err, boom) != (c.fail != "") || err != nil && !strings.HasPrefix(err.Error(), c.fail+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
