package nodes

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A group of operations is never split or lost.
func TestChunksKeepGroups(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var groups [][]zk.Op
		total := 0
		for range rapid.IntRange(0, 60).Draw(t, "groups") {
			group := make([]zk.Op, rapid.IntRange(1, 3).Draw(t, "size"))
			for i := range group {
				group[i] = zk.SetOp(fmt.Sprint(total), make([]byte, rapid.IntRange(0, TransactionBytes/5).Draw(t, "bytes")), int32(len(groups)))
				total++
			}
			groups = append(groups, group)
		}
		next, in := 0, make(map[int32]int)
		for k, chunk := range Chunks(groups) {
			size := 0
			for _, op := range chunk {
				if op.Path != fmt.Sprint(next) {
					t.Fatalf("operation %s after %d", op.Path, next-1)
				}
				if was, seen := in[op.Version]; seen && was != k {
					t.Fatalf("group %d is split", op.Version)
				}
				next, in[op.Version] = next+1, k
				size += op.Size()
			}
			if size > zk.MaxTransaction {
				t.Fatalf("a transaction of %d bytes", size)
			}
		}
		if next != total {
			t.Fatalf("%d operations of %d", next, total)
		}
	})
}
