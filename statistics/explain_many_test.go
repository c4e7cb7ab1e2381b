package statistics_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestV14ExplainManyShards: if each of many shards has a different owner and all owners are
// offline, we should list the first fifty findings and the number of the others.
func TestV14ExplainManyShards(t *testing.T) {
	const shards = 20_000
	_, b := fakeBundle(t)
	b.Plant(t, sound(yearly)+fmt.Sprintf("j/config = \"jobName: j\\nshardingTotalCount: %d\\nmonitorExecution: true\\n%s\"\n", shards, yearly))
	job := b.NS.Job("j")
	var ops []zk.Op
	for item := 2; item < shards; item++ {
		owner := fmt.Sprintf("10.1.%d.%d@-@%d", item/1000, item%200, item)
		ops = append(ops, zk.CreateOp(job.Item(item), nil, zk.Persistent), zk.CreateOp(job.ItemInstance(item), []byte(owner), zk.Persistent))
		if len(ops) >= 1000 || item == shards-1 {
			if err := b.Client.Multi(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
			ops = nil
		}
	}
	why, err := statistics.NewReader(b.Registry()).Explain(t.Context(), "j")
	if err != nil {
		t.Fatal(err)
	}
	if len(why.Findings) != 51 {
		t.Fatalf("%d findings", len(why.Findings))
	}
	for i, f := range why.Findings[:50] {
		if f.Code != statistics.CodeItemOwnerGone || len(f.Items) != 1 || f.Instance == "" {
			t.Fatalf("finding %d: %s", i, line(f, ""))
		}
	}
	const rest = shards - 2 - 50
	last := why.Findings[50]
	if last.Code != statistics.CodeItemOwnerGone || len(last.Items) != rest || last.Instance != "" || last.Effect != why.Findings[0].Effect {
		t.Errorf("the last finding is %s %s of %d shards, instance %q", last.Code, last.Effect, len(last.Items), last.Instance)
	}
	want := fmt.Sprintf("And %d findings more of this kind. Shards ", rest)
	if !strings.HasPrefix(last.Sentence, want) || !strings.HasSuffix(last.Sentence, fmt.Sprintf(", %d more.", rest-5)) {
		t.Errorf("the last finding says %q", last.Sentence)
	}
	if len(last.Sentence) > 1000 {
		t.Errorf("the last sentence has %d characters", len(last.Sentence))
	}
}
